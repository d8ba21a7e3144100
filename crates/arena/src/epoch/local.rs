//! Which participant is the calling thread's, in a couple of loads.

use std::cell::{Cell, RefCell};
use std::ptr;
use std::sync::{Arc, Weak};

use super::{Domain, Participant};
use crate::sync::thread_local;

/// A participant of the calling thread, and the domain it is of.
struct Mine {
    id: u64,
    domain: Weak<Domain>,
    participant: *const Participant,
}

/// All of them. Given back when the thread ends.
struct All(RefCell<Vec<Mine>>);

#[cfg(not(loom))]
thread_local! {
    /// The one used last. No destructor, so that reading it takes no check.
    static LAST: Cell<(u64, *const Participant)> = const { Cell::new((0, ptr::null())) };
    static ALL: All = const { All(RefCell::new(Vec::new())) };
}

#[cfg(loom)]
thread_local! {
    static LAST: Cell<(u64, *const Participant)> = Cell::new((0, ptr::null()));
    static ALL: All = All(RefCell::new(Vec::new()));
}

/// The participant, if this domain is the one that the thread pinned last. Domains are never numbered 0,
/// and no number comes again, so what is found belongs to a domain that lives.
#[inline]
pub(super) fn last(id: u64) -> Option<*const Participant> {
    let (last, participant) = LAST.try_with(Cell::get).ok()?;
    (last == id).then_some(participant)
}

/// The participant, looked up or made; `false` when the thread is ending, and this one has to be given
/// back with the scope.
#[cold]
pub(super) fn register(domain: &Arc<Domain>) -> (*const Participant, bool) {
    let found = ALL.try_with(|All(all)| {
        let mut all = all.borrow_mut();
        if let Some(mine) = all.iter().find(|mine| mine.id == domain.id) {
            return mine.participant;
        }
        // A thread that outlives many domains must not collect their ghosts.
        all.retain(|mine| mine.domain.strong_count() > 0);
        let participant = domain.participants.take();
        all.push(Mine { id: domain.id, domain: Arc::downgrade(domain), participant });
        participant
    });
    match found {
        Ok(participant) => {
            let _ = LAST.try_with(|last| last.set((domain.id, participant)));
            (participant, true)
        }
        Err(_) => (domain.participants.take(), false),
    }
}

impl Drop for All {
    fn drop(&mut self) {
        let _ = LAST.try_with(|last| last.set((0, ptr::null())));
        for mine in self.0.get_mut().drain(..) {
            if let Some(_alive) = mine.domain.upgrade() {
                // SAFETY: the domain lives while it is held here, and with it its participants.
                unsafe { (*mine.participant).give_back() };
            }
        }
    }
}
