//! Where entries outlive the process.

mod file;
mod files;
mod scan;
#[cfg(test)]
mod tests;

pub use file::{FileStore, FileStoreBuilder};

use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::{Name, Part};

/// A place for entries that outlive the process: a directory, a server.
///
/// A store keeps bytes by name, and promises nothing: what was written may be gone, cut short or changed when it
/// is asked for. Every entry is checked before it is used, and every failure is a miss.
///
/// Calls may come from any thread, many at a time, and other processes may use the same place. A reader must never
/// be kept waiting for long: whoever asks wants to compile instead.
pub trait Store: Send + Sync + fmt::Debug {
    /// The bytes under `name`, if there are any.
    ///
    /// # Errors
    /// [`StoreError`] where the place cannot be read.
    fn read(&self, name: &Name) -> Result<Option<Vec<u8>>, StoreError>;

    /// Puts `bytes` under `name`, in the place of what is there. Readers see the old bytes or the new ones.
    /// Returns how many entries went to make room.
    ///
    /// # Errors
    /// [`StoreError`] where the place cannot be written.
    fn write(&self, name: &Name, bytes: &[u8]) -> Result<u64, StoreError>;

    /// In what an entry of the same program differs from `name`, where that can be told without much work.
    fn difference(&self, name: &Name) -> Option<Part> {
        let _ = name;
        None
    }
}

/// What is wrong with a store. The cache warns, goes on without it, and tries again after a while.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file or folder could not be read or written.
    #[error(
        "cannot {verb} `{}`: {reason}; the cache goes on without it, give it a folder that can be written",
        path.display()
    )]
    File {
        /// What was tried: `read`, `write`, `make`, `list`.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
        /// The kind of it.
        kind: std::io::ErrorKind,
    },
    /// Other users can put files into the folder, and with them code into this process.
    #[error(
        "the cache folder `{}` {reason}, and code is loaded from it; give it a folder of your own, with mode 700",
        path.display()
    )]
    Untrusted {
        /// The folder.
        path: PathBuf,
        /// Who else can write to it.
        reason: String,
    },
    /// A server failed or took too long.
    #[error("the cache's server failed to {verb}: {reason}; the cache goes on without it for a while")]
    Remote {
        /// What was tried: `read`, `write`, `connect`.
        verb: &'static str,
        /// What went wrong.
        reason: String,
    },
}

/// What a [`FileStore`] holds of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The entry's name.
    pub name: Name,
    /// Its file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was last used.
    pub used: SystemTime,
}
