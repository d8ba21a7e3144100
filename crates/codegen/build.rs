//! Says what to do when LLVM 22 is missing, before a wall of linker errors does not.

#![allow(clippy::print_stderr, reason = "a build script speaks on stderr")]

use std::path::Path;
use std::{env, process};

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let config = Path::new(&prefix).join("bin/llvm-config");
    println!("cargo:rerun-if-changed={}", config.display());
    if !config.exists() {
        eprintln!(
            "\nOarlock compiles with LLVM 22, and {} does not exist.\n\
             Run `cargo xtask setup` (on Debian and Ubuntu it installs llvm-22-dev),\n\
             or point LLVM_SYS_221_PREFIX at an LLVM 22 installation.\n",
            config.display()
        );
        process::exit(1);
    }
}
