//! Why a command failed, and the exit code that says so.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::ClangError;

/// The exit codes, as `--help` prints them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the work failed: a file, the compiler, the device or the kernel's arguments
  2  the command line makes no sense; nothing was done
  3  a demo computed something wrong";

/// Why a command failed. Every text says what was expected, what came, and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line makes no sense, and clap could not tell.
    #[error("{0}")]
    Usage(String),
    /// A file could not be read or written.
    #[error("cannot {verb} `{}`: {source}", path.display())]
    File { verb: &'static str, path: PathBuf, source: io::Error },
    /// A file holds something else than what is wanted.
    #[error("`{}`: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    /// The program was refused, or ended the worker that compiled it.
    #[error("`{program}`: {source}")]
    Program { program: String, source: Box<oarlock::Error> },
    /// A source could not be made into bitcode.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// The arguments do not fit the kernel.
    #[error("{0}")]
    Arguments(String),
    /// The runtime refused something else.
    #[error(transparent)]
    Runtime(#[from] oarlock::Error),
    /// A demo computed something wrong.
    #[error("{0}")]
    Wrong(String),
    /// The directory of compiled programs cannot be used.
    #[error(transparent)]
    Store(#[from] oarlock::store::StoreError),
    /// The directory of compiled programs is not as it should be.
    #[error("{0}")]
    Cache(String),
    /// Standard output, written to by every command.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

impl Failure {
    /// A closure for `map_err` on what is done with `path`.
    pub(crate) fn file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { verb, path, source }
    }

    /// The process's exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Wrong(_) => 3,
            // Whoever read our output has seen enough, as `head` does.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_help() {
        let output = |kind: io::ErrorKind| Failure::Output(kind.into()).exit_code();
        assert_eq!(Failure::Usage(String::new()).exit_code(), 2);
        assert_eq!(Failure::Wrong(String::new()).exit_code(), 3);
        assert_eq!(Failure::Arguments(String::new()).exit_code(), 1);
        assert_eq!(output(io::ErrorKind::StorageFull), 1);
        assert_eq!(output(io::ErrorKind::BrokenPipe), 0);
    }
}
