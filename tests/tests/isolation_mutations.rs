//! Damaged and hostile programs, through workers: this process lives, and each is answered within its limit.
//!
//! `OARLOCK_MUTATIONS=10000` makes it ten thousand of them. The table is printed.

mod support;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use oarlock::worker::{Client, Limits, WorkerError};
use oarlock::{CompileError, OptLevel, Options};
use support::{MODULES, config, target};

/// What a kind of damage came to.
#[derive(Default, Clone, Debug)]
struct Row {
    cases: usize,
    compiled: usize,
    /// By a walk over the bytes, before LLVM saw them.
    unread: usize,
    refused: usize,
    crashed: usize,
    timed_out: usize,
    out_of_memory: usize,
    slowest: Duration,
}

#[test]
fn no_damage_kills_this_process() {
    let asked = std::env::var("OARLOCK_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let count: usize = asked.unwrap_or(500);
    let limits =
        Limits::default().with_time(Duration::from_secs(3), Duration::from_secs(8)).with_memory(1 << 30);
    let client = Client::new(config().limits(limits).workers(NonZeroUsize::new(2).unwrap()));
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<&str, Row>::new()));
    let phases = Mutex::new(BTreeMap::<String, usize>::new());
    let since = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= count {
                        break;
                    }
                    let (kind, bytes) = case(number);
                    let begun = Instant::now();
                    let options = Options::default().with_opt_level(OptLevel::O1);
                    let answer = client.compile(&bytes, &target(), &options);
                    let took = begun.elapsed();
                    if let Err(WorkerError::CompilerCrashed { signal, phase, .. }) = &answer {
                        let how = signal.map_or("exit".to_owned(), |s| format!("signal {s}"));
                        *phases.lock().unwrap().entry(format!("{phase}, {how}")).or_default() += 1;
                    }
                    rows.lock().unwrap().entry(kind).or_default().count(&answer.map(drop), took);
                }
            });
        }
    });
    report(&rows.into_inner().unwrap(), &phases.into_inner().unwrap(), since.elapsed());
    support::tell(format_args!("{:?}", client.stats()));
    // Still here, and still able.
    support::compile(&client, MODULES[0]).unwrap();
}

impl Row {
    fn count(&mut self, answer: &Result<(), WorkerError>, took: Duration) {
        self.cases += 1;
        self.slowest = self.slowest.max(took);
        let column = match answer {
            Ok(()) => &mut self.compiled,
            Err(WorkerError::Compile(CompileError::Damaged { .. } | CompileError::Format { .. })) => {
                &mut self.unread
            }
            Err(WorkerError::Compile(_)) => &mut self.refused,
            Err(WorkerError::CompilerCrashed { .. }) => &mut self.crashed,
            Err(WorkerError::CompilerTimedOut { .. }) => &mut self.timed_out,
            Err(WorkerError::CompilerOutOfMemory { .. }) => &mut self.out_of_memory,
            // The same hostile text again.
            Err(WorkerError::Quarantined { .. }) => &mut self.refused,
            Err(other) => panic!("{other}"),
        };
        *column += 1;
        assert!(took < Duration::from_secs(60), "answered after {took:?}");
    }

    fn deaths(&self) -> usize {
        self.crashed + self.timed_out + self.out_of_memory
    }
}

fn report(rows: &BTreeMap<&str, Row>, phases: &BTreeMap<String, usize>, took: Duration) {
    support::tell(format_args!(
        "kind         cases  worker deaths  host deaths  compiled  unread  refused  crashed  timed out  memory  slowest"
    ));
    for (kind, r) in rows {
        support::tell(format_args!(
            "{kind:12} {:5}  {:13}  {:11}  {:8}  {:6}  {:7}  {:7}  {:9}  {:6}  {:?}",
            r.cases,
            r.deaths(),
            0,
            r.compiled,
            r.unread,
            r.refused,
            r.crashed,
            r.timed_out,
            r.out_of_memory,
            r.slowest
        ));
    }
    support::tell(format_args!("crashes by step and cause: {phases:?}; all in {took:?}"));
}

