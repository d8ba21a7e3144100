//! The real tables, behind one face for all kinds.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use oarlock_arena::{Arena, ArenaStats, Family, Full, Handle, HandleError, InsertChildError, Instance};

use super::{DeviceKey, EventKey, Kind, Name, ProgramKey, QueueKey, SymbolKey};

/// Runtimes that live at a time.
pub const RUNTIMES: usize = 2;

/// Slots of every table: few, so that they are used up.
pub const CAPACITY: usize = 2;

/// How often each object was dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drops(Arc<Mutex<Vec<u32>>>);

impl Drops {
    fn note(&self, name: Name) {
        let mut all = self.0.lock().unwrap();
        if all.len() <= name {
            all.resize(name + 1, 0);
        }
        all[name] += 1;
    }

    pub(crate) fn of(&self, name: Name) -> u32 {
        self.0.lock().unwrap().get(name).copied().unwrap_or(0)
    }
}

/// What the tables hold.
#[derive(Debug)]
pub(crate) struct Payload {
    name: Name,
    /// The word form of its own handle.
    word: u64,
    pub(crate) family: Family,
    /// Overwritten by the drop, so that a reader of a dropped object is found out.
    seal: AtomicU32,
    drops: Drops,
}

const SEAL: u32 = 0x5ea1_5ea1;

impl Payload {
    fn new(name: Name, word: u64, drops: &Drops) -> Self {
        Self { name, word, family: Family::new(), seal: AtomicU32::new(SEAL), drops: drops.clone() }
    }

    /// Its name, if it is whole and knows itself by this handle. Children do not know theirs.
    fn read(&self, word: u64) -> Name {
        assert_eq!(self.seal.load(Ordering::Relaxed), SEAL, "a dropped object was read");
        assert!(self.word == 0 || self.word == word, "{word:#x} reached the object of {:#x}", self.word);
        self.name
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        assert_eq!(self.seal.swap(0, Ordering::Relaxed), SEAL, "an object was dropped twice");
        self.drops.note(self.name);
    }
}

/// A table of any kind, with words for handles.
pub(crate) trait Table {
    fn create(&self, name: Name, drops: &Drops) -> Result<u64, Full>;
    fn create_child(&self, parent: &Family, name: Name, drops: &Drops) -> Result<u64, InsertChildError>;
    /// The word of a handle that was spent on nothing.
    fn create_fails(&self) -> Result<u64, Full>;
    fn resolve(&self, word: u64) -> Result<Name, HandleError>;
    fn share(&self, word: u64) -> Result<Arc<Payload>, HandleError>;
    fn destroy(&self, word: u64) -> Result<Arc<Payload>, HandleError>;
    /// Destroys while a reference is held; what the reader read after the end.
    fn destroy_under_reader(&self, word: u64) -> Result<(Name, Arc<Payload>), HandleError>;
    fn words(&self) -> Vec<u64>;
    fn stats(&self) -> ArenaStats;
}

/// Why a creation failed: there was no room, or it was meant to fail.
enum Failed {
    Full(Full),
    Meant(u64),
}

impl From<Full> for Failed {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl<K: Handle, const BITS: u32> Table for Arena<K, Payload, BITS> {
    fn create(&self, name: Name, drops: &Drops) -> Result<u64, Full> {
        let make = |key| Ok::<_, Full>(Payload::new(name, self.to_word(key), drops));
        self.insert_with(make).map(|key| self.to_word(key))
    }

    fn create_child(&self, parent: &Family, name: Name, drops: &Drops) -> Result<u64, InsertChildError> {
        self.insert_child(parent, Payload::new(name, 0, drops)).map(|key| self.to_word(key))
    }

    fn create_fails(&self) -> Result<u64, Full> {
        match self.insert_with(|key| Err(Failed::Meant(self.to_word(key)))) {
            Err(Failed::Full(full)) => Err(full),
            Err(Failed::Meant(word)) => Ok(word),
            Ok(_) => unreachable!("it was meant to fail"),
        }
    }

    fn resolve(&self, word: u64) -> Result<Name, HandleError> {
        let key = self.key_from_word(word)?;
        let scope = self.instance().pin();
        self.get(&scope, key).map(|object| object.read(word))
    }

    fn share(&self, word: u64) -> Result<Arc<Payload>, HandleError> {
        let object = self.get_arc(self.key_from_word(word)?)?;
        object.read(word);
        Ok(object)
    }

    fn destroy(&self, word: u64) -> Result<Arc<Payload>, HandleError> {
        let object = self.remove(self.key_from_word(word)?)?;
        object.read(word);
        Ok(object)
    }

    fn destroy_under_reader(&self, word: u64) -> Result<(Name, Arc<Payload>), HandleError> {
        let key = self.key_from_word(word)?;
        let scope = self.instance().pin();
        let seen = self.get(&scope, key)?;
        let object = self.remove(key)?;
        object.family.end();
        self.instance().collect();
        Ok((seen.read(word), object))
    }

    fn words(&self) -> Vec<u64> {
        self.keys().into_iter().map(|key| self.to_word(key)).collect()
    }

    fn stats(&self) -> ArenaStats {
        Arena::stats(self)
    }
}

/// One runtime: a table for each kind.
pub(crate) struct Runtime {
    pub(crate) instance: Arc<Instance>,
    tables: [Box<dyn Table>; 5],
}

impl Runtime {
    pub(crate) fn new<const BITS: u32>() -> Self {
        let instance = Instance::new().expect("this process has room for a runtime");
        let tables = [
            table::<DeviceKey, BITS>(&instance),
            table::<ProgramKey, BITS>(&instance),
            table::<SymbolKey, BITS>(&instance),
            table::<QueueKey, BITS>(&instance),
            table::<EventKey, BITS>(&instance),
        ];
        Self { instance, tables }
    }

    pub(crate) fn table(&self, kind: Kind) -> &dyn Table {
        &*self.tables[kind.at()]
    }
}

fn table<K: Handle + 'static, const BITS: u32>(instance: &Arc<Instance>) -> Box<dyn Table> {
    let table: Arena<K, Payload, BITS> =
        Arena::builder(instance).capacity(CAPACITY).build().expect("each kind has one table");
    Box::new(table)
}
