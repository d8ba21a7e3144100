//! Several runtimes in one process, one after the other, all at once; and fork.
//!
//! One test: tags belong to the process.

#![cfg(not(loom))]

use std::sync::Arc;

use oarlock_arena::{Arena, HandleError, Instance, InstanceError};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
}

#[test]
fn instances() {
    sixty_four_at_a_time();
    restarted_runtimes_take_no_handle_of_the_dead();
    #[cfg(all(unix, not(miri)))]
    a_forked_child_has_the_handles_and_goes_its_own_way();
}

fn sixty_four_at_a_time() {
    let mut all: Vec<Arc<Instance>> = (0..64).map(|_| Instance::new().unwrap()).collect();
    let mut tags: Vec<_> = all.iter().map(|instance| instance.tag()).collect();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 64);
    let error = Instance::new().unwrap_err();
    assert_eq!(error, InstanceError::AllTagsTaken { tags: 64, held: 64, spent: 0, elsewhere: 0 });
    assert!(error.to_string().contains("drop a runtime"), "{error}");
    all.pop();
    Instance::new().unwrap();

    // A handle of each is foreign to all others.
    let tables: Vec<Arena<BoatKey, usize>> = all.iter().map(Arena::new).collect();
    let boats: Vec<_> = tables.iter().enumerate().map(|(at, table)| table.insert(at).unwrap()).collect();
    for (at, table) in tables.iter().enumerate() {
        for (of, &boat) in boats.iter().enumerate() {
            match table.get_arc(boat) {
                Ok(object) => assert_eq!((*object, at), (of, of)),
                Err(error) => assert!(at != of && matches!(error, HandleError::Foreign { .. }), "{error}"),
            }
        }
    }
}

fn restarted_runtimes_take_no_handle_of_the_dead() {
    let mut dead: Vec<BoatKey> = Vec::new();
    let mut words = std::collections::HashSet::new();
    for _ in 0..500 {
        let instance = Instance::new().unwrap();
        let table: Arena<BoatKey, ()> = Arena::new(&instance);
        // Before and after there is something in the slots.
        for _ in 0..2 {
            for &boat in &dead {
                let error = table.get_arc(boat).unwrap_err();
                assert!(matches!(error, HandleError::Stale { .. } | HandleError::Foreign { .. }), "{error}");
            }
            let boat = table.insert(()).unwrap();
            assert!(words.insert(table.to_word(boat)), "a handle came twice in one process");
            table.remove(boat).unwrap();
            dead.push(boat);
        }
        drop(table);
    }
}

#[cfg(all(unix, not(miri)))]
fn a_forked_child_has_the_handles_and_goes_its_own_way() {
    let instance = Instance::new().unwrap();
    let table: Arena<BoatKey, u32> = Arena::new(&instance);
    let before = table.insert(1).unwrap();
    // SAFETY: the child runs code of this test only, no other thread of which holds a lock of the table, and
    // ends with _exit.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let right = std::panic::catch_unwind(|| {
            // Its copy of the object, under the same handle.
            assert_eq!(*table.get_arc(before).unwrap(), 1);
            // Creation, destruction and reclamation go on.
            for value in 0..2000 {
                let boat = table.insert(value).unwrap();
                table.remove(boat).unwrap();
            }
            table.remove(before).unwrap();
            instance.collect();
            assert_eq!((table.len(), table.stats().undropped), (0, 0));
            // Its runtimes have tags of their own.
            assert_ne!(Instance::new().unwrap().tag(), instance.tag());
        });
        // SAFETY: ends the child at once, without the destructors of the parent's copy.
        unsafe { libc::_exit(i32::from(right.is_err())) };
    }
    let mut status = 0;
    // SAFETY: `status` is a place for an int, and `child` is a child of this process.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0), "the child found something wrong");
    // What the child did is not seen here.
    assert_eq!((*table.get_arc(before).unwrap(), table.len()), (1, 1));
}
