//! A loaded image.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use oarlock_device::{DeviceError, DevicePtr, Module};
use oarlock_image::abi::EntryPoint;
use oarlock_image::{Global, Image};
use oarlock_loader::{LoadedObject, Symbol, runtime_symbol};

use crate::memory::Memory;

/// A loaded image, with variables of its own.
pub(crate) struct HostModule {
    image: Arc<Image>,
    /// By kernel.
    entries: Vec<EntryPoint>,
    /// By name: the position in the metadata, and where it lies.
    globals: HashMap<String, (usize, DevicePtr)>,
    memory: Weak<Memory>,
    /// Dropped last: that unloads the code.
    object: LoadedObject,
}

impl HostModule {
    /// Loads `image` and runs its constructors.
    ///
    /// # Safety
    /// As [`Device::load`](oarlock_device::Device::load).
    pub(crate) unsafe fn load(image: Arc<Image>, memory: &Arc<Memory>) -> Result<Arc<Self>, DeviceError> {
        let mut object = LoadedObject::load(&image.code, &runtime_symbol)
            .map_err(|e| DeviceError::Load { reason: e.to_string() })?;
        let mut entries = Vec::with_capacity(image.metadata.kernels.len());
        for kernel in &image.metadata.kernels {
            let entry = object.symbol(&kernel.entry).filter(|symbol| symbol.executable);
            let entry = entry.ok_or_else(|| missing("the entry of kernel", &kernel.name, &kernel.entry))?;
            // SAFETY: the address is code of the object, and the metadata, which comes from the same
            // compilation as the code, says that it is an entry point.
            entries.push(unsafe { std::mem::transmute::<usize, EntryPoint>(entry.address) });
        }
        let mut globals = HashMap::new();
        let mut ranges = Vec::new();
        for (index, global) in image.metadata.globals.iter().enumerate() {
            let symbol =
                object.symbol(&global.name).filter(|s| s.size as u64 >= global.size && !s.executable);
            let symbol = symbol.ok_or_else(|| missing("global variable", &global.name, &global.name))?;
            globals.insert(global.name.clone(), (index, DevicePtr(symbol.address as u64)));
            ranges.push((symbol, global.size));
        }
        // SAFETY: the caller vouches for the image's code.
        unsafe { object.run_constructors() };
        let module = Arc::new(Self { image, entries, globals, memory: Arc::downgrade(memory), object });
        module.lend(memory, &ranges);
        tracing::debug!(kernels = module.entries.len(), bytes = module.loaded_bytes(), "module loaded");
        Ok(module)
    }

    pub(crate) fn entry(&self, kernel: usize) -> Option<EntryPoint> {
        self.entries.get(kernel).copied()
    }

    /// Makes the variables known to copies.
    fn lend(self: &Arc<Self>, memory: &Memory, ranges: &[(Symbol, u64)]) {
        // A variable of no size may share its address with another.
        for (symbol, size) in ranges.iter().filter(|(_, size)| *size > 0) {
            memory.lend(symbol.address as u64, *size, symbol.writable, self);
        }
    }
}

fn missing(what: &str, name: &str, symbol: &str) -> DeviceError {
    let reason = format!("{what} `{name}` (symbol `{symbol}`) is not in the code, or not as described");
    DeviceError::Load { reason }
}

impl Module for HostModule {
    fn image(&self) -> &Arc<Image> {
        &self.image
    }

    fn global(&self, name: &str) -> Option<(DevicePtr, Global)> {
        let (index, ptr) = self.globals.get(name)?;
        Some((*ptr, self.image.metadata.globals[*index].clone()))
    }

    fn loaded_bytes(&self) -> usize {
        self.object.mapped_bytes()
    }
}

impl Drop for HostModule {
    fn drop(&mut self) {
        tracing::debug!(kernels = self.entries.len(), bytes = self.loaded_bytes(), "module unloaded");
        if let Some(memory) = self.memory.upgrade() {
            // Before the object unmaps them.
            memory.take_back(self.globals.values().map(|(_, ptr)| ptr.0));
        }
    }
}
