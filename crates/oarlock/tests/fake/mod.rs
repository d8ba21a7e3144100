//! A device that runs nothing and remembers everything: launches stay in flight until the test ends them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oarlock::device::{Device, Event, HostFn, Launch, Module, Queue};
use oarlock::image::{Global, Kernel};
use oarlock::{
    Allocation, DeviceError, DeviceFacts, DeviceKind, DevicePtr, Dialect, Image, MemoryError, MemoryKind,
    Metadata, Runtime, Target,
};

/// What the test and the device share.
#[derive(Default)]
pub(crate) struct Log {
    /// Modules that are loaded now.
    pub(crate) loaded: AtomicUsize,
    /// Launches that were run or queued.
    pub(crate) launches: AtomicUsize,
    /// Makes loads fail.
    pub(crate) refuse: AtomicBool,
    /// Runs inside each load, as constructors do.
    pub(crate) on_load: Mutex<Option<Box<dyn Fn() + Send>>>,
    in_flight: Mutex<Vec<Launch>>,
    memory: Mutex<BTreeMap<u64, Vec<u8>>>,
}

impl Log {
    /// Lets everything in flight finish.
    pub(crate) fn finish(&self) {
        let finished = std::mem::take(&mut *self.in_flight.lock().unwrap());
        drop(finished);
    }
}

pub(crate) struct Fake {
    log: Arc<Log>,
    facts: DeviceFacts,
    target: Target,
}

/// A runtime with `devices` fake devices that share one log, and nothing else.
pub(crate) fn runtime(devices: usize) -> (Runtime, Arc<Log>) {
    let log = Arc::new(Log::default());
    let mut builder = Runtime::builder().without_host();
    for _ in 0..devices {
        builder = builder.device(Arc::new(Fake::new(log.clone())));
    }
    (builder.build().unwrap(), log)
}

/// An image with a kernel `run` of one `i32`, a kernel `other`, and a global `counter`.
pub(crate) fn image() -> Arc<Image> {
    let kernel = |name: &str, params: &[u32]| Kernel {
        name: name.into(),
        entry: format!("{name}.groups"),
        params: params
            .iter()
            .map(|&size| oarlock::image::Param {
                name: None,
                kind: oarlock::image::ParamKind::Scalar,
                ty: "i32".into(),
                offset: 0,
                size,
                align: size,
            })
            .collect(),
        args_size: 8,
        args_align: 8,
        group_bytes: 0,
        uses_dynamic_group: false,
        item_bytes: 0,
        barriers: 0,
        required_group_size: None,
        max_group_items: None,
    };
    let counter = Global { name: "counter".into(), size: 8, align: 8, constant: false };
    Arc::new(Image {
        target: target(),
        code: vec![0; 100],
        metadata: Metadata {
            dialect: Dialect::Native,
            kernels: vec![kernel("run", &[4]), kernel("other", &[])],
            globals: vec![counter],
        },
    })
}

fn target() -> Target {
    Target { triple: "fake".into(), cpu: "fake".into(), features: String::new() }
}

impl Fake {
    fn new(log: Arc<Log>) -> Self {
        let facts = DeviceFacts {
            name: "fake".into(),
            vendor: "the tests".into(),
            kind: DeviceKind::Gpu,
            compute_units: 1,
            memory_bytes: 1 << 20,
            max_group_items: 1024,
            max_group_size: [1024; 3],
            max_groups: [u32::MAX; 3],
            group_memory_bytes: 1 << 15,
            clock_mhz: 0,
        };
        Self { log, facts, target: target() }
    }
}

impl Device for Fake {
    fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    fn target(&self) -> &Target {
        &self.target
    }

    unsafe fn load(&self, image: Arc<Image>) -> Result<Arc<dyn Module>, DeviceError> {
        if let Some(on_load) = &*self.log.on_load.lock().unwrap() {
            on_load();
        }
        if self.log.refuse.load(SeqCst) {
            return Err(DeviceError::Load { reason: "the test said so".into() });
        }
        self.log.loaded.fetch_add(1, SeqCst);
        Ok(Arc::new(FakeModule { image, log: self.log.clone() }))
    }

