//! Random kernels, compiled at the lowest and the highest level, against a reference that runs one item
//! at a time. Results are bit-equal, but for the payload of NaNs.
//!
//! `cargo test` runs a few dozen kernels, half of them the same each time. For a long run:
//!
//!     OARLOCK_RANDOM_KERNELS=10000 cargo test --release -p oarlock-codegen --test random -- --nocapture
//!
//! `OARLOCK_RANDOM_O3=PERCENT` compiles only that share of them at the highest level, which takes most of
//! the time.
//!
//! A kernel that fails is made smaller and printed, as C to read and as LLVM IR; its seed is kept in
//! `proptest-regressions` and tried first from then on. `OARLOCK_RANDOM_KEEP=FILE` writes every kernel to
//! the file before it runs: for kernels that end the process or never end.
#![allow(clippy::undocumented_unsafe_blocks, reason = "tests run kernels that they wrote")]
#![allow(clippy::print_stderr, reason = "counts are told")]

mod ast;
mod c;
#[path = "../common/mod.rs"]
mod common;
mod data;
mod generate;
mod interpret;
mod ir;
mod launch;
mod shrink;

use std::cell::RefCell;
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};

use oarlock_codegen::{CompileError, OptLevel};
use proptest::test_runner::{
    Config, FileFailurePersistence, RngAlgorithm, TestCaseError, TestRng, TestRunner,
};

use ast::{ARRAYS, Kernel, OUTPUTS, Shape, Ty};
use data::Memory;
use generate::Kernels;
use launch::Compiled;

const LEVELS: [OptLevel; 2] = [OptLevel::O0, OptLevel::O3];
const REGRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/random-");

#[derive(Default, Debug)]
struct Counts {
    kernels: usize,
    /// Compiled modules.
    at_o0: usize,
    at_o3: usize,
    launches: usize,
    barriers: usize,
    /// Compared results.
    values: usize,
    /// Shapes on which a kernel has a race, reads what nobody wrote, or runs too long.
    rejected: usize,
    /// Kernels of which that is true on all shapes.
    empty: usize,
    refused: usize,
}

/// Runs a kernel on its shapes; `Err` says what is wrong.
fn check(kernel: &Kernel, counts: &mut Counts) -> Result<(), String> {
    let expected = reference(kernel, counts);
    if expected.is_empty() {
        return Ok(());
    }
    let text = ir::text(kernel);
    compiled_is_right(kernel, text.as_bytes(), &text, &expected, counts)
}

/// Memory before and after the launches that say something.
fn reference(kernel: &Kernel, counts: &mut Counts) -> Vec<(Shape, Memory, Memory)> {
    let mut expected = Vec::new();
    for &shape in &kernel.shapes {
        let start = Memory::new(kernel, shape);
        let mut end = start.clone();
        match interpret::run(kernel, shape, &mut end) {
            Ok(()) => expected.push((shape, start, end)),
            Err(_) => counts.rejected += 1,
        }
    }
    if expected.is_empty() {
        counts.empty += 1;
    } else {
        counts.kernels += 1;
    }
    expected
}

/// The compiled module does what is expected.
fn compiled_is_right(
    kernel: &Kernel,
    module: &[u8],
    text: &str,
    expected: &[(Shape, Memory, Memory)],
    counts: &mut Counts,
) -> Result<(), String> {
    if let Some(file) = std::env::var_os("OARLOCK_RANDOM_KEEP") {
        std::fs::write(file, format!("; {:?}\n{text}", kernel.shapes)).map_err(|e| e.to_string())?;
    }
    for level in LEVELS {
        if level == OptLevel::O3 && kernel.data % 100 >= u64::from(number("OARLOCK_RANDOM_O3", 100)) {
            continue;
        }
        *if level == OptLevel::O3 { &mut counts.at_o3 } else { &mut counts.at_o0 } += 1;
        let compiled = match Compiled::new(module, kernel.machine, level) {
            Ok(compiled) => compiled,
            Err(e @ CompileError::Unsupported { .. }) => {
                eprintln!("refused at {level:?}: {e}");
                counts.refused += 1;
                return Ok(());
            }
            Err(e) => return Err(format!("{level:?}: {e}")),
        };
        counts.barriers += compiled.barriers() as usize;
        for (shape, start, end) in expected {
            counts.launches += 1;
            let mut got = start.clone();
            compiled.run(*shape, &mut got).map_err(|e| format!("{level:?}, {shape:?}: {e}"))?;
            counts.values +=
                compare(kernel, *shape, &got, end).map_err(|e| format!("{level:?}, {shape:?}: {e}"))?;
        }
    }
    Ok(())
}

