//! The directory on a disk that fails, under a clock of our own.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::files::Files;
use super::{FileStore, Store, StoreError};
use crate::{Digest, Name, Recipe};

/// A second passes with every look at it.
fn ticking() -> SystemTime {
    static SECONDS: AtomicU64 = AtomicU64::new(1_000_000);
    UNIX_EPOCH + Duration::from_secs(SECONDS.fetch_add(1, SeqCst))
}

fn name(n: u32) -> Name {
    let content = Digest::of(&n.to_le_bytes());
    Recipe { content, triple: "t", cpu: "c", features: "", options: "o", compiler: "l" }.name()
}

fn entry(n: u32, bytes: usize) -> Vec<u8> {
    vec![n as u8; bytes]
}

/// All files beneath `dir` but the tag, by name.
fn files_in(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for shard in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if shard.file_type().unwrap().is_dir() {
            let files = fs::read_dir(shard.path()).unwrap();
            names.extend(files.map(|f| f.unwrap().file_name().into_string().unwrap()));
        } else if shard.file_name() != "CACHEDIR.TAG" {
            names.push(shard.file_name().into_string().unwrap());
        }
    }
    names
}

/// A disk on which a step goes wrong: the one whose number `fails` is, counted over all steps that can.
#[derive(Clone)]
struct Faulty {
    left: Arc<AtomicUsize>,
    kind: ErrorKind,
}

impl Faulty {
    /// The `fails`th step fails with `kind`, and all later ones too.
    fn new(fails: usize, kind: ErrorKind) -> Self {
        Self { left: Arc::new(AtomicUsize::new(fails)), kind }
    }

    fn step(&self) -> io::Result<()> {
        let step = |left: usize| left.checked_sub(1);
        self.left.fetch_update(SeqCst, SeqCst, step).map(drop).map_err(|_| self.kind.into())
    }
}

