//! One compile under way, and those who wait for it.

use std::sync::Arc;
use std::thread::{self, ThreadId};

use parking_lot::{Condvar, Mutex};

/// A compile under way.
#[derive(Debug)]
pub(crate) struct Flight<V, E> {
    leader: ThreadId,
    outcome: Mutex<Option<Outcome<V, E>>>,
    landed: Condvar,
}

/// How a compile ended.
#[derive(Debug)]
pub(crate) enum Outcome<V, E> {
    /// It returned.
    Done(Result<Arc<V>, E>),
    /// It panicked: whoever still wants the image compiles it.
    Abandoned,
}

impl<V, E: Clone> Flight<V, E> {
    /// A compile that the calling thread is about to run.
    pub(crate) fn new() -> Self {
        Self { leader: thread::current().id(), outcome: Mutex::new(None), landed: Condvar::new() }
    }

    /// True on the thread that compiles. It must not wait for itself.
    pub(crate) fn is_mine(&self) -> bool {
        self.leader == thread::current().id()
    }

    /// Ends the flight and wakes everyone.
    pub(crate) fn land(&self, outcome: Outcome<V, E>) {
        *self.outcome.lock() = Some(outcome);
        self.landed.notify_all();
    }

    /// Waits for the end of the flight.
    pub(crate) fn wait(&self) -> Outcome<V, E> {
        let mut outcome = self.outcome.lock();
        loop {
            match &*outcome {
                Some(Outcome::Done(result)) => return Outcome::Done(result.clone()),
                Some(Outcome::Abandoned) => return Outcome::Abandoned,
                None => self.landed.wait(&mut outcome),
            }
        }
    }
}
