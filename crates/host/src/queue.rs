//! In-order queues.
//!
//! Work waits in a list. A queue with work has one *server*: a thread of [`Threads`](crate::threads::Threads)
//! that takes the list and works it off. Enqueuing only appends, and calls a server where there is none. A
//! thread that waits for a queue whose server has not arrived yet works in its place.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use oarlock_device::{DeviceError, DevicePtr, Event, HostFn, Launch, Queue};
use parking_lot::{Mutex, MutexGuard};
use smallvec::SmallVec;

use crate::checks::Plan;
use crate::device::Inner;
use crate::event::HostEvent;
use crate::wait::{Spin, sleep, wake};

/// A queue as its users hold it. Dropping it leaves its work to the server.
pub(crate) struct HostQueue {
    core: Arc<Core>,
}

/// A queue as its server holds it.
pub(crate) struct Core {
    device: Arc<Inner>,
    state: Mutex<State>,
    /// Pieces of work that were queued; changes under the lock.
    queued: AtomicU64,
    /// Pieces of work that have finished.
    finished: AtomicU64,
    waiters: Waiters,
}

#[derive(Default)]
struct State {
    work: VecDeque<Work>,
    server: Server,
    /// An empty list with room, for the server to swap with.
    spare: VecDeque<Work>,
    /// The first error that no sync has told.
    for_sync: Option<DeviceError>,
    /// The first error that no event and no sync has told.
    for_event: Option<DeviceError>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Server {
    /// No work, no server.
    #[default]
    None,
    /// A thread was called and has not begun.
    Called,
    /// A thread is at work.
    Serving,
}

#[allow(
    clippy::large_enum_variant,
    reason = "most work is launches, and a box for each would be an allocation"
)]
enum Work {
    Launch(Launch, Plan),
    Copy { dst: DevicePtr, src: DevicePtr, len: u64 },
    Fill { dst: DevicePtr, pattern: SmallVec<[u8; 16]>, len: u64 },
    Function(HostFn),
    Wait(Arc<dyn Event>),
    Mark(Arc<HostEvent>),
}

/// Threads that sleep until a piece of work has finished.
struct Waiters {
    /// The smallest number of finished pieces that anyone sleeps for.
    target: AtomicU64,
    /// Changes when sleepers should look again.
    changes: AtomicU32,
}

/// Room for more pieces than this is given back when a queue becomes empty.
const KEEP: usize = 256;

/// How long a server stays at an empty queue.
const LINGER: Duration = Duration::from_micros(20);

impl HostQueue {
    pub(crate) fn new(device: Arc<Inner>) -> Self {
        let waiters = Waiters { target: AtomicU64::new(u64::MAX), changes: AtomicU32::new(0) };
        let core = Core {
            device,
            state: Mutex::default(),
            queued: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            waiters,
        };
        Self { core: Arc::new(core) }
    }
}

impl Queue for HostQueue {
    unsafe fn launch(&self, launch: Launch) -> Result<(), DeviceError> {
        let plan = Plan::check(&launch, &self.core.device.facts)?;
        self.core.push(Work::Launch(launch, plan))
    }

    fn copy(&self, dst: DevicePtr, src: DevicePtr, len: u64) -> Result<(), DeviceError> {
        self.core.device.memory.check_copy(dst, src, len)?;
        self.core.push(Work::Copy { dst, src, len })
    }

    fn fill(&self, dst: DevicePtr, pattern: &[u8], len: u64) -> Result<(), DeviceError> {
        self.core.device.memory.check_fill(dst, pattern.len(), len)?;
        self.core.push(Work::Fill { dst, pattern: SmallVec::from_slice(pattern), len })
    }

    fn host_function(&self, function: HostFn) -> Result<(), DeviceError> {
        self.core.push(Work::Function(function))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<(), DeviceError> {
        let any: &dyn Any = &**event;
        if !any.is::<HostEvent>() {
            return Err(DeviceError::ForeignEvent);
        }
        if event.is_complete() {
            return Ok(());
        }
        self.core.push(Work::Wait(event.clone()))
    }

    fn record(&self) -> Result<Arc<dyn Event>, DeviceError> {
        let event = Arc::new(HostEvent::default());
        let mut state = self.core.state.lock();
        if self.core.is_idle() {
            event.complete(state.for_event.take());
        } else {
            self.core.push_locked(&mut state, Work::Mark(event.clone()))?;
        }
        Ok(event)
    }

    fn sync(&self) -> Result<(), DeviceError> {
        let target = self.core.queued.load(SeqCst);
        self.core.help(target);
        self.core.wait(target);
        let mut state = self.core.state.lock();
        state.for_event = None;
        state.for_sync.take().map_or(Ok(()), Err)
    }

    fn is_idle(&self) -> bool {
        self.core.is_idle()
    }
}

impl Core {
    fn is_idle(&self) -> bool {
        // In this order: what finishes in between was queued before.
        let queued = self.queued.load(SeqCst);
        self.finished.load(SeqCst) >= queued
    }

