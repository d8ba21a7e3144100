//! The executor: one launch, run by its caller and whoever of the workers is free.
//!
//! A launch is cut into chunks of groups. It is published in a *slot*, whose control word counts the
//! chunks that nobody has taken yet and the workers that are at one. Taking a chunk is one compare-and-swap
//! on that word; a worker touches a launch only between taking its first chunk and signing off, and the
//! caller returns only when no chunk is left and no worker is at one. The caller never needs a worker: it can take
//! every chunk itself, so any number of launches can run at once, and a launch without a free slot runs on
//! its caller alone.

use std::cell::UnsafeCell;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Arc, Once};

use oarlock_image::abi::{EntryPoint, Frame};
use parking_lot::Mutex;

use crate::scratch::ThreadMemory;
use crate::wait::{Spin, sleep, wake};

/// A launch as the pool sees it.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) entry: EntryPoint,
    pub(crate) frame: *const Frame,
    pub(crate) groups: u64,
    pub(crate) group_bytes: usize,
    pub(crate) scratch_bytes: usize,
}

/// What a slot publishes: a task and its cutting.
#[derive(Clone, Copy)]
struct Cut {
    task: Task,
    /// Groups per chunk.
    chunk: u64,
    chunks: u64,
}

/// Launches that can have help at the same time.
const SLOTS: usize = 16;

/// Chunks per thread: enough that threads of unequal speed end together, few enough that taking them costs nothing.
const CHUNKS_PER_THREAD: u64 = 16;

/// The control word and the task are one cache line: whoever takes a chunk has the task with it.
#[repr(C, align(64))]
struct Slot {
    control: AtomicU64,
    cut: UnsafeCell<Cut>,
}

/// Bits of the control word.
mod control {
    /// The slot belongs to a launch.
    pub(super) const OWNED: u64 = 1 << 63;
    /// The caller sleeps until the last worker has signed off.
    pub(super) const CALLER_SLEEPS: u64 = 1 << 15;
    /// A worker had to leave a chunk undone.
    pub(super) const ORPHANS: u64 = 1 << 62;
    /// One chunk that nobody has taken.
    pub(super) const CHUNK: u64 = 1 << 16;
    const CHUNKS: u64 = (1 << 32) - 1;
    const WORKERS: u64 = CALLER_SLEEPS - 1;

    pub(super) fn chunks(word: u64) -> u64 {
        (word / CHUNK) & CHUNKS
    }

    pub(super) fn workers(word: u64) -> u64 {
        word & WORKERS
    }
}

// SAFETY: `cut` is written by the slot's owner before it publishes chunks (a release store of `control`) and
// read by those who took a chunk (an acquire operation on `control`); the owner writes again only after it
// has seen that no chunk is left and every worker has signed off (a release operation).
unsafe impl Sync for Slot {}
// SAFETY: the pointers in `cut` are followed only while the launch runs, see `Pool::run`.
unsafe impl Send for Slot {}

/// What workers look at while they have nothing to do.
#[repr(align(128))]
struct Bell {
    /// Counts launches that were published; idle workers sleep on it.
    rings: AtomicU32,
    /// Workers that sleep or are about to.
    sleepers: AtomicU32,
    stop: AtomicBool,
}

/// What a slot rarely needs, away from its hot line.
#[repr(align(128))]
#[derive(Default)]
struct Aside {
    /// The caller sleeps on it.
    finished: AtomicU32,
    /// Chunks that a worker took and had no memory for; the caller runs them.
    orphans: Mutex<Vec<u64>>,
}

struct Shared {
    bell: Bell,
    slots: [Slot; SLOTS],
    asides: [Aside; SLOTS],
    /// Slots that were ever used: no one looks past them.
    top: AtomicU32,
}

