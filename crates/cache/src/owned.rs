//! Level 1: what each key owns.

use std::sync::Arc;

use slotmap::{Key, SecondaryMap};

use crate::flight::Flight;
use crate::held::Held;

/// What all keys own.
///
/// A slotmap key is a slot and a version, and this map keeps the newest version of each slot. So one
/// small record per slot is enough to know of *every* key that was ever erased: it is the slot's
/// newest, and marked, or it is older. The table grows with the most programs that lived at one
/// time, not with the number of programs that ever did.
#[derive(Debug)]
pub(crate) struct Owned<K: Key, T, V, E> {
    records: SecondaryMap<K, Record<T, V, E>>,
}

#[derive(Debug)]
enum Record<T, V, E> {
    /// One entry for each target. A program has very few, so they are compared one after another.
    Live(Vec<Entry<T, V, E>>),
    /// The key was erased; nothing may be stored under it any more.
    Erased,
}

/// What a key owns for one target.
#[derive(Debug)]
pub(crate) struct Entry<T, V, E> {
    target: T,
    state: State<V, E>,
}

#[derive(Debug)]
enum State<V, E> {
    Compiling(Arc<Flight<V, E>>),
    Ready(Held<V, E>),
}

/// What there is for a key and a target.
pub(crate) enum Found<V, E> {
    /// An image.
    Image(Arc<V>),
    /// A compile under way.
    Flight(Arc<Flight<V, E>>),
    /// Nothing, and the key was erased: compile without keeping the result.
    Erased,
}

impl<K: Key, T: Eq + Clone, V, E: Clone> Owned<K, T, V, E> {
    pub(crate) fn new() -> Self {
        Self { records: SecondaryMap::new() }
    }

    /// The image for `key` and `target`, if it is there.
    pub(crate) fn image(&self, key: K, target: &T) -> Option<&Arc<V>> {
        let Record::Live(entries) = self.records.get(key)? else { return None };
        match &entries.iter().find(|e| e.target == *target)?.state {
            State::Ready(held) => Some(held.image()),
            State::Compiling(_) => None,
        }
    }

    /// What there is; where there is nothing, `flight` takes the place and the answer is `None`.
    pub(crate) fn find_or_enter(
        &mut self,
        key: K,
        target: &T,
        flight: &Arc<Flight<V, E>>,
    ) -> Option<Found<V, E>> {
        let Some(entries) = self.entries_or_new(key) else { return Some(Found::Erased) };
        match entries.iter().find(|e| e.target == *target).map(|e| &e.state) {
            Some(State::Ready(held)) => Some(Found::Image(held.image().clone())),
            Some(State::Compiling(flight)) => Some(Found::Flight(flight.clone())),
            None => {
                let state = State::Compiling(flight.clone());
                entries.push(Entry { target: target.clone(), state });
                None
            }
        }
    }

    /// Puts an image where `flight` is. False where the key was erased meanwhile.
    pub(crate) fn settle(
        &mut self,
        key: K,
        flight: &Arc<Flight<V, E>>,
        hold: impl FnOnce() -> Option<Held<V, E>>,
    ) -> bool {
        let Some(Record::Live(entries)) = self.records.get_mut(key) else { return false };
        let Some(entry) = entries.iter_mut().find(|e| e.is(flight)) else { return false };
        let Some(held) = hold() else { return false };
        entry.state = State::Ready(held);
        true
    }

    /// Takes `flight` out again.
    pub(crate) fn clear(&mut self, key: K, flight: &Arc<Flight<V, E>>) {
        if let Some(Record::Live(entries)) = self.records.get_mut(key) {
            entries.retain(|e| !e.is(flight));
        }
    }

    /// Takes out all that `key` owns, for ever.
    pub(crate) fn erase(&mut self, key: K) -> Vec<Entry<T, V, E>> {
        match self.records.insert(key, Record::Erased) {
            Some(Record::Live(entries)) => entries,
            Some(Record::Erased) | None => Vec::new(),
        }
    }

    /// The entries of a key that was not erased. `None` for one that was, and for the null key.
    fn entries_or_new(&mut self, key: K) -> Option<&mut Vec<Entry<T, V, E>>> {
        if !self.records.contains_key(key) {
            // Refused, without a word, where the slot has seen a newer key.
            self.records.insert(key, Record::Live(Vec::new()));
        }
        match self.records.get_mut(key)? {
            Record::Live(entries) => Some(entries),
            Record::Erased => None,
        }
    }
}

impl<T, V, E> Entry<T, V, E> {
    /// Gives the image back. Returns how many bytes the cache let go of for it: 0 while it is being
    /// compiled, and where others still own it.
    pub(crate) fn let_go(self) -> u64 {
        match self.state {
            State::Ready(held) => held.let_go(),
            State::Compiling(_) => 0,
        }
    }

    fn is(&self, flight: &Arc<Flight<V, E>>) -> bool {
        matches!(&self.state, State::Compiling(mine) if Arc::ptr_eq(mine, flight))
    }
}