/// The case of a number: its kind, and bytes that are the same in every run.
fn case(number: usize) -> (&'static str, Vec<u8>) {
    let mut random = Random(number as u64 ^ 0x9E37_79B9_7F4A_7C15);
    let module = MODULES[random.below(MODULES.len())];
    let mut bytes = module.to_vec();
    let flips = |bytes: &mut Vec<u8>, random: &mut Random, count| {
        for _ in 0..count {
            let bit = random.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    };
    match number % 8 {
        0 => {
            bytes.truncate(random.below(module.len()));
            ("truncation", bytes)
        }
        1 | 2 => {
            flips(&mut bytes, &mut random, 1);
            ("1 bit", bytes)
        }
        3 | 4 => {
            flips(&mut bytes, &mut random, 4);
            ("4 bits", bytes)
        }
        5 => {
            flips(&mut bytes, &mut random, 16);
            ("16 bits", bytes)
        }
        6 => {
            // A piece of one over a piece of another, whole words, as the format has them.
            let other = MODULES[random.below(MODULES.len())];
            let len = 4 * (1 + random.below(64));
            let from = 4 * random.below(other.len().saturating_sub(len) / 4 + 1);
            let to = 4 * random.below(bytes.len().saturating_sub(len) / 4 + 1);
            bytes[to..to + len].copy_from_slice(&other[from..from + len]);
            ("splice", bytes)
        }
        _ => ("hostile IR", hostile(number / 8, &mut random)),
    }
}

/// Hand-written text; the numbers in it differ from case to case.
fn hostile(number: usize, random: &mut Random) -> Vec<u8> {
    let magnitude = 1 + random.below(20);
    let n = 1 + random.below(1 << magnitude);
    let body = |b: &str| format!("define void @f(ptr %p, i32 %n) {{\n{b}\n  ret void\n}}\n");
    let text = match number % 24 {
        0 => body(&format!("  %v = load <{n} x double>, ptr %p\n  store <{n} x double> %v, ptr %p")),
        1 => body(&format!("  %v = load i{n}, ptr %p\n  %m = mul i{n} %v, %v\n  store i{n} %m, ptr %p")),
        2 => body(&format!("  store i{n} -1, ptr %p")),
        3 => format!("@x = global [{n} x [{n} x [{n} x i64]]] zeroinitializer\n{}", body("")),
        4 => format!("@a = alias i32, inttoptr (i64 {n} to ptr)\n{}", body("  store i32 1, ptr @a")),
        5 => format!("@x = constant [{n}000000 x i8] zeroinitializer\n{}", body("  store ptr @x, ptr %p")),
        6 => "define void @f() gc \"nobody\" { ret void }".to_owned(),
        7 => "define void @f(<vscale x 4 x i32> %v) { ret void }".to_owned(),
        8 => format!("module asm \".fill {n}, 8, 0\"\n{}", body("")),
        9 => body(&format!("  call void asm sideeffect \".fill {n}\", \"\"()")),
        10 => format!("declare i32 @llvm.nvvm.nothing(i32)\n{}", body("  %v = call i32 @llvm.nvvm.nothing(i32 1)")),
        11 => format!("@x = global i32 0, section \"a\\00b{n}\"\n{}", body("")),
        12 => format!("{}{}", "%t0 = type { i8 }\n", (1..60).map(|i| format!("%t{i} = type {{ %t{0}, %t{0} }}\n", i - 1)).collect::<String>() + &body("  %q = getelementptr %t59, ptr %p, i64 1")),
        13 => body(&format!("  %v = alloca [{n} x [{n} x [{n} x i64]]]\n  store ptr %v, ptr %p")),
        14 => body(&(0..n.min(20_000)).map(|i| format!("  %v{i} = add i32 %n, {i}\n  store volatile i32 %v{i}, ptr %p\n")).collect::<String>()),
        15 => format!("define void @f(ptr %p, i32 %n) {{\nentry:\n  switch i32 %n, label %e [{}]\ne:\n  ret void\n}}", (0..n.min(20_000)).map(|i| format!("i32 {i}, label %e ")).collect::<String>()),
        16 => "define void @f(ptr %p) {\n  %r = call ptr @f2(ptr %p)\n  ret void\n}\ndeclare ptr @f2(ptr) \"target-features\"=\"+nothing,-sse,-sse2\" \"target-cpu\"=\"none\"".to_owned(),
        17 => format!("target datalayout = \"e-p:{n}:{n}-i64:{n}\"\n{}", body("")),
        18 => format!("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n{}", body(&format!("  call void @llvm.memcpy.p0.p0.i64(ptr align {} %p, ptr %p, i64 {n}000, i1 true)", 1_u64 << (n % 40)))),
        19 => body(&format!("  %v = load i32, ptr addrspace({n}) null\n  store i32 %v, ptr %p")),
        20 => format!("define void @f(ptr %p) \"stack-probe-size\"=\"{n}\" \"probe-stack\"=\"inline-asm\" {{\n  %a = alloca [{n} x i8], align 4096\n  store ptr %a, ptr %p\n  ret void\n}}"),
        21 => format!("@g = global ptr getelementptr (i8, ptr @g, i64 {n})\n@h = global i128 ptrtoint (ptr @g to i128)\n{}", body("")),
        22 => format!("define void @f(ptr %p) personality ptr null {{\n  invoke void @f(ptr %p) to label %a unwind label %b\na:\n  ret void\nb:\n  %l = landingpad {{ ptr, i{} }} cleanup\n  ret void\n}}", 1 + n % 4096),
        _ => format!("!llvm.module.flags = !{{!0}}\n!0 = !{{i32 {n}, !\"Debug Info Version\", i32 {n}}}\n!llvm.dbg.cu = !{{!1}}\n!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)\n!2 = !DIFile(filename: \"{}\", directory: \"\")\n{}", "x".repeat(n.min(5000)), body("")),
    };
    text.into_bytes()
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }
}
