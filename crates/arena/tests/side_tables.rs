//! Tables of slotmap, hung on keys of an arena.

#![cfg(not(loom))]

use oarlock_arena::{Arena, Instance};
use slotmap::{SecondaryMap, SparseSecondaryMap};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
}

#[test]
fn a_secondary_map_tells_an_object_from_its_successors() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::with_capacity_limit(&instance, 1);
    let mut names: SecondaryMap<BoatKey, usize> = SecondaryMap::new();
    let mut sparse: SparseSecondaryMap<BoatKey, usize> = SparseSecondaryMap::new();
    let mut before: Vec<BoatKey> = Vec::new();
    for round in 0..1000 {
        let boat = boats.insert(()).unwrap();
        // The entry of the predecessor is still there, and makes way.
        assert_eq!((names.insert(boat, round), sparse.insert(boat, round)), (None, None));
        assert_eq!((names[boat], sparse[boat]), (round, round));
        assert!(before.iter().all(|&old| !names.contains_key(old) && !sparse.contains_key(old)));
        assert_eq!((names.len(), sparse.len()), (1, 1));
        if let Some(&old) = before.last() {
            names.insert(old, 0);
            assert_eq!(names.get(boat), Some(&round), "a stale key pushed a live one out");
        }
        boats.remove(boat).unwrap();
        before.push(boat);
    }
}

#[test]
fn a_secondary_map_is_dense() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, usize> = Arena::new(&instance);
    let all: Vec<_> = (0..1000).map(|value| boats.insert(value).unwrap()).collect();
    let names: SecondaryMap<BoatKey, usize> = all.iter().enumerate().map(|(at, &boat)| (boat, at)).collect();
    assert!(names.capacity() <= 8192, "{}", names.capacity());
    assert!(all.iter().all(|&boat| names[boat] == *boats.get_arc(boat).unwrap()));
}
