//! Launches.

use std::sync::Arc;

use oarlock_device::{Arg, ArgBlock, ArgError, Launch, LaunchShape};
use oarlock_image::Kernel;

use crate::objects::What;
use crate::{Error, QueueKey, Runtime, SymbolKey, SymbolKind};

/// Where a launch runs.
enum Place {
    /// On the calling thread and the device's workers; the position of the device.
    Here(usize),
    Queued(Arc<dyn oarlock_device::Queue>),
}

impl Runtime {
    /// Launches a kernel: in `queue`, asynchronously and in order, or with `None` now, returning when
    /// it has finished.
    ///
    /// The arguments are copied now, one for each of the kernel's parameters. The launch holds all
    /// that it needs: program, symbol and queue may be destroyed while it is in flight.
    ///
    /// # Safety
    /// The kernel's code runs with the rights of this process. Until it has finished, the memory that
    /// it reaches through its arguments and globals must be allocated, and nothing else may use it in
    /// a way that conflicts.
    ///
    /// # Errors
    /// [`Error::SymbolKind`] where `kernel` is a global variable; [`Error::WrongDevice`];
    /// [`Error::Device`] with what is wrong about the shape or the arguments; handle errors.
    ///
    /// # Examples
    /// See the [crate's documentation](crate).
    pub unsafe fn launch(
        &self,
        queue: impl Into<Option<QueueKey>>,
        kernel: SymbolKey,
        shape: &LaunchShape,
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        // SAFETY: passed on to the caller.
        unsafe { self.launch_with(queue.into(), kernel, shape, |k| ArgBlock::from_args(k, args)) }
    }

    /// [`launch`](Self::launch) with arguments that the caller laid out: each at its parameter's offset.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    ///
    /// # Errors
    /// As for [`launch`](Self::launch).
    pub unsafe fn launch_block(
        &self,
        queue: impl Into<Option<QueueKey>>,
        kernel: SymbolKey,
        shape: &LaunchShape,
        block: &[u8],
    ) -> Result<(), Error> {
        // SAFETY: passed on to the caller.
        unsafe { self.launch_with(queue.into(), kernel, shape, |k| ArgBlock::from_block(k, block)) }
    }

    /// # Safety
    /// As for [`launch`](Self::launch).
    unsafe fn launch_with(
        &self,
        queue: Option<QueueKey>,
        kernel: SymbolKey,
        shape: &LaunchShape,
        args: impl FnOnce(&Kernel) -> Result<ArgBlock, ArgError>,
    ) -> Result<(), Error> {
        let (place, launch) = self.prepare(queue, kernel, shape, args)?;
        let span = tracing::debug_span!(
            target: "oarlock::launch", "launch",
            kernel = %launch.module.kernel(launch.kernel).name,
            symbol = %self.hex(kernel),
            groups = ?shape.groups(),
            group_size = ?shape.group_size(),
            queued = queue.is_some(),
        );
        let _in_span = span.enter();
        // SAFETY: passed on to the caller.
        unsafe {
            match place {
                Place::Here(device) => self.device_at(device).device.launch(&launch)?,
                Place::Queued(queue) => queue.launch(launch)?,
            }
        }
        Ok(())
    }

    /// Resolves what a launch needs, pinned once, and takes a share of it.
    fn prepare(
        &self,
        queue: Option<QueueKey>,
        kernel: SymbolKey,
        shape: &LaunchShape,
        args: impl FnOnce(&Kernel) -> Result<ArgBlock, ArgError>,
    ) -> Result<(Place, Launch), Error> {
        let scope = self.pin();
        let symbol = self.resolve(&scope, kernel)?;
        let place = match queue {
            None => Place::Here(symbol.device),
            Some(key) => {
                let queue = self.resolve(&scope, key)?;
                self.same_device("kernel", queue.device, symbol.device)?;
                Place::Queued(queue.queue.clone())
            }
        };
        let module = self.module_of(kernel, symbol)?;
        let index = match symbol.what {
            What::Kernel(index) => index,
            What::Global(_, ref global) => {
                return Err(Error::SymbolKind {
                    name: global.name.clone(),
                    expected: SymbolKind::Kernel,
                    found: SymbolKind::Global,
                });
            }
        };
        let args = args(module.kernel(index))?;
        Ok((place, Launch { module, kernel: index, shape: *shape, args }))
    }
}
