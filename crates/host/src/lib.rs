//! The CPU device: this machine's processors behind the traits of `oarlock-device`.
//!
//! - [`HostDevice`] loads images, allocates memory, makes queues and launches kernels.
//! - A launch is cut into chunks of work-groups; the calling thread and a pool of workers take chunks until
//!   none is left. A launch of one group runs on the calling thread alone.
//! - A queue that has work has a thread of its own, so a host function that blocks holds up its own queue only.
//! - Memory is found by address; a free, a copy or a fill that is not within a live allocation (or a live
//!   program's variable) is an error.
//!
//! # After `fork`
//! Threads do not survive a `fork`. A child process must not use a device of its parent; it makes its own.

mod checks;
mod device;
mod event;
mod facts;
mod memory;
mod module;
mod pool;
mod queue;
mod scratch;
mod threads;
mod wait;

pub use device::{HostConfig, HostDevice};
pub use facts::{GROUP_MEMORY_BYTES, MAX_GROUP_ITEMS};
