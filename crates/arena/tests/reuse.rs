//! Slots: reused oldest first, retired for good, counted.

#![cfg(not(loom))]

use std::collections::HashSet;

use oarlock_arena::{Arena, Full, Handle, HandleError, Instance};
use slotmap::Key;

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
}

fn narrow<const BITS: u32>(instance: &std::sync::Arc<Instance>, slots: usize) -> Arena<BoatKey, (), BITS> {
    Arena::builder(instance).capacity(slots).build().unwrap()
}

#[test]
fn a_slot_retires_after_its_last_generation() {
    let instance = Instance::new().unwrap();
    let boats = narrow::<3>(&instance, 1);
    let mut seen = HashSet::new();
    for round in 0..7 {
        let boat = boats.insert(()).unwrap();
        assert!(seen.insert(boat), "round {round} gave a handle again");
        boats.remove(boat).unwrap();
    }
    let full = boats.insert(()).unwrap_err();
    assert_eq!((full.kind, full.capacity, full.live, full.retired), (BoatKey::KIND, 1, 0, 1));
    for boat in seen {
        assert!(matches!(boats.get_arc(boat), Err(HandleError::Stale { .. })));
    }
    assert_eq!((boats.stats().retired, boats.stats().ever_issued), (1, 7));
}

#[test]
fn a_table_issues_exactly_as_many_handles_as_it_has() {
    let instance = Instance::new().unwrap();
    let boats = narrow::<4>(&instance, 37);
    let mut seen = HashSet::new();
    let mut live = Vec::new();
    let full: Full = loop {
        match boats.insert(()) {
            Ok(boat) => {
                assert!(seen.insert(boat) && seen.len() <= 37 * 15);
                live.push(boat);
                // Some die at once, some later.
                if live.len() > 20 {
                    live.drain(..17).for_each(|boat| _ = boats.remove(boat).unwrap());
                }
            }
            Err(full) => break full,
        }
    };
    assert_eq!(full.live + full.retired, 37);
    live.drain(..).for_each(|boat| _ = boats.remove(boat).unwrap());
    while let Ok(boat) = boats.insert(()) {
        assert!(seen.insert(boat) && seen.len() <= 37 * 15);
        boats.remove(boat).unwrap();
    }
    assert_eq!(seen.len(), 37 * 15);
    assert_eq!(boats.stats().retired, 37);
}

#[test]
fn full_is_an_error_and_passes() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, u32> = Arena::with_capacity_limit(&instance, 1000);
    let all: Vec<_> = (0..1000).map(|value| boats.insert(value).unwrap()).collect();
    let full = boats.insert(0).unwrap_err();
    assert_eq!((full.capacity, full.live, full.retired), (1000, 1000, 0));
    assert!(full.to_string().contains("of 1000 slots, 1000 hold live objects"), "{full}");
    boats.remove(all[500]).unwrap();
    boats.insert(0).unwrap();
    assert!(boats.insert(0).is_err());
}

#[test]
fn a_tight_loop_does_not_hammer_one_slot() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let mut uses = std::collections::HashMap::new();
    for _ in 0..100_000 {
        let boat = boats.insert(()).unwrap();
        *uses.entry(boat.data().as_ffi() as u32).or_insert(0) += 1;
        boats.remove(boat).unwrap();
    }
    let most = uses.values().max().unwrap();
    assert!(uses.len() >= 200 && *most <= 500, "{} slots, one of them {most} times", uses.len());
    assert!(boats.stats().slots <= 1024, "{:?}", boats.stats());
}

#[test]
fn the_longest_dead_is_reused_first() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::with_capacity_limit(&instance, 100);
    let all: Vec<_> = (0..100).map(|_| boats.insert(()).unwrap()).collect();
    let order = [7, 3, 50, 99, 0];
    order.iter().for_each(|&at| _ = boats.remove(all[at]).unwrap());
    let index = |key: BoatKey| key.data().as_ffi() as u32;
    for at in order {
        assert_eq!(index(boats.insert(()).unwrap()), index(all[at]));
    }
}

#[test]
fn slots_are_kept_after_a_peak_and_then_reused() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, u64> = Arena::new(&instance);
    let count = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    for _ in 0..3 {
        let all: Vec<_> = (0..count).map(|value| boats.insert(value).unwrap()).collect();
        all.into_iter().for_each(|boat| _ = boats.remove(boat).unwrap());
        instance.collect();
        let stats = boats.stats();
        assert_eq!((stats.live, stats.undropped, stats.retired), (0, 0, 0));
        assert!(stats.slots <= count as usize + 2048, "{stats:?}");
    }
}

#[test]
fn threads_find_the_slots_of_other_threads() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::with_capacity_limit(&instance, 3000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..750).for_each(|_| _ = boats.insert(()).unwrap()));
        }
    });
    assert!(boats.insert(()).is_err());
    for boat in boats.keys() {
        boats.remove(boat).unwrap();
    }
    // All of them were freed to other shards than this thread's.
    (0..3000).for_each(|_| _ = boats.insert(()).unwrap());
    assert!(boats.insert(()).is_err());
}
