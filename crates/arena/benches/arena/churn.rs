//! Creating and destroying.

use sharded_slab::Slab;

use crate::Object;
use crate::candidates::{Locked, Ours, Plain, Sharded, Table};
use crate::report::Report;
use crate::rounds::{Work, measure};

/// Objects that each thread keeps alive, so that a pair is not of one object.
const ALIVE: usize = 64;
const PAIRS: usize = 2048;

struct Churn<T>(T);

impl<T: Table> Work for Churn<T> {
    fn name(&self) -> &'static str {
        // Reads of it are without a lock, its changes are not.
        if T::NAME == "slotmap" { "mutex_slotmap" } else { T::NAME }
    }

    fn pass(&self, _: usize) -> usize {
        let Self(table) = self;
        let mut alive: Vec<T::Key> = (0..ALIVE).map(|value| table.insert(Object::new(value))).collect();
        for at in 0..PAIRS - ALIVE {
            let new = table.insert(Object::new(at));
            table.remove(std::mem::replace(&mut alive[at % ALIVE], new));
        }
        alive.into_iter().for_each(|key| table.remove(key));
        PAIRS
    }
}

pub(crate) fn run(report: &mut Report, rounds: usize, quick: bool) {
    let works: Vec<Box<dyn Work>> = vec![
        Box::new(Churn(Ours::new())),
        Box::new(Churn(Sharded::new())),
        Box::new(Churn(Plain::new())),
        Box::new(Churn(<Slab<Object> as Table>::new())),
        Box::new(Churn(Locked::new())),
    ];
    report.add("create_destroy", &works, &measure(&works, &[1, 2], rounds, quick));
    report.compare("create_destroy", "arena", 1, "shardedlock_slotmap", 1, Some(1.1));
    report.compare("create_destroy", "arena", 2, "shardedlock_slotmap", 2, Some(0.6));
    for threads in [1, 2] {
        for peer in ["mutex_slotmap", "sharded_slab", "rwlock_hashmap"] {
            report.compare("create_destroy", "arena", threads, peer, threads, None);
        }
    }
}
