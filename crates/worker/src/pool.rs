//! The workers: as few as are needed, at most as many as may be.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parking_lot::{Condvar, Mutex};

use crate::find::find;
use crate::process::Worker;
use crate::{Config, WorkerError};

pub(crate) struct Pool {
    most: usize,
    requests_per_worker: u32,
    program: crate::Program,
    state: Mutex<State>,
    freed: Condvar,
    pub(crate) started: AtomicU64,
}

#[derive(Default)]
struct State {
    /// Ready for work; the one that worked last is taken first, while its memory is warm.
    idle: Vec<Worker>,
    /// How many there are, those at work and those that are just starting included.
    live: usize,
}

/// A worker for one request. Given back with [`Lease::back`]; dropped, the worker ends.
pub(crate) struct Lease<'p> {
    pool: &'p Pool,
    worker: Option<Worker>,
}

impl Pool {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            most: config.workers.get(),
            requests_per_worker: config.requests_per_worker.max(1),
            program: config.program.clone(),
            state: Mutex::default(),
            freed: Condvar::new(),
            started: AtomicU64::new(0),
        }
    }

    /// A worker that is ready: an idle one, a new one, or the first that becomes free.
    pub(crate) fn take(&self) -> Result<Lease<'_>, WorkerError> {
        {
            let mut state = self.state.lock();
            loop {
                while let Some(worker) = state.idle.pop() {
                    if worker.is_ours() {
                        return Ok(Lease { pool: self, worker: Some(worker) });
                    }
                    // This process was forked from the one that started the worker: leave it to its parent.
                    drop(worker);
                    state.live -= 1;
                }
                if state.live < self.most {
                    state.live += 1;
                    break;
                }
                self.freed.wait(&mut state);
            }
        }
        // The place is ours, and the lock is not held while the worker starts.
        let mut lease = Lease { pool: self, worker: None };
        lease.renew()?;
        Ok(lease)
    }

    /// The processes that wait for work.
    pub(crate) fn idle(&self) -> Vec<u32> {
        self.state.lock().idle.iter().map(Worker::id).collect()
    }

    pub(crate) fn live(&self) -> usize {
        self.state.lock().live
    }
}

impl Lease<'_> {
    /// Starts a worker in the place of the one that there was.
    pub(crate) fn renew(&mut self) -> Result<(), WorkerError> {
        self.worker = None;
        self.worker = Some(Worker::start(&find(&self.pool.program)?)?);
        self.pool.started.fetch_add(1, Relaxed);
        Ok(())
    }

    pub(crate) fn worker(&mut self) -> Result<&mut Worker, WorkerError> {
        if self.worker.is_none() {
            self.renew()?;
        }
        self.worker.as_mut().ok_or_else(|| crate::find::unavailable("none was started".into()))
    }

    /// The worker has answered and may work for others.
    pub(crate) fn back(mut self) {
        if self.worker.as_ref().is_some_and(|w| w.answered < self.pool.requests_per_worker)
            && let Some(worker) = self.worker.take()
        {
            let mut state = self.pool.state.lock();
            state.idle.push(worker);
            // The place stays taken, by the idle worker: `drop` must not free it.
            state.live += 1;
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // The worker's end is waited for without the lock.
        drop(self.worker.take());
        self.pool.state.lock().live -= 1;
        self.pool.freed.notify_one();
    }
}
