//! The threads that pin: one line each, in a list that only grows.

use std::ptr;

use crate::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// One thread's line. Written by its thread, read by the one that advances. Two lines of the cache, because
/// some processors fetch them in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Participant {
    /// The epoch the thread came in with; 0 while it is not pinned.
    epoch: AtomicU64,
    /// Pins that are open. Only the owning thread touches it. 64 bits cannot be leaked full.
    depth: AtomicU64,
    /// Whether a thread owns it.
    owned: AtomicBool,
    next: *const Participant,
}

// SAFETY: `next` is written before the participant is shared, and points into the same list, which lives
// until the whole domain is dropped. All else is atomic.
unsafe impl Send for Participant {}
// SAFETY: as above.
unsafe impl Sync for Participant {}

impl Participant {
    /// Opens one pin; `true` if it is the outermost, which needs the barrier.
    ///
    /// Here and in `leave`, the outermost pin writes constants and the nested ones are apart, so that no pin
    /// has to wait for what the one before it has written.
    #[inline]
    pub(crate) fn enter(&self, epoch: u64) -> bool {
        let depth = self.depth.load(Ordering::Relaxed);
        if depth != 0 {
            self.nest(depth + 1);
            return false;
        }
        self.depth.store(1, Ordering::Relaxed);
        self.epoch.store(epoch, Ordering::Relaxed);
        true
    }

    /// Closes one pin.
    #[inline]
    pub(crate) fn leave(&self) {
        let depth = self.depth.load(Ordering::Relaxed);
        if depth != 1 {
            return self.nest(depth - 1);
        }
        self.depth.store(0, Ordering::Relaxed);
        // Release: the reads under the pin are over when the advancing thread sees this.
        self.epoch.store(0, Ordering::Release);
    }

    #[inline(never)]
    fn nest(&self, depth: u64) {
        self.depth.store(depth, Ordering::Relaxed);
    }

    /// Whether the thread is pinned and came in with another epoch.
    pub(crate) fn stands_against(&self, now: u64) -> bool {
        let epoch = self.epoch.load(Ordering::Acquire);
        epoch != 0 && epoch != now
    }

    pub(crate) fn is_pinned(&self) -> bool {
        self.epoch.load(Ordering::Relaxed) != 0
    }

    /// For the next thread. One that is still pinned, because a scope was leaked, stays as it is: what
    /// was got under that scope may be in use somewhere for ever.
    pub(crate) fn give_back(&self) {
        if self.depth.load(Ordering::Relaxed) == 0 {
            self.owned.store(false, Ordering::Release);
        }
    }

    fn take(&self) -> bool {
        !self.owned.load(Ordering::Relaxed)
            && self.owned.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

/// The list.
#[derive(Default)]
pub(crate) struct Participants {
    head: AtomicPtr<Participant>,
}

impl Participants {
    /// A line for the calling thread: one that a thread has given back, or a new one.
    pub(crate) fn take(&self) -> *const Participant {
        if let Some(found) = self.iter().find(|p| p.take()) {
            return found;
        }
        let mut head = self.head.load(Ordering::Acquire);
        let new = Box::into_raw(Box::new(Participant {
            epoch: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            owned: AtomicBool::new(true),
            next: head,
        }));
        while let Err(other) = self.head.compare_exchange(head, new, Ordering::AcqRel, Ordering::Acquire) {
            head = other;
            // SAFETY: `new` came from a box just above and is not shared before the exchange succeeds.
            unsafe { (*new).next = head };
        }
        // SAFETY: `new` is in the list now, which frees it only when it is dropped itself.
        unsafe { &*new }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Participant> {
        let mut at: *const Participant = self.head.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: null, or a participant of this list; they live as long as the list, which `self`
            // borrows.
            let participant = unsafe { at.as_ref() }?;
            at = participant.next;
            Some(participant)
        })
    }
}

impl Drop for Participants {
    fn drop(&mut self) {
        let mut at = self.head.load(Ordering::Acquire);
        while !at.is_null() {
            // SAFETY: every participant came from a box, and nobody borrows the list any more: each is freed
            // once.
            let participant = unsafe { Box::from_raw(at) };
            at = participant.next.cast_mut();
        }
        self.head.store(ptr::null_mut(), Ordering::Relaxed);
    }
}
