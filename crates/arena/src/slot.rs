//! One slot: two words.
//!
//! `ident` says what the slot holds: the whole key of a live object, or a state that no key equals.
//! `object` points to it. Who reads takes ident, object, ident: since no key comes twice, the same live
//! ident before and after means that the pointer between them belonged to it. Who publishes writes the
//! pointer first, so a reader that sees the ident sees the pointer.

use std::ptr;

use crate::bits::vacant;
use crate::chunks::Zero;
use crate::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// The place of one object at a time.
#[derive(Debug)]
pub(crate) struct Slot<T> {
    pub(crate) ident: AtomicU64,
    object: AtomicPtr<T>,
}

// SAFETY: two atomics; zero is a number and the null pointer.
unsafe impl<T> Zero for Slot<T> {
    fn zero() -> Self {
        Self { ident: AtomicU64::new(0), object: AtomicPtr::new(ptr::null_mut()) }
    }
}

impl<T> Slot<T> {
    /// The object published under this ident at the moment of the second look.
    ///
    /// The pointer may be used by a thread that has been pinned since before the call, for as long as it
    /// stays pinned.
    #[inline(always)]
    pub(crate) fn find(&self, ident: u64) -> Option<*const T> {
        if self.ident.load(Ordering::Acquire) != ident {
            return None;
        }
        let object = self.object.load(Ordering::Acquire);
        // Acquire of `object` orders this look after the store it read: had the slot been given on to a
        // later object, its vacant state came before that store, and is seen here.
        if self.ident.load(Ordering::Relaxed) != ident {
            return None;
        }
        debug_assert!(!object.is_null(), "published before it was ready");
        Some(object)
    }

    /// Makes the slot hold an object, for all threads at once.
    pub(crate) fn publish(&self, ident: u64, object: *const T) {
        self.object.store(object.cast_mut(), Ordering::Release);
        self.ident.store(ident, Ordering::Release);
    }

    /// Ends the life of an object. The one thread that gets `Some` is its only destroyer, owns the slot
    /// until it gives it back, and owns the table's share of the object.
    pub(crate) fn unpublish(&self, ident: u64) -> Option<*const T> {
        let vacant = vacant::free(vacant::generation(ident), vacant::END);
        self.ident.compare_exchange(ident, vacant, Ordering::AcqRel, Ordering::Relaxed).ok()?;
        Some(self.object.swap(ptr::null_mut(), Ordering::Relaxed))
    }
}
