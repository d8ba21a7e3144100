//! Threads that sleep until a count has been reached.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};

use crate::wait::{Spin, sleep, wake};

/// A count that only grows, and threads that wait for it.
pub(super) struct Count {
    reached: AtomicU64,
    /// The smallest count that anyone sleeps for.
    target: AtomicU64,
    /// Changes when sleepers should look again.
    changes: AtomicU32,
}

impl Count {
    pub(super) fn new() -> Self {
        Self { reached: AtomicU64::new(0), target: AtomicU64::new(u64::MAX), changes: AtomicU32::new(0) }
    }

    pub(super) fn get(&self) -> u64 {
        self.reached.load(SeqCst)
    }

    /// Counts one more.
    pub(super) fn add(&self) {
        let reached = self.reached.fetch_add(1, SeqCst) + 1;
        if self.target.load(SeqCst) <= reached {
            // A target that arrives in between is lost here, and its owner wakes and sets it again.
            self.target.store(u64::MAX, SeqCst);
            self.changes.fetch_add(1, SeqCst);
            wake(&self.changes, i32::MAX as u32);
        }
    }

    /// Waits until the count is `target` or more.
    pub(super) fn wait(&self, target: u64) {
        let mut spin = Spin::new();
        while self.get() < target {
            if spin.again() {
                continue;
            }
            let seen = self.changes.load(SeqCst);
            self.target.fetch_min(target, SeqCst);
            // Sequentially consistent throughout: either `add` sees the target, or this sees the count.
            if self.get() < target {
                sleep(&self.changes, seen, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_wakes_at_the_own_target() {
        let count = Count::new();
        std::thread::scope(|scope| {
            for target in (0..40).map(|n| n * 25) {
                let count = &count;
                scope.spawn(move || {
                    count.wait(target);
                    assert!(count.get() >= target);
                });
            }
            for n in 0..1000 {
                count.add();
                if n % 100 == 0 {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            }
        });
    }
}
