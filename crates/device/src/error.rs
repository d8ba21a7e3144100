//! What can go wrong on a device. Every message says what was expected, what came, and what to do.

use oarlock_image::Target;

use crate::DevicePtr;

/// A launch shape that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// Not 1 to 3 dimensions, or two different numbers of them.
    #[error(
        "a launch has 1 to 3 dimensions, the same for groups and group size; \
         got {groups} for the groups and {group_size} for the group size"
    )]
    Dimensions {
        /// Dimensions of the group counts.
        groups: usize,
        /// Dimensions of the group size.
        group_size: usize,
    },
    /// A count is zero.
    #[error("the {what} in dimension {axis} is 0; use 1 for a dimension that is not needed")]
    Zero {
        /// Which count.
        what: &'static str,
        /// 0, 1 or 2 for x, y, z.
        axis: usize,
    },
    /// A product does not fit.
    #[error("{what} overflow: the product of {counts:?} is too large; launch fewer at a time")]
    Overflow {
        /// Which product.
        what: &'static str,
        /// The factors.
        counts: [u32; 3],
    },
    /// More than the device runs.
    #[error("{asked} {what} were asked for, and the device runs at most {limit}")]
    TooLarge {
        /// Which count.
        what: &'static str,
        /// What was asked for.
        asked: u64,
        /// What the device allows.
        limit: u64,
    },
}

/// Arguments that do not fit the kernel's parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgError {
    /// Too few or too many.
    #[error("kernel `{kernel}` takes {expected} arguments, {found} were given")]
    Count {
        /// The kernel.
        kernel: String,
        /// Its parameters.
        expected: usize,
        /// The arguments given.
        found: usize,
    },
    /// The wrong number of bytes.
    #[error("argument {index} of kernel `{kernel}` ({ty}) is {expected} bytes, {found} were given")]
    Size {
        /// The kernel.
        kernel: String,
        /// The argument, counted from 0.
        index: usize,
        /// The parameter's type.
        ty: String,
        /// Bytes that the parameter takes.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A value for a group-memory parameter, or the reverse.
    #[error(
        "argument {index} of kernel `{kernel}` {}",
        if *.expected_group_memory { "is group memory: give its size in bytes, not a value" }
        else { "is a value, not group memory: give the value" }
    )]
    Kind {
        /// The kernel.
        kernel: String,
        /// The argument, counted from 0.
        index: usize,
        /// True where the parameter is group memory.
        expected_group_memory: bool,
    },
    /// An argument block of the wrong length.
    #[error("the argument block of kernel `{kernel}` is {least} to {most} bytes, {found} were given")]
    BlockSize {
        /// The kernel.
        kernel: String,
        /// Bytes to the end of the last parameter.
        least: usize,
        /// Bytes with padding.
        most: usize,
        /// Bytes given.
        found: usize,
    },
    /// Group memory beyond any device.
    #[error(
        "argument {index} of kernel `{kernel}` asks for {bytes} bytes of group memory, more than any device has"
    )]
    GroupMemory {
        /// The kernel.
        kernel: String,
        /// The argument, counted from 0.
        index: usize,
        /// Bytes asked for.
        bytes: u64,
    },
    /// A block that was laid out for another kernel: it is too small, or has too little group memory.
    #[error("the argument block was not made for kernel `{kernel}`; make one for each kernel")]
    OtherKernel {
        /// The kernel.
        kernel: String,
    },
    /// A parameter that wants more alignment than an argument block has.
    #[error("kernel `{kernel}` has a parameter aligned to {align} bytes; argument blocks are aligned to 64")]
    Align {
        /// The kernel.
        kernel: String,
        /// The alignment wanted.
        align: u32,
    },
}

