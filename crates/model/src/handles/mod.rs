//! Handles: a model, the real tables, and the comparison of the two.
//!
//! Tables are generic over the number of generations, so that with a few bits every run sees slots retire and
//! tables fill up for good.

mod fuzz;
mod harness;
mod invariants;
mod kinds;
mod model;
mod op;
mod world;

pub use fuzz::{api_sequence, handles};
pub use harness::{Divergence, Harness, Seen};
pub use kinds::{DeviceKey, EventKey, Kind, ProgramKey, QueueKey, SymbolKey};
pub use model::{Model, Name, Object};
pub use op::Op;
pub use world::{CAPACITY, RUNTIMES};
