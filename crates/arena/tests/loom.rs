//! The protocols between threads, under every interleaving and every reordering that loom finds within a
//! bound of preemptions: publish, resolve, destroy, reuse, reclaim, families.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p oarlock-arena --release --test loom`

#![cfg(loom)]

use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use oarlock_arena::{Arena, Family, HandleError, InsertChildError, Instance};
use slotmap::{Key, KeyData};

oarlock_arena::handles! {
    struct BoatKey = 1, "boat";
}

/// What dropping an object does to its memory, where loom sees it: reads under a scope are checked against
/// it.
struct Body(UnsafeCell<u32>);

// SAFETY: loom checks every access.
unsafe impl Send for Body {}
// SAFETY: as above.
unsafe impl Sync for Body {}

struct Object {
    name: u32,
    body: Arc<Body>,
    drops: Arc<AtomicUsize>,
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: loom panics if another thread may be reading.
        self.body.0.with_mut(|body| unsafe { *body = u32::MAX });
        self.drops.fetch_add(1, Ordering::Relaxed);
    }
}

/// One table, and the bodies of the objects that a test may put in.
struct Fixture {
    instance: Arc<Instance>,
    boats: Arena<BoatKey, Object>,
    bodies: Vec<Arc<Body>>,
    drops: Arc<AtomicUsize>,
}

impl Fixture {
    fn new(capacity: usize) -> Arc<Self> {
        let instance = Instance::new().unwrap();
        Arc::new(Self {
            boats: Arena::with_capacity_limit(&instance, capacity),
            instance,
            bodies: (0..3).map(|name| Arc::new(Body(UnsafeCell::new(name)))).collect(),
            drops: Arc::new(AtomicUsize::new(0)),
        })
    }

    fn object(&self, name: u32) -> Object {
        Object { name, body: self.bodies[name as usize].clone(), drops: self.drops.clone() }
    }

    /// Resolves; if there is an object, it is whole for as long as the scope is open, and it is this one.
    fn read(&self, key: BoatKey, name: u32) -> Result<(), HandleError> {
        let scope = self.instance.pin();
        let object = self.boats.get(&scope, key)?;
        // Through the test's own share: a wrong table must not make the test read freed memory.
        let body = &self.bodies[name as usize];
        thread::yield_now();
        // SAFETY: loom panics if the object may be dropped meanwhile.
        body.0.with(|body| assert_eq!(unsafe { *body }, name, "dropped under a reader"));
        assert_eq!(object.name, name, "another object");
        drop(scope);
        Ok(())
    }
}

/// The handle that the slot gives out next.
fn next(key: BoatKey) -> BoatKey {
    BoatKey::from(KeyData::from_ffi(key.data().as_ffi() + (1 << 39)))
}

fn model(preemptions: usize, test: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(test);
}

#[test]
fn a_published_object_is_ready() {
    model(3, || {
        let table = Fixture::new(1);
        let first = table.boats.insert(table.object(0)).unwrap();
        table.boats.remove(first).unwrap();
        let guessed = next(first);
        let reader = {
            let table = table.clone();
            // A handle that is known before it is published: guessed, or told by the making.
            thread::spawn(move || table.read(guessed, 1))
        };
        assert_eq!(table.boats.insert(table.object(1)).unwrap(), guessed);
        let early = reader.join().unwrap();
        assert!(matches!(early, Ok(()) | Err(HandleError::NeverIssued { .. })), "{early:?}");
        table.read(guessed, 1).unwrap();
    });
}

#[test]
fn a_reader_gets_the_object_or_stale_while_its_slot_is_reused() {
    model(3, || {
        let table = Fixture::new(1);
        let old = table.boats.insert(table.object(0)).unwrap();
        let reader = {
            let table = table.clone();
            thread::spawn(move || table.read(old, 0))
        };
        table.boats.remove(old).unwrap();
        let new = table.boats.insert(table.object(1)).unwrap();
        assert_eq!(new, next(old), "the test is about reuse");
        let found = reader.join().unwrap();
        assert!(matches!(found, Ok(()) | Err(HandleError::Stale { .. })), "{found:?}");
        table.read(new, 1).unwrap();
        assert!(matches!(table.read(old, 0), Err(HandleError::Stale { .. })));
    });
}

#[test]
fn a_handle_of_the_future_reaches_nothing_of_the_past() {
    model(2, || {
        let table = Fixture::new(1);
        let old = table.boats.insert(table.object(0)).unwrap();
        let new = next(old);
        let reader = {
            let table = table.clone();
            thread::spawn(move || table.read(new, 1))
        };
        table.boats.remove(old).unwrap();
        table.boats.insert(table.object(1)).unwrap();
        let _ = reader.join().unwrap();
    });
}

