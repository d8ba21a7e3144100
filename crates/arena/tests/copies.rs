//! Two copies of the library in one process, as two shared libraries that were linked with it would bring
//! them.
//!
//! This test is itself the second copy: it compiles the sources of the crate once more, with statics of their
//! own.

#![cfg(not(loom))]
#![allow(dead_code, unused_imports, unreachable_pub, reason = "most of the copy is not used here")]
#![allow(missing_docs, reason = "the documentation is the first copy's")]

#[path = "../src/arena.rs"]
mod arena;
#[path = "../src/bits.rs"]
mod bits;
#[path = "../src/builder.rs"]
mod builder;
#[path = "../src/children.rs"]
mod children;
#[path = "../src/chunks.rs"]
mod chunks;
#[path = "../src/epoch/mod.rs"]
mod epoch;
#[path = "../src/error.rs"]
mod error;
#[path = "../src/family.rs"]
mod family;
#[path = "../src/instance.rs"]
mod instance;
#[path = "../src/kind.rs"]
mod kind;
#[path = "../src/shard.rs"]
mod shard;
#[path = "../src/sites.rs"]
mod sites;
#[path = "../src/slot.rs"]
mod slot;
#[path = "../src/stats.rs"]
mod stats;
#[path = "../src/sync.rs"]
mod sync;
#[path = "../src/table.rs"]
mod table;
#[path = "../src/tags.rs"]
mod tags;

pub use arena::Arena;
pub use builder::ArenaBuilder;
pub use epoch::{Barrier, Scope};
pub use error::{ArenaError, Full, HandleError, History, InsertChildError, InstanceError};
pub use family::Family;
pub use instance::Instance;
pub use kind::{Handle, Kind};
pub use slotmap;
pub use stats::ArenaStats;

mod first {
    pub(crate) use oarlock_arena::{Arena, HandleError, Instance};

    oarlock_arena::handles! {
        pub(crate) struct BoatKey = 1, "boat";
    }
}

handles! {
    pub(crate) struct BoatKey = 1, "boat";
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "copies know of each other on Linux only")]
fn copies_share_the_tags_of_a_process() {
    let mut tags = Vec::new();
    for _ in 0..3 {
        // One after the other, then again: a tag stays with the copy that had it first.
        let (ours, theirs) = (Instance::new().unwrap(), first::Instance::new().unwrap());
        let boats: Arena<BoatKey, &str> = Arena::new(&ours);
        let others: first::Arena<first::BoatKey, &str> = first::Arena::new(&theirs);
        let (boat, other) = (boats.insert("ours").unwrap(), others.insert("theirs").unwrap());

        // All that crosses a C interface is a word.
        let error = boats.key_from_word(others.to_word(other)).unwrap_err();
        assert!(matches!(error, HandleError::Foreign { .. }), "{error}");
        let error = others.key_from_word(boats.to_word(boat)).unwrap_err();
        assert!(matches!(error, first::HandleError::Foreign { .. }), "{error}");
        tags.push((ours.tag(), theirs.tag()));
    }
    assert!(tags.iter().all(|&(ours, theirs)| ours != theirs), "{tags:?}");

    // Together they have the 64 of the process.
    let all: Vec<_> = std::iter::from_fn(|| Instance::new().ok()).collect();
    let first: Vec<_> = std::iter::from_fn(|| first::Instance::new().ok()).collect();
    assert_eq!(all.len() + first.len(), 64);
    let error = Instance::new().unwrap_err();
    let InstanceError::AllTagsTaken { elsewhere, .. } = error;
    assert_eq!(elsewhere, first.len());
}
