//! Children end with their parent.

#![cfg(not(loom))]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oarlock_arena::{Arena, Family, HandleError, InsertChildError, Instance};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
    struct OarKey = 2, "oar";
    struct SailKey = 3, "sail";
}

/// Counts its drops.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn all_children_end_in_one_step() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, u32> = Arena::new(&instance);
    let sails: Arena<SailKey, u32> = Arena::new(&instance);
    let (boat, other) = (Family::new(), Family::new());
    let dead: Vec<_> = (0..1000).map(|value| oars.insert_child(&boat, value).unwrap()).collect();
    let sail = sails.insert_child(&boat, 1).unwrap();
    let alive = oars.insert_child(&other, 7).unwrap();
    let lone = oars.insert(8).unwrap();
    assert_eq!((oars.len(), sails.len()), (1002, 1));
    boat.end();
    assert_eq!((oars.len(), sails.len()), (2, 0));
    assert!(boat.has_ended() && !other.has_ended());
    for oar in dead {
        assert!(matches!(oars.get_arc(oar), Err(HandleError::Stale { .. })));
        assert!(matches!(oars.remove(oar), Err(HandleError::Stale { .. })));
    }
    assert!(matches!(sails.get_arc(sail), Err(HandleError::Stale { .. })));
    assert_eq!((*oars.get_arc(alive).unwrap(), *oars.get_arc(lone).unwrap()), (7, 8));
    let mut keys = oars.keys();
    keys.sort();
    let mut expected = [alive, lone];
    expected.sort();
    assert_eq!(keys, expected);
}

#[test]
fn the_end_does_not_walk_and_sweeping_is_bounded() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, u32> = Arena::new(&instance);
    let boat = Family::new();
    (0..10_000).for_each(|value| _ = oars.insert_child(&boat, value).unwrap());
    boat.end();
    let unswept = oars.stats().unswept;
    assert!(unswept >= 9_900, "{unswept} of 10000 left: more was swept than a bounded number");
    oars.insert(0).unwrap();
    let after = oars.stats().unswept;
    assert!(after < unswept && after >= unswept - 64, "{unswept} then {after}");
    instance.collect();
    let stats = oars.stats();
    assert_eq!((stats.unswept, stats.undropped, stats.live), (0, 0, 1));
}

#[test]
fn no_child_is_born_dead() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, ()> = Arena::new(&instance);
    let boat = Family::new();
    boat.end();
    boat.end();
    let error = oars.insert_child(&boat, ()).unwrap_err();
    assert!(matches!(error, InsertChildError::Ended { .. }));
    assert!(error.to_string().contains("the parent of the new oar"), "{error}");
    assert_eq!(oars.len(), 0);
}

#[test]
fn a_child_may_go_before_its_parent() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, u32> = Arena::new(&instance);
    let boat = Family::new();
    let (first, second) = (oars.insert_child(&boat, 1).unwrap(), oars.insert_child(&boat, 2).unwrap());
    assert_eq!(*oars.remove(first).unwrap(), 1);
    assert!(matches!(oars.remove(first), Err(HandleError::Stale { .. })));
    assert_eq!((oars.len(), *oars.get_arc(second).unwrap()), (1, 2));
    boat.end();
    assert_eq!(oars.len(), 0);
}

#[test]
fn a_dead_child_gives_its_slot_when_it_is_needed() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, u32> = Arena::with_capacity_limit(&instance, 500);
    let boat = Family::new();
    (0..500).for_each(|value| _ = oars.insert_child(&boat, value).unwrap());
    assert!(matches!(oars.insert_child(&boat, 0), Err(InsertChildError::Full(_))));
    boat.end();
    (0..500).for_each(|value| _ = oars.insert(value).unwrap());
    assert!(oars.insert(0).is_err());
}

#[test]
fn nothing_leaks_whichever_goes_first() {
    for order in 0..4 {
        let drops = Arc::new(AtomicUsize::new(0));
        let instance = Instance::new().unwrap();
        let oars: Arena<OarKey, Counted> = Arena::new(&instance);
        let boat = Family::new();
        let children: Vec<_> =
            (0..300).map(|_| oars.insert_child(&boat, Counted(drops.clone())).unwrap()).collect();
        children[..100].iter().for_each(|&oar| drop(oars.remove(oar).unwrap()));
        match order {
            0 => (drop(boat), drop(oars)),
            1 => (drop(oars), drop(boat)),
            2 => (boat.end(), instance.collect()),
            _ => (drop(boat), instance.collect()),
        };
        assert_eq!(drops.load(Ordering::Relaxed), 300, "order {order}");
    }
}

#[test]
fn a_family_does_not_grow_with_what_came_and_went() {
    let instance = Instance::new().unwrap();
    let oars: Arena<OarKey, u32> = Arena::new(&instance);
    let boat = Family::new();
    for value in 0..200_000 {
        let oar = oars.insert_child(&boat, value).unwrap();
        oars.remove(oar).unwrap();
    }
    // What the end hands over is the list: a long one would take many sweeps.
    boat.end();
    assert_eq!(oars.stats().unswept, 0);
    assert_eq!(oars.len(), 0);
}

#[test]
fn a_parent_that_owns_its_family_takes_it_along() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, Family> = Arena::new(&instance);
    let oars: Arena<OarKey, BoatKey> = Arena::new(&instance);
    let boat = boats.insert(Family::new()).unwrap();
    let oar = {
        let scope = instance.pin();
        oars.insert_child(boats.get(&scope, boat).unwrap(), boat).unwrap()
    };
    assert_eq!(*oars.get_arc(oar).unwrap(), boat);
    boats.remove(boat).unwrap().end();
    assert!(matches!(oars.get_arc(oar), Err(HandleError::Stale { .. })));
    instance.collect();
    assert_eq!((boats.stats().undropped, oars.stats().undropped), (0, 0));
}
