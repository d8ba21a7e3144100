//! Time, taken in rounds.

use std::sync::Barrier;
use std::time::{Duration, Instant};

/// What can be repeated and timed.
pub(crate) trait Work: Sync {
    /// Its name in the table.
    fn name(&self) -> &'static str;
    /// Does it some times; how many. `thread` tells concurrent callers apart.
    fn pass(&self, thread: usize) -> usize;
}

/// Nanoseconds per operation and thread: the lower quartile of the rounds, for each work and each number of
/// threads.
pub(crate) fn measure(
    works: &[Box<dyn Work>],
    threads: &[usize],
    rounds: usize,
    quick: bool,
) -> Vec<Vec<f64>> {
    let budget = Duration::from_micros(if quick { 100 } else { 3000 });
    let mut figures = vec![vec![Vec::new(); threads.len()]; works.len()];
    for work in works {
        work.pass(0);
    }
    for _ in 0..rounds {
        for (work, figures) in works.iter().zip(&mut figures) {
            for (&threads, figures) in threads.iter().zip(figures) {
                figures.push(together(work.as_ref(), threads, budget));
            }
        }
    }
    figures.into_iter().map(|all| all.into_iter().map(quartile).collect()).collect()
}

fn together(work: &dyn Work, threads: usize, budget: Duration) -> f64 {
    if threads == 1 {
        return each(work, 0, budget);
    }
    let start = Barrier::new(threads);
    let sum: f64 = std::thread::scope(|scope| {
        let run = |thread| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                each(work, thread, budget)
            })
        };
        let all: Vec<_> = (0..threads).map(run).collect();
        all.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    sum / threads as f64
}

fn each(work: &dyn Work, thread: usize, budget: Duration) -> f64 {
    let mut done = 0;
    let start = Instant::now();
    loop {
        done += work.pass(thread);
        let spent = start.elapsed();
        if spent >= budget {
            return spent.as_nanos() as f64 / done as f64;
        }
    }
}

fn quartile(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 4]
}
