//! The executor: one launch, run by its caller and whoever of the workers is free.
//!
//! A launch is cut into chunks of groups. It is published in a *slot*, whose control word counts the
//! chunks that nobody has taken yet and the workers that are at one. Taking a chunk is one compare-and-swap
//! on that word; a worker touches a launch only between taking its first chunk and signing off, and the
//! caller returns only when no chunk is left and no worker is at one. The caller never needs a worker: it can take
//! every chunk itself, so any number of launches can run at once, and a launch without a free slot runs on
//! its caller alone.

mod slot;

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Once};

use oarlock_image::abi::{EntryPoint, Frame};

use crate::scratch::ThreadMemory;
use crate::threads::Home;
use crate::wait::{Spin, sleep, wake};
use slot::{Cut, Slot, call};

/// A launch as the pool sees it.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) entry: EntryPoint,
    pub(crate) frame: *const Frame,
    pub(crate) groups: u64,
    pub(crate) group_bytes: usize,
    pub(crate) scratch_bytes: usize,
}

/// Launches that can have help at the same time.
const SLOTS: usize = 16;

/// Chunks per thread: enough that threads of unequal speed end together, few enough that taking them costs
/// little. A launch of many work-items has more: then a chunk is still long, and the last one ends sooner.
const CHUNKS_PER_THREAD: RangeInclusive<u64> = 16..=64;

/// A chunk of so many work-items is long, even if each does very little.
const LONG_CHUNK: u64 = 16 << 10;

/// What workers look at while they have nothing to do.
#[repr(align(128))]
struct Bell {
    /// Counts launches that were published; idle workers sleep on it.
    rings: AtomicU32,
    /// Workers that sleep or are about to.
    sleepers: AtomicU32,
    stop: AtomicBool,
}

struct Shared {
    bell: Bell,
    slots: [Slot; SLOTS],
    /// Slots that were ever used: no one looks past them.
    top: AtomicU32,
}

/// The workers and their launches.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    /// Threads per launch, the caller's included.
    threads: usize,
    start: Once,
    home: Home,
}

impl Pool {
    pub(crate) fn new(threads: usize, home: Home) -> Self {
        let shared = Shared {
            bell: Bell {
                rings: AtomicU32::new(0),
                sleepers: AtomicU32::new(0),
                stop: AtomicBool::new(false),
            },
            slots: std::array::from_fn(|_| Slot::new()),
            top: AtomicU32::new(0),
        };
        Self { shared: Arc::new(shared), threads, start: Once::new(), home }
    }

    /// Runs a task of one group or more, and `items` work-items in all, to its end. `memory` is the caller's, with
    /// room for the task.
    ///
    /// # Safety
    /// The task's entry point may be called for its groups, in any order, by any thread, until this returns;
    /// the frame and all it points to live as long.
    pub(crate) unsafe fn run(&self, task: &Task, items: u64, memory: &ThreadMemory) {
        let threads = self.threads as u64;
        let (least, most) = (threads * CHUNKS_PER_THREAD.start(), threads * CHUNKS_PER_THREAD.end());
        let chunk = task.groups.div_ceil((items / LONG_CHUNK).clamp(least, most));
        let chunks = task.groups.div_ceil(chunk);
        let slot = if chunks > 1 && threads > 1 { self.shared.own_slot() } else { None };
        let Some(slot) = slot else {
            // SAFETY: the caller's promise.
            return unsafe { call(task, 0, task.groups, memory) };
        };
        self.start.call_once(|| self.start_workers());
        let cut = Cut { task: *task, chunk, chunks };
        // SAFETY: the slot is owned, and finished before this returns; the caller's promise.
        unsafe { slot.publish(&cut) };
        self.shared.ring(chunks - 1);
        // SAFETY: published just now; the caller's memory has room.
        unsafe { slot.finish(&cut, memory) };
    }

    fn start_workers(&self) {
        for number in 1..self.threads {
            let shared = self.shared.clone();
            let work = move || shared.work();
            // With fewer workers than planned, or none, everything still runs.
            if let Err(error) = self.home.spawn(format!("oarlock-cpu-{number}"), work) {
                tracing::warn!(%error, number, "a worker did not start");
                break;
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Workers leave by themselves; nobody waits for them.
        self.shared.bell.stop.store(true, SeqCst);
        self.shared.bell.rings.fetch_add(1, SeqCst);
        wake(&self.shared.bell.rings, i32::MAX as u32);
    }
}

impl Shared {
    fn own_slot(&self) -> Option<&Slot> {
        let index = self.slots.iter().position(Slot::try_own)?;
        if self.top.load(Relaxed) <= index as u32 {
            self.top.fetch_max(index as u32 + 1, Relaxed);
        }
        Some(&self.slots[index])
    }

    /// Wakes workers for `chunks` chunks, if any sleep.
    fn ring(&self, chunks: u64) {
        self.bell.rings.fetch_add(1, SeqCst);
        // Sequentially consistent, as is what a worker does before it sleeps: either this sees the
        // sleeper, or the sleeper sees the ring.
        let sleepers = self.bell.sleepers.load(SeqCst);
        if sleepers > 0 {
            wake(&self.bell.rings, u64::from(sleepers).min(chunks) as u32);
        }
    }

    /// A worker's life.
    fn work(&self) {
        let mut memory = ThreadMemory::default();
        loop {
            let seen = self.bell.rings.load(Acquire);
            if self.bell.stop.load(Acquire) {
                return;
            }
            if self.help(&mut memory) {
                continue;
            }
            let mut spin = Spin::new();
            while self.bell.rings.load(Acquire) == seen {
                if spin.again() {
                    continue;
                }
                self.bell.sleepers.fetch_add(1, SeqCst);
                if self.bell.rings.load(SeqCst) == seen {
                    sleep(&self.bell.rings, seen, None);
                }
                self.bell.sleepers.fetch_sub(1, SeqCst);
            }
        }
    }

    /// Takes part in what runs now; false where there was nothing to take.
    fn help(&self, memory: &mut ThreadMemory) -> bool {
        let top = self.top.load(Relaxed) as usize;
        let mut helped = false;
        for slot in &self.slots[..top] {
            helped |= slot.help(memory);
        }
        helped
    }
}

#[cfg(test)]
mod tests;
