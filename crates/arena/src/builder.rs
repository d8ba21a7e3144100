//! Making a table to measure.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::bits::{GENERATION_BITS, LAST_GENERATION, MOST_SLOTS};
use crate::table::{Plan, Table};
use crate::{Arena, ArenaError, Handle, Instance};

/// What a table shall be like. Made by [`Arena::builder`].
///
/// # Examples
/// ```
/// use oarlock_arena::{Arena, HandleError, Instance};
/// oarlock_arena::handles! { pub struct BoatKey = 1, "boat"; }
///
/// let instance = Instance::new()?;
/// let boats: Arena<BoatKey, ()> = Arena::builder(&instance).capacity(100).remember_sites(true).build()?;
/// let boat = boats.insert(())?;
/// boats.remove(boat)?;
/// let error = boats.get_arc(boat).unwrap_err();
/// assert!(error.to_string().contains("destroyed at"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArenaBuilder<K, T, const GENERATIONS: u32 = GENERATION_BITS> {
    instance: Arc<Instance>,
    capacity: usize,
    sites: bool,
    of: PhantomData<fn() -> (K, T)>,
}

impl<K: Handle, T: Send + Sync + 'static, const GENERATIONS: u32> ArenaBuilder<K, T, GENERATIONS> {
    pub(crate) fn new(instance: &Arc<Instance>) -> Self {
        Self { instance: instance.clone(), capacity: MOST_SLOTS as usize, sites: false, of: PhantomData }
    }

    /// The most slots, which is the most objects that live at once while none is retired. At least 1; at
    /// most, and without this call, 2^24 - 1.
    #[must_use]
    pub fn capacity(mut self, slots: usize) -> Self {
        self.capacity = slots;
        self
    }

    /// Whether the table remembers where the latest object of each slot was created and destroyed, and tells
    /// it with [`HandleError::Stale`](crate::HandleError::Stale). Off without this call: it takes a lock and
    /// a look in a map at every creation and removal.
    #[must_use]
    pub fn remember_sites(mut self, on: bool) -> Self {
        self.sites = on;
        self
    }

    /// Makes the table.
    ///
    /// # Errors
    /// [`ArenaError::KindTaken`] when the instance has a table with this kind's code.
    pub fn build(self) -> Result<Arena<K, T, GENERATIONS>, ArenaError> {
        const {
            assert!(GENERATIONS >= 1 && GENERATIONS <= GENERATION_BITS, "1 to 24 bits of generation");
        }
        let domain = self.instance.domain().clone();
        let plan = |floor| Plan {
            kind: K::KIND,
            tag: self.instance.tag(),
            floor,
            generations: (1 << GENERATIONS) - 1,
            capacity: u32::try_from(self.capacity).unwrap_or(MOST_SLOTS),
            sites: self.sites,
        };
        const { assert!(LAST_GENERATION < u32::MAX) };
        let table = self.instance.add(K::KIND, |floor| Arc::new(Table::new(domain, plan(floor))))?;
        Ok(Arena::of(table, self.instance.clone()))
    }
}
