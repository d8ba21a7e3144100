//! The cache: look up, compile once, erase.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::RwLock;
use slotmap::Key;

use crate::Stats;
use crate::counters::{Counters, Held, count};
use crate::flight::{Flight, Outcome};
use crate::owned::{Found, Owned};

/// Images by program key and target.
///
/// `K` is the programs' key type, `T` the target, `V` the image, `E` the compiler's error. All keys
/// must come from one table of programs; their slot numbers should be dense, since the cache keeps a
/// small record for each slot.
///
/// See the [crate's documentation](crate).
#[derive(Debug)]
pub struct Cache<K: Key, T, V, E> {
    owned: RwLock<Owned<K, T, V, E>>,
    counters: Arc<Counters>,
    weigh: fn(&V) -> usize,
}

impl<K: Key, T: Eq + Clone, V, E: Clone> Cache<K, T, V, E> {
    /// An empty cache. `weigh` tells how many bytes an image takes.
    pub fn new(weigh: fn(&V) -> usize) -> Self {
        Self { owned: RwLock::new(Owned::new()), counters: Arc::default(), weigh }
    }

    /// The image for `key` and `target`, if it has been compiled. Not counted as a lookup.
    pub fn get(&self, key: K, target: &T) -> Option<Arc<V>> {
        self.owned.read().image(key, target).cloned()
    }

    /// The image for `key` and `target`; `compile` makes it where it is not there.
    ///
    /// Single flight: while one thread compiles, others that ask for the same entry wait for it and
    /// get the same image or the same error. If `compile` panics, the panic goes on in its thread,
    /// and one of those that wait compiles instead. A `compile` that asks for its own entry again
    /// compiles a second time instead of waiting for itself.
    ///
    /// For a key that was erased, before or while compiling, the image is returned and not kept.
    /// The same goes for the null key.
    ///
    /// # Errors
    /// What `compile` returned, here or in the thread that was waited for. The next lookup tries again.
    pub fn get_or_compile(
        &self,
        key: K,
        target: &T,
        compile: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(image) = self.get(key, target) {
            return Ok(self.hit(key, image));
        }
        loop {
            let mine = Arc::new(Flight::new());
            // A statement of its own: the lock must be released before anything slow begins.
            let found = self.owned.write().find_or_enter(key, target, &mine);
            match found {
                Some(Found::Image(image)) => return Ok(self.hit(key, image)),
                Some(Found::Flight(flight)) if !flight.is_mine() => {
                    count(&self.counters.waits);
                    tracing::trace!(target: "oarlock::cache", key = word(key), "wait");
                    if let Outcome::Done(result) = flight.wait() {
                        return result;
                    }
                }
                Some(Found::Flight(_) | Found::Erased) => return self.compile_unkept(key, compile),
                None => return self.compile_as_leader(key, mine, compile),
            }
        }
    }

    /// Removes all that `key` owns, and keeps anything from being stored under it again.
    ///
    /// Returns how many bytes the cache let go of. Images that are in use elsewhere live on there.
    pub fn erase(&self, key: K) -> u64 {
        let erased = self.owned.write().erase(key);
        let bytes = erased.iter().map(|e| e.bytes()).sum();
        if !erased.is_empty() {
            tracing::debug!(
                target: "oarlock::cache",
                key = word(key), entries = erased.len(), bytes, "erase"
            );
        }
        // The images are dropped here, outside the lock.
        bytes
    }

    /// What the cache has done and what it holds.
    pub fn stats(&self) -> Stats {
        self.counters.stats()
    }

    fn hit(&self, key: K, image: Arc<V>) -> Arc<V> {
        count(&self.counters.hits);
        tracing::trace!(target: "oarlock::cache", key = word(key), "hit");
        image
    }

    fn compile_as_leader(
        &self,
        key: K,
        flight: Arc<Flight<V, E>>,
        compile: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let mut seat = Seat { cache: self, key, flight: &flight, landed: false };
        let result = self.compile(key, compile);
        match &result {
            Ok(image) => seat.keep(image),
            Err(_) => self.owned.write().clear(key, &flight),
        }
        flight.land(Outcome::Done(result.clone()));
        seat.landed = true;
        result
    }

    fn compile_unkept(&self, key: K, compile: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let image = self.compile(key, compile)?;
        self.late(key);
        Ok(image)
    }

    fn compile(&self, key: K, compile: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        count(&self.counters.misses);
        count(&self.counters.compiles);
        let mut failure = CountFailure { counters: &self.counters, failed: true };
        let start = Instant::now();
        let image = compile().map(Arc::new);
        failure.failed = image.is_err();
        tracing::debug!(
            target: "oarlock::cache",
            key = word(key), ok = image.is_ok(), micros = start.elapsed().as_micros() as u64, "compile"
        );
        image
    }

    fn late(&self, key: K) {
        count(&self.counters.late);
        tracing::debug!(target: "oarlock::cache", key = word(key), "not kept: the program is gone");
    }
}

impl<K: Key, T, V, E> Drop for Cache<K, T, V, E> {
    fn drop(&mut self) {
        tracing::debug!(target: "oarlock::cache", stats = ?self.counters.stats(), "drop");
    }
}

/// The leader's seat: given up in order, also when the compiler panics.
struct Seat<'c, K: Key, T: Eq + Clone, V, E: Clone> {
    cache: &'c Cache<K, T, V, E>,
    key: K,
    flight: &'c Arc<Flight<V, E>>,
    landed: bool,
}

impl<K: Key, T: Eq + Clone, V, E: Clone> Seat<'_, K, T, V, E> {
    fn keep(&self, image: &Arc<V>) {
        let bytes = (self.cache.weigh)(image) as u64;
        let hold = || Held::new(image.clone(), bytes, self.cache.counters.clone());
        let kept = self.cache.owned.write().settle(self.key, self.flight, hold);
        if !kept {
            self.cache.late(self.key);
        }
    }
}

impl<K: Key, T: Eq + Clone, V, E: Clone> Drop for Seat<'_, K, T, V, E> {
    fn drop(&mut self) {
        if !self.landed {
            self.cache.owned.write().clear(self.key, self.flight);
            self.flight.land(Outcome::Abandoned);
        }
    }
}

/// Counts a failure unless told otherwise, so that a panic counts as one.
struct CountFailure<'c> {
    counters: &'c Counters,
    failed: bool,
}

impl Drop for CountFailure<'_> {
    fn drop(&mut self) {
        if self.failed {
            count(&self.counters.failures);
        }
    }
}

fn word<K: Key>(key: K) -> u64 {
    key.data().as_ffi()
}
