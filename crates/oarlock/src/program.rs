//! Programs: made from bytes or from an image, destroyed at any time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use oarlock_arena::Family;
use oarlock_image::Image;
use parking_lot::Mutex;

use crate::objects::{Body, Program};
use crate::{DeviceKey, Error, ProgramKey, Runtime};

impl Runtime {
    /// Makes a program of an image that was compiled before, for one device.
    ///
    /// Neither the compiler nor the cache takes part.
    ///
    /// # Safety
    /// The program's code runs with the rights of this process: its constructors now, its kernels at
    /// launches, its destructors at the end. It is run as it is: the image must be what the compiler made.
    ///
    /// # Errors
    /// [`Error::MissingFeature`] where the image is for a richer processor, with the feature's name;
    /// [`Error::Device`] where the image is for another target or cannot be loaded; handle errors
    /// for `device`; [`Error::Full`].
    #[track_caller]
    pub unsafe fn create_program_from_image(
        &self,
        device: DeviceKey,
        image: Arc<Image>,
    ) -> Result<ProgramKey, Error> {
        let index = self.device_index(device)?;
        self.check_features(index, &image)?;
        let span = tracing::debug_span!(
            target: "oarlock::program", "create", bytes = image.code.len(), program = tracing::field::Empty
        );
        let _in_span = span.enter();
        self.shared.programs.insert_with(|key| {
            span.record("program", tracing::field::display(self.hex(key)));
            // SAFETY: passed on to the caller.
            unsafe { self.load(index, image, None) }
        })
    }

    /// Names what the device lacks, where all that differs is what its processor can do.
    fn check_features(&self, device: usize, image: &Image) -> Result<(), Error> {
        let machine = self.device_at(device).device.target();
        if image.target.triple != machine.triple {
            return Ok(());
        }
        match image.target.missing_feature(machine) {
            None => Ok(()),
            Some(feature) => Err(Error::MissingFeature {
                feature: feature.to_owned(),
                image: image.target.to_string(),
                device: machine.to_string(),
            }),
        }
    }

    /// Destroys a program. Its handle and all handles of its symbols go stale.
    ///
    /// The code is unloaded and its memory given back before this returns, destructors included,
    /// unless launches are in flight: then the last of them does it when it has finished.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] where it has been destroyed before, and the other handle errors.
    #[track_caller]
    pub fn destroy_program(&self, program: ProgramKey) -> Result<(), Error> {
        let span = tracing::debug_span!(
            target: "oarlock::program", "destroy", program = %self.hex(program), erased = tracing::field::Empty
        );
        let _in_span = span.enter();
        let shell = self.remove(program)?;
        shell.family.end();
        span.record("erased", self.shared.cache.erase(program));
        // A statement of its own: destructors run in the drop below, and no lock is held then.
        let body = shell.body.lock().take();
        if let Some(body) = &body {
            self.shared.loaded_bytes.fetch_sub(body.loaded_bytes, Relaxed);
        }
        drop(body);
        Ok(())
    }

    /// The image that a program was loaded from.
    ///
    /// # Errors
    /// Handle errors.
    pub fn program_image(&self, program: ProgramKey) -> Result<Arc<Image>, Error> {
        self.with_body(program, |_, body| Ok(body.image().clone()))
    }

    /// The bytes that a program was made from; `None` for one made from an image.
    ///
    /// # Errors
    /// Handle errors.
    pub fn program_source(&self, program: ProgramKey) -> Result<Option<Arc<[u8]>>, Error> {
        self.with_body(program, |_, body| Ok(body.source.clone()))
    }

    /// The device that a program was made for.
    ///
    /// # Errors
    /// Handle errors.
    pub fn program_device(&self, program: ProgramKey) -> Result<DeviceKey, Error> {
        self.with_body(program, |shell, _| Ok(self.device_at(shell.device).key))
    }

    /// Looks into a live program. No user code may run in `look`.
    pub(crate) fn with_body<R>(
        &self,
        program: ProgramKey,
        look: impl FnOnce(&Program, &mut Body) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let scope = self.pin();
        let shell = self.resolve(&scope, program)?;
        match &mut *shell.body.lock() {
            Some(body) => look(shell, body),
            None => Err(self.stale(program)),
        }
    }

    /// # Safety
    /// As [`create_program_from_image`](Self::create_program_from_image).
    pub(crate) unsafe fn load(
        &self,
        device: usize,
        image: Arc<Image>,
        source: Option<Arc<[u8]>>,
    ) -> Result<Program, Error> {
        let span = tracing::debug_span!(
            target: "oarlock::load", "load", code = image.code.len(), kernels = image.metadata.kernels.len()
        );
        let _in_span = span.enter();
        // SAFETY: passed on to the caller.
        let module = unsafe { self.device_at(device).device.load(image) }?;
        let loaded_bytes = module.loaded_bytes() as u64;
        self.shared.loaded_bytes.fetch_add(loaded_bytes, Relaxed);
        let body = Body { module, source, symbols: HashMap::new(), loaded_bytes };
        Ok(Program { device, family: Family::new(), body: Mutex::new(Some(body)) })
    }
}
