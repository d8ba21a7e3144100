//! When memory may go: epochs, private to one instance.
//!
//! A thread that reads *pins*: it notes the epoch it came in. What is taken out of a table is stamped with
//! the epoch after it was taken out, and freed once the epoch is three further. The epoch moves on only
//! when every pinned thread has noted the present one, so none can still hold what was taken out.
//!
//! # Why it holds
//! Let object X be unpublished, then a `SeqCst` fence F, then the stamp s read. X is freed after three
//! advances, from s or later. Each advance reads the epoch, makes a heavy barrier, then looks at all
//! threads. Call the last two A2 (it reads s+1) and A3 (it reads s+2).
//!
//! - Since the stamp was read as s after F, and A2 read s+1 before its barrier, F comes before A2's
//!   barrier in the order of fences.
//! - A thread R that pinned with s+2 or more read that with Acquire from the store of A2 or a later
//!   advance, after A2's barrier: it sees X unpublished, and cannot have got it.
//! - A thread R that is pinned with s+1 or less is either seen by A3, which then does not advance, or its
//!   note came after A3's barrier, and then all its reads do: it sees X unpublished as well.
//! - A thread that has unpinned did so with Release, and A3 read it with Acquire: its reads are over.
//!
//! Two epochs are enough where readers execute a fence of their own. The third costs nothing but a
//! little patience, and makes the proof hold where they do not.
//!
//! # The barrier of the reader
//! Between the note and the reads that follow stands a barrier. On Linux the reader's is only one for the
//! compiler, and the advancing thread, which is rare, lets the kernel make every running thread of the
//! process execute a real one (`membarrier`). Elsewhere both execute a `SeqCst` fence.

mod barrier;
mod local;
mod participant;

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64 as Counter, Ordering::Relaxed as CounterOrder};

use crossbeam_utils::CachePadded;

pub use barrier::Barrier;
use participant::{Participant, Participants};

use crate::sync::atomic::{AtomicU64, Ordering, fence};
use crate::sync::{Mutex, lock};

/// How much later than its stamp something may be freed.
const GRACE: u64 = 3;

/// One epoch, and the threads that may read under it.
pub(crate) struct Domain {
    /// Names this domain in thread-local memory. An address could come again, a count cannot.
    id: u64,
    barrier: Barrier,
    epoch: CachePadded<AtomicU64>,
    participants: Participants,
    /// Held by the one thread that moves the epoch on.
    advancing: Mutex<()>,
}

impl Domain {
    pub(crate) fn new(barrier: Barrier) -> Arc<Self> {
        static NEXT: Counter = Counter::new(1);
        Arc::new(Self {
            id: NEXT.fetch_add(1, CounterOrder),
            barrier: barrier.available(),
            epoch: CachePadded::new(AtomicU64::new(1)),
            participants: Participants::default(),
            advancing: Mutex::new(()),
        })
    }

    pub(crate) fn barrier(&self) -> Barrier {
        self.barrier
    }

    /// Pins the calling thread.
    #[inline]
    pub(crate) fn pin<'d>(self: &'d Arc<Self>) -> Scope<'d> {
        let (participant, lasting) = match local::last(self.id) {
            Some(participant) => (participant, true),
            None => local::register(self),
        };
        // SAFETY: the pointer came from this domain's own list, where participants stay until the domain
        // is dropped; it is borrowed for 'd.
        let participant: &'d Participant = unsafe { &*participant };
        if participant.enter(self.epoch.load(Ordering::Acquire)) {
            self.barrier.light();
        }
        Scope { domain: self, participant, lasting, not_send: PhantomData }
    }

    /// The stamp for what has been unpublished before this call.
    pub(crate) fn stamp(&self) -> u64 {
        fence(Ordering::SeqCst);
        self.epoch.load(Ordering::Relaxed)
    }

    /// Whether what has this stamp may be freed.
    pub(crate) fn is_over(&self, stamp: u64) -> bool {
        // Acquire: the frees that follow come after the looks of the thread that advanced.
        self.epoch.load(Ordering::Acquire) >= stamp + GRACE
    }

    /// Moves the epoch on by one if no thread stands against it and no other thread is at it.
    pub(crate) fn try_advance(&self) {
        if let Ok(_held) = self.advancing.try_lock() {
            self.advance();
        }
    }

    /// Moves the epoch on as far as needed for what is stamped now, or until a pinned thread stands against
    /// it.
    pub(crate) fn advance_fully(&self) {
        let _held = lock(&self.advancing);
        for _ in 0..GRACE {
            if !self.advance() {
                break;
            }
        }
    }

    /// To be called under the lock only.
    fn advance(&self) -> bool {
        let now = self.epoch.load(Ordering::Relaxed);
        if !self.barrier.heavy() || self.participants.iter().any(|p| p.stands_against(now)) {
            return false;
        }
        self.epoch.store(now + 1, Ordering::Release);
        true
    }

    /// Threads pinned at this moment, and all that were ever pinned at once.
    pub(crate) fn threads(&self) -> (usize, usize) {
        let pinned = self.participants.iter().filter(|p| p.is_pinned()).count();
        (pinned, self.participants.iter().count())
    }
}

/// The calling thread is pinned: what it gets from a table of the same instance stays in memory for as
/// long as this value lives.
///
/// Cheap to make (about the price of two stores) and cheaper when nested. Keep it for one call of an API, not
/// for a wait: while any thread is pinned, memory of destroyed objects is kept.
#[must_use = "what is resolved under a scope is protected only while the scope lives"]
pub struct Scope<'i> {
    domain: &'i Domain,
    participant: &'i Participant,
    /// Whether the thread keeps the participant for its next pin.
    lasting: bool,
    /// A participant belongs to its thread.
    not_send: PhantomData<*const ()>,
}

impl Scope<'_> {
    #[inline]
    pub(crate) fn is_of(&self, domain: &Arc<Domain>) -> bool {
        std::ptr::eq(self.domain, &raw const **domain)
    }
}

impl Drop for Scope<'_> {
    #[inline]
    fn drop(&mut self) {
        self.participant.leave();
        if !self.lasting {
            self.participant.give_back();
        }
    }
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("domain", &self.domain.id).finish_non_exhaustive()
    }
}
