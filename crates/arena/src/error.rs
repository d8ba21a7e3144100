//! The answers of a table other than an object.

use std::fmt;
use std::panic::Location;

use crate::Kind;

/// Why a handle was not answered with an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandleError {
    /// The null handle.
    #[error("null where a {expected} handle is expected; pass a handle that was given out")]
    Null {
        /// The kind that was asked for.
        expected: Kind,
    },
    /// Bits that no table of this crate gives out: an address, a number, damage.
    #[error(
        "{word:#x} has not the form of a handle, where a {expected} is expected; \
         pass what create returned, unchanged"
    )]
    NotAHandle {
        /// The word, or the word form of the key.
        word: u64,
        /// The kind that was asked for.
        expected: Kind,
    },
    /// A handle of another kind.
    #[error("handle {word:#x} is a {found}, where a {expected} is expected; pass a {expected} handle")]
    WrongKind {
        /// The kind that was asked for.
        expected: Kind,
        /// The kind in the word.
        found: Kind,
        /// The word.
        word: u64,
    },
    /// A handle of another runtime in this process.
    #[error("handle {word:#x} is a {expected} of another runtime; use it with the runtime that gave it out")]
    Foreign {
        /// The kind that was asked for.
        expected: Kind,
        /// The word form of the handle.
        word: u64,
    },
    /// The handle of an object that was destroyed. Also the answer to a second destroy.
    #[error(
        "handle {word:#x} is stale: its {kind} was destroyed, and a handle is never given out again; \
         use the handle of a live {kind}{}", Told(.history.as_ref())
    )]
    Stale {
        /// What the handle was.
        kind: Kind,
        /// The word form of the handle.
        word: u64,
        /// Where it was created and destroyed, where the table remembers that.
        history: Option<History>,
    },
    /// A handle of the right form that was not given out, or not yet.
    #[error("handle {word:#x} was never given out as a {kind}; was the word damaged or guessed?")]
    NeverIssued {
        /// The kind that was asked for.
        kind: Kind,
        /// The word form of the handle.
        word: u64,
    },
    /// The scope was pinned on another instance, and protects nothing in this table.
    #[error(
        "the scope belongs to another instance than the table of {expected} handles; \
         pin the instance that the table was made with"
    )]
    WrongScope {
        /// The kind in the table.
        expected: Kind,
    },
}

/// Where an object was created and destroyed, in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct History {
    /// The call that created it.
    pub created: &'static Location<'static>,
    /// The call that destroyed it, or that ended its family.
    pub destroyed: Option<&'static Location<'static>>,
}

/// The history as the tail of a message.
struct Told<'h>(Option<&'h History>);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(history) = self.0 else { return Ok(()) };
        write!(f, " (created at {}", history.created)?;
        if let Some(destroyed) = history.destroyed {
            write!(f, ", destroyed at {destroyed}")?;
        }
        f.write_str(")")
    }
}

/// There is no slot for one more object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no room for one more {kind}: of {capacity} slots, {live} hold live objects and {retired} have no \
     handles left; destroy some, or make the table larger"
)]
#[non_exhaustive]
pub struct Full {
    /// What the table holds.
    pub kind: Kind,
    /// The most slots the table may have.
    pub capacity: usize,
    /// Objects that live, or are being made.
    pub live: usize,
    /// Slots whose generations are spent.
    pub retired: usize,
}

/// Why a child was not inserted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InsertChildError {
    /// There is no slot.
    #[error(transparent)]
    Full(#[from] Full),
    /// The family has ended: the child would have been born dead.
    #[error("the parent of the new {kind} has been destroyed; create it under a live parent")]
    Ended {
        /// What should have been inserted.
        kind: Kind,
    },
}

/// No instance could be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// Every tag is held by a living instance, or has no generations left.
    #[error(
        "no room for one more runtime: of the {tags} that a process may hold, {held} live, {elsewhere} \
         belong to other copies of this library, and {spent} have no handles left; drop a runtime first"
    )]
    AllTagsTaken {
        /// How many tags there are.
        tags: usize,
        /// Those of living instances.
        held: usize,
        /// Those whose generations are used up.
        spent: usize,
        /// Those that other copies of this crate in the process have claimed.
        elsewhere: usize,
    },
}

/// No table could be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The instance has a table of this kind already: two would give out the same handles.
    #[error(
        "this instance already has a table with kind code {}, of {existing} handles; \
         give {wanted} handles a code of their own", .wanted.code()
    )]
    KindTaken {
        /// The kind of the table that there is.
        existing: Kind,
        /// The kind of the new one.
        wanted: Kind,
    },
}
