//! The compiler in a process of its own, that may die.
//!
//! LLVM's readers were not written for hostile input: damaged bitcode can end the process that reads it, and
//! valid IR can make it run for hours or take all memory. A [`Client`] has the same calls as the
//! [`Compiler`](oarlock_codegen::Compiler), and each is answered within its [`Limits`], whatever the bytes
//! are: by a worker's image, or by a [`WorkerError`] that says what became of the worker.
//!
//! | part | module |
//! |---|---|
//! | the calls, the pool, what is not tried again | `client`, `pool`, `quarantine` |
//! | one worker as its parent sees it: start, ask, bury | `process` |
//! | what goes over the socket | `protocol` |
//! | the worker itself, and what it gives up before it reads a byte | `server`, `sandbox`, `watch` |
//!
//! # Which program is the worker
//! - The `oarlock-worker` of this package: ship it beside your executable, or on `PATH`; or name it with
//!   [`Program::Path`].
//! - Your own executable, with [`Program::ThisExecutable`], where its `main` begins with
//!   [`serve_if_asked`].
//!
//! # Examples
//! ```no_run
//! use oarlock_codegen::{Compiler, Options};
//! use oarlock_worker::{Client, Config};
//!
//! let client = Client::new(Config::default());
//! let target = Compiler::new().host_target();
//! let image = client.compile(b"define void @nothing() { ret void }", &target, &Options::default())?;
//! assert_eq!(image.metadata.kernels[0].name, "nothing");
//! # Ok::<(), oarlock_worker::WorkerError>(())
//! ```

mod client;
mod config;
mod error;
mod find;
mod pool;
mod process;
mod protocol;
mod quarantine;
mod sandbox;
mod server;
mod watch;

pub use client::{Client, ClientStats};
pub use config::{Config, Limits, Program};
pub use error::{Clock, WorkerError};
pub use server::{Hooks, Server, serve_if_asked};
