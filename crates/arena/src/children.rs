//! Children, as their table sees them: tied to a family, found with it, swept when it has ended.

use std::fmt;
use std::panic::Location;
use std::ptr;
use std::sync::{Arc, Weak};

use crate::Family;
use crate::bits::state;
use crate::chunks::Chunks;
use crate::family::{Brood, Child, State};
use crate::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::sync::{CHECKED, Mutex, lock};
use crate::table::{Reserved, Table};

/// A child's share of its family. Dropped with the child's shell.
pub(crate) type Tie = Arc<State>;

/// The family of each child of a table, at the index of its slot.
#[derive(Debug)]
pub(crate) struct Parents(Chunks<AtomicPtr<State>>);

impl Parents {
    pub(crate) fn new() -> Self {
        Self(Chunks::new())
    }

    #[inline]
    fn get(&self, index: u32) -> *const State {
        let found = self.0.look(index, |parent| Some(parent.load(Ordering::Acquire).cast_const()));
        found.unwrap_or(ptr::null())
    }

    fn tie(&self, index: u32, tie: Tie) {
        self.0.make(index).store(Arc::into_raw(tie).cast_mut(), Ordering::Release);
    }

    /// Takes the tie of a slot out; for its owner only.
    pub(crate) fn untie(&self, index: u32) -> Option<Tie> {
        // Release, as in `Slot::unpublish`.
        let parent = self.0.get(index)?.swap(ptr::null_mut(), Ordering::Release);
        // SAFETY: what is stored came from Arc::into_raw, and the swap takes it out once.
        (!parent.is_null()).then(|| unsafe { Arc::from_raw(parent.cast_const()) })
    }
}

/// Children whose family has ended, still in their slots.
#[derive(Debug, Default)]
pub(crate) struct Graves {
    /// How many of them lived when their family ended and are not swept yet.
    unswept: AtomicUsize,
    /// Groups in `heaps`, to tell without the lock that there is nothing to do.
    waiting: AtomicUsize,
    heaps: Mutex<Vec<(Vec<Child>, &'static Location<'static>)>>,
}

impl Graves {
    pub(crate) fn len(&self) -> usize {
        self.unswept.load(Ordering::Relaxed)
    }

    /// A few of them, no more than `most`.
    fn take(&self, most: usize) -> Option<(Vec<Child>, &'static Location<'static>)> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut heaps = lock(&self.heaps);
        let (heap, at) = heaps.last_mut()?;
        let at = *at;
        let taken = heap.split_off(heap.len().saturating_sub(most));
        if heap.is_empty() {
            heaps.pop();
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        Some((taken, at))
    }
}

/// A few of the dead are swept at once when a family ends: most families are small, and then all is done.
const AT_ONCE: usize = 64;

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl<T: Send + Sync + 'static> Brood for Table<T> {
    fn bury(&self, children: Vec<Child>, live: usize, at: &'static Location<'static>) {
        self.graves.unswept.fetch_add(live, Ordering::Relaxed);
        if !children.is_empty() {
            lock(&self.graves.heaps).push((children, at));
            self.graves.waiting.fetch_add(1, Ordering::Relaxed);
            self.sweep(AT_ONCE);
        }
    }
}

impl<T> Table<T> {
    /// The object and family of the child with this key, whether the family has ended or not.
    ///
    /// Both pointers may be used by a thread that has been pinned since before the call, for as long as it
    /// stays pinned.
    #[inline]
    pub(crate) fn find_child(&self, index: u32, version: u32) -> Option<(*const T, *const State)> {
        let state = state::child(version)?;
        self.slots.look(index, |slot| {
            let object = slot.find(state)?;
            let parent = self.parents.get(index);
            // The same as inside `find`: if the state has not changed, the family was this child's.
            if !slot.says(state) {
                return None;
            }
            assert!(!CHECKED || !parent.is_null(), "published before it was tied to its family");
            Some((object, parent))
        })
    }

    /// Publishes a child in its slot, unless its family has ended.
    pub(crate) fn adopt(
        self: &Arc<Self>,
        family: &Family,
        reserved: Reserved<'_, T>,
        object: Arc<T>,
    ) -> Result<(), Arc<T>>
    where
        T: Send + Sync + 'static,
    {
        let weak: Weak<Self> = Arc::downgrade(self);
        let weak: Weak<dyn Brood> = weak;
        let parts = reserved.parts;
        let mut members = family.state.members();
        if members.ended.is_some() {
            return Err(object);
        }
        let group = members.group(&weak);
        if group.children.len() > 2 * group.live + 32 {
            // Half of them are gone: an endless coming and going must not make the list grow.
            group.children.retain(|child| self.slots.at(child.index).says(child.state));
        }
        let state = state::child(parts.version()).expect("the key was made here");
        group.children.push(Child { index: parts.index, state });
        group.live += 1;
        self.parents.tie(parts.index, family.state.clone());
        // Under the lock, so that an end comes before or after.
        reserved.publish(object, state);
        Ok(())
    }

    /// Takes a child out, unless it was taken out before or its family has ended.
    pub(crate) fn disown(self: &Arc<Self>, index: u32, version: u32, family: &State) -> Option<(Arc<T>, Tie)>
    where
        T: Send + Sync + 'static,
    {
        let weak: Weak<Self> = Arc::downgrade(self);
        let weak: Weak<dyn Brood> = weak;
        let mut members = family.members();
        if members.ended.is_some() {
            return None;
        }
        let object = self.slots.get(index)?.unpublish(state::child(version)?)?;
        members.group(&weak).live -= 1;
        drop(members);
        // SAFETY: it was unpublished just now, by this call only.
        let object = unsafe { self.own(object) };
        Some((object, self.parents.untie(index).expect("a child is tied to its family")))
    }

    /// Empties slots of dead children, no more than `most`.
    pub(crate) fn sweep(&self, most: usize) {
        let mut left = most;
        while left > 0
            && let Some((children, at)) = self.graves.take(left)
        {
            left = left.saturating_sub(children.len());
            for Child { index, state } in children {
                // Those that were removed before the end are not there any more.
                let Some(object) = self.slots.at(index).unpublish(state) else { continue };
                self.sites.destroyed(index, state::generation(state), at);
                // SAFETY: it was unpublished just now, by this call only.
                let object = unsafe { self.own(object) };
                self.give_back(index, Some((object, self.parents.untie(index))));
                self.graves.unswept.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}
