//! A streaming kernel: as fast as memory is.

use oarlock::{Arg, LaunchShape};

use super::stage::{Outcome, Stage, compare, headline};
use crate::error::Failure;
use crate::out;

const PROGRAM: &[u8] = include_bytes!("../../kernels/saxpy.ll");
const GROUP: u32 = 256;
const LAUNCHES: u32 = 10;

/// All values are small whole numbers, so every sum is exact.
const FACTOR: f32 = 2.0;

fn x(i: usize) -> f32 {
    (i % 1024) as f32
}

fn y(i: usize) -> f32 {
    (i % 7) as f32
}

/// `y = a * x + y` over `count` floats, several times.
pub(super) fn run(stage: &Stage, count: usize) -> Result<Outcome, Failure> {
    let job = stage.create(PROGRAM, "saxpy")?;
    let px = stage.buffer(&(0..count).map(x).collect::<Vec<_>>())?;
    let py = stage.buffer(&(0..count).map(y).collect::<Vec<_>>())?;
    let shape =
        LaunchShape::new(&[(count / GROUP as usize) as u32], &[GROUP]).map_err(oarlock::Error::from)?;
    let time = stage.launch(&job, &shape, &[px.into(), py.into(), Arg::from(FACTOR)], LAUNCHES)?;
    let got = stage.read::<f32>(py, count)?;
    stage.finish(&job, &[px, py])?;

    // Two reads and a write.
    let gigabytes = 12.0 * count as f64 / time.as_secs_f64() / 1e9;
    let what = format!("y = 2 x + y over {} floats", out::grouped(count as u64));
    Ok(Outcome {
        lines: vec![headline(&what, &job, time, &format!("{gigabytes:.1} GB/s"))],
        wrong: compare("y", &got, |i| y(i) + LAUNCHES as f32 * FACTOR * x(i)),
    })
}
