//! Queues, events, and what dies while they work.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use common::{ADD, FILL, MARK, device, image, launch, load, read_u32, read_u64};
use oarlock_device::{Arg, Device, DeviceError, DevicePtr, MemoryError, MemoryKind, Queue};

/// Holds a queue up until the sender is used or dropped.
fn gate(queue: &Arc<dyn Queue>) -> mpsc::Sender<()> {
    let (open, closed) = mpsc::channel::<()>();
    queue
        .host_function(Box::new(move || {
            let _ = closed.recv();
        }))
        .unwrap();
    open
}

#[test]
fn work_runs_in_order() {
    let Some(image) = image() else { return };
    let device = device(2);
    let module = load(&device, image);
    let queue = device.create_queue().unwrap();
    let memory = device.allocate(MemoryKind::Device, 4096 * 4, 64).unwrap();
    let seen = Arc::new(AtomicU32::new(0));
    for round in 1..=200u32 {
        let launch = launch(&module, FILL, 64, 64, &[memory.into(), Arg::from(round)]);
        // SAFETY: the kernel fills the allocation.
        unsafe { queue.launch(launch) }.unwrap();
        queue.copy(memory, memory.offset(8), 4).unwrap();
        queue.fill(memory.offset(4), &(round * 2).to_ne_bytes(), 4).unwrap();
        let (seen, address) = (seen.clone(), memory.0);
        queue
            .host_function(Box::new(move || {
                // SAFETY: the allocation lives until the sync below.
                let [a, b] = unsafe { *(address as *const [u32; 2]) };
                if (a, b) == (round, round * 2) {
                    seen.fetch_add(1, Ordering::Relaxed);
                }
            }))
            .unwrap();
    }
    queue.sync().unwrap();
    assert!(queue.is_idle());
    assert_eq!(seen.load(Ordering::Relaxed), 200);
    device.free(memory).unwrap();
}

#[test]
fn a_blocked_queue_blocks_nobody_else() {
    let device = device(2);
    let (a, b) = (device.create_queue().unwrap(), device.create_queue().unwrap());
    let open = gate(&a);
    let event = a.record().unwrap();
    assert!(!a.is_idle() && !event.is_complete() && event.completed_at().is_none());
    assert!(!event.wait_timeout(Duration::from_millis(5)));
    let ran = Arc::new(AtomicBool::new(false));
    let other = ran.clone();
    b.host_function(Box::new(move || other.store(true, Ordering::Relaxed))).unwrap();
    b.sync().unwrap();
    assert!(ran.load(Ordering::Relaxed));
    // b now waits for a.
    b.wait_for(&event).unwrap();
    let after = b.record().unwrap();
    assert!(!after.wait_timeout(Duration::from_millis(5)));
    open.send(()).unwrap();
    after.wait().unwrap();
    assert!(event.is_complete() && event.completed_at() <= after.completed_at());
    a.sync().unwrap();
}

#[test]
fn an_event_on_an_empty_queue_is_complete() {
    let device = device(1);
    let queue = device.create_queue().unwrap();
    let event = queue.record().unwrap();
    assert!(event.is_complete() && event.completed_at().is_some() && event.wait_timeout(Duration::ZERO));
    event.wait().unwrap();
    queue.sync().unwrap();
}

#[test]
fn a_panic_is_an_error_told_once() {
    let device = device(2);
    let queue = device.create_queue().unwrap();
    let panic = |text: &'static str| -> Box<dyn FnOnce() + Send> {
        Box::new(move || std::panic::resume_unwind(Box::new(text)))
    };
    queue.host_function(panic("first")).unwrap();
    queue.host_function(panic("second")).unwrap();
    let event = queue.record().unwrap();
    let error = Err(DeviceError::HostFunctionPanicked { message: "first".into() });
    assert_eq!(event.wait(), error);
    assert_eq!(event.wait(), error, "an event keeps its answer");
    assert_eq!(queue.sync(), error);
    assert_eq!(queue.sync(), Ok(()));
    assert_eq!(queue.record().unwrap().wait(), Ok(()));
}

