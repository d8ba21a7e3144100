//! Several processes compile into one directory, and some are killed while they do.
//! `OARLOCK_TEST_PROGRAMS=200` gives the full number of programs.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use oarlock::store::{Entry, FileStore};
use oarlock::{OptLevel, Options, Runtime};
use oarlock_tests::{Rig, kernels};
use tempfile::TempDir;

const PROCESSES: usize = 8;

fn programs() -> i32 {
    std::env::var("OARLOCK_TEST_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

/// Runs every program, in an order of its own, and checks its mark. Returns how many were compiled here.
fn run_all(dir: &str, start: i32) -> u64 {
    let options = Options::default().with_opt_level(OptLevel::O0);
    let rig = Rig::of(Runtime::builder().cache_dir(dir).options(options).build().unwrap());
    let out = rig.zeros(1);
    for n in 0..programs() {
        let n = (n + start) % programs();
        let program = rig.program(&kernels::mark(n));
        let mark = rig.runtime.kernel(program, "mark").unwrap();
        rig.run(mark, (&[1], &[1]), &[out.into()]);
        assert_eq!(rig.ints(out, 1), [n]);
        rig.runtime.destroy_program(program).unwrap();
    }
    rig.runtime.stats().cache.compiles
}

/// The work of one of the processes; nothing where this is not one of them.
#[test]
fn child() {
    let Ok(dir) = std::env::var("OARLOCK_TEST_DIR") else { return };
    let start = std::env::var("OARLOCK_TEST_START").unwrap().parse().unwrap();
    run_all(&dir, start);
}

fn spawn(dir: &TempDir, index: usize) -> Child {
    let start = if index.is_multiple_of(2) { 0 } else { index * 7 };
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--test-threads", "1"])
        .env("OARLOCK_TEST_DIR", dir.path())
        .env("OARLOCK_TEST_START", start.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn the_dead_leave_nothing_and_the_living_are_right() {
    let dir = tempfile::tempdir().unwrap();
    let mut children: Vec<Child> = (0..PROCESSES).map(|index| spawn(&dir, index)).collect();
    for (victim, after) in [(3, 150), (6, 120)] {
        thread::sleep(Duration::from_millis(after));
        // SIGKILL: no destructor runs, no file is closed in order.
        children[victim].kill().unwrap();
    }
    for (index, child) in children.iter_mut().enumerate() {
        let status = child.wait().unwrap();
        assert!(status.success() || index == 3 || index == 6, "process {index}: {status}");
    }
    // All that is there is whole, under its own name, and there is one of each.
    let store = FileStore::open(dir.path()).unwrap();
    let entries = store.list().unwrap();
    assert_eq!(entries.len() as i32, programs());
    for entry in &entries {
        let bytes = std::fs::read(&entry.path).unwrap();
        assert_eq!(Entry::open(&bytes).unwrap().recipe.name(), entry.name);
    }
    let mut files = 0;
    for shard in std::fs::read_dir(dir.path()).unwrap().map(Result::unwrap) {
        files += if shard.path().is_dir() { std::fs::read_dir(shard.path()).unwrap().count() } else { 0 };
    }
    assert_eq!(files, entries.len(), "no stray files");
    assert_eq!(run_all(dir.path().to_str().unwrap(), 0), 0, "and nothing is compiled any more");
}
