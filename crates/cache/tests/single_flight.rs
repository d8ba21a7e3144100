//! Threads that ask for one entry at one time: one compile, one answer, nobody left waiting.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use oarlock_cache::Cache;
use slotmap::{DefaultKey, SlotMap};

type TestCache = Cache<DefaultKey, u8, Vec<u8>, String>;

fn cache_and_key() -> (TestCache, DefaultKey) {
    (Cache::new(Vec::len), SlotMap::new().insert(()))
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
fn sixteen_threads_and_one_compile() {
    let (cache, key) = cache_and_key();
    let compiles = AtomicUsize::new(0);
    let start = Barrier::new(16);
    let images: Vec<_> = thread::scope(|s| {
        let ask = || {
            start.wait();
            cache.get_or_compile(key, &0, || {
                compiles.fetch_add(1, SeqCst);
                until_waiting(&cache, 15);
                Ok(vec![7])
            })
        };
        let threads: Vec<_> = (0..16).map(|_| s.spawn(ask)).collect();
        threads.into_iter().map(|t| t.join().unwrap().unwrap()).collect()
    });
    assert_eq!(compiles.load(SeqCst), 1);
    assert!(images.iter().all(|i| Arc::ptr_eq(i, &images[0])));
    let stats = cache.stats();
    assert_eq!((stats.compiles, stats.waits, stats.hits, stats.misses), (1, 15, 0, 1));
}

#[test]
fn different_entries_compile_at_the_same_time() {
    let (cache, key) = cache_and_key();
    // Each compile ends only when the other one runs too.
    let both = Barrier::new(2);
    thread::scope(|s| {
        for target in 0..2 {
            let (cache, both) = (&cache, &both);
            s.spawn(move || {
                let compile = || {
                    both.wait();
                    Ok(vec![target])
                };
                assert_eq!(*cache.get_or_compile(key, &target, compile).unwrap(), [target]);
            });
        }
    });
    assert_eq!(cache.stats().entries, 2);
}

#[test]
fn a_failure_is_told_to_all_who_wait_and_then_forgotten() {
    let (cache, key) = cache_and_key();
    let start = Barrier::new(4);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                start.wait();
                let answer = cache.get_or_compile(key, &0, || {
                    until_waiting(&cache, 3);
                    Err("line 1: unknown word".into())
                });
                assert_eq!(answer.unwrap_err(), "line 1: unknown word");
            });
        }
    });
    let stats = cache.stats();
    assert_eq!((stats.compiles, stats.failures, stats.entries, stats.bytes_live), (1, 1, 0, 0));
    assert_eq!(*cache.get_or_compile(key, &0, || Ok(vec![1])).unwrap(), [1]);
}

#[test]
fn a_panic_stays_in_its_thread_and_the_next_one_compiles() {
    let (cache, key) = cache_and_key();
    let start = Barrier::new(4);
    let tries = AtomicUsize::new(0);
    let outcomes: Vec<bool> = thread::scope(|s| {
        let ask = || {
            start.wait();
            let asked = AssertUnwindSafe(|| {
                cache.get_or_compile(key, &0, || {
                    if tries.fetch_add(1, SeqCst) == 0 {
                        until_waiting(&cache, 3);
                        panic!("the compiler broke");
                    }
                    Ok(vec![2])
                })
            });
            catch_unwind(asked).is_ok_and(|image| *image.unwrap() == [2])
        };
        let threads: Vec<_> = (0..4).map(|_| s.spawn(ask)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|&&ok| ok).count(), 3);
    assert_eq!(tries.load(SeqCst), 2);
    assert_eq!(cache.stats().failures, 1);
}

#[test]
fn a_compile_that_ends_after_the_erase_leaves_nothing() {
    let (cache, key) = cache_and_key();
    let (begun, erased) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|s| {
        let late = s.spawn(|| {
            cache.get_or_compile(key, &0, || {
                begun.wait();
                erased.wait();
                Ok(vec![0; 100])
            })
        });
        begun.wait();
        assert_eq!(cache.erase(key), 0, "there is no image yet");
        erased.wait();
        assert_eq!(late.join().unwrap().unwrap().len(), 100, "its asker still gets it");
    });
    let stats = cache.stats();
    assert_eq!((stats.late, stats.entries, stats.bytes_live, stats.bytes_erased), (1, 0, 0, 0));
    assert!(cache.get(key, &0).is_none());
}

#[test]
fn asking_again_from_inside_the_compile_does_not_wait_for_itself() {
    let (cache, key) = cache_and_key();
    let cache = Arc::new(cache);
    let (send, receive) = mpsc::channel();
    let inner = cache.clone();
    thread::spawn(move || {
        let outer = inner.get_or_compile(key, &0, || {
            inner.get_or_compile(key, &0, || Ok(vec![1])).map(|image| [&image[..], &[2]].concat())
        });
        send.send(outer).unwrap();
    });
    let outer = receive.recv_timeout(Duration::from_secs(20)).expect("deadlock");
    assert_eq!(*outer.unwrap(), [1, 2]);
    assert_eq!(*cache.get(key, &0).unwrap(), [1, 2]);
}
