//! Handles that cannot go stale: a concurrent table of objects named by generation-tagged slotmap keys.

mod arena;
mod bits;
mod builder;
mod chunks;
mod epoch;
mod error;
mod family;
mod instance;
mod kind;
mod shard;
mod sites;
mod slot;
mod stats;
mod sync;
mod table;
mod tags;

pub use arena::Arena;
pub use builder::ArenaBuilder;
pub use epoch::{Barrier, Scope};
pub use error::{ArenaError, Full, HandleError, History, InsertChildError, InstanceError};
pub use family::Family;
pub use instance::Instance;
pub use kind::{Handle, Kind};
#[doc(hidden)]
pub use slotmap;
pub use stats::ArenaStats;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("handles are 64-bit words that pass as pointers: this crate needs 64-bit pointers");
