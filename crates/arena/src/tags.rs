//! Which instance a handle is of: a number per living instance of the process.
//!
//! A tag is used again when its instance is gone. The next instance with it starts above the highest
//! generation that was given out under it, so no handle of the earlier one can come to life.
//!
//! A process may hold several copies of this crate, say in two shared libraries, each with its own memory of
//! tags. They share the 64: a copy claims a tag for good before it first uses it ([`claims`]).

use std::sync::{Mutex, PoisonError};

use crate::InstanceError;
use crate::bits::{LAST_GENERATION, TAG_BITS};

const TAGS: usize = 1 << TAG_BITS;

#[derive(Clone, Copy)]
struct Tag {
    /// This copy of the crate has it, and keeps it.
    claimed: bool,
    /// A living instance has it.
    held: bool,
    /// Generations up to this one have been given out under the tag.
    floor: u32,
}

/// A standard mutex even under loom: no protocol of this crate depends on it.
static ALL: Mutex<[Tag; TAGS]> = Mutex::new([Tag { claimed: false, held: false, floor: 0 }; TAGS]);

/// A tag that no other living instance has.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) tag: u8,
    /// The generation above which handles may be given out.
    pub(crate) floor: u32,
}

impl Held {
    /// A free tag with many generations left: of those that this copy has, or else a new one.
    pub(crate) fn take() -> Result<Self, InstanceError> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let own = |all: &[Tag; TAGS], below: u32| {
            let usable = |&tag: &usize| all[tag].claimed && !all[tag].held && all[tag].floor < below;
            (0..TAGS).filter(usable).min_by_key(|&tag| all[tag].floor)
        };
        let found = own(&all, LAST_GENERATION / 2)
            .or_else(|| (0..TAGS).find(|&tag| !all[tag].claimed && claims::claim(tag)))
            .or_else(|| own(&all, LAST_GENERATION));
        if let Some(number) = found {
            let tag = &mut all[number];
            (tag.claimed, tag.held) = (true, true);
            return Ok(Self { tag: number as u8, floor: tag.floor });
        }
        let count = |which: fn(&Tag) -> bool| all.iter().filter(|tag| which(tag)).count();
        Err(InstanceError::AllTagsTaken {
            tags: TAGS,
            held: count(|tag| tag.held),
            spent: count(|tag| tag.claimed && !tag.held),
            elsewhere: count(|tag| !tag.claimed),
        })
    }

    /// Notes that generations up to this one have been given out.
    pub(crate) fn raise(&mut self, generation: u32) {
        self.floor = self.floor.max(generation);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all[usize::from(self.tag)] = Tag { claimed: true, held: false, floor: self.floor };
    }
}

/// Claims among the copies of this crate in one process.
///
/// What copies in one process have in common, and no other process has, is the kernel's view of it: they lock
/// one byte each of a file of `/proc/self`. The locks are of the kind that belongs to an open file, so two
/// copies exclude each other; they go with the process.
#[cfg(all(target_os = "linux", not(miri), not(loom)))]
mod claims {
    use std::fs::{File, OpenOptions};
    use std::os::fd::AsRawFd;
    use std::sync::OnceLock;

    /// A file that every process may open for writing, which a lock needs. Nothing is written.
    const FILE: &str = "/proc/self/coredump_filter";
    /// Where the bytes begin, far from what others may lock.
    const FIRST: i64 = 0x6f61_726c_0000;

    /// Whether this copy has the tag now. Where the file cannot be had, no copy knows of another.
    pub(super) fn claim(tag: usize) -> bool {
        static OPEN: OnceLock<Option<File>> = OnceLock::new();
        let open = OPEN.get_or_init(|| OpenOptions::new().read(true).write(true).open(FILE).ok());
        let Some(file) = open else { return true };
        // SAFETY: flock is a C struct of integers, for which zeros are valid.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = libc::F_WRLCK as libc::c_short;
        lock.l_whence = libc::SEEK_SET as libc::c_short;
        lock.l_start = FIRST + tag as i64;
        lock.l_len = 1;
        // SAFETY: the descriptor is open, and `lock` is a flock that lives over the call, which only reads
        // it.
        let result = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) };
        let held_elsewhere = [libc::EAGAIN, libc::EACCES];
        result == 0 || !held_elsewhere.contains(&std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
    }
}

/// Elsewhere, copies do not know of each other.
#[cfg(any(not(target_os = "linux"), miri, loom))]
mod claims {
    pub(super) fn claim(_: usize) -> bool {
        true
    }
}