#[test]
fn one_of_two_destroys_wins() {
    model(3, || {
        let table = Fixture::new(1);
        let boat = table.boats.insert(table.object(0)).unwrap();
        let other = {
            let table = table.clone();
            thread::spawn(move || table.boats.remove(boat).is_ok())
        };
        let here = table.boats.remove(boat);
        assert!(here.is_ok() != other.join().unwrap());
        drop(here);
        table.instance.collect();
        assert_eq!(table.drops.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn nothing_is_dropped_under_a_reader() {
    model(3, || {
        let table = Fixture::new(1);
        let boat = table.boats.insert(table.object(0)).unwrap();
        let reader = {
            let table = table.clone();
            thread::spawn(move || _ = table.read(boat, 0))
        };
        drop(table.boats.remove(boat).unwrap());
        table.instance.collect();
        reader.join().unwrap();
        table.instance.collect();
        assert_eq!((table.drops.load(Ordering::Relaxed), table.boats.stats().undropped), (1, 0));
    });
}

#[test]
fn nothing_is_dropped_under_a_reader_with_two_collectors() {
    model(2, || {
        let table = Fixture::new(1);
        let boat = table.boats.insert(table.object(0)).unwrap();
        let threads = [0, 1].map(|which| {
            let table = table.clone();
            thread::spawn(move || match which {
                0 => _ = table.read(boat, 0),
                _ => table.instance.collect(),
            })
        });
        drop(table.boats.remove(boat).unwrap());
        table.instance.collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_share_is_taken_of_a_live_object_only() {
    model(3, || {
        let table = Fixture::new(1);
        let boat = table.boats.insert(table.object(0)).unwrap();
        let reader = {
            let table = table.clone();
            thread::spawn(move || {
                let Ok(share) = table.boats.get_arc(boat) else { return };
                thread::yield_now();
                // Not its body: loom does not see that the counts of a standard Arc order reads and drop.
                assert_eq!((share.name, table.drops.load(Ordering::Relaxed)), (0, 0));
            })
        };
        drop(table.boats.remove(boat).unwrap());
        table.instance.collect();
        reader.join().unwrap();
        table.instance.collect();
        assert_eq!(table.drops.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn two_creations_get_two_slots() {
    model(2, || {
        let table = Fixture::new(2);
        let other = {
            let table = table.clone();
            thread::spawn(move || table.boats.insert(table.object(0)).unwrap())
        };
        let here = table.boats.insert(table.object(1)).unwrap();
        let other = other.join().unwrap();
        assert_ne!(here, other);
        table.read(here, 1).unwrap();
        table.read(other, 0).unwrap();
        assert!(table.boats.insert(table.object(2)).is_err());
    });
}

#[test]
fn a_family_ends_for_all_at_once() {
    model(2, || {
        let table = Fixture::new(2);
        let family = Family::new();
        let children = [0, 1].map(|name| table.boats.insert_child(&family, table.object(name)).unwrap());
        let reader = {
            let table = table.clone();
            thread::spawn(move || {
                let first = table.read(children[0], 0);
                let second = table.read(children[1], 1);
                // Once one of them is seen dead, so is the other.
                assert!(first.is_ok() || second.is_err());
            })
        };
        family.end();
        reader.join().unwrap();
        assert!(
            children
                .iter()
                .all(|&child| matches!(table.boats.get_arc(child), Err(HandleError::Stale { .. })))
        );
        table.instance.collect();
        assert_eq!((table.drops.load(Ordering::Relaxed), table.boats.len()), (2, 0));
    });
}

#[test]
fn a_child_is_destroyed_by_its_destroyer_or_its_family() {
    model(2, || {
        let table = Fixture::new(1);
        let family = Family::new();
        let child = table.boats.insert_child(&family, table.object(0)).unwrap();
        let destroyer = {
            let table = table.clone();
            thread::spawn(move || _ = table.boats.remove(child))
        };
        family.end();
        destroyer.join().unwrap();
        assert_eq!(table.boats.len(), 0);
        table.instance.collect();
        let stats = table.boats.stats();
        assert_eq!((table.drops.load(Ordering::Relaxed), stats.undropped, stats.unswept), (1, 0, 0));
    });
}

#[test]
fn a_child_is_born_alive_or_not_at_all() {
    model(2, || {
        let table = Fixture::new(1);
        let family = Arc::new(Family::new());
        let creator = {
            let (table, family) = (table.clone(), family.clone());
            thread::spawn(move || table.boats.insert_child(&family, table.object(0)))
        };
        family.end();
        match creator.join().unwrap() {
            Ok(child) => assert!(matches!(table.boats.get_arc(child), Err(HandleError::Stale { .. }))),
            Err(error) => assert!(matches!(error, InsertChildError::Ended { .. }), "{error}"),
        }
        assert_eq!(table.boats.len(), 0);
        table.instance.collect();
        assert_eq!(table.drops.load(Ordering::Relaxed), 1);
    });
}
