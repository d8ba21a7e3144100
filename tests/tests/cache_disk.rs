//! Compiled programs kept in a directory: found by other runtimes, never confused, always checked.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use oarlock::store::FileStore;
use oarlock::{Error, OptLevel, Options, Runtime};
use oarlock_tests::{Rig, kernels};
use proptest::prelude::*;

fn rig(dir: &Path, level: OptLevel) -> Rig {
    Rig::of(
        Runtime::builder().cache_dir(dir).options(Options::default().with_opt_level(level)).build().unwrap(),
    )
}

/// What the program `mark(n)` writes, when it is made, run and destroyed.
fn mark(rig: &Rig, n: i32) -> i32 {
    let kernel = rig.kernel(&kernels::mark(n), "mark");
    let out = rig.zeros(1);
    rig.run(kernel, (&[1], &[1]), &[out.into()]);
    let marker = rig.ints(out, 1)[0];
    rig.runtime.free(rig.device, out).unwrap();
    let program = rig.runtime.symbol_info(kernel).unwrap().program;
    rig.runtime.destroy_program(program).unwrap();
    marker
}

#[test]
fn a_new_runtime_finds_what_an_older_one_compiled() {
    let temp = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let rig = rig(temp.path(), OptLevel::O3);
        assert_eq!((mark(&rig, 7), mark(&rig, 8)), (7, 8));
        let cache = rig.runtime.stats().cache;
        let cold = round == 0;
        assert_eq!((cache.compiles, cache.stored.hits), if cold { (2, 0) } else { (0, 2) });
        assert_eq!(cache.stored.writes, if cold { 2 } else { 0 });
    }
    let other = rig(temp.path(), OptLevel::O0);
    assert_eq!(mark(&other, 7), 7);
    let stored = other.runtime.stats().cache.stored;
    assert_eq!((stored.hits, stored.miss_options, stored.miss_new), (0, 1, 0));
}

#[test]
fn programs_from_disk_have_globals_of_their_own_and_run_their_constructors() {
    let temp = tempfile::tempdir().unwrap();
    let values = |rig: &Rig| {
        let (a, b) = (rig.program(kernels::LIFECYCLE), rig.program(kernels::LIFECYCLE));
        let add = rig.runtime.kernel(a, "add").unwrap();
        rig.run(add, (&[1], &[1]), &[oarlock::Arg::from(5i32)]);
        let (a, b) = (rig.runtime.program_image(a).unwrap(), rig.runtime.program_image(b).unwrap());
        assert!(Arc::ptr_eq(&a, &b), "one image between the two");
        a
    };
    let cold = values(&rig(temp.path(), OptLevel::O3));
    let warm = rig(temp.path(), OptLevel::O3);
    assert_eq!(cold, values(&warm), "the image from disk is the one that was compiled");
    assert_eq!(warm.runtime.stats().cache.compiles, 0);
}

#[test]
fn sixteen_threads_that_ask_the_disk_read_it_once() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(mark(&rig(temp.path(), OptLevel::O1), 3), 3);
    let rig = rig(temp.path(), OptLevel::O1);
    let program = rig.program(&kernels::mark(3));
    std::thread::scope(|s| {
        for _ in 0..16 {
            s.spawn(|| assert_eq!(mark(&rig, 3), 3));
        }
    });
    rig.runtime.destroy_program(program).unwrap();
    let cache = rig.runtime.stats().cache;
    assert_eq!((cache.compiles, cache.stored.hits), (0, 1));
}

#[test]
fn an_image_for_a_richer_processor_is_refused_by_the_features_name() {
    let rig = Rig::new();
    let image = rig.runtime.compile(rig.device, kernels::mark(1).as_bytes()).unwrap();
    let mut rich = (*image).clone();
    rich.target.features = format!("{},+avx9000", rich.target.features);
    // SAFETY: it is refused, and nothing of it runs.
    let refused = unsafe { rig.runtime.create_program_from_image(rig.device, Arc::new(rich)) }.unwrap_err();
    assert!(matches!(&refused, Error::MissingFeature { feature, .. } if feature == "avx9000"));
    assert!(refused.to_string().contains("`avx9000`"), "{refused}");
}

