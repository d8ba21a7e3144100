//! The worker: gives up its rights, then answers requests until nobody is there to ask.

use std::cell::RefCell;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use oarlock_codegen::{CompileError, Compiler, Options};

use crate::protocol::{self, Kind, Request, Task};
use crate::{sandbox, watch};

/// The argument that tells an executable that it is a worker. Nobody types it.
pub(crate) const ASKED: &str = "__oarlock_worker";

/// The exit code of a process that was started by somebody else.
const NOT_ASKED: u8 = 2;

/// Serves as a worker if that is what this process was started for; else returns at once.
///
/// An executable that names [`Program::ThisExecutable`](crate::Program::ThisExecutable) calls this first in its
/// `main`, before it opens files or starts threads.
///
/// # Examples
/// ```
/// fn main() -> std::process::ExitCode {
///     if let Some(code) = oarlock_worker::serve_if_asked() {
///         return code;
///     }
///     // What the executable is for.
///     std::process::ExitCode::SUCCESS
/// }
/// ```
pub fn serve_if_asked() -> Option<ExitCode> {
    let asked = std::env::args_os().nth(1).is_some_and(|arg| arg == ASKED);
    asked.then(|| Server::new().main())
}

/// What a worker does besides compiling. For tests of the worker itself: nothing in this library sets it.
pub trait Hooks {
    /// A request came with this program; an error is the answer to it, and nothing is compiled.
    fn request(&self, _program: &[u8]) -> Option<CompileError> {
        None
    }

    /// A step begins.
    fn phase(&self, _name: &'static str, _program: &[u8]) {}
}

struct NoHooks;
impl Hooks for NoHooks {}

/// The worker's side: serves the process that started this one.
pub struct Server {
    hooks: Box<dyn Hooks>,
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// A worker.
    pub fn new() -> Self {
        Self { hooks: Box::new(NoHooks) }
    }

    /// A worker that does something besides.
    #[must_use]
    pub fn with_hooks(hooks: impl Hooks + 'static) -> Self {
        Self { hooks: Box::new(hooks) }
    }

    /// The whole of a worker's `main`: serves the socket that is this process's standard input until its other
    /// end closes. A process with another standard input was started by hand, and fails.
    pub fn main(self) -> ExitCode {
        match open() {
            Ok(socket) => match self.serve(socket) {
                // Nobody is left to tell.
                Ok(()) | Err(_) => ExitCode::SUCCESS,
            },
            Err(_) => {
                use std::io::Write;
                let _ = writeln!(
                    io::stderr(),
                    "oarlock-worker is started by programs that use Oarlock, with a socket as its standard input"
                );
                ExitCode::from(NOT_ASKED)
            }
        }
    }

    fn serve(&self, mut socket: UnixStream) -> io::Result<()> {
        let compiler = Compiler::new();
        let sandbox = match prepare(&socket, &compiler) {
            Ok(sandbox) => sandbox,
            Err(error) => {
                return protocol::send(&mut socket, Kind::Broken, error.to_string().as_bytes(), b"");
            }
        };
        protocol::send(&mut socket, Kind::Hello, greeting(&compiler).as_bytes(), b"")?;
        while let Some((kind, payload)) = protocol::receive(&mut socket, protocol::MOST_REQUEST)? {
            if kind != Kind::Request {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let (kind, answer) = match protocol::decode_request(&payload) {
                Ok(request) => {
                    sandbox.limit(request.memory, request.cpu)?;
                    self.work(&compiler, &request, &socket)
                }
                Err(message) => {
                    let error = CompileError::Internal { phase: "the worker", message: message.into() };
                    (Kind::Refused, protocol::encode_refusal(&error))
                }
            };
            protocol::send(&mut socket, kind, &answer, b"")?;
        }
        Ok(())
    }

    /// Does what is asked, saying where it is.
    fn work(&self, compiler: &Compiler, request: &Request<'_>, socket: &UnixStream) -> (Kind, Vec<u8>) {
        let socket = RefCell::new(socket);
        let entered = |name: &'static str| {
            // An asker that is gone is found out when the answer is sent.
            let _ = protocol::send(&mut *socket.borrow_mut(), Kind::Phase, name.as_bytes(), b"");
            self.hooks.phase(name, request.program);
        };
        entered("receive");
        let made = match self.hooks.request(request.program) {
            Some(error) => Err(error),
            None => make(compiler, request, &entered),
        };
        entered("answer");
        match made {
            Ok(bytes) => (Kind::Done, bytes),
            Err(error) => (Kind::Refused, protocol::encode_refusal(&error)),
        }
    }
}

fn make(
    compiler: &Compiler,
    request: &Request<'_>,
    entered: &dyn Fn(&'static str),
) -> Result<Vec<u8>, CompileError> {
    let Request { program, target, options, .. } = request;
    match request.task {
        Task::Compile => {
            compiler.compile_with_phases(program, target, options, entered).map(|image| image.to_bytes())
        }
        Task::Emit(what) => {
            entered("lower");
            compiler.emit(program, target, options, what).map(String::into_bytes)
        }
        Task::Inspect => {
            entered("parse");
            compiler.inspect(program).map(|info| protocol::encode_info(&info))
        }
    }
}

/// What a worker says first: its asker must be the same.
pub(crate) fn greeting(compiler: &Compiler) -> String {
    format!("protocol {} {}", protocol::VERSION, compiler.identity())
}

/// Closes whatever was inherited but the first three descriptors, and takes the socket.
fn open() -> io::Result<UnixStream> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    socket.peer_addr()?;
    drop(socket);
    sandbox::close_inherited()?;
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// All that has to happen before the first byte of a program is read.
fn prepare(socket: &UnixStream, compiler: &Compiler) -> Result<sandbox::Sandbox, sandbox::SandboxError> {
    sandbox::detach()?;
    keep_memory();
    // Whatever LLVM opens or sets up on first use, it does now. An error shows at the first request.
    let warm = b"define void @warm(ptr %p) { store i32 1, ptr %p ret void }";
    let _ = compiler.compile(warm, &compiler.host_target(), &Options::default());
    watch::start(socket).map_err(sandbox::SandboxError::system("watch the asker"))?;
    sandbox::enter()
}

/// Lets the allocator keep what a compile has freed for the next one, which needs as much again.
fn keep_memory() {
    #[cfg(target_env = "gnu")]
    for (parameter, bytes) in [(libc::M_TRIM_THRESHOLD, 64 << 20), (libc::M_TOP_PAD, 4 << 20)] {
        // SAFETY: takes two numbers; only this thread runs, and what it has allocated stays as it is.
        unsafe { libc::mallopt(parameter, bytes) };
    }
}
