//! The device itself: what ties the parts together.

use std::sync::Arc;

use oarlock_device::{
    Allocation, Device, DeviceError, DeviceFacts, DevicePtr, Launch, MemoryKind, Module, Queue,
};
use oarlock_image::{Image, Target};

use crate::checks::Plan;
use crate::memory::Memory;
use crate::module::HostModule;
use crate::pool::Pool;
use crate::queue::HostQueue;
use crate::threads::{Home, Threads};
use crate::{facts, scratch};

/// How to set up a [`HostDevice`].
#[derive(Clone, Debug, Default)]
pub struct HostConfig {
    /// How many threads run one launch, the caller's included. By default as many as this process may use:
    /// the processors it is bound to, or its control group's quota where that is less.
    pub threads: Option<usize>,
}

/// This machine's processors as a device.
///
/// # Examples
/// ```
/// use oarlock_device::{Device, MemoryKind};
/// use oarlock_host::{HostConfig, HostDevice};
/// use oarlock_image::Target;
///
/// let target = Target { triple: "x86_64-pc-linux-gnu".into(), cpu: "x86-64".into(), features: String::new() };
/// let device = HostDevice::new(HostConfig::default(), target)?;
/// let memory = device.allocate(MemoryKind::Device, 1024, 64)?;
/// device.write(memory.offset(16), &[1, 2, 3])?;
/// let mut back = [0; 3];
/// device.read(memory.offset(16), &mut back)?;
/// assert_eq!(back, [1, 2, 3]);
/// device.free(memory)?;
/// assert!(device.free(memory).is_err());
/// # Ok::<(), oarlock_device::DeviceError>(())
/// ```
pub struct HostDevice {
    inner: Arc<Inner>,
}

/// The most threads of one device.
const MAX_THREADS: usize = 4096;

/// What queues share with their device, and keep alive.
pub(crate) struct Inner {
    pub(crate) facts: DeviceFacts,
    target: Target,
    pub(crate) memory: Arc<Memory>,
    pub(crate) pool: Pool,
    pub(crate) threads: Threads,
}

impl HostDevice {
    /// A device that runs images made for `target`, which must be this machine.
    ///
    /// Threads start when they are first needed, and run on the processors that the calling thread may use now.
    ///
    /// # Errors
    /// [`DeviceError::System`] for a configuration of no threads, or of more than 4096.
    pub fn new(config: HostConfig, target: Target) -> Result<Self, DeviceError> {
        let threads = config.threads.unwrap_or_else(|| facts::allowed_threads().min(MAX_THREADS));
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(DeviceError::System {
                what: "setting up the CPU device",
                reason: format!("it runs on 1 to {MAX_THREADS} threads, {threads} were configured"),
            });
        }
        let facts = facts::read(threads);
        let memory = Arc::new(Memory::new(facts.memory_bytes));
        let home = Home::here();
        let (pool, threads) = (Pool::new(threads, home), Threads::new(home));
        let inner = Inner { facts, target, memory, pool, threads };
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl Inner {
    /// Runs a checked launch; returns when it has finished.
    ///
    /// # Safety
    /// As [`Device::launch`].
    pub(crate) unsafe fn run(&self, launch: &Launch, plan: &Plan) -> Result<(), DeviceError> {
        let frame = plan.frame(launch);
        let task = plan.task(launch, &frame);
        // A launch shape has checked that this does not overflow.
        let items = task.groups * launch.shape.items_per_group();
        scratch::with(task.group_bytes, task.scratch_bytes, |memory| {
            // SAFETY: `frame` and the launch's arguments and module outlive the call, which returns when no
            // thread runs the task any more; `memory` has the sizes that the task asks for; the caller
            // vouches for the kernel.
            unsafe { self.pool.run(&task, items, memory) }
        })
    }
}

impl Device for HostDevice {
    fn facts(&self) -> &DeviceFacts {
        &self.inner.facts
    }

    fn target(&self) -> &Target {
        &self.inner.target
    }

    unsafe fn load(&self, image: Arc<Image>) -> Result<Arc<dyn Module>, DeviceError> {
        if image.target != self.inner.target {
            return Err(DeviceError::WrongTarget {
                expected: Box::new(self.inner.target.clone()),
                found: Box::new(image.target.clone()),
            });
        }
        // SAFETY: the caller vouches for the image's code, which was made for this target.
        let module = unsafe { HostModule::load(image, &self.inner.memory)? };
        Ok(module)
    }

    fn allocate(&self, kind: MemoryKind, size: u64, align: u64) -> Result<DevicePtr, DeviceError> {
        Ok(self.inner.memory.allocate(kind, size, align)?)
    }

    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        Ok(self.inner.memory.free(ptr)?)
    }

    fn allocation(&self, ptr: DevicePtr) -> Option<Allocation> {
        self.inner.memory.allocation(ptr)
    }

    fn write(&self, dst: DevicePtr, bytes: &[u8]) -> Result<(), DeviceError> {
        Ok(self.inner.memory.write(dst, bytes)?)
    }

    fn read(&self, src: DevicePtr, bytes: &mut [u8]) -> Result<(), DeviceError> {
        Ok(self.inner.memory.read(src, bytes)?)
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DeviceError> {
        Ok(Arc::new(HostQueue::new(self.inner.clone())))
    }

    unsafe fn launch(&self, launch: &Launch) -> Result<(), DeviceError> {
        let plan = Plan::check(launch, &self.inner.facts)?;
        // SAFETY: the launch was checked; the caller vouches for the kernel and its pointers.
        unsafe { self.inner.run(launch, &plan) }
    }
}
