//! Arguments of every width reach the kernel byte for byte.

use oarlock::{Arg, DevicePtr, MemoryKind, SymbolDetails};
use oarlock_tests::{Rig, kernels};

/// Runs `take_NAME` with `arg` and checks that the kernel stored `bytes`.
fn check(rig: &Rig, program: oarlock::ProgramKey, name: &str, arg: Arg<'_>, bytes: &[u8]) {
    let kernel = rig.runtime.kernel(program, &format!("take_{name}")).unwrap();
    let out = rig.runtime.alloc_slice(rig.device, MemoryKind::Device, &[0xA5u8; 128]).unwrap();
    rig.run(kernel, (&[1], &[1]), &[out.into(), arg]);
    let stored = rig.runtime.read_vec::<u8>(rig.device, out, 128).unwrap();
    assert_eq!(&stored[..bytes.len()], bytes, "take_{name}");
    assert!(stored[bytes.len()..].iter().all(|&b| b == 0xA5), "take_{name} wrote too far");
}

#[test]
fn scalars_of_every_width() {
    let rig = Rig::new();
    let program = rig.program(kernels::ARGUMENTS);
    macro_rules! scalars {
        ($($ty:ident),*) => {$(
            for value in [$ty::MIN, $ty::MAX, 0 as $ty, 1 as $ty, 77 as $ty] {
                check(&rig, program, stringify!($ty), value.into(), &value.to_ne_bytes());
            }
        )*};
    }
    scalars!(i8, u8, i16, u16, i32, u32, i64, u64, i128, f32, f64);
    for value in [f64::NAN, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE / 2.0] {
        check(&rig, program, "f64", value.into(), &value.to_ne_bytes());
    }
    let half = 0x3C01u16.to_ne_bytes();
    check(&rig, program, "f16", Arg::Bytes(&half), &half);
    for value in [false, true] {
        check(&rig, program, "bool", value.into(), &[value.into()]);
    }
    let pointer = DevicePtr(0xDEAD_BEEF_0000_1234);
    check(&rig, program, "ptr", pointer.into(), &pointer.0.to_ne_bytes());
}

#[test]
fn vectors_and_structures_by_value() {
    let rig = Rig::new();
    let program = rig.program(kernels::ARGUMENTS);
    let vector = [1.0f32, -2.0, 3.5, f32::MAX].map(f32::to_ne_bytes).concat();
    check(&rig, program, "float4", Arg::Bytes(&vector), &vector);
    // struct large { char tag; double x; short s[5]; long long n; }, padding zeroed.
    let mut large = vec![0u8; 40];
    large[0] = b'T';
    large[8..16].copy_from_slice(&2.5f64.to_ne_bytes());
    large[16..26].copy_from_slice(&[1i16, -2, 3, -4, 5].map(i16::to_ne_bytes).concat());
    large[32..40].copy_from_slice(&i64::MIN.to_ne_bytes());
    check(&rig, program, "large", Arg::Bytes(&large), &large);
}

#[test]
fn a_structure_is_copied_at_the_call() {
    let rig = Rig::new();
    let program = rig.program(kernels::ARGUMENTS);
    let kernel = rig.runtime.kernel(program, "take_large").unwrap();
    let queue = rig.runtime.create_queue(rig.device).unwrap();
    let outs: Vec<_> = (0..32).map(|_| rig.zeros(16)).collect();
    let mut large = [0u8; 40];
    for (n, out) in outs.iter().enumerate() {
        large.fill(n as u8);
        rig.launch(queue, kernel, (&[1], &[1]), &[(*out).into(), Arg::Bytes(&large)]).unwrap();
    }
    large.fill(0xFF);
    rig.runtime.sync(queue).unwrap();
    for (n, out) in outs.iter().enumerate() {
        // The first byte, which no padding rule can change.
        assert_eq!(rig.runtime.read_vec::<u8>(rig.device, *out, 1).unwrap(), [n as u8]);
    }
}

