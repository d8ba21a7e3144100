//! `cargo xtask bench`: ours and the peers in turn, pass after pass, so that a noisy machine is noisy for all.

mod programs;
mod rows;
mod samples;
mod table;

use std::path::PathBuf;

use crate::ci::Done;
use crate::error::{self, Error, Result};
use crate::workspace::Workspace;
use programs::{Profile, Runner};
use rows::Row;
use samples::Samples;
use table::{BENCHES, Bench, Source};

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The benchmarks to run [default: all]
    names: Vec<String>,
    /// Also run the peers that are installed, in turn with ours
    #[arg(long)]
    peers: bool,
    /// Write the rows to this file, as a JSON array
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// One pass with few repetitions: shows that everything works, not how fast it is
    #[arg(long)]
    quick: bool,
    /// How many times everybody has a turn
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    passes: u32,
    /// List the benchmarks, and run none
    #[arg(long)]
    list: bool,
}

/// Runs the benchmarks asked for and prints their table.
pub(crate) fn main(workspace: &Workspace, options: &Options) -> Result<()> {
    let benches = select(&options.names)?;
    if options.list {
        benches.iter().for_each(|b| println!("{:<10} {}", b.name, b.about));
        return Ok(());
    }
    let passes = if options.quick { 1 } else { options.passes };
    let mut runner = Runner::new(workspace, Profile::Release, options.quick, options.peers);
    println!("{}", machine());
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for bench in benches {
        match measure(&mut runner, bench, passes)? {
            Measured::Rows(rows) => all.extend(rows),
            // Only a benchmark that was asked for by name has to be there.
            Measured::Missing(why) if !options.names.is_empty() => return Err(Error::Bench(why)),
            Measured::Missing(why) => notes.push(format!("SKIPPED {}: {why}", bench.name)),
        }
    }
    notes.extend(runner.missing_peers());
    rows::print(&all);
    notes.iter().for_each(|note| println!("{note}"));
    if let Some(file) = &options.json {
        error::write(file, &rows::json(&all))?;
        println!("{} rows written to {}", all.len(), file.display());
    }
    runner.verdict()
}

/// The step of `cargo xtask ci`: everything once, with what the steps before have built. Shows that the
/// benchmarks run, in ours and the peers' programs, and that all compute the right results; times say nothing.
pub(crate) fn smoke_step(workspace: &Workspace) -> Result<Done> {
    let mut runner = Runner::new(workspace, Profile::Dev, true, true);
    let mut notes = Vec::new();
    for bench in BENCHES {
        match measure(&mut runner, bench, 1)? {
            Measured::Rows(rows) if rows.is_empty() => {
                return Err(Error::Bench(format!("the benchmark {} measured nothing", bench.name)));
            }
            Measured::Rows(rows) => println!("{}: {} rows", bench.name, rows.len()),
            Measured::Missing(why) => notes.push(format!("{} SKIPPED: {why}", bench.name)),
        }
    }
    notes.extend(runner.missing_peers());
    runner.verdict()?;
    Ok(if notes.len() >= BENCHES.len() && runner.nothing_ran() {
        Done::skipped(notes.join("; "))
    } else {
        Done::with_notes(notes)
    })
}

enum Measured {
    Rows(Vec<Row>),
    Missing(String),
}

fn measure(runner: &mut Runner<'_>, bench: &Bench, passes: u32) -> Result<Measured> {
    match bench.source {
        Source::Cargo { package, target } => {
            if !runner.workspace.has_target(package, "bench", target) {
                return Ok(Measured::Missing(format!("{package} has no benchmark `{target}` yet")));
            }
            let mut passes_rows = Vec::new();
            for pass in 1..=passes {
                println!("{}: pass {pass} of {passes}", bench.name);
                passes_rows.push(rows::parse(bench, &runner.cargo_bench(package, target)?)?);
            }
            Ok(Measured::Rows(rows::medians(passes_rows)))
        }
        Source::Programs { mode, peers } => {
            if let Err(why) = runner.prepare_ours()? {
                return Ok(Measured::Missing(why));
            }
            let peers = runner.prepare_peers(peers)?;
            let mut ours = Samples::default();
            let mut theirs: Vec<_> = peers.iter().map(|peer| (peer, Samples::default())).collect();
            for pass in 1..=passes {
                println!("{}: pass {pass} of {passes}", bench.name);
                runner.run_ours(mode, &mut ours)?;
                for (peer, samples) in &mut theirs {
                    runner.run_peer(peer, samples)?;
                }
            }
            Ok(Measured::Rows(rows::compare(bench, &ours, &theirs)))
        }
    }
}

fn select(names: &[String]) -> Result<Vec<&'static Bench>> {
    if let Some(name) = names.iter().find(|name| BENCHES.iter().all(|b| b.name != **name)) {
        let known: Vec<&str> = BENCHES.iter().map(|b| b.name).collect();
        return Err(Error::Unknown { kind: "benchmark", name: name.clone(), known: known.join(", ") });
    }
    Ok(BENCHES.iter().filter(|b| names.is_empty() || names.iter().any(|name| name == b.name)).collect())
}

/// The machine and how busy it was when the run began: figures mean little without.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .map_or("an unknown processor", |m| m.trim_start_matches([' ', '\t', ':']));
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{model}, {threads} threads, load {}", load.split(' ').next().unwrap_or("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_are_chosen_by_name() {
        let chosen = select(&["kernels".to_owned()]).unwrap();
        assert_eq!(chosen.iter().map(|b| b.name).collect::<Vec<_>>(), ["kernels"]);
        assert_eq!(select(&[]).unwrap().len(), BENCHES.len());
        let text = select(&["speed".to_owned()]).err().unwrap().to_string();
        assert!(text.contains("'speed'") && text.contains("launch, kernels, arena, host"), "{text}");
    }
}
