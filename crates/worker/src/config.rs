//! What can be chosen about workers.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Which program is started as a worker.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Program {
    /// `oarlock-worker`, beside this process's executable or on `PATH`.
    #[default]
    Search,
    /// The program at this path: an `oarlock-worker` of the same version.
    Path(PathBuf),
    /// This process's own executable, whose `main` begins with [`serve_if_asked`](crate::serve_if_asked).
    ThisExecutable,
}

/// What one request may take. What takes more is ended and answered with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Memory in bytes, on top of what an idle worker has. By default 2 GiB.
    pub memory: u64,
    /// Processor time, in whole seconds, rounded up. By default 60 s.
    pub cpu: Duration,
    /// Time on the wall, from the request's first byte to the answer's last. By default 120 s.
    pub wall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 2 << 30, cpu: Duration::from_secs(60), wall: Duration::from_secs(120) }
    }
}

impl Limits {
    /// These limits with other times.
    #[must_use]
    pub fn with_time(mut self, cpu: Duration, wall: Duration) -> Self {
        (self.cpu, self.wall) = (cpu, wall);
        self
    }

    /// These limits with another amount of memory, in bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }
}

/// How a [`Client`](crate::Client) works.
///
/// # Examples
/// ```
/// use oarlock_worker::{Config, Limits, Program};
/// use std::time::Duration;
///
/// let config = Config::default()
///     .program(Program::Path("/usr/libexec/oarlock-worker".into()))
///     .limits(Limits::default().with_time(Duration::from_secs(5), Duration::from_secs(10)));
/// assert!(config.limits.wall > config.limits.cpu);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// What is started.
    pub program: Program,
    /// How many workers there are at most, and so how many compiles run at a time. By default, one for each
    /// processor that this process may use.
    pub workers: NonZeroUsize,
    /// What a request may take.
    pub limits: Limits,
    /// For how long a program that ended a worker is answered without another try. By default a minute.
    pub quarantine: Duration,
    /// After how many requests a worker is replaced, so that what LLVM loses of memory does not add up.
    /// By default 1000.
    pub requests_per_worker: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            program: Program::Search,
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            limits: Limits::default(),
            quarantine: Duration::from_secs(60),
            requests_per_worker: 1000,
        }
    }
}

impl Config {
    /// Another program as the worker.
    #[must_use]
    pub fn program(mut self, program: Program) -> Self {
        self.program = program;
        self
    }

    /// Another number of workers.
    #[must_use]
    pub fn workers(mut self, workers: NonZeroUsize) -> Self {
        self.workers = workers;
        self
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Another time for which a program that ended a worker is not tried again; zero for none.
    #[must_use]
    pub fn quarantine(mut self, time: Duration) -> Self {
        self.quarantine = time;
        self
    }
}
