//! Where the command compiles: in a worker, which is this same executable, or in its own process.

use oarlock::worker::{Client, Config, Program};
use oarlock::{Compiler, Emit, Error, Image, Isolation, ModuleInfo, Options, Target};

use crate::error::Failure;

const VARIABLE: &str = "OARLOCK_ISOLATION";

/// Says that this executable is its own worker.
pub(crate) fn workers() -> Config {
    Config::default().program(Program::ThisExecutable)
}

/// Where to compile: what the command line says, else what the environment says, else in a worker.
pub(crate) fn choose(option: Option<Isolation>) -> Result<Isolation, Failure> {
    let Some(named) = std::env::var_os(VARIABLE).filter(|_| option.is_none()) else {
        return Ok(option.unwrap_or(Isolation::Worker));
    };
    let named = named.to_string_lossy();
    named.parse().map_err(|error| Failure::Usage(format!("{VARIABLE}: {error}")))
}

/// The compiler, wherever it is.
pub(crate) enum Backend {
    Here(Compiler),
    There(Client),
}

impl Backend {
    pub(crate) fn new(isolation: Isolation) -> Self {
        match isolation {
            Isolation::InProcess => Self::Here(Compiler::new()),
            _ => Self::There(Client::new(workers())),
        }
    }

    pub(crate) fn compile(&self, bytes: &[u8], target: &Target, options: &Options) -> Result<Image, Error> {
        match self {
            Self::Here(compiler) => Ok(compiler.compile(bytes, target, options)?),
            Self::There(client) => Ok(client.compile(bytes, target, options)?),
        }
    }

    pub(crate) fn emit(
        &self,
        bytes: &[u8],
        target: &Target,
        options: &Options,
        what: Emit,
    ) -> Result<String, Error> {
        match self {
            Self::Here(compiler) => Ok(compiler.emit(bytes, target, options, what)?),
            Self::There(client) => Ok(client.emit(bytes, target, options, what)?),
        }
    }

    pub(crate) fn inspect(&self, bytes: &[u8]) -> Result<ModuleInfo, Error> {
        match self {
            Self::Here(compiler) => Ok(compiler.inspect(bytes)?),
            Self::There(client) => Ok(client.inspect(bytes)?),
        }
    }
}
