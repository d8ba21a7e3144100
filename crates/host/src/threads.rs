//! Threads for queues: kept for a while when their work is done, so that the next work starts sooner.

use std::sync::Arc;
use std::time::Duration;

use oarlock_device::DeviceError;
use parking_lot::{Condvar, Mutex};

use crate::queue::Core;

/// How long a thread without work stays.
const STAY: Duration = Duration::from_secs(2);

/// Threads that are ready for a queue.
pub(crate) struct Threads {
    idle: Arc<Mutex<Idle>>,
}

#[derive(Default)]
struct Idle {
    /// The last to become idle is the first to be used: it is the one that is warm.
    seats: Vec<Arc<Seat>>,
    closed: bool,
}

/// Where a thread waits for its next queue.
#[derive(Default)]
struct Seat {
    next: Mutex<Next>,
    called: Condvar,
}

#[derive(Default)]
enum Next {
    #[default]
    Nothing,
    Serve(Arc<Core>),
    Leave,
}

impl Threads {
    pub(crate) fn new() -> Self {
        Self { idle: Arc::default() }
    }

    /// Has a thread serve `queue` until it is empty.
    ///
    /// # Errors
    /// [`DeviceError::System`] where there is no thread and none can be made.
    pub(crate) fn serve(&self, queue: Arc<Core>) -> Result<(), DeviceError> {
        let seat = self.idle.lock().seats.pop();
        if let Some(seat) = seat {
            *seat.next.lock() = Next::Serve(queue);
            seat.called.notify_one();
            return Ok(());
        }
        let idle = self.idle.clone();
        let thread = std::thread::Builder::new().name("oarlock-queue".into());
        let started = thread.spawn(move || live(queue, &idle));
        started
            .map(drop)
            .map_err(|e| DeviceError::System { what: "starting a thread for a queue", reason: e.to_string() })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let mut idle = self.idle.lock();
        idle.closed = true;
        for seat in idle.seats.drain(..) {
            *seat.next.lock() = Next::Leave;
            seat.called.notify_one();
        }
    }
}

/// A thread's life: serve, sit down, serve the next.
fn live(first: Arc<Core>, idle: &Mutex<Idle>) {
    let seat = Arc::new(Seat::default());
    let mut queue = first;
    loop {
        queue.serve();
        // The queue may be the last to hold the device, whose drop closes `idle`: not under its lock.
        drop(queue);
        let mut list = idle.lock();
        if list.closed {
            return;
        }
        list.seats.push(seat.clone());
        drop(list);
        match sit(&seat, idle) {
            Some(next) => queue = next,
            None => return,
        }
    }
}

fn sit(seat: &Arc<Seat>, idle: &Mutex<Idle>) -> Option<Arc<Core>> {
    let mut next = seat.next.lock();
    loop {
        match std::mem::take(&mut *next) {
            Next::Serve(queue) => return Some(queue),
            Next::Leave => return None,
            Next::Nothing => {}
        }
        if seat.called.wait_for(&mut next, STAY).timed_out() && matches!(*next, Next::Nothing) {
            // `idle` is locked before a seat everywhere else.
            drop(next);
            let mut list = idle.lock();
            let before = list.seats.len();
            list.seats.retain(|other| !Arc::ptr_eq(other, seat));
            if list.seats.len() < before {
                return None;
            }
            // Whoever took the seat off the list is about to call.
            drop(list);
            next = seat.next.lock();
        }
    }
}
