//! Ten thousand programs later, the process is as large as it was. One test, so that it has the
//! process to itself.

use oarlock_tests::{Rig, kernels, process};

/// Programs created before the first look: pools, arenas and LLVM's own tables fill up.
const WARM_UP: usize = 1000;
const PROGRAMS: usize = 10_000;

#[test]
#[expect(clippy::print_stdout, reason = "the figures are wanted in the test's log")]
fn memory_and_mappings_are_flat_over_ten_thousand_programs() {
    let rig = Rig::new();
    let out = rig.zeros(1);
    let mut words = std::collections::HashSet::with_capacity(PROGRAMS);
    let mut start = (0, 0);
    for n in 0..PROGRAMS {
        if n == WARM_UP {
            start = (process::resident(), process::generated_code());
        }
        let marker = n as i32;
        let program = rig.program(&kernels::mark(marker));
        assert!(words.insert(rig.runtime.word(program)), "a handle was given out twice");
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [marker]);
        if n == 0 {
            assert!(process::generated_code() > 0, "the measure sees no code, where there is some");
        }
        rig.runtime.destroy_program(program).unwrap();
    }
    let (resident, code) = (process::resident(), process::generated_code());
    println!(
        "after {WARM_UP}: {} KiB resident, {} KiB of code; after {PROGRAMS}: {} KiB, {} KiB",
        start.0 >> 10,
        start.1 >> 10,
        resident >> 10,
        code >> 10
    );
    assert!(resident < start.0 + (4 << 20), "resident memory grew from {} to {resident}", start.0);
    assert_eq!(code, start.1, "executable mappings");
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.symbols, stats.loaded_bytes), (0, 0, 0));
    assert_eq!((stats.cache.entries, stats.cache.bytes_live), (0, 0));
}
