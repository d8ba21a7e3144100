//! What the cache saves: an equal program while one lives, from disk in a new process, and many threads at once.
//!
//! Prints a line `ROW` for each ratio, with tabs between: bench, metric, unit, ours, peer, theirs, goal. The peer is
//! always a cold compile of the same program, but where it is named otherwise.
#![allow(clippy::print_stdout, reason = "its output is what `cargo xtask bench` reads")]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use oarlock::{Error, Runtime, Target};
use oarlock_cache::{Cache, Digest};
use slotmap::{DefaultKey, SlotMap};

/// What `bench.cl` compiles to.
const PROGRAM: &str = include_str!("../kernels/bench.ll");

/// Tells a process of this benchmark that it is the new one, and where the directory is.
const DIR: &str = "OARLOCK_BENCH_DIR";

const REPEAT: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(dir) = std::env::var_os(DIR) {
        let runtime = Runtime::builder().cache_dir(dir).build()?;
        println!("{}", create(&runtime, PROGRAM)?);
        return Ok(());
    }
    live()?;
    disk()?;
    level_1();
    one_digest()?;
    many_digests()
}

fn row(metric: &str, unit: &str, ours: f64, (peer, theirs): (&str, f64), goal: &str) {
    println!("ROW\tcache\t{metric}\t{unit}\t{ours:.4}\t{peer}\t{theirs:.4}\t{goal}");
}

/// Milliseconds that it takes to make a program.
fn create(runtime: &Runtime, source: &str) -> Result<f64, Error> {
    let start = Instant::now();
    // SAFETY: this crate's own program has neither constructors nor destructors.
    unsafe { runtime.create_program(runtime.devices()[0], source.as_bytes())? };
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The `n`th of programs that differ in their bytes alone.
fn variant(n: usize) -> String {
    format!("{PROGRAM}\n; {n}\n")
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn live() -> Result<(), Error> {
    let runtime = Runtime::new()?;
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for n in 0..REPEAT {
        cold.push(create(&runtime, &variant(n))?);
        warm.push(create(&runtime, &variant(n))?);
    }
    row("equal_program_while_one_lives", "ms", median(warm), ("cold", median(cold)), "0.01");
    Ok(())
}

fn disk() -> Result<(), Box<dyn std::error::Error>> {
    let create_in = |dir: &Path| -> Result<f64, Box<dyn std::error::Error>> {
        let child = Command::new(std::env::current_exe()?).env(DIR, dir).output()?;
        Ok(String::from_utf8(child.stdout)?.trim().parse()?)
    };
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for _ in 0..REPEAT {
        let temp = tempfile::tempdir()?;
        cold.push(create_in(temp.path())?);
        warm.push(create_in(temp.path())?);
    }
    row("from_disk_in_a_new_process", "ms", median(warm), ("cold", median(cold)), "0.1");
    Ok(())
}

/// A lookup under a program's own key, with a target as long as real ones are.
fn level_1() {
    const LOOKUPS: u32 = 1_000_000;
    let mut programs: SlotMap<DefaultKey, ()> = SlotMap::new();
    let features = (0..150).map(|n| format!("+feature{n}")).collect::<Vec<_>>().join(",");
    let target = Target { triple: "x86_64-pc-linux-gnu".into(), cpu: "znver4".into(), features };
    let target = Arc::new(target);
    let cache: Cache<DefaultKey, Arc<Target>, Vec<u8>, ()> = Cache::new(Vec::len);
    let keys: Vec<DefaultKey> = (0..100).map(|_| programs.insert(())).collect();
    for (n, key) in keys.iter().enumerate() {
        let digest = Digest::of(&n.to_le_bytes());
        let _ = cache.get_or_compile_shared(*key, &target, digest, || Ok(vec![0; 64]));
    }
    let samples = (0..REPEAT).map(|_| {
        let start = Instant::now();
        for n in 0..LOOKUPS {
            black_box(cache.get(black_box(keys[n as usize % keys.len()]), &target));
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(LOOKUPS)
    });
    row("level_1_hit", "ns", median(samples.collect()), ("100 ns", 100.0), "1");
}

fn one_digest() -> Result<(), Error> {
    let runtime = Runtime::new()?;
    let start = std::sync::Barrier::new(16);
    std::thread::scope(|s| {
        for _ in 0..16 {
            s.spawn(|| {
                start.wait();
                // A failure is seen below, as a number that is not 1.
                let _ = create(&runtime, PROGRAM);
            });
        }
    });
    let compiles = runtime.stats().cache.compiles;
    row("compiles_of_16_threads_with_one_program", "compiles", compiles as f64, ("one", 1.0), "1");
    Ok(())
}

fn many_digests() -> Result<(), Box<dyn std::error::Error>> {
    const PROGRAMS: usize = 12;
    let timed = |threads: usize| -> Result<f64, Error> {
        let runtime = Runtime::new()?;
        let start = Instant::now();
        std::thread::scope(|s| {
            let work = |first| {
                let runtime = &runtime;
                move || {
                    (first..PROGRAMS)
                        .step_by(threads)
                        .try_for_each(|n| create(runtime, &variant(n)).map(drop))
                }
            };
            let all: Vec<_> = (0..threads).map(|first| s.spawn(work(first))).collect();
            all.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        one.push(timed(1)?);
        two.push(timed(2)?);
    }
    row("12_programs_on_2_threads", "ms", median(two), ("1 thread", median(one)), "0.556");
    Ok(())
}
