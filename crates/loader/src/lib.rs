//! A relocatable host object becomes executable memory, and back.
//!
//! [`LoadedObject::load`] takes the bytes of an x86-64 ELF object as a compiler writes them, lays its
//! sections out in one reservation of memory between guard pages, resolves and applies its relocations,
//! and makes code executable and constants read-only: no page is ever writable and executable at once.
//! Dropping the object runs its destructors and gives the memory back.
//!
//! An object may reach nothing of the process but what a resolver gives it; [`runtime_symbol`] is a
//! resolver for what compilers call on their own account (memory functions, libm, wide integers, half
//! precision floats).
//!
//! Damaged or hostile *objects* are errors. What well-formed code *does* once it runs is the caller's
//! trust: see [`LoadedObject::run_constructors`].

mod atexit;
mod error;
mod file;
mod layout;
mod lists;
mod mapping;
mod object;
mod relocate;
mod runtime;
mod symbols;

pub use error::LoadError;
pub use mapping::{live_mappings, mapped_bytes};
pub use object::{LoadedObject, Symbol};
pub use runtime::runtime_symbol;
