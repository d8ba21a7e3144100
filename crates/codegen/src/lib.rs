//! LLVM bitcode plus a [`Target`] gives a compiled [`Image`].
//!
//! [`Compiler::compile`] takes a program in any dialect that [`Dialect`] names and makes host code of it:
//! parse, verify, lint, retarget, supply built-in functions, turn each kernel into a function that runs a
//! range of work-groups, optimise, emit. What each step does stands at the head of its module:
//!
//! | step | module |
//! |---|---|
//! | size, magic, structure, before LLVM reads | `container_walk` |
//! | parse, verify, run passes, emit; collect diagnostics | `session` |
//! | refuse what a device cannot run, by name | `lint` |
//! | triple, layout, attributes, conventions, address spaces | `retarget` |
//! | id functions, barriers and mathematics of each dialect | `dialect` |
//! | group memory, barriers, loops over items and groups | `spmd` |
//!
//! A kernel in the native dialect is an ordinary function in C, C++, Rust or textual IR that calls the
//! functions of [`KERNEL_HEADER`].
//!
//! Every call makes its own LLVM context, so any number of threads may compile at once.
//! The process is LLVM's: bitcode that is damaged *inside* can kill LLVM's reader, and this process with it.
//! Compile only bytes that you have reason to trust.

mod compiler;
mod container_walk;
mod dialect;
mod error;
mod ir;
mod lint;
mod options;
mod retarget;
mod session;
mod spmd;

pub use compiler::{Compiler, Emit, ModuleInfo};
pub use container_walk::{MAX_PROGRAM_BYTES, check_bytes};
pub use error::CompileError;
pub use oarlock_image::{Dialect, Image, Target};
pub use options::{OptLevel, Options};

/// The C header for kernels in the native dialect: id functions, barrier, group memory.
pub const KERNEL_HEADER: &str = include_str!("../include/oarlock/kernel.h");
