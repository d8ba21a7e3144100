//! Events: points in queues.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{Error, EventKey, Runtime};

impl Runtime {
    /// True when the point has been reached.
    ///
    /// # Errors
    /// Handle errors.
    pub fn is_complete(&self, event: EventKey) -> Result<bool, Error> {
        Ok(self.event(event)?.1.is_complete())
    }

    /// Waits until the point has been reached.
    ///
    /// # Errors
    /// The first error of the queue's work before the point; handle errors.
    pub fn wait(&self, event: EventKey) -> Result<(), Error> {
        Ok(self.event(event)?.1.wait()?)
    }

    /// Waits at most `timeout`; true when the point has been reached.
    ///
    /// # Errors
    /// Handle errors.
    pub fn wait_timeout(&self, event: EventKey, timeout: Duration) -> Result<bool, Error> {
        Ok(self.event(event)?.1.wait_timeout(timeout))
    }

    /// When the point was reached; `None` before that.
    ///
    /// # Errors
    /// Handle errors.
    pub fn completed_at(&self, event: EventKey) -> Result<Option<Instant>, Error> {
        Ok(self.event(event)?.1.completed_at())
    }

    /// Destroys an event. The queue goes on as if it had never been recorded.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] where it has been destroyed before, and the other handle errors.
    #[track_caller]
    pub fn destroy_event(&self, event: EventKey) -> Result<(), Error> {
        self.remove(event)?;
        Ok(())
    }

    /// An event and its device's position, to use without being pinned.
    pub(crate) fn event(&self, key: EventKey) -> Result<(usize, Arc<dyn oarlock_device::Event>), Error> {
        let scope = self.pin();
        let event = self.resolve(&scope, key)?;
        Ok((event.device, event.event.clone()))
    }
}
