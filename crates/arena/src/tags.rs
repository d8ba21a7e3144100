//! Which instance a handle is of: a number per living instance of the process.
//!
//! A tag is used again when its instance is gone. The next instance with it starts above the highest
//! generation that was given out under it, so no handle of the earlier one can come to life.

use std::sync::{Mutex, PoisonError};

use crate::InstanceError;
use crate::bits::{LAST_GENERATION, TAG_BITS};

const TAGS: usize = 1 << TAG_BITS;

#[derive(Clone, Copy)]
struct Tag {
    held: bool,
    /// Generations up to this one have been given out under the tag.
    floor: u32,
}

/// A standard mutex even under loom: no protocol of this crate depends on it.
static ALL: Mutex<[Tag; TAGS]> = Mutex::new([Tag { held: false, floor: 0 }; TAGS]);

/// A tag that no other living instance has.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) tag: u8,
    /// The generation above which handles may be given out.
    pub(crate) floor: u32,
}

impl Held {
    /// The free tag with the most generations left.
    pub(crate) fn take() -> Result<Self, InstanceError> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let free = all.iter_mut().enumerate().filter(|(_, tag)| !tag.held && tag.floor < LAST_GENERATION);
        if let Some((number, tag)) = free.min_by_key(|(_, tag)| tag.floor) {
            tag.held = true;
            return Ok(Self { tag: number as u8, floor: tag.floor });
        }
        let held = all.iter().filter(|tag| tag.held).count();
        let spent = all.iter().filter(|tag| !tag.held && tag.floor == LAST_GENERATION).count();
        Err(InstanceError::AllTagsTaken { tags: TAGS, held, spent })
    }

    /// Notes that generations up to this one have been given out.
    pub(crate) fn raise(&mut self, generation: u32) {
        self.floor = self.floor.max(generation);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all[usize::from(self.tag)] = Tag { held: false, floor: self.floor };
    }
}