/// A launch that a device refuses although its shape and arguments are well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The kernel was written for one group size.
    #[error("kernel `{kernel}` demands groups of {required:?} work-items, the launch has {found:?}")]
    GroupSize {
        /// The kernel.
        kernel: String,
        /// What it demands.
        required: [u32; 3],
        /// What the launch has.
        found: [u32; 3],
    },
    /// The kernel was written for smaller groups.
    #[error("kernel `{kernel}` allows at most {limit} work-items per group, the launch has {found}")]
    GroupItems {
        /// The kernel.
        kernel: String,
        /// What it allows.
        limit: u32,
        /// What the launch has.
        found: u64,
    },
    /// More group memory than the device has.
    #[error(
        "kernel `{kernel}` needs {asked} bytes of group memory (static, parameters and dynamic), \
         the device has {limit} per group"
    )]
    GroupMemory {
        /// The kernel.
        kernel: String,
        /// Bytes needed.
        asked: u64,
        /// Bytes the device has.
        limit: u64,
    },
    /// A kernel that the program does not have.
    #[error("the program has {kernels} kernels, number {index} (from 0) was launched")]
    NoKernel {
        /// The number asked for.
        index: usize,
        /// How many there are.
        kernels: usize,
    },
    /// More work-items in one dimension than kernels number.
    #[error(
        "kernel `{kernel}` runs at most 2147483647 work-items in a dimension, the launch has {found} in dimension {axis}; \
         launch in parts"
    )]
    ItemCount {
        /// The kernel.
        kernel: String,
        /// 0, 1 or 2 for x, y, z.
        axis: usize,
        /// Items in that dimension.
        found: u64,
    },
}

/// A memory request that a device refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// Nothing left, or more than there could be.
    #[error("the device could not allocate {size} bytes aligned to {align}; free something or ask for less")]
    OutOfMemory {
        /// Bytes asked for.
        size: u64,
        /// Alignment asked for.
        align: u64,
    },
    /// An alignment that is not a power of two.
    #[error("an alignment is a power of two; got {align}")]
    BadAlign {
        /// What was given.
        align: u64,
    },
    /// An allocation of no bytes.
    #[error("an allocation has at least 1 byte; 0 were asked for")]
    ZeroSize,
    /// An address that no live allocation holds.
    #[error("{ptr} is in no live allocation of this device: it was freed, or never came from it")]
    NotAllocated {
        /// The address.
        ptr: DevicePtr,
    },
    /// An address inside an allocation where its first byte is wanted.
    #[error("{ptr} lies {} bytes inside the allocation at {base}; free takes the first address", ptr.0 - base.0)]
    InnerPointer {
        /// The address.
        ptr: DevicePtr,
        /// The allocation's first byte.
        base: DevicePtr,
    },
    /// A range that runs past its allocation.
    #[error("{len} bytes at {ptr} run past the end of the allocation of {size} bytes at {base}")]
    OutOfRange {
        /// First byte of the range.
        ptr: DevicePtr,
        /// Bytes in the range.
        len: u64,
        /// The allocation's first byte.
        base: DevicePtr,
        /// The allocation's size.
        size: u64,
    },
    /// A constant, which nothing may write.
    #[error("{ptr} lies in a constant of a program, which cannot be written; make the variable non-constant")]
    ReadOnly {
        /// The address.
        ptr: DevicePtr,
    },
    /// A fill pattern that does not divide the range.
    #[error("a fill pattern has 1 byte or more and divides the range; got {pattern} bytes for {len}")]
    FillPattern {
        /// Bytes in the pattern.
        pattern: usize,
        /// Bytes to fill.
        len: u64,
    },
}

/// Any error of a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The launch's shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The launch's arguments.
    #[error(transparent)]
    Args(#[from] ArgError),
    /// The launch itself.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// A memory request.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An image made for another machine.
    #[error("the image was made for {found}, the device runs {expected}")]
    WrongTarget {
        /// What the device runs.
        expected: Box<Target>,
        /// What the image was made for.
        found: Box<Target>,
    },
    /// The image could not be loaded.
    #[error("the image could not be loaded: {reason}")]
    Load {
        /// Why, with names.
        reason: String,
    },
    /// The operating system refused something.
    #[error("{what}: {reason}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        reason: String,
    },
    /// A queued host function panicked.
    #[error("a host function in the queue panicked: {message}")]
    HostFunctionPanicked {
        /// The panic's message.
        message: String,
    },
    /// A host function waited for the queue that it runs in.
    #[error(
        "a host function synced its own queue, which would wait for itself; sync after it, or use an event"
    )]
    SyncInHostFunction,
    /// The program was loaded by a device of another kind.
    #[error("the program was loaded by another device; load it on the device that launches it")]
    ForeignModule,
    /// The event was recorded on a device of another kind.
    #[error("the event belongs to another device; wait for it on the host instead")]
    ForeignEvent,
}
