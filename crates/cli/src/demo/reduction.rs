//! A kernel with barriers and group memory.

use oarlock::{Arg, LaunchShape};

use super::stage::{Outcome, Stage, compare, headline};
use crate::error::Failure;
use crate::out;

const PROGRAM: &[u8] = include_bytes!("../../kernels/reduction.ll");
const GROUP: u32 = 256;
const LAUNCHES: u32 = 5;

/// Small whole numbers: every sum is exact, in whatever order it is made.
fn x(i: usize) -> f32 {
    (i % 17) as f32
}

/// The sum of each group of `count` floats.
pub(super) fn run(stage: &Stage, count: usize) -> Result<Outcome, Failure> {
    let job = stage.create(PROGRAM, "reduction")?;
    let groups = count / GROUP as usize;
    let px = stage.buffer(&(0..count).map(x).collect::<Vec<_>>())?;
    let sums = stage.buffer(&vec![0f32; groups])?;
    let shape = LaunchShape::new(&[groups as u32], &[GROUP]).map_err(oarlock::Error::from)?;
    let tile = Arg::GroupMemory(GROUP * 4);
    let time = stage.launch(&job, &shape, &[px.into(), sums.into(), tile], LAUNCHES)?;
    let got = stage.read::<f32>(sums, groups)?;
    stage.finish(&job, &[px, sums])?;

    let gigabytes = 4.0 * count as f64 / time.as_secs_f64() / 1e9;
    let what = format!("{} sums of {GROUP}, 9 barriers each", out::grouped(groups as u64));
    let expected = |g: usize| (0..GROUP as usize).map(|l| x(g * GROUP as usize + l)).sum::<f32>();
    Ok(Outcome {
        lines: vec![headline(&what, &job, time, &format!("{gigabytes:.1} GB/s"))],
        wrong: compare("sums", &got, expected),
    })
}
