//! The device's threads. Those that serve queues are kept for a while when their work is done, so that the next
//! work starts sooner.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::time::Duration;

use oarlock_device::DeviceError;
use parking_lot::Mutex;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::queue::Core;
use crate::wait::{Spin, sleep, wake};

/// Stack of the device's threads in bytes: kernels keep their private arrays there. It takes no room until it
/// is used.
const STACK: usize = 16 << 20;

/// How long a thread without work stays.
const STAY: Duration = Duration::from_secs(2);

/// How long it stays awake: work that comes in this time finds it without a call into the kernel.
const AWAKE: Duration = Duration::from_micros(20);

/// The processors that the device's threads run on: those of the thread that made the device.
///
/// A thread inherits the binding of the thread that starts it, which may be a launch from a thread that is
/// bound to a single processor; the device's own threads are set free from that.
#[derive(Clone, Copy)]
pub(crate) struct Home {
    processors: Option<CpuSet>,
}

impl Home {
    /// The calling thread's processors.
    pub(crate) fn here() -> Self {
        Self { processors: sched_getaffinity(None).ok() }
    }

    /// Starts a thread of the device.
    pub(crate) fn spawn(self, name: String, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let thread = std::thread::Builder::new().name(name).stack_size(STACK);
        let started = thread.spawn(move || {
            if let Some(processors) = &self.processors {
                // Refused where the process lost all of these processors since: it runs where it may.
                let _ = sched_setaffinity(None, processors);
            }
            run();
        });
        started.map(drop)
    }
}

/// Threads that are ready for a queue.
pub(crate) struct Threads {
    idle: Arc<Mutex<Idle>>,
    home: Home,
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
    state: AtomicU32,
    next: Mutex<Next>,
}

const AWAITING: u32 = 0;
const SLEEPING: u32 = 1;
const CALLED: u32 = 2;

#[derive(Default)]
enum Next {
    #[default]
    Leave,
    Serve(Arc<Core>),
}

impl Threads {
    pub(crate) fn new(home: Home) -> Self {
        Self { idle: Arc::default(), home }
    }

    /// Has a thread serve `queue` until it is empty.
    ///
    /// # Errors
    /// [`DeviceError::System`] where there is no thread and none can be made.
    pub(crate) fn serve(&self, queue: Arc<Core>) -> Result<(), DeviceError> {
        let seat = self.idle.lock().seats.pop();
        if let Some(seat) = seat {
            seat.call(Next::Serve(queue));
            return Ok(());
        }
        let idle = self.idle.clone();
        self.home
            .spawn("oarlock-queue".into(), move || live(queue, &idle))
            .map_err(|e| DeviceError::System { what: "starting a thread for a queue", reason: e.to_string() })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let mut idle = self.idle.lock();
        idle.closed = true;
        for seat in idle.seats.drain(..) {
            seat.call(Next::Leave);
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
            Next::Serve(next) => queue = next,
            Next::Leave => return,
        }
    }
}

/// Waits for a call; leaves when none comes for long.
fn sit(seat: &Arc<Seat>, idle: &Mutex<Idle>) -> Next {
    if !seat.is_called_within(STAY) {
        let mut list = idle.lock();
        let before = list.seats.len();
        list.seats.retain(|other| !Arc::ptr_eq(other, seat));
        if list.seats.len() < before {
            return Next::Leave;
        }
        // Whoever took the seat off the list is about to call.
        drop(list);
        while !seat.is_called_within(STAY) {}
    }
    seat.state.store(AWAITING, Relaxed);
    std::mem::take(&mut *seat.next.lock())
}

impl Seat {
    /// Only for who took the seat off the list: one call for each sitting.
    fn call(&self, next: Next) {
        *self.next.lock() = next;
        if self.state.swap(CALLED, AcqRel) == SLEEPING {
            wake(&self.state, 1);
        }
    }

    fn is_called_within(&self, time: Duration) -> bool {
        let mut spin = Spin::lasting(AWAKE);
        while self.state.load(Acquire) != CALLED {
            if spin.again() {
                continue;
            }
            let _ = self.state.compare_exchange(AWAITING, SLEEPING, AcqRel, Acquire);
            // Woken early by nothing: that only makes this thread leave a little sooner.
            sleep(&self.state, SLEEPING, Some(time));
            return self.state.load(Acquire) == CALLED;
        }
        true
    }
}
