//! What a launch costs that does nothing.

use std::time::Instant;

use oarlock::{Error, LaunchShape};

use crate::inputs::EMPTY_GROUPS;
use crate::sample::{sample, timed};
use crate::setting::Setting;

pub(crate) fn run(setting: &Setting) -> Result<(), Error> {
    let empty = setting.kernel("empty")?;
    let one = LaunchShape::new(&[1], &[1])?;
    // SAFETY: the kernel touches no memory.
    let launch = |queue, shape| unsafe { setting.launch(queue, empty, shape, &[]) };

    for _ in 0..200 {
        launch(None, &one)?;
    }
    let mut micros = Vec::with_capacity(setting.launches);
    for _ in 0..setting.launches {
        let start = Instant::now();
        launch(None, &one)?;
        micros.push(start.elapsed().as_secs_f64() * 1e6);
    }
    report(&mut micros);

    let queue = setting.runtime.create_queue(setting.device)?;
    for _ in 0..setting.repeat {
        let start = Instant::now();
        for _ in 0..1000 {
            launch(Some(queue), &one)?;
        }
        setting.runtime.sync(queue)?;
        sample("empty_launch_pipelined", "us", start.elapsed().as_secs_f64() * 1e3);
    }
    // One launch and its sync: what a program pays that takes a queue and waits each time.
    timed("empty_launch_queue_sync", setting.repeat, || {
        launch(Some(queue), &one)?;
        setting.runtime.sync(queue)
    })?;
    setting.runtime.destroy_queue(queue)?;

    let many = LaunchShape::new(&[EMPTY_GROUPS], &[1])?;
    timed("empty_16384_groups", setting.repeat, || launch(None, &many))
}

/// Samples of empty launches in microseconds, in the order in which they were taken.
fn report(micros: &mut [f64]) {
    for hundred in micros.chunks_exact(100) {
        sample("empty_launch_sync_mean100", "us", hundred.iter().sum::<f64>() / 100.0);
    }
    micros.sort_by(f64::total_cmp);
    sample("empty_launch_sync_p50", "us", micros[micros.len() / 2]);
    sample("empty_launch_sync_p99", "us", micros[micros.len() * 99 / 100]);
}
