//! What a handle that is not right is answered with.

#![cfg(not(loom))]

use oarlock_arena::{Arena, ArenaError, Handle, HandleError, Instance, Kind};
use slotmap::{Key, KeyData};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
    struct OarKey = 2, "oar";
    struct OtherBoatKey = 1, "other boat";
}

#[test]
fn a_live_object_is_found_by_key_and_by_word() {
    let instance = Instance::new().unwrap();
    let boats = Arena::new(&instance);
    let boat: BoatKey = boats.insert("Ariel").unwrap();
    let scope = instance.pin();
    assert_eq!(boats.get(&scope, boat), Ok(&"Ariel"));
    assert_eq!(*boats.get_arc(boat).unwrap(), "Ariel");
    let word = boats.to_word(boat);
    assert_eq!(boats.key_from_word(word), Ok(boat));
    assert_eq!(boats.keys(), [boat]);
    assert_eq!((boats.len(), boats.is_empty()), (1, false));
}

#[test]
fn null_is_told() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let scope = instance.pin();
    let expected = Err(HandleError::Null { expected: BoatKey::KIND });
    assert_eq!(boats.get(&scope, BoatKey::null()).copied(), expected);
    assert_eq!(boats.get_arc(BoatKey::default()).map(|_| ()), expected);
    assert_eq!(boats.remove(BoatKey::null()).map(|_| ()), expected);
    assert_eq!(boats.key_from_word(0), Err(HandleError::Null { expected: BoatKey::KIND }));
    assert_eq!(boats.to_word(BoatKey::null()), 0);
}

#[test]
fn destroying_twice_is_stale_and_changes_nothing() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, u8> = Arena::new(&instance);
    let (first, second) = (boats.insert(1).unwrap(), boats.insert(2).unwrap());
    assert_eq!(*boats.remove(first).unwrap(), 1);
    for _ in 0..2 {
        let error = boats.remove(first).unwrap_err();
        assert!(matches!(error, HandleError::Stale { kind, .. } if kind == BoatKey::KIND), "{error}");
    }
    assert!(matches!(boats.get_arc(first), Err(HandleError::Stale { .. })));
    assert_eq!((boats.len(), *boats.get_arc(second).unwrap()), (1, 2));
}

#[test]
fn another_kind_is_told_with_both_names() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let oars: Arena<OarKey, ()> = Arena::new(&instance);
    let oar = oars.to_word(oars.insert(()).unwrap());
    let error = boats.key_from_word(oar).unwrap_err();
    assert_eq!(error, HandleError::WrongKind { expected: BoatKey::KIND, found: OarKey::KIND, word: oar });
    assert!(error.to_string().contains("is a oar, where a boat is expected"), "{error}");
}

#[test]
fn another_runtime_is_told() {
    let (here, there) = (Instance::new().unwrap(), Instance::new().unwrap());
    let (boats, others): (Arena<BoatKey, ()>, Arena<BoatKey, ()>) = (Arena::new(&here), Arena::new(&there));
    boats.insert(()).unwrap();
    let other = others.insert(()).unwrap();
    assert!(matches!(boats.get_arc(other), Err(HandleError::Foreign { .. })));
    assert!(matches!(boats.remove(other), Err(HandleError::Foreign { .. })));
    assert!(matches!(boats.key_from_word(others.to_word(other)), Err(HandleError::Foreign { .. })));
    let scope = there.pin();
    let key = boats.keys()[0];
    assert_eq!(boats.get(&scope, key), Err(HandleError::WrongScope { expected: BoatKey::KIND }));
}

#[test]
fn a_handle_of_the_future_was_never_issued() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let boat = boats.insert(()).unwrap();
    // The next generation, and an index beyond all.
    let next = BoatKey::from(KeyData::from_ffi(boat.data().as_ffi() + (1 << 39)));
    let beyond = BoatKey::from(KeyData::from_ffi(boat.data().as_ffi() + 5000));
    for key in [next, beyond] {
        assert!(matches!(boats.get_arc(key), Err(HandleError::NeverIssued { .. })), "{key:?}");
        assert!(matches!(boats.remove(key), Err(HandleError::NeverIssued { .. })), "{key:?}");
    }
}

#[test]
fn no_key_with_one_bit_changed_is_taken() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let family = oarlock_arena::Family::new();
    let child = boats.insert_child(&family, ()).unwrap();
    let plain = boats.insert(()).unwrap();
    for key in [plain, child] {
        for bit in 0..64 {
            let damaged = BoatKey::from(KeyData::from_ffi(key.data().as_ffi() ^ 1 << bit));
            // slotmap repairs the lowest bit of a version; and there are two objects, one bit apart.
            if ![plain, child].contains(&damaged) {
                assert!(boats.get_arc(damaged).is_err(), "bit {bit}");
                assert!(boats.remove(damaged).is_err(), "bit {bit}");
            }
            let word = boats.to_word(key) ^ 1 << bit;
            let taken = boats.key_from_word(word).and_then(|key| boats.get_arc(key).map(|_| key));
            assert!(taken.is_err() || [plain, child].contains(&taken.unwrap()), "bit {bit}");
        }
    }
    assert_eq!(boats.len(), 2);
}

