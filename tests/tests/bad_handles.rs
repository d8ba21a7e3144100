//! A handle that names nothing alive is an error that says what it was, and nothing else happens.

use oarlock::{DeviceKey, Error, EventKey, ProgramKey, QueueKey, Runtime, SymbolKey};
use oarlock_tests::{Rig, kernels};

#[test]
fn destroying_twice_is_an_error_that_changes_nothing() {
    let rig = Rig::new();
    let (first, second) = (rig.program(&kernels::mark(1)), rig.program(&kernels::mark(2)));
    rig.runtime.destroy_program(first).unwrap();
    let before = rig.runtime.stats();
    let again = rig.runtime.destroy_program(first).unwrap_err();
    let Error::StaleHandle { kind: "program", handle, .. } = again else { panic!("{again}") };
    assert_eq!(handle, rig.runtime.word(first));
    assert!(again.to_string().contains("has been destroyed"), "{again}");
    assert_eq!(rig.runtime.stats(), before);
    assert!(rig.runtime.kernel(second, "mark").is_ok());

    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let event = rig.runtime.record(queue).unwrap();
    rig.runtime.destroy_queue(queue).unwrap();
    rig.runtime.destroy_event(event).unwrap();
    assert!(matches!(rig.runtime.destroy_queue(queue), Err(Error::StaleHandle { kind: "queue", .. })));
    assert!(matches!(rig.runtime.destroy_event(event), Err(Error::StaleHandle { kind: "event", .. })));
}

#[test]
fn every_call_refuses_a_stale_handle() {
    let rig = Rig::new();
    let rt = &rig.runtime;
    let program = rig.program(&kernels::mark(1));
    let kernel = rt.kernel(program, "mark").unwrap();
    let queue = rt.create_queue(rig.device).unwrap();
    let event = rt.record(queue).unwrap();
    let out = rig.zeros(1);
    rt.destroy_program(program).unwrap();
    rt.destroy_event(event).unwrap();
    let live = rt.create_queue(rig.device).unwrap();
    assert!(is_stale(rt.wait_for(live, event)));
    rt.destroy_queue(queue).unwrap();
    // New objects, which may lie where the old ones lay.
    let _new = (rig.program(&kernels::mark(2)), rt.create_queue(rig.device).unwrap());

    assert!(is_stale(rt.kernel(program, "mark")));
    assert!(is_stale(rt.global(program, "mark")));
    assert!(is_stale(rt.kernels(program)));
    assert!(is_stale(rt.program_image(program)));
    assert!(is_stale(rt.program_source(program)));
    assert!(is_stale(rt.program_device(program)));
    assert!(is_stale(rt.symbol_info(kernel)));
    assert!(is_stale(rig.launch(None, kernel, (&[1], &[1]), &[out.into()])));
    assert!(is_stale(rig.launch(live, kernel, (&[1], &[1]), &[out.into()])));
    assert!(is_stale(rt.sync(queue)));
    assert!(is_stale(rt.is_idle(queue)));
    assert!(is_stale(rt.copy(queue, out, out, 1)));
    assert!(is_stale(rt.fill(queue, out, &[0], 1)));
    assert!(is_stale(rt.host_function(queue, || unreachable!("refused"))));
    assert!(is_stale(rt.wait_for(queue, event)));
    assert!(is_stale(rt.record(queue)));
    assert!(is_stale(rt.is_complete(event)));
    assert!(is_stale(rt.wait(event)));
    assert!(is_stale(rt.wait_timeout(event, std::time::Duration::ZERO)));
    assert!(is_stale(rt.completed_at(event)));
    assert_eq!(rig.ints(out, 1), [0]);
}

fn is_stale<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::StaleHandle { .. }))
}

#[test]
fn the_null_handle_is_none_of_any_kind() {
    let rig = Rig::new();
    let rt = &rig.runtime;
    let null = |result: Result<(), Error>, expected| {
        assert_eq!(result.unwrap_err(), Error::NullHandle { kind: expected });
    };
    null(rt.destroy_program(ProgramKey::default()), "program");
    null(rt.destroy_queue(QueueKey::default()), "queue");
    null(rt.destroy_event(EventKey::default()), "event");
    null(rt.symbol_info(SymbolKey::default()).map(drop), "symbol");
    null(rt.device_facts(DeviceKey::default()).map(drop), "device");
    null(rt.key::<ProgramKey>(0).map(drop), "program");
}

