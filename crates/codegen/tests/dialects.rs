//! The same kernels in every dialect, at every level of the front end, give the same results.
#![allow(clippy::undocumented_unsafe_blocks, reason = "tests run kernels that they wrote")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{Loaded, bitcode, clang, kernel_dir, ptr};
use oarlock_codegen::{OptLevel, Options};

const LEVELS: [&[&str]; 3] = [&["-O0"], &["-O2"], &["-O2", "-Xclang", "-disable-llvm-passes"]];

#[test]
fn native_c() {
    all("all.c", &["-target", "x86_64-pc-linux-gnu"]);
}

#[test]
fn gpuintrin_for_nvptx64() {
    all(
        "all.c",
        &[
            "-target",
            "nvptx64-nvidia-cuda",
            "-march=sm_80",
            "-nogpulib",
            "-ffreestanding",
            "-nostdlibinc",
            "-Xclang",
            "-target-feature",
            "-Xclang",
            "+ptx70",
        ],
    );
}

#[test]
fn gpuintrin_for_amdgcn() {
    all(
        "all.c",
        &["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-ffreestanding", "-nostdlibinc"],
    );
}

#[test]
fn gpuintrin_for_spirv64() {
    all("all.c", &["-target", "spirv64-unknown-unknown", "-ffreestanding", "-nostdlibinc"]);
}

#[test]
fn opencl_for_spir64() {
    all("all.cl", &["-target", "spir64-unknown-unknown", "-cl-std=CL3.0"]);
}

#[test]
fn opencl_for_spirv64() {
    all("all.cl", &["-target", "spirv64-unknown-unknown", "-cl-std=CL3.0"]);
}

fn all(source: &str, flags: &[&str]) {
    let Some(clang) = clang() else { return };
    for level in LEVELS {
        let flags = [flags, level].concat();
        let bytes = bitcode(&clang, &kernel_dir().join(source), &flags);
        for opt in [OptLevel::O0, OptLevel::O3] {
            eprintln!("{source} {level:?} {opt:?}");
            check(&Loaded::new(&bytes, &Options::default().with_opt_level(opt)));
        }
    }
}

fn check(p: &Loaded) {
    saxpy(p);
    ids(p);
    reduce(p);
    reverse(p);
    across(p);
    leave(p);
    by_value(p);
    count(p);
    for size in [[1, 1, 1], [16, 16, 1], [5, 3, 1], [64, 2, 1], [32, 4, 1], [7, 1, 2]] {
        escape(p, size);
        matmul(p, size);
    }
    p.run("nothing", [3, 2, 1], [64, 1, 1], 0, &[]);
    if p.has("global") {
        let mut out = [0u32];
        p.run("global", [1; 3], [2, 1, 1], 0, &[&ptr(&mut out)]);
        assert_eq!(out, [42]);
    }
    if p.has("builtins") {
        builtins(p);
    }
}

fn saxpy(p: &Loaded) {
    let n = 1000;
    for size in [1, 7, 64, 256] {
        let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y = vec![1.0f32; n];
        let groups = (n as u32).div_ceil(size);
        let args: [&[u8]; 4] = [&ptr(&mut x), &ptr(&mut y), &2.0f32.to_ne_bytes(), &(n as i32).to_ne_bytes()];
        p.run("saxpy", [groups, 1, 1], [size, 1, 1], 0, &args);
        assert!((0..n).all(|i| y[i] == 2.0 * i as f32 + 1.0), "size {size}");
    }
}

fn ids(p: &Loaded) {
    let (groups, size) = ([3, 2, 4], [5, 3, 2]);
    let extent: Vec<u32> = (0..3).map(|a| groups[a] * size[a]).collect();
    let mut out = vec![u32::MAX; extent.iter().product::<u32>() as usize];
    p.run("ids", groups, size, 0, &[&ptr(&mut out)]);
    for (i, v) in out.iter().enumerate() {
        let i = i as u32;
        let (x, y, z) = (i % extent[0], i / extent[0] % extent[1], i / extent[0] / extent[1]);
        assert_eq!(*v, x + 1000 * y + 1_000_000 * z);
    }
}

fn reduce(p: &Loaded) {
    for size in [1usize, 2, 64, 256] {
        let mut x: Vec<f32> = (0..size * 5).map(|i| (i % 13) as f32).collect();
        let mut out = vec![-1.0f32; 5];
        p.run("reduce", [5, 1, 1], [size as u32, 1, 1], 0, &[&ptr(&mut x), &ptr(&mut out)]);
        for g in 0..5 {
            assert_eq!(out[g], x[g * size..(g + 1) * size].iter().sum::<f32>(), "size {size} group {g}");
        }
    }
}

fn reverse(p: &Loaded) {
    let mut x: Vec<u32> = (0..96).collect();
    let bytes = 4 * 32u32;
    let parameter = p.image.metadata.kernels[p.image.metadata.kernel("reverse").unwrap()].params.len() == 2;
    if parameter {
        p.run("reverse", [3, 1, 1], [32, 1, 1], 0, &[&ptr(&mut x), &bytes.to_ne_bytes()]);
    } else {
        p.run("reverse", [3, 1, 1], [32, 1, 1], bytes, &[&ptr(&mut x)]);
    }
    for (i, v) in x.iter().enumerate() {
        assert_eq!(*v as usize, i / 32 * 32 + 31 - i % 32);
    }
}

