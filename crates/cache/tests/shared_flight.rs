//! Threads with programs of their own and equal content: one compile between them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use oarlock_cache::{Cache, Digest};
use slotmap::{DefaultKey, SlotMap};

type TestCache = Cache<DefaultKey, u8, Vec<u8>, String>;

const SAME: Digest = Digest([1; 32]);

fn keys(n: usize) -> Vec<DefaultKey> {
    let mut table = SlotMap::new();
    (0..n).map(|_| table.insert(())).collect()
}

/// Waits until `cache` has counted `n` waiting threads.
fn until_waiting(cache: &TestCache, n: u64) {
    let start = Instant::now();
    while cache.stats().waits < n {
        assert!(start.elapsed() < Duration::from_secs(20), "the waiters never came");
        thread::yield_now();
    }
}

#[test]
fn sixteen_programs_of_one_content_and_one_compile() {
    let cache: TestCache = Cache::new(Vec::len);
    let keys = keys(16);
    let start = Barrier::new(16);
    let images: Vec<_> = thread::scope(|s| {
        let ask = |key| {
            start.wait();
            cache.get_or_compile_shared(key, &0, SAME, || {
                until_waiting(&cache, 15);
                Ok(vec![0; 100])
            })
        };
        let threads: Vec<_> = keys.iter().map(|&key| s.spawn(move || ask(key))).collect();
        threads.into_iter().map(|t| t.join().unwrap().unwrap()).collect()
    });
    assert!(images.iter().all(|i| Arc::ptr_eq(i, &images[0])));
    let stats = cache.stats();
    assert_eq!((stats.compiles, stats.entries, stats.images, stats.bytes_live), (1, 16, 1, 100));
    // The last of them takes the image along, and none before it.
    let erased: Vec<u64> = keys.iter().map(|&key| cache.erase(key)).collect();
    assert_eq!(erased[..15], [0; 15]);
    assert_eq!((erased[15], cache.stats().bytes_live), (100, 0));
}

#[test]
fn waiters_that_were_erased_meanwhile_leave_nothing() {
    let cache: TestCache = Cache::new(Vec::len);
    let keys = keys(4);
    let start = Barrier::new(4);
    thread::scope(|s| {
        for &key in &keys {
            let (cache, keys, start) = (&cache, &keys, &start);
            s.spawn(move || {
                start.wait();
                let compile = || {
                    until_waiting(cache, 3);
                    for &key in keys {
                        assert_eq!(cache.erase(key), 0);
                    }
                    Ok(vec![0; 100])
                };
                assert_eq!(cache.get_or_compile_shared(key, &0, SAME, compile).unwrap().len(), 100);
            });
        }
    });
    let stats = cache.stats();
    assert_eq!((stats.compiles, stats.late, stats.entries, stats.images), (1, 4, 0, 0));
    assert_eq!((stats.bytes_live, stats.bytes_erased), (0, 100));
}

#[test]
fn failures_and_panics_wake_the_programs_that_wait() {
    let cache: TestCache = Cache::new(Vec::len);
    let keys = keys(4);
    for panics in [false, true] {
        let (start, tries) = (Barrier::new(4), AtomicUsize::new(0));
        let waits = cache.stats().waits;
        let outcomes: Vec<_> = thread::scope(|s| {
            let ask = |key| {
                start.wait();
                let asked = AssertUnwindSafe(|| {
                    cache.get_or_compile_shared(key, &0, SAME, || {
                        if tries.fetch_add(1, SeqCst) == 0 {
                            until_waiting(&cache, waits + 3);
                            assert!(!panics, "the compiler broke");
                            return Err("unknown word".to_owned());
                        }
                        Ok(vec![1])
                    })
                });
                catch_unwind(asked)
            };
            let threads: Vec<_> = keys.iter().map(|&key| s.spawn(move || ask(key))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let failed = outcomes.iter().filter(|o| matches!(o, Ok(Err(_)))).count();
        let panicked = outcomes.iter().filter(|o| o.is_err()).count();
        assert_eq!((failed, panicked), if panics { (0, 1) } else { (4, 0) });
    }
    assert_eq!(cache.stats().images, 1);
}

#[test]
fn an_idle_image_waits_for_the_next_equal_program_within_the_budget() {
    let cache: TestCache = Cache::new(Vec::len);
    cache.set_budget(100);
    let keys = keys(4);
    let ask = |key, n: u8, size| {
        cache.get_or_compile_shared(key, &0, Digest([n; 32]), || Ok(vec![n; size])).unwrap()
    };
    ask(keys[0], 1, 60);
    assert_eq!(cache.erase(keys[0]), 0, "it stays");
    ask(keys[1], 1, 60);
    assert_eq!((cache.stats().compiles, cache.stats().shared_hits), (1, 1));
    // One that is over the budget alone goes at once, and pushes nobody out.
    ask(keys[2], 2, 101);
    assert_eq!(cache.erase(keys[1]), 0);
    assert_eq!(cache.erase(keys[2]), 101);
    assert_eq!(cache.stats().bytes_idle, 60);
    // The one longest without an owner goes first.
    ask(keys[3], 3, 50);
    assert_eq!(cache.erase(keys[3]), 60);
    assert_eq!(cache.set_budget(0), 50);
    assert_eq!((cache.stats().images, cache.stats().evictions), (0, 3));
}
