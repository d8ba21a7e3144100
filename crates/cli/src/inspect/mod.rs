//! `oarlock inspect`: what is in a file, as far as it can be told without running it.

mod elf;
mod report;

use oarlock::{Compiler, Error, Format, Metadata, ModuleInfo};

use crate::error::{EXIT_CODES, Failure};
use crate::isolate::Backend;
use crate::out;
use crate::progress::Progress;
use crate::source::{self, ProgramArgs};

/// Options of `oarlock inspect`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = help())]
pub(crate) struct Options {
    #[command(flatten)]
    program: ProgramArgs,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "\
{}
  What `oarlock compile` wrote is told by its kind and its symbols.

Examples:
  oarlock inspect saxpy.cl
  oarlock inspect saxpy.bc --json | jq '.kernels[].parameters[].type'

{EXIT_CODES}",
        source::FORMS
    )
}

/// What is known of a program.
struct Program {
    info: ModuleInfo,
    /// What only a compile finds out: barriers and group memory; or why it does not compile.
    compiled: Result<Compiled, Error>,
}

struct Compiled {
    metadata: Metadata,
    code_bytes: usize,
    target: String,
}

/// Tells what is in the file.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let bytes = options.program.load()?;
    let name = options.program.name();
    match Format::sniff(&bytes) {
        Format::Elf => {
            let elf =
                elf::read(&bytes).map_err(|reason| Failure::Content { path: name.clone().into(), reason })?;
            if options.json {
                out::json(&elf.json(&name, bytes.len()))
            } else {
                out::line(elf.text(&name, bytes.len()))
            }
        }
        _ => {
            let compiler = Backend::new(options.program.isolation()?);
            let program = read(&compiler, &name, &bytes)
                .map_err(|e| Failure::Program { program: name.clone(), source: Box::new(e) })?;
            if options.json {
                out::json(&report::json(&name, bytes.len(), &program))
            } else {
                out::line(report::text(&name, bytes.len(), &program))
            }
        }
    }
}

fn read(compiler: &Backend, name: &str, bytes: &[u8]) -> Result<Program, Error> {
    let _line = Progress::spinner(format!("reading {name}"));
    let info = compiler.inspect(bytes)?;
    let target = Compiler::new().host_target();
    let compiled = compiler.compile(bytes, &target, &oarlock::Options::default()).map(|image| Compiled {
        code_bytes: image.code.len(),
        metadata: image.metadata,
        target: target.to_string(),
    });
    Ok(Program { info, compiled })
}