    fn allocate(&self, kind: MemoryKind, size: u64, align: u64) -> Result<DevicePtr, DeviceError> {
        assert_eq!(kind, MemoryKind::Device);
        if size > self.facts.memory_bytes {
            return Err(MemoryError::OutOfMemory { size, align }.into());
        }
        let mut memory = self.log.memory.lock().unwrap();
        let end = memory.last_key_value().map_or(4096, |(base, bytes)| base + bytes.len() as u64);
        let base = (end + 1).next_multiple_of(align);
        memory.insert(base, vec![0; size as usize]);
        Ok(DevicePtr(base))
    }

    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        let removed = self.log.memory.lock().unwrap().remove(&ptr.0);
        removed.map(drop).ok_or_else(|| MemoryError::NotAllocated { ptr }.into())
    }

    fn allocation(&self, ptr: DevicePtr) -> Option<Allocation> {
        let memory = self.log.memory.lock().unwrap();
        let (&base, bytes) = memory.range(..=ptr.0).next_back()?;
        let size = bytes.len() as u64;
        let inside = ptr.0 < base + size;
        inside.then_some(Allocation { base: DevicePtr(base), size, align: 64, kind: MemoryKind::Device })
    }

    fn write(&self, dst: DevicePtr, bytes: &[u8]) -> Result<(), DeviceError> {
        let a = self.allocation(dst).ok_or(MemoryError::NotAllocated { ptr: dst })?;
        let at = (dst.0 - a.base.0) as usize;
        let mut memory = self.log.memory.lock().unwrap();
        memory.get_mut(&a.base.0).unwrap()[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&self, src: DevicePtr, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let a = self.allocation(src).ok_or(MemoryError::NotAllocated { ptr: src })?;
        let at = (src.0 - a.base.0) as usize;
        let memory = self.log.memory.lock().unwrap();
        bytes.copy_from_slice(&memory[&a.base.0][at..at + bytes.len()]);
        Ok(())
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DeviceError> {
        Ok(Arc::new(FakeQueue { log: self.log.clone() }))
    }

    unsafe fn launch(&self, launch: &Launch) -> Result<(), DeviceError> {
        launch.shape.check_device(&self.facts)?;
        self.log.launches.fetch_add(1, SeqCst);
        Ok(())
    }
}

struct FakeModule {
    image: Arc<Image>,
    log: Arc<Log>,
}

impl Module for FakeModule {
    fn image(&self) -> &Arc<Image> {
        &self.image
    }

    fn global(&self, name: &str) -> Option<(DevicePtr, Global)> {
        let global = self.image.metadata.globals.iter().find(|g| g.name == name)?;
        Some((DevicePtr(64), global.clone()))
    }

    fn loaded_bytes(&self) -> usize {
        4096
    }
}

impl Drop for FakeModule {
    fn drop(&mut self) {
        self.log.loaded.fetch_sub(1, SeqCst);
    }
}

struct FakeQueue {
    log: Arc<Log>,
}

impl Queue for FakeQueue {
    unsafe fn launch(&self, launch: Launch) -> Result<(), DeviceError> {
        self.log.launches.fetch_add(1, SeqCst);
        self.log.in_flight.lock().unwrap().push(launch);
        Ok(())
    }

    fn copy(&self, _: DevicePtr, _: DevicePtr, _: u64) -> Result<(), DeviceError> {
        Ok(())
    }

    fn fill(&self, _: DevicePtr, _: &[u8], _: u64) -> Result<(), DeviceError> {
        Ok(())
    }

    fn host_function(&self, function: HostFn) -> Result<(), DeviceError> {
        function();
        Ok(())
    }

    fn wait_for(&self, _: &Arc<dyn Event>) -> Result<(), DeviceError> {
        Ok(())
    }

    fn record(&self) -> Result<Arc<dyn Event>, DeviceError> {
        Ok(Arc::new(FakeEvent))
    }

    fn sync(&self) -> Result<(), DeviceError> {
        self.log.finish();
        Ok(())
    }

    fn is_idle(&self) -> bool {
        self.log.in_flight.lock().unwrap().is_empty()
    }
}

struct FakeEvent;

impl Event for FakeEvent {
    fn is_complete(&self) -> bool {
        true
    }

    fn wait(&self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn wait_timeout(&self, _: Duration) -> bool {
        true
    }

    fn completed_at(&self) -> Option<Instant> {
        Some(Instant::now())
    }
}
