//! One worker as its parent sees it: started, asked, buried.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use oarlock_codegen::Compiler;
use rustix::fs::MemfdFlags;

use crate::find::{Found, unavailable};
use crate::protocol::{self, Kind};
use crate::server::{ASKED, greeting};
use crate::{Clock, Limits, WorkerError};

/// A worker may take so long until it is ready.
const START: Duration = Duration::from_secs(30);
/// So much of what a dead worker wrote to its standard error is kept.
const KEPT_WORDS: u64 = 2048;

/// A worker that is ready. Dropping it ends and reaps it.
pub(crate) struct Worker {
    child: Child,
    socket: UnixStream,
    /// What the worker sees as its standard error: a file in memory, so that writing to it never waits.
    words: File,
    /// The process that started it. In a child that was forked from it, the worker is not ours.
    owner: u32,
    /// Requests that it has answered.
    pub(crate) answered: u32,
}

/// What a worker answered.
pub(crate) enum Answer {
    /// What was made, as bytes.
    Done(Vec<u8>),
    /// Why nothing was made, as bytes.
    Refused(Vec<u8>),
}

/// Why there is no answer.
pub(crate) enum Gone {
    /// The worker was dead before it took the request: another one may be asked.
    Before,
    /// It died, or was ended, of the request.
    During(WorkerError),
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub(crate) fn start(found: &Found) -> Result<Self, WorkerError> {
        let path = found.file.display();
        let no = |what: &str, error: io::Error| unavailable(format!("`{path}` {what}: {error}"));
        let (ours, theirs) = UnixStream::pair().map_err(|e| no("has no socket", e))?;
        let words = rustix::fs::memfd_create("oarlock-worker", MemfdFlags::CLOEXEC)
            .map_err(|e| no("has no standard error", e.into()))?;
        let their_words = words.try_clone().map_err(|e| no("has no standard error", e))?;
        let mut command = Command::new(&found.file);
        if found.ask {
            command.arg(ASKED);
        }
        // Nothing of the environment but where the libraries lie. The C library's last words go to standard
        // error and not to a terminal.
        command.arg0("oarlock-worker").env_clear().env("LIBC_FATAL_STDERR_", "1");
        if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(their_words);
        let child = command.spawn().map_err(|e| no("does not start", e))?;
        // The other end of the socket, with its only copy in this process.
        drop(command);
        tracing::debug!(target: "oarlock::worker", pid = child.id(), "start");
        let mut worker =
            Self { child, socket: ours, words: words.into(), owner: std::process::id(), answered: 0 };
        worker.greet(found)?;
        Ok(worker)
    }