#[test]
fn many_arguments_with_padding_between_them() {
    let rig = Rig::new();
    let program = rig.program(kernels::ARGUMENTS);
    let kernel = rig.runtime.kernel(program, "take_many").unwrap();
    let out = rig.runtime.alloc(rig.device, MemoryKind::Device, 13 * 8).unwrap();
    let args: [Arg<'_>; 14] = [
        out.into(),
        1u8.into(),
        2u16.into(),
        3u8.into(),
        4u32.into(),
        5u8.into(),
        6u64.into(),
        7u8.into(),
        8f32.into(),
        9u8.into(),
        10f64.into(),
        11u8.into(),
        12i128.into(),
        13u8.into(),
    ];
    rig.run(kernel, (&[1], &[1]), &args);
    let stored = rig.runtime.read_vec::<f64>(rig.device, out, 13).unwrap();
    assert_eq!(stored, (1..=13).map(f64::from).collect::<Vec<_>>());

    // The same as a block, by the offsets that the kernel reports.
    let SymbolDetails::Kernel(facts) = rig.runtime.symbol_info(kernel).unwrap().details else {
        panic!("a kernel")
    };
    let mut block = vec![0u8; facts.args_size as usize];
    for (param, arg) in facts.params.iter().zip(&args) {
        assert_eq!(param.offset % param.align, 0);
        block[param.offset as usize..][..param.size as usize].copy_from_slice(arg.bytes());
    }
    rig.runtime.write_slice(rig.device, out, &[0f64; 13]).unwrap();
    let shape = oarlock::LaunchShape::new(&[1], &[1]).unwrap();
    // SAFETY: the kernel writes 13 numbers to `out`.
    unsafe { rig.runtime.launch_block(None, kernel, &shape, &block) }.unwrap();
    assert_eq!(rig.runtime.read_vec::<f64>(rig.device, out, 13).unwrap(), stored);
}

#[test]
fn group_memory_by_parameter_is_as_large_as_asked_and_aligned() {
    let rig = Rig::new();
    let program = rig.program(kernels::LOCAL);
    let kernel = rig.runtime.kernel(program, "two_locals").unwrap();
    let numbers: Vec<i32> = (0..96).collect();
    let (input, output) = (rig.data(&numbers), rig.zeros(96));
    let locals = [Arg::GroupMemory(32 * 4), Arg::GroupMemory(32 * 32)];
    rig.run(kernel, (&[3], &[32]), &[input.into(), output.into(), locals[0], locals[1]]);
    let expected: Vec<i32> = numbers.iter().map(|n| n / 32 * 32 + (31 - n % 32) + (31 - n % 32)).collect();
    assert_eq!(rig.ints(output, 96), expected);

    let kernel = rig.runtime.kernel(program, "where_they_lie").unwrap();
    let out = rig.runtime.alloc(rig.device, MemoryKind::Device, 24).unwrap();
    let sizes = [1, 32, 4].map(Arg::GroupMemory);
    rig.run(kernel, (&[1], &[4]), &[out.into(), sizes[0], sizes[1], sizes[2]]);
    let [b, c, a] = rig.runtime.read_vec::<u64>(rig.device, out, 3).unwrap()[..] else { panic!("three") };
    assert_eq!((a, b % 32, c % 4), (0, 0, 0));
    assert!(b >= 1 && c >= b + 32, "the pieces overlap: {b}, {c}");
}

#[test]
fn group_memory_wants_a_size_and_values_want_none() {
    let rig = Rig::new();
    let kernel = rig.kernel(kernels::LOCAL, "two_locals");
    let (input, output) = (rig.zeros(8), rig.zeros(8));
    let local = Arg::GroupMemory(64);
    let launch = |args: &[Arg<'_>]| rig.launch(None, kernel, (&[1], &[1]), args);
    assert!(launch(&[input.into(), output.into(), local, local]).is_ok());
    for wrong in [[input.into(), output.into(), input.into(), local], [input.into(), local, local, local]] {
        let error = launch(&wrong).unwrap_err();
        assert!(error.to_string().contains("group memory"), "{error}");
    }
    assert!(launch(&[input.into(), output.into(), local, Arg::GroupMemory(u32::MAX)]).is_err());
}
