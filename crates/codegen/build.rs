//! Finds LLVM and links it, or says what to do.
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
