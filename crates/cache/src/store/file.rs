//! Entries in a directory, shared by any number of processes.
//!
//! ```text
//! DIR/CACHEDIR.TAG                      tells backup tools that all of this can be made again
//! DIR/ab/ab12...-....-....-....         an entry; its folder is the first byte of its name
//! DIR/ab/.new-PID-N-NANOS               an entry being written; its writer holds a lock on it
//! ```
//!
//! An entry is written beside its place and moved there, so that a reader finds the whole of it or none. Nothing is
//! flushed to the disk itself: after a loss of power an entry may be cut short, which its checksum tells. The time
//! of a file's last change is the time of its last use; the longest unused goes first.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use super::files::{Disk, Files};
use super::scan::Scan;
use super::{Listed, Store, StoreError};
use crate::{Name, Part};

/// 1 GiB.
const DEFAULT_LIMIT: u64 = 1 << 30;

/// After so many writes the directory is looked through, however little this process wrote: others write, too.
const WRITES_BETWEEN_SCANS: u64 = 64;

const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n\
    # Compiled programs of Oarlock. Everything here can be deleted at any time, and is made again.\n";

/// Entries as files of a directory.
///
/// # Examples
/// ```
/// use oarlock_cache::{FileStore, Recipe, Store, Digest};
/// # let temp = tempfile::tempdir().unwrap();
/// # let dir = temp.path().join("cache");
/// let store = FileStore::open(&dir)?;
/// let content = Digest::of(b"program");
/// let name = Recipe { content, triple: "t", cpu: "c", features: "", options: "", compiler: "l" }.name();
/// store.write(&name, b"entry")?;
/// assert_eq!(FileStore::open(&dir)?.read(&name)?.as_deref(), Some(&b"entry"[..]));
/// # Ok::<(), oarlock_cache::StoreError>(())
/// ```
pub struct FileStore {
    dir: PathBuf,
    limit: u64,
    files: Box<dyn Files>,
    now: fn() -> SystemTime,
    serial: AtomicU64,
    books: Mutex<Books>,
}

/// What this process believes the directory to hold.
#[derive(Default)]
struct Books {
    /// `None` before the first scan.
    bytes: Option<u64>,
    writes: u64,
}

/// How a [`FileStore`] is opened. Made by [`FileStore::builder`].
pub struct FileStoreBuilder {
    dir: PathBuf,
    limit: u64,
    files: Box<dyn Files>,
    now: fn() -> SystemTime,
}

impl FileStoreBuilder {
    /// How many bytes of entries there may be, all processes together. By default 1 GiB. A process may find
    /// out late what others wrote; then there is a little more for a while.
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    #[cfg(test)]
    pub(crate) fn files(mut self, files: impl Files) -> Self {
        self.files = Box::new(files);
        self
    }

    #[cfg(test)]
    pub(crate) fn clock(mut self, now: fn() -> SystemTime) -> Self {
        self.now = now;
        self
    }

    /// Opens the directory; makes it, for this user alone, where it is not there.
    ///
    /// What killed processes left half written is removed.
    ///
    /// # Errors
    /// [`StoreError::File`] where it cannot be made or read; [`StoreError::Untrusted`] where others can write to it.
    pub fn open(self) -> Result<FileStore, StoreError> {
        let Self { dir, limit, files, now } = self;
        if let Err(e) = files.make_folder(&dir) {
            return Err(file_error("make", &dir, &e));
        }
        let (owner, mode) = files.owner_and_mode(&dir).map_err(|e| file_error("read", &dir, &e))?;
        let me = rustix::process::geteuid().as_raw();
        let untrusted = |reason: String| Err(StoreError::Untrusted { path: dir.clone(), reason });
        if owner != me && owner != 0 {
            return untrusted(format!("belongs to user {owner}, and this is user {me}"));
        }
        if mode & 0o002 != 0 {
            return untrusted(format!("can be written by everyone (mode {:o})", mode & 0o7777));
        }
        let store = FileStore { dir, limit, files, now, serial: AtomicU64::new(0), books: Mutex::default() };
        store.tag();
        store.scan()?.remove_strays((store.now)());
        Ok(store)
    }
}