fn across(p: &Loaded) {
    let (size, rounds) = (33u32, 7u32);
    let mut out = vec![0u32; 2 * size as usize];
    p.run("across", [2, 1, 1], [size, 1, 1], 0, &[&ptr(&mut out), &rounds.to_ne_bytes()]);
    for (i, v) in out.iter().enumerate() {
        let l = i as u32 % size;
        let mut keep = [0, 1, 2, 3].map(|k| l * 4 + k);
        let mut sum = 0u32;
        for r in 0..rounds {
            sum += (l + 1) % size + r;
            keep[r as usize % 4] += sum;
        }
        let all = keep.iter().fold(sum, |a, k| a.wrapping_mul(31).wrapping_add(*k));
        assert_eq!(*v, all, "item {i}");
    }
}

fn leave(p: &Loaded) {
    let n = 50u32;
    let mut out = vec![7u32; 64];
    p.run("leave", [2, 1, 1], [32, 1, 1], 0, &[&ptr(&mut out), &n.to_ne_bytes()]);
    for (i, v) in out.iter().enumerate() {
        let i = i as u32;
        assert_eq!(*v, if i < n { i + 1 } else { 7 });
    }
}

fn by_value(p: &Loaded) {
    let mut s = [0u8; 40];
    s[..8].copy_from_slice(&11.0f64.to_ne_bytes());
    s[8..12].copy_from_slice(&12i32.to_ne_bytes());
    s[28..32].copy_from_slice(&13i32.to_ne_bytes());
    s[32] = 14;
    let mut out = [0u32; 10];
    let args: [&[u8]; 8] = [
        &s,
        &ptr(&mut out),
        &(-1i8).to_ne_bytes(),
        &(-2i16).to_ne_bytes(),
        &(-3i32).to_ne_bytes(),
        &(-4i64).to_ne_bytes(),
        &5.5f32.to_ne_bytes(),
        &6.5f64.to_ne_bytes(),
    ];
    p.run("by_value", [1; 3], [4, 1, 1], 0, &args);
    assert_eq!(out, [11, 13, 13, 14, -1i32 as u32, -2i32 as u32, -3i32 as u32, -4i32 as u32, 5, 6]);
}

fn count(p: &Loaded) {
    let mut hist = [0u32; 4];
    p.run("count", [10, 1, 1], [18, 1, 1], 0, &[&ptr(&mut hist)]);
    assert_eq!(hist, [50, 50, 40, 40]);
}

fn cover(extent: u32, size: [u32; 3]) -> [u32; 3] {
    [extent.div_ceil(size[0]), extent.div_ceil(size[1]), 1]
}

fn escape(p: &Loaded, size: [u32; 3]) {
    let (w, limit) = (70u32, 60u32);
    let mut out = vec![u32::MAX; (w * w) as usize];
    let w_bytes = (w as i32).to_ne_bytes();
    p.run("escape", cover(w, size), size, 0, &[&ptr(&mut out), &w_bytes, &w_bytes, &limit.to_ne_bytes()]);
    for (i, found) in out.into_iter().enumerate() {
        let (px, py) = (i as u32 % w, i as u32 / w);
        let cx = -2.0 + 2.5 * px as f32 / w as f32;
        let cy = -1.25 + 2.5 * py as f32 / w as f32;
        let (mut x, mut y, mut it) = (0f32, 0f32, 0);
        while it < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            it += 1;
        }
        assert_eq!(found, it, "{px}, {py} in groups of {size:?}");
    }
}

fn matmul(p: &Loaded, size: [u32; 3]) {
    let n = 37usize;
    let mut a: Vec<f32> = (0..n * n).map(|i| (i % 17) as f32 - 8.0).collect();
    let mut b: Vec<f32> = (0..n * n).map(|i| (i % 23) as f32 / 4.0).collect();
    let mut c = vec![f32::NAN; n * n];
    let args: [&[u8]; 4] = [&ptr(&mut a), &ptr(&mut b), &ptr(&mut c), &(n as i32).to_ne_bytes()];
    p.run("matmul", cover(n as u32, size), size, 0, &args);
    for (i, found) in c.into_iter().enumerate() {
        let expected = (0..n).fold(0f32, |acc, k| acc + a[i / n * n + k] * b[k * n + i % n]);
        assert_eq!(found, expected, "{i} in groups of {size:?}");
    }
}

fn builtins(p: &Loaded) {
    let mut input = [4.0f32, 2.5, 0.5, 3.0];
    let mut out = [0f32; 20];
    p.run("builtins", [1; 3], [1; 3], 0, &[&ptr(&mut out), &ptr(&mut input)]);
    let dot = input.iter().map(|v| v * v).sum::<f32>();
    let expected = [
        2.0,
        0.5,
        4.0,
        1.0,
        11.0,
        dot,
        dot.sqrt(),
        32.0,
        2.0,
        4.0,
        3.25,
        255_274.0,
        2.0,
        2.0,
        1.0,
        2.0,
        3.0,
        0.0,
        4.0f32.hypot(2.5),
        4.0f32.sin(),
    ];
    for (i, (a, b)) in out.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-6 * b.abs(), "out[{i}] = {a}, expected {b}");
    }
}
