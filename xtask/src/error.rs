//! What can go wrong, and what to do about it.

use std::io;
use std::path::PathBuf;

/// Why a command of this crate failed. Every text says what to do where that is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// A program could not be started at all.
    #[error("cannot start `{program}` ({source}): is it installed and on the PATH?")]
    Start { program: String, source: io::Error },
    /// A program ran and said no.
    #[error("`{command}` failed with {status}{}", if output.is_empty() { String::new() } else { format!(":\n{output}") })]
    Failed { command: String, status: String, output: String },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A program printed something that is not what its format says.
    #[error("cannot understand what {what} printed: {reason}")]
    Output { what: String, reason: String },
    /// A name on the command line that is none of ours.
    #[error("there is no {kind} named '{name}'; there are: {known}")]
    Unknown { kind: &'static str, name: String, known: String },
    /// This machine cannot be set up by this command.
    #[error("{0}")]
    Setup(String),
    /// Source checks found something.
    #[error("{count} problem(s) in the sources, listed above")]
    Tidy { count: usize },
    /// A check of kernels or headers found something.
    #[error("{0}")]
    Check(String),
    /// Benchmarks ran, and something is wrong with what they computed.
    #[error("{0}")]
    Bench(String),
    /// Steps of `ci` failed.
    #[error("failed: {0}")]
    Steps(String),
}

/// The result of everything here.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Reads a file, naming it in the error.
pub(crate) fn read(path: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_path_buf(), source })
}

/// Writes a file, making its folder, naming it in the error.
pub(crate) fn write(path: &std::path::Path, text: &str) -> Result<()> {
    let fail = |source| Error::File { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    std::fs::write(path, text).map_err(fail)
}