#[test]
fn a_word_of_one_kind_is_no_handle_of_another() {
    let rig = Rig::new();
    let rt = &rig.runtime;
    let program = rig.program(&kernels::mark(1));
    let kernel = rt.kernel(program, "mark").unwrap();
    let queue = rt.create_queue(rig.device).unwrap();
    let event = rt.record(queue).unwrap();
    let words = [rt.word(rig.device), rt.word(program), rt.word(kernel), rt.word(queue), rt.word(event)];
    for (kind, &word) in words.iter().enumerate() {
        let right = [
            rt.key::<DeviceKey>(word).map(drop),
            rt.key::<ProgramKey>(word).map(drop),
            rt.key::<SymbolKey>(word).map(drop),
            rt.key::<QueueKey>(word).map(drop),
            rt.key::<EventKey>(word).map(drop),
        ];
        for (asked, result) in right.into_iter().enumerate() {
            match result {
                Ok(()) => assert_eq!(asked, kind),
                Err(Error::WrongKind { .. }) => assert_ne!(asked, kind),
                Err(other) => panic!("{other}"),
            }
        }
    }
    let error = rt.key::<ProgramKey>(words[2]).unwrap_err().to_string();
    assert!(error.contains("not a program") && error.contains("symbol"), "{error}");
}

#[test]
fn addresses_and_noise_are_no_handles() {
    let rig = Rig::new();
    let program = rig.program(&kernels::mark(1));
    let word = rig.runtime.word(program);
    let on_the_heap = Box::new(0u64);
    let noise = [1, 2, 8, u64::MAX, u64::MAX - 1, &raw const *on_the_heap as u64, 0x7FFF_FFFF_F000];
    let flipped = (0..64).map(|bit| word ^ (1 << bit));
    for word in noise.into_iter().chain(flipped) {
        let named = rig.runtime.key::<ProgramKey>(word).and_then(|key| rig.runtime.program_image(key));
        assert!(named.is_err(), "{word:#x} names a program");
    }
    assert_eq!(rig.runtime.key::<ProgramKey>(word).unwrap(), program);
}

#[test]
fn handles_of_another_runtime_are_foreign() {
    let (ours, theirs) = (Rig::new(), Rig::new());
    let program = theirs.program(&kernels::mark(1));
    let kernel = theirs.runtime.kernel(program, "mark").unwrap();
    let queue = theirs.runtime.create_queue(theirs.device).unwrap();
    let event = theirs.runtime.record(queue).unwrap();
    // The same slots in our own tables are taken, too.
    let own = ours.program(&kernels::mark(2));
    ours.runtime.kernel(own, "mark").unwrap();
    ours.runtime.create_queue(ours.device).unwrap();

    let rt = &ours.runtime;
    assert!(is_foreign(rt.device_facts(theirs.device)));
    assert!(is_foreign(rt.kernel(program, "mark")));
    assert!(is_foreign(rt.destroy_program(program)));
    assert!(is_foreign(rt.symbol_info(kernel)));
    assert!(is_foreign(ours.launch(None, kernel, (&[1], &[1]), &[])));
    assert!(is_foreign(rt.sync(queue)));
    assert!(is_foreign(rt.wait(event)));
    assert!(is_foreign(rt.key::<ProgramKey>(theirs.runtime.word(program))));
    assert!(theirs.runtime.kernel(program, "mark").is_ok());
}

fn is_foreign<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::ForeignHandle { .. }))
}

#[test]
fn handles_of_a_runtime_that_is_gone_name_nothing_in_the_next() {
    let mut gone: Vec<(ProgramKey, u64)> = Vec::new();
    // More runtimes, one after another, than there can be at one time.
    for round in 0..200 {
        let runtime = Runtime::builder().threads(std::num::NonZeroUsize::MIN).build().unwrap();
        for &(key, word) in &gone {
            assert!(runtime.program_image(key).is_err(), "round {round}");
            assert!(runtime.key::<ProgramKey>(word).and_then(|k| runtime.program_image(k)).is_err());
        }
        let device = runtime.devices()[0];
        // SAFETY: the program has no constructors.
        let program = unsafe { runtime.create_program(device, kernels::mark(1).as_bytes()) }.unwrap();
        gone.push((program, runtime.word(program)));
    }
}
