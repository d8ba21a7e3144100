//! Parents: all children of one object end in one step.
//!
//! The slot of a child carries a mark, and beside the slot stands its family. Resolving a child asks the
//! family whether it has ended: one load more, and one store ends them all. The slots of the dead are
//! swept up later, a few at a time, by whoever creates next, or by a collection.

use std::fmt;
use std::panic::Location;
use std::ptr;
use std::sync::{Arc, Weak};

use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard, lock};

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
    pub(crate) state: Arc<State>,
}

/// What children point to.
#[derive(Debug)]
pub(crate) struct State {
    ended: AtomicBool,
    members: Mutex<Members>,
}

#[derive(Debug, Default)]
pub(crate) struct Members {
    /// Where the family was ended.
    pub(crate) ended: Option<&'static Location<'static>>,
    groups: Vec<Group>,
}

/// The children in one table.
#[derive(Debug)]
pub(crate) struct Group {
    table: Weak<dyn Brood>,
    /// Some may have been removed since.
    pub(crate) children: Vec<Child>,
    pub(crate) live: usize,
}

/// A child's slot, and what it says while the child is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) index: u32,
    pub(crate) state: u32,
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

    pub(crate) fn members(&self) -> MutexGuard<'_, Members> {
        lock(&self.members)
    }

    /// Where it ended.
    pub(crate) fn ended_at(&self) -> Option<&'static Location<'static>> {
        lock(&self.members).ended
    }
}

impl Members {
    /// The children in a table.
    pub(crate) fn group(&mut self, table: &Weak<dyn Brood>) -> &mut Group {
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