    fn greet(&mut self, found: &Found) -> Result<(), WorkerError> {
        let path = found.file.display();
        let wanted = greeting(&Compiler::new());
        let frame = protocol::receive(&mut self.timed(Instant::now() + START), 4096);
        match frame {
            Ok(Some((Kind::Hello, said))) if said == wanted.as_bytes() => Ok(()),
            Ok(Some((Kind::Hello, said))) => Err(unavailable(format!(
                "`{path}` is of another version: it is `{}`, this library is `{wanted}`",
                clean(&said)
            ))),
            Ok(Some((Kind::Broken, why))) => {
                Err(unavailable(format!("`{path}` cannot work here: {}", clean(&why))))
            }
            Ok(Some(_)) => Err(unavailable(format!("`{path}` does not greet as a worker does"))),
            Ok(None) | Err(_) => {
                let (status, said) = self.bury();
                let status = status.map_or("ended".into(), |s| s.to_string());
                Err(unavailable(format!("`{path}` did not become ready ({status}) {said}")))
            }
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// True in the process that started the worker.
    pub(crate) fn is_ours(&self) -> bool {
        self.owner == std::process::id()
    }

    /// Sends a request and waits for its answer, or for the end of its time.
    pub(crate) fn ask(&mut self, head: &[u8], program: &[u8], limits: &Limits) -> Result<Answer, Gone> {
        self.forget_words();
        let until = Instant::now() + limits.wall;
        let mut phase = "";
        // The steps show in the asker's trace as they do where it compiles by itself.
        let mut _span = None;
        if let Err(error) = protocol::send(&mut self.timed(until), Kind::Request, head, program) {
            return Err(self.end(error, "receive", limits, phase.is_empty()));
        }
        loop {
            let frame = protocol::receive(&mut self.timed(until), protocol::MOST_ANSWER);
            match frame {
                Ok(Some((Kind::Phase, name))) => {
                    phase = known_phase(&name);
                    _span = None;
                    _span = Some(tracing::debug_span!(target: "oarlock::worker", "phase", phase).entered());
                }
                Ok(Some((Kind::Done, bytes))) => {
                    self.answered += 1;
                    return Ok(Answer::Done(bytes));
                }
                Ok(Some((Kind::Refused, bytes))) => {
                    self.answered += 1;
                    return Ok(Answer::Refused(bytes));
                }
                Ok(Some(_)) => {
                    return Err(self.end(io::ErrorKind::InvalidData.into(), phase, limits, false));
                }
                Ok(None) => {
                    return Err(self.end(
                        io::ErrorKind::UnexpectedEof.into(),
                        phase,
                        limits,
                        phase.is_empty(),
                    ));
                }
                Err(error) => return Err(self.end(error, phase, limits, phase.is_empty())),
            }
        }
    }

    /// Ends the worker and says what became of it.
    fn end(&mut self, error: io::Error, phase: &'static str, limits: &Limits, before: bool) -> Gone {
        let late = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut);
        let (status, said) = self.bury();
        let phase = if phase.is_empty() { "receive" } else { phase };
        let signal = status.and_then(|s| s.signal());
        tracing::debug!(target: "oarlock::worker", pid = self.id(), ?signal, phase, late, "death");
        if late {
            return Gone::During(WorkerError::CompilerTimedOut {
                limit: limits.wall,
                clock: Clock::Wall,
                phase,
                said,
            });
        }
        if before && self.answered > 0 {
            return Gone::Before;
        }
        Gone::During(if signal == Some(libc::SIGXCPU) {
            WorkerError::CompilerTimedOut { limit: limits.cpu, clock: Clock::Cpu, phase, said }
        } else if says_out_of_memory(&said) {
            WorkerError::CompilerOutOfMemory { limit: limits.memory, phase, said }
        } else {
            WorkerError::CompilerCrashed { signal, phase, said }
        })
    }

    /// Waits for the worker's end, after ending it if it has not come to that itself, and reads its last words.
    fn bury(&mut self) -> (Option<ExitStatus>, String) {
        // One that closed its socket is on its way out, with a status that says more than our signal would.
        let patience = Instant::now() + Duration::from_millis(50);
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < patience => std::thread::sleep(Duration::from_micros(500)),
                Ok(None) => {
                    let _ = self.child.kill();
                    break self.child.wait().ok();
                }
                // The embedder reaps all children itself: nobody knows.
                Err(_) => break None,
            }
        };
        (status, self.last_words())
    }

    fn last_words(&self) -> String {
        let len = self.words.metadata().map_or(0, |m| m.len());
        let start = len.saturating_sub(KEPT_WORDS);
        let mut tail = vec![0; (len - start) as usize];
        let got = self.words.read_at(&mut tail, start).unwrap_or(0);
        clean(&tail[..got])
    }

    fn forget_words(&mut self) {
        if self.words.metadata().is_ok_and(|m| m.len() > 0) {
            // The worker writes at the end of the file, wherever that is.
            let _ = self.words.set_len(0);
            let _ = io::Seek::rewind(&mut &self.words);
        }
    }

    fn timed(&self, until: Instant) -> Timed<'_> {
        Timed { socket: &self.socket, until }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.is_ours() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The socket, until a moment. After it, every call fails with `TimedOut` or `WouldBlock`.
struct Timed<'a> {
    socket: &'a UnixStream,
    until: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.socket.set_read_timeout(self.left()?)?;
        self.socket.read(into)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.socket.set_write_timeout(self.left()?)?;
        self.socket.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn known_phase(name: &[u8]) -> &'static str {
    ["receive", "parse", "lower", "optimise", "emit", "answer"]
        .into_iter()
        .find(|known| known.as_bytes() == name)
        .unwrap_or("unknown")
}

/// What allocators say at their end: LLVM's, the C++ library's, Rust's.
fn says_out_of_memory(said: &str) -> bool {
    ["out of memory", "bad_alloc", "memory allocation of", "Allocation failed", "length_error"]
        .iter()
        .any(|sign| said.contains(sign))
}

/// Bytes from a worker as text that a terminal can be shown.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let joined = lines.collect::<Vec<_>>().join("; ");
    joined.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
