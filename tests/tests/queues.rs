//! Queues run their work in order, side by side with other queues and with the host.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use oarlock::{Arg, DeviceError, Error, MemoryError, MemoryKind};
use oarlock_tests::{Rig, kernels};

/// A function that waits until the gate is opened.
fn gate() -> (Arc<AtomicBool>, impl FnOnce() + Send) {
    let open = Arc::new(AtomicBool::new(false));
    let seen = open.clone();
    let wait = move || {
        while !seen.load(SeqCst) {
            thread::yield_now();
        }
    };
    (open, wait)
}

#[test]
fn launches_run_in_the_order_of_their_calls() {
    let rig = Rig::new();
    let step = rig.kernel(kernels::SPIN, "step");
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let cell = rig.zeros(1);
    for from in 0..500 {
        rig.launch(queue, step, (&[1], &[1]), &[cell.into(), Arg::from(from)]).unwrap();
    }
    rig.runtime.sync(queue).unwrap();
    assert_eq!(rig.ints(cell, 1), [500]);
    // A second sync has nothing to wait for, and returns.
    rig.runtime.sync(queue).unwrap();
    assert!(rig.runtime.is_idle(queue).unwrap());
}

#[test]
fn launches_fills_copies_and_host_functions_keep_one_order() {
    let rig = Rig::new();
    let spin = rig.kernel(kernels::SPIN, "spin");
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let (a, b) = (rig.zeros(8), rig.zeros(8));
    let seen = Arc::new(Mutex::new(Vec::new()));
    for round in 0..20i32 {
        rig.runtime.fill(queue, a, &round.to_ne_bytes(), 32).unwrap();
        rig.launch(queue, spin, (&[4], &[4]), &[a.into(), Arg::from(100i64)]).unwrap();
        rig.runtime.copy(queue, b, a, 32).unwrap();
        let (runtime, device, seen) = (rig.runtime.clone(), rig.device, seen.clone());
        rig.runtime
            .host_function(queue, move || {
                seen.lock().unwrap().push(runtime.read_vec::<i32>(device, b, 2).unwrap());
            })
            .unwrap();
    }
    rig.runtime.sync(queue).unwrap();
    let expected: Vec<_> = (0..20).map(|round| vec![round + 16, round]).collect();
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[test]
fn calls_return_before_the_work_is_done() {
    let rig = Rig::new();
    let spin = rig.kernel(kernels::SPIN, "spin");
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let counter = rig.zeros(1);
    let (open, wait) = gate();
    rig.runtime.host_function(queue, wait).unwrap();
    for _ in 0..100 {
        rig.launch(queue, spin, (&[2], &[1]), &[counter.into(), Arg::from(10i64)]).unwrap();
    }
    let event = rig.runtime.record(queue).unwrap();
    assert!(!rig.runtime.is_idle(queue).unwrap());
    assert!(!rig.runtime.is_complete(event).unwrap());
    assert_eq!(rig.ints(counter, 1), [0]);
    open.store(true, SeqCst);
    rig.runtime.wait(event).unwrap();
    assert_eq!(rig.ints(counter, 1), [200]);
}

#[test]
fn a_queue_waits_for_an_event_of_another() {
    let rig = Rig::new();
    let step = rig.kernel(kernels::SPIN, "step");
    let queues: Vec<_> = (0..4).map(|_| rig.runtime.create_queue(rig.device).unwrap()).collect();
    let cell = rig.zeros(1);
    // One step on each queue in turn: only the events keep the order.
    for from in 0..100 {
        let queue = queues[from as usize % 4];
        rig.launch(queue, step, (&[1], &[1]), &[cell.into(), Arg::from(from)]).unwrap();
        let event = rig.runtime.record(queue).unwrap();
        rig.runtime.wait_for(queues[(from as usize + 1) % 4], event).unwrap();
        rig.runtime.destroy_event(event).unwrap();
    }
    for queue in queues {
        rig.runtime.sync(queue).unwrap();
    }
    assert_eq!(rig.ints(cell, 1), [100]);
}

#[test]
fn a_queue_that_is_held_up_does_not_hold_up_others() {
    let rig = Rig::new();
    let mark = rig.kernel(&kernels::mark(3), "mark");
    let [held, free] = [(); 2].map(|()| rig.runtime.create_queue(rig.device).unwrap());
    let out = rig.zeros(1);
    let (open, wait) = gate();
    rig.runtime.host_function(held, wait).unwrap();
    rig.launch(free, mark, (&[1], &[1]), &[out.into()]).unwrap();
    rig.runtime.sync(free).unwrap();
    assert_eq!(rig.ints(out, 1), [3]);
    // Nor the synchronous launch.
    rig.run(mark, (&[64], &[1]), &[out.into()]);
    open.store(true, SeqCst);
    rig.runtime.sync(held).unwrap();
}

#[test]
fn a_panic_in_a_host_function_is_told_once_and_the_queue_goes_on() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let ran = Arc::new(AtomicUsize::new(0));
    let after = ran.clone();
    // No message on the test's own output.
    rig.runtime.host_function(queue, || std::panic::resume_unwind(Box::new("lost an oar"))).unwrap();
    rig.runtime
        .host_function(queue, move || {
            after.fetch_add(1, SeqCst);
        })
        .unwrap();
    let error = rig.runtime.sync(queue).unwrap_err();
    let Error::Device(DeviceError::HostFunctionPanicked { message }) = &error else { panic!("{error}") };
    assert_eq!(message, "lost an oar");
    rig.runtime.sync(queue).unwrap();
    assert_eq!(ran.load(SeqCst), 1);
}

