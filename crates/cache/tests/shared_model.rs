//! Random histories of equal and different programs, under changing budgets, against a model of who
//! owns which image and which idle image goes next.

use std::collections::BTreeMap;

use oarlock_cache::{Cache, Digest};
use proptest::prelude::*;
use slotmap::{DefaultKey, SlotMap};

#[derive(Clone, Debug)]
enum Step {
    /// A new program with one of a few contents.
    Create {
        content: u8,
    },
    /// Asks for a program's image for a target; the compiler succeeds or not.
    Ask {
        program: usize,
        target: u8,
        ok: bool,
    },
    Destroy {
        program: usize,
    },
    Budget {
        bytes: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..5u8).prop_map(|content| Step::Create { content }),
        6 => (0..64usize, 0..2u8, prop::bool::weighted(0.85))
            .prop_map(|(program, target, ok)| Step::Ask { program, target, ok }),
        3 => (0..64usize).prop_map(|program| Step::Destroy { program }),
        1 => prop::sample::select(vec![0u64, 20, 60, 1000]).prop_map(|bytes| Step::Budget { bytes }),
    ]
}

/// Content and target.
type Id = (u8, u8);

fn bytes_of((content, target): Id) -> u64 {
    10 + u64::from(content) * 7 + u64::from(target)
}

fn digest((content, target): Id) -> Digest {
    let mut bytes = [0; 32];
    (bytes[0], bytes[31]) = (content, target);
    Digest(bytes)
}

struct Program {
    key: DefaultKey,
    content: u8,
    /// The targets that it has an image for.
    owns: Vec<u8>,
    dead: bool,
}

#[derive(Default)]
struct Model {
    programs: Vec<Program>,
    owners: BTreeMap<Id, usize>,
    /// Without an owner, the one longest so first.
    idle: Vec<Id>,
    budget: u64,
    erased: u64,
}

impl Model {
    fn has(&self, id: Id) -> bool {
        self.owners.contains_key(&id) || self.idle.contains(&id)
    }

    /// One more owner; `kept` false for a program that is dead, which gives it back at once.
    fn take(&mut self, id: Id, kept: bool) {
        self.idle.retain(|&i| i != id);
        *self.owners.entry(id).or_default() += 1;
        if !kept {
            self.give(id);
        }
    }

    fn give(&mut self, id: Id) -> u64 {
        let owners = self.owners.get_mut(&id).expect("it has an owner");
        *owners -= 1;
        if *owners > 0 {
            return 0;
        }
        self.owners.remove(&id);
        if bytes_of(id) > self.budget {
            self.erased += bytes_of(id);
            return bytes_of(id);
        }
        self.idle.push(id);
        self.evict()
    }

    fn evict(&mut self) -> u64 {
        let mut evicted = 0;
        while self.idle_bytes() > self.budget {
            evicted += bytes_of(self.idle.remove(0));
        }
        self.erased += evicted;
        evicted
    }

    fn idle_bytes(&self) -> u64 {
        self.idle.iter().map(|&id| bytes_of(id)).sum()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn equal_programs_share_one_image_and_one_compile(steps in prop::collection::vec(step(), 1..200)) {
        let cache: Cache<DefaultKey, u8, (Id, Vec<u8>), String> = Cache::new(|image| image.1.len());
        let mut table = SlotMap::new();
        let mut model = Model::default();
        let mut compiles = 0;
        for step in steps {
            match step {
                Step::Create { content } => {
                    let key = table.insert(());
                    model.programs.push(Program { key, content, owns: Vec::new(), dead: false });
                }
                Step::Ask { program, target, ok } if !model.programs.is_empty() => {
                    let index = program % model.programs.len();
                    let program = &mut model.programs[index];
                    let id = (program.content, target);
                    let mut called = false;
                    let answer = cache.get_or_compile_shared(program.key, &target, digest(id), || {
                        called = true;
                        if ok { Ok((id, vec![0; bytes_of(id) as usize])) } else { Err("no".to_owned()) }
                    });
                    compiles += u64::from(called);
                    let (owned, dead) = (program.owns.contains(&target), program.dead);
                    prop_assert_eq!(called, !owned && !model.has(id));
                    match answer {
                        Ok(image) => prop_assert_eq!(image.0, id),
                        Err(_) => prop_assert!(called && !ok),
                    }
                    if !owned && (!called || ok) {
                        if !dead {
                            model.programs[index].owns.push(target);
                        }
                        model.take(id, !dead);
                    }
                }
                Step::Destroy { program } if !model.programs.is_empty() => {
                    let index = program % model.programs.len();
                    let program = &mut model.programs[index];
                    table.remove(program.key);
                    program.dead = true;
                    let (key, content) = (program.key, program.content);
                    let owned = std::mem::take(&mut program.owns);
                    let expected: u64 = owned.into_iter().map(|target| model.give((content, target))).sum();
                    prop_assert_eq!(cache.erase(key), expected);
                }
                Step::Budget { bytes } => {
                    model.budget = bytes;
                    let expected = model.evict();
                    prop_assert_eq!(cache.set_budget(bytes), expected);
                }
                _ => {}
            }
            let stats = cache.stats();
            let live: u64 = model.owners.keys().chain(&model.idle).map(|&id| bytes_of(id)).sum();
            let entries: usize = model.programs.iter().map(|p| p.owns.len()).sum();
            prop_assert_eq!(stats.compiles, compiles);
            prop_assert_eq!(stats.entries, entries as u64);
            prop_assert_eq!(stats.images, (model.owners.len() + model.idle.len()) as u64);
            prop_assert_eq!((stats.idle, stats.bytes_idle), (model.idle.len() as u64, model.idle_bytes()));
            prop_assert_eq!((stats.bytes_live, stats.bytes_erased), (live, model.erased));
            prop_assert!(stats.bytes_idle <= model.budget);
        }
    }
}
