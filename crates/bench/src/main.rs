//! Our side of the benchmarks: the same work as the programs in `tests/peers/`, printed in the same form.
//!
//! `oarlock-bench launch|kernels [KERNELS] [--quick]` prints lines `S<TAB>metric<TAB>unit<TAB>value` and
//! `CHECK<TAB>name<TAB>ok|WRONG`. `cargo xtask bench` runs it and the peers in turn and compares.
#![allow(clippy::print_stdout, reason = "its output is what `cargo xtask bench` reads")]

mod inputs;
mod kernels;
mod launch;
mod reference;
mod sample;
mod setting;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use crate::setting::Setting;

/// Our side of the benchmarks.
#[derive(Parser)]
struct Options {
    /// What to measure
    #[arg(value_enum)]
    mode: Mode,
    /// Few repetitions: shows that everything works, not how fast it is
    #[arg(long)]
    quick: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// Empty launches: synchronous, in a queue, of many groups
    Launch,
    /// saxpy, mandelbrot and a reduction with barriers
    Kernels,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let measured = Setting::new(options.quick).and_then(|setting| match options.mode {
        Mode::Launch => launch::run(&setting),
        Mode::Kernels => kernels::run(&setting),
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not through `print`: what is printed there is read as figures.
            let _ =
                std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("oarlock-bench: {error}\n"));
            ExitCode::FAILURE
        }
    }
}
