//! The JIT cache: what a program's key owns, compiled once, erased when the program is unloaded.
//!
//! # Which program
//! An entry is found by the *slotmap key* of the program and by the target, never by an address: a
//! key names one program for ever, so an entry cannot be mistaken for that of a later program that
//! lies where an earlier one lay. [`Cache::erase`] removes all that a key owns, and remembers that it
//! did: a compile that ends after its program was unloaded leaves nothing behind, and neither does
//! one that starts then.
//!
//! # Once
//! [`Cache::get_or_compile`] is single flight. Of any number of threads that ask for one entry, one
//! compiles and the others wait for it; different entries compile in parallel, and no lock is held
//! while they do. A failure wakes the waiters with the same error and is not remembered.
//!
//! # Shared
//! [`Cache::get_or_compile_shared`] adds a level below: images by [`Digest`]. Live programs of equal
//! content have one image between them. When the last of them goes, the image goes too, or stays within
//! the budget of [`Cache::set_budget`], so that the next equal program finds it.
//!
//! # Kept
//! With a [`Store`], [`Cache::get_or_compile_kept`] adds a level below that: entries in a directory
//! ([`FileStore`]) that other processes find. Each holds the whole [`Recipe`] of its image and a checksum
//! ([`Entry`]); whatever is wrong with one is a miss, and replaced. A store that fails is left alone for a while.
//!
//! The cache knows no compiler and no device. It is given a closure that compiles, and a function
//! that weighs the result.
//!
//! # Examples
//! ```
//! use oarlock_cache::Cache;
//! use slotmap::{DefaultKey, SlotMap};
//!
//! let mut programs: SlotMap<DefaultKey, &str> = SlotMap::new();
//! let program = programs.insert("source");
//! let cache: Cache<DefaultKey, &str, Vec<u8>, String> = Cache::new(Vec::len);
//!
//! let first = cache.get_or_compile(program, &"znver4", || Ok(vec![0x90; 64]))?;
//! let again = cache.get_or_compile(program, &"znver4", || Err("not called".into()))?;
//! assert!(std::sync::Arc::ptr_eq(&first, &again));
//!
//! assert_eq!(cache.erase(program), 64);
//! assert_eq!(cache.stats().bytes_live, 0);
//! # Ok::<(), String>(())
//! ```

#![forbid(unsafe_code)]

mod cache;
mod counters;
mod digest;
mod entry;
mod flight;
mod held;
mod lasting;
mod owned;
mod recipe;
mod shared;
mod store;
mod stored;

pub use cache::Cache;
pub use counters::Stats;
pub use digest::Digest;
pub use entry::{Entry, EntryError};
pub use recipe::{Name, Part, Recipe};
pub use store::{FileStore, FileStoreBuilder, Listed, Store, StoreError};
pub use stored::{Codec, StoredStats};
