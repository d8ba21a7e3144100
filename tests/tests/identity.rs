//! A program's code is its own, whatever lay at its address before.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use oarlock::Runtime;
use oarlock_tests::{Rig, kernels};

/// Creates, launches, checks and destroys one program after another.
fn alternate(rounds: usize, cache_budget: u64, source: impl Fn(usize) -> (String, i32)) {
    let rig = Rig::of(Runtime::builder().cache_budget(cache_budget).build().unwrap());
    let out = rig.zeros(1);
    let mut words = HashSet::new();
    for round in 0..rounds {
        let (source, marker) = source(round);
        let program = rig.program(&source);
        assert!(words.insert(rig.runtime.word(program)), "a handle was given out twice");
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.runtime.write_slice(rig.device, out, &[-1]).unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [marker], "round {round} ran another program's code");
        rig.runtime.destroy_program(program).unwrap();
    }
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.symbols, stats.loaded_bytes), (0, 0, 0));
    assert_eq!(stats.cache.entries, 0);
    assert!(stats.cache.bytes_live <= cache_budget);
    let compiles = if cache_budget > 0 { 2 } else { rounds };
    assert!(stats.cache.compiles <= compiles as u64);
}

const KEPT: u64 = 1 << 20;

#[test]
fn two_programs_in_turn_a_thousand_times() {
    for budget in [0, KEPT] {
        alternate(1000, budget, |round| {
            let marker = (round % 2) as i32;
            (kernels::mark(marker), marker)
        });
    }
}

#[test]
fn identical_bytes_a_thousand_times() {
    for budget in [0, KEPT] {
        alternate(1000, budget, |_| (kernels::mark(7), 7));
    }
}

#[test]
fn a_buffer_that_changes_under_the_program_does_not_change_the_program() {
    let rig = Rig::new();
    let out = rig.zeros(1);
    let mut bytes = kernels::mark(1).into_bytes();
    let program = rig.try_program(&bytes).unwrap();
    // The same buffer, the same length, another program.
    bytes.copy_from_slice(kernels::mark(2).as_bytes());
    let second = rig.try_program(&bytes).unwrap();
    for (program, marker) in [(program, 1), (second, 2), (program, 1)] {
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [marker]);
    }
    let source = rig.runtime.program_source(program).unwrap().unwrap();
    assert_eq!(*source, *kernels::mark(1).as_bytes());
}

#[test]
fn many_programs_at_one_time_from_many_threads() {
    let rig = Rig::new();
    let next = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                let out = rig.zeros(1);
                let mut live = Vec::new();
                for _ in 0..40 {
                    let marker = next.fetch_add(1, SeqCst) as i32;
                    live.push((rig.program(&kernels::mark(marker)), marker));
                    for &(program, marker) in live.iter().rev().take(4) {
                        let mark = rig.runtime.kernel(program, "mark").unwrap();
                        rig.run(mark, (&[1], &[1]), &[out.into()]);
                        assert_eq!(rig.ints(out, 1), [marker]);
                    }
                    if live.len() > 8 {
                        let (program, _) = live.remove(0);
                        rig.runtime.destroy_program(program).unwrap();
                    }
                }
            });
        }
    });
}
