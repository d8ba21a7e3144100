//! Thousands of programs, queues and events later, the process is as large as it was.
//! One test, so that it has the process to itself. `OARLOCK_TEST_FULL=1` does ten times as much and more: 10^4
//! compiles, 10^5 launches of 1,000 programs out of the cache, 10^5 events.

use std::collections::HashSet;

use oarlock::{OptLevel, Options, Runtime};
use oarlock_tests::{Rig, kernels, process};

/// What the cache may keep without an owner.
const BUDGET: u64 = 16 << 20;

#[test]
fn memory_and_mappings_are_flat() {
    // Hardly any optimising: it is not what is tested, and takes most of the time.
    let options = Options::default().with_opt_level(OptLevel::O0);
    let rig = Rig::of(Runtime::builder().options(options.clone()).build().unwrap());
    programs(&rig);
    queues_and_events(&rig);
    cached_programs(&Rig::of(Runtime::builder().options(options).cache_budget(BUDGET).build().unwrap()));
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.symbols, stats.loaded_bytes), (0, 0, 0));
    assert_eq!((stats.queues, stats.events), (0, 0));
    assert_eq!((stats.cache.entries, stats.cache.bytes_live), (0, 0));
}

/// Creates, launches and destroys programs, each of them another one.
fn programs(rig: &Rig) {
    let out = rig.zeros(1);
    let rounds = if full() { 10_000 } else { 1_500 };
    let mut words = HashSet::with_capacity(rounds);
    // Less than 1 KiB a program, so that a string lost in each compile is seen.
    let slack = if full() { 4 << 20 } else { 1 << 20 };
    flat("programs", rounds, slack, |n| {
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

/// Creates, launches and destroys programs that come round again, out of a cache with a budget.
fn cached_programs(rig: &Rig) {
    let out = rig.zeros(1);
    let (rounds, distinct) = if full() { (100_000, 1_000) } else { (10_000, 100) };
    flat("cached programs", rounds, 8 << 20, |n| {
        let n = n % distinct;
        let program = rig.program(&kernels::mark(n));
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [n]);
        rig.runtime.destroy_program(program).unwrap();
    });
    let cache = rig.runtime.stats().cache;
    assert_eq!((cache.compiles, cache.entries), (distinct as u64, 0));
    assert!(cache.bytes_live == cache.bytes_idle && cache.bytes_idle <= BUDGET, "{cache:?}");
}

/// Creates queues, some work and events in them, and destroys all in the order that is least expected.
fn queues_and_events(rig: &Rig) {
    let mark = rig.kernel(&kernels::mark(1), "mark");
    let program = rig.runtime.symbol_info(mark).unwrap().program;
    let out = rig.zeros(1);
    let rounds = if full() { 10_000 } else { 2_000 };
    flat("queues of 10 events", rounds, 4 << 20, |_| {
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

fn full() -> bool {
    std::env::var_os("OARLOCK_TEST_FULL").is_some()
}

/// Runs `round` so many times; after the first tenth, in which pools and tables fill up, resident memory
/// may grow by `slack` and executable mappings not at all.
#[expect(clippy::print_stdout, reason = "the figures are wanted in the test's log")]
fn flat(what: &str, rounds: usize, slack: u64, mut round: impl FnMut(i32)) {
    let mut start = (0, 0);
    for n in 0..rounds {
        if n == rounds / 10 {
            start = (process::resident(), process::generated_code());
        }
        round(n as i32);
    }
    let end = (process::resident(), process::generated_code());
    let [a, b, c, d] = [start.0, start.1, end.0, end.1].map(|bytes| bytes >> 10);
    println!(
        "{rounds} {what}: {a} KiB resident and {b} KiB of code after a tenth, {c} and {d} KiB at the end"
    );
    assert!(end.0 < start.0 + slack, "resident memory grew from {} to {} bytes", start.0, end.0);
    assert_eq!(end.1, start.1, "executable mappings");
}
