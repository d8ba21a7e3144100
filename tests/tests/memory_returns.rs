//! Ten thousand programs and a hundred thousand events later, the process is as large as it was.
//! One test, so that it has the process to itself.

use std::collections::HashSet;

use oarlock_tests::{Rig, kernels, process};

#[test]
fn memory_and_mappings_are_flat() {
    let rig = Rig::new();
    programs(&rig);
    queues_and_events(&rig);
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.symbols, stats.loaded_bytes), (0, 0, 0));
    assert_eq!((stats.queues, stats.events), (0, 0));
    assert_eq!((stats.cache.entries, stats.cache.bytes_live), (0, 0));
}

/// Creates, launches and destroys programs, each of them another one.
fn programs(rig: &Rig) {
    let out = rig.zeros(1);
    let mut words = HashSet::with_capacity(10_000);
    flat("programs", 10_000, 4 << 20, |n| {
        let program = rig.program(&kernels::mark(n));
        assert!(words.insert(rig.runtime.word(program)), "a handle was given out twice");
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [n]);
        if n == 0 {
            assert!(process::generated_code() > 0, "the measure sees no code, where there is some");
        }
        rig.runtime.destroy_program(program).unwrap();
    });
}

/// Creates queues, some work and events in them, and destroys all in the order that is least expected.
fn queues_and_events(rig: &Rig) {
    let mark = rig.kernel(&kernels::mark(1), "mark");
    let program = rig.runtime.symbol_info(mark).unwrap().program;
    let out = rig.zeros(1);
    flat("queues of 10 events", 10_000, 4 << 20, |_| {
        let queue = rig.runtime.create_queue(rig.device).unwrap();
        let mut last = None;
        for _ in 0..10 {
            rig.launch(queue, mark, (&[1], &[1]), &[out.into()]).unwrap();
            let event = rig.runtime.record(queue).unwrap();
            if let Some(last) = last.replace(event) {
                rig.runtime.destroy_event(last).unwrap();
            }
        }
        rig.runtime.destroy_queue(queue).unwrap();
        let last = last.unwrap();
        rig.runtime.wait(last).unwrap();
        rig.runtime.destroy_event(last).unwrap();
    });
    rig.runtime.destroy_program(program).unwrap();
}

/// Runs `round` so many times; after the first tenth, in which pools and tables fill up, resident memory
/// may grow by `slack` and executable mappings not at all.
#[expect(clippy::print_stdout, reason = "the figures are wanted in the test's log")]
fn flat(what: &str, rounds: i32, slack: u64, mut round: impl FnMut(i32)) {
    let mut start = (0, 0);
    for n in 0..rounds {
        if n == rounds / 10 {
            start = (process::resident(), process::generated_code());
        }
        round(n);
    }
    let end = (process::resident(), process::generated_code());
    let [a, b, c, d] = [start.0, start.1, end.0, end.1].map(|bytes| bytes >> 10);
    println!(
        "{rounds} {what}: {a} KiB resident and {b} KiB of code after a tenth, {c} and {d} KiB at the end"
    );
    assert!(end.0 < start.0 + slack, "resident memory grew from {} to {} bytes", start.0, end.0);
    assert_eq!(end.1, start.1, "executable mappings");
}
