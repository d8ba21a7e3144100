//! What lies in the tables.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use oarlock_arena::Family;
use oarlock_device::{DevicePtr, Module};
use oarlock_image::{Global, Image};
use parking_lot::Mutex;

use crate::SymbolKey;

/// A program. What is large hangs on the body, which the destroyer takes out: the shell may stay for
/// as long as some thread still looks at it.
pub(crate) struct Program {
    /// The position of its device.
    pub(crate) device: usize,
    /// Its symbols, which go stale together.
    pub(crate) family: Family,
    /// `None` once it is destroyed.
    pub(crate) body: Mutex<Option<Body>>,
}

/// What a program owns.
pub(crate) struct Body {
    pub(crate) module: Arc<dyn Module>,
    /// The bytes that it was made from; none where it was made from an image.
    pub(crate) source: Option<Arc<[u8]>>,
    /// The symbols that have a handle, by name. Kernels and globals share one space of names.
    pub(crate) symbols: HashMap<Box<str>, SymbolKey>,
    /// What this program added to the count of loaded bytes.
    pub(crate) loaded_bytes: u64,
}

impl Body {
    pub(crate) fn image(&self) -> &Arc<Image> {
        self.module.image()
    }
}

/// A kernel or a global variable.
///
/// It knows its program's module weakly: one atomic step gives a launch its share of the module, or
/// tells that the program has been destroyed.
pub(crate) struct Symbol {
    pub(crate) program: crate::ProgramKey,
    /// The position of its device.
    pub(crate) device: usize,
    pub(crate) module: Weak<dyn Module>,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// A kernel, by its position in the image's metadata.
    Kernel(usize),
    /// A global variable and where it lies.
    Global(DevicePtr, Global),
}

impl What {
    pub(crate) fn kind(&self) -> SymbolKind {
        match self {
            Self::Kernel(_) => SymbolKind::Kernel,
            Self::Global(..) => SymbolKind::Global,
        }
    }
}

/// The kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A function to launch.
    Kernel,
    /// A variable to read and write.
    Global,
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kernel => "kernel",
            Self::Global => "global variable",
        })
    }
}

/// A queue.
pub(crate) struct Queue {
    /// The position of its device.
    pub(crate) device: usize,
    pub(crate) queue: Arc<dyn oarlock_device::Queue>,
}

/// An event.
pub(crate) struct Event {
    /// The position of its device.
    pub(crate) device: usize,
    pub(crate) event: Arc<dyn oarlock_device::Event>,
}
