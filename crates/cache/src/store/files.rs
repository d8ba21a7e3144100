//! The few things that a store asks of a file system, behind a trait, so that tests can let each of them fail.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::SystemTime;

/// A file in a folder.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) modified: SystemTime,
}

/// A file system.
pub(crate) trait Files: Send + Sync + 'static {
    /// The whole file, where it has at most `most` bytes; marked as used at `now`.
    fn read(&self, path: &Path, most: u64, now: SystemTime) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        if bytes > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut all = Vec::with_capacity(bytes as usize);
        (&file).take(most).read_to_end(&mut all)?;
        // Only the order of eviction depends on it.
        let _ = file.set_modified(now);
        Ok(all)
    }

    /// Makes a new file, locked while it is written, and moves it to `path`.
    fn publish(&self, temporary: &Path, path: &Path, bytes: &[u8], now: SystemTime) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(temporary)?;
        // Tells a cleaner that the writer lives. Where the file system has no locks, age must tell.
        let _ = file.try_lock();
        self.write_all(&mut file, bytes)?;
        file.set_modified(now)?;
        self.rename(temporary, path)
    }

    fn write_all(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    /// Makes a folder and those above it, for this user alone. It may be there already.
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    /// The names in a folder, files and folders alike.
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// The plain files in a folder. One that goes away meanwhile is left out.
    fn list(&self, path: &Path) -> io::Result<Vec<Found>> {
        let mut found = Vec::new();
        for name in self.names(path)? {
            let Ok(data) = fs::symlink_metadata(path.join(&name)) else { continue };
            if let (true, Ok(modified)) = (data.is_file(), data.modified()) {
                found.push(Found { name, bytes: data.len(), modified });
            }
        }
        Ok(found)
    }

    /// True where nobody writes the file any more: its lock can be had.
    fn is_abandoned(&self, path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Owner and mode of a folder.
    fn owner_and_mode(&self, path: &Path) -> io::Result<(u32, u32)> {
        fs::metadata(path).map(|data| (data.uid(), data.mode()))
    }
}

/// The real one.
pub(crate) struct Disk;

impl Files for Disk {}
