//! The primitives that the model checker replaces. Everything that threads share goes through here.
//!
//! `Arc` stays the standard one even under loom: its counts are no part of the protocols of this
//! crate, and loom's has no weak and no unsized form.

#[cfg(loom)]
pub(crate) use loom::sync::{Mutex, MutexGuard, atomic};
#[cfg(loom)]
pub(crate) use loom::thread_local;
#[cfg(not(loom))]
pub(crate) use std::sync::{Mutex, MutexGuard, atomic};
#[cfg(not(loom))]
pub(crate) use std::thread_local;

use std::sync::PoisonError;

/// Whether what a proof says is also asserted.
pub(crate) const CHECKED: bool = cfg!(any(debug_assertions, loom));

/// Locks. No code of a user runs under any lock of this crate, so a poisoned one guards nothing torn.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which shard the calling thread takes from: threads are numbered as they come.
#[cfg(not(loom))]
#[inline]
pub(crate) fn shard_of_thread() -> usize {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static NEXT: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static MINE: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    MINE.with(|mine| {
        if mine.get() == usize::MAX {
            mine.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        mine.get()
    })
}

/// There is one shard under loom.
#[cfg(loom)]
pub(crate) fn shard_of_thread() -> usize {
    0
}
