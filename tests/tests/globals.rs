//! Every program has globals of its own; constructors and destructors run once, in order.

use oarlock::{Arg, DevicePtr, Error, MemoryError, ProgramKey, SymbolDetails};
use oarlock_tests::{Rig, kernels};

fn global(rig: &Rig, program: ProgramKey, name: &str) -> (DevicePtr, oarlock::image::Global) {
    let symbol = rig.runtime.global(program, name).unwrap();
    match rig.runtime.symbol_info(symbol).unwrap().details {
        SymbolDetails::Global { ptr, global } => (ptr, global),
        other => panic!("{other:?}"),
    }
}

fn counter(rig: &Rig, program: ProgramKey) -> i32 {
    let out = rig.zeros(1);
    let read = rig.runtime.kernel(program, "read_counter").unwrap();
    rig.run(read, (&[1], &[1]), &[out.into()]);
    rig.ints(out, 1)[0]
}

#[test]
fn equal_programs_have_globals_of_their_own() {
    let rig = Rig::new();
    let programs: Vec<_> = (0..4).map(|_| rig.program(kernels::LIFECYCLE)).collect();
    for (n, &program) in programs.iter().enumerate() {
        let add = rig.runtime.kernel(program, "add").unwrap();
        rig.run(add, (&[1], &[1]), &[Arg::from(n as i32 * 10)]);
    }
    for (n, &program) in programs.iter().enumerate() {
        assert_eq!(counter(&rig, program), 5 + n as i32 * 10);
        let (ptr, facts) = global(&rig, program, "counter");
        assert_eq!((facts.size, facts.constant), (4, false));
        assert_eq!(rig.ints(ptr, 1), [5 + n as i32 * 10]);
    }
    // The next program starts from the initial values.
    for program in programs {
        rig.runtime.destroy_program(program).unwrap();
    }
    assert_eq!(counter(&rig, rig.program(kernels::LIFECYCLE)), 5);
}

#[test]
fn the_host_reads_and_writes_globals() {
    let rig = Rig::new();
    let program = rig.program(kernels::LIFECYCLE);
    let (ptr, _) = global(&rig, program, "counter");
    rig.runtime.write_slice(rig.device, ptr, &[41]).unwrap();
    assert_eq!(counter(&rig, program), 41);
    let (zeros, facts) = global(&rig, program, "uninitialised");
    assert_eq!(facts.size, 64);
    assert_eq!(rig.ints(zeros, 16), [0; 16]);
    assert!(rig.runtime.read_vec::<i32>(rig.device, zeros, 1 << 40).is_err());
    assert!(rig.runtime.write(rig.device, ptr, &[0; 1 << 20]).is_err());
}

#[test]
fn a_constant_is_read_and_not_written() {
    let rig = Rig::new();
    let program = rig.program(kernels::LIFECYCLE);
    let (table, facts) = global(&rig, program, "table");
    assert!(facts.constant);
    assert_eq!(rig.ints(table, 4), [1, 2, 3, 4]);
    let refused = rig.runtime.write_slice(rig.device, table, &[9]).unwrap_err();
    assert!(
        matches!(refused, Error::Device(oarlock::DeviceError::Memory(MemoryError::ReadOnly { .. }))),
        "{refused}"
    );
}

#[test]
fn a_global_goes_with_its_program() {
    let rig = Rig::new();
    let program = rig.program(kernels::LIFECYCLE);
    let (ptr, _) = global(&rig, program, "counter");
    rig.runtime.destroy_program(program).unwrap();
    assert!(rig.runtime.read_vec::<i32>(rig.device, ptr, 1).is_err());
    assert!(rig.runtime.write_slice(rig.device, ptr, &[1]).is_err());
}

#[test]
fn constructors_run_at_load_by_priority() {
    let rig = Rig::new();
    for _ in 0..3 {
        let program = rig.program(kernels::LIFECYCLE);
        assert_eq!(rig.ints(global(&rig, program, "built").0, 1), [4]);
        assert_eq!(rig.ints(global(&rig, program, "order").0, 5), [1, 2, 3, 4, 0]);
    }
}

#[test]
fn destructors_run_at_unload_in_the_reverse_order() {
    let rig = Rig::new();
    let log = rig.zeros(8);
    let program = rig.program(kernels::LIFECYCLE);
    let watch = rig.runtime.kernel(program, "watch").unwrap();
    rig.run(watch, (&[1], &[1]), &[log.into()]);
    assert_eq!(rig.ints(log, 1), [0]);
    rig.runtime.destroy_program(program).unwrap();
    assert_eq!(rig.ints(log, 5), [3, 4, 2, 1, 0], "a count, then who ran");
}

#[test]
fn destructors_wait_for_the_launches_in_flight() {
    let rig = Rig::new();
    let log = rig.zeros(8);
    let program = rig.program(kernels::LIFECYCLE);
    let watch = rig.runtime.kernel(program, "watch").unwrap();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let (send, receive) = std::sync::mpsc::channel::<()>();
    rig.runtime.host_function(queue, move || receive.recv().unwrap()).unwrap();
    rig.launch(queue, watch, (&[1], &[1]), &[log.into()]).unwrap();
    rig.runtime.destroy_program(program).unwrap();
    assert_eq!(rig.ints(log, 1), [0]);
    send.send(()).unwrap();
    rig.runtime.sync(queue).unwrap();
    rig.runtime.destroy_queue(queue).unwrap();
    let start = std::time::Instant::now();
    while rig.ints(log, 1) != [3] {
        assert!(start.elapsed().as_secs() < 20, "the program was never unloaded");
        std::thread::yield_now();
    }
    assert_eq!(rig.ints(log, 4), [3, 4, 2, 1]);
}
