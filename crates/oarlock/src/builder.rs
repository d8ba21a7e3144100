//! Making a runtime to measure.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use oarlock_arena::{Arena, Instance};
use oarlock_cache::Cache;
use oarlock_device::Device;
use oarlock_host::{HostConfig, HostDevice};
use oarlock_image::{Image, Target};

use crate::runtime::{DeviceSlot, Shared};
use crate::{Error, ProgramKey, Runtime};

/// What a [`Runtime`] is made of. Made by [`Runtime::builder`].
///
/// # Examples
/// ```
/// use oarlock::{Error, Runtime};
/// use std::num::NonZeroUsize;
///
/// let two = NonZeroUsize::new(2).unwrap();
/// let runtime = Runtime::builder().threads(two).build()?;
/// assert_eq!(runtime.devices().len(), 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Default)]
pub struct Builder {
    threads: Option<NonZeroUsize>,
    without_host: bool,
    target: Option<Target>,
    devices: Vec<Arc<dyn Device>>,
    cache_budget: u64,
    #[cfg(feature = "compiler")]
    pub(crate) keep: crate::keep::Keep,
    #[cfg(feature = "compiler")]
    pub(crate) isolation: crate::Isolation,
    #[cfg(feature = "compiler")]
    pub(crate) workers: oarlock_worker::Config,
    #[cfg(feature = "compiler")]
    options: oarlock_codegen::Options,
}

impl Builder {
    /// How many threads of the host device run kernels, the caller of a synchronous launch included.
    /// By default, one for each core that the process may use.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// What the compiler is told. By default, full optimisation.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn options(mut self, options: oarlock_codegen::Options) -> Self {
        self.options = options;
        self
    }

    /// What code for the host device is made for. By default, this machine, as the compiler sees it;
    /// without the compiler it must be given.
    #[must_use]
    pub fn host_target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// How many bytes of compiled code the cache keeps for equal programs to come, beyond what live
    /// programs use. By default none: code goes with the last program that uses it.
    #[must_use]
    pub fn cache_budget(mut self, bytes: u64) -> Self {
        self.cache_budget = bytes;
        self
    }

    /// Leaves the host device out.
    #[must_use]
    pub fn without_host(mut self) -> Self {
        self.without_host = true;
        self
    }

    /// Adds a device of the embedder's own, behind those that are there.
    #[must_use]
    pub fn device(mut self, device: Arc<dyn Device>) -> Self {
        self.devices.push(device);
        self
    }

    /// Makes the runtime.
    ///
    /// # Errors
    /// As [`Runtime::new`]; [`Error::NoHostTarget`] where the library was built without the compiler
    /// and no target was given.
    pub fn build(self) -> Result<Runtime, Error> {
        let instance = Instance::new()?;
        #[cfg(feature = "compiler")]
        let compiler = oarlock_codegen::Compiler::new();
        let mut devices: Vec<Arc<dyn Device>> = Vec::new();
        let cache = self.cache();
        if !self.without_host {
            let known = self.target.clone();
            #[cfg(feature = "compiler")]
            let target = known.unwrap_or_else(|| compiler.host_target());
            #[cfg(not(feature = "compiler"))]
            let target = known.ok_or(Error::NoHostTarget)?;
            devices.push(Arc::new(HostDevice::new(self.host_config(), target)?));
        }
        devices.extend(self.devices);

        let device_keys = Arena::new(&instance);
        let name = |(index, device): (usize, Arc<dyn Device>)| {
            Ok(DeviceSlot {
                key: device_keys.insert(index)?,
                #[cfg(feature = "compiler")]
                target: Arc::new(device.target().clone()),
                device,
            })
        };
        let devices = devices.into_iter().enumerate().map(name).collect::<Result<_, Error>>()?;
        tracing::debug!(target: "oarlock::runtime", "create");
        let shared = Shared {
            events: Arena::new(&instance),
            queues: Arena::new(&instance),
            symbols: Arena::new(&instance),
            programs: Arena::new(&instance),
            device_keys,
            cache,
            #[cfg(feature = "compiler")]
            kitchen: crate::recipe::Kitchen::new(&compiler, &self.options),
            #[cfg(feature = "compiler")]
            compiler: crate::isolation::Backend::new(self.isolation, self.workers),
            #[cfg(feature = "compiler")]
            options: self.options,
            loaded_bytes: AtomicU64::new(0),
            devices,
            instance,
        };
        Ok(Runtime { shared: Arc::new(shared) })
    }

    fn cache(&self) -> Cache<ProgramKey, Arc<Target>, Image, Error> {
        let cache = Cache::new(Image::byte_size);
        cache.set_budget(self.cache_budget);
        #[cfg(feature = "compiler")]
        if let Some(store) = self.keep.store() {
            return cache.with_store(store, crate::recipe::codec());
        }
        cache
    }

    fn host_config(&self) -> HostConfig {
        let mut config = HostConfig::default();
        config.threads = self.threads.map(NonZeroUsize::get).or(config.threads);
        config
    }
}
