//! A point in a queue.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use oarlock_device::{DeviceError, Event};

use crate::wait::{Spin, sleep, wake};

/// A point in a queue. It knows nothing of the queue and outlives it.
#[derive(Default)]
pub(crate) struct HostEvent {
    state: AtomicU32,
    outcome: OnceLock<(Instant, Option<DeviceError>)>,
}

const PENDING: u32 = 0;
/// Pending, and someone sleeps until it is not.
const AWAITED: u32 = 1;
const COMPLETE: u32 = 2;

impl HostEvent {
    /// The point is reached; `error` is what went wrong on the way.
    pub(crate) fn complete(&self, error: Option<DeviceError>) {
        // A second call would change nothing; there is none.
        let _ = self.outcome.set((Instant::now(), error));
        if self.state.swap(COMPLETE, Ordering::AcqRel) == AWAITED {
            wake(&self.state, i32::MAX as u32);
        }
    }

    /// Waits, until `deadline` where there is one; true when the point is reached.
    fn wait_until(&self, deadline: Option<Instant>) -> bool {
        let mut spin = Spin::new();
        loop {
            if self.is_complete() {
                return true;
            }
            let rest = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            if rest.is_some_and(|rest| rest.is_zero()) {
                return false;
            }
            if spin.again() {
                continue;
            }
            let _ = self.state.compare_exchange(PENDING, AWAITED, Ordering::AcqRel, Ordering::Acquire);
            sleep(&self.state, AWAITED, rest);
        }
    }
}

impl Event for HostEvent {
    fn is_complete(&self) -> bool {
        self.state.load(Ordering::Acquire) == COMPLETE
    }

    fn wait(&self) -> Result<(), DeviceError> {
        self.wait_until(None);
        match self.outcome.get() {
            Some((_, Some(error))) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn wait_timeout(&self, timeout: Duration) -> bool {
        // A time too far away to be told is no limit.
        self.wait_until(Instant::now().checked_add(timeout))
    }

    fn completed_at(&self) -> Option<Instant> {
        self.outcome.get().map(|(at, _)| *at)
    }
}
