//! The table behind an arena: slots, who may have them, and what waits for readers.
//!
//! Locks are taken in this order and never nested otherwise: a family's, then a shard's. The line of sealed
//! bags and the heap of graves are taken alone. No code of a user runs under any of them.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_utils::CachePadded;

use crate::bits::{
    LAST_GENERATION, MOST_SLOTS, Parts,
    state::{self, Holds},
};
use crate::children::{Graves, Parents, Tie};
use crate::chunks::Chunks;
use crate::epoch::Domain;
use crate::instance::Collect;
use crate::shard::Shard;
use crate::sites::Sites;
use crate::slot::Slot;
use crate::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use crate::sync::{Mutex, lock, shard_of_thread};
use crate::{ArenaStats, Full, Kind};

/// Slots that a shard takes over at a time.
const BLOCK: u32 = if cfg!(loom) { 2 } else { 512 };
/// Shares of a table: threads beyond so many begin to meet.
const SHARDS: usize = if cfg!(loom) { 1 } else { 8 };
/// Removed objects that one shard holds before it looks whether earlier ones can go.
const BAG: usize = if cfg!(loom) { 2 } else { 128 };

/// What was taken out of a slot and may still be read.
#[derive(Debug)]
pub(crate) struct Shell<T> {
    _object: Arc<T>,
    _tie: Option<Tie>,
}

/// A shard under its lock, on lines of its own.
type Share<T> = CachePadded<Mutex<Shard<Shell<T>>>>;

/// What a table is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    pub(crate) tag: u8,
    /// Generations start above this one.
    pub(crate) floor: u32,
    /// Generations that an index has.
    pub(crate) generations: u32,
    pub(crate) capacity: u32,
    pub(crate) sites: bool,
}

pub(crate) struct Table<T> {
    /// First, beside each other: what a resolve reads.
    pub(crate) slots: Chunks<Slot<T>>,
    pub(crate) domain: Arc<Domain>,
    pub(crate) kind: Kind,
    pub(crate) tag: u8,
    pub(crate) floor: u32,
    /// The last generation of an index of this table.
    pub(crate) last: u32,
    capacity: u32,
    pub(crate) parents: Parents,
    pub(crate) graves: Graves,
    pub(crate) sites: Sites,
    shards: Box<[Share<T>]>,
    /// Blocks that shards have taken over, and the shard of each.
    blocks: AtomicU32,
    owners: Box<[AtomicU8]>,
    sealed: Mutex<VecDeque<(u64, Vec<Shell<T>>)>>,
}

/// A slot that is nobody else's. Dropped, it goes back, and its generation is spent.
pub(crate) struct Reserved<'t, T> {
    table: &'t Table<T>,
    pub(crate) parts: Parts,
}

impl<T> Table<T> {
    pub(crate) fn new(domain: Arc<Domain>, plan: Plan) -> Self {
        let capacity = plan.capacity.clamp(1, MOST_SLOTS);
        let shard = || CachePadded::new(Mutex::new(Shard::new(plan.floor)));
        Self {
            slots: Chunks::new(),
            domain,
            kind: plan.kind,
            tag: plan.tag,
            floor: plan.floor,
            last: plan.floor.saturating_add(plan.generations).min(LAST_GENERATION),
            capacity,
            parents: Parents::new(),
            graves: Graves::default(),
            sites: Sites::new(plan.sites),
            shards: (0..SHARDS).map(|_| shard()).collect(),
            blocks: AtomicU32::new(0),
            owners: (0..capacity.div_ceil(BLOCK)).map(|_| AtomicU8::new(0)).collect(),
            sealed: Mutex::new(VecDeque::new()),
        }
    }

