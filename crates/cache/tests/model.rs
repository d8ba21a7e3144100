//! Random histories against a model that knows every program by its number and counts the compiles.

use std::collections::{HashMap, HashSet};

use oarlock_cache::Cache;
use proptest::prelude::*;
use slotmap::{DefaultKey, SlotMap};

#[derive(Clone, Debug)]
enum Step {
    /// A new program; its slot may be one that an earlier program had.
    Create,
    /// Asks for a program's image for a target; the compiler succeeds or not.
    Ask { program: usize, target: u8, ok: bool },
    /// Unloads a program: out of the table, then out of the cache.
    Destroy { program: usize },
    /// Erases in the cache alone, as a second and late erase does.
    Erase { program: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::Create),
        6 => (0..64usize, 0..3u8, prop::bool::weighted(0.85))
            .prop_map(|(program, target, ok)| Step::Ask { program, target, ok }),
        2 => (0..64usize).prop_map(|program| Step::Destroy { program }),
        1 => (0..64usize).prop_map(|program| Step::Erase { program }),
    ]
}

/// An image says which program and target it was made for.
type Image = (usize, u8, Vec<u8>);

fn weigh(image: &Image) -> usize {
    image.2.len()
}

fn size_of_image(program: usize, target: u8) -> usize {
    1 + program * 3 + usize::from(target)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_cache_confuses_no_two_programs_and_its_books_are_right(
        steps in prop::collection::vec(step(), 1..200)
    ) {
        let cache: Cache<DefaultKey, u8, Image, String> = Cache::new(weigh);
        let mut table = SlotMap::new();
        let mut keys: Vec<DefaultKey> = Vec::new();
        let mut dead = HashSet::new();
        // What the cache should hold, and how often it should have compiled.
        let mut held: HashMap<(usize, u8), usize> = HashMap::new();
        let (mut compiles, mut failures, mut late, mut erased_bytes) = (0, 0, 0, 0);

        for step in steps {
            match step {
                Step::Create => keys.push(table.insert(keys.len())),
                Step::Ask { program, target, ok } if !keys.is_empty() => {
                    let program = program % keys.len();
                    let mut called = false;
                    let answer = cache.get_or_compile(keys[program], &target, || {
                        called = true;
                        if ok {
                            Ok((program, target, vec![0; size_of_image(program, target)]))
                        } else {
                            Err(format!("{program} for {target}"))
                        }
                    });
                    prop_assert_eq!(called, !held.contains_key(&(program, target)));
                    compiles += u64::from(called);
                    match answer {
                        Ok(image) => prop_assert_eq!((image.0, image.1), (program, target)),
                        Err(error) => {
                            failures += 1;
                            prop_assert_eq!(error, format!("{program} for {target}"));
                        }
                    }
                    if called && ok && dead.contains(&program) {
                        late += 1;
                    } else if called && ok {
                        held.insert((program, target), size_of_image(program, target));
                    }
                }
                Step::Destroy { program } | Step::Erase { program } if !keys.is_empty() => {
                    let program = program % keys.len();
                    if matches!(step, Step::Destroy { .. }) {
                        table.remove(keys[program]);
                    }
                    dead.insert(program);
                    let expected: usize =
                        held.iter().filter(|((p, _), _)| *p == program).map(|(_, bytes)| bytes).sum();
                    held.retain(|(p, _), _| *p != program);
                    erased_bytes += expected as u64;
                    prop_assert_eq!(cache.erase(keys[program]), expected as u64);
                }
                _ => {}
            }
            let stats = cache.stats();
            prop_assert_eq!(stats.entries, held.len() as u64);
            prop_assert_eq!(stats.bytes_live, held.values().sum::<usize>() as u64);
            prop_assert_eq!(stats.bytes_erased, erased_bytes);
            prop_assert_eq!((stats.compiles, stats.failures, stats.late), (compiles, failures, late));
        }
    }
}

#[test]
fn a_new_program_in_an_old_slot_displaces_what_was_not_erased_yet() {
    let cache: Cache<DefaultKey, u8, Image, String> = Cache::new(weigh);
    let mut table = SlotMap::new();
    let old = table.insert(());
    cache.get_or_compile(old, &0, || Ok((0, 0, vec![0; 10]))).unwrap();
    // The table gives the slot away before the destroyer comes to erase.
    table.remove(old);
    let new = table.insert(());
    cache.get_or_compile(new, &0, || Ok((1, 0, vec![0; 20]))).unwrap();
    assert_eq!(cache.stats().bytes_live, 20);
    assert_eq!(cache.erase(old), 0);
    assert_eq!(cache.get(new, &0).unwrap().0, 1, "the late erase is the old program's alone");
    // And a late compile for the old program does not push the new one out.
    cache.get_or_compile(old, &0, || Ok((0, 0, vec![0; 10]))).unwrap();
    assert_eq!(cache.get(new, &0).unwrap().0, 1);
    assert_eq!(cache.stats().late, 1);
}

#[test]
fn the_null_key_is_compiled_for_and_not_kept() {
    let cache: Cache<DefaultKey, u8, Image, String> = Cache::new(weigh);
    for _ in 0..2 {
        cache.get_or_compile(DefaultKey::default(), &0, || Ok((0, 0, vec![0; 10]))).unwrap();
    }
    assert_eq!((cache.stats().compiles, cache.stats().entries), (2, 0));
}
