//! `oarlock demo`: four short jobs on the first device, each checked.

mod colour;
mod lifecycle;
mod mandelbrot;
mod reduction;
mod saxpy;
mod stage;

use std::path::PathBuf;

use crate::error::{EXIT_CODES, Failure};
use crate::out;
use crate::progress::Progress;

use stage::{Outcome, Stage};

/// Options of `oarlock demo`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Options {
    /// Where the picture goes
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Do less of everything: for a quick look, or a slow build
    #[arg(long)]
    quick: bool,
}

/// How much work the demo does.
struct Size {
    /// Elements of saxpy and the reduction.
    floats: usize,
    /// Pixels of the picture, wide and high.
    picture: (u32, u32),
    /// Programs made and destroyed.
    programs: usize,
}

const FULL: Size = Size { floats: 1 << 24, picture: (1536, 1024), programs: 1000 };
const QUICK: Size = Size { floats: 1 << 20, picture: (384, 256), programs: 50 };

/// Runs the jobs and sums up.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let size = if options.quick { &QUICK } else { &FULL };
    std::fs::create_dir_all(&options.out).map_err(Failure::file("make the folder", &options.out))?;
    let stage = Stage::new()?;
    out::line(format!("On {}\n", stage.device_name()?))?;
    let jobs = [
        tell("saxpy", || saxpy::run(&stage, size.floats))?,
        tell("mandelbrot", || mandelbrot::run(&stage, size.picture, &options.out))?,
        tell("reduction", || reduction::run(&stage, size.floats))?,
        // It has a line of its own, with a count.
        print("programs", &lifecycle::run(&stage, size.programs)?)?,
    ];
    match jobs.iter().filter(|correct| !**correct).count() {
        0 => out::line("\nAll correct."),
        wrong => Err(Failure::Wrong(format!("{wrong} of {} jobs computed something wrong", jobs.len()))),
    }
}

/// Runs a job and prints what it did. True where it was correct.
fn tell(name: &str, job: impl FnOnce() -> Result<Outcome, Failure>) -> Result<bool, Failure> {
    let line = Progress::spinner(name);
    let outcome = job()?;
    drop(line);
    print(name, &outcome)
}

/// Prints what a job did. True where it was correct.
fn print(name: &str, outcome: &Outcome) -> Result<bool, Failure> {
    let mut label = name;
    for line in &outcome.lines {
        out::line(format!("{label:11} {line}"))?;
        label = "";
    }
    for wrong in &outcome.wrong {
        out::line(format!("{label:11} WRONG: {wrong}"))?;
    }
    Ok(outcome.wrong.is_empty())
}