    fn push(self: &Arc<Self>, work: Work) -> Result<(), DeviceError> {
        self.push_locked(&mut self.state.lock(), work)
    }

    fn push_locked(
        self: &Arc<Self>,
        state: &mut MutexGuard<'_, State>,
        work: Work,
    ) -> Result<(), DeviceError> {
        if state.server == Server::None {
            self.device.threads.serve(self.clone())?;
            state.server = Server::Called;
        }
        state.work.push_back(work);
        self.queued.fetch_add(1, SeqCst);
        Ok(())
    }

    /// The server's work: all there is, and what comes soon after.
    pub(crate) fn serve(&self) {
        let mut state = self.state.lock();
        // Someone who could not wait may have done the work.
        if state.server != Server::Called {
            return;
        }
        state.server = Server::Serving;
        let mut batch = std::mem::take(&mut state.spare);
        loop {
            std::mem::swap(&mut state.work, &mut batch);
            drop(state);
            for work in batch.drain(..) {
                self.execute(work);
            }
            let mut spin = Spin::lasting(LINGER);
            while self.is_idle() && spin.again() {}
            state = self.state.lock();
            if state.work.is_empty() {
                state.server = Server::None;
                batch.shrink_to(KEEP);
                state.work.shrink_to(KEEP);
                state.spare = batch;
                return;
            }
        }
    }

    /// Does what was queued before `target`, unless a server is at it. Stops before work that may block:
    /// that is for a thread of the device.
    fn help(self: &Arc<Self>, target: u64) {
        let mut state = self.state.lock();
        if state.server != Server::Called {
            return;
        }
        state.server = Server::Serving;
        while self.finished.load(SeqCst) < target {
            match state.work.pop_front() {
                Some(work @ (Work::Function(_) | Work::Wait(_))) => {
                    state.work.push_front(work);
                    break;
                }
                Some(work) => {
                    drop(state);
                    self.execute(work);
                    state = self.state.lock();
                }
                None => break,
            }
        }
        state.server = Server::None;
        // The thread that was called may have come and gone by now.
        if !state.work.is_empty() {
            state.server = Server::Called;
            let Err(_) = self.device.threads.serve(self.clone()) else { return };
            // No thread to be had: the work is done here.
            drop(state);
            self.serve();
        }
    }

    /// Does one piece of work.
    fn execute(&self, work: Work) {
        let memory = &self.device.memory;
        let result = match work {
            Work::Launch(launch, plan) => {
                // SAFETY: whoever queued the launch vouched for the kernel and its pointers until now.
                unsafe { self.device.run(&launch, &plan) }
            }
            Work::Copy { dst, src, len } => memory.copy(dst, src, len).map_err(Into::into),
            Work::Fill { dst, pattern, len } => memory.fill(dst, &pattern, len).map_err(Into::into),
            Work::Function(function) => call(function),
            Work::Wait(event) => {
                // Its error is told by its own queue.
                let _ = event.wait();
                Ok(())
            }
            Work::Mark(event) => {
                let error = self.state.lock().for_event.take();
                event.complete(error);
                Ok(())
            }
        };
        if let Err(error) = result {
            tracing::debug!(%error, "queued work failed");
            let mut state = self.state.lock();
            state.for_sync.get_or_insert_with(|| error.clone());
            state.for_event.get_or_insert(error);
        }
        let finished = self.finished.fetch_add(1, SeqCst) + 1;
        self.waiters.tell(finished);
    }

    /// Waits until `target` pieces have finished.
    fn wait(&self, target: u64) {
        let mut spin = Spin::new();
        while self.finished.load(SeqCst) < target {
            if !spin.again() {
                self.waiters.sleep(target, &self.finished);
            }
        }
    }
}

impl Waiters {
    fn sleep(&self, target: u64, finished: &AtomicU64) {
        let seen = self.changes.load(SeqCst);
        self.target.fetch_min(target, SeqCst);
        // Either `tell` sees the target, or this sees what has finished: all of it is sequentially consistent.
        if finished.load(SeqCst) < target {
            sleep(&self.changes, seen, None);
        }
    }

    fn tell(&self, finished: u64) {
        if self.target.load(SeqCst) <= finished {
            // A target that arrives in between is lost here, and its owner wakes and sets it again.
            self.target.swap(u64::MAX, SeqCst);
            self.changes.fetch_add(1, SeqCst);
            wake(&self.changes, i32::MAX as u32);
        }
    }
}

fn call(function: HostFn) -> Result<(), DeviceError> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|payload| {
        let message = match payload.downcast_ref::<&str>() {
            Some(text) => (*text).to_owned(),
            None => payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "no message".into()),
        };
        // A payload may panic when it is dropped.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(second);
        }
        DeviceError::HostFunctionPanicked { message }
    })
}
