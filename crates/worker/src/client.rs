//! The compiler's calls, answered by workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oarlock_codegen::{Compiler, Emit, Image, ModuleInfo, Options, Target, check_bytes};

use crate::pool::Pool;
use crate::process::{Answer, Gone};
use crate::protocol::{Task, decode_info, decode_refusal, request_head};
use crate::quarantine::{Key, Quarantine};
use crate::{Config, Limits, WorkerError};

/// Asks workers to compile. Cloning is cheap and gives another asker of the same workers; any number of threads
/// may ask at once, and as many are answered at a time as there may be workers.
///
/// No worker is started before the first request. Workers that are idle wait; all end with the last clone, and
/// with this process, however it ends.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    limits: Limits,
    pool: Pool,
    quarantine: Quarantine,
    requests: AtomicU64,
    deaths: AtomicU64,
}

/// What a [`Client`] has done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientStats {
    /// Requests, answered without a worker or with one.
    pub requests: u64,
    /// Workers that were started.
    pub started: u64,
    /// Workers that died of a request, or were ended for it.
    pub deaths: u64,
    /// Workers that there are.
    pub live: usize,
    /// The process numbers of those that wait for work.
    pub idle: Vec<u32>,
}

impl Client {
    /// A client; nothing is started yet.
    pub fn new(config: Config) -> Self {
        let shared = Shared {
            limits: config.limits,
            pool: Pool::new(&config),
            quarantine: Quarantine::new(config.quarantine),
            requests: AtomicU64::new(0),
            deaths: AtomicU64::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Compiles a program, as [`Compiler::compile`] does: with the same result, bit for bit.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn compile(&self, bytes: &[u8], target: &Target, options: &Options) -> Result<Image, WorkerError> {
        self.ask(Task::Compile, bytes, target, options, |made| {
            Image::from_bytes(&made).ok().filter(|image| image.target == *target)
        })
    }

    /// Compiles a program to text, as [`Compiler::emit`] does.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn emit(
        &self,
        bytes: &[u8],
        target: &Target,
        options: &Options,
        what: Emit,
    ) -> Result<String, WorkerError> {
        self.ask(Task::Emit(what), bytes, target, options, |made| String::from_utf8(made).ok())
    }

    /// Tells what is in a program, as [`Compiler::inspect`] does.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn inspect(&self, bytes: &[u8]) -> Result<ModuleInfo, WorkerError> {
        let target = Compiler::new().host_target();
        self.ask(Task::Inspect, bytes, &target, &Options::default(), |made| decode_info(&made))
    }

    /// What this client has done.
    pub fn stats(&self) -> ClientStats {
        let shared = &*self.shared;
        ClientStats {
            requests: shared.requests.load(Relaxed),
            started: shared.pool.started.load(Relaxed),
            deaths: shared.deaths.load(Relaxed),
            live: shared.pool.live(),
            idle: shared.pool.idle(),
        }
    }

    fn ask<T>(
        &self,
        task: Task,
        bytes: &[u8],
        target: &Target,
        options: &Options,
        read: impl Fn(Vec<u8>) -> Option<T>,
    ) -> Result<T, WorkerError> {
        let shared = &*self.shared;
        shared.requests.fetch_add(1, Relaxed);
        // What can be told without LLVM needs no worker.
        check_bytes(bytes)?;
        let head = request_head(task, target, options, &shared.limits);
        let key = || key(&head, bytes);
        shared.quarantine.check(&key)?;
        let answered = self.answer(&head, bytes, &read);
        if let Err(error) = &answered
            && error.blames_the_program()
        {
            shared.quarantine.add(key(), error);
        }
        answered
    }

    fn answer<T>(
        &self,
        head: &[u8],
        bytes: &[u8],
        read: &dyn Fn(Vec<u8>) -> Option<T>,
    ) -> Result<T, WorkerError> {
        let shared = &*self.shared;
        let mut lease = shared.pool.take()?;
        let asked = match lease.worker()?.ask(head, bytes, &shared.limits) {
            // It was found dead; a new one has no such excuse.
            Err(Gone::Before) => {
                lease.renew()?;
                lease.worker()?.ask(head, bytes, &shared.limits)
            }
            other => other,
        };
        let read = match asked {
            Ok(Answer::Done(made)) => read(made).map(Ok),
            Ok(Answer::Refused(why)) => decode_refusal(&why).map(|error| Err(error.into())),
            Err(Gone::Before) => Some(Err(nonsense("receive", "it ended before it took the program"))),
            Err(Gone::During(error)) => {
                shared.deaths.fetch_add(1, Relaxed);
                return Err(error);
            }
        };
        match read {
            Some(answer) => {
                lease.back();
                answer
            }
            // A worker that the program has taken over can answer anything. It is not asked again.
            None => {
                shared.deaths.fetch_add(1, Relaxed);
                Err(nonsense("answer", "its answer is not what was asked for; it was ended"))
            }
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

fn nonsense(phase: &'static str, said: &str) -> WorkerError {
    WorkerError::CompilerCrashed { signal: None, phase, said: said.into() }
}

fn key(head: &[u8], bytes: &[u8]) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(head.len() as u64).to_le_bytes()).update(head).update(bytes);
    *hasher.finalize().as_bytes()
}
