//! Programs that have ended a worker: for a while, they are answered without ending another.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::WorkerError;

/// So many are remembered; then the one that is nearest to its end makes room.
const MOST: usize = 1024;

pub(crate) type Key = [u8; 32];

pub(crate) struct Quarantine {
    time: Duration,
    held: Mutex<HashMap<Key, (Instant, WorkerError)>>,
}

impl Quarantine {
    pub(crate) fn new(time: Duration) -> Self {
        Self { time, held: Mutex::default() }
    }

    /// The error that waits for the program, if it has one. `key` is only asked for if there is any.
    pub(crate) fn check(&self, key: &dyn Fn() -> Key) -> Result<(), WorkerError> {
        let mut held = self.held.lock();
        if held.is_empty() {
            return Ok(());
        }
        let now = Instant::now();
        held.retain(|_, (until, _)| *until > now);
        match held.get(&key()) {
            None => Ok(()),
            Some((until, cause)) => Err(WorkerError::Quarantined {
                cause: Box::new(cause.clone()),
                retry_in: until.saturating_duration_since(now),
            }),
        }
    }

    pub(crate) fn add(&self, key: Key, cause: &WorkerError) {
        if self.time.is_zero() {
            return;
        }
        let mut held = self.held.lock();
        if held.len() >= MOST {
            let first = held.iter().min_by_key(|(_, (until, _))| *until).map(|(key, _)| *key);
            first.and_then(|key| held.remove(&key));
        }
        held.insert(key, (Instant::now() + self.time, cause.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause() -> WorkerError {
        WorkerError::CompilerCrashed { signal: Some(11), phase: "parse", said: String::new() }
    }

    #[test]
    fn held_for_its_time_and_no_longer() {
        let q = Quarantine::new(Duration::from_millis(40));
        q.add([1; 32], &cause());
        assert!(matches!(q.check(&|| [1; 32]), Err(WorkerError::Quarantined { .. })));
        assert_eq!(q.check(&|| [2; 32]), Ok(()));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(q.check(&|| [1; 32]), Ok(()));
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let q = Quarantine::new(Duration::from_secs(60));
        for n in 0..MOST as u64 + 100 {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&n.to_le_bytes());
            q.add(key, &cause());
        }
        assert_eq!(q.held.lock().len(), MOST);
    }
}
