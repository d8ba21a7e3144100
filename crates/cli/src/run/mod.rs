//! `oarlock run`: one kernel, its arguments from the command line, its results to files and the terminal.

mod bind;
mod fit;
mod report;
mod shape;
mod timing;

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use oarlock::image::Kernel;
use oarlock::{DeviceKey, OptLevel, ProgramKey, Runtime, SymbolDetails, SymbolKey};

use crate::arg::{self, Arg};
use crate::cache::{self, Place};
use crate::error::{EXIT_CODES, Failure};
use crate::isolate;
use crate::progress::Progress;
use crate::source::{self, ProgramArgs};

use bind::Bound;
use shape::{Counts, Extent};
use timing::Times;

/// Options of `oarlock run`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = help())]
pub(crate) struct Options {
    #[command(flatten)]
    program: ProgramArgs,
    /// The kernel's name
    kernel: String,
    /// The kernel's arguments, one for each parameter (forms: see --help)
    #[arg(value_name = "ARG")]
    args: Vec<Arg>,
    #[command(flatten)]
    extent: Extent,
    /// Work-items per group in x, y, z
    #[arg(long, value_name = "X[,Y[,Z]]", help_heading = "Launch")]
    group: Counts,
    /// Bytes of dynamic group memory, like 4096 or 16k
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = arg::byte_count)]
    #[arg(help_heading = "Launch")]
    shared: u32,
    /// Launch so often, on the same buffers: they are not filled again in between
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Launch")]
    repeat: NonZeroU32,
    /// The device, by its number in `oarlock devices`
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Launch")]
    device: usize,
    /// Threads of the processor that take part [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Launch")]
    threads: Option<NonZeroUsize>,
    /// How hard the optimiser tries
    #[arg(long, value_name = "0..3", default_value = "3", value_parser = opt_level, help_heading = "Launch")]
    opt: OptLevel,
    /// Where compiled programs are kept, or `off` [default: see --help]
    #[arg(long, value_name = "DIR|off", help_heading = "Launch")]
    cache: Option<OsString>,
    /// How many values of a buffer to print
    #[arg(long, value_name = "N", default_value = "8", help_heading = "Output")]
    show: usize,
    /// Tell how long it took: creating (compile and load), launching (minimum, median, maximum)
    #[arg(long, help_heading = "Output")]
    time: bool,
    /// Print the results as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

fn help() -> String {
    format!(
        "\
{}

{}

--grid counts work-groups, as CUDA and liboffload do; OpenCL's global size is --items.
  --grid 4 --group 256          4 groups of 256: 1024 items
  --items 1000 --group 256      1000 items, rounded up to 4 groups: the kernel must check its bounds
  --items 640,480 --group 16,16 2 dimensions: 40 x 30 groups

Examples:
  oarlock run saxpy.cl saxpy --grid 4 --group 256 iota:f32:1024 zeros:f32:1024 f32:2.0
  oarlock run mandel.cl mandel --items 640,480 --group 16,16 out:u8:480x640:m.png i32:640 i32:480
  oarlock run sum.bc sum --grid 64 --group 256 in:x.npy out:f32:64:sums.npy local:1k
  oarlock run saxpy.ll saxpy --grid 65536 --group 256 --repeat 20 --time \\
      rand:f32:16777216 zeros:f32:16777216 f32:2

{}

The program runs with the rights of this command: one that writes past its buffers can do anything.

{EXIT_CODES}",
        source::FORMS,
        arg::FORMS,
        cache::WHERE
    )
}

/// An optimisation level by its number.
pub(crate) fn opt_level(text: &str) -> Result<OptLevel, String> {
    let level = text.parse().ok().and_then(OptLevel::from_number);
    level.ok_or_else(|| format!("a level is 0, 1, 2 or 3; got `{text}`"))
}

/// Runs the kernel and reports.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let shape = shape::launch_shape(&options.extent, &options.group, options.shared)?;
    let bytes = options.program.load()?;
    let runtime = runtime(options)?;
    let device = pick_device(&runtime, options.device)?;

    let line = Progress::spinner(format!("compiling {}", options.program.name()));
    let started = Instant::now();
    // SAFETY: whoever runs this command with a program answers for what the program does; `--help` says so.
    let program = unsafe { runtime.create_program(device, &bytes) };
    let program = program.map_err(|e| refused(options, e))?;
    let create = started.elapsed();
    drop(line);

    let (kernel, facts) = find_kernel(&runtime, program, options)?;
    fit::check(&facts, &options.args)?;
    let bound = Bound::new(&runtime, device, &options.args)?;
    let times = Times { create, launches: launch(&runtime, kernel, &shape, &bound, options.repeat)? };

    let results = bound.results(&runtime, device, &facts)?;
    for result in &results {
        result.write()?;
    }
    let report = report::Report {
        program: options.program.name(),
        kernel: &facts,
        device: (options.device, &runtime.device_facts(device)?.name),
        shape: &shape,
        results: &results,
        times: &times,
        buffer_bytes: bound.bytes(),
    };
    if options.json { report.json(options.show) } else { report.text(options.show, options.time) }
}

fn runtime(options: &Options) -> Result<Runtime, Failure> {
    let mut builder = Runtime::builder()
        .options(oarlock::Options::default().with_opt_level(options.opt))
        .isolation(options.program.isolation()?)
        .workers(isolate::workers());
    if let Some(threads) = options.threads {
        builder = builder.threads(threads);
    }
    if let Place::Dir(dir) = Place::or_default(options.cache.as_ref()) {
        builder = builder.cache_dir(dir);
        if let Some(bytes) = cache::limit()? {
            builder = builder.cache_dir_limit(bytes);
        }
    }
    Ok(builder.build()?)
}

fn pick_device(runtime: &Runtime, index: usize) -> Result<DeviceKey, Failure> {
    let devices = runtime.devices();
    devices.get(index).copied().ok_or_else(|| {
        Failure::Usage(format!(
            "there is no device {index}; `oarlock devices` lists {} of them, from 0",
            devices.len()
        ))
    })
}

fn refused(options: &Options, error: oarlock::Error) -> Failure {
    Failure::Program { program: options.program.name(), source: Box::new(error) }
}

fn find_kernel(
    runtime: &Runtime,
    program: ProgramKey,
    options: &Options,
) -> Result<(SymbolKey, Kernel), Failure> {
    let found = runtime.kernel(program, &options.kernel).and_then(|key| Ok((key, runtime.symbol_info(key)?)));
    let (key, info) = found.map_err(|e| refused(options, e))?;
    match info.details {
        SymbolDetails::Kernel(kernel) => Ok((key, kernel)),
        _ => Err(Failure::Arguments(format!("`{}` is no kernel", options.kernel))),
    }
}

fn launch(
    runtime: &Runtime,
    kernel: SymbolKey,
    shape: &oarlock::LaunchShape,
    bound: &Bound<'_>,
    repeat: NonZeroU32,
) -> Result<Vec<std::time::Duration>, Failure> {
    let args = bound.args();
    let line = Progress::bar("launching", repeat.get().into());
    let mut launches = Vec::with_capacity(repeat.get().min(1 << 20) as usize);
    for _ in 0..repeat.get() {
        let started = Instant::now();
        // SAFETY: as for the program; the buffers stay allocated until the runtime goes.
        unsafe { runtime.launch(None, kernel, shape, &args)? };
        launches.push(started.elapsed());
        line.step();
    }
    Ok(launches)
}