impl Files for Faulty {
    fn write_all(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        self.step().inspect_err(|_| {
            // A full disk takes what still fits.
            let _ = file.write_all(&bytes[..bytes.len() / 2]);
        })?;
        file.write_all(bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir_all(path)
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        self.step()?;
        super::files::Disk.names(path)
    }
}

#[test]
fn the_longest_unused_goes_first_and_reading_is_a_use() {
    let temp = tempfile::tempdir().unwrap();
    let store = FileStore::builder(temp.path()).limit(1000).clock(ticking).open().unwrap();
    for n in 0..10 {
        assert_eq!(store.write(&name(n), &entry(n, 100)), Ok(0));
    }
    assert_eq!(store.read(&name(0)).unwrap(), Some(entry(0, 100)));
    // 1,100 bytes are too many; eviction goes down to 15/16 of the limit.
    assert_eq!(store.write(&name(10), &entry(10, 100)), Ok(2));
    let there: Vec<u32> = (0..=10).filter(|n| store.read(&name(*n)).unwrap().is_some()).collect();
    assert_eq!(there, [0, 3, 4, 5, 6, 7, 8, 9, 10]);
    let listed = store.list().unwrap();
    assert!(listed.is_sorted_by_key(|e| e.used) && listed.len() == 9);
    // One that is larger than all changes nothing.
    assert_eq!(store.write(&name(11), &entry(11, 1001)), Ok(0));
    assert_eq!(store.read(&name(11)), Ok(None));
    assert_eq!(store.list().unwrap().len(), 9);
    assert_eq!((store.remove(&name(10)), store.remove(&name(10))), (Ok(true), Ok(false)));
}

#[test]
fn what_other_processes_wrote_counts_too() {
    let temp = tempfile::tempdir().unwrap();
    let open = || FileStore::builder(temp.path()).limit(1000).clock(ticking).open().unwrap();
    let (a, b) = (open(), open());
    for n in 0..200 {
        let store = if n % 2 == 0 { &a } else { &b };
        store.write(&name(n), &entry(n, 90)).unwrap();
    }
    let total: u64 = a.list().unwrap().iter().map(|e| e.bytes).sum();
    assert!(total <= 2000, "{total} bytes: each writer keeps within the limit what it knows of");
    assert!(open().write(&name(200), &entry(200, 90)).unwrap() > 0 || total <= 1000);
    let total: u64 = a.list().unwrap().iter().map(|e| e.bytes).sum();
    assert!(total <= 1000, "{total}");
}

#[test]
fn whatever_fails_is_an_error_and_leaves_old_entries_and_no_half_ones() {
    for kind in [ErrorKind::StorageFull, ErrorKind::ReadOnlyFilesystem, ErrorKind::PermissionDenied] {
        for fails in 0..12 {
            let temp = tempfile::tempdir().unwrap();
            FileStore::open(temp.path()).unwrap().write(&name(1), &entry(1, 10)).unwrap();
            let faulty = FileStore::builder(temp.path()).limit(1000).files(Faulty::new(fails, kind)).open();
            let store = match faulty {
                Ok(store) => store,
                Err(StoreError::File { kind: came, .. }) => {
                    assert_eq!(came, kind);
                    continue;
                }
                Err(other) => panic!("{other}"),
            };
            let mut written = 0;
            for n in 2..6 {
                match store.write(&name(n), &entry(n, 10)) {
                    Ok(_) => written += 1,
                    Err(StoreError::File { kind: came, .. }) => assert_eq!(came, kind),
                    Err(other) => panic!("{other}"),
                }
            }
            assert_eq!(store.read(&name(1)), Ok(Some(entry(1, 10))));
            let files = files_in(temp.path());
            assert_eq!(files.len(), written + 1, "{kind} at step {fails}: {files:?}");
            for n in 1..6 {
                let found = store.read(&name(n)).unwrap();
                assert!(found.is_none() || found == Some(entry(n, 10)));
            }
        }
    }
}

#[test]
fn what_a_killed_writer_left_goes_and_what_a_live_one_writes_stays() {
    let temp = tempfile::tempdir().unwrap();
    FileStore::open(temp.path()).unwrap().write(&name(1), &entry(1, 10)).unwrap();
    let shard = temp.path().join(format!("{:02x}", name(1).shard()));
    fs::write(shard.join(".new-1-0-0"), b"half").unwrap();
    let live = File::create(shard.join(".new-2-0-0")).unwrap();
    live.try_lock().unwrap();
    FileStore::open(temp.path()).unwrap();
    let mut files = files_in(temp.path());
    files.sort();
    assert_eq!(files, [".new-2-0-0".to_owned(), name(1).to_string()]);
    drop(live);
    FileStore::open(temp.path()).unwrap();
    assert_eq!(files_in(temp.path()), [name(1).to_string()]);
}

#[test]
fn a_folder_that_everybody_can_write_to_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("cache");
    FileStore::open(&dir).unwrap();
    assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o777)).unwrap();
    let refused = FileStore::open(&dir).unwrap_err();
    assert!(matches!(refused, StoreError::Untrusted { .. }));
    assert!(
        refused.to_string().contains("mode 777") && refused.to_string().contains("mode 700"),
        "{refused}"
    );
    let file = temp.path().join("file");
    fs::write(&file, b"").unwrap();
    assert!(matches!(FileStore::open(file.join("cache")), Err(StoreError::File { verb: "make", .. })));
}

#[test]
fn foreign_files_are_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir(temp.path().join("00")).unwrap();
    for file in ["notes.txt", "00/notes.txt", "00/ABCDEF"] {
        fs::write(temp.path().join(file), vec![0; 5000]).unwrap();
    }
    let store = FileStore::builder(temp.path()).limit(100).open().unwrap();
    store.write(&name(1), &entry(1, 90)).unwrap();
    store.write(&name(2), &entry(2, 90)).unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
    for file in ["notes.txt", "00/notes.txt", "00/ABCDEF"] {
        assert!(temp.path().join(file).exists(), "{file}");
    }
}
