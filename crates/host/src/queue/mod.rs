//! In-order queues.
//!
//! Work waits in a list. A queue with work has one *server*: a thread of [`Threads`](crate::threads::Threads)
//! that takes the list and works it off. Enqueuing only appends, and calls a server where there is none. A
//! thread that waits for a queue whose server has not arrived yet works in its place.

mod core;
mod waiters;

use std::any::Any;
use std::sync::Arc;

use oarlock_device::{DeviceError, DevicePtr, Event, HostFn, Launch, Queue};
use smallvec::SmallVec;

pub(crate) use self::core::Core;
use self::core::Work;
use crate::checks::Plan;
use crate::device::Inner;
use crate::event::HostEvent;

/// A queue as its users hold it. Dropping it leaves its work to the server.
pub(crate) struct HostQueue {
    core: Arc<Core>,
}

impl HostQueue {
    pub(crate) fn new(device: Arc<Inner>) -> Self {
        Self { core: Arc::new(Core::new(device)) }
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
            event.complete(state.tell_event());
        } else {
            self.core.push_locked(&mut state, Work::Mark(event.clone()))?;
        }
        Ok(event)
    }

    fn sync(&self) -> Result<(), DeviceError> {
        self.core.finish()?;
        self.core.state.lock().tell_sync()
    }

    fn is_idle(&self) -> bool {
        self.core.is_idle()
    }
}
