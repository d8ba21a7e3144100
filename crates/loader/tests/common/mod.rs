//! What the tests share: a compiler where there is one, and a look at this process.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::io::Write;
use std::process::{Command, Stdio};

use oarlock_loader::{LoadError, LoadedObject, runtime_symbol};

/// Compiles `source` to an object; `None`, with the reason on stderr, where the compiler is missing.
pub(crate) fn clang(language: &str, source: &str, flags: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("clang-22");
    command
        .args(["-x", language, "-O1", "-c", "-o", "-", "-w", "-march=x86-64", "-fno-exceptions"])
        .args(flags)
        .arg("-");
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(e) => {
            skipped(&format!("clang-22 does not start: {e}"));
            return None;
        }
    };
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "clang-22 {flags:?} failed");
    Some(output.stdout)
}

#[allow(clippy::print_stderr, reason = "a test that does not run says so")]
fn skipped(reason: &str) {
    eprintln!("SKIPPED: {reason}");
}

pub(crate) fn load(object: &[u8]) -> Result<LoadedObject, LoadError> {
    LoadedObject::load(object, &runtime_symbol)
}

/// The function called `name`, as a function pointer of type `F`.
pub(crate) fn call<F: Copy>(object: &LoadedObject, name: &str) -> F {
    let symbol = object.symbol(name).unwrap();
    assert!(symbol.executable && size_of::<F>() == size_of::<usize>());
    // SAFETY: the tests name functions of the type that they ask for, and keep the object while they call.
    unsafe { std::mem::transmute_copy(&symbol.address) }
}

pub(crate) fn resident_pages() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse().unwrap()
}

pub(crate) fn executable_mappings() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines().filter(|line| line.contains("r-xp")).count()
}
