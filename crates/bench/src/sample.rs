//! Clocks, and printing what they say.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// Prints one sample.
pub(crate) fn sample(metric: &str, unit: &str, value: f64) {
    println!("S\t{metric}\t{unit}\t{value:.6}");
}

/// Prints whether a result is right.
pub(crate) fn check(name: &str, ok: bool) {
    println!("CHECK\t{name}\t{}", if ok { "ok" } else { "WRONG" });
}

/// Runs `work` twice for warmth and `repeat` times for a sample of wall time and one of CPU time.
pub(crate) fn timed<E>(
    metric: &str,
    repeat: usize,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    work()?;
    work()?;
    for _ in 0..repeat {
        let (cpu, start) = (cpu_seconds(), Instant::now());
        work()?;
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        sample(metric, "ms", wall * 1e3);
        sample(&format!("{metric}@cpu/thread"), "ms", cpu * 1e3 / threads());
    }
    Ok(())
}

/// The CPU time that all threads of this process have used.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn threads() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64)
}
