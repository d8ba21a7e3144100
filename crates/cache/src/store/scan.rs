//! A look through a whole directory: what is there, what was left behind, what has to go.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::Listed;
use super::files::Files;
use crate::Name;

/// A file that nobody has a lock on, on a file system without locks, was left behind when it is as old as this.
const STRAY_AGE: Duration = Duration::from_secs(3600);

/// What a directory held when it was looked through.
pub(super) struct Scan<'f> {
    files: &'f dyn Files,
    entries: Vec<Listed>,
    strays: Vec<(PathBuf, SystemTime)>,
}

impl<'f> Scan<'f> {
    /// How the name of a file begins that is being written.
    pub(super) const NEW: &'static str = ".new-";

    pub(super) fn new(files: &'f dyn Files, dir: &Path) -> io::Result<Self> {
        let mut scan = Self { files, entries: Vec::new(), strays: Vec::new() };
        let is_shard = |name: &String| name.len() == 2 && u8::from_str_radix(name, 16).is_ok();
        let names = files.names(dir)?;
        for file in names.iter().filter(|name| name.starts_with(Self::NEW)) {
            scan.strays.push((dir.join(file), SystemTime::UNIX_EPOCH));
        }
        for shard in names.into_iter().filter(is_shard) {
            scan.shard(&dir.join(shard));
        }
        scan.entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        Ok(scan)
    }

    fn shard(&mut self, folder: &Path) {
        // A folder that cannot be read holds nothing for us.
        for file in self.files.list(folder).unwrap_or_default() {
            let path = folder.join(&file.name);
            if let Some(name) = Name::parse(&file.name) {
                self.entries.push(Listed { name, path, bytes: file.bytes, used: file.modified });
            } else if file.name.starts_with(Self::NEW) {
                self.strays.push((path, file.modified));
            }
        }
    }

    pub(super) fn entries(self) -> Vec<Listed> {
        self.entries
    }

    /// Removes what processes left behind that were killed while they wrote.
    pub(super) fn remove_strays(&self, now: SystemTime) {
        for (path, modified) in &self.strays {
            let old = now.duration_since(*modified).is_ok_and(|age| age > STRAY_AGE);
            if old || self.files.is_abandoned(path) {
                let removed = self.files.remove(path).is_ok();
                tracing::debug!(target: "oarlock::cache", file = %path.display(), removed, "half-written entry");
            }
        }
    }

    /// Removes entries, the longest unused first, until at most `limit` bytes are left. Returns how many bytes are
    /// left, and how many entries went.
    ///
    /// A little more goes than has to, so that the next write does not have to look through everything again.
    pub(super) fn evict(&self, limit: u64) -> (u64, u64) {
        let mut left = self.entries.iter().map(|e| e.bytes).sum::<u64>();
        let mut evicted = 0;
        if left <= limit {
            return (left, evicted);
        }
        let goal = limit - limit / 16;
        for entry in &self.entries {
            if left <= goal {
                break;
            }
            match self.files.remove(&entry.path) {
                Ok(()) => evicted += 1,
                // Another process was quicker.
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(_) => continue,
            }
            left -= entry.bytes;
        }
        tracing::debug!(target: "oarlock::cache", evicted, left, limit, "store: evict");
        (left, evicted)
    }
}
