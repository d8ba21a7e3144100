//! One runtime in the process: a tag in every handle, an epoch of its own, and the tables.

use std::fmt;
use std::sync::{Arc, Weak};

use crate::epoch::{Barrier, Domain, Scope};
use crate::sync::{Mutex, lock};
use crate::tags::Held;
use crate::{ArenaError, InstanceError, Kind};

/// What an instance can ask of any of its tables.
pub(crate) trait Collect: Send + Sync {
    /// Takes the children of ended families out, and puts what waits for readers in line.
    fn settle(&self);
    /// Frees what no reader can hold any more; how many objects that were.
    fn free(&self) -> usize;
}

/// One runtime: whatever tables are made with it give out handles that no other instance takes.
///
/// Instances share nothing: a thread that sleeps pinned on one keeps no memory of another. Up to 64 of them
/// can live in a process at a time.
///
/// # Examples
/// ```
/// use oarlock_arena::{Arena, Instance};
/// oarlock_arena::handles! { pub struct BoatKey = 1, "boat"; }
///
/// let instance = Instance::new()?;
/// let boats: Arena<BoatKey, String> = Arena::new(&instance);
/// let boat = boats.insert("Ariel".into())?;
/// {
///     let scope = instance.pin();
///     assert_eq!(boats.get(&scope, boat)?, "Ariel");
/// }
/// boats.remove(boat)?;
/// instance.collect();
/// assert_eq!(boats.stats().undropped, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Instance {
    domain: Arc<Domain>,
    held: Mutex<Held>,
    tag: u8,
    tables: Mutex<Tables>,
}

/// The tables, by the code of their kind.
#[derive(Default)]
struct Tables {
    kinds: [Option<Entry>; 16],
}

struct Entry {
    kind: Kind,
    /// `None` once the table is gone. Its kind keeps its name, for messages.
    table: Option<Weak<dyn Collect>>,
    /// Generations up to this one have been given out by earlier tables of the kind.
    floor: u32,
}

impl Instance {
    /// An instance with the best barrier that the machine has.
    ///
    /// # Errors
    /// [`InstanceError::AllTagsTaken`] when 64 instances live in this process.
    pub fn new() -> Result<Arc<Self>, InstanceError> {
        Self::with_barrier(Barrier::best())
    }

    /// An instance whose pins use the given barrier, or [`Barrier::Fence`] where the machine has not got it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_barrier(barrier: Barrier) -> Result<Arc<Self>, InstanceError> {
        let held = Held::take()?;
        Ok(Arc::new(Self {
            domain: Domain::new(barrier),
            tag: held.tag,
            held: Mutex::new(held),
            tables: Mutex::new(Tables::default()),
        }))
    }

    /// Pins the calling thread: until the scope is dropped, no object that is got from a table of this
    /// instance goes out of memory. Destroying does not wait for it.
    #[inline]
    pub fn pin(&self) -> Scope<'_> {
        self.domain.pin()
    }

    /// Frees all that can be freed: everything that was removed, unless a thread is pinned now. Also gives
    /// back the slots of children whose family has ended.
    ///
    /// Drops of removed objects whose last owner is the table run in here.
    pub fn collect(&self) {
        loop {
            let tables = self.tables();
            tables.iter().for_each(|table| table.settle());
            self.domain.advance_fully();
            // What is dropped may have removed further objects.
            if tables.iter().map(|table| table.free()).sum::<usize>() == 0 {
                return;
            }
        }
    }

    /// The number in every handle of this instance.
    #[must_use]
    pub fn tag(&self) -> u8 {
        self.tag
    }

    /// How pins of this instance are made.
    #[must_use]
    pub fn barrier(&self) -> Barrier {
        self.domain.barrier()
    }

    /// Threads that are pinned on this instance now. While the number does not fall to 0 from time to
    /// time, what is removed may stay in memory.
    #[must_use]
    pub fn pinned_threads(&self) -> usize {
        self.domain.threads().0
    }

    pub(crate) fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// The kind with this code, if there is or was a table of it.
    pub(crate) fn kind(&self, code: u8) -> Option<Kind> {
        let tables = lock(&self.tables);
        tables.kinds.get(usize::from(code))?.as_ref().map(|entry| entry.kind)
    }

    /// Adds a table, made by a closure that is given the generation to start above.
    pub(crate) fn add<T: Collect + 'static>(
        &self,
        kind: Kind,
        make: impl FnOnce(u32) -> Arc<T>,
    ) -> Result<Arc<T>, ArenaError> {
        let base = lock(&self.held).floor;
        let mut tables = lock(&self.tables);
        let entry = &mut tables.kinds[usize::from(kind.code())];
        let floor = match entry {
            Some(Entry { kind: existing, table: Some(_), .. }) => {
                return Err(ArenaError::KindTaken { existing: *existing, wanted: kind });
            }
            Some(Entry { floor, .. }) => *floor,
            None => base,
        };
        let table = make(floor);
        let weak: Weak<T> = Arc::downgrade(&table);
        *entry = Some(Entry { kind, table: Some(weak), floor });
        Ok(table)
    }

    /// A table is gone, which has given out generations up to this one.
    pub(crate) fn remove(&self, kind: Kind, highest: u32) {
        lock(&self.held).raise(highest);
        if let Some(entry) = &mut lock(&self.tables).kinds[usize::from(kind.code())] {
            entry.table = None;
            entry.floor = entry.floor.max(highest);
        }
    }

    fn tables(&self) -> Vec<Arc<dyn Collect>> {
        let tables = lock(&self.tables);
        tables.kinds.iter().flatten().filter_map(|entry| entry.table.as_ref()?.upgrade()).collect()
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("tag", &self.tag)
            .field("barrier", &self.barrier())
            .finish_non_exhaustive()
    }
}
