//! From a handle to its object.

use std::hint::black_box;
use std::sync::Arc;

use oarlock_arena::{Barrier, Instance};
use sharded_slab::Slab;

use crate::candidates::{Bare, Locked, Ours, Pin, Plain, Sharded, Table};
use crate::report::Report;
use crate::rounds::{Work, measure};
use crate::{Object, ObjectKey};

/// One table, and an order in which its objects are read.
struct Reads<T: Table> {
    table: T,
    keys: Vec<T::Key>,
}

impl<T: Table> Reads<T> {
    fn new(live: usize) -> Self {
        let mut table = T::new();
        let keys: Vec<_> = (0..live).map(|value| table.insert(Object::new(value))).collect();
        table.settle();
        Self { keys: order(live).into_iter().map(|at| keys[at]).collect(), table }
    }
}

/// Every object once, shuffled; the only one many times.
fn order(live: usize) -> Vec<usize> {
    if live == 1 {
        return vec![0; 4096];
    }
    let mut order: Vec<usize> = (0..live).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for at in (1..live).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
    order
}

/// The part of the order that one pass takes: large tables are gone through in slices, which go on where the
/// last one ended, so that no slice stays in the cache.
fn slice<K>(keys: &[K], thread: usize) -> &[K] {
    const SLICE: usize = 1 << 16;
    if keys.len() <= SLICE {
        return keys;
    }
    std::thread_local!(static AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });
    let number = AT.get() + 1;
    AT.set(number);
    let slices = keys.len() / SLICE;
    let at = (number + thread * slices / 2) % slices * SLICE;
    &keys[at..at + SLICE]
}

impl<T: Table> Work for Reads<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn pass(&self, thread: usize) -> usize {
        let keys = slice(&self.keys, thread);
        black_box(self.table.read(black_box(keys)));
        keys.len()
    }
}

/// Ours, pinned in another way.
struct Pinned(Arc<Reads<Ours>>, Pin, &'static str);

impl Work for Pinned {
    fn name(&self) -> &'static str {
        self.2
    }

    fn pass(&self, thread: usize) -> usize {
        let Self(reads, pin, _) = self;
        let keys: &[ObjectKey] = slice(&reads.keys, thread);
        black_box(reads.table.read_pinned(black_box(keys), *pin));
        keys.len()
    }
}

/// A pin alone.
struct PinOnly(Arc<Instance>, &'static str);

const PINS: usize = 4096;

impl Work for PinOnly {
    fn name(&self) -> &'static str {
        self.1
    }

    fn pass(&self, _: usize) -> usize {
        (0..PINS).for_each(|_| drop(black_box(self.0.pin())));
        PINS
    }
}

/// The usual library's.
struct PinEpoch(crossbeam_epoch::Collector);

impl Work for PinEpoch {
    fn name(&self) -> &'static str {
        "crossbeam_epoch"
    }

    fn pass(&self, _: usize) -> usize {
        let local = self.0.register();
        (0..PINS).for_each(|_| drop(black_box(local.pin())));
        PINS
    }
}

pub(crate) fn run(report: &mut Report, rounds: usize, quick: bool) {
    let large = if quick { 20_000 } else { 1_000_000 };
    for (live, label) in [(1, "hot"), (10_000, "1e4"), (large, "1e6")] {
        let ours = Arc::new(Reads::<Ours>::new(live));
        let pinned = |pin, name| -> Box<dyn Work> { Box::new(Pinned(ours.clone(), pin, name)) };
        let works: Vec<Box<dyn Work>> = vec![
            pinned(Pin::Held, "arena_held"),
            Box::new(Reads::<Plain>::new(live)),
            pinned(Pin::Each, "arena_pin"),
            Box::new(Reads::<Slab<Object>>::new(live)),
            pinned(Pin::Four, "arena_pin_per_4"),
            pinned(Pin::Share, "arena_arc"),
            Box::new(Reads::<Bare>::new(live)),
            Box::new(Reads::<Locked>::new(live)),
            Box::new(Reads::<Sharded>::new(live)),
        ];
        report.add(&format!("resolve_{label}"), &works, &measure(&works, &[1, 2], rounds, quick));
    }
    let works: Vec<Box<dyn Work>> = vec![
        Box::new(PinOnly(Instance::new().expect("a tag"), "arena_pin_only")),
        Box::new(PinOnly(Instance::with_barrier(Barrier::Fence).expect("a tag"), "arena_pin_fence")),
        Box::new(PinEpoch(crossbeam_epoch::Collector::new())),
    ];
    report.add("pin", &works, &measure(&works, &[1, 2], rounds, quick));
    for (live, goal) in [("hot", 1.5), ("1e4", 1.2), ("1e6", 1.2)] {
        let scene = format!("resolve_{live}");
        report.compare(&scene, "arena_held", 1, "slotmap", 1, Some(goal));
        report.compare(&scene, "arena_held", 2, "slotmap", 2, None);
        report.compare(&scene, "arena_held", 1, "bare_arc", 1, None);
        report.compare(&scene, "arena_pin", 1, "sharded_slab", 1, (live == "hot").then_some(0.6));
        report.compare(&scene, "arena_pin", 2, "sharded_slab", 2, (live == "hot").then_some(0.35));
        report.compare(&scene, "arena_pin", 1, "shardedlock_slotmap", 1, None);
        report.compare(&scene, "arena_pin_per_4", 1, "sharded_slab", 1, None);
        report.compare(&scene, "arena_arc", 1, "rwlock_hashmap", 1, None);
        report.compare(&scene, "arena_arc", 2, "rwlock_hashmap", 2, None);
    }
    report.compare("resolve_hot", "arena_held", 2, "arena_held", 1, Some(1.15));
    report.compare("pin", "arena_pin_only", 1, "crossbeam_epoch", 1, None);
    report.compare("pin", "arena_pin_only", 2, "crossbeam_epoch", 2, None);
    report.compare("pin", "arena_pin_fence", 1, "crossbeam_epoch", 1, None);
}
