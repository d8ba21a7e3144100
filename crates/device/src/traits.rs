//! What the runtime asks of a device.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oarlock_image::{Global, Image, Kernel, Target};

use crate::{Allocation, ArgBlock, DeviceError, DeviceFacts, DevicePtr, LaunchShape, MemoryKind};

/// A function of the host that runs in a queue's order.
pub type HostFn = Box<dyn FnOnce() + Send + 'static>;

/// A launch, ready to run: it owns or shares all that it needs.
#[derive(Clone)]
pub struct Launch {
    /// The loaded program.
    pub module: Arc<dyn Module>,
    /// The kernel's position in the image's metadata.
    pub kernel: usize,
    /// How many groups of how many work-items.
    pub shape: LaunchShape,
    /// The arguments, copied.
    pub args: ArgBlock,
}

/// A device. All methods may be called from any thread.
pub trait Device: Send + Sync {
    /// What it is like.
    fn facts(&self) -> &DeviceFacts;

    /// What images for it are compiled for.
    fn target(&self) -> &Target;

    /// Makes an image runnable, with globals of its own, and runs its constructors.
    ///
    /// # Safety
    /// The image's code runs with the rights of this process, now (constructors) and at launches.
    ///
    /// # Errors
    /// [`DeviceError::WrongTarget`], [`DeviceError::Load`].
    unsafe fn load(&self, image: Arc<Image>) -> Result<Arc<dyn Module>, DeviceError>;

    /// Allocates `size` bytes, aligned to `align` or better. The contents are unspecified.
    ///
    /// # Errors
    /// [`MemoryError`](crate::MemoryError).
    fn allocate(&self, kind: MemoryKind, size: u64, align: u64) -> Result<DevicePtr, DeviceError>;

    /// Frees an allocation by its first address. Work in flight that still uses it is the caller's concern.
    ///
    /// # Errors
    /// [`MemoryError`](crate::MemoryError) for a second free, an inner or a foreign address; nothing changes then.
    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError>;

    /// The live allocation that holds `ptr`.
    fn allocation(&self, ptr: DevicePtr) -> Option<Allocation>;

    /// Copies `bytes` to `dst`, which must lie in a live allocation or a live module's global; done on return.
    ///
    /// # Errors
    /// [`MemoryError`](crate::MemoryError) where the range is not the device's.
    fn write(&self, dst: DevicePtr, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies from `src` to `bytes`; done on return.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn read(&self, src: DevicePtr, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// A new in-order queue.
    ///
    /// # Errors
    /// [`DeviceError::System`] where the machine has no more threads or memory.
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DeviceError>;

    /// Runs a launch and returns when it has finished. The calling thread takes part.
    ///
    /// # Safety
    /// The kernel's code runs with the rights of this process and follows the pointers that it was given.
    ///
    /// # Errors
    /// [`DeviceError::Shape`], [`DeviceError::Launch`].
    unsafe fn launch(&self, launch: &Launch) -> Result<(), DeviceError>;
}

/// An image that a device has loaded. Dropping the last `Arc` unloads it, after its last launch.
pub trait Module: Send + Sync + Any {
    /// The image.
    fn image(&self) -> &Arc<Image>;

    /// The kernel at `index` of the image's metadata.
    fn kernel(&self, index: usize) -> &Kernel {
        &self.image().metadata.kernels[index]
    }

    /// Where this module's own copy of a global lies.
    fn global(&self, name: &str) -> Option<(DevicePtr, Global)>;

    /// Memory that the loaded code and its globals take, in bytes.
    fn loaded_bytes(&self) -> usize;
}

/// An in-order queue. Work is asynchronous; dropping or destroying the queue does not stop work that
/// was queued.
pub trait Queue: Send + Sync {
    /// Queues a launch. All checks are made now; the work holds what it needs.
    ///
    /// # Safety
    /// As [`Device::launch`], until the work has finished.
    ///
    /// # Errors
    /// As [`Device::launch`].
    unsafe fn launch(&self, launch: Launch) -> Result<(), DeviceError>;

    /// Queues a copy of `len` bytes within the device's memory. The ranges are checked now and again
    /// when the copy runs; they may overlap.
    ///
    /// # Errors
    /// [`MemoryError`](crate::MemoryError).
    fn copy(&self, dst: DevicePtr, src: DevicePtr, len: u64) -> Result<(), DeviceError>;

    /// Queues a fill of `len` bytes with a repeated pattern, whose length divides `len`.
    ///
    /// # Errors
    /// [`MemoryError`](crate::MemoryError).
    fn fill(&self, dst: DevicePtr, pattern: &[u8], len: u64) -> Result<(), DeviceError>;

    /// Queues a host function. It runs on a thread of the device; a panic in it is an error at the next sync.
    ///
    /// # Errors
    /// [`DeviceError::System`].
    fn host_function(&self, function: HostFn) -> Result<(), DeviceError>;

    /// Makes what is queued from now on wait for `event`, of any queue of the same device.
    ///
    /// # Errors
    /// [`DeviceError::ForeignEvent`].
    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<(), DeviceError>;

    /// An event that completes when all that was queued before it has.
    ///
    /// # Errors
    /// [`DeviceError::System`].
    fn record(&self) -> Result<Arc<dyn Event>, DeviceError>;

    /// Waits for all that was queued before this call.
    ///
    /// # Errors
    /// The first error of queued work since the last sync; it is told once.
    fn sync(&self) -> Result<(), DeviceError>;

    /// True where nothing queued is unfinished.
    fn is_idle(&self) -> bool;
}

/// A point in a queue.
pub trait Event: Send + Sync + Any {
    /// True when the point has been reached.
    fn is_complete(&self) -> bool;

    /// Waits until the point has been reached.
    ///
    /// # Errors
    /// The first error of the queue's work before the point, since its last sync or event.
    fn wait(&self) -> Result<(), DeviceError>;

    /// Waits at most `timeout`; true when the point has been reached.
    fn wait_timeout(&self, timeout: Duration) -> bool;

    /// When the point was reached; `None` before that.
    fn completed_at(&self) -> Option<Instant>;
}
