//! A kernel whose items take different ways, and its picture.

use std::path::Path;

use oarlock::{Arg, LaunchShape};

use super::colour;
use super::stage::{Outcome, Stage, compare, headline};
use crate::error::Failure;
use crate::{out, picture};

const PROGRAM: &[u8] = include_bytes!("../../kernels/mandelbrot.ll");
const FILE: &str = "oarlock-mandelbrot.png";
const GROUP: [u32; 2] = [16, 16];
const LIMIT: u32 = 400;

/// Samples per pixel in each dimension.
const SAMPLES: u32 = 2;

/// What the picture shows: the middle, and how high it is.
const MIDDLE: (f32, f32) = (-0.65, 0.0);
const HEIGHT: f32 = 2.4;

/// The host checks one row of samples in so many.
const CHECKED: u32 = 61;

/// Where the samples lie in the plane.
struct View {
    width: u32,
    height: u32,
    left: f32,
    top: f32,
    step: f32,
}

impl View {
    fn new((width, height): (u32, u32)) -> Self {
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        let step = HEIGHT / height as f32;
        let left = MIDDLE.0 - step * width as f32 / 2.0;
        Self { width, height, left, top: MIDDLE.1 - HEIGHT / 2.0, step }
    }

    /// The kernel's computation for one sample.
    fn sample(&self, px: u32, py: u32) -> (u32, f32) {
        let (cx, cy) = (self.left + self.step * px as f32, self.top + self.step * py as f32);
        let (mut x, mut y, mut count) = (0f32, 0f32, 0);
        while count < LIMIT && x * x + y * y <= 65536.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            count += 1;
        }
        (count, x * x + y * y)
    }
}

/// Computes the samples, checks some of them and writes the picture to `folder`.
pub(super) fn run(stage: &Stage, size: (u32, u32), folder: &Path) -> Result<Outcome, Failure> {
    let job = stage.create(PROGRAM, "mandelbrot")?;
    let view = View::new(size);
    let samples = (view.width * view.height) as usize;
    let counts = stage.buffer(&vec![0u32; samples])?;
    let norms = stage.buffer(&vec![0f32; samples])?;
    let shape = LaunchShape::new(&[view.width / GROUP[0], view.height / GROUP[1]], &GROUP)
        .map_err(oarlock::Error::from)?;
    let args = [
        counts.into(),
        norms.into(),
        Arg::from(view.width),
        Arg::from(view.left),
        Arg::from(view.top),
        Arg::from(view.step),
        Arg::from(LIMIT),
    ];
    let time = stage.launch(&job, &shape, &args, 1)?;
    let (got, got_norms) = (stage.read::<u32>(counts, samples)?, stage.read::<f32>(norms, samples)?);
    stage.finish(&job, &[counts, norms])?;

    let file = folder.join(FILE);
    let file = std::path::absolute(&file).unwrap_or(file);
    let pixels = colour::picture(&got, &got_norms, size, SAMPLES, LIMIT);
    picture::write(&file, size.0, size.1, 3, &pixels)?;
    let iterations = got.iter().map(|&n| u64::from(n)).sum::<u64>() as f64 / time.as_secs_f64();
    let what = format!("{} x {} samples", out::grouped(view.width.into()), out::grouped(view.height.into()));
    Ok(Outcome {
        lines: vec![
            headline(&what, &job, time, &format!("{:.2} G iterations/s", iterations / 1e9)),
            format!("-> {}", file.display()),
        ],
        wrong: check(&view, &got, &got_norms),
    })
}

/// Compares every so many rows with what the host computes: to the bit, for the kernel rounds as it does.
fn check(view: &View, counts: &[u32], norms: &[f32]) -> Vec<String> {
    let mut wrong = Vec::new();
    for py in (0..view.height).step_by(CHECKED as usize) {
        let row = (py * view.width) as usize..((py + 1) * view.width) as usize;
        let expected: Vec<_> = (0..view.width).map(|px| view.sample(px, py)).collect();
        wrong.extend(compare(&format!("row {py} of counts"), &counts[row.clone()], |i| expected[i].0));
        wrong.extend(compare(&format!("row {py} of norms"), &norms[row], |i| expected[i].1));
    }
    wrong.truncate(2);
    wrong
}
