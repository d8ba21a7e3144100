//! What a worker costs, and what two of them are worth. Printed, not judged: machines are shared.

mod support;

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use oarlock::worker::Client;
use oarlock::{Compiler, Options};
use support::{compile, config, program, target};

#[test]
fn the_cost_of_a_worker_and_the_worth_of_two() {
    let (here, there) = (Compiler::new(), Client::new(config().workers(NonZeroUsize::MIN)));
    let options = Options::default();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // Turn by turn, so that a busy moment falls on both.
    for _ in 0..20 {
        let bytes = support::MODULES[1];
        ours.push(time(|| drop(here.compile(bytes, &target(), &options).unwrap())));
        theirs.push(time(|| drop(there.compile(bytes, &target(), &options).unwrap())));
    }
    let (ours, theirs) = (ours.into_iter().min().unwrap(), theirs.into_iter().min().unwrap());
    support::tell(format_args!(
        "a small kernel in process {ours:?}, in a worker {theirs:?}: {:.3}x",
        ratio(theirs, ours)
    ));

    let both = [1, 2].map(|workers| {
        let client = Client::new(config().workers(NonZeroUsize::new(workers).unwrap()));
        let two_askers = |first: u32| {
            std::thread::scope(|scope| {
                for asker in 0..2 {
                    let client = &client;
                    scope.spawn(move || {
                        for n in 0..15 {
                            compile(client, program(first + 100 * asker + n, "good").as_bytes()).unwrap();
                        }
                    });
                }
            });
        };
        two_askers(1000);
        (0..3).map(|round| time(|| two_askers(2000 + 1000 * round))).min().unwrap()
    });
    support::tell(format_args!(
        "30 programs with one worker {:?}, with two {:?}: {:.2}x",
        both[0],
        both[1],
        ratio(both[0], both[1])
    ));
}

fn time(work: impl FnOnce()) -> Duration {
    let since = Instant::now();
    work();
    since.elapsed()
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}
