//! A slot: where one launch is published and its chunks are taken.

use std::cell::UnsafeCell;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use oarlock_image::abi::Frame;
use parking_lot::Mutex;

use super::Task;
use crate::scratch::ThreadMemory;
use crate::wait::{Spin, sleep, wake};

/// A task and how it is cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) task: Task,
    /// Groups per chunk.
    pub(super) chunk: u64,
    pub(super) chunks: u64,
}

/// The control word and the task share a cache line: whoever takes a chunk has the task with it.
#[repr(C, align(128))]
pub(super) struct Slot {
    control: AtomicU64,
    cut: UnsafeCell<Cut>,
    /// The owner sleeps on it.
    finished: AtomicU32,
    /// Chunks that a worker took and had no memory for; the owner runs them.
    orphans: Mutex<Vec<u64>>,
}

/// Bits of the control word; from the 17th on, it counts the chunks that nobody has taken.
mod control {
    /// Workers at a chunk.
    const WORKERS: u64 = OWNER_SLEEPS - 1;
    /// The owner sleeps until the last worker has signed off.
    pub(super) const OWNER_SLEEPS: u64 = 1 << 15;
    pub(super) const CHUNK: u64 = 1 << 16;
    const CHUNKS: u64 = (1 << 32) - 1;
    /// A worker had to leave a chunk undone.
    pub(super) const ORPHANS: u64 = 1 << 62;
    /// The slot belongs to a launch.
    pub(super) const OWNED: u64 = 1 << 63;

    pub(super) fn chunks(word: u64) -> u64 {
        (word / CHUNK) & CHUNKS
    }

    pub(super) fn workers(word: u64) -> u64 {
        word & WORKERS
    }
}

// SAFETY: `cut` is written by the slot's owner before it publishes chunks (a release store of `control`) and
// read by those who took a chunk (an acquire operation on `control`); the next owner writes it only after
// this one has seen that no chunk is left and every worker has signed off (release operations).
unsafe impl Sync for Slot {}
// SAFETY: the pointers in `cut` are followed only while the launch runs.
unsafe impl Send for Slot {}

impl Slot {
    pub(super) fn new() -> Self {
        extern "C" fn nothing(_: *const Frame, _: u64, _: u64, _: *mut u8, _: *mut u8) {}
        let task = Task { entry: nothing, frame: null(), groups: 0, group_bytes: 0, scratch_bytes: 0 };
        Self {
            control: AtomicU64::new(0),
            cut: UnsafeCell::new(Cut { task, chunk: 0, chunks: 0 }),
            finished: AtomicU32::new(0),
            orphans: Mutex::default(),
        }
    }

    /// Makes the slot the caller's, if it is nobody's.
    pub(super) fn try_own(&self) -> bool {
        self.control.compare_exchange(0, control::OWNED, Acquire, Relaxed).is_ok()
    }

    /// Publishes all chunks but the first, which is the owner's.
    ///
    /// # Safety
    /// The caller owns the slot, and [`finish`](Self::finish)es it before the task's frame dies. The entry
    /// point may be called for the task's groups.
    pub(super) unsafe fn publish(&self, cut: &Cut) {
        // SAFETY: the slot is owned and has no chunks: nobody reads the cut now.
        unsafe { *self.cut.get() = *cut };
        self.control.store(control::OWNED | ((cut.chunks - 1) * control::CHUNK), Release);
    }

    /// The owner's work: every chunk that nobody else takes; then waits for the others and gives the slot up.
    ///
    /// # Safety
    /// `cut` was published here by the caller; `memory` has room for it.
    pub(super) unsafe fn finish(&self, cut: &Cut, memory: &ThreadMemory) {
        // SAFETY: the first chunk was not published, the others are taken once each; `publish`'s promise.
        let run = |left| unsafe { cut.run(left, memory) };
        run(cut.chunks);
        while let Some(left) = self.take(0) {
            run(left);
        }
        self.wait_for_workers();
        if self.control.load(Acquire) & control::ORPHANS != 0 {
            self.orphans.lock().drain(..).for_each(run);
        }
        self.control.store(0, Release);
    }

