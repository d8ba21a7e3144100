//! Handles that cannot go stale: a concurrent table of objects named by generation-tagged slotmap keys.
//!
//! A handle names one object, for ever. The handle of a destroyed object, of another kind, of another
//! runtime, or made of noise is answered with a typed error; it never reaches another object. Not after its
//! slot is used again, not after the generations of the slot are used up.
//!
//! # Use
//! ```
//! use oarlock_arena::{Arena, HandleError, Instance};
//!
//! oarlock_arena::handles! {
//!     /// Names a boat.
//!     pub struct BoatKey = 1, "boat";
//! }
//!
//! let instance = Instance::new()?;
//! let boats: Arena<BoatKey, String> = Arena::new(&instance);
//! let boat = boats.insert("Ariel".to_owned())?;
//!
//! // One pin for a whole call of an API; then each resolve is a few loads.
//! let scope = instance.pin();
//! assert_eq!(boats.get(&scope, boat)?, "Ariel");
//! drop(scope);
//!
//! // Who waits takes a share instead.
//! let share = boats.get_arc(boat)?;
//!
//! // The destroyer gets the object, once.
//! boats.remove(boat)?;
//! assert!(matches!(boats.remove(boat), Err(HandleError::Stale { .. })));
//! assert_eq!(*share, "Ariel");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Side tables
//! Keys are slotmap keys, dense from 0, and a later object in a slot has the newer version. So slotmap's
//! secondary maps hang on them, and do as they do with slotmap's own:
//!
//! ```
//! use oarlock_arena::{Arena, Instance};
//! use slotmap::SecondaryMap;
//! # oarlock_arena::handles! { pub struct BoatKey = 1, "boat"; }
//!
//! let instance = Instance::new()?;
//! let boats: Arena<BoatKey, ()> = Arena::new(&instance);
//! let mut length: SecondaryMap<BoatKey, f32> = SecondaryMap::new();
//!
//! let boat = boats.insert(())?;
//! length.insert(boat, 5.5);
//! boats.remove(boat)?;
//! let next = boats.insert(())?;
//! assert_eq!(length.get(next), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! One side table is for one instance. Keys of two instances are different, but share indices.
//!
//! # What is promised
//! - *Resolve* is wait-free and writes nothing. *Pin* writes one line of the thread's own.
//! - *Insert* and *remove* take one lock of a share of the table, which is no other thread's as long as there
//!   are no more than eight; nobody's code runs under it.
//! - *Remove* unpublishes at once. The object goes when the caller's share and the table's are gone, the
//!   table's when no thread that was pinned at the time still is.
//! - A slot serves 2^24 - 1 objects and then never again. [`Full`] is an error.
//! - While a thread stays pinned, removed objects stay in memory: [`ArenaStats::undropped`] shows how many.
//! - After a fork, the child may go on with its copies if no other thread of the parent was inside a call of
//!   this crate; a thread that was pinned then stands against reclamation in the child for ever.
//!
//! # Untrusted input
//! Words and keys may be any bits: they are compared, and never followed. What is not bounded by this crate
//! is the time of `Drop` of the objects.

#![warn(missing_debug_implementations)]

mod arena;
mod bits;
mod builder;
mod children;
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
