//! What the cache has done, as numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a cache has done since it was made, and what it holds now.
///
/// Every lookup ends as one hit, one wait or one miss. (A waiter whose compiler panicked looks again,
/// and is counted again.) The numbers are read one by one: while other threads use the cache, they
/// may be a few operations apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Lookups that found their image.
    pub hits: u64,
    /// Lookups that found nothing and compiled.
    pub misses: u64,
    /// Lookups that joined a compile under way.
    pub waits: u64,
    /// Compiles begun.
    pub compiles: u64,
    /// Compiles that ended in an error or a panic.
    pub failures: u64,
    /// Compiles that succeeded for a key that had been erased meanwhile: returned, not kept.
    pub late: u64,
    /// Images held now.
    pub entries: u64,
    /// Bytes held now.
    pub bytes_live: u64,
    /// Bytes given back so far, by erasing or by dropping the cache.
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
    entries: AtomicU64,
    bytes_live: AtomicU64,
    bytes_erased: AtomicU64,
}

impl Counters {
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            waits: self.waits.load(Relaxed),
            compiles: self.compiles.load(Relaxed),
            failures: self.failures.load(Relaxed),
            late: self.late.load(Relaxed),
            entries: self.entries.load(Relaxed),
            bytes_live: self.bytes_live.load(Relaxed),
            bytes_erased: self.bytes_erased.load(Relaxed),
        }
    }
}

pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}

/// An image that the cache holds, on the books for as long as this lives.
///
/// The books are kept by `Drop`, because an image leaves by more than one way: erased, displaced by
/// the next program in its slot, or together with the cache.
#[derive(Debug)]
pub(crate) struct Held<V> {
    image: Arc<V>,
    bytes: u64,
    counters: Arc<Counters>,
}

impl<V> Held<V> {
    pub(crate) fn new(image: Arc<V>, bytes: u64, counters: Arc<Counters>) -> Self {
        counters.entries.fetch_add(1, Relaxed);
        counters.bytes_live.fetch_add(bytes, Relaxed);
        Self { image, bytes, counters }
    }

    pub(crate) fn image(&self) -> &Arc<V> {
        &self.image
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<V> Drop for Held<V> {
    fn drop(&mut self) {
        self.counters.entries.fetch_sub(1, Relaxed);
        self.counters.bytes_live.fetch_sub(self.bytes, Relaxed);
        self.counters.bytes_erased.fetch_add(self.bytes, Relaxed);
    }
}
