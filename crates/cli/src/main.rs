//! The `oarlock` command: run, compile and look into programs for Oarlock's devices.
//!
//! Each command is a module with its options and a `main`; `error` has the exit codes.

mod arg;
mod cache;
mod compile;
mod complete;
mod demo;
mod devices;
mod error;
mod inspect;
mod isolate;
mod npy;
mod observe;
mod out;
mod picture;
mod progress;
mod run;
mod source;
mod value;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::{EXIT_CODES, Failure};

/// Run, compile and look into programs for Oarlock's devices
///
/// A program is LLVM bitcode or textual LLVM IR with kernels in it, from clang's OpenCL C, from C, C++ or
/// Rust, or from GPU code; where clang 22 is installed, also a `.cl`, `.c` or `.cpp` source. Every machine has
/// at least one device: its processor.
#[derive(Parser, Debug)]
#[command(name = "oarlock", version, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES, after_long_help = concat_examples())]
struct Cli {
    #[command(flatten)]
    observe: observe::Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run one kernel of a program
    Run(run::Options),
    /// Compile a program to a file
    Compile(compile::Options),
    /// Tell what is in a program
    Inspect(inspect::Options),
    /// Look into the directory where compiled programs are kept, check it, clear it
    Cache(cache::Options),
    /// List the devices
    Devices(devices::Options),
    /// Show what the runtime does: four short jobs, each checked
    Demo(demo::Options),
    /// Print a completion script for a shell
    Completions(complete::Options),
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

fn concat_examples() -> String {
    format!(
        "\
Examples:
  oarlock demo
  oarlock run saxpy.cl saxpy --grid 4 --group 256 iota:f32:1024 zeros:f32:1024 f32:2.0
  oarlock inspect saxpy.bc --json
  oarlock compile saxpy.ll --emit asm -o -

{EXIT_CODES}"
    )
}

fn main() -> ExitCode {
    // The command is its own compile worker: started as one, it is nothing else.
    if let Some(code) = oarlock::worker::serve_if_asked() {
        return code;
    }
    let cli = Cli::parse();
    match work(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.exit_code();
            if code != 0 {
                // Nobody is left to tell where standard error is gone, too.
                let _ = writeln!(std::io::stderr(), "error: {failure}");
            }
            ExitCode::from(code)
        }
    }
}

fn work(cli: &Cli) -> Result<(), Failure> {
    let _trace = observe::start(&cli.observe)?;
    match &cli.command {
        Command::Run(options) => run::main(options),
        Command::Compile(options) => compile::main(options),
        Command::Inspect(options) => inspect::main(options),
        Command::Cache(options) => cache::main(options),
        Command::Devices(options) => devices::main(options),
        Command::Demo(options) => demo::main(options),
        Command::Completions(options) => complete::main(options),
        Command::Man => complete::man(),
    }
}
