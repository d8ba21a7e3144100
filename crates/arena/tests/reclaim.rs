//! When memory goes, and who can hold it.

#![cfg(not(loom))]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use oarlock_arena::{Arena, Barrier, Instance};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
}

#[derive(Clone, Default)]
struct Drops(Arc<AtomicUsize>);

impl Drops {
    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

struct Counted(Drops);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn both_barriers(test: impl Fn(Arc<Instance>)) {
    for barrier in [Barrier::Fence, Barrier::Membarrier] {
        test(Instance::with_barrier(barrier).unwrap());
    }
}

#[test]
fn every_object_is_dropped_once() {
    both_barriers(|instance| {
        let drops = Drops::default();
        let boats: Arena<BoatKey, Counted> = Arena::new(&instance);
        let all: Vec<_> = (0..1000).map(|_| boats.insert(Counted(drops.clone())).unwrap()).collect();
        all[..600].iter().for_each(|&boat| drop(boats.remove(boat).unwrap()));
        instance.collect();
        assert_eq!((drops.count(), boats.stats().undropped), (600, 0));
        drop(boats);
        assert_eq!(drops.count(), 1000);
    });
}

#[test]
fn a_pinned_reader_keeps_what_it_got() {
    both_barriers(|instance| {
        let drops = Drops::default();
        let boats: Arena<BoatKey, Counted> = Arena::new(&instance);
        let boat = boats.insert(Counted(drops.clone())).unwrap();
        let scope = instance.pin();
        let seen = boats.get(&scope, boat).unwrap();
        std::thread::scope(|threads| {
            threads.spawn(|| {
                drop(boats.remove(boat).unwrap());
                instance.collect();
            });
        });
        assert_eq!((drops.count(), boats.stats().undropped), (0, 1));
        assert_eq!(seen.0.count(), 0);
        drop(scope);
        instance.collect();
        assert_eq!(drops.count(), 1);
    });
}

#[test]
fn a_share_outlives_everything() {
    let drops = Drops::default();
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, Counted> = Arena::new(&instance);
    let boat = boats.insert(Counted(drops.clone())).unwrap();
    let share = boats.get_arc(boat).unwrap();
    boats.remove(boat).unwrap();
    drop(boats);
    drop(instance);
    assert_eq!(drops.count(), 0);
    drop(share);
    assert_eq!(drops.count(), 1);
}

#[test]
fn without_a_reader_little_waits_and_without_a_collect() {
    both_barriers(|instance| {
        let boats: Arena<BoatKey, u64> = Arena::new(&instance);
        for value in 0..100_000 {
            let boat = boats.insert(value).unwrap();
            boats.remove(boat).unwrap();
            assert!(boats.stats().undropped <= 1024, "{:?}", boats.stats());
        }
    });
}

/// While one thread sleeps pinned, nothing removed since is dropped. The counters tell, and it passes.
#[test]
fn a_pinned_sleeper_is_visible() {
    both_barriers(|instance| {
        let boats: Arena<BoatKey, u64> = Arena::new(&instance);
        let (pinned, is_pinned) = mpsc::channel();
        let (wake, woken) = mpsc::channel::<()>();
        std::thread::scope(|threads| {
            let instance = &instance;
            threads.spawn(move || {
                let _scope = instance.pin();
                pinned.send(()).unwrap();
                woken.recv().unwrap();
            });
            is_pinned.recv().unwrap();
            for value in 0..20_000 {
                let boat = boats.insert(value).unwrap();
                boats.remove(boat).unwrap();
            }
            instance.collect();
            // What was removed before the sleeper's epoch could go; nothing was.
            assert_eq!(boats.stats().undropped, 20_000);
            assert_eq!(instance.pinned_threads(), 1);
            // It keeps objects, not slots: those are reused meanwhile.
            assert!(boats.stats().slots <= 1024);
            wake.send(()).unwrap();
        });
        instance.collect();
        assert_eq!((boats.stats().undropped, instance.pinned_threads()), (0, 0));
    });
}

#[test]
fn a_sleeper_of_another_instance_keeps_nothing() {
    let (here, there) = (Instance::new().unwrap(), Instance::new().unwrap());
    let boats: Arena<BoatKey, u64> = Arena::new(&here);
    let _sleeper = there.pin();
    let boat = boats.insert(1).unwrap();
    boats.remove(boat).unwrap();
    here.collect();
    assert_eq!(boats.stats().undropped, 0);
}

#[test]
fn nested_pins_count_as_one() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, u64> = Arena::new(&instance);
    let boat = boats.insert(5).unwrap();
    let outer = instance.pin();
    let seen = boats.get(&outer, boat).unwrap();
    drop(instance.pin());
    boats.remove(boat).unwrap();
    instance.collect();
    assert_eq!((*seen, boats.stats().undropped, instance.pinned_threads()), (5, 1, 1));
    drop(outer);
    instance.collect();
    assert_eq!((boats.stats().undropped, instance.pinned_threads()), (0, 0));
}

