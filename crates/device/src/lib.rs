//! What a device is: the traits that devices implement, and the words that they share.
//!
//! - [`Device`], [`Module`], [`Queue`], [`Event`]: what the runtime asks of a device.
//! - [`LaunchShape`]: how many groups of how many work-items, checked once.
//! - [`Arg`], [`ArgBlock`]: kernel arguments, copied and checked against the kernel's parameters.
//! - [`DeviceFacts`], [`DevicePtr`], [`Allocation`]: what a device is like and what it lends.
//!
//! Nothing here knows a handle, a cache or a compiler.

#![deny(unsafe_code)]

mod args;
mod error;
mod facts;
mod shape;
#[allow(unsafe_code, reason = "declares methods that are unsafe to call; has no unsafe block")]
mod traits;

pub use args::{Arg, ArgBlock, Lines};
pub use error::{ArgError, DeviceError, LaunchError, MemoryError, ShapeError};
pub use facts::{Allocation, DeviceFacts, DeviceKind, DevicePtr, MemoryKind};
pub use shape::LaunchShape;
pub use traits::{Device, Event, HostFn, Launch, Module, Queue};
