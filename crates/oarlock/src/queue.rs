//! Queues: asynchronous work, in order.

use std::sync::Arc;

use oarlock_device::DevicePtr;

use crate::objects::{Event, Queue};
use crate::{DeviceKey, Error, EventKey, QueueKey, Runtime};

impl Runtime {
    /// A new queue on a device. Its work runs in order; different queues run side by side.
    ///
    /// # Errors
    /// [`Error::Device`] where the machine has no more threads or memory; [`Error::Full`]; handle errors.
    #[track_caller]
    pub fn create_queue(&self, device: DeviceKey) -> Result<QueueKey, Error> {
        let index = self.device_index(device)?;
        let queue = self.device_at(index).device.create_queue()?;
        let key = self.shared.queues.insert(Queue { device: index, queue })?;
        tracing::debug!(target: "oarlock::queue", queue = %self.hex(key), "create");
        Ok(key)
    }

    /// Destroys a queue without waiting. What was queued still runs, and its events stay valid.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] where it has been destroyed before, and the other handle errors.
    #[track_caller]
    pub fn destroy_queue(&self, queue: QueueKey) -> Result<(), Error> {
        self.remove(queue)?;
        tracing::debug!(target: "oarlock::queue", queue = %self.hex(queue), "destroy");
        Ok(())
    }

    /// Waits for all that was queued before this call.
    ///
    /// # Errors
    /// The first error of queued work since the last sync, told once; handle errors.
    pub fn sync(&self, queue: QueueKey) -> Result<(), Error> {
        let (_, queue) = self.queue(queue)?;
        let span = tracing::debug_span!(target: "oarlock::queue", "sync");
        let _in_span = span.enter();
        Ok(queue.sync()?)
    }

    /// True where nothing that was queued is unfinished.
    ///
    /// # Errors
    /// Handle errors.
    pub fn is_idle(&self, queue: QueueKey) -> Result<bool, Error> {
        Ok(self.queue(queue)?.1.is_idle())
    }

    /// The device of a queue.
    ///
    /// # Errors
    /// Handle errors.
    pub fn queue_device(&self, queue: QueueKey) -> Result<DeviceKey, Error> {
        Ok(self.device_at(self.queue(queue)?.0).key)
    }

    /// Queues a copy of `len` bytes within the device's memory. The ranges may overlap.
    ///
    /// # Errors
    /// [`oarlock_device::MemoryError`] where a range is not the device's; handle errors.
    pub fn copy(&self, queue: QueueKey, dst: DevicePtr, src: DevicePtr, len: u64) -> Result<(), Error> {
        tracing::trace!(target: "oarlock::queue", %dst, %src, len, "copy");
        Ok(self.queue(queue)?.1.copy(dst, src, len)?)
    }

    /// Queues a fill of `len` bytes with a repeated pattern, whose length divides `len`.
    ///
    /// # Errors
    /// As [`copy`](Self::copy), and for a pattern that does not fit.
    pub fn fill(&self, queue: QueueKey, dst: DevicePtr, pattern: &[u8], len: u64) -> Result<(), Error> {
        tracing::trace!(target: "oarlock::queue", %dst, len, "fill");
        Ok(self.queue(queue)?.1.fill(dst, pattern, len)?)
    }

    /// Queues a function of the host. It runs in the queue's order, on a thread of the device, and
    /// may use the runtime. A panic in it is an error at the next [`sync`](Self::sync).
    ///
    /// # Errors
    /// Handle errors.
    pub fn host_function(
        &self,
        queue: QueueKey,
        function: impl FnOnce() + Send + 'static,
    ) -> Result<(), Error> {
        Ok(self.queue(queue)?.1.host_function(Box::new(function))?)
    }

    /// Makes what is queued from now on wait for an event, of any queue of the same device.
    ///
    /// # Errors
    /// [`Error::WrongDevice`]; handle errors.
    pub fn wait_for(&self, queue: QueueKey, event: EventKey) -> Result<(), Error> {
        let (queue_device, queue) = self.queue(queue)?;
        let (event_device, event) = self.event(event)?;
        self.same_device("event", queue_device, event_device)?;
        Ok(queue.wait_for(&event)?)
    }

    /// An event that completes when all that was queued before it has.
    ///
    /// # Errors
    /// [`Error::Full`]; handle errors.
    #[track_caller]
    pub fn record(&self, queue: QueueKey) -> Result<EventKey, Error> {
        let (device, queue) = self.queue(queue)?;
        let event = queue.record()?;
        Ok(self.shared.events.insert(Event { device, event })?)
    }

    /// A queue and its device's position, to use without being pinned.
    pub(crate) fn queue(&self, key: QueueKey) -> Result<(usize, Arc<dyn oarlock_device::Queue>), Error> {
        let scope = self.pin();
        let queue = self.resolve(&scope, key)?;
        Ok((queue.device, queue.queue.clone()))
    }

    pub(crate) fn same_device(&self, what: &'static str, queue: usize, other: usize) -> Result<(), Error> {
        if queue == other {
            return Ok(());
        }
        let name = |index| format!("{}: {}", index, self.device_at(index).device.facts().name);
        Err(Error::WrongDevice { what, expected: name(queue), found: name(other) })
    }
}
