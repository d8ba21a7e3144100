//! The table at the end of a run.

use std::time::Duration;

use super::Outcome;

/// A step that ran.
pub(crate) struct Ran {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// Prints the table and, last, the counts.
pub(crate) fn print(ran: &[Ran]) {
    let total: Duration = ran.iter().map(|r| r.took).sum();
    println!("\n=== summary");
    for step in ran {
        println!("{:<12} {:>8}  {}", step.name, time(step.took), step.outcome);
    }
    println!("{:<12} {:>8}", "total", time(total));
    println!("{}", counts(ran));
}

/// One line that tools which read the end of a log understand.
fn counts(ran: &[Ran]) -> String {
    let count = |pick: fn(&Outcome) -> bool| ran.iter().filter(|r| pick(&r.outcome)).count();
    format!(
        "steps: {} passed, {} failed, {} skipped",
        count(|o| matches!(o, Outcome::Ok(_))),
        count(|o| matches!(o, Outcome::Failed(_))),
        count(|o| matches!(o, Outcome::Skipped(_))),
    )
}

/// A duration as a person reads it.
pub(crate) fn time(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} m {:02} s", took.as_secs() / 60, took.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_counted() {
        let ran = |name, outcome| Ran { name, outcome, took: Duration::from_secs(1) };
        let all = [
            ran("a", Outcome::Ok(vec![])),
            ran("b", Outcome::Ok(vec!["no peer".to_owned()])),
            ran("c", Outcome::Skipped("no tool".to_owned())),
            ran("d", Outcome::Failed("bad\nworse".to_owned())),
        ];
        assert_eq!(counts(&all), "steps: 2 passed, 1 failed, 1 skipped");
        assert_eq!(all[1].outcome.to_string(), "ok (no peer)");
        assert_eq!(all[2].outcome.to_string(), "SKIPPED (no tool)");
        assert_eq!(all[3].outcome.to_string(), "FAILED (bad)");
    }

    #[test]
    fn times_read_well() {
        assert_eq!(time(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(time(Duration::from_secs(125)), "2 m 05 s");
    }
}
