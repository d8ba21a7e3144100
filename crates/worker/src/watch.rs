//! Ends the worker when nobody waits for its answer any more, also in the middle of a compile.
//!
//! `PR_SET_PDEATHSIG` would not do: it counts the *thread* that started the worker as the parent, and threads
//! that compile come and go while the worker is kept for the next one.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Barrier};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{PidfdFlags, getppid, pidfd_open};

/// Starts the thread that watches the socket, and the process that started this one. It runs on return.
pub(crate) fn start(socket: &UnixStream) -> io::Result<()> {
    let socket = socket.try_clone()?;
    // The socket alone does not tell while a child that the parent forked still holds its end.
    let parent = getppid().and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    let runs = Arc::new(Barrier::new(2));
    let run = Arc::clone(&runs);
    let watch = move || {
        run.wait();
        watch(&socket, parent.as_ref());
    };
    std::thread::Builder::new().name("watch".into()).stack_size(64 << 10).spawn(watch)?;
    // A thread sets itself up with system calls that the sandbox takes away.
    runs.wait();
    Ok(())
}

fn watch(socket: &UnixStream, parent: Option<&OwnedFd>) {
    loop {
        let on_socket = PollFd::new(socket, PollFlags::RDHUP);
        let on_parent = parent.map(|fd| PollFd::new(fd, PollFlags::IN));
        let mut all: Vec<_> = [on_socket].into_iter().chain(on_parent).collect();
        match poll(&mut all, None) {
            Ok(_) if all.iter().any(|fd| !fd.revents().is_empty()) => break,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    // SAFETY: ends the process at once, without handlers: the main thread is inside LLVM and must not meet
    // LLVM's own destructors.
    unsafe { libc::_exit(0) }
}
