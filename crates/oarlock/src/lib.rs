//! Oarlock: an embeddable offload runtime.
//!
//! A program comes as LLVM bitcode or textual IR. Oarlock compiles it for a device (the processor of
//! this machine is one), and runs its kernels. Every object is named by a key that never names
//! another one: a key whose object was destroyed is answered with [`Error::StaleHandle`].
//!
//! # A first program
//! ```
//! use oarlock::{Arg, LaunchShape, MemoryKind, Runtime};
//!
//! // Any externally visible `void` function of a module without a GPU triple is a kernel.
//! const SAXPY: &str = r#"
//! declare i64 @oarlock_global_id(i32)
//!
//! define void @saxpy(float %a, ptr %x, ptr %y) {
//!   %i = call i64 @oarlock_global_id(i32 0)
//!   %px = getelementptr float, ptr %x, i64 %i
//!   %py = getelementptr float, ptr %y, i64 %i
//!   %vx = load float, ptr %px
//!   %vy = load float, ptr %py
//!   %ax = fmul float %a, %vx
//!   %sum = fadd float %ax, %vy
//!   store float %sum, ptr %py
//!   ret void
//! }
//! "#;
//!
//! let runtime = Runtime::new()?;
//! let device = runtime.devices()[0];
//! // SAFETY: the program has no constructors, so nothing of it runs here.
//! let program = unsafe { runtime.create_program(device, SAXPY.as_bytes())? };
//! let saxpy = runtime.kernel(program, "saxpy")?;
//!
//! let x = runtime.alloc_slice(device, MemoryKind::Device, &[1.0f32; 1024])?;
//! let y = runtime.alloc_slice(device, MemoryKind::Device, &[0.5f32; 1024])?;
//! let shape = LaunchShape::new(&[4], &[256])?;
//! // SAFETY: 4 groups of 256 items touch 1024 floats of `x` and `y`, and nothing else uses them.
//! unsafe { runtime.launch(None, saxpy, &shape, &[Arg::from(2.0f32), x.into(), y.into()])? };
//! assert_eq!(runtime.read_vec::<f32>(device, y, 1024)?, [2.5; 1024]);
//!
//! runtime.destroy_program(program)?;
//! assert!(runtime.kernel(program, "saxpy").is_err());
//! # Ok::<(), oarlock::Error>(())
//! ```
//!
//! # Where things are
//! - Programs: `Runtime::create_program`, [`Runtime::kernel`], [`Runtime::global`].
//! - Memory: [`Runtime::alloc`], [`Runtime::write_slice`], [`Runtime::read_vec`].
//! - Launches: [`Runtime::launch`], synchronous, or in a queue of [`Runtime::create_queue`].
//! - Order: [`Runtime::sync`], [`Runtime::record`], [`Runtime::wait_for`], [`Runtime::host_function`].
//! - Numbers: [`Runtime::stats`]. Traces: spans and events of `tracing` under the target `oarlock`.
//!
//! # Features
//! `compiler` (default): programs from bitcode and text. Without it LLVM is not needed, and programs
//! come from compiled images: [`Runtime::create_program_from_image`].

mod builder;
mod devices;
mod error;
mod event;
#[cfg(feature = "compiler")]
mod isolation;
#[cfg(feature = "compiler")]
mod keep;
mod keys;
mod launch;
mod memory;
mod nearest;
mod objects;
mod program;
mod queue;
#[cfg(feature = "compiler")]
mod recipe;
mod runtime;
#[cfg(feature = "compiler")]
mod source;
mod stats;
mod symbol;
mod word;

pub use builder::Builder;
pub use error::Error;
#[cfg(feature = "compiler")]
pub use isolation::{Isolation, UnknownIsolation};
pub use keys::{DeviceKey, EventKey, ProgramKey, QueueKey, SymbolKey};
pub use objects::SymbolKind;
pub use runtime::Runtime;
pub use stats::Stats;
pub use symbol::{SymbolDetails, SymbolInfo};
pub use word::Key;

pub use oarlock_arena::{Full, History, InstanceError};
pub use oarlock_cache::{Stats as CacheStats, StoredStats};
#[cfg(feature = "compiler")]
pub use oarlock_codegen::{CompileError, Compiler, Emit, ModuleInfo, OptLevel, Options};
pub use oarlock_device::{
    Allocation, Arg, ArgError, DeviceError, DeviceFacts, DeviceKind, DevicePtr, LaunchError, LaunchShape,
    MemoryError, MemoryKind, ShapeError,
};
pub use oarlock_image::{DecodeError, Dialect, Format, Image, Metadata, Target};

/// What an embedder's own device implements.
pub mod device {
    pub use oarlock_device::{ArgBlock, Device, Event, HostFn, Launch, Module, Queue};
}

/// Where compiled programs can be kept beyond the process.
pub mod store {
    pub use oarlock_cache::{Entry, EntryError, FileStore, FileStoreBuilder, Listed, Name, Part, Recipe};
    pub use oarlock_cache::{Store, StoreError};
}

/// The compile workers of [`Isolation::Worker`]: which program they are, and what they may take.
#[cfg(feature = "compiler")]
pub mod worker {
    pub use oarlock_worker::{Client, ClientStats, Clock, Config, Hooks, Limits, Program, Server};
    pub use oarlock_worker::{WorkerError, serve_if_asked};
}

/// What an image's metadata is made of.
pub mod image {
    pub use oarlock_image::{Global, Kernel, Param, ParamKind};
}
