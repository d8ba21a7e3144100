//! Finds LLVM and links it, or says what to do; takes a fingerprint of the compiler's sources.
//!
//! The LLVM bindings can do this too. They are told not to (`no-llvm-linking`), because where LLVM is
//! missing they stop the build with a text of their own, before this script, which knows the command that
//! helps, has its turn.

#![allow(clippy::print_stderr, reason = "a build script speaks on stderr")]

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo:rustc-env=OARLOCK_CODEGEN_BUILD={:016x}", fingerprint(&SOURCES));
    let prefix =
        std::env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let config = prefix.join("bin/llvm-config");
    println!("cargo:rerun-if-changed={}", config.display());
    match link(&config) {
        Ok((folder, library)) => {
            println!("cargo:rustc-link-search=native={folder}");
            println!("cargo:rustc-link-lib=dylib={library}");
        }
        Err(why) => {
            eprintln!(
                "\nOarlock compiles with LLVM 22.1, and {} {why}.\n\
                 Run `cargo xtask setup` (on Debian and Ubuntu it installs llvm-22-dev),\n\
                 or point LLVM_SYS_221_PREFIX at an installation of LLVM 22.1.\n",
                config.display()
            );
            exit(1);
        }
    }
}

/// What makes the code. The last is not there where this crate was not built from its repository; its version tells
/// enough then.
const SOURCES: [&str; 3] = ["src", "include", "../image/src/abi.rs"];

/// A number that changes with any byte of any of the files: with it, a cache tells builds of one version apart. It is
/// the same wherever the same sources are built.
fn fingerprint(roots: &[&str]) -> u64 {
    let mut files = Vec::new();
    for root in roots {
        println!("cargo:rerun-if-changed={root}");
        collect(Path::new(root), &mut files);
    }
    files.sort();
    // FNV-1a, 64 bits: nobody makes sources meet on purpose.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut feed = |bytes: &[u8]| {
        for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    for file in files {
        feed(file.as_os_str().as_encoded_bytes());
        feed(&std::fs::read(&file).unwrap_or_default());
    }
    hash
}

/// All files at and beneath `path`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

/// The folder and the name of LLVM's shared library, or what is wrong with this `llvm-config`.
fn link(config: &Path) -> Result<(String, String), String> {
    let ask = |arguments: &[&str]| {
        let output =
            Command::new(config).args(arguments).output().map_err(|e| format!("cannot be run ({e})"))?;
        if !output.status.success() {
            return Err(format!("says: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let version = ask(&["--version"])?;
    if !version.starts_with("22.1.") {
        return Err(format!("is of LLVM {version}"));
    }
    let libraries = ask(&["--link-shared", "--libs"])?;
    let library =
        libraries.strip_prefix("-l").ok_or_else(|| format!("names no shared library, but: {libraries}"))?;
    Ok((ask(&["--libdir"])?, library.to_owned()))
}