#[test]
fn a_directory_that_cannot_be_used_costs_nothing_but_compiles() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let rig = rig(&file.join("cache"), OptLevel::O0);
    assert_eq!((mark(&rig, 1), mark(&rig, 1)), (1, 1));
    let cache = rig.runtime.stats().cache;
    assert_eq!((cache.compiles, cache.stored), (2, Default::default()));
}

#[derive(Clone, Debug)]
enum Step {
    /// Makes, runs and destroys a program.
    Use(u8),
    /// Flips a bit of an entry, or cuts it.
    Damage {
        entry: u8,
        at: u16,
        cut: bool,
    },
    /// A new runtime, with these options.
    Restart {
        level: bool,
    },
    Clear,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..4u8).prop_map(Step::Use),
        2 => (any::<u8>(), any::<u16>(), any::<bool>())
            .prop_map(|(entry, at, cut)| Step::Damage { entry, at, cut }),
        2 => any::<bool>().prop_map(|level| Step::Restart { level }),
        1 => Just(Step::Clear),
    ]
}

/// Entries by program and level; true where they are whole.
type Model = std::collections::BTreeMap<(u8, bool), bool>;

fn level(high: bool) -> OptLevel {
    if high { OptLevel::O1 } else { OptLevel::O0 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Every program's mark is its own whatever became of the files, and compiles are those that a model counts.
    #[test]
    fn the_disk_never_changes_a_result(steps in prop::collection::vec(step(), 1..30)) {
        static DAMAGED: AtomicU64 = AtomicU64::new(0);
        let temp = tempfile::tempdir().unwrap();
        let (mut high, mut model) = (false, Model::new());
        let mut names = std::collections::BTreeMap::new();
        let mut runtime = rig(temp.path(), level(high));
        for step in steps {
            let list = FileStore::open(temp.path()).unwrap().list().unwrap();
            match step {
                Step::Use(n) => {
                    let before = runtime.runtime.stats().cache.compiles;
                    prop_assert_eq!(mark(&runtime, n.into()), n.into());
                    let compiled = runtime.runtime.stats().cache.compiles - before;
                    let whole = model.insert((n, high), true) == Some(true);
                    prop_assert_eq!(compiled, u64::from(!whole));
                    let known: Vec<_> = list.iter().map(|e| e.name).collect();
                    let now = FileStore::open(temp.path()).unwrap().list().unwrap();
                    for new in now.iter().filter(|e| !known.contains(&e.name)) {
                        names.insert(new.name, (n, high));
                    }
                }
                Step::Damage { entry, at, cut } if !list.is_empty() => {
                    let entry = &list[usize::from(entry) % list.len()];
                    let mut bytes = std::fs::read(&entry.path).unwrap();
                    if bytes.is_empty() {
                        continue;
                    }
                    let at = usize::from(at) % bytes.len();
                    if cut {
                        bytes.truncate(at);
                    } else {
                        // Never the same bit back: two flips would heal it.
                        bytes[at] = bytes[at].wrapping_add(1);
                    }
                    std::fs::write(&entry.path, bytes).unwrap();
                    model.insert(names[&entry.name], false);
                    DAMAGED.fetch_add(1, SeqCst);
                }
                Step::Restart { level: new } => {
                    high = new;
                    runtime = rig(temp.path(), level(high));
                }
                Step::Clear => {
                    let store = FileStore::open(temp.path()).unwrap();
                    for entry in list {
                        store.remove(&entry.name).unwrap();
                    }
                    model.clear();
                }
                Step::Damage { .. } => {}
            }
        }
    }
}