    /// A slot for a new object, with a handle that was never given out.
    pub(crate) fn reserve(&self) -> Result<Reserved<'_, T>, Full> {
        self.sweep(SWEEP);
        let home = shard_of_thread() % SHARDS;
        let turn = || (0..SHARDS).find_map(|next| self.reserve_in((home + next) % SHARDS));
        let found = turn().or_else(|| {
            // The children of ended families may hold what is needed.
            self.sweep(usize::MAX);
            turn()
        });
        let (index, generation) = found.ok_or_else(|| self.full())?;
        Ok(Reserved { table: self, parts: Parts { index, generation, tag: self.tag } })
    }

    fn reserve_in(&self, number: usize) -> Option<(u32, u32)> {
        if self.floor >= self.last {
            return None;
        }
        let mut shard = lock(&self.shards[number]);
        if shard.fresh.is_empty()
            && !shard.is_ripe()
            && let Some(block) = self.new_block()
        {
            self.owners[block as usize].store(number as u8, Ordering::Relaxed);
            let first = block * BLOCK;
            let end = (first + BLOCK).min(self.capacity);
            // A block lies in one chunk.
            self.slots.make(first);
            shard.fresh = first..end;
        }
        shard.reserve(&self.slots, self.floor)
    }

    fn new_block(&self) -> Option<u32> {
        let all = self.owners.len() as u32;
        let more = |taken| (taken < all).then_some(taken + 1);
        self.blocks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()
    }

    /// Takes a slot back that the caller owns, and what was in it.
    pub(crate) fn give_back(&self, index: u32, shell: Option<(Arc<T>, Option<Tie>)>) {
        let owner = self.owners[(index / BLOCK) as usize].load(Ordering::Relaxed);
        let mut shard = lock(&self.shards[usize::from(owner)]);
        shard.give_back(&self.slots, index, self.last);
        let Some((object, tie)) = shell else { return };
        shard.bag.push(Shell { _object: object, _tie: tie });
        if shard.bag.len() < BAG {
            return;
        }
        let bag = std::mem::replace(&mut shard.bag, Vec::with_capacity(BAG));
        drop(shard);
        self.seal(bag);
        self.domain.try_advance();
        self.free_sealed();
    }

    fn seal(&self, bag: Vec<Shell<T>>) {
        let stamp = self.domain.stamp();
        lock(&self.sealed).push_back((stamp, bag));
    }

    /// Drops the bags whose time has come.
    fn free_sealed(&self) -> usize {
        let mut freed = 0;
        loop {
            let mut sealed = lock(&self.sealed);
            match sealed.front() {
                Some(&(stamp, _)) if self.domain.is_over(stamp) => {}
                _ => return freed,
            }
            let bag = sealed.pop_front();
            drop(sealed);
            freed += bag.map_or(0, |(_, bag)| bag.len());
        }
    }

    /// The table's share of an object that was just unpublished.
    ///
    /// # Safety
    /// `object` came out of [`Slot::unpublish`] of this table, and this is the only call for it.
    pub(crate) unsafe fn own(&self, object: *const T) -> Arc<T> {
        // SAFETY: every published pointer came from Arc::into_raw, and its share goes with it.
        unsafe { Arc::from_raw(object) }
    }

    fn full(&self) -> Full {
        let stats = self.stats();
        // With no generation left to begin with, every slot is as good as retired.
        let retired = if self.floor >= self.last { stats.capacity } else { stats.retired };
        Full { kind: self.kind, capacity: stats.capacity, live: stats.live, retired }
    }

    pub(crate) fn stats(&self) -> ArenaStats {
        let slots = (self.blocks.load(Ordering::Relaxed).saturating_mul(BLOCK)).min(self.capacity);
        let mut stats =
            ArenaStats { capacity: self.capacity as usize, slots: slots as usize, ..ArenaStats::default() };
        for shard in &self.shards {
            let shard = lock(shard);
            stats.live += shard.live;
            stats.retired += shard.retired;
            stats.ever_issued += shard.issued;
            stats.undropped += shard.bag.len();
        }
        stats.undropped += lock(&self.sealed).iter().map(|(_, bag)| bag.len()).sum::<usize>();
        // Children whose family has ended are dead, even where their slots are still to be swept.
        stats.unswept = self.graves.len();
        stats.live = stats.live.saturating_sub(stats.unswept);
        stats
    }

    /// The highest generation that was given out.
    pub(crate) fn highest(&self) -> u32 {
        self.shards.iter().map(|shard| lock(shard).highest).max().unwrap_or(self.floor)
    }

    /// Every slot that is in use or has been.
    pub(crate) fn each_slot(&self) -> impl Iterator<Item = (u32, &Slot<T>)> {
        let all = (self.blocks.load(Ordering::Relaxed).saturating_mul(BLOCK)).min(self.capacity);
        (0..all).filter_map(|index| Some((index, self.slots.get(index)?)))
    }
}

/// How many dead children a creation sweeps on its way.
const SWEEP: usize = 32;

impl<T> Reserved<'_, T> {
    /// Publishes the object: its slot is in this state from now on.
    pub(crate) fn publish(self, object: Arc<T>, state: u32) {
        self.table.slots.at(self.parts.index).publish(state, Arc::into_raw(object));
        std::mem::forget(self);
    }
}

impl<T> Drop for Reserved<'_, T> {
    fn drop(&mut self) {
        self.table.give_back(self.parts.index, None);
    }
}

impl<T: Send + Sync> Collect for Table<T> {
    fn settle(&self) {
        self.sweep(usize::MAX);
        for shard in &self.shards {
            let bag = std::mem::take(&mut lock(shard).bag);
            if !bag.is_empty() {
                self.seal(bag);
            }
        }
    }

    fn free(&self) -> usize {
        self.free_sealed()
    }
}

impl<T> Drop for Table<T> {
    fn drop(&mut self) {
        for (index, slot) in self.each_slot() {
            let state = slot.state();
            if matches!(state::holds(state), Holds::Object(_) | Holds::Child(_))
                && let Some(object) = slot.unpublish(state)
            {
                let _tie = self.parents.untie(index);
                // SAFETY: it was unpublished just now, by this call only.
                drop(unsafe { self.own(object) });
            }
        }
    }
}
