//! Equal programs share one compile and one image; each has its own globals and its own end.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use oarlock::{OptLevel, Options, Runtime};
use oarlock_tests::{Rig, kernels};

#[test]
fn programs_of_equal_bytes_are_compiled_once_while_one_lives() {
    let rig = Rig::new();
    let first = rig.program(kernels::LIFECYCLE);
    let others: Vec<_> = (0..20).map(|_| rig.program(kernels::LIFECYCLE)).collect();
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.cache.compiles, stats.cache.shared_hits), (21, 1, 20));
    assert_eq!((stats.cache.entries, stats.cache.images), (21, 1));
    let image = rig.runtime.program_image(first).unwrap();
    for &other in &others {
        assert!(Arc::ptr_eq(&image, &rig.runtime.program_image(other).unwrap()));
    }
    // The one that compiled may go first.
    rig.runtime.destroy_program(first).unwrap();
    let add = rig.runtime.kernel(others[7], "add").unwrap();
    rig.run(add, (&[1], &[1]), &[oarlock::Arg::from(1i32)]);
    for other in others {
        assert!(rig.runtime.stats().cache.bytes_live > 0);
        rig.runtime.destroy_program(other).unwrap();
    }
    let stats = rig.runtime.stats();
    assert_eq!((stats.cache.images, stats.cache.bytes_live), (0, 0));
    rig.program(kernels::LIFECYCLE);
    assert_eq!(rig.runtime.stats().cache.compiles, 2, "nothing was kept without a budget");
}

#[test]
fn sixteen_threads_with_equal_bytes_compile_once() {
    let rig = Rig::new();
    let start = std::sync::Barrier::new(16);
    std::thread::scope(|s| {
        for _ in 0..16 {
            s.spawn(|| {
                start.wait();
                let out = rig.zeros(256);
                let reduce = rig.kernel(kernels::REDUCE, "reduce");
                rig.run(reduce, (&[1], &[256]), &[rig.data(&[3; 256]).into(), out.into()]);
                assert_eq!(rig.ints(out, 1), [768]);
            });
        }
    });
    let cache = rig.runtime.stats().cache;
    assert_eq!((cache.compiles, cache.images, cache.entries), (1, 1, 16));
    assert_eq!(cache.waits + cache.shared_hits, 15);
}

#[test]
fn a_budget_keeps_code_for_the_next_equal_program_and_no_more_than_that() {
    let rig = Rig::of(Runtime::builder().cache_budget(256 << 10).build().unwrap());
    let out = rig.zeros(1);
    for round in 0..600 {
        let marker = round % 3;
        let program = rig.program(&kernels::mark(marker));
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [marker]);
        rig.runtime.destroy_program(program).unwrap();
    }
    let cache = rig.runtime.stats().cache;
    assert_eq!((cache.compiles, cache.shared_hits, cache.idle), (3, 597, 3));
    // Far more different programs than fit.
    for marker in 0..400 {
        let program = rig.program(&kernels::mark(marker));
        rig.runtime.destroy_program(program).unwrap();
        assert!(rig.runtime.stats().cache.bytes_idle <= 256 << 10);
    }
    assert!(rig.runtime.stats().cache.evictions > 0);
}

#[test]
fn other_options_are_another_program() {
    let low = Options::default().with_opt_level(OptLevel::O0);
    for options in [Options::default(), low] {
        let builder = Runtime::builder().threads(NonZeroUsize::MIN).options(options);
        let rig = Rig::of(builder.build().unwrap());
        let reduce = rig.kernel(kernels::REDUCE, "reduce");
        let out = rig.zeros(2);
        rig.run(reduce, (&[2], &[256]), &[rig.data(&[1; 512]).into(), out.into()]);
        assert_eq!(rig.ints(out, 2), [256; 2]);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are wanted in the test's log")]
fn an_equal_program_is_there_in_a_fraction_of_a_compile() {
    let rig = Rig::new();
    // LLVM's own start is not a part of a compile.
    rig.program(&kernels::mark(0));
    let start = Instant::now();
    let _keep = rig.program(kernels::VECTOR_ADD);
    let cold = start.elapsed();
    let start = Instant::now();
    for _ in 0..100 {
        let program = rig.program(kernels::VECTOR_ADD);
        rig.runtime.destroy_program(program).unwrap();
    }
    let shared = start.elapsed() / 100;
    println!("cold {cold:?}, shared {shared:?}: {:.4}", shared.as_secs_f64() / cold.as_secs_f64());
    // A loose bound: this is no benchmark, and the machine may be busy.
    assert!(shared * 4 < cold, "cold {cold:?}, shared {shared:?}");
}
