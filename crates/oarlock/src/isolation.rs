//! Where programs are compiled: in this process, or in one that may die of them.

use std::str::FromStr;

use oarlock_codegen::{Compiler, Options};
use oarlock_image::{Image, Target};
use oarlock_worker::{Client, Config};

use crate::{Builder, Error};

/// Where programs are compiled. The code that comes out is the same, bit for bit.
///
/// LLVM's readers were not written for hostile input: damaged bitcode can end the process that reads it, and
/// some valid IR takes all of its time or memory. Whoever makes the bytes himself need not care; whoever takes
/// them from elsewhere compiles in a worker:
///
/// ```
/// use oarlock::{Error, Isolation, Runtime};
/// let runtime = Runtime::builder().isolation(Isolation::Worker).build()?;
/// # Ok::<(), Error>(())
/// ```
///
/// Its name, as `OARLOCK_ISOLATION` has it: `in-process` or `worker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Isolation {
    /// In this process: what LLVM dies of, this process dies of. Nothing has to be found or started.
    #[default]
    InProcess,
    /// In worker processes, with limits on memory and time, that can neither open files nor sockets. One that
    /// dies is an [`Error::Worker`], and the next program gets a new one.
    Worker,
}

/// The name is none of `in-process` and `worker`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("isolation is `in-process` or `worker`; got `{0}`")]
pub struct UnknownIsolation(String);

impl FromStr for Isolation {
    type Err = UnknownIsolation;

    fn from_str(name: &str) -> Result<Self, UnknownIsolation> {
        match name {
            "in-process" => Ok(Self::InProcess),
            "worker" => Ok(Self::Worker),
            other => Err(UnknownIsolation(other.to_owned())),
        }
    }
}

impl Builder {
    /// Where programs are compiled. By default in this process, because whoever embeds the library has made
    /// the bytes, more often than not.
    #[must_use]
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Which program the workers are, how many there may be, and what they may take. By default
    /// `oarlock-worker`, found beside this process's executable or on `PATH`, one for each processor.
    /// Says nothing without [`Isolation::Worker`].
    #[must_use]
    pub fn workers(mut self, config: Config) -> Self {
        self.workers = config;
        self
    }
}

/// The compiler, wherever it is.
pub(crate) enum Backend {
    Here(Compiler),
    There(Client),
}

impl Backend {
    pub(crate) fn new(isolation: Isolation, workers: Config) -> Self {
        match isolation {
            Isolation::InProcess => Self::Here(Compiler::new()),
            Isolation::Worker => Self::There(Client::new(workers)),
        }
    }

    pub(crate) fn compile(&self, bytes: &[u8], target: &Target, options: &Options) -> Result<Image, Error> {
        match self {
            Self::Here(compiler) => Ok(compiler.compile(bytes, target, options)?),
            Self::There(client) => Ok(client.compile(bytes, target, options)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Isolation;

    #[test]
    fn names_are_read_and_others_are_told() {
        assert_eq!("worker".parse(), Ok(Isolation::Worker));
        assert_eq!("in-process".parse(), Ok(Isolation::InProcess));
        let error = "Worker".parse::<Isolation>().unwrap_err().to_string();
        assert!(error.contains("`in-process`") && error.contains("`Worker`"), "{error}");
    }
}