/// Returns how many values are equal, or what the first differences are.
fn compare(kernel: &Kernel, shape: Shape, got: &Memory, expected: &Memory) -> Result<usize, String> {
    let mut all = 0;
    let mut text = String::new();
    let mut wrong = 0;
    let plain = |t: Ty, v: u64| {
        if t == Ty::F32 && f32::from_bits(v as u32).is_nan() { 0x7fc0_0000 } else { v }
    };
    for (i, t) in ARRAYS.into_iter().enumerate() {
        for (at, (g, e)) in got.outputs[i].iter().zip(&expected.outputs[i]).enumerate() {
            all += 1;
            let (g, e) = (plain(t, *g), plain(t, *e));
            if g != e {
                wrong += 1;
                let total = shape.total() as usize;
                let (item, k) =
                    if kernel.planar { (at % total, at / total) } else { (at / OUTPUTS, at % OUTPUTS) };
                if wrong <= 4 {
                    let _ = write!(text, " item {item} output {t:?} {k}: got {g:#x}, expected {e:#x};");
                }
            }
        }
    }
    for (at, (g, e)) in got.counters.iter().zip(&expected.counters).enumerate() {
        all += 1;
        if g != e {
            wrong += 1;
            let _ = write!(text, " counter {at}: got {g}, expected {e};");
        }
    }
    if wrong == 0 { Ok(all) } else { Err(format!("{wrong} differences:{text}")) }
}

fn run(
    name: &str,
    kernels: u32,
    rng: TestRng,
    kernels_of: Kernels,
    check: &dyn Fn(&Kernel, &mut Counts) -> Result<(), String>,
) {
    // Persistence wants a name that lives for ever.
    let seeds: &'static str = format!("{REGRESSIONS}{name}.txt").leak();
    let config = Config {
        cases: kernels,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        max_shrink_iters: 4000,
        max_shrink_time: 240_000,
        ..Config::default()
    };
    let counts = RefCell::new(Counts::default());
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner
        .run(&kernels_of, |kernel| check(&kernel, &mut counts.borrow_mut()).map_err(TestCaseError::fail));
    eprintln!("{name}: {:?}", counts.borrow());
    if let Err(e) = result {
        panic!("{e}");
    }
}

/// A number from the environment.
fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn new_seed() -> TestRng {
    let mut seed = [0; 32];
    for part in seed.chunks_mut(8) {
        part.copy_from_slice(&RandomState::new().hash_one(0).to_ne_bytes());
    }
    TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
}

#[test]
fn kernels_that_are_always_the_same() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    run("fixed", 20, rng, Kernels::All, &check);
}

#[test]
fn kernels_that_are_new_each_time() {
    run("new", number("OARLOCK_RANDOM_KERNELS", 20), new_seed(), Kernels::All, &check);
}

#[test]
fn kernels_whose_items_part() {
    run("parting", number("OARLOCK_RANDOM_KERNELS", 20), new_seed(), Kernels::Parting, &check);
}

/// Front ends and their flags.
const FRONTENDS: [(&str, &[&str]); 6] = [
    (c::C, &["-xc", "-target", "x86_64-pc-linux-gnu"]),
    (c::OPENCL, &["-xcl", "-target", "spir64-unknown-unknown", "-cl-std=CL3.0"]),
    (c::OPENCL, &["-xcl", "-target", "spirv64-unknown-unknown", "-cl-std=CL3.0"]),
    (
        c::C,
        &[
            "-xc",
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
    ),
    (
        c::C,
        &[
            "-xc",
            "-target",
            "amdgcn-amd-amdhsa",
            "-mcpu=gfx90a",
            "-nogpulib",
            "-ffreestanding",
            "-nostdlibinc",
        ],
    ),
    (c::C, &["-xc", "-target", "spirv64-unknown-unknown", "-ffreestanding", "-nostdlibinc"]),
];
const CLANG_LEVELS: [&[&str]; 3] = [&["-O0"], &["-O2"], &["-O2", "-Xclang", "-disable-llvm-passes"]];

/// Each kernel through every front end, at one of its levels.
#[test]
fn kernels_in_c() {
    let Some(clang) = common::clang() else { return };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("k.c");
    let check = |kernel: &Kernel, counts: &mut Counts| {
        let expected = reference(kernel, counts);
        if expected.is_empty() {
            return Ok(());
        }
        for (i, (head, flags)) in FRONTENDS.into_iter().enumerate() {
            let level = CLANG_LEVELS[(kernel.data as usize + i) % 3];
            let flags = [flags, level, &["-w"]].concat();
            std::fs::write(&file, c::source(kernel, head)).map_err(|e| e.to_string())?;
            let module = common::bitcode(&clang, &file, &flags);
            compiled_is_right(kernel, &module, &c::source(kernel, head), &expected, counts)
                .map_err(|e| format!("clang {flags:?}: {e}"))?;
        }
        Ok(())
    };
    run("c", number("OARLOCK_RANDOM_KERNELS", 60) / 30, new_seed(), Kernels::Strict, &check);
}