    /// A worker's work; false where there is nothing to take.
    pub(super) fn help(&self, memory: &mut ThreadMemory) -> bool {
        // Signing on takes the first chunk in the same step.
        let Some(mut left) = self.take(1) else { return false };
        // SAFETY: this thread has taken a chunk and signed on: the cut stays as it is until it signs off.
        let cut = unsafe { *self.cut.get() };
        if memory.reserve(cut.task.group_bytes, cut.task.scratch_bytes) {
            loop {
                // SAFETY: the chunk is this thread's alone, `finish` waits for it (`publish`'s promise),
                // and `memory` has room.
                unsafe { cut.run(left, memory) };
                match self.take(0) {
                    Some(next) => left = next,
                    None => break,
                }
            }
        } else {
            self.orphans.lock().push(left);
            self.control.fetch_or(control::ORPHANS, AcqRel);
        }
        let word = self.control.fetch_sub(1, AcqRel);
        // The owner sleeps only when no chunk is left: this was the last of the launch. The slot may
        // have its next owner by now, whom a wake in vain does not disturb.
        if control::workers(word) == 1 && word & control::OWNER_SLEEPS != 0 {
            self.finished.fetch_add(1, Release);
            wake(&self.finished, 1);
        }
        true
    }

    /// Takes a chunk and adds `workers` to those at work. Gives the number of chunks that were left.
    fn take(&self, workers: u64) -> Option<u64> {
        let mut word = self.control.load(Relaxed);
        loop {
            let left = control::chunks(word);
            if left == 0 {
                return None;
            }
            let next = word - control::CHUNK + workers;
            match self.control.compare_exchange_weak(word, next, AcqRel, Relaxed) {
                Ok(_) => return Some(left),
                Err(now) => word = now,
            }
        }
    }

    fn wait_for_workers(&self) {
        let mut spin = Spin::new();
        while control::workers(self.control.load(Acquire)) > 0 {
            if spin.again() {
                continue;
            }
            let seen = self.finished.load(Acquire);
            if control::workers(self.control.fetch_or(control::OWNER_SLEEPS, AcqRel)) > 0 {
                sleep(&self.finished, seen, None);
            }
        }
    }
}

impl Cut {
    /// Runs the chunk that is taken when `left` chunks of all are left.
    ///
    /// # Safety
    /// As [`call`].
    unsafe fn run(&self, left: u64, memory: &ThreadMemory) {
        let first = (self.chunks - left) * self.chunk;
        let end = (first + self.chunk).min(self.task.groups);
        // SAFETY: the caller's promise.
        unsafe { call(&self.task, first, end, memory) };
    }
}

/// Runs groups `first..end` of a task.
///
/// # Safety
/// The task's entry point may be called for these groups; the frame lives; `memory` has room for the task.
pub(super) unsafe fn call(task: &Task, first: u64, end: u64, memory: &ThreadMemory) {
    let scratch = if task.scratch_bytes == 0 { null_mut() } else { memory.scratch() };
    // SAFETY: the caller's promise.
    unsafe { (task.entry)(task.frame, first, end, memory.group(), scratch) };
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn count(frame: *const Frame, first: u64, end: u64, _: *mut u8, _: *mut u8) {
        // SAFETY: the test below passes a counter as the frame.
        unsafe { &*frame.cast::<AtomicU64>() }.fetch_add(end - first, Relaxed);
    }

    #[test]
    fn a_slot_is_two_cache_lines() {
        assert_eq!((size_of::<Slot>(), std::mem::offset_of!(Slot, finished)), (128, 64));
    }

    #[test]
    fn a_chunk_that_a_worker_has_no_memory_for_is_run_by_the_owner() {
        let (slot, counter) = (Slot::new(), AtomicU64::new(0));
        let frame = (&raw const counter).cast();
        // No machine has this much; the owner's memory is not looked at by `count`.
        let scratch_bytes = isize::MAX as usize - 4096;
        let task = Task { entry: count, frame, groups: 95, group_bytes: 0, scratch_bytes };
        let cut = Cut { task, chunk: 10, chunks: 10 };
        assert!(slot.try_own() && !slot.try_own());
        // SAFETY: finished below.
        unsafe { slot.publish(&cut) };
        let mut poor = ThreadMemory::default();
        assert!(slot.help(&mut poor) && slot.help(&mut poor));
        assert_eq!(counter.load(Relaxed), 0);
        // SAFETY: published above.
        unsafe { slot.finish(&cut, &poor) };
        assert_eq!(counter.load(Relaxed), 95);
        assert!(!slot.help(&mut poor) && slot.try_own());
    }
}
