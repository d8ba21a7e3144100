//! What the tests of isolation share.
#![allow(dead_code, reason = "every test file uses a part")]

use std::path::Path;
use std::time::Duration;

use oarlock::worker::{Client, Config, Limits, Program, WorkerError};
use oarlock::{Compiler, Image, Options, Target};

/// The worker that does what a program's comments say.
pub(crate) fn worker() -> Program {
    Program::Path(env!("CARGO_BIN_EXE_oarlock-tests-worker").into())
}

/// Short limits, so that what runs past them is soon over.
pub(crate) fn config() -> Config {
    let limits =
        Limits::default().with_time(Duration::from_secs(5), Duration::from_secs(10)).with_memory(1 << 30);
    Config::default().program(worker()).limits(limits)
}

pub(crate) fn target() -> Target {
    Compiler::new().host_target()
}

pub(crate) fn compile(client: &Client, program: &[u8]) -> Result<Image, WorkerError> {
    client.compile(program, &target(), &Options::default())
}

/// A small program, different for each number, with a comment for the worker.
pub(crate) fn program(number: u32, comment: &str) -> String {
    format!("; {comment}\ndefine void @mark(ptr %out) {{\n  store i32 {number}, ptr %out\n  ret void\n}}\n")
}

/// Bitcode of several kinds of kernel.
pub(crate) const MODULES: [&[u8]; 5] = [
    include_bytes!("../../kernels/vector_add.bc"),
    include_bytes!("../../../crates/cli/tests/data/saxpy.bc"),
    include_bytes!("reduce.bc"),
    include_bytes!("lifecycle.bc"),
    include_bytes!("local.bc"),
];

/// Says what was measured.
#[allow(clippy::print_stdout, reason = "the figures of a test are for whoever runs it with --nocapture")]
pub(crate) fn tell(line: std::fmt::Arguments<'_>) {
    println!("{line}");
}

/// Descriptors that are open in this process.
pub(crate) fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Children of this process, and those of them that are dead and not reaped.
pub(crate) fn children() -> (usize, usize) {
    let me = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|p| std::fs::read_to_string(p.path().join("stat")).ok());
    // number (name) state parent: the name may hold anything, a bracket too.
    let fields = stats.filter_map(|s| s.rsplit_once(") ").map(|(_, rest)| rest.to_owned()));
    let ours: Vec<String> = fields.filter(|f| f.split(' ').nth(1) == Some(&me)).collect();
    (ours.len(), ours.iter().filter(|f| f.starts_with('Z')).count())
}

/// Files of ours in the folder for temporary files, by name.
pub(crate) fn temporary_files() -> Vec<String> {
    let all = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let names = all.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains("oarlock-w") || name.contains("oarlock-was")).collect()
}

pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    stat.is_ok_and(|s| !s.contains(") Z "))
}