#[test]
fn copies_and_fills_are_checked_at_the_call() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let memory = rig.data(&[1, 2, 3, 4]);
    let refused = |result: Result<(), Error>| match result {
        Err(Error::Device(DeviceError::Memory(error))) => error,
        other => panic!("{other:?}"),
    };
    let wild = oarlock::DevicePtr(0x10);
    assert!(matches!(refused(rig.runtime.copy(queue, memory, wild, 4)), MemoryError::NotAllocated { .. }));
    assert!(matches!(
        refused(rig.runtime.copy(queue, memory.offset(4), memory, 16)),
        MemoryError::OutOfRange { .. }
    ));
    assert!(matches!(
        refused(rig.runtime.fill(queue, memory, &[1, 2, 3], 16)),
        MemoryError::FillPattern { .. }
    ));
    assert!(matches!(refused(rig.runtime.fill(queue, memory, &[], 16)), MemoryError::FillPattern { .. }));
    assert!(matches!(refused(rig.runtime.fill(queue, memory, &[1], 17)), MemoryError::OutOfRange { .. }));
    // Ranges that overlap are copied as a whole.
    rig.runtime.copy(queue, memory.offset(4), memory, 12).unwrap();
    rig.runtime.sync(queue).unwrap();
    assert_eq!(rig.ints(memory, 4), [1, 1, 2, 3]);
}

#[test]
fn many_threads_use_one_queue_and_one_kernel() {
    let rig = Rig::new();
    let spin = rig.kernel(kernels::SPIN, "spin");
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let counter = rig.zeros(1);
    thread::scope(|s| {
        for n in 0..8 {
            let rig = &rig;
            s.spawn(move || {
                let queue = (n % 2 == 0).then_some(queue);
                for _ in 0..50 {
                    rig.launch(queue, spin, (&[2], &[4]), &[counter.into(), Arg::from(1i64)]).unwrap();
                }
            });
        }
    });
    rig.runtime.sync(queue).unwrap();
    assert_eq!(rig.ints(counter, 1), [8 * 50 * 8]);
}

#[test]
fn events_tell_when() {
    let rig = Rig::new();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let first = rig.runtime.record(queue).unwrap();
    rig.runtime.host_function(queue, || thread::sleep(Duration::from_millis(30))).unwrap();
    let second = rig.runtime.record(queue).unwrap();
    assert!(rig.runtime.wait_timeout(second, Duration::from_secs(20)).unwrap());
    let at = |event| rig.runtime.completed_at(event).unwrap().expect("it has completed");
    assert!(at(second) - at(first) >= Duration::from_millis(30));
    // An event of an idle queue has completed as soon as it is there.
    rig.runtime.sync(queue).unwrap();
    let third = rig.runtime.record(queue).unwrap();
    rig.runtime.wait(third).unwrap();
    assert!(rig.runtime.alloc(rig.device, MemoryKind::Host, 1).is_ok());
}
