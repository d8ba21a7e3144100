//! Every work-item of a launch runs once and knows where it is.

use oarlock::{LaunchShape, ShapeError};
use oarlock_tests::{Rig, kernels};

/// Runs `ids` and compares what each item saw with what it must see.
fn check_ids(rig: &Rig, kernel: oarlock::SymbolKey, groups: &[u32], size: &[u32]) {
    let full = |counts: &[u32]| [0, 1, 2].map(|d| counts.get(d).copied().unwrap_or(1));
    let (g, s) = (full(groups), full(size));
    let total = [0, 1, 2].map(|d| g[d] * s[d]);
    let items = total.iter().product::<u32>() as usize;
    let out = rig.zeros(items * 10);
    rig.run(kernel, (groups, size), &[out.into()]);
    let seen = rig.ints(out, items * 10);
    rig.runtime.free(rig.device, out).unwrap();
    for (at, item) in seen.chunks(10).enumerate() {
        let at = at as u32;
        let position = [at % total[0], at / total[0] % total[1], at / total[0] / total[1]];
        let local = [0, 1, 2].map(|d| (position[d] % s[d]) as i32);
        let group = [0, 1, 2].map(|d| (position[d] / s[d]) as i32);
        let expected = [&local[..], &group, &s.map(|n| n as i32), &[1]].concat();
        assert_eq!(item, expected, "item {position:?} of {groups:?} x {size:?}");
    }
}

#[test]
fn items_know_their_place_in_one_two_and_three_dimensions() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::IDS, "ids");
    let shapes: [(&[u32], &[u32]); 9] = [
        (&[1], &[1]),
        (&[7], &[1]),
        (&[1], &[7]),
        (&[5], &[64]),
        (&[300], &[33]),
        (&[3, 4], &[5, 2]),
        (&[1, 9], &[16, 1]),
        (&[2, 3, 4], &[4, 3, 2]),
        (&[1, 1, 11], &[1, 1, 3]),
    ];
    for (groups, size) in shapes {
        check_ids(&rig, kernel, groups, size);
    }
}

#[test]
fn only_one_to_three_dimensions_are_a_shape() {
    for dims in [0usize, 4, 5, 100] {
        let counts = vec![1; dims];
        assert!(matches!(LaunchShape::new(&counts, &counts), Err(ShapeError::Dimensions { .. })));
    }
    for dims in [0, 4, u32::MAX] {
        assert!(LaunchShape::from_arrays(dims, [1; 3], [1; 3]).is_err());
    }
    for dims in 1..=3 {
        assert!(LaunchShape::new(&[1; 3][..dims], &[1; 3][..dims]).is_ok());
    }
    assert!(LaunchShape::new(&[1, 1], &[1]).is_err());
}

#[test]
fn what_lies_behind_the_given_dimensions_is_not_read() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::IDS, "ids");
    let shape = LaunchShape::from_arrays(2, [3, 2, 0], [4, 2, u32::MAX]).unwrap();
    let out = rig.zeros(3 * 2 * 4 * 2 * 10);
    // SAFETY: 48 items write 10 numbers each.
    unsafe { rig.runtime.launch(None, kernel, &shape, &[out.into()]) }.unwrap();
    let runs: i32 = rig.ints(out, 480).chunks(10).map(|item| item[9]).sum();
    assert_eq!(runs, 48);
}

#[test]
fn zero_sizes_and_products_that_overflow_are_refused() {
    for d in 0..3 {
        let mut counts = [2; 3];
        counts[d] = 0;
        assert!(
            matches!(LaunchShape::new(&counts, &[1; 3]), Err(ShapeError::Zero { axis, .. }) if axis == d)
        );
        assert!(
            matches!(LaunchShape::new(&[1; 3], &counts), Err(ShapeError::Zero { axis, .. }) if axis == d)
        );
    }
    let m = u32::MAX;
    assert!(matches!(LaunchShape::new(&[m, m, m], &[1; 3]), Err(ShapeError::Overflow { .. })));
    assert!(matches!(LaunchShape::new(&[1; 3], &[1 << 16; 3]), Err(ShapeError::Overflow { .. })));
    assert!(matches!(LaunchShape::new(&[m, m], &[m, 1]), Err(ShapeError::Overflow { .. })));
}

#[test]
fn a_kernel_without_arguments_runs_all_its_items() {
    let rig = Rig::new();
    let program = rig.program(kernels::IDS);
    let count = rig.runtime.kernel(program, "count").unwrap();
    let items = rig.runtime.global(program, "items").unwrap();
    let oarlock::SymbolDetails::Global { ptr, .. } = rig.runtime.symbol_info(items).unwrap().details else {
        panic!("a global")
    };
    let shapes: [(&[u32], &[u32], i32); 3] =
        [(&[1], &[64], 64), (&[3], &[64], 192), (&[2, 2, 2], &[4, 4, 4], 512)];
    for (groups, size, expected) in shapes {
        rig.runtime.write_slice(rig.device, ptr, &[0]).unwrap();
        rig.run(count, (groups, size), &[]);
        assert_eq!(rig.ints(ptr, 1), [expected]);
    }
}

#[test]
fn groups_share_memory_and_meet_at_barriers() {
    let rig = Rig::new();
    let numbers: Vec<i32> = (0..4096).map(|n| n % 97 - 30).collect();
    let input = rig.data(&numbers);
    let fixed = rig.kernel(kernels::REDUCE, "reduce");
    let dynamic = rig.kernel(kernels::REDUCE, "reduce_dynamic");
    let sums = |n: usize| numbers.chunks(n).map(|c| c.iter().sum()).collect::<Vec<i32>>();
    let out = rig.zeros(4096);
    rig.run(fixed, (&[16], &[256]), &[input.into(), out.into()]);
    assert_eq!(rig.ints(out, 16), sums(256));
    for size in [1, 2, 64, 512] {
        let shape = LaunchShape::new(&[4096 / size], &[size]).unwrap().with_group_memory(4 * size);
        // SAFETY: each item reads one of 4096 numbers, each group writes one sum.
        unsafe { rig.runtime.launch(None, dynamic, &shape, &[input.into(), out.into()]) }.unwrap();
        assert_eq!(rig.ints(out, 4096 / size as usize), sums(size as usize), "groups of {size}");
    }
}
