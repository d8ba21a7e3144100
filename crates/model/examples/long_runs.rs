//! Runs that take minutes, each to show that a number is 0.
//!
//! ```text
//! cargo run --release -p oarlock-model --example long_runs -- model [STEPS]     default 1,000,000
//! cargo run --release -p oarlock-model --example long_runs -- reuse [SLOTS]     default 256: 2^32 - 256
//! cargo run --release -p oarlock-model --example long_runs -- threads [SECONDS] default 60
//! cargo run --release -p oarlock-model --example long_runs -- words [COUNT]     default 200,000,000
//! ```
//!
//! Ends with 0 if nothing was wrong. What is wrong is told by a panic.

#![allow(clippy::print_stdout, reason = "it reports")]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use oarlock_arena::{Arena, Full, HandleError, Instance};
use oarlock_model::handles::{Harness, Op, ProgramKey};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |default| arguments.get(1).map_or(default, |text| text.parse().expect("a number"));
    let start = Instant::now();
    match arguments.first().map(String::as_str) {
        Some("model") => model(number(1_000_000)),
        Some("reuse") => reuse(number(256) as usize),
        Some("threads") => threads(Duration::from_secs(number(60))),
        Some("words") => words(number(200_000_000)),
        other => {
            println!("expected model, reuse, threads or words; found {}", other.unwrap_or("nothing"));
            std::process::exit(2);
        }
    }
    println!("{:.1} s, nothing wrong", start.elapsed().as_secs_f64());
}

/// A generator: xorshift, multiplied, of which the upper half is well mixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(32)
    }
}

/// Steps against the model, with 3 bits of generation.
fn model(steps: u64) {
    let mut harness = Harness::<3>::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    while harness.seen().steps < steps {
        let bytes: Vec<u8> = (0..4096).map(|_| (random.next() >> 40) as u8).collect();
        let mut from = Unstructured::new(&bytes);
        while let Ok(op) = Op::decode(&mut from, harness.model()) {
            harness.step(&op).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    println!("{:?}", harness.seen());
}

/// One table at the production width is filled and emptied until no slot has a generation left. Handles kept
/// from all along the way are tried again and again.
fn reuse(slots: usize) {
    const EACH: u64 = (1 << 24) - 1;
    let instance = Instance::new().expect("a tag");
    let table: Arena<ProgramKey, u64> = Arena::with_capacity_limit(&instance, slots);
    let mut kept: Vec<ProgramKey> = Vec::new();
    let mut made = 0_u64;
    let full = loop {
        let key = match table.insert(made) {
            Ok(key) => key,
            Err(full) => break full,
        };
        if made.is_multiple_of(1 << 22) {
            kept.push(key);
        }
        assert_eq!(*table.remove(key).expect("it lives"), made);
        if made.is_multiple_of(1 << 16) {
            for (number, &old) in kept.iter().enumerate() {
                let found = table.get_arc(old);
                assert!(
                    matches!(found, Err(HandleError::Stale { .. })),
                    "handle {number} after {made}: {found:?}"
                );
            }
        }
        made += 1;
        if made.is_multiple_of(1 << 30) {
            println!("{made} objects, {:?}", table.stats());
        }
    };
    println!("{made} objects through {slots} slots, then: {full}");
    assert_eq!(made, slots as u64 * EACH, "each slot has as many generations as there are, and no more");
    assert_eq!((full.live, full.retired), (0, slots));
}

/// Four threads create, use and destroy at random, each what any of them made.
fn threads(time: Duration) {
    const SHARED: usize = 512;
    let instance = Instance::new().expect("a tag");
    // Few bits, so that slots retire all the time; many slots, so that it lasts.
    let table: Arena<ProgramKey, (u64, AtomicBool), 12> = Arena::builder(&instance).build().expect("a table");
    let shared: Vec<AtomicU64> = (0..SHARED).map(|_| AtomicU64::new(0)).collect();
    let (made, used, stale) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let end = Instant::now() + time;
    std::thread::scope(|scope| {
        for seed in 1..=4 {
            let (instance, table, shared) = (&instance, &table, &shared);
            let (made, used, stale) = (&made, &used, &stale);
            scope.spawn(move || {
                let mut random = Random(seed);
                let mut dead = vec![0_u64; 64];
                while Instant::now() < end {
                    for _ in 0..1000 {
                        let at = random.next() as usize % SHARED;
                        match random.next() % 8 {
                            0 => {
                                let make = |key| Ok::<_, Full>((table.to_word(key), AtomicBool::new(true)));
                                let key = table.insert_with(make).expect("room");
                                made.fetch_add(1, Ordering::Relaxed);
                                let old = shared[at].swap(table.to_word(key), Ordering::AcqRel);
                                if old != 0 {
                                    destroy(table, old);
                                    dead[random.next() as usize % 64] = old;
                                }
                            }
                            1 => {
                                let old = shared[at].swap(0, Ordering::AcqRel);
                                if old != 0 {
                                    destroy(table, old);
                                }
                            }
                            2 => {
                                // A second destroy of what is dead for certain.
                                let word = dead[at % 64];
                                if word != 0 {
                                    let key = table.key_from_word(word).expect("it was one");
                                    let found = table.remove(key).map(|_| ());
                                    assert!(matches!(found, Err(HandleError::Stale { .. })), "{found:?}");
                                    stale.fetch_add(1, Ordering::Relaxed);
                                }
                            }
                            _ => {
                                let scope = instance.pin();
                                let word = shared[at].load(Ordering::Acquire);
                                let Ok(key) = table.key_from_word(word) else { continue };
                                match table.get(&scope, key) {
                                    Ok((name, _)) => {
                                        assert_eq!(*name, word, "another object");
                                        used.fetch_add(1, Ordering::Relaxed);
                                    }
                                    Err(HandleError::Stale { .. }) => {
                                        _ = stale.fetch_add(1, Ordering::Relaxed)
                                    }
                                    Err(other) => panic!("{other}"),
                                }
                            }
                        }
                    }
                }
            });
        }
    });
    let live = shared.iter().filter(|word| word.load(Ordering::Relaxed) != 0).count();
    instance.collect();
    println!("{made:?} made, {used:?} used, {stale:?} answered as stale; {:?}", table.stats());
    assert_eq!((table.len(), table.stats().undropped), (live, 0));
}

fn destroy(table: &Arena<ProgramKey, (u64, AtomicBool), 12>, word: u64) {
    let object =
        table.remove(table.key_from_word(word).expect("it is one")).expect("only one may destroy it");
    assert_eq!(object.0, word, "another object");
    assert!(object.1.swap(false, Ordering::Relaxed), "destroyed twice");
}

/// Random words against a million live handles.
fn words(count: u64) {
    let instance = Instance::new().expect("a tag");
    let table: Arena<ProgramKey, u64> = Arena::new(&instance);
    let live: Vec<u64> =
        (0..1_000_000).map(|name| table.to_word(table.insert(name).expect("room"))).collect();
    let mut random = Random(0xdead_beef);
    let mut accepted = 0_u64;
    for at in 0..count {
        // Half of them real handles with a part replaced.
        let mut word = random.next();
        if at % 2 == 0 {
            let keep = random.next() | random.next();
            word = live[at as usize % live.len()] & keep | word & !keep;
        }
        if let Ok(object) = table.key_from_word(word).and_then(|key| table.get_arc(key)) {
            assert_eq!(live[*object as usize], word, "a word that is no handle");
            accepted += 1;
        }
    }
    println!("{count} words, {accepted} of them handles that live");
}
