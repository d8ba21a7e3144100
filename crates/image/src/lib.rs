//! What bytes are, before and after compiling.
//!
//! - [`Format`] tells program formats apart by their first bytes, never by a file's name.
//! - [`Image`] is what the compiler makes of a program for one [`Target`]: code bytes and the
//!   [`Metadata`] that a launch needs, so that nobody parses bitcode again to run a kernel.
//!   [`Image::to_bytes`] and [`Image::from_bytes`] carry it from one process to another.
//! - [`abi`] is the contract between the code of a host image and the executor that calls it.
//!
//! This crate knows no LLVM, no device and no handle.

#![forbid(unsafe_code)]

pub mod abi;
mod container;
mod fit;
mod format;
mod image;
mod metadata;
mod target;

pub use container::DecodeError;
pub use format::Format;
pub use image::Image;
pub use metadata::{Dialect, Global, Kernel, Metadata, Param, ParamKind};
pub use target::Target;
