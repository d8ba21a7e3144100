//! Everything may be destroyed in any order, at any time, with work in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::time::{Duration, Instant};

use oarlock::{Arg, Error, LaunchShape, MemoryKind};
use oarlock_tests::{Rig, kernels};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Gone {
    Program,
    Queue,
    Event,
    Runtime,
}

/// All orders of `rest`, each behind `done`.
fn orders(done: &mut Vec<Gone>, rest: &[Gone], all: &mut Vec<Vec<Gone>>) {
    if rest.is_empty() {
        all.push(done.clone());
    }
    for &next in rest {
        done.push(next);
        let others: Vec<_> = rest.iter().copied().filter(|&g| g != next).collect();
        orders(done, &others, all);
        done.pop();
    }
}

#[test]
fn program_queue_event_and_runtime_in_all_24_orders() {
    let mut all = Vec::new();
    orders(&mut Vec::new(), &[Gone::Program, Gone::Queue, Gone::Event, Gone::Runtime], &mut all);
    assert_eq!(all.len(), 24);
    for order in all {
        destroy_in(&order);
    }
}

/// Destroys in `order` while a launch is in flight; what comes after the runtime is tried on the next one.
fn destroy_in(order: &[Gone]) {
    let rig = Rig::new();
    let program = rig.program(kernels::SPIN);
    let kernel = rig.runtime.kernel(program, "spin").unwrap();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    // Memory that the test itself owns, so that it outlives the runtime.
    let counter = Arc::new(AtomicI32::new(0));
    let address = oarlock::DevicePtr(counter.as_ptr() as u64);
    for _ in 0..20 {
        rig.launch(queue, kernel, (&[4], &[1]), &[address.into(), Arg::from(10_000i64)]).unwrap();
    }
    let event = rig.runtime.record(queue).unwrap();
    let mut rig = Some(rig);
    let next = Rig::new();
    for gone in order {
        match (gone, &rig) {
            (Gone::Runtime, _) => rig = None,
            (Gone::Program, Some(rig)) => {
                rig.runtime.destroy_program(program).unwrap();
                let used = rig.runtime.symbol_info(kernel);
                assert!(matches!(used, Err(Error::StaleHandle { kind: "symbol", .. })), "{order:?}");
            }
            (Gone::Queue, Some(rig)) => rig.runtime.destroy_queue(queue).unwrap(),
            (Gone::Event, Some(rig)) => rig.runtime.destroy_event(event).unwrap(),
            (Gone::Program, None) => assert!(next.runtime.destroy_program(program).is_err()),
            (Gone::Queue, None) => assert!(next.runtime.destroy_queue(queue).is_err()),
            (Gone::Event, None) => assert!(next.runtime.destroy_event(event).is_err()),
        }
    }
    // What was queued ran to its end, whoever has gone.
    let start = Instant::now();
    while counter.load(SeqCst) < 80 {
        assert!(start.elapsed() < Duration::from_secs(30), "{order:?}: {} of 80", counter.load(SeqCst));
        std::thread::yield_now();
    }
}

#[test]
fn a_program_destroyed_in_flight_finishes_and_is_then_unloaded() {
    let rig = Rig::new();
    let counter = rig.zeros(1);
    for _ in 0..50 {
        let program = rig.program(kernels::SPIN);
        let kernel = rig.runtime.kernel(program, "spin").unwrap();
        let queue = rig.runtime.create_queue(rig.device).unwrap();
        for _ in 0..10 {
            rig.launch(queue, kernel, (&[8], &[2]), &[counter.into(), Arg::from(1000i64)]).unwrap();
        }
        rig.runtime.destroy_program(program).unwrap();
        rig.runtime.sync(queue).unwrap();
        rig.runtime.destroy_queue(queue).unwrap();
    }
    assert_eq!(rig.ints(counter, 1), [50 * 10 * 16]);
}