#[test]
fn no_address_and_no_random_word_is_taken() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::new(&instance);
    (0..10_000).for_each(|_| _ = boats.insert(()).unwrap());
    let boxes: Vec<Box<u64>> = (0..10_000).map(Box::new).collect();
    for address in boxes.iter().map(|object| &raw const **object as u64) {
        assert_eq!(
            boats.key_from_word(address),
            Err(HandleError::NotAHandle { word: address, expected: BoatKey::KIND })
        );
    }
    let mut state = 1_u64;
    for _ in 0..1_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = state ^ state >> 29;
        assert!(boats.key_from_word(word).and_then(|key| boats.get_arc(key)).is_err(), "{word:#x}");
    }
}

#[test]
fn the_making_of_an_object_knows_its_handle() {
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, u64> = Arena::new(&instance);
    let mut seen = None;
    let key = boats.insert_with(|key| {
        // Known, but not there yet, for anyone.
        assert!(matches!(boats.get_arc(key), Err(HandleError::NeverIssued { .. })));
        seen = Some(key);
        Ok::<_, oarlock_arena::Full>(boats.to_word(key))
    });
    assert_eq!(key, Ok(seen.unwrap()));
    assert_eq!(*boats.get_arc(seen.unwrap()).unwrap(), boats.to_word(seen.unwrap()));
}

#[test]
fn a_failed_making_spends_its_handle() {
    #[derive(Debug, PartialEq)]
    struct Failed(BoatKey);
    impl From<oarlock_arena::Full> for Failed {
        fn from(_: oarlock_arena::Full) -> Self {
            unreachable!()
        }
    }
    let instance = Instance::new().unwrap();
    let boats: Arena<BoatKey, ()> = Arena::with_capacity_limit(&instance, 1);
    let Failed(burned) = boats.insert_with(|key| Err(Failed(key))).unwrap_err();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        boats.insert_with::<Failed>(|_| panic!("in the making"))
    }));
    assert!(panicked.is_err());
    let next = boats.insert(()).unwrap();
    assert_ne!(next, burned);
    assert!(matches!(boats.get_arc(burned), Err(HandleError::Stale { .. })));
    assert_eq!((boats.len(), boats.stats().ever_issued), (1, 3));
}

#[test]
fn two_tables_of_one_kind_would_confuse_handles() {
    let instance = Instance::new().unwrap();
    let _boats: Arena<BoatKey, ()> = Arena::new(&instance);
    let second = Arena::<OtherBoatKey, ()>::builder(&instance).build();
    let error = second.unwrap_err();
    assert_eq!(error, ArenaError::KindTaken { existing: BoatKey::KIND, wanted: OtherBoatKey::KIND });
    assert!(error.to_string().contains("kind code 1"), "{error}");
}

#[test]
fn a_second_table_after_the_first_gives_no_handle_twice() {
    let instance = Instance::new().unwrap();
    let first: Arena<BoatKey, ()> = Arena::new(&instance);
    let old = first.insert(()).unwrap();
    drop(first);
    let second: Arena<BoatKey, ()> = Arena::new(&instance);
    let new = second.insert(()).unwrap();
    assert_ne!(old, new);
    assert!(matches!(second.get_arc(old), Err(HandleError::Stale { .. })));
}

#[test]
fn sites_are_told_when_they_are_kept() {
    let instance = Instance::new().unwrap();
    let boats = Arena::<BoatKey, ()>::builder(&instance).remember_sites(true).build().unwrap();
    let created = line!() + 1;
    let boat = boats.insert(()).unwrap();
    let destroyed = line!() + 1;
    boats.remove(boat).unwrap();
    let HandleError::Stale { history: Some(history), .. } = boats.get_arc(boat).unwrap_err() else {
        panic!("a history is kept");
    };
    assert_eq!((history.created.line(), history.created.file()), (created, file!()));
    assert_eq!(history.destroyed.map(|site| site.line()), Some(destroyed));

    let family = oarlock_arena::Family::new();
    let child = boats.insert_child(&family, ()).unwrap();
    let ended = line!() + 1;
    family.end();
    let error = boats.get_arc(child).unwrap_err();
    let HandleError::Stale { history: Some(history), .. } = &error else { panic!("{error}") };
    assert_eq!(history.destroyed.map(|site| site.line()), Some(ended));
    assert!(error.to_string().contains(&format!("destroyed at {}:{ended}", file!())), "{error}");
}

#[test]
fn kinds_have_numbers_that_fit() {
    assert_eq!(format!("{:?} {}", BoatKey::KIND, OarKey::KIND), "boat#1 oar");
    assert!(std::panic::catch_unwind(|| Kind::new(16, "too many")).is_err());
}