/// The workers and their launches.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    /// Threads per launch, the caller's included.
    threads: usize,
    start: Once,
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Self {
        extern "C" fn nothing(_: *const Frame, _: u64, _: u64, _: *mut u8, _: *mut u8) {}
        let slot = || Slot {
            control: AtomicU64::new(0),
            cut: UnsafeCell::new(Cut {
                task: Task {
                    entry: nothing,
                    frame: std::ptr::null(),
                    groups: 0,
                    group_bytes: 0,
                    scratch_bytes: 0,
                },
                chunk: 0,
                chunks: 0,
            }),
        };
        let shared = Shared {
            bell: Bell {
                rings: AtomicU32::new(0),
                sleepers: AtomicU32::new(0),
                stop: AtomicBool::new(false),
            },
            slots: std::array::from_fn(|_| slot()),
            asides: Default::default(),
            top: AtomicU32::new(0),
        };
        Self { shared: Arc::new(shared), threads, start: Once::new() }
    }

    /// Runs a task to its end. `memory` is the caller's, with room for the task.
    ///
    /// # Safety
    /// The task's entry point may be called for its groups, in any order, by any thread, until this returns;
    /// the frame and all it points to live as long.
    pub(crate) unsafe fn run(&self, task: &Task, memory: &ThreadMemory) {
        let threads = self.threads as u64;
        let chunk = task.groups.div_ceil(threads.saturating_mul(CHUNKS_PER_THREAD));
        let chunks = task.groups.div_ceil(chunk.max(1));
        let slot = if chunks > 1 && threads > 1 { self.shared.own_slot() } else { None };
        let Some(index) = slot else {
            // SAFETY: the caller's promise.
            return unsafe { call(task, 0, task.groups, memory) };
        };
        self.start.call_once(|| self.start_workers());
        // SAFETY: the slot is this launch's own, and the caller's promise.
        unsafe { self.shared.run(index, Cut { task: *task, chunk, chunks }, memory) };
    }

    fn start_workers(&self) {
        for number in 1..self.threads {
            let shared = self.shared.clone();
            let thread = std::thread::Builder::new().name(format!("oarlock-worker-{number}"));
            // With fewer workers than planned, or none, everything still runs.
            if let Err(error) = thread.spawn(move || shared.work()) {
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

/// # Safety
/// As [`Pool::run`]; `memory` has room for the task.
unsafe fn call(task: &Task, first: u64, end: u64, memory: &ThreadMemory) {
    let scratch = if task.scratch_bytes == 0 { std::ptr::null_mut() } else { memory.scratch() };
    // SAFETY: the caller's promise.
    unsafe { (task.entry)(task.frame, first, end, memory.group(), scratch) };
}

impl Cut {
    /// Runs the chunk that is taken when `left` chunks of `chunks` are left.
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

impl Shared {
    fn own_slot(&self) -> Option<usize> {
        let index = self
            .slots
            .iter()
            .position(|slot| slot.control.compare_exchange(0, control::OWNED, Acquire, Relaxed).is_ok())?;
        if self.top.load(Relaxed) <= index as u32 {
            self.top.fetch_max(index as u32 + 1, Relaxed);
        }
        Some(index)
    }

    /// The caller's side of a launch.
    ///
    /// # Safety
    /// As [`Pool::run`]; the slot at `index` is owned by this launch.
    unsafe fn run(&self, index: usize, cut: Cut, memory: &ThreadMemory) {
        let (slot, aside) = (&self.slots[index], &self.asides[index]);
        // SAFETY: the slot is owned and has no chunks: nobody reads it now.
        unsafe { *slot.cut.get() = cut };
        // The first chunk is the caller's own.
        slot.control.store(control::OWNED | ((cut.chunks - 1) * control::CHUNK), Release);
        self.ring(cut.chunks - 1);
        // SAFETY: the caller's promise.
        unsafe { cut.run(cut.chunks, memory) };
        while let Some(left) = slot.take(0) {
            // SAFETY: this chunk is nobody else's; the caller's promise.
            unsafe { cut.run(left, memory) };
        }
        slot.wait_for_workers(aside);
        if slot.control.load(Acquire) & control::ORPHANS != 0 {
            for left in aside.orphans.lock().drain(..) {
                // SAFETY: as above: a worker took this chunk and did not run it.
                unsafe { cut.run(left, memory) };
            }
        }
        slot.control.store(0, Release);
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
        for (slot, aside) in self.slots[..top].iter().zip(&self.asides) {
            helped |= slot.help(aside, memory);
        }
        helped
    }
}

impl Slot {
    /// A worker's side of a launch.
    fn help(&self, aside: &Aside, memory: &mut ThreadMemory) -> bool {
        // Signing on takes the first chunk in the same step.
        let Some(mut left) = self.take(1) else { return false };
        // SAFETY: this thread has taken a chunk and signed on: the cut stays as it is until it signs off.
        let cut = unsafe { *self.cut.get() };
        if memory.reserve(cut.task.group_bytes, cut.task.scratch_bytes) {
            loop {
                // SAFETY: the chunk is this thread's alone, the caller of `Pool::run` waits for it, and
                // `memory` has room.
                unsafe { cut.run(left, memory) };
                match self.take(0) {
                    Some(next) => left = next,
                    None => break,
                }
            }
        } else {
            aside.orphans.lock().push(left);
            self.control.fetch_or(control::ORPHANS, AcqRel);
        }
        let word = self.control.fetch_sub(1, AcqRel);
        if control::workers(word) == 1 && word & control::CALLER_SLEEPS != 0 {
            aside.finished.fetch_add(1, Release);
            wake(&aside.finished, 1);
        }
        true
    }

    fn wait_for_workers(&self, aside: &Aside) {
        let mut spin = Spin::new();
        while control::workers(self.control.load(Acquire)) > 0 {
            if spin.again() {
                continue;
            }
            let seen = aside.finished.load(Acquire);
            if control::workers(self.control.fetch_or(control::CALLER_SLEEPS, AcqRel)) > 0 {
                sleep(&aside.finished, seen, None);
            }
        }
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
}
