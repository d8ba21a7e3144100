//! A queue's work, and who does it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use oarlock_device::{DeviceError, DevicePtr, Event, HostFn, Launch};
use parking_lot::{Mutex, MutexGuard};
use smallvec::SmallVec;

use super::waiters::Count;
use crate::checks::Plan;
use crate::device::Inner;
use crate::event::HostEvent;
use crate::wait::Spin;

/// A queue as its server holds it.
pub(crate) struct Core {
    pub(super) device: Arc<Inner>,
    pub(super) state: Mutex<State>,
    /// Pieces of work that were queued; changes under the lock.
    queued: AtomicU64,
    /// Pieces of work that have finished.
    finished: Count,
}

#[derive(Default)]
pub(super) struct State {
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
pub(super) enum Work {
    Launch(Launch, Plan),
    Copy { dst: DevicePtr, src: DevicePtr, len: u64 },
    Fill { dst: DevicePtr, pattern: SmallVec<[u8; 16]>, len: u64 },
    Function(HostFn),
    Wait(Arc<dyn Event>),
    Mark(Arc<HostEvent>),
}

/// Room for more pieces than this is given back when a queue becomes empty.
const KEEP: usize = 256;

/// How long a server stays at an empty queue.
const LINGER: Duration = Duration::from_micros(20);

thread_local! {
    /// The queue whose host function runs on this thread; only ever compared.
    static IN_FUNCTION: Cell<*const Core> = const { Cell::new(std::ptr::null()) };
}

impl State {
    /// What a sync tells: each error once.
    pub(super) fn tell_sync(&mut self) -> Result<(), DeviceError> {
        self.for_event = None;
        self.for_sync.take().map_or(Ok(()), Err)
    }

    /// What an event tells; a later sync tells it too.
    pub(super) fn tell_event(&mut self) -> Option<DeviceError> {
        self.for_event.take()
    }
}

impl Core {
    pub(super) fn new(device: Arc<Inner>) -> Self {
        Self { device, state: Mutex::default(), queued: AtomicU64::new(0), finished: Count::new() }
    }

    pub(super) fn is_idle(&self) -> bool {
        // In this order: what finishes in between was queued before.
        let queued = self.queued.load(SeqCst);
        self.finished.get() >= queued
    }

    pub(super) fn push(self: &Arc<Self>, work: Work) -> Result<(), DeviceError> {
        self.push_locked(&mut self.state.lock(), work)
    }

    pub(super) fn push_locked(
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

    /// Waits for all that was queued before this call.
    pub(super) fn finish(self: &Arc<Self>) -> Result<(), DeviceError> {
        if std::ptr::eq(IN_FUNCTION.get(), &raw const **self) {
            return Err(DeviceError::SyncInHostFunction);
        }
        let target = self.queued.load(SeqCst);
        self.help(target);
        self.finished.wait(target);
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
        while self.finished.get() < target {
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
            Work::Function(function) => {
                let outer = IN_FUNCTION.replace(self);
                let result = call(function);
                IN_FUNCTION.set(outer);
                result
            }
            Work::Wait(event) => {
                // Its error is told by its own queue.
                let _ = event.wait();
                Ok(())
            }
            Work::Mark(event) => {
                let error = self.state.lock().tell_event();
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
        self.finished.add();
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
