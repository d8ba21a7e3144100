//! Level 3 through the cache: found by other caches, checked, replaced, counted; a store that fails is a miss.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use oarlock_cache::{Cache, Codec, Digest, FileStore, Name, Recipe, Store, StoreError};
use slotmap::{DefaultKey, SlotMap};

type Images = Cache<DefaultKey, u8, Vec<u8>, String>;

/// An image is what it was made of, twice, so that a wrong one is seen.
fn codec() -> Codec<Vec<u8>> {
    Codec {
        encode: |image| image.repeat(2),
        decode: |_, bytes| {
            let (a, b) = bytes.split_at(bytes.len() / 2);
            (a == b).then(|| a.to_vec())
        },
    }
}

fn recipe(content: &str) -> Recipe<'_> {
    let content = Digest::of(content.as_bytes());
    Recipe { content, triple: "t", cpu: "c", features: "+f", options: "O3", compiler: "l" }
}

/// A process: its own cache and programs.
struct Process {
    cache: Images,
    programs: SlotMap<DefaultKey, ()>,
}

impl Process {
    fn on(store: Arc<dyn Store>) -> Self {
        let cache = Images::new(Vec::len).with_store_and_pause(store, codec(), Duration::from_millis(50));
        Self { cache, programs: SlotMap::new() }
    }

    fn at(dir: &std::path::Path) -> Self {
        Self::on(Arc::new(FileStore::open(dir).unwrap()))
    }

    /// A new program of this recipe. True where it was compiled.
    fn create(&mut self, recipe: &Recipe<'_>, image: &str) -> bool {
        let mut compiled = false;
        let key = self.programs.insert(());
        let found = self.cache.get_or_compile_kept(key, &0, recipe, || {
            compiled = true;
            Ok(image.as_bytes().to_vec())
        });
        assert_eq!(*found.unwrap(), image.as_bytes());
        self.cache.erase(key);
        compiled
    }
}

#[test]
fn another_process_finds_it_and_misses_say_why() {
    let temp = tempfile::tempdir().unwrap();
    let base = recipe("program");
    let mut first = Process::at(temp.path());
    assert!(first.create(&base, "image"));
    assert!(!first.create(&base, "image"), "from disk, with no owner and no budget");
    let mut second = Process::at(temp.path());
    assert!(!second.create(&base, "image"));
    let others = [
        Recipe { compiler: "m", ..base },
        Recipe { cpu: "d", ..base },
        Recipe { features: "", ..base },
        Recipe { options: "O0", ..base },
        recipe("another program"),
    ];
    for other in &others {
        assert!(second.create(other, "other"), "{other:?}");
        assert!(!second.create(other, "other"));
    }
    let stats = second.cache.stats();
    let stored = stats.stored;
    assert_eq!((stored.hits, stats.compiles), (6, 5));
    assert_eq!((stored.miss_compiler, stored.miss_target, stored.miss_options), (1, 2, 1));
    assert_eq!((stored.miss_new, stored.writes, stored.repairs), (1, 5, 0));
    assert!(stored.bytes_written > 0 && stored.bytes_read > 0);
}

#[test]
fn every_damaged_byte_is_a_miss_and_is_repaired() {
    let temp = tempfile::tempdir().unwrap();
    let (base, store) = (recipe("program"), FileStore::open(temp.path()).unwrap());
    Process::at(temp.path()).create(&base, "image");
    let path = store.list().unwrap()[0].path.clone();
    let whole = std::fs::read(&path).unwrap();
    let mut process = Process::at(temp.path());
    let mut damaged: Vec<Vec<u8>> = (0..whole.len()).step_by(3).map(|n| whole[..n].to_vec()).collect();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        damaged.push(bytes);
    }
    for bytes in &damaged {
        std::fs::write(&path, bytes).unwrap();
        assert!(process.create(&base, "image"));
        assert_eq!(std::fs::read(&path).unwrap(), whole, "repaired");
    }
    let stored = process.cache.stats().stored;
    assert_eq!((stored.miss_damaged, stored.repairs), (damaged.len() as u64, damaged.len() as u64));
}

#[test]
fn an_entry_under_another_name_is_not_taken_for_it() {
    let temp = tempfile::tempdir().unwrap();
    let (a, b) = (recipe("a"), recipe("b"));
    let mut process = Process::at(temp.path());
    process.create(&a, "image of a");
    let store = FileStore::open(temp.path()).unwrap();
    let bytes = store.read(&a.name()).unwrap().unwrap();
    store.write(&b.name(), &bytes).unwrap();
    assert!(process.create(&b, "image of b"));
    assert_eq!(process.cache.stats().stored.repairs, 1);
    assert!(!process.create(&b, "image of b"));
}

/// A store that fails so many times.
#[derive(Debug)]
struct Failing(AtomicUsize, FileStore);

impl Failing {
    fn step(&self) -> Result<(), StoreError> {
        let step = |left: usize| left.checked_sub(1);
        match self.0.fetch_update(SeqCst, SeqCst, step) {
            Ok(_) => Err(StoreError::Remote { verb: "answer", reason: "it is away".into() }),
            Err(_) => Ok(()),
        }
    }
}

impl Store for Failing {
    fn read(&self, name: &Name) -> Result<Option<Vec<u8>>, StoreError> {
        self.step().and_then(|()| self.1.read(name))
    }

    fn write(&self, name: &Name, bytes: &[u8]) -> Result<u64, StoreError> {
        self.step().and_then(|()| self.1.write(name, bytes))
    }
}

#[test]
fn a_store_that_fails_is_left_alone_for_a_while() {
    let temp = tempfile::tempdir().unwrap();
    let store = Arc::new(Failing(AtomicUsize::new(2), FileStore::open(temp.path()).unwrap()));
    let mut process = Process::on(store.clone());
    for n in 0..5 {
        assert!(process.create(&recipe(&format!("{n}")), "image"));
    }
    let stored = process.cache.stats().stored;
    assert_eq!((stored.miss_unavailable, stored.unwritten, stored.writes), (5, 5, 0));
    assert_eq!(store.0.load(SeqCst), 0, "one read and one write were tried");
    std::thread::sleep(Duration::from_millis(60));
    assert!(process.create(&recipe("0"), "image"));
    assert!(!process.create(&recipe("0"), "image"));
}

#[test]
fn failures_that_last_are_remembered_for_their_time() {
    let cache = Images::new(Vec::len);
    cache.set_lasting(|error| (error == "killed").then_some(Duration::from_millis(80)));
    let mut programs: SlotMap<DefaultKey, ()> = SlotMap::new();
    let mut ask = |error: &str| {
        let mut called = false;
        let answer = cache.get_or_compile_kept(programs.insert(()), &0, &recipe(error), || {
            called = true;
            Err(error.to_owned())
        });
        assert_eq!(answer, Err(error.to_owned()));
        called
    };
    assert!(ask("refused") && ask("refused"), "an ordinary failure is tried again");
    assert!(ask("killed") && !ask("killed"));
    std::thread::sleep(Duration::from_millis(90));
    assert!(ask("killed"));
    assert_eq!((cache.stats().remembered, cache.stats().compiles), (1, 4));
}
