//! Who may have which slot: a share of a table's slots under one lock.
//!
//! Each thread takes from one shard, so threads seldom meet. A slot belongs to its shard for life. Free
//! slots are a queue through the slots themselves, first in, first out: the longest dead is reused first.

use std::ops::Range;

use crate::bits::{END, state};
use crate::chunks::Chunks;
use crate::slot::Slot;

/// Fewer free slots than this are not reused while the table can still grow, so that a loop which
/// creates and destroys spreads over many slots instead of spending the generations of one.
pub(crate) const REUSE_FROM: u32 = if cfg!(loom) { 1 } else { 256 };

/// One share.
#[derive(Debug)]
pub(crate) struct Shard<G> {
    /// Slots of its newest block that have never been used.
    pub(crate) fresh: Range<u32>,
    oldest: u32,
    newest: u32,
    free: u32,
    /// Slots that hold an object or are reserved for one.
    pub(crate) live: usize,
    /// Slots whose generations are spent.
    pub(crate) retired: usize,
    /// Handles given out, those of failed creations included.
    pub(crate) issued: u64,
    /// The highest generation given out.
    pub(crate) highest: u32,
    /// What has been taken out and waits for readers.
    pub(crate) bag: Vec<G>,
}

impl<G> Shard<G> {
    pub(crate) fn new(floor: u32) -> Self {
        Self {
            fresh: 0..0,
            oldest: END,
            newest: END,
            free: 0,
            live: 0,
            retired: 0,
            issued: 0,
            highest: floor,
            bag: Vec::new(),
        }
    }

    /// Whether there are so many free slots that the oldest may be reused.
    pub(crate) fn is_ripe(&self) -> bool {
        self.free >= REUSE_FROM
    }

    /// Reserves a slot: its index and the new generation in it.
    pub(crate) fn reserve<T>(&mut self, slots: &Chunks<Slot<T>>, floor: u32) -> Option<(u32, u32)> {
        let index = if !self.is_ripe()
            && let Some(fresh) = self.fresh.next()
        {
            fresh
        } else {
            self.pop(slots).or_else(|| self.fresh.next())?
        };
        let slot = slots.at(index);
        let generation = state::generation(slot.state()).max(floor) + 1;
        slot.empty(state::reserved(generation));
        self.live += 1;
        self.issued += 1;
        self.highest = self.highest.max(generation);
        Some((index, generation))
    }

    /// Takes a slot back that the caller owns and that holds nothing. At its last generation it is never
    /// given out again.
    pub(crate) fn give_back<T>(&mut self, slots: &Chunks<Slot<T>>, index: u32, last: u32) {
        let slot = slots.at(index);
        let generation = state::generation(slot.state());
        self.live -= 1;
        if generation >= last {
            self.retired += 1;
            slot.empty(state::retired(generation));
            return;
        }
        slot.empty(state::vacant(generation));
        if self.newest == END {
            self.oldest = index;
        } else {
            slots.at(self.newest).set_next(index);
        }
        self.newest = index;
        self.free += 1;
    }

    fn pop<T>(&mut self, slots: &Chunks<Slot<T>>) -> Option<u32> {
        let index = self.oldest;
        if index == END {
            return None;
        }
        self.oldest = slots.at(index).next();
        if self.oldest == END {
            self.newest = END;
        }
        self.free -= 1;
        Some(index)
    }
}
