//! A runtime with the benchmark's program loaded, and how often to repeat.

use oarlock::{Arg, DeviceKey, Error, LaunchShape, ProgramKey, QueueKey, Runtime, SymbolKey};

/// What `bench.cl` compiles to; `cargo xtask kernels` makes it again.
const PROGRAM: &[u8] = include_bytes!("../kernels/bench.ll");

/// What every measurement needs.
pub(crate) struct Setting {
    pub(crate) runtime: Runtime,
    pub(crate) device: DeviceKey,
    program: ProgramKey,
    /// How many synchronous launches are timed one by one.
    pub(crate) launches: usize,
    /// How many samples everything else gives.
    pub(crate) repeat: usize,
}

impl Setting {
    pub(crate) fn new(quick: bool) -> Result<Self, Error> {
        let runtime = Runtime::new()?;
        let device = runtime.devices()[0];
        // SAFETY: the program is this crate's own; it has neither constructors nor destructors.
        let program = unsafe { runtime.create_program(device, PROGRAM)? };
        let (launches, repeat) = if quick { (200, 1) } else { (3000, 9) };
        Ok(Self { runtime, device, program, launches, repeat })
    }

    pub(crate) fn kernel(&self, name: &str) -> Result<SymbolKey, Error> {
        self.runtime.kernel(self.program, name)
    }

    /// Launches a kernel of this crate's program.
    ///
    /// # Safety
    /// `args` point at memory that holds what a launch of this shape reads and writes, as long as it runs.
    pub(crate) unsafe fn launch(
        &self,
        queue: Option<QueueKey>,
        kernel: SymbolKey,
        shape: &LaunchShape,
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        // SAFETY: passed on to the caller.
        unsafe { self.runtime.launch(queue, kernel, shape, args) }
    }
}
