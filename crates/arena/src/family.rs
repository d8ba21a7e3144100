//! Parents: all children of one object end in one step.
//!
//! The slot of a child carries a mark, and beside the slot stands its family. Resolving a child asks the
//! family whether it has ended: one load more, and one store ends them all. The slots of the dead are
//! swept up later, a few at a time, by whoever creates next, or by a collection.

use std::fmt;
use std::panic::Location;
use std::ptr;
use std::sync::{Arc, Weak};

use crate::bits::state;
use crate::chunks::Chunks;
use crate::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use crate::sync::{CHECKED, Mutex, lock};
use crate::table::{Reserved, Table};

/// A parent's hold on its children: it is a part of the parent, and ends with it.
///
/// Children are inserted with [`Arena::insert_child`](crate::Arena::insert_child), into any number of tables.
/// [`end`](Self::end) makes all of them stale at once, without a walk; dropping the family does the same.
///
/// # Examples
/// ```
/// use oarlock_arena::{Arena, Family, HandleError, Instance};
/// oarlock_arena::handles! { pub struct OarKey = 2, "oar"; }
///
/// let instance = Instance::new()?;
/// let oars: Arena<OarKey, &str> = Arena::new(&instance);
/// let boat = Family::new();
/// let left = oars.insert_child(&boat, "left")?;
/// let right = oars.insert_child(&boat, "right")?;
/// boat.end();
/// for oar in [left, right] {
///     assert!(matches!(oars.get_arc(oar), Err(HandleError::Stale { .. })));
/// }
/// assert!(oars.insert_child(&boat, "third").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Family {
    state: Arc<State>,
}

/// What children point to.
#[derive(Debug)]
pub(crate) struct State {
    ended: AtomicBool,
    members: Mutex<Members>,
}

#[derive(Debug, Default)]
struct Members {
    /// Where the family was ended.
    ended: Option<&'static Location<'static>>,
    groups: Vec<Group>,
}

/// The children in one table.
#[derive(Debug)]
struct Group {
    table: Weak<dyn Brood>,
    /// Some may have been removed since.
    children: Vec<Child>,
    live: usize,
}

/// A child's slot, and what it says while the child is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    index: u32,
    state: u32,
}

/// A table that holds children.
pub(crate) trait Brood: fmt::Debug + Send + Sync {
    /// Takes over the children of a family that has ended, of whom so many were alive.
    fn bury(&self, children: Vec<Child>, live: usize, at: &'static Location<'static>);
}

impl Family {
    /// A family without children.
    #[must_use]
    pub fn new() -> Self {
        let members = Mutex::new(Members::default());
        Self { state: Arc::new(State { ended: AtomicBool::new(false), members }) }
    }

    /// Makes all children stale. They are not visited: what they hold is let go of later, when slots are
    /// needed or [`Instance::collect`](crate::Instance::collect) is called. A second call does nothing.
    #[track_caller]
    pub fn end(&self) {
        let here = Location::caller();
        let groups = {
            let mut members = lock(&self.state.members);
            if members.ended.is_some() {
                return;
            }
            members.ended = Some(here);
            // This store is the one step.
            self.state.ended.store(true, Ordering::Release);
            std::mem::take(&mut members.groups)
        };
        for group in groups {
            if let Some(table) = group.table.upgrade() {
                table.bury(group.children, group.live, here);
            }
        }
    }

    /// Whether it has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.state.has_ended()
    }
}

impl Default for Family {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family").field("ended", &self.has_ended()).finish_non_exhaustive()
    }
}

impl State {
    #[inline]
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Where it ended.
    pub(crate) fn ended_at(&self) -> Option<&'static Location<'static>> {
        lock(&self.members).ended
    }
}

impl Members {
    fn group(&mut self, table: &Weak<dyn Brood>) -> &mut Group {
        let same = |group: &Group| ptr::addr_eq(group.table.as_ptr(), table.as_ptr());
        match self.groups.iter().position(same) {
            Some(at) => &mut self.groups[at],
            None => {
                self.groups.push(Group { table: table.clone(), children: Vec::new(), live: 0 });
                self.groups.last_mut().expect("just pushed")
            }
        }
    }
}

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
        let mut members = lock(&family.state.members);
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
        let mut members = lock(&family.members);
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