#[test]
fn a_host_function_may_queue_and_sync_but_not_its_own_queue() {
    let device = device(2);
    let (own, other) = (device.create_queue().unwrap(), device.create_queue().unwrap());
    let (tell, told) = mpsc::channel();
    let (queue, neighbour) = (own.clone(), other.clone());
    own.host_function(Box::new(move || {
        neighbour.host_function(Box::new(|| ())).unwrap();
        tell.send((neighbour.sync(), queue.sync())).unwrap();
        queue.host_function(Box::new(move || tell.send((Ok(()), Ok(()))).unwrap())).unwrap();
    }))
    .unwrap();
    assert_eq!(told.recv().unwrap(), (Ok(()), Err(DeviceError::SyncInHostFunction)));
    assert_eq!(told.recv().unwrap(), (Ok(()), Ok(())), "queued from within");
    own.sync().unwrap();
}

#[test]
fn memory_freed_under_queued_work_is_an_error() {
    let device = device(2);
    let queue = device.create_queue().unwrap();
    let memory = device.allocate(MemoryKind::Device, 1 << 20, 64).unwrap();
    let open = gate(&queue);
    queue.fill(memory, &[1], 1 << 20).unwrap();
    queue.copy(memory, memory.offset(1 << 19), 1 << 19).unwrap();
    device.free(memory).unwrap();
    let refused = queue.copy(memory, memory, 4);
    assert_eq!(refused, Err(DeviceError::Memory(MemoryError::NotAllocated { ptr: memory })));
    open.send(()).unwrap();
    assert_eq!(queue.sync(), Err(DeviceError::Memory(MemoryError::NotAllocated { ptr: memory })));
    assert!(queue.fill(DevicePtr(0), &[1], 4).is_err());
    assert!(queue.sync().is_ok(), "what was refused at once is not told again");
}

#[test]
fn a_dropped_queue_finishes_its_work_and_a_dropped_module_its_launches() {
    let Some(image) = image() else { return };
    let device = device(2);
    let module = load(&device, image);
    let counter = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    device.write(counter, &[0; 8]).unwrap();
    let queue = device.create_queue().unwrap();
    let open = gate(&queue);
    for _ in 0..100 {
        // SAFETY: the kernel counts in an allocation that lives.
        unsafe { queue.launch(launch(&module, ADD, 10, 1, &[counter.into()])) }.unwrap();
    }
    let marker = module.global("marker").unwrap().0;
    let event = queue.record().unwrap();
    drop((queue, module));
    assert_eq!(read_u32(&device, marker), 0, "the module lives as long as its launches");
    open.send(()).unwrap();
    event.wait().unwrap();
    assert_eq!(read_u64(&device, counter), 1000);
    // The server lets go of the last launch before the event completes.
    assert!(device.read(marker, &mut [0; 4]).is_err());
    // A device may go while its queues work.
    let queue = device.create_queue().unwrap();
    let open = gate(&queue);
    let event = queue.record().unwrap();
    drop((queue, device));
    open.send(()).unwrap();
    event.wait().unwrap();
}

#[test]
fn twenty_threads_share_a_queue() {
    let Some(image) = image() else { return };
    let device = device(2);
    let module = load(&device, image);
    let queue = device.create_queue().unwrap();
    let counter = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    device.write(counter, &[0; 8]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                for n in 0..200 {
                    // SAFETY: the kernel counts in an allocation that lives.
                    unsafe { queue.launch(launch(&module, ADD, 1 + n % 3, 1, &[counter.into()])) }.unwrap();
                    match n % 50 {
                        10 => queue.sync().unwrap(),
                        20 => queue.record().unwrap().wait().unwrap(),
                        30 => queue.host_function(Box::new(|| ())).unwrap(),
                        _ => {}
                    }
                }
            });
        }
    });
    queue.sync().unwrap();
    let each: u64 = (0..200).map(|n| 1 + n % 3).sum();
    assert_eq!(read_u64(&device, counter), 20 * each);
}

