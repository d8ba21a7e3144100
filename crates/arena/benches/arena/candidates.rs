//! The tables to compare: one pass over a list of keys for each, and one create and destroy.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};

use crossbeam_utils::sync::ShardedLock;
use oarlock_arena::{Arena, Instance};
use sharded_slab::Slab;
use slotmap::{DefaultKey, SlotMap};

use crate::{Object, ObjectKey};

/// A table of objects.
pub(crate) trait Table: Sync {
    type Key: Copy + Send + Sync;
    const NAME: &'static str;

    fn new() -> Self;
    fn insert(&self, object: Object) -> Self::Key;
    fn remove(&self, key: Self::Key);
    /// Resolves each key and reads the object; the sum of what was read.
    fn read(&self, keys: &[Self::Key]) -> u64;
    /// What can be done before reads only.
    fn settle(&mut self) {}
}

/// No handle at all.
pub(crate) struct Bare(Mutex<Vec<Arc<Object>>>, Vec<Arc<Object>>);

impl Table for Bare {
    type Key = usize;
    const NAME: &'static str = "bare_arc";

    fn new() -> Self {
        Self(Mutex::default(), Vec::new())
    }

    fn insert(&self, object: Object) -> usize {
        let mut all = self.0.lock().unwrap();
        all.push(Arc::new(object));
        all.len() - 1
    }

    fn remove(&self, _: usize) {}

    fn read(&self, keys: &[usize]) -> u64 {
        keys.iter().map(|&key| black_box(&self.1[key]).0[0]).sum()
    }

    fn settle(&mut self) {
        self.1 = self.0.lock().unwrap().clone();
    }
}

/// slotmap without any synchronisation, as far as reads go.
pub(crate) struct Plain(Mutex<SlotMap<DefaultKey, Arc<Object>>>, SlotMap<DefaultKey, Arc<Object>>);

impl Table for Plain {
    type Key = DefaultKey;
    const NAME: &'static str = "slotmap";

    fn new() -> Self {
        Self(Mutex::default(), SlotMap::new())
    }

    fn insert(&self, object: Object) -> DefaultKey {
        self.0.lock().unwrap().insert(Arc::new(object))
    }

    fn remove(&self, key: DefaultKey) {
        let taken = self.0.lock().unwrap().remove(key);
        drop(black_box(taken));
    }

    fn read(&self, keys: &[DefaultKey]) -> u64 {
        keys.iter().map(|&key| self.1.get(key).map_or(0, |object| black_box(object).0[0])).sum()
    }

    fn settle(&mut self) {
        self.1 = std::mem::take(self.0.get_mut().unwrap());
    }
}

impl Table for Slab<Object> {
    type Key = usize;
    const NAME: &'static str = "sharded_slab";

    fn new() -> Self {
        Self::new()
    }

    fn insert(&self, object: Object) -> usize {
        Slab::insert(self, object).expect("room")
    }

    fn remove(&self, key: usize) {
        black_box(Slab::take(self, key));
    }

    fn read(&self, keys: &[usize]) -> u64 {
        keys.iter().map(|&key| self.get(key).map_or(0, |object| black_box(&*object).0[0])).sum()
    }
}

/// The usual way: a lock, a map, shares.
pub(crate) struct Locked(RwLock<HashMap<u64, Arc<Object>>>, AtomicU64);

impl Table for Locked {
    type Key = u64;
    const NAME: &'static str = "rwlock_hashmap";

    fn new() -> Self {
        Self(RwLock::default(), AtomicU64::new(1))
    }

    fn insert(&self, object: Object) -> u64 {
        let key = self.1.fetch_add(1, Ordering::Relaxed);
        self.0.write().unwrap().insert(key, Arc::new(object));
        key
    }

    fn remove(&self, key: u64) {
        let taken = self.0.write().unwrap().remove(&key);
        drop(black_box(taken));
    }

    fn read(&self, keys: &[u64]) -> u64 {
        let get = |key| self.0.read().unwrap().get(&key).cloned();
        keys.iter().map(|&key| get(key).map_or(0, |object| black_box(&object).0[0])).sum()
    }
}

/// A lock that is cheap for readers, over slotmap; read in place.
pub(crate) struct Sharded(ShardedLock<SlotMap<DefaultKey, Arc<Object>>>);

impl Table for Sharded {
    type Key = DefaultKey;
    const NAME: &'static str = "shardedlock_slotmap";

    fn new() -> Self {
        Self(ShardedLock::new(SlotMap::new()))
    }

    fn insert(&self, object: Object) -> DefaultKey {
        let object = Arc::new(object);
        self.0.write().unwrap().insert(object)
    }

    fn remove(&self, key: DefaultKey) {
        let taken = self.0.write().unwrap().remove(key);
        drop(black_box(taken));
    }

    fn read(&self, keys: &[DefaultKey]) -> u64 {
        let get = |key| self.0.read().unwrap().get(key).map_or(0, |object| black_box(object).0[0]);
        keys.iter().map(|&key| get(key)).sum()
    }
}

/// How a pass over ours is pinned.
#[derive(Clone, Copy)]
pub(crate) enum Pin {
    /// Once for the pass.
    Held,
    /// For each resolve.
    Each,
    /// Once for four.
    Four,
    /// For each, and a share is taken.
    Share,
}

/// Ours.
pub(crate) struct Ours {
    pub(crate) instance: Arc<Instance>,
    pub(crate) arena: Arena<ObjectKey, Object>,
}

impl Ours {
    pub(crate) fn read_pinned(&self, keys: &[ObjectKey], pin: Pin) -> u64 {
        let Self { instance, arena } = self;
        match pin {
            Pin::Held => {
                let scope = instance.pin();
                keys.iter()
                    .map(|&key| arena.get(&scope, key).map_or(0, |object| black_box(object).0[0]))
                    .sum()
            }
            Pin::Each => {
                let get = |key| arena.get(&instance.pin(), key).map_or(0, |object| black_box(object).0[0]);
                keys.iter().map(|&key| get(key)).sum()
            }
            Pin::Four => {
                let four = |keys: &[ObjectKey]| -> u64 {
                    let scope = instance.pin();
                    let get = |key| arena.get(&scope, key).map_or(0, |object| black_box(object).0[0]);
                    keys.iter().map(|&key| get(key)).sum()
                };
                keys.chunks(4).map(four).sum()
            }
            Pin::Share => {
                keys.iter().map(|&key| arena.get_arc(key).map_or(0, |object| black_box(&object).0[0])).sum()
            }
        }
    }
}

impl Table for Ours {
    type Key = ObjectKey;
    const NAME: &'static str = "arena";

    fn new() -> Self {
        let instance = Instance::new().expect("a tag");
        Self { arena: Arena::new(&instance), instance }
    }

    fn insert(&self, object: Object) -> ObjectKey {
        self.arena.insert(object).expect("room")
    }

    fn remove(&self, key: ObjectKey) {
        drop(black_box(self.arena.remove(key)));
    }

    fn read(&self, keys: &[ObjectKey]) -> u64 {
        self.read_pinned(keys, Pin::Held)
    }
}
