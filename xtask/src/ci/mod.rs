//! `cargo xtask ci`: one table of steps, run in order, with a summary that hides nothing.

mod c_checks;
mod outcome;
mod steps;
mod summary;

use std::time::Instant;

use crate::error::{Error, Result};
use crate::workspace::Workspace;

pub(crate) use outcome::{Done, Outcome};
use steps::{STEPS, Step};
use summary::Ran;

/// Options of `cargo xtask ci`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// List the steps and what each does, and run none
    #[arg(long)]
    list: bool,
    /// Run this step only; may be given several times, the table's order holds
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Stop at the first failure
    #[arg(long, conflicts_with = "keep_going")]
    fail_fast: bool,
    /// Go on after a failure (the default; here so that a script can say it)
    #[arg(long)]
    keep_going: bool,
}

/// Runs the steps asked for.
pub(crate) fn main(workspace: &Workspace, options: &Options) -> Result<()> {
    let steps = select(&options.only)?;
    if options.list {
        for step in steps {
            println!("{:<12} {}", step.name, step.about);
        }
        return Ok(());
    }
    let mut ran = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n=== {} ({} of {}): {}", step.name, index + 1, steps.len(), step.about);
        let start = Instant::now();
        let outcome = match (step.run)(workspace) {
            Ok(done) => Outcome::from(done),
            Err(error) => Outcome::Failed(error.to_string()),
        };
        let took = start.elapsed();
        println!("=== {}: {outcome} [{}]", step.name, summary::time(took));
        let failed = matches!(outcome, Outcome::Failed(_));
        ran.push(Ran { name: step.name, outcome, took });
        if failed && options.fail_fast {
            break;
        }
    }
    summary::print(&ran);
    let failed: Vec<&str> =
        ran.iter().filter(|r| matches!(r.outcome, Outcome::Failed(_))).map(|r| r.name).collect();
    if failed.is_empty() { Ok(()) } else { Err(Error::Steps(failed.join(", "))) }
}

/// The steps of these names, in the table's order; all of them where no name is given.
fn select(only: &[String]) -> Result<Vec<&'static Step>> {
    if let Some(name) = only.iter().find(|name| STEPS.iter().all(|s| s.name != **name)) {
        let known: Vec<&str> = STEPS.iter().map(|s| s.name).collect();
        return Err(Error::Unknown { kind: "step", name: name.clone(), known: known.join(", ") });
    }
    Ok(STEPS.iter().filter(|s| only.is_empty() || only.iter().any(|name| name == s.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str]) -> Vec<&'static str> {
        let only: Vec<String> = only.iter().map(|&s| s.to_owned()).collect();
        select(&only).unwrap().iter().map(|s| s.name).collect()
    }

    #[test]
    fn without_a_choice_every_step_runs_once() {
        let all = names(&[]);
        assert_eq!(all.len(), STEPS.len());
        assert_eq!(all[0], "setup");
        let mut unique = all.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), all.len());
    }

    #[test]
    fn a_choice_keeps_the_order_of_the_table() {
        assert_eq!(names(&["test", "fmt", "test"]), ["fmt", "test"]);
    }

    #[test]
    fn an_unknown_step_is_told_which_there_are() {
        let text = select(&["fmt".to_owned(), "lint".to_owned()]).unwrap_err().to_string();
        assert!(text.contains("'lint'") && text.contains("clippy") && text.contains("doc-test"), "{text}");
    }
}