#[test]
fn queues_wait_for_each_other_in_a_ring() {
    let device = device(2);
    let queues: Vec<_> = (0..8).map(|_| device.create_queue().unwrap()).collect();
    let steps = Arc::new(AtomicU32::new(0));
    for step in 0..400u32 {
        let queue = &queues[step as usize % 8];
        let steps = steps.clone();
        queue
            .host_function(Box::new(move || {
                // Only its own turn moves the count on.
                let _ = steps.compare_exchange(step, step + 1, Ordering::AcqRel, Ordering::Acquire);
            }))
            .unwrap();
        let event = queue.record().unwrap();
        queues[(step as usize + 1) % 8].wait_for(&event).unwrap();
    }
    for queue in &queues {
        queue.sync().unwrap();
    }
    assert_eq!(steps.load(Ordering::Relaxed), 400);
}

#[test]
fn create_launch_drop_leaves_nothing() {
    let Some(image) = image() else { return };
    let device = device(2);
    let image = Arc::new(image);
    let queue = device.create_queue().unwrap();
    for n in 0..2000u32 {
        // SAFETY: the image was compiled for this test.
        let module = unsafe { device.load(image.clone()) }.unwrap();
        // SAFETY: the kernel writes one variable.
        unsafe { queue.launch(launch(&module, MARK, 1, 1, &[Arg::from(n)])) }.unwrap();
        if n % 2 == 0 {
            queue.sync().unwrap();
            assert_eq!(read_u32(&device, module.global("marker").unwrap().0), n);
        }
    }
    queue.sync().unwrap();
}

#[test]
fn any_mixture_of_work_on_any_queue_is_done() {
    let Some(image) = image() else { return };
    let device = device(3);
    let module = load(&device, image);
    let counter = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    device.write(counter, &[0; 8]).unwrap();
    let calls = Arc::new(AtomicU32::new(0));
    let queues: Vec<_> = (0..3).map(|_| device.create_queue().unwrap()).collect();
    let work = |seed: u64| {
        let (mut state, mut own) = (seed, device.create_queue().unwrap());
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut groups, mut functions, mut last) = (0, 0, own.record().unwrap());
        for _ in 0..1500 {
            let queue = if random(2) == 0 { &own } else { &queues[random(3) as usize] };
            match random(16) {
                0..8 => {
                    let n = 1 + random(200);
                    let launch = launch(&module, ADD, n as u32, 1, &[counter.into()]);
                    // SAFETY: the kernel counts in an allocation that lives.
                    unsafe { queue.launch(launch) }.unwrap();
                    groups += n;
                }
                8..11 => {
                    let calls = calls.clone();
                    let count = move || {
                        calls.fetch_add(1, Ordering::Relaxed);
                    };
                    queue.host_function(Box::new(count)).unwrap();
                    functions += 1;
                }
                11 => last = queue.record().unwrap(),
                // Events are older than the work that waits for them: no circle can form.
                12 => queue.wait_for(&last).unwrap(),
                13 => last.wait().unwrap(),
                14 => queue.sync().unwrap(),
                _ => own = device.create_queue().unwrap(),
            }
        }
        (groups, functions)
    };
    let mut done = (0, 0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=6).map(|seed| scope.spawn(move || work(seed))).collect();
        for thread in threads {
            let (groups, functions) = thread.join().unwrap();
            done = (done.0 + groups, done.1 + functions);
        }
    });
    queues.iter().for_each(|queue| queue.sync().unwrap());
    // Queues that were dropped still finish.
    let end = std::time::Instant::now() + Duration::from_secs(10);
    while (read_u64(&device, counter), calls.load(Ordering::Relaxed)) != done {
        assert!(std::time::Instant::now() < end, "of {done:?}");
        std::thread::yield_now();
    }
}
