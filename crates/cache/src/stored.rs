//! Level 3: images that outlive the process.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::counters::count;
use crate::{Entry, EntryError, Part, Recipe, Store, StoreError};

/// How an image becomes bytes and comes back.
#[derive(Debug)]
pub struct Codec<V> {
    /// The image as bytes.
    pub encode: fn(&V) -> Vec<u8>,
    /// The image of `bytes`, if that is what the bytes are and it is an image of this recipe.
    pub decode: fn(&Recipe<'_>, &[u8]) -> Option<V>,
}

/// What level 3 has done since the cache was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredStats {
    /// Lookups that found their image.
    pub hits: u64,
    /// Lookups that found nothing: no entry of the program was seen.
    pub miss_new: u64,
    /// Lookups that found the program compiled by another compiler, or another version of it.
    pub miss_compiler: u64,
    /// Lookups that found the program compiled for another target.
    pub miss_target: u64,
    /// Lookups that found the program compiled with other options.
    pub miss_options: u64,
    /// Lookups that found an entry that was damaged, or one of another version of the layout.
    pub miss_damaged: u64,
    /// Lookups while the store could not be read.
    pub miss_unavailable: u64,
    /// Entries written.
    pub writes: u64,
    /// Entries among them that took the place of a damaged one.
    pub repairs: u64,
    /// Entries not written, because the store could not be written.
    pub unwritten: u64,
    /// Entries that this process removed to make room.
    pub evictions: u64,
    /// Bytes of the entries that were found.
    pub bytes_read: u64,
    /// Bytes of the entries that were written.
    pub bytes_written: u64,
}

#[derive(Debug, Default)]
struct Counters {
    hits: AtomicU64,
    miss_new: AtomicU64,
    miss_compiler: AtomicU64,
    miss_target: AtomicU64,
    miss_options: AtomicU64,
    miss_damaged: AtomicU64,
    miss_unavailable: AtomicU64,
    writes: AtomicU64,
    repairs: AtomicU64,
    unwritten: AtomicU64,
    evictions: AtomicU64,
    bytes_read: AtomicU64,
    bytes_written: AtomicU64,
}

/// Why an image was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    New,
    Differs(Part),
    Damaged,
    Unavailable,
}

/// A store and how to use it.
#[derive(Debug)]
pub(crate) struct Stored<V> {
    store: Arc<dyn Store>,
    codec: Codec<V>,
    reading: Pause,
    writing: Pause,
    counters: Counters,
}

impl<V> Stored<V> {
    /// After a failure the store is left alone for `pause`.
    pub(crate) fn new(store: Arc<dyn Store>, codec: Codec<V>, pause: Duration) -> Self {
        let [reading, writing] = [Pause::new(pause), Pause::new(pause)];
        Self { store, codec, reading, writing, counters: Counters::default() }
    }

    /// The image of `recipe`, out of the store.
    pub(crate) fn find(&self, recipe: &Recipe<'_>) -> Result<V, Miss> {
        let found = self.look(recipe);
        let reason = match &found {
            Ok(_) => "hit",
            Err(Miss::New) => "new",
            Err(Miss::Differs(part)) => part.name(),
            Err(Miss::Damaged) => "damaged",
            Err(Miss::Unavailable) => "unavailable",
        };
        count(match &found {
            Ok(_) => &self.counters.hits,
            Err(Miss::New) => &self.counters.miss_new,
            Err(Miss::Differs(Part::Compiler)) => &self.counters.miss_compiler,
            Err(Miss::Differs(Part::Target)) => &self.counters.miss_target,
            Err(Miss::Differs(Part::Options)) => &self.counters.miss_options,
            Err(Miss::Damaged) => &self.counters.miss_damaged,
            Err(Miss::Unavailable) => &self.counters.miss_unavailable,
        });
        tracing::debug!(target: "oarlock::cache", reason, "store: look up");
        found
    }

    fn look(&self, recipe: &Recipe<'_>) -> Result<V, Miss> {
        if self.reading.is_on() {
            return Err(Miss::Unavailable);
        }
        let name = recipe.name();
        let bytes = match self.store.read(&name) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(self.store.difference(&name).map_or(Miss::New, Miss::Differs)),
            Err(error) => {
                self.reading.start(&error);
                return Err(Miss::Unavailable);
            }
        };
        let image = self.open(recipe, &bytes).map_err(|error| {
            tracing::warn!(target: "oarlock::cache", %name, %error, "store: bad entry");
            Miss::Damaged
        })?;
        self.counters.bytes_read.fetch_add(bytes.len() as u64, Relaxed);
        Ok(image)
    }

    fn open(&self, recipe: &Recipe<'_>, bytes: &[u8]) -> Result<V, EntryError> {
        let entry = Entry::open(bytes)?;
        if entry.recipe != *recipe {
            return Err(EntryError::Recipe);
        }
        (self.codec.decode)(recipe, entry.image).ok_or(EntryError::Image)
    }

    /// Puts an image into the store that was not found there, for the reason `miss`.
    pub(crate) fn keep(&self, recipe: &Recipe<'_>, image: &V, miss: Miss) {
        if self.writing.is_on() {
            count(&self.counters.unwritten);
            return;
        }
        let bytes = Entry::seal(recipe, &(self.codec.encode)(image));
        match self.store.write(&recipe.name(), &bytes) {
            Ok(evicted) => {
                count(&self.counters.writes);
                if miss == Miss::Damaged {
                    count(&self.counters.repairs);
                }
                self.counters.evictions.fetch_add(evicted, Relaxed);
                self.counters.bytes_written.fetch_add(bytes.len() as u64, Relaxed);
            }
            Err(error) => {
                count(&self.counters.unwritten);
                self.writing.start(&error);
            }
        }
    }

    pub(crate) fn stats(&self) -> StoredStats {
        let counters = &self.counters;
        StoredStats {
            hits: counters.hits.load(Relaxed),
            miss_new: counters.miss_new.load(Relaxed),
            miss_compiler: counters.miss_compiler.load(Relaxed),
            miss_target: counters.miss_target.load(Relaxed),
            miss_options: counters.miss_options.load(Relaxed),
            miss_damaged: counters.miss_damaged.load(Relaxed),
            miss_unavailable: counters.miss_unavailable.load(Relaxed),
            writes: counters.writes.load(Relaxed),
            repairs: counters.repairs.load(Relaxed),
            unwritten: counters.unwritten.load(Relaxed),
            evictions: counters.evictions.load(Relaxed),
            bytes_read: counters.bytes_read.load(Relaxed),
            bytes_written: counters.bytes_written.load(Relaxed),
        }
    }
}

/// A time in which something that failed is not tried again.
#[derive(Debug)]
struct Pause {
    length: Duration,
    until: Mutex<Option<Instant>>,
}

impl Pause {
    fn new(length: Duration) -> Self {
        Self { length, until: Mutex::new(None) }
    }

    fn is_on(&self) -> bool {
        self.until.lock().is_some_and(|until| Instant::now() < until)
    }

    /// Warns, and starts. One warning per pause is enough, whatever fails meanwhile.
    fn start(&self, error: &StoreError) {
        let until = Instant::now().checked_add(self.length);
        let again = {
            let mut current = self.until.lock();
            let again = current.is_some_and(|until| Instant::now() < until);
            *current = until;
            again
        };
        if !again {
            tracing::warn!(target: "oarlock::cache", %error, "store: paused");
        }
    }
}
