//! What can go wrong. Every message says what was expected, what came, and what to do.

use oarlock_arena::{Full, HandleError, History, InstanceError};
use oarlock_device::{ArgError, DeviceError, LaunchError, MemoryError, ShapeError};

use crate::SymbolKind;

/// Any error of the runtime.
///
/// Whatever the error, nothing changed: no object was made, destroyed or queued.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The handle's object has been destroyed. The handle will never name another one.
    #[error(
        "stale handle {handle:#x}: its {kind} has been destroyed, and a handle is never given out again; \
         use the handle of a live {kind}{}", told(.history.as_ref())
    )]
    StaleHandle {
        /// What the handle named: `device`, `program`, `symbol`, `queue` or `event`.
        kind: &'static str,
        /// The handle as a word.
        handle: u64,
        /// Where its object was created and destroyed, where that is remembered.
        history: Option<History>,
    },
    /// The null handle.
    #[error("null handle where a {kind} is expected; pass a handle that the runtime gave out")]
    NullHandle {
        /// What was expected.
        kind: &'static str,
    },
    /// A handle of another runtime, or of a runtime that is gone.
    #[error("handle {handle:#x} is a {kind} of another runtime; use it with the runtime that gave it out")]
    ForeignHandle {
        /// What was expected.
        kind: &'static str,
        /// The handle as a word.
        handle: u64,
    },
    /// A handle of an object of another kind.
    #[error("handle {handle:#x} is not a {expected} but a {found}; pass the handle of a {expected}")]
    WrongKind {
        /// What was expected.
        expected: &'static str,
        /// What the handle names.
        found: &'static str,
        /// The handle as a word.
        handle: u64,
    },
    /// A word that no runtime ever gave out.
    #[error("{handle:#x} is not a handle, where a {kind} is expected; handles are not addresses or numbers")]
    NotAHandle {
        /// What was expected.
        kind: &'static str,
        /// The word.
        handle: u64,
    },
    /// A well-formed handle that this runtime has not given out so far.
    #[error("handle {handle:#x} was never given out as a {kind} by this runtime; was the word damaged?")]
    NeverIssued {
        /// What was expected.
        kind: &'static str,
        /// The handle as a word.
        handle: u64,
    },
    /// The program has no symbol of that name.
    #[error("the program has no {kind} `{name}`; {}", hint(.nearest.as_deref(), .available))]
    NotFound {
        /// What was looked for.
        kind: SymbolKind,
        /// The name that was given.
        name: String,
        /// The name most like it, if one is.
        nearest: Option<String>,
        /// The names of that kind that there are.
        available: Vec<String>,
    },
    /// A kernel where a global variable is wanted, or the reverse.
    #[error("`{name}` is a {found}, a {expected} is wanted; ask for it as a {found}")]
    SymbolKind {
        /// The symbol's name.
        name: String,
        /// What was wanted.
        expected: SymbolKind,
        /// What it is.
        found: SymbolKind,
    },
    /// Two objects of different devices in one call.
    #[error("the {what} is on device `{found}`, the queue on `{expected}`; use objects of one device")]
    WrongDevice {
        /// What does not go with the queue: `kernel` or `event`.
        what: &'static str,
        /// The queue's device.
        expected: String,
        /// The other object's device.
        found: String,
    },
    /// The program could not be compiled.
    #[cfg(feature = "compiler")]
    #[error(transparent)]
    Compile(#[from] oarlock_codegen::CompileError),
    /// The program was compiled in a worker, and the worker died of it, or took too much, or could not be
    /// started.
    #[cfg(feature = "compiler")]
    #[error(transparent)]
    Worker(oarlock_worker::WorkerError),
    /// The device refused.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// An image made for a processor that can do more than the device's.
    #[error(
        "the image was made for `{image}` and may use its feature `{feature}`, which `{device}` does not have; \
         compile the program for this device"
    )]
    MissingFeature {
        /// The first feature that is missing, as LLVM calls it.
        feature: String,
        /// What the image was made for.
        image: String,
        /// What the device is.
        device: String,
    },
    /// No more objects of a kind can be named.
    #[error(transparent)]
    Full(#[from] Full),
    /// No more runtimes can be made.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// A runtime without a compiler does not know what code its processor runs.
    #[error("the target of the host device is not known without the compiler; give it to the builder")]
    NoHostTarget,
}

impl Error {
    /// The error of a `handle` that should have named a `kind`.
    pub(crate) fn handle(kind: &'static str, handle: u64, error: HandleError) -> Self {
        match error {
            HandleError::Null { .. } => Self::NullHandle { kind },
            HandleError::NotAHandle { .. } => Self::NotAHandle { kind, handle },
            HandleError::WrongKind { found, .. } => {
                Self::WrongKind { expected: kind, found: found.name(), handle }
            }
            HandleError::Foreign { .. } => Self::ForeignHandle { kind, handle },
            HandleError::Stale { history, .. } => Self::StaleHandle { kind, handle, history },
            _ => Self::NeverIssued { kind, handle },
        }
    }
}

/// What the program is refused for is the same error, wherever it was compiled.
#[cfg(feature = "compiler")]
impl From<oarlock_worker::WorkerError> for Error {
    fn from(error: oarlock_worker::WorkerError) -> Self {
        match error {
            oarlock_worker::WorkerError::Compile(error) => Self::Compile(error),
            other => Self::Worker(other),
        }
    }
}

macro_rules! device_errors {
    ($($part:ty),*) => {$(
        impl From<$part> for Error {
            fn from(error: $part) -> Self {
                Self::Device(error.into())
            }
        }
    )*};
}
device_errors!(ShapeError, ArgError, LaunchError, MemoryError);

/// Where a dead object came from and went, as the end of a message.
fn told(history: Option<&History>) -> String {
    match history {
        None => String::new(),
        Some(History { created, destroyed: None, .. }) => format!(" (created at {created})"),
        Some(History { created, destroyed: Some(destroyed), .. }) => {
            format!(" (created at {created}, destroyed at {destroyed})")
        }
    }
}

/// The most names that a message lists.
const LISTED: usize = 8;

fn hint(nearest: Option<&str>, available: &[String]) -> String {
    if let Some(nearest) = nearest {
        return format!("did you mean `{nearest}`?");
    }
    if available.is_empty() {
        return "it has none".into();
    }
    let more = available.len().saturating_sub(LISTED);
    let names: Vec<_> = available.iter().take(LISTED).map(|n| format!("`{n}`")).collect();
    match more {
        0 => format!("it has {}", names.join(", ")),
        _ => format!("it has {} and {more} more", names.join(", ")),
    }
}
