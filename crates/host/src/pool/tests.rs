use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use super::*;

/// What the entry points below find in place of a frame.
#[derive(Default)]
struct Record {
    /// How often each group ran.
    groups: Vec<AtomicU32>,
    threads: Mutex<HashSet<std::thread::ThreadId>>,
    calls: AtomicU64,
    nap: Duration,
}

impl Record {
    fn new(groups: usize) -> Self {
        Self { groups: (0..groups).map(|_| AtomicU32::new(0)).collect(), ..Self::default() }
    }

    fn ran_once(&self) -> bool {
        self.groups.iter().all(|n| n.load(Relaxed) == 1)
    }
}

extern "C" fn record(frame: *const Frame, first: u64, end: u64, _: *mut u8, _: *mut u8) {
    // SAFETY: `run` below passes a record as the frame.
    let record = unsafe { &*frame.cast::<Record>() };
    record.calls.fetch_add(1, Relaxed);
    for group in &record.groups[first as usize..end as usize] {
        group.fetch_add(1, Relaxed);
    }
    if record.nap > Duration::ZERO {
        record.threads.lock().unwrap().insert(std::thread::current().id());
        std::thread::sleep(record.nap);
    }
}

fn pool(threads: usize) -> Pool {
    Pool::new(threads, Home::here())
}

fn run(pool: &Pool, record: &Record) {
    run_items(pool, record, 1);
}

fn run_items(pool: &Pool, record_: &Record, items: u64) {
    let frame = (&raw const *record_).cast();
    let groups = record_.groups.len() as u64;
    let task = Task { entry: record, frame, groups, group_bytes: 0, scratch_bytes: 0 };
    // SAFETY: the record lives, and is made for any thread.
    unsafe { pool.run(&task, groups * items, &ThreadMemory::default()) };
}

#[test]
fn every_group_runs_once() {
    for threads in [1, 2, 3, 8] {
        let pool = pool(threads);
        for groups in [1, 2, 3, 31, 32, 33, 1000, 4099] {
            for items in [1, 100, 4096] {
                let record = Record::new(groups);
                run_items(&pool, &record, items);
                assert!(record.ran_once(), "{groups} groups on {threads} threads");
                assert!(record.calls.into_inner() <= 64 * threads as u64);
            }
        }
    }
}

#[test]
fn one_group_is_one_call_on_the_calling_thread() {
    let pool = pool(4);
    let record = Record { nap: Duration::from_micros(1), ..Record::new(1) };
    run(&pool, &record);
    assert_eq!(record.calls.into_inner(), 1);
    let threads = record.threads.into_inner().unwrap();
    assert_eq!(threads, HashSet::from([std::thread::current().id()]));
    assert!(!pool.start.is_completed(), "no worker was needed");
}

#[test]
fn workers_take_part_awake_or_asleep() {
    let pool = pool(3);
    for pause in [Duration::ZERO, Duration::from_millis(20)] {
        std::thread::sleep(pause);
        let record = Record { nap: Duration::from_millis(2), ..Record::new(24) };
        run(&pool, &record);
        assert!(record.ran_once());
        assert_eq!(record.threads.into_inner().unwrap().len(), 3);
    }
}

#[test]
fn more_launches_than_slots_run_at_once() {
    let pool = pool(3);
    std::thread::scope(|scope| {
        for _ in 0..2 * SLOTS {
            scope.spawn(|| {
                for groups in 1..300 {
                    let record = Record::new(groups);
                    run(&pool, &record);
                    assert!(record.ran_once());
                }
            });
        }
    });
}

#[test]
fn a_launch_that_takes_long_holds_up_no_other() {
    let pool = pool(2);
    let (slow, quick) = (Record { nap: Duration::from_millis(5), ..Record::new(40) }, Record::new(40));
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| run(&pool, &slow));
        run(&pool, &quick);
        assert!(quick.ran_once() && !slow.is_finished());
    });
    assert!(slow.ran_once());
}

#[test]
fn workers_leave_with_the_pool() {
    let pool = pool(4);
    run(&pool, &Record::new(1000));
    let shared = Arc::downgrade(&pool.shared);
    drop(pool);
    for _ in 0..2000 {
        if shared.strong_count() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{} workers still there", shared.strong_count());
}
