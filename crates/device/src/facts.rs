//! What a device is like, and what it lends.

use std::fmt;

/// The kind of machine behind a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The processor that this process runs on.
    Cpu,
    /// A graphics processor.
    Gpu,
}

/// What a device is like. Figures come from the machine, in bytes and items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFacts {
    /// The product's name, for people.
    pub name: String,
    /// Who made it.
    pub vendor: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Cores (or multiprocessors) that kernels run on.
    pub compute_units: u32,
    /// Memory that it can allocate at all, in bytes.
    pub memory_bytes: u64,
    /// The most work-items per group.
    pub max_group_items: u32,
    /// The most work-items per group in each dimension.
    pub max_group_size: [u32; 3],
    /// The most groups in each dimension.
    pub max_groups: [u32; 3],
    /// Group memory per group, static and dynamic together, in bytes.
    pub group_memory_bytes: u32,
    /// Nominal clock in MHz; 0 where the machine does not tell.
    pub clock_mhz: u32,
}

/// Where an allocation lives, and who may touch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryKind {
    /// The device's own memory: the host copies to and from it.
    Device,
    /// Host memory that the device reaches.
    Host,
    /// Memory that both touch.
    Managed,
}

/// An address that a device's kernels can use. Not dereferenced by anything but kernels and copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct DevicePtr(pub u64);

impl DevicePtr {
    /// The address `bytes` further on. Wraps like machine addresses do; out-of-range use is refused where it is used.
    #[must_use]
    pub fn offset(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }

    /// True for the null address.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for DevicePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A live allocation, as its device describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First byte.
    pub base: DevicePtr,
    /// Size in bytes, as asked for.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Kind.
    pub kind: MemoryKind,
}
