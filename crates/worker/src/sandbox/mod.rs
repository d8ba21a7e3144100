//! What the worker gives up before it reads a byte of a program.
//!
//! | what | how |
//! |---|---|
//! | files, sockets, processes, executable memory | the system calls of [`filter`] and no other |
//! | what its parent had open | `close_range` |
//! | gaining rights by running something | `no_new_privs` |
//! | its memory in a core file, or under another's debugger | not dumpable, `RLIMIT_CORE` 0 |
//! | the parent's terminal and signals to its group | a session of its own |
//! | memory and processor time, for each request | `RLIMIT_AS`, `RLIMIT_CPU` |

mod filter;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::{DumpableBehavior, Resource, Rlimit};

/// Why the worker cannot give up its rights, and so does not work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SandboxError {
    #[error("it cannot {what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("it cannot give up system calls: {0}; a kernel with seccomp filters is needed")]
    Filter(#[from] seccompiler::Error),
}

impl SandboxError {
    /// For `map_err`.
    pub(crate) fn system<E: Into<io::Error>>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::System { what, source: error.into() }
    }
}

/// A sandbox that has been entered.
pub(crate) struct Sandbox {
    /// `/proc/self/statm`, opened while that was possible.
    size: File,
    page: u64,
}

/// Closes all descriptors above the first three.
pub(crate) fn close_inherited() -> io::Result<()> {
    // SAFETY: called first in `main`: nothing in this process owns a descriptor above 2 yet.
    match unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Lets go of the parent: its session, its folder, its debuggers.
pub(crate) fn detach() -> Result<(), SandboxError> {
    // Fails where the process leads a session already, which is what is wanted.
    let _ = rustix::process::setsid();
    rustix::process::chdir("/").map_err(SandboxError::system("leave its folder"))?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(SandboxError::system("forbid dumps"))?;
    rustix::thread::set_no_new_privs(true).map_err(SandboxError::system("renounce new rights"))?;
    Ok(())
}

/// Gives up the rest. From here on, no file can be opened.
pub(crate) fn enter() -> Result<Sandbox, SandboxError> {
    let size = File::open("/proc/self/statm").map_err(SandboxError::system("read its size"))?;
    // Dumps off; standard error holds a message and not more; no descriptors beyond those that are open.
    for (resource, most) in [(Resource::Core, 0), (Resource::Fsize, 64 << 10), (Resource::Nofile, 16)] {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        rustix::process::setrlimit(resource, limit).map_err(SandboxError::system("limit itself"))?;
    }
    // Writing beyond the limit on files is an error then, and not the end.
    // SAFETY: ignoring a signal installs no code.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let sandbox = Sandbox { size, page: rustix::param::page_size() as u64 };
    // What these ask the system for on first use, they ask for now.
    sandbox.mapped().map_err(SandboxError::system("read its size"))?;
    processor_time();
    seccompiler::apply_filter_all_threads(&filter::program()?)?;
    Ok(sandbox)
}

impl Sandbox {
    /// Allows the next request so much more memory and processor time than is in use now.
    pub(crate) fn limit(&self, memory: u64, cpu: Duration) -> io::Result<()> {
        let most = self.mapped()?.saturating_add(memory);
        rustix::process::setrlimit(Resource::As, Rlimit { current: Some(most), maximum: None })?;
        let seconds = processor_time().saturating_add(cpu).as_secs() + 1;
        rustix::process::setrlimit(Resource::Cpu, Rlimit { current: Some(seconds), maximum: None })?;
        Ok(())
    }

    /// Address space in use, in bytes.
    fn mapped(&self) -> io::Result<u64> {
        let mut text = [0; 128];
        let len = self.size.read_at(&mut text, 0)?;
        let text = String::from_utf8_lossy(&text[..len]);
        let pages = text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok());
        let pages = pages.ok_or(io::ErrorKind::InvalidData)?;
        Ok(pages * self.page)
    }
}

/// What this process has used so far.
fn processor_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}
