//! The runtime: the tables, the devices, the cache.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use oarlock_arena::{Arena, HandleError, Instance, Scope};
use oarlock_cache::Cache;
use oarlock_device::Device;
use oarlock_image::{Image, Target};

use crate::objects::{Event, Program, Queue, Symbol};
use crate::{Builder, DeviceKey, Error, EventKey, Key, ProgramKey, QueueKey, SymbolKey};

/// An offload runtime. All of its objects are named by keys that it gives out.
///
/// Cloning is cheap and gives another owner of the same runtime. All methods may be called from any
/// thread. When the last owner is dropped, all objects go; none of them keeps the runtime alive.
///
/// Destroying any object at any time is safe, and nothing waits for it: work in flight holds what it
/// needs.
///
/// See the [crate's documentation](crate) for a first program.
#[derive(Clone)]
pub struct Runtime {
    pub(crate) shared: Arc<Shared>,
}

/// What all owners of a runtime share. Fields are dropped in order: the objects before the devices.
pub(crate) struct Shared {
    pub(crate) instance: Arc<Instance>,
    pub(crate) events: Arena<EventKey, Event>,
    pub(crate) queues: Arena<QueueKey, Queue>,
    pub(crate) symbols: Arena<SymbolKey, Symbol>,
    pub(crate) programs: Arena<ProgramKey, Program>,
    pub(crate) device_keys: Arena<DeviceKey, usize>,
    pub(crate) cache: Cache<ProgramKey, Arc<Target>, Image, Error>,
    #[cfg(feature = "compiler")]
    pub(crate) compiler: crate::isolation::Backend,
    #[cfg(feature = "compiler")]
    pub(crate) options: oarlock_codegen::Options,
    #[cfg(feature = "compiler")]
    pub(crate) kitchen: crate::recipe::Kitchen,
    pub(crate) loaded_bytes: AtomicU64,
    pub(crate) devices: Vec<DeviceSlot>,
}

/// A device and its name. Devices live as long as the runtime.
pub(crate) struct DeviceSlot {
    pub(crate) key: DeviceKey,
    /// What the device runs. Names of features are long: all entries of the cache have this one between them.
    #[cfg(feature = "compiler")]
    pub(crate) target: Arc<Target>,
    pub(crate) device: Arc<dyn Device>,
}

impl Runtime {
    /// A runtime with this machine's processor as its device, and a worker for each core.
    ///
    /// # Errors
    /// [`Error::Instance`] where too many runtimes live at one time; [`Error::Device`] and
    /// `Error::Compile` where the machine is not supported.
    pub fn new() -> Result<Self, Error> {
        Self::builder().build()
    }

    /// A runtime made to measure.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Starts reclaiming what destroyed objects left behind, which otherwise happens by and by.
    ///
    /// Destroying gives code and data back at once; this is about the last few dozen bytes of each
    /// object, which other threads may still be looking at.
    pub fn collect(&self) {
        self.shared.instance.collect();
    }

    pub(crate) fn pin(&self) -> Scope<'_> {
        self.shared.instance.pin()
    }

    pub(crate) fn device_at(&self, index: usize) -> &DeviceSlot {
        &self.shared.devices[index]
    }

    /// The position of a device.
    pub(crate) fn device_index(&self, key: DeviceKey) -> Result<usize, Error> {
        let scope = self.pin();
        self.resolve(&scope, key).copied()
    }

    /// A device, for as long as the runtime is borrowed.
    pub(crate) fn device(&self, key: DeviceKey) -> Result<&DeviceSlot, Error> {
        Ok(self.device_at(self.device_index(key)?))
    }

    /// The object that `key` names, for as long as `scope`.
    pub(crate) fn resolve<'s, K: Table>(
        &'s self,
        scope: &'s Scope<'_>,
        key: K,
    ) -> Result<&'s K::Object, Error> {
        K::table(&self.shared).get(scope, key).map_err(|e| self.handle_error(key, e))
    }

    /// Unpublishes the object that `key` names. Of several threads that try, one gets it.
    #[track_caller]
    pub(crate) fn remove<K: Table>(&self, key: K) -> Result<Arc<K::Object>, Error> {
        K::table(&self.shared).remove(key).map_err(|e| self.handle_error(key, e))
    }

    /// The error for an object that was destroyed between two steps of a call.
    #[cold]
    pub(crate) fn stale<K: Table>(&self, key: K) -> Error {
        Error::StaleHandle { kind: K::KIND.name(), handle: self.word(key), history: None }
    }

    /// A handle as traces show it.
    pub(crate) fn hex<K: Table>(&self, key: K) -> Hex {
        Hex(self.word(key))
    }

    #[cold]
    pub(crate) fn handle_error<K: Table>(&self, key: K, error: HandleError) -> Error {
        Error::handle(K::KIND.name(), self.word(key), error)
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

/// A word in hexadecimal.
#[derive(Debug)]
pub(crate) struct Hex(u64);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A key type and the table that it belongs to.
pub(crate) trait Table: Key + 'static {
    type Object: Send + Sync + 'static;
    fn table(shared: &Shared) -> &Arena<Self, Self::Object>;
}

macro_rules! tables {
    ($($key:ty => $object:ty, $field:ident;)*) => {$(
        impl Table for $key {
            type Object = $object;
            fn table(shared: &Shared) -> &Arena<Self, $object> {
                &shared.$field
            }
        }
    )*};
}
tables! {
    DeviceKey => usize, device_keys;
    ProgramKey => Program, programs;
    SymbolKey => Symbol, symbols;
    QueueKey => Queue, queues;
    EventKey => Event, events;
}
