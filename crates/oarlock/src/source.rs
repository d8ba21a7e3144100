//! Programs from bitcode and text, by way of the cache and the compiler.

use std::sync::Arc;

use oarlock_image::Image;

use crate::runtime::DeviceSlot;
use crate::{DeviceKey, Error, ProgramKey, Runtime};

impl Runtime {
    /// Makes a program of LLVM bitcode (raw or wrapped) or textual IR, for one device.
    ///
    /// The bytes are copied. They are compiled now, loaded with globals of their own, and the
    /// constructors run, in the order of their priorities. Programs of equal bytes share one compile
    /// and one image, and nothing else. The destructors run when the program is
    /// unloaded: when it is destroyed, or when the last launch in flight then has finished.
    ///
    /// # Safety
    /// The program's code runs with the rights of this process: its constructors now, its kernels at
    /// launches, its destructors at the end. The caller answers for what it does.
    ///
    /// # Errors
    /// [`Error::Compile`] for bytes that are no program, with what they are instead; [`Error::Worker`]
    /// where a compile worker died of them or could not be started;
    /// [`Error::Device`] where the device cannot load it; handle errors for `device`; [`Error::Full`].
    ///
    /// # Examples
    /// ```
    /// use oarlock::{Error, Runtime};
    /// let runtime = Runtime::new()?;
    /// let device = runtime.devices()[0];
    /// // SAFETY: these bytes are no program; nothing of them runs.
    /// let refused = unsafe { runtime.create_program(device, b"MZ\x90\0") };
    /// assert!(matches!(refused, Err(Error::Compile(_))));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub unsafe fn create_program(&self, device: DeviceKey, bytes: &[u8]) -> Result<ProgramKey, Error> {
        let index = self.device_index(device)?;
        let slot = self.device_at(index);
        let span = tracing::debug_span!(
            target: "oarlock::program", "create", bytes = bytes.len(), program = tracing::field::Empty
        );
        let _in_span = span.enter();
        let source: Arc<[u8]> = bytes.into();
        self.shared.programs.insert_with(|key| {
            span.record("program", tracing::field::display(self.hex(key)));
            let undo = Undo { runtime: self, key };
            let image = self.compiled(key, slot, &source)?;
            // SAFETY: passed on to the caller.
            let program = unsafe { self.load(index, image, Some(source)) }?;
            undo.not_needed();
            Ok(program)
        })
    }

    /// Compiles a program for a device without loading it. The result is the caller's; it is not cached.
    ///
    /// # Errors
    /// [`Error::Compile`]; handle errors for `device`.
    pub fn compile(&self, device: DeviceKey, bytes: &[u8]) -> Result<Arc<Image>, Error> {
        let slot = self.device(device)?;
        self.compile_for(slot, bytes).map(Arc::new)
    }

    fn compiled(&self, key: ProgramKey, slot: &DeviceSlot, source: &[u8]) -> Result<Arc<Image>, Error> {
        let recipe = self.shared.kitchen.recipe(source, &slot.target);
        self.shared.cache.get_or_compile_kept(key, &slot.target, &recipe, || self.compile_for(slot, source))
    }

    fn compile_for(&self, slot: &DeviceSlot, source: &[u8]) -> Result<Image, Error> {
        let target = slot.device.target();
        let span = tracing::debug_span!(
            target: "oarlock::compile", "compile", bytes = source.len(), for_target = %target
        );
        let _in_span = span.enter();
        self.shared.compiler.compile(source, target, &self.shared.options)
    }
}

/// Takes back what the cache holds for a program that was not born, also when something panics.
struct Undo<'r> {
    runtime: &'r Runtime,
    key: ProgramKey,
}

impl Undo<'_> {
    fn not_needed(self) {
        std::mem::forget(self);
    }
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        self.runtime.shared.cache.erase(self.key);
    }
}
