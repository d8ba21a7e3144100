//! A launch that cannot be is refused at the call, with what was expected and what came.

use oarlock::{Arg, ArgError, DeviceError, Error, LaunchError, LaunchShape, ShapeError};
use oarlock_tests::{Rig, kernels};

#[test]
fn argument_counts_and_sizes_are_checked_against_the_kernel() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::SPIN, "spin");
    let counter = rig.zeros(1);
    let launch = |args: &[Arg<'_>]| match rig.launch(None, kernel, (&[1], &[1]), args) {
        Err(Error::Device(DeviceError::Args(error))) => Some(error),
        Ok(()) => None,
        Err(other) => panic!("{other}"),
    };
    let rounds = Arg::from(0i64);
    assert_eq!(launch(&[counter.into(), rounds]), None);
    for few_or_many in [&[][..], &[counter.into()], &[counter.into(), rounds, rounds]] {
        let found = few_or_many.len();
        let count = ArgError::Count { kernel: "spin".into(), expected: 2, found };
        assert_eq!(launch(few_or_many), Some(count));
    }
    for wrong in [Arg::from(0i32), Arg::from(0i128), Arg::Bytes(&[]), Arg::Bytes(&[0; 1000])] {
        let error = launch(&[counter.into(), wrong]);
        assert!(matches!(error, Some(ArgError::Size { index: 1, expected: 8, .. })), "{error:?}");
    }
    let error = launch(&[counter.into(), Arg::GroupMemory(8)]);
    assert!(matches!(error, Some(ArgError::Kind { index: 1, expected_group_memory: false, .. })));
    assert_eq!(rig.ints(counter, 1), [1], "only the good launch ran");
}

#[test]
fn blocks_are_checked_too() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::SPIN, "spin");
    let counter = rig.zeros(1);
    let shape = LaunchShape::new(&[1], &[1]).unwrap();
    let block = [counter.0.to_ne_bytes(), 0i64.to_ne_bytes()].concat();
    for len in 0..64 {
        let mut bytes = block.clone();
        bytes.resize(len, 0);
        // SAFETY: the kernel adds to one `i32` that is there; anything but its 16 bytes is refused.
        let result = unsafe { rig.runtime.launch_block(None, kernel, &shape, &bytes) };
        match result {
            Ok(()) => assert_eq!(len, 16),
            Err(Error::Device(DeviceError::Args(ArgError::BlockSize { found, .. }))) => {
                assert_eq!(found, len);
                assert_ne!(len, 16);
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(rig.ints(counter, 1), [1]);
}

#[test]
fn shapes_beyond_the_device_are_refused_by_the_limit() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::IDS, "count");
    let facts = rig.runtime.device_facts(rig.device).unwrap();
    let most = facts.max_group_items;
    let launch = |shape: (&[u32], &[u32])| match rig.launch(None, kernel, shape, &[]) {
        Err(Error::Device(DeviceError::Shape(error))) => Some(error),
        Ok(()) => None,
        Err(other) => panic!("{other}"),
    };
    assert_eq!(launch((&[1], &[most])), None);
    let error = launch((&[1], &[most + 1]));
    assert!(matches!(error, Some(ShapeError::TooLarge { .. })), "{error:?}");
    assert!(matches!(launch((&[1, 1], &[most, 2])), Some(ShapeError::TooLarge { .. })));
    assert!(matches!(launch((&[0], &[1])), Some(ShapeError::Zero { .. })));
    assert!(matches!(launch((&[1], &[0])), Some(ShapeError::Zero { .. })));
    assert!(matches!(launch((&[u32::MAX; 3], &[1; 3])), Some(ShapeError::Overflow { .. })));
    assert!(matches!(launch((&[1; 3], &[u32::MAX; 3])), Some(ShapeError::Overflow { .. })));
}

#[test]
fn group_memory_beyond_the_device_is_refused() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::REDUCE, "reduce_dynamic");
    let (input, output) = (rig.zeros(64), rig.zeros(1));
    let limit = rig.runtime.device_facts(rig.device).unwrap().group_memory_bytes;
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    for bytes in [limit, limit + 1, u32::MAX] {
        let shape = LaunchShape::new(&[1], &[64]).unwrap().with_group_memory(bytes);
        for queue in [None, Some(queue)] {
            // SAFETY: one group of 64 items reads 64 numbers and writes one.
            let result = unsafe { rig.runtime.launch(queue, kernel, &shape, &[input.into(), output.into()]) };
            match result {
                Ok(()) => assert_eq!(bytes, limit),
                Err(Error::Device(DeviceError::Launch(LaunchError::GroupMemory { .. }))) => {
                    assert!(bytes > limit);
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    rig.runtime.sync(queue).unwrap();
}

#[test]
fn a_refused_launch_leaves_the_queue_as_it_was() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::SPIN, "spin");
    let counter = rig.zeros(1);
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let good = [counter.into(), Arg::from(0i64)];
    for _ in 0..10 {
        rig.launch(queue, kernel, (&[1], &[1]), &good).unwrap();
        rig.launch(queue, kernel, (&[1], &[1]), &good[..1]).unwrap_err();
        rig.launch(queue, kernel, (&[1], &[u32::MAX]), &good).unwrap_err();
    }
    rig.runtime.sync(queue).unwrap();
    assert_eq!(rig.ints(counter, 1), [10]);
}
