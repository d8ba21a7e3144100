//! The cache: look up, compile once, erase.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use slotmap::Key;

use crate::counters::{Counters, count};
use crate::flight::{Flight, Outcome};
use crate::held::Held;
use crate::owned::{Found, Owned};
use crate::shared::{Product, Shared};
use crate::stored::Stored;
use crate::{Codec, Digest, Recipe, Stats, Store};

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
    shared: Arc<Shared<V, E>>,
    counters: Arc<Counters>,
    weigh: fn(&V) -> usize,
    stored: Option<Stored<V>>,
}

/// A store that failed is left alone for so long.
const PAUSE: Duration = Duration::from_secs(30);

impl<K: Key, T: Eq + Clone, V, E: Clone> Cache<K, T, V, E> {
    /// An empty cache. `weigh` tells how many bytes an image takes. Images that no program owns are
    /// not kept; [`set_budget`](Self::set_budget) changes that.
    pub fn new(weigh: fn(&V) -> usize) -> Self {
        let counters = Arc::<Counters>::default();
        let shared = Arc::new(Shared::new(counters.clone()));
        Self { owned: RwLock::new(Owned::new()), shared, counters, weigh, stored: None }
    }

    /// The cache with a level below, for [`get_or_compile_kept`](Self::get_or_compile_kept). A store that fails
    /// is left alone for half a minute.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn Store>, codec: Codec<V>) -> Self {
        self.with_store_and_pause(store, codec, PAUSE)
    }

    /// As [`with_store`](Self::with_store), with another time for which a store that failed is left alone.
    #[must_use]
    pub fn with_store_and_pause(mut self, store: Arc<dyn Store>, codec: Codec<V>, pause: Duration) -> Self {
        self.stored = Some(Stored::new(store, codec, pause));
        self
    }

    /// Sets which failures are remembered, and for how long: for the same digest, the same error is the answer
    /// then, without another compile. Meant for what is dear to find out, such as a program that takes the
    /// compiler down. By default no failure is remembered. Those of [`get_or_compile`](Self::get_or_compile),
    /// which has no digest, never are.
    pub fn set_lasting(&self, lasts: fn(&E) -> Option<Duration>) {
        self.shared.set_lasting(lasts);
    }

    /// Sets how many bytes of images without an owner are kept for equal programs to come; the one
    /// longest without an owner goes first. Returns how many bytes the cache let go of for it.
    ///
    /// With 0 an image goes with its last owner.
    pub fn set_budget(&self, bytes: u64) -> u64 {
        self.shared.set_budget(bytes)
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
        self.find_or(key, target, || Ok((self.compile(key, compile)?, None)))
    }

    /// As [`get_or_compile`](Self::get_or_compile), and shared: programs whose `digest` is equal have
    /// one image between them, and one compile.
    ///
    /// `digest` must cover all that the image depends on, `target` included.
    ///
    /// # Errors
    /// As [`get_or_compile`](Self::get_or_compile).
    ///
    /// # Examples
    /// ```
    /// use oarlock_cache::{Cache, Digest};
    /// use slotmap::{DefaultKey, SlotMap};
    ///
    /// let mut programs: SlotMap<DefaultKey, ()> = SlotMap::new();
    /// let (a, b) = (programs.insert(()), programs.insert(()));
    /// let cache: Cache<DefaultKey, &str, Vec<u8>, String> = Cache::new(Vec::len);
    ///
    /// let digest = Digest([7; 32]);
    /// cache.get_or_compile_shared(a, &"znver4", digest, || Ok(vec![0x90; 64]))?;
    /// cache.get_or_compile_shared(b, &"znver4", digest, || Err("not called".into()))?;
    /// assert_eq!(cache.erase(a), 0, "the other program has it still");
    /// assert_eq!(cache.erase(b), 64);
    /// # Ok::<(), String>(())
    /// ```
    pub fn get_or_compile_shared(
        &self,
        key: K,
        target: &T,
        digest: Digest,
        compile: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        self.find_or(key, target, || {
            self.shared.get_or_compile(digest, self.weigh, || self.compile(key, compile))
        })
    }

    /// As [`get_or_compile_shared`](Self::get_or_compile_shared), and kept: what no live program has is looked for
    /// in the store, and what was compiled is put there. Without a store it is the same.
    ///
    /// # Errors
    /// As [`get_or_compile`](Self::get_or_compile). Nothing that goes wrong with the store is an error.
    pub fn get_or_compile_kept(
        &self,
        key: K,
        target: &T,
        recipe: &Recipe<'_>,
        compile: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        self.find_or(key, target, || {
            self.shared.get_or_compile(recipe.digest(), self.weigh, || self.kept(key, recipe, compile))
        })
    }

    /// The image of `recipe` out of the store, or else compiled and put there.
    fn kept(&self, key: K, recipe: &Recipe<'_>, compile: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let Some(stored) = &self.stored else { return self.compile(key, compile) };
        let miss = match stored.find(recipe) {
            Ok(image) => return Ok(Arc::new(image)),
            Err(miss) => miss,
        };
        let image = self.compile(key, compile)?;
        stored.keep(recipe, &image, miss);
        Ok(image)
    }

    /// Removes all that `key` owns, and keeps anything from being stored under it again.
    ///
    /// Returns how many bytes the cache let go of. Images that are in use elsewhere live on there.
    pub fn erase(&self, key: K) -> u64 {
        let erased = self.owned.write().erase(key);
        let entries = erased.len();
        // The images are dropped here, outside the lock.
        let bytes = erased.into_iter().map(|e| e.let_go()).sum();
        if entries > 0 {
            tracing::debug!(target: "oarlock::cache", key = word(key), entries, bytes, "erase");
        }
        bytes
    }

    /// What the cache has done and what it holds.
    pub fn stats(&self) -> Stats {
        let stored = self.stored.as_ref().map(Stored::stats).unwrap_or_default();
        self.counters.stats(self.shared.idle(), stored)
    }

    fn hit(&self, key: K, image: Arc<V>) -> Arc<V> {
        count(&self.counters.hits);
        tracing::trace!(target: "oarlock::cache", key = word(key), "hit");
        image
    }

    /// The image under `key`, or else what `produce` gives, once for all who ask.
    fn find_or(
        &self,
        key: K,
        target: &T,
        produce: impl FnOnce() -> Result<Product<V, E>, E>,
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
                Some(Found::Flight(_) | Found::Erased) => {
                    count(&self.counters.misses);
                    let (image, _share) = produce()?;
                    self.late(key);
                    return Ok(image);
                }
                None => {
                    count(&self.counters.misses);
                    return self.produce_as_leader(key, &mine, produce);
                }
            }
        }
    }

    fn produce_as_leader(
        &self,
        key: K,
        flight: &Arc<Flight<V, E>>,
        produce: impl FnOnce() -> Result<Product<V, E>, E>,
    ) -> Result<Arc<V>, E> {
        let mut seat = Seat { cache: self, key, flight, landed: false };
        let result = match produce() {
            Ok(product) => {
                let image = product.0.clone();
                seat.keep(product);
                Ok(image)
            }
            Err(error) => {
                self.owned.write().clear(key, flight);
                Err(error)
            }
        };
        flight.land(Outcome::Done(result.clone()));
        seat.landed = true;
        result
    }

    fn compile(&self, key: K, compile: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
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

/// The leader's seat: given up in order, also when the compiler panics.
struct Seat<'c, K: Key, T: Eq + Clone, V, E: Clone> {
    cache: &'c Cache<K, T, V, E>,
    key: K,
    flight: &'c Arc<Flight<V, E>>,
    landed: bool,
}

impl<K: Key, T: Eq + Clone, V, E: Clone> Seat<'_, K, T, V, E> {
    fn keep(&self, product: Product<V, E>) {
        let bytes = (self.cache.weigh)(&product.0) as u64;
        // Where it is not wanted it is dropped at the end of this function, not under the lock.
        let mut product = Some(product);
        let hold = || product.take().map(|p| Held::new(p, bytes, self.cache.counters.clone()));
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