#[test]
fn events_outlive_their_queue() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let gate = Arc::new(AtomicBool::new(false));
    let closed = gate.clone();
    rig.runtime
        .host_function(queue, move || {
            while !closed.load(SeqCst) {
                std::thread::yield_now();
            }
        })
        .unwrap();
    let event = rig.runtime.record(queue).unwrap();
    rig.runtime.destroy_queue(queue).unwrap();
    assert!(!rig.runtime.is_complete(event).unwrap());
    assert!(!rig.runtime.wait_timeout(event, Duration::from_millis(20)).unwrap());
    assert_eq!(rig.runtime.completed_at(event).unwrap(), None);
    gate.store(true, SeqCst);
    rig.runtime.wait(event).unwrap();
    assert!(rig.runtime.is_complete(event).unwrap());
    assert!(rig.runtime.completed_at(event).unwrap().is_some());
    // Also for a queue that comes later.
    let later = rig.runtime.create_queue(rig.device).unwrap();
    rig.runtime.wait_for(later, event).unwrap();
    rig.runtime.destroy_event(event).unwrap();
    rig.runtime.sync(later).unwrap();
}

#[test]
fn an_event_destroyed_while_another_queue_waits_for_it_still_comes() {
    let rig = Rig::new();
    let [first, second] = [(); 2].map(|()| rig.runtime.create_queue(rig.device).unwrap());
    let gate = Arc::new(AtomicBool::new(false));
    let passed = Arc::new(AtomicBool::new(false));
    let (closed, seen, opened) = (gate.clone(), passed.clone(), gate.clone());
    rig.runtime
        .host_function(first, move || {
            while !closed.load(SeqCst) {
                std::thread::yield_now();
            }
        })
        .unwrap();
    let event = rig.runtime.record(first).unwrap();
    rig.runtime.wait_for(second, event).unwrap();
    rig.runtime
        .host_function(second, move || {
            assert!(opened.load(SeqCst), "the queue did not wait");
            seen.store(true, SeqCst);
        })
        .unwrap();
    rig.runtime.destroy_event(event).unwrap();
    rig.runtime.destroy_queue(first).unwrap();
    gate.store(true, SeqCst);
    rig.runtime.sync(second).unwrap();
    assert!(passed.load(SeqCst));
}

#[test]
fn the_last_owner_of_a_runtime_may_be_a_host_function() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let gate = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicBool::new(false));
    let (closed, ended, owner) = (gate.clone(), done.clone(), rig.runtime.clone());
    rig.runtime
        .host_function(queue, move || {
            while !closed.load(SeqCst) {
                std::thread::yield_now();
            }
            drop(owner);
            ended.store(true, SeqCst);
        })
        .unwrap();
    drop(rig);
    gate.store(true, SeqCst);
    let start = Instant::now();
    while !done.load(SeqCst) {
        assert!(start.elapsed() < Duration::from_secs(20), "the runtime waits for its own thread");
        std::thread::yield_now();
    }
}

#[test]
fn host_functions_may_create_launch_and_destroy() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let out = rig.zeros(1);
    let (runtime, device) = (rig.runtime.clone(), rig.device);
    rig.runtime
        .host_function(queue, move || {
            // SAFETY: the program has no constructors.
            let program = unsafe { runtime.create_program(device, kernels::mark(9).as_bytes()) }.unwrap();
            let mark = runtime.kernel(program, "mark").unwrap();
            let shape = LaunchShape::new(&[1], &[1]).unwrap();
            // SAFETY: one item writes one `i32`, which lives until the queue has been synced.
            unsafe { runtime.launch(None, mark, &shape, &[out.into()]) }.unwrap();
            runtime.destroy_program(program).unwrap();
            let scratch = runtime.alloc(device, MemoryKind::Host, 64).unwrap();
            runtime.free(device, scratch).unwrap();
        })
        .unwrap();
    rig.runtime.sync(queue).unwrap();
    assert_eq!(rig.ints(out, 1), [9]);
}
