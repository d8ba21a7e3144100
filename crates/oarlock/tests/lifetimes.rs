//! What lives how long, shown on a device that runs nothing. No compiler takes part.

mod fake;

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

use oarlock::{Arg, Error, LaunchShape, ProgramKey, Runtime, SymbolKey, SymbolKind};

fn create(runtime: &Runtime) -> ProgramKey {
    // SAFETY: the fake device runs nothing.
    unsafe { runtime.create_program_from_image(runtime.devices()[0], fake::image()) }.unwrap()
}

fn one() -> LaunchShape {
    LaunchShape::new(&[1], &[1]).unwrap()
}

fn launch(
    runtime: &Runtime,
    queue: impl Into<Option<oarlock::QueueKey>>,
    kernel: SymbolKey,
) -> Result<(), Error> {
    // SAFETY: the fake device runs nothing.
    unsafe { runtime.launch(queue, kernel, &one(), &[Arg::from(1i32)]) }
}

#[test]
fn destroying_an_idle_program_unloads_it_before_the_call_returns() {
    let (runtime, log) = fake::runtime(1);
    let program = create(&runtime);
    let kernel = runtime.kernel(program, "run").unwrap();
    launch(&runtime, None, kernel).unwrap();
    assert_eq!((log.loaded.load(SeqCst), runtime.stats().loaded_bytes), (1, 4096));
    runtime.destroy_program(program).unwrap();
    assert_eq!((log.loaded.load(SeqCst), runtime.stats().loaded_bytes), (0, 0));
}

#[test]
fn a_launch_in_flight_keeps_the_code_and_not_the_handles() {
    let (runtime, log) = fake::runtime(1);
    let program = create(&runtime);
    let kernel = runtime.kernel(program, "run").unwrap();
    let queue = runtime.create_queue(runtime.devices()[0]).unwrap();
    launch(&runtime, queue, kernel).unwrap();
    runtime.destroy_program(program).unwrap();
    assert_eq!(log.loaded.load(SeqCst), 1, "in flight");
    assert!(matches!(launch(&runtime, queue, kernel), Err(Error::StaleHandle { kind: "symbol", .. })));
    assert!(matches!(runtime.symbol_info(kernel), Err(Error::StaleHandle { .. })));
    runtime.destroy_queue(queue).unwrap();
    assert_eq!(log.loaded.load(SeqCst), 1, "destroying a queue does not end its work");
    log.finish();
    assert_eq!(log.loaded.load(SeqCst), 0);
}

#[test]
fn all_symbols_go_stale_with_their_program_and_no_others() {
    let (runtime, _log) = fake::runtime(1);
    let (a, b) = (create(&runtime), create(&runtime));
    let symbols = |p| {
        let kernels = ["run", "other"].map(|name| runtime.kernel(p, name).unwrap());
        [kernels[0], kernels[1], runtime.global(p, "counter").unwrap()]
    };
    let (of_a, of_b) = (symbols(a), symbols(b));
    assert_eq!(runtime.stats().symbols, 6);
    runtime.destroy_program(a).unwrap();
    assert_eq!(runtime.stats().symbols, 3);
    for symbol in of_a {
        assert!(matches!(runtime.symbol_info(symbol), Err(Error::StaleHandle { kind: "symbol", .. })));
    }
    for symbol in of_b {
        assert_eq!(runtime.symbol_info(symbol).unwrap().program, b);
    }
    // The next program gets its own, also where the table's slots are used again.
    let c = create(&runtime);
    for symbol in symbols(c) {
        assert!(!of_a.contains(&symbol));
    }
    assert!(matches!(runtime.kernel(a, "run"), Err(Error::StaleHandle { kind: "program", .. })));
}

#[test]
fn a_name_has_one_handle_and_one_kind() {
    let (runtime, _log) = fake::runtime(1);
    let program = create(&runtime);
    let run = runtime.kernel(program, "run").unwrap();
    assert_eq!(runtime.kernel(program, "run").unwrap(), run);
    assert_ne!(runtime.kernel(program, "other").unwrap(), run);
    for _ in 0..2 {
        let wrong =
            Error::SymbolKind { name: "run".into(), expected: SymbolKind::Global, found: SymbolKind::Kernel };
        assert_eq!(runtime.global(program, "run").unwrap_err(), wrong);
        assert!(matches!(runtime.kernel(program, "counter"), Err(Error::SymbolKind { .. })));
    }
    let counter = runtime.global(program, "counter").unwrap();
    assert!(matches!(launch(&runtime, None, counter), Err(Error::SymbolKind { .. })));
    assert_eq!(runtime.stats().symbols, 3, "two kernels and a global");
}

#[test]
fn a_missing_name_is_answered_with_those_that_there_are() {
    let (runtime, _log) = fake::runtime(1);
    let program = create(&runtime);
    let message = |name: &str| runtime.kernel(program, name).unwrap_err().to_string();
    assert_eq!(message("runn"), "the program has no kernel `runn`; did you mean `run`?");
    assert_eq!(message("start"), "the program has no kernel `start`; it has `run`, `other`");
    assert_eq!(runtime.stats().symbols, 0);
}

#[test]
fn a_load_that_fails_leaves_nothing() {
    let (runtime, log) = fake::runtime(1);
    let before = runtime.stats();
    log.refuse.store(true, SeqCst);
    // SAFETY: the fake device runs nothing.
    let refused = unsafe { runtime.create_program_from_image(runtime.devices()[0], fake::image()) };
    assert!(matches!(refused, Err(Error::Device(oarlock::DeviceError::Load { .. }))));
    assert_eq!(runtime.stats(), before);
}

