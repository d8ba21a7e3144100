//! `oarlock compile`: a program to a file.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::ValueEnum;
use oarlock::{Compiler, Emit, OptLevel};

use crate::error::{EXIT_CODES, Failure};
use crate::isolate::Backend;
use crate::out;
use crate::progress::Progress;
use crate::run::opt_level;
use crate::source::{self, ProgramArgs};

/// Options of `oarlock compile`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = help())]
pub(crate) struct Options {
    #[command(flatten)]
    program: ProgramArgs,
    /// What to compile for
    #[arg(long, value_enum, default_value_t = Target::Host)]
    target: Target,
    /// What to write
    #[arg(long, value_enum, default_value_t = Form::Image)]
    emit: Form,
    /// Where to write it; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How hard the optimiser tries
    #[arg(long, value_name = "0..3", default_value = "3", value_parser = opt_level)]
    opt: OptLevel,
}

/// A target by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// This machine, with all that its processor can do
    Host,
}

/// A form of the compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The code as the runtime loads it: for the host, a relocatable ELF object
    Image,
    /// Assembly
    Asm,
    /// LLVM IR after the optimiser
    Ir,
}

fn help() -> String {
    format!(
        "\
{}

Examples:
  oarlock compile saxpy.cl --emit asm -o -
  oarlock compile saxpy.bc -o saxpy.o
  oarlock compile reduce.ll --emit ir --opt 1 -o reduce.opt.ll

{EXIT_CODES}",
        source::FORMS
    )
}

/// Compiles and writes.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let to_stdout = options.output.as_os_str() == "-";
    if to_stdout && options.emit == Form::Image && std::io::stdout().is_terminal() {
        return Err(Failure::Usage(
            "an image is binary and standard output is a terminal; give -o FILE, or --emit asm".into(),
        ));
    }
    let bytes = options.program.load()?;
    let compiler = Backend::new(options.program.isolation()?);
    let made = compile(options, &compiler, &bytes)
        .map_err(|e| Failure::Program { program: options.program.name(), source: Box::new(e) })?;
    if to_stdout {
        return out::bytes(&made);
    }
    std::fs::write(&options.output, made).map_err(Failure::file("write", &options.output))
}

fn compile(options: &Options, compiler: &Backend, bytes: &[u8]) -> Result<Vec<u8>, oarlock::Error> {
    let _line = Progress::spinner(format!("compiling {}", options.program.name()));
    let target = match options.target {
        Target::Host => Compiler::new().host_target(),
    };
    let how = oarlock::Options::default().with_opt_level(options.opt);
    let text = |what| compiler.emit(bytes, &target, &how, what).map(String::into_bytes);
    match options.emit {
        Form::Image => Ok(compiler.compile(bytes, &target, &how)?.code),
        Form::Asm => text(Emit::Assembly),
        Form::Ir => text(Emit::Ir),
    }
}
