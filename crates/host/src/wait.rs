//! Waiting: a bounded spin first, then sleep in the kernel.

use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use rustix::thread::futex::{self, Flags, Timespec};

/// How long a thread spins before it sleeps. A sleeping thread costs 2 to 5 us to wake; spinning for a
/// few times as long never loses more than a small factor.
pub(crate) const SPIN: Duration = Duration::from_micros(40);

/// One spin: short pauses first; then the processor is offered to other threads between looks, because
/// there may be more threads than processors.
pub(crate) struct Spin {
    looks: u32,
    limit: Duration,
    until: Option<Instant>,
}

impl Spin {
    /// Looks without asking the clock or giving up the processor: about 2 us.
    const EAGER: u32 = 64;

    pub(crate) fn new() -> Self {
        Self::lasting(SPIN)
    }

    pub(crate) fn lasting(limit: Duration) -> Self {
        Self { looks: 0, limit, until: None }
    }

    /// Passes a short time; false when it is time to sleep.
    pub(crate) fn again(&mut self) -> bool {
        self.looks += 1;
        if self.looks <= Self::EAGER {
            std::hint::spin_loop();
            return true;
        }
        if !self.looks.is_multiple_of(16) {
            std::hint::spin_loop();
            return true;
        }
        std::thread::yield_now();
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.limit);
        Instant::now() < until
    }
}

/// Sleeps while `word` is `expected`; may wake early. With a timeout, at most that long.
pub(crate) fn sleep(word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    let timeout = timeout.map(|t| Timespec {
        tv_sec: i64::try_from(t.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(t.subsec_nanos()),
    });
    // Every outcome (woken, changed, interrupted, timed out) means the same: look again.
    let _ = futex::wait(word, Flags::PRIVATE, expected, timeout.as_ref());
}

/// Wakes up to `count` threads that sleep on `word`.
pub(crate) fn wake(word: &AtomicU32, count: u32) {
    // Fails only for an address that is not mapped, and `word` is a reference.
    let _ = futex::wake(word, Flags::PRIVATE, count);
}
