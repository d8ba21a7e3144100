//! Everything at once: threads that create, launch, wait and destroy on handles that they share.
//!
//! A handle may be destroyed under any call; then the call says so. What runs must have run right.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use oarlock::{Error, EventKey, ProgramKey, QueueKey, SymbolKey};
use oarlock_tests::{Rig, kernels};

/// A generator of numbers that only has to be different for each seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

/// What all threads see.
#[derive(Default)]
struct Commons {
    programs: Mutex<Vec<(ProgramKey, SymbolKey, i32)>>,
    queues: Mutex<Vec<QueueKey>>,
    events: Mutex<Vec<EventKey>>,
    stale: AtomicUsize,
    ran: AtomicUsize,
}

impl Commons {
    fn pick<T: Copy>(&self, list: &Mutex<Vec<T>>, dice: &mut Dice) -> Option<T> {
        let list = list.lock().unwrap();
        (!list.is_empty()).then(|| list[dice.roll(list.len())])
    }

    fn share<T>(&self, list: &Mutex<Vec<T>>, item: T) {
        list.lock().unwrap().push(item);
    }

    fn stale_or<T>(&self, result: Result<T, Error>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Error::StaleHandle { .. }) => {
                self.stale.fetch_add(1, SeqCst);
                None
            }
            Err(other) => panic!("{other}"),
        }
    }
}

fn one_thread(rig: &Rig, commons: &Commons, seed: u64, steps: usize) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let out = rig.zeros(64);
    for _ in 0..steps {
        let program = commons.pick(&commons.programs, &mut dice);
        let queue = commons.pick(&commons.queues, &mut dice);
        let event = commons.pick(&commons.events, &mut dice);
        match (dice.roll(12), program, queue, event) {
            (0, ..) => {
                let marker = dice.roll(40) as i32;
                let program = rig.program(&kernels::mark(marker));
                // Another thread cannot know of it yet.
                let mark = rig.runtime.kernel(program, "mark").unwrap();
                commons.share(&commons.programs, (program, mark, marker));
            }
            (1, ..) => commons.share(&commons.queues, rig.runtime.create_queue(rig.device).unwrap()),
            (2, Some((program, ..)), ..) if dice.roll(2) == 0 => {
                // Stale handles stay in the list, to be used again.
                commons.stale_or(rig.runtime.destroy_program(program));
            }
            (3, _, Some(queue), _) if dice.roll(4) == 0 => {
                commons.stale_or(rig.runtime.destroy_queue(queue));
            }
            (4, _, Some(queue), _) => {
                if let Some(event) = commons.stale_or(rig.runtime.record(queue)) {
                    commons.share(&commons.events, event);
                }
            }
            (5, _, _, Some(event)) => {
                commons.stale_or(rig.runtime.wait(event));
                commons.stale_or(rig.runtime.destroy_event(event));
            }
            (6, _, Some(queue), Some(event)) => {
                commons.stale_or(rig.runtime.wait_for(queue, event));
            }
            (7 | 8, Some((_, mark, marker)), ..) => {
                rig.runtime.write_slice(rig.device, out, &[-1]).unwrap();
                if commons.stale_or(rig.launch(None, mark, (&[1], &[1]), &[out.into()])).is_some() {
                    assert_eq!(rig.ints(out, 1), [marker]);
                    commons.ran.fetch_add(1, SeqCst);
                }
            }
            (_, Some((_, mark, marker)), Some(queue), _) => {
                rig.runtime.write_slice(rig.device, out, &[-1]).unwrap();
                let launched = commons.stale_or(rig.launch(queue, mark, (&[1], &[1]), &[out.into()]));
                let (runtime, device) = (rig.runtime.clone(), rig.device);
                let (send, receive) = std::sync::mpsc::channel();
                let look = move || send.send(runtime.read_vec::<i32>(device, out, 1)).unwrap();
                let looked = commons.stale_or(rig.runtime.host_function(queue, look));
                // The queue goes on although it may have been destroyed since, so this comes. If it was
                // destroyed between the two calls, the launch is still to be waited for.
                match (launched, looked) {
                    (Some(()), Some(())) => {
                        assert_eq!(receive.recv().unwrap().unwrap(), [marker]);
                        commons.ran.fetch_add(1, SeqCst);
                    }
                    (Some(()), None) => {
                        while rig.ints(out, 1) != [marker] {
                            std::thread::yield_now();
                        }
                    }
                    (None, Some(())) => assert_eq!(receive.recv().unwrap().unwrap(), [-1]),
                    (None, None) => {}
                }
            }
            _ => {}
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are wanted in the test's log")]
fn threads_share_and_destroy_everything() {
    let rig = Rig::new();
    let commons = Commons::default();
    std::thread::scope(|s| {
        for seed in 1..=6 {
            let (rig, commons) = (&rig, &commons);
            s.spawn(move || one_thread(rig, commons, seed, 1500));
        }
    });
    let (ran, stale) = (commons.ran.load(SeqCst), commons.stale.load(SeqCst));
    println!("{ran} launches were right, {stale} calls came too late");
    assert!(ran > 100 && stale > 10, "{ran} ran, {stale} stale: the test does not do what it is for");
    for queue in commons.queues.into_inner().unwrap() {
        let _ = rig.runtime.sync(queue).and_then(|()| rig.runtime.destroy_queue(queue));
    }
    for event in commons.events.into_inner().unwrap() {
        let _ = rig.runtime.destroy_event(event);
    }
    for (program, ..) in commons.programs.into_inner().unwrap() {
        let _ = rig.runtime.destroy_program(program);
    }
    let stats = rig.runtime.stats();
    assert_eq!((stats.programs, stats.loaded_bytes, stats.cache.entries), (0, 0, 0), "{stats:?}");
    assert_eq!((stats.symbols, stats.queues, stats.events), (0, 0, 0), "{stats:?}");
}