impl FileStore {
    /// Opens `dir` with the usual limit of 1 GiB.
    ///
    /// # Errors
    /// As [`FileStoreBuilder::open`].
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::builder(dir).open()
    }

    /// A store in `dir`, made to measure.
    pub fn builder(dir: impl AsRef<Path>) -> FileStoreBuilder {
        FileStoreBuilder {
            dir: dir.as_ref().to_owned(),
            limit: DEFAULT_LIMIT,
            files: Box::new(Disk),
            now: SystemTime::now,
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many bytes of entries there may be.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// All entries, the longest unused first.
    ///
    /// # Errors
    /// [`StoreError::File`] where the directory cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        Ok(self.scan()?.entries())
    }

    /// Removes the entry `name`. Returns whether it was there.
    ///
    /// # Errors
    /// [`StoreError::File`] where it cannot be removed.
    pub fn remove(&self, name: &Name) -> Result<bool, StoreError> {
        let path = self.path(name);
        match self.files.remove(&path) {
            Ok(()) => {
                self.books.lock().bytes = None;
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(file_error("remove", &path, &e)),
        }
    }

    fn path(&self, name: &Name) -> PathBuf {
        self.folder(name).join(name.to_string())
    }

    fn folder(&self, name: &Name) -> PathBuf {
        self.dir.join(format!("{:02x}", name.shard()))
    }

    fn scan(&self) -> Result<Scan<'_>, StoreError> {
        Scan::new(&*self.files, &self.dir).map_err(|e| file_error("list", &self.dir, &e))
    }

    /// A name that no other writer uses.
    fn temporary(&self, folder: &Path) -> PathBuf {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        let serial = self.serial.fetch_add(1, Relaxed);
        folder.join(format!("{}{}-{serial}-{nanos}", Scan::NEW, process::id()))
    }

    fn publish(&self, folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.temporary(folder);
        let published = self.files.publish(&temporary, path, bytes, (self.now)());
        if published.is_err() {
            // It may never have been there.
            let _ = self.files.remove(&temporary);
        }
        published
    }

    /// Keeps the books after a write, and evicts where they say that there is too much. Returns how many went.
    fn keep_within_limit(&self, written: u64) -> u64 {
        let mut books = self.books.lock();
        books.writes += 1;
        let believed = books.bytes.map(|bytes| bytes.saturating_add(written));
        books.bytes = believed;
        let due = books.writes.is_multiple_of(WRITES_BETWEEN_SCANS);
        if !due && believed.is_some_and(|bytes| bytes <= self.limit) {
            return 0;
        }
        let Ok(scan) = self.scan() else { return 0 };
        scan.remove_strays((self.now)());
        let (left, evicted) = scan.evict(self.limit);
        books.bytes = Some(left);
        evicted
    }

    /// Marks the directory, once.
    fn tag(&self) {
        let path = self.dir.join(TAG);
        if self.files.owner_and_mode(&path).is_err() {
            // Nothing but backups depends on it.
            let _ = self.publish(&self.dir, &path, TAG_TEXT);
        }
    }
}

impl Store for FileStore {
    fn read(&self, name: &Name) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name);
        match self.files.read(&path, self.limit, (self.now)()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::FileTooLarge) => Ok(None),
            Err(e) => Err(file_error("read", &path, &e)),
        }
    }

    fn write(&self, name: &Name, bytes: &[u8]) -> Result<u64, StoreError> {
        if bytes.len() as u64 > self.limit {
            // It would push all others out and then go itself.
            return Ok(0);
        }
        let (folder, path) = (self.folder(name), self.path(name));
        let mut published = self.publish(&folder, &path, bytes);
        if matches!(&published, Err(e) if e.kind() == io::ErrorKind::NotFound) {
            // No folder yet; or a cleaner took the new file, in the moment before it was locked.
            self.files.make_folder(&folder).map_err(|e| file_error("make", &folder, &e))?;
            published = self.publish(&folder, &path, bytes);
        }
        published.map_err(|e| file_error("write", &path, &e))?;
        Ok(self.keep_within_limit(bytes.len() as u64))
    }

    fn difference(&self, name: &Name) -> Option<Part> {
        let names = self.files.names(&self.folder(name)).ok()?;
        names.iter().filter_map(|other| name.difference(&Name::parse(other)?)).max()
    }
}

pub(super) fn file_error(verb: &'static str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::File { verb, path: path.to_owned(), reason: error.to_string(), kind: error.kind() }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore")
            .field("dir", &self.dir)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
