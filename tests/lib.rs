//! What the whole-system tests share: a runtime on the host device, small kernels, and a view of
//! this process's memory.
//!
//! The tests themselves lie in `tests/`, one file for each thing that the runtime promises.

use oarlock::{Arg, DeviceKey, DevicePtr, Error, LaunchShape, MemoryKind, ProgramKey, Runtime, SymbolKey};

pub mod kernels;
pub mod process;

/// A runtime and its host device.
pub struct Rig {
    /// The runtime.
    pub runtime: Runtime,
    /// Its first device.
    pub device: DeviceKey,
}

impl Default for Rig {
    fn default() -> Self {
        Self::new()
    }
}

impl Rig {
    /// A new runtime with the host device.
    pub fn new() -> Self {
        Self::of(Runtime::new().expect("this machine runs Oarlock"))
    }

    /// A runtime that was made to measure, and its first device.
    pub fn of(runtime: Runtime) -> Self {
        let device = runtime.devices()[0];
        Self { runtime, device }
    }

    /// Creates a program of one of the tests' own sources.
    pub fn try_program(&self, source: &[u8]) -> Result<ProgramKey, Error> {
        // SAFETY: the tests' kernels and constructors touch their own globals and arguments alone;
        // what a test makes up to be refused does not run.
        unsafe { self.runtime.create_program(self.device, source) }
    }

    /// As [`try_program`](Self::try_program), where it must succeed.
    pub fn program(&self, source: &str) -> ProgramKey {
        self.try_program(source.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{source}"))
    }

    /// The kernel `name` of a new program.
    pub fn kernel(&self, source: &str, name: &str) -> SymbolKey {
        self.runtime.kernel(self.program(source), name).unwrap()
    }

    /// Launches in a queue or synchronously.
    pub fn launch(
        &self,
        queue: impl Into<Option<oarlock::QueueKey>>,
        kernel: SymbolKey,
        (groups, size): (&[u32], &[u32]),
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        let shape = LaunchShape::new(groups, size)?;
        // SAFETY: as for `try_program`; the tests keep the memory of their launches until they have ended.
        unsafe { self.runtime.launch(queue, kernel, &shape, args) }
    }

    /// Launches synchronously, where it must succeed.
    pub fn run(&self, kernel: SymbolKey, shape: (&[u32], &[u32]), args: &[Arg<'_>]) {
        self.launch(None, kernel, shape, args).unwrap();
    }

    /// Device memory with `data` in it.
    pub fn data(&self, data: &[i32]) -> DevicePtr {
        self.runtime.alloc_slice(self.device, MemoryKind::Device, data).unwrap()
    }

    /// `n` zeros in device memory.
    pub fn zeros(&self, n: usize) -> DevicePtr {
        self.data(&vec![0; n])
    }

    /// `n` numbers out of device memory.
    pub fn ints(&self, ptr: DevicePtr, n: usize) -> Vec<i32> {
        self.runtime.read_vec(self.device, ptr, n).unwrap()
    }
}
