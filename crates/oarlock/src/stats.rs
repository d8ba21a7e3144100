//! What a runtime holds.

use std::sync::atomic::Ordering::Relaxed;

use crate::Runtime;

/// What a runtime holds now, and what its cache has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Devices.
    pub devices: usize,
    /// Live programs.
    pub programs: usize,
    /// Live symbols.
    pub symbols: usize,
    /// Live queues.
    pub queues: usize,
    /// Live events.
    pub events: usize,
    /// Memory that the code and globals of the live programs take, in bytes. Programs that were
    /// destroyed with launches in flight are not counted.
    pub loaded_bytes: u64,
    /// The cache's counters.
    pub cache: oarlock_cache::Stats,
}

impl Runtime {
    /// What the runtime holds now. The numbers are read one by one.
    pub fn stats(&self) -> Stats {
        let shared = &*self.shared;
        Stats {
            devices: shared.devices.len(),
            programs: shared.programs.len(),
            symbols: shared.symbols.len(),
            queues: shared.queues.len(),
            events: shared.events.len(),
            loaded_bytes: shared.loaded_bytes.load(Relaxed),
            cache: shared.cache.stats(),
        }
    }
}
