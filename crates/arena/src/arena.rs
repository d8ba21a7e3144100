//! The table of one kind of object.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use crate::bits::state::{self, Holds};
use crate::bits::{self, GENERATION_BITS, Parts};
use crate::family::State;
use crate::slot::Slot;
use crate::table::Table;
use crate::{
    ArenaBuilder, ArenaStats, Family, Full, Handle, HandleError, InsertChildError, Instance, Kind, Scope,
};

/// A concurrent table of objects, each named by a key that names it for ever.
///
/// `GENERATIONS` is the number of bits from which a slot's generations are counted: after `2^GENERATIONS - 1`
/// objects a slot retires. The default is what there is room for in a key; fewer bits are for tests that
/// want to see slots retire.
///
/// All methods may be called from any thread at any time, and none waits for a reader.
pub struct Arena<K: Handle, T: Send + Sync + 'static, const GENERATIONS: u32 = GENERATION_BITS> {
    table: Arc<Table<T>>,
    instance: Arc<Instance>,
    of: PhantomData<fn(K) -> K>,
}

impl<K: Handle, T: Send + Sync + 'static> Arena<K, T> {
    /// A table with the default capacity, 2^24 - 1 slots. None is allocated before it is used.
    ///
    /// # Panics
    /// When the instance has a table with this kind's code: two would give out the same handles. The
    /// [builder](Self::builder) answers with an error instead.
    #[must_use]
    pub fn new(instance: &Arc<Instance>) -> Self {
        Self::builder(instance).build().unwrap_or_else(|error| panic!("{error}"))
    }

    /// A table of at most so many slots.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn with_capacity_limit(instance: &Arc<Instance>, slots: usize) -> Self {
        Self::builder(instance).capacity(slots).build().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<K: Handle, T: Send + Sync + 'static, const GENERATIONS: u32> Arena<K, T, GENERATIONS> {
    /// A table to measure.
    #[must_use]
    pub fn builder(instance: &Arc<Instance>) -> ArenaBuilder<K, T, GENERATIONS> {
        ArenaBuilder::new(instance)
    }

    pub(crate) fn of(table: Arc<Table<T>>, instance: Arc<Instance>) -> Self {
        Self { table, instance, of: PhantomData }
    }

    /// Puts an object in.
    ///
    /// # Errors
    /// [`Full`]; the object is dropped.
    #[track_caller]
    pub fn insert(&self, value: T) -> Result<K, Full> {
        self.insert_with(|_| Ok(value))
    }

    /// Puts an object in that knows its own handle. While the closure runs, the handle is answered with
    /// [`HandleError::NeverIssued`]; no lock is held. If the closure fails or panics, the handle is spent.
    ///
    /// # Errors
    /// [`Full`], before the closure is called, or what the closure returns.
    #[track_caller]
    pub fn insert_with<E: From<Full>>(&self, make: impl FnOnce(K) -> Result<T, E>) -> Result<K, E> {
        let reserved = self.table.reserve()?;
        let parts = reserved.parts;
        let key = K::from(parts.data());
        // A failure drops the reservation.
        let object = Arc::new(make(key)?);
        self.table.sites.created(parts.index, parts.generation, Location::caller());
        reserved.publish(object, parts.version());
        Ok(key)
    }

    /// Puts a child in, which goes stale in the same step as all others of its family.
    ///
    /// # Errors
    /// [`InsertChildError::Full`], or [`InsertChildError::Ended`] when the family has ended; the object is
    /// dropped.
    #[track_caller]
    pub fn insert_child(&self, family: &Family, value: T) -> Result<K, InsertChildError> {
        let object = Arc::new(value);
        let reserved = self.table.reserve()?;
        let parts = reserved.parts;
        self.table.sites.created(parts.index, parts.generation, Location::caller());
        match self.table.adopt(family, reserved, object) {
            Ok(()) => Ok(K::from(parts.data())),
            Err(_dropped) => Err(InsertChildError::Ended { kind: K::KIND }),
        }
    }

    /// The object that a key names, for as long as the scope is pinned. Destroying it meanwhile does not
    /// disturb who holds it here.
    ///
    /// Wait-free; it writes nothing.
    ///
    /// # Errors
    /// Every [`HandleError`] but `WrongKind`, which is a matter of words: keys of another kind are of another
    /// type.
    #[inline]
    pub fn get<'s>(&'s self, scope: &'s Scope<'_>, key: K) -> Result<&'s T, HandleError> {
        let (index, version) = bits::split(key.data());
        if scope.is_of(&self.table.domain) {
            if let Some(object) = self.table.slots.look(index, |slot| slot.find(version)) {
                // SAFETY: the thread is pinned on this table's domain, and for as long as 's, so the object
                // that was published when `find` looked is not dropped within 's: its table holds a share of
                // it until three epochs after it is unpublished, and the table itself is borrowed for 's.
                return Ok(unsafe { &*object });
            }
            if let Some(object) = self.find_live_child(index, version) {
                // SAFETY: as above.
                return Ok(unsafe { &*object });
            }
        }
        Err(self.explain(scope, key))
    }

    /// As [`get`](Self::get), pinned only for the call: the share keeps the object for as long as it is
    /// wanted.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    #[inline]
    pub fn get_arc(&self, key: K) -> Result<Arc<T>, HandleError> {
        let scope = self.instance.pin();
        let object: *const T = self.find_pinned(&scope, key)?;
        // SAFETY: the pointer is the one that Arc::into_raw gave, and the table's share is not dropped while
        // the thread is pinned, so the count is at least one.
        unsafe {
            Arc::increment_strong_count(object);
            Ok(Arc::from_raw(object))
        }
    }

    /// Takes an object out: from now on its key is stale. Of several threads that remove one object, one gets
    /// it; the others are answered with [`HandleError::Stale`].
    ///
    /// The object comes back, so that the caller decides where its end is. It is dropped when the last share
    /// is: the caller's, or the table's, which is let go of once no thread can be reading it. What must
    /// happen at once belongs after this call and not into `Drop`.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    #[track_caller]
    pub fn remove(&self, key: K) -> Result<Arc<T>, HandleError> {
        let (index, version) = bits::split(key.data());
        // Before the slot can have its next object, whose site would take this one's place.
        let here = Location::caller();
        let scope = self.instance.pin();
        let table = &self.table;
        let plain = table.slots.look(index, |slot| slot.unpublish(version));
        let (object, tie) = if let Some(object) = plain {
            // SAFETY: it was unpublished just now, by this call only.
            (unsafe { table.own(object) }, None)
        } else {
            let child = table.find_child(index, version).and_then(|(_, state)| {
                // SAFETY: the thread is pinned, so the family of the child that was there outlives the scope.
                table.disown(index, version, unsafe { &*state })
            });
            let Some((object, tie)) = child else { return Err(self.explain(&scope, key)) };
            (object, Some(tie))
        };
        table.sites.destroyed(index, state::generation(version), here);
        table.give_back(index, Some((object.clone(), tie)));
        Ok(object)
    }

    /// Objects that live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stats().live
    }

    /// Whether none lives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The counters.
    #[must_use]
    pub fn stats(&self) -> ArenaStats {
        self.table.stats()
    }

    /// The keys of objects that live, in no order. Others may be created and destroyed meanwhile.
    #[must_use]
    pub fn keys(&self) -> Vec<K> {
        let _scope = self.instance.pin();
        let each = self.table.each_slot().filter_map(|(index, slot)| {
            let version = match state::holds(slot.state()) {
                Holds::Object(version) => version,
                Holds::Child(version) => self.find_live_child(index, version).map(|_| version)?,
                Holds::Nothing | Holds::Reserved => return None,
            };
            Some(K::from(bits::join(index, version)))
        });
        each.collect()
    }

    /// The word form, for C: not zero, equal for equal keys only, and no address. The null key is 0.
    #[must_use]
    pub fn to_word(&self, key: K) -> u64 {
        word_of(key)
    }

    /// The key that a word stands for. The word may be anything. Whether the object lives is told by
    /// [`get`](Self::get).
    ///
    /// # Errors
    /// [`HandleError::Null`], [`HandleError::NotAHandle`], [`HandleError::WrongKind`],
    /// [`HandleError::Foreign`].
    pub fn key_from_word(&self, word: u64) -> Result<K, HandleError> {
        let expected = K::KIND;
        if word == 0 {
            return Err(HandleError::Null { expected });
        }
        let Some((code, parts)) = Parts::of_word(word) else {
            return Err(HandleError::NotAHandle { word, expected });
        };
        if code != expected.code() {
            let found = self.instance.kind(code).unwrap_or(Kind::new(code, "handle of an unknown kind"));
            return Err(HandleError::WrongKind { expected, found, word });
        }
        if parts.tag != self.instance.tag() {
            return Err(HandleError::Foreign { expected, word });
        }
        Ok(K::from(parts.data()))
    }

    /// The instance that the table was made with.
    #[must_use]
    pub fn instance(&self) -> &Arc<Instance> {
        &self.instance
    }

    #[inline]
    fn find_pinned(&self, scope: &Scope<'_>, key: K) -> Result<*const T, HandleError> {
        let (index, version) = bits::split(key.data());
        let plain = self.table.slots.look(index, |slot| slot.find(version));
        plain.or_else(|| self.find_live_child(index, version)).ok_or_else(|| self.explain(scope, key))
    }

    /// For a pinned thread only.
    #[inline]
    fn find_live_child(&self, index: u32, version: u32) -> Option<*const T> {
        let (object, state) = self.table.find_child(index, version)?;
        // SAFETY: the calling thread is pinned, so the family of a child that was published when `find_child`
        // looked is not dropped: the child's share of it goes with the child's shell.
        let state: &State = unsafe { &*state };
        (!state.has_ended()).then_some(object)
    }

    /// Which of the errors it is. Off the hot path, and no promise about what races with it: a handle that
    /// is published or destroyed at this moment gets one of the answers that were true around it.
    #[cold]
    #[inline(never)]
    fn explain(&self, scope: &Scope<'_>, key: K) -> HandleError {
        let (kind, word) = (K::KIND, word_of(key));
        if !scope.is_of(&self.table.domain) {
            return HandleError::WrongScope { expected: kind };
        }
        if key.is_null() {
            return HandleError::Null { expected: kind };
        }
        let (index, version) = bits::split(key.data());
        let Some(parts) = Parts::of_key(index, version) else {
            return HandleError::NotAHandle { word, expected: kind };
        };
        if parts.tag != self.instance.tag() {
            return HandleError::Foreign { expected: kind, word };
        }
        let now = self.table.slots.get(index).map_or(0, Slot::state);
        let here = state::generation(now);
        // In the slot's own generation the object is being made, or dead, or a child of the dead, or, if it
        // is found to live after all, was not there a moment ago.
        let unborn = matches!(state::holds(now), Holds::Reserved | Holds::Object(_));
        if parts.generation > here.max(self.table.floor) || parts.generation == here && unborn {
            return HandleError::NeverIssued { kind, word };
        }
        let mut history = self.table.sites.of(index, parts.generation);
        if let Some(history) = &mut history
            && history.destroyed.is_none()
            && let Some((_, state)) = self.table.find_child(index, version)
        {
            // SAFETY: as in `find_live_child`.
            history.destroyed = unsafe { &*state }.ended_at();
        }
        HandleError::Stale { kind, word, history }
    }
}

fn word_of<K: Handle>(key: K) -> u64 {
    if key.is_null() {
        return 0;
    }
    // A key that no table gave out has a word that none takes.
    let nothing = Parts { index: 0, generation: 0, tag: 0 };
    let (index, version) = bits::split(key.data());
    Parts::of_key(index, version).unwrap_or(nothing).word(K::KIND.code())
}

impl<K: Handle, T: Send + Sync + 'static, const GENERATIONS: u32> Drop for Arena<K, T, GENERATIONS> {
    fn drop(&mut self) {
        self.instance.remove(K::KIND, self.table.highest());
    }
}

impl<K: Handle, T: Send + Sync + 'static, const GENERATIONS: u32> fmt::Debug for Arena<K, T, GENERATIONS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("kind", &K::KIND).field("stats", &self.stats()).finish_non_exhaustive()
    }
}
