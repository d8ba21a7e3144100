//! One slot: what it says of itself, and a pointer.
//!
//! `state` is the version of the key while an object lives, and otherwise something that no version equals.
//! Who reads takes state, object, state: since no version comes twice in a slot, the same one before and
//! after means that the pointer between them belonged to it. Who publishes writes the pointer first, so a
//! reader that sees the version sees the pointer.

use std::ptr;

use crate::bits::{END, state};
use crate::chunks::Zero;
use crate::sync::CHECKED;
use crate::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// The place of one object at a time.
#[derive(Debug)]
pub(crate) struct Slot<T> {
    state: AtomicU32,
    /// The next free slot. The shard's, under its lock.
    next: AtomicU32,
    object: AtomicPtr<T>,
}

// SAFETY: three atomics; zero is a number and the null pointer.
unsafe impl<T> Zero for Slot<T> {
    fn zero() -> Self {
        Self { state: AtomicU32::new(0), next: AtomicU32::new(0), object: AtomicPtr::new(ptr::null_mut()) }
    }
}

impl<T> Slot<T> {
    /// The object published under this state at the moment of the second look.
    ///
    /// The pointer may be used by a thread that has been pinned since before the call, for as long as it
    /// stays pinned.
    #[inline(always)]
    pub(crate) fn find(&self, state: u32) -> Option<*const T> {
        if self.state.load(Ordering::Acquire) != state {
            return None;
        }
        let object = self.object.load(Ordering::Acquire);
        // Acquire of `object` orders this look after the store it read: had the slot been given on to a
        // later object, its vacant state came before that store, and is seen here.
        if !self.says(state) {
            return None;
        }
        assert!(!CHECKED || !object.is_null(), "published before it was ready");
        Some(object)
    }

    /// Whether it still is in this state.
    #[inline(always)]
    pub(crate) fn says(&self, state: u32) -> bool {
        self.state.load(Ordering::Relaxed) == state
    }

    /// The state now.
    pub(crate) fn state(&self) -> u32 {
        self.state.load(Ordering::Acquire)
    }

    /// Makes the slot hold an object, for all threads at once. For its owner only.
    pub(crate) fn publish(&self, state: u32, object: *const T) {
        self.object.store(object.cast_mut(), Ordering::Release);
        self.state.store(state, Ordering::Release);
    }

    /// Ends the life of an object. The one thread that gets `Some` is its only destroyer, owns the slot
    /// until it gives it back, and owns the table's share of the object.
    pub(crate) fn unpublish(&self, state: u32) -> Option<*const T> {
        let vacant = state::vacant(state::generation(state));
        self.state.compare_exchange(state, vacant, Ordering::AcqRel, Ordering::Relaxed).ok()?;
        // Release: who reads this null must not find the old state at its second look.
        Some(self.object.swap(ptr::null_mut(), Ordering::Release))
    }

    /// Says that it holds nothing, and why. For its owner only.
    pub(crate) fn empty(&self, state: u32) {
        // Release: who is told that an object is dead has seen all that came before its end, as the end of
        // its family.
        self.state.store(state, Ordering::Release);
        self.next.store(END, Ordering::Relaxed);
    }

    pub(crate) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    pub(crate) fn set_next(&self, next: u32) {
        self.next.store(next, Ordering::Relaxed);
    }
}
