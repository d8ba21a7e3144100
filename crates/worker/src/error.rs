//! Why a worker did not give an image.

use std::fmt;
use std::time::Duration;

use oarlock_codegen::CompileError;

/// Why a worker did not give an image. Every message says what was expected, what came and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The program was refused, as a compile in this process would have refused it.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The worker died of the program.
    #[error(
        "the compiler's process died in step `{phase}` ({}{}) of this program, which is damaged or meets a fault \
         of LLVM's; make the program again", cause(.signal), saying(.said)
    )]
    CompilerCrashed {
        /// The signal that ended it; `None` where it left by itself, or where nobody knows.
        signal: Option<i32>,
        /// What it was doing: `receive`, `parse`, `lower`, `optimise`, `emit` or `answer`.
        phase: &'static str,
        /// The end of what it wrote to its standard error; often nothing.
        said: String,
    },
    /// The program took more time than a request may.
    #[error(
        "compiling did not end within {limit:?} of {clock} (it was in step `{phase}`{}); split the program, \
         or allow more in the worker's limits", saying(.said)
    )]
    CompilerTimedOut {
        /// What it may take.
        limit: Duration,
        /// Time of which clock.
        clock: Clock,
        /// What it was doing.
        phase: &'static str,
        /// The end of what it wrote to its standard error.
        said: String,
    },
    /// The program took more memory than a request may.
    #[error(
        "compiling took more than {limit} bytes of memory (it was in step `{phase}`{}); split the program, or \
         allow more in the worker's limits", saying(.said)
    )]
    CompilerOutOfMemory {
        /// What it may take, in bytes.
        limit: u64,
        /// What it was doing.
        phase: &'static str,
        /// The end of what it wrote to its standard error.
        said: String,
    },
    /// This very program has ended a worker a short while ago, and was not tried again.
    #[error("not tried again for {retry_in:?}: {cause}")]
    Quarantined {
        /// What happened then.
        cause: Box<WorkerError>,
        /// When it will be tried again.
        retry_in: Duration,
    },
    /// No worker could be started, or what started is no worker for this library.
    #[error(
        "no compile worker: {reason}; ship `oarlock-worker` of this version beside your executable or on PATH, \
         or name it when the runtime is built, or compile in process (`Isolation::InProcess`) if you trust the bytes"
    )]
    WorkerUnavailable {
        /// What was tried, and what came of it.
        reason: String,
    },
}

/// What a time limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Clock {
    /// Time that passes.
    Wall,
    /// Time that a processor worked on it.
    Cpu,
}

impl WorkerError {
    /// The error's kind in a word, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Compile(_) => "refused",
            Self::CompilerCrashed { .. } => "crashed",
            Self::CompilerTimedOut { .. } => "timed out",
            Self::CompilerOutOfMemory { .. } => "out of memory",
            Self::Quarantined { .. } => "quarantined",
            Self::WorkerUnavailable { .. } => "no worker",
        }
    }

    /// True where it is the program's doing that a worker is gone.
    pub(crate) fn blames_the_program(&self) -> bool {
        match self {
            // Somebody from outside, most likely: this library kills for no other reason than time.
            Self::CompilerCrashed { signal, .. } => !matches!(signal, Some(libc::SIGKILL | libc::SIGTERM)),
            Self::CompilerTimedOut { .. } | Self::CompilerOutOfMemory { .. } => true,
            _ => false,
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall time",
            Self::Cpu => "processor time",
        })
    }
}

fn cause(signal: &Option<i32>) -> String {
    match signal {
        Some(number) => match name(*number) {
            Some(name) => format!("signal {number}, {name}"),
            None => format!("signal {number}"),
        },
        None => "it left by itself".into(),
    }
}

fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    })
}

fn saying(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", saying: {text}") }
}