#[test]
fn objects_that_destroy_others_as_they_drop_are_collected_too() {
    struct Chain(Option<(Arc<Arena<BoatKey, Chain>>, BoatKey)>);
    impl Drop for Chain {
        fn drop(&mut self) {
            if let Some((boats, next)) = self.0.take() {
                let _ = boats.remove(next);
            }
        }
    }
    let instance = Instance::new().unwrap();
    let boats: Arc<Arena<BoatKey, Chain>> = Arc::new(Arena::new(&instance));
    let mut next = boats.insert(Chain(None)).unwrap();
    for _ in 0..20 {
        next = boats.insert(Chain(Some((boats.clone(), next)))).unwrap();
    }
    drop(boats.remove(next));
    instance.collect();
    assert_eq!((boats.len(), boats.stats().undropped), (0, 0));
}

/// Reads while others come and go: what is got is whole, and is what its key names.
#[test]
fn readers_among_creators_and_destroyers_get_the_right_object_or_none() {
    both_barriers(|instance| {
        let boats: Arena<BoatKey, (BoatKey, AtomicBool)> = Arena::with_capacity_limit(&instance, 64);
        let shared: Vec<std::sync::atomic::AtomicU64> = (0..16).map(|_| Default::default()).collect();
        let make = || boats.insert_with(|key| Ok::<_, oarlock_arena::Full>((key, AtomicBool::new(true))));
        let done = AtomicBool::new(false);
        std::thread::scope(|threads| {
            for thread in 0..2 {
                let (shared, boats, make, done) = (&shared, &boats, &make, &done);
                threads.spawn(move || {
                    for round in 0..40_000 {
                        let Ok(new) = make() else { continue };
                        let at = (round * 7 + thread) % shared.len();
                        let old = shared[at].swap(boats.to_word(new), Ordering::AcqRel);
                        if old != 0 {
                            let old = boats.remove(boats.key_from_word(old).unwrap()).unwrap();
                            assert!(old.1.swap(false, Ordering::Relaxed), "destroyed twice");
                        }
                    }
                    done.store(true, Ordering::Release);
                });
            }
            for _ in 0..2 {
                threads.spawn(|| {
                    let mut found = 0_u64;
                    while !done.load(Ordering::Acquire) {
                        let scope = instance.pin();
                        for word in
                            shared.iter().map(|word| word.load(Ordering::Acquire)).filter(|&word| word != 0)
                        {
                            let key = boats.key_from_word(word).unwrap();
                            if let Ok(object) = boats.get(&scope, key) {
                                assert_eq!(object.0, key, "another object");
                                found += 1;
                            }
                        }
                    }
                    found
                });
            }
        });
    });
}

#[test]
fn many_threads_come_and_go() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, usize> = Arena::new(&instance);
    for round in 0..20 {
        std::thread::scope(|threads| {
            for thread in 0..8 {
                let boats = &boats;
                threads.spawn(move || {
                    let boat = boats.insert(thread + round).unwrap();
                    assert_eq!(*boats.get_arc(boat).unwrap(), thread + round);
                    boats.remove(boat).unwrap();
                });
            }
        });
    }
    instance.collect();
    assert_eq!(boats.stats().undropped, 0);
}
