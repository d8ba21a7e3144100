//! `--trace` and `--verbose`: where the spans and events of the runtime go.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use tracing::Level;
use tracing_chrome::{ChromeLayerBuilder, EventOrSpan, FlushGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

use crate::error::Failure;

/// Options of every command.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Write a trace to FILE, for Perfetto (ui.perfetto.dev) or chrome://tracing
    ///
    /// It holds what the runtime did and when: create, compile, load, launch, destroy, cache.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    trace: Option<PathBuf>,
    /// Log what the runtime does to standard error; twice for every detail
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    verbose: u8,
}

/// Starts what the options ask for. The trace is complete when the guard has been dropped.
pub(crate) fn start(options: &Options) -> Result<Option<FlushGuard>, Failure> {
    let (chrome, guard) = match &options.trace {
        None => (None, None),
        Some(path) => {
            let file = File::create(path).map_err(Failure::file("write the trace to", path))?;
            let (layer, guard) = ChromeLayerBuilder::new()
                .writer(BufWriter::new(file))
                .include_args(true)
                .include_locations(false)
                .name_fn(Box::new(name))
                .build();
            (Some(layer.with_filter(ours(Level::TRACE))), Some(guard))
        }
    };
    let log = match options.verbose {
        0 => None,
        n => {
            let level = if n == 1 { Level::DEBUG } else { Level::TRACE };
            let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
            Some(layer.with_filter(ours(level)))
        }
    };
    if chrome.is_some() || log.is_some() {
        tracing_subscriber::registry().with(chrome).with(log).init();
    }
    Ok(guard)
}

/// The project's own crates.
fn ours(level: Level) -> Targets {
    Targets::new().with_target("oarlock", level)
}

/// The name of a span is its own; an event's is its message, which the trace keeps among the arguments.
fn name<S>(what: &EventOrSpan<'_, '_, S>) -> String
where
    S: tracing::Subscriber + for<'s> tracing_subscriber::registry::LookupSpan<'s> + Send + Sync,
{
    match what {
        EventOrSpan::Span(span) => span.metadata().name().to_owned(),
        EventOrSpan::Event(event) => event.metadata().target().to_owned(),
    }
}