#[test]
fn constructors_may_use_the_runtime() {
    let (runtime, log) = fake::runtime(1);
    let first = create(&runtime);
    let inner = runtime.clone();
    let done = std::sync::Mutex::new(false);
    *log.on_load.lock().unwrap() = Some(Box::new(move || {
        if !std::mem::replace(&mut *done.lock().unwrap(), true) {
            let kernel = inner.kernel(first, "run").unwrap();
            launch(&inner, None, kernel).unwrap();
            inner.destroy_program(first).unwrap();
        }
    }));
    let second = create(&runtime);
    *log.on_load.lock().unwrap() = None;
    assert!(runtime.program_image(first).is_err());
    assert!(runtime.program_image(second).is_ok());
}

#[test]
fn objects_of_two_devices_do_not_mix() {
    let (runtime, _log) = fake::runtime(2);
    let [first, second] = runtime.devices()[..] else { panic!("two devices") };
    let program = create(&runtime);
    let kernel = runtime.kernel(program, "run").unwrap();
    let (here, there) = (runtime.create_queue(first).unwrap(), runtime.create_queue(second).unwrap());
    launch(&runtime, here, kernel).unwrap();
    let refused = launch(&runtime, there, kernel);
    assert!(matches!(refused, Err(Error::WrongDevice { what: "kernel", .. })));
    let event = runtime.record(there).unwrap();
    assert!(matches!(runtime.wait_for(here, event), Err(Error::WrongDevice { what: "event", .. })));
    assert_eq!(runtime.program_device(program).unwrap(), first);
    assert_eq!(runtime.queue_device(there).unwrap(), second);
}

#[test]
fn the_last_owner_takes_everything_along() {
    let (runtime, log) = fake::runtime(1);
    let other_owner = runtime.clone();
    let programs: Vec<_> = (0..10).map(|_| create(&runtime)).collect();
    drop(runtime);
    assert_eq!(log.loaded.load(SeqCst), 10);
    other_owner.destroy_program(programs[3]).unwrap();
    drop(other_owner);
    assert_eq!(log.loaded.load(SeqCst), 0);
    assert_eq!(std::sync::Arc::strong_count(&log), 1, "the device is gone too");
}

#[test]
fn launches_race_with_destroys_and_every_module_is_unloaded_once() {
    let (runtime, log) = fake::runtime(1);
    let stop = AtomicBool::new(false);
    let current = std::sync::Mutex::new(None);
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while !stop.load(SeqCst) {
                    let Some(kernel) = *current.lock().unwrap() else { continue };
                    match launch(&runtime, None, kernel) {
                        Ok(()) | Err(Error::StaleHandle { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
        for _ in 0..2000 {
            let program = create(&runtime);
            *current.lock().unwrap() = Some(runtime.kernel(program, "run").unwrap());
            runtime.destroy_program(program).unwrap();
        }
        stop.store(true, SeqCst);
    });
    assert_eq!(log.loaded.load(SeqCst), 0);
    assert_eq!(runtime.stats().programs + runtime.stats().symbols, 0);
}

/// Through the runtime's real create and destroy; only the loading is a fake.
#[test]
fn a_million_programs_have_a_million_names() {
    let (runtime, log) = fake::runtime(1);
    let (device, image) = (runtime.devices()[0], fake::image());
    let mut words = Vec::with_capacity(1_000_000);
    for _ in 0..1_000_000 {
        // SAFETY: the fake device runs nothing.
        let program = unsafe { runtime.create_program_from_image(device, image.clone()) }.unwrap();
        words.push(runtime.word(program));
        runtime.destroy_program(program).unwrap();
    }
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 1_000_000);
    assert_eq!(log.loaded.load(SeqCst), 0);
}

#[test]
fn of_many_destroyers_one_wins() {
    let (runtime, log) = fake::runtime(1);
    for _ in 0..200 {
        let program = create(&runtime);
        let wins: usize = thread::scope(|s| {
            let threads: Vec<_> =
                (0..4).map(|_| s.spawn(|| usize::from(runtime.destroy_program(program).is_ok()))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(wins, 1);
    }
    assert_eq!(log.loaded.load(SeqCst), 0);
}

#[test]
fn a_wild_count_is_refused_before_memory_is_taken() {
    let (runtime, _log) = fake::runtime(1);
    let device = runtime.devices()[0];
    let ptr = runtime.alloc_slice(device, oarlock::MemoryKind::Device, &[1u64, 2, 3]).unwrap();
    assert_eq!(runtime.read_vec::<u64>(device, ptr, 3).unwrap(), [1, 2, 3]);
    assert_eq!(runtime.read_vec::<u64>(device, ptr.offset(8), 2).unwrap(), [2, 3]);
    assert_eq!(runtime.read_vec::<u64>(device, ptr, 0).unwrap(), []);
    for count in [4, 1 << 40, usize::MAX / 8, usize::MAX] {
        assert!(runtime.read_vec::<u64>(device, ptr, count).is_err(), "{count}");
        assert!(runtime.read_vec::<u64>(device, oarlock::DevicePtr(8), count).is_err(), "{count}");
    }
    runtime.free(device, ptr).unwrap();
    assert!(runtime.free(device, ptr).is_err());
}
