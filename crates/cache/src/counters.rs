//! What the cache has done, as numbers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::StoredStats;

/// What a cache has done since it was made, and what it holds now.
///
/// Every lookup is a hit, a wait or a miss; a miss then finds an equal program's image (a shared hit), waits for
/// one, finds it in the store ([`StoredStats::hits`]), is told of a failure that is remembered, or compiles. (A
/// waiter whose compiler panicked looks again, and is counted again.) The numbers are read one by one: while other
/// threads use the cache, they may be a few operations apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Lookups that found their image under their own key.
    pub hits: u64,
    /// Lookups that found nothing under their own key.
    pub misses: u64,
    /// Misses that found the image of an equal program.
    pub shared_hits: u64,
    /// What the store below has done; all zeros without one.
    pub stored: StoredStats,
    /// Lookups that joined a compile under way, for their own key or an equal program's.
    pub waits: u64,
    /// Compiles begun.
    pub compiles: u64,
    /// Compiles that ended in an error or a panic.
    pub failures: u64,
    /// Lookups answered with a failure that was remembered, instead of another compile.
    pub remembered: u64,
    /// Compiles that succeeded for a key that had been erased meanwhile: returned, not kept.
    pub late: u64,
    /// Images that left because they had no owner and the budget did not hold them.
    pub evictions: u64,
    /// Keys and targets that have an image now.
    pub entries: u64,
    /// Images held now: equal programs have one between them.
    pub images: u64,
    /// Images among them that no program owns, within the budget.
    pub idle: u64,
    /// Bytes of the images held now.
    pub bytes_live: u64,
    /// Bytes of the images among them that no program owns.
    pub bytes_idle: u64,
    /// Bytes given back so far, by erasing, evicting or dropping the cache.
    pub bytes_erased: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) hits: AtomicU64,
    pub(crate) misses: AtomicU64,
    pub(crate) waits: AtomicU64,
    pub(crate) compiles: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) late: AtomicU64,
    pub(crate) shared_hits: AtomicU64,
    pub(crate) remembered: AtomicU64,
    pub(crate) evictions: AtomicU64,
    entries: AtomicU64,
    images: AtomicU64,
    bytes_live: AtomicU64,
    bytes_erased: AtomicU64,
}

impl Counters {
    /// The numbers; `idle` counts images and bytes without an owner.
    pub(crate) fn stats(&self, idle: (u64, u64), stored: StoredStats) -> Stats {
        Stats {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            waits: self.waits.load(Relaxed),
            compiles: self.compiles.load(Relaxed),
            failures: self.failures.load(Relaxed),
            late: self.late.load(Relaxed),
            shared_hits: self.shared_hits.load(Relaxed),
            evictions: self.evictions.load(Relaxed),
            remembered: self.remembered.load(Relaxed),
            stored,
            entries: self.entries.load(Relaxed),
            images: self.images.load(Relaxed),
            idle: idle.0,
            bytes_idle: idle.1,
            bytes_live: self.bytes_live.load(Relaxed),
            bytes_erased: self.bytes_erased.load(Relaxed),
        }
    }

    /// An image came into the cache.
    pub(crate) fn image_in(&self, bytes: u64) {
        self.images.fetch_add(1, Relaxed);
        self.bytes_live.fetch_add(bytes, Relaxed);
    }

    /// An image left the cache.
    pub(crate) fn image_out(&self, bytes: u64) {
        self.images.fetch_sub(1, Relaxed);
        self.bytes_live.fetch_sub(bytes, Relaxed);
        self.bytes_erased.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn entry_in(&self) {
        self.entries.fetch_add(1, Relaxed);
    }

    pub(crate) fn entry_out(&self) {
        self.entries.fetch_sub(1, Relaxed);
    }
}

pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}
