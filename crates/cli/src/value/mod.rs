//! Element types and single values, as bytes in memory.

mod dtype;
mod generate;
mod number;

pub(crate) use dtype::DType;
pub(crate) use generate::{Fill, fill};
pub(crate) use number::{json, parse, show};
