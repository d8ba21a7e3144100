//! The project's own commands: `cargo xtask setup | demo | ci | bench | kernels | fuzz`.
//!
//! Everything that a newcomer or a continuous-integration machine runs is here, in Rust, behind one alias. The
//! crate depends neither on LLVM nor on the project's other crates, because installing LLVM is its first job.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command whose job is to tell a person what it does"
)]

mod bench;
mod ci;
mod cmd;
mod demo;
mod error;
mod fuzz;
mod kernels;
mod setup;
mod tidy;
mod tools;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing on this machine (Debian and Ubuntu; elsewhere, say what to install)
    Setup(setup::Options),
    /// Install what a build needs, build the `oarlock` command in release mode and run `oarlock demo`
    Demo(demo::Options),
    /// Run every check that a change has to pass, cheapest first, and end with a summary
    Ci(ci::Options),
    /// Run the benchmarks and print medians and ratios
    Bench(bench::Options),
    /// Make the committed `.ll` of every kernel source again, with clang 22
    Kernels(kernels::Options),
    /// Run the fuzz targets
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = Workspace::find().and_then(|workspace| match cli.command {
        Command::Setup(options) => setup::main(&options),
        Command::Demo(options) => demo::main(&workspace, &options),
        Command::Ci(options) => ci::main(&workspace, &options),
        Command::Bench(options) => bench::main(&workspace, &options),
        Command::Kernels(options) => kernels::main(&workspace, &options),
        Command::Fuzz(options) => fuzz::main(&workspace, &options),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
