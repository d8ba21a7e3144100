//! Bytes under an entry's name, whatever they are: the answer is that of a cold compile.
//!
//! `corpus/` holds bytes that are worth trying. The good one among them is what this layout looked like when it was
//! fixed: it must be found as long as the version is 1. `OARLOCK_WRITE_CORPUS=1` writes them again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oarlock_cache::{Cache, Codec, Digest, Entry, FileStore, Recipe, Store};
use slotmap::{DefaultKey, SlotMap};

const COLD: &[u8] = b"the image of a cold compile";

fn recipe() -> Recipe<'static> {
    Recipe {
        content: Digest([0x5A; 32]),
        triple: "x86_64-pc-linux-gnu",
        cpu: "znver4",
        features: "+avx2,+fma",
        options: "Options { opt_level: O3 }",
        compiler: "a compiler",
    }
}

/// Looks `recipe()` up where `bytes` lie under its name. Returns whether it was compiled.
///
/// The oracle: the image is that of a cold compile, and afterwards the entry is good.
fn check(bytes: &[u8]) -> bool {
    let temp = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStore::open(temp.path()).unwrap());
    store.write(&recipe().name(), bytes).unwrap();
    let codec = Codec { encode: Vec::clone, decode: |_, image| (image == COLD).then(|| image.to_vec()) };
    let cache: Cache<DefaultKey, (), Vec<u8>, ()> = Cache::new(Vec::len).with_store(store.clone(), codec);
    let mut programs = SlotMap::new();
    let mut compiled = false;
    let image = cache.get_or_compile_kept(programs.insert(()), &(), &recipe(), || {
        compiled = true;
        Ok(COLD.to_vec())
    });
    assert_eq!(*image.unwrap(), COLD);
    let stored = cache.stats().stored;
    assert_eq!((stored.hits, stored.miss_damaged), (u64::from(!compiled), u64::from(compiled)));
    let after = store.read(&recipe().name()).unwrap().unwrap();
    let entry = Entry::open(&after).unwrap();
    assert_eq!((entry.recipe, entry.image), (recipe(), COLD));
    compiled
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

#[test]
fn the_corpus_gives_the_cold_result() {
    if std::env::var_os("OARLOCK_WRITE_CORPUS").is_some() {
        write();
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10);
    for file in files {
        let good = file.file_name().is_some_and(|name| name == "good");
        assert_eq!(check(&fs::read(&file).unwrap()), !good, "{}", file.display());
    }
}

#[test]
fn every_flipped_bit_and_every_cut_of_the_good_one_gives_the_cold_result() {
    let good = fs::read(folder().join("good")).unwrap();
    assert!(!check(&good));
    for at in (0..good.len()).step_by(2) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(check(&bytes), "byte {at}");
        assert!(check(&good[..at]), "cut at {at}");
    }
}

fn write() {
    let good = Entry::seal(&recipe(), COLD);
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let files: [(&str, Vec<u8>); 11] = [
        ("good", good.clone()),
        ("empty", Vec::new()),
        ("magic-alone", good[..8].to_vec()),
        ("header-alone", good[..56].to_vec()),
        ("cut", good[..good.len() - 1].to_vec()),
        ("longer", [&good[..], &[0]].concat()),
        ("other-version", changed(8, 2)),
        ("other-length", changed(23, 0xFF)),
        ("other-checksum", changed(24, good[24] ^ 1)),
        ("another-recipe", Entry::seal(&Recipe { cpu: "znver5", ..recipe() }, COLD)),
        ("another-image", Entry::seal(&recipe(), b"not what a codec reads")),
    ];
    for (name, bytes) in files {
        fs::write(folder().join(name), bytes).unwrap();
    }
}
