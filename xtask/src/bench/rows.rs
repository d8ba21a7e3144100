//! Rows of the result: one metric of ours beside the same metric of one peer.

use serde::Serialize;

use super::samples::{Samples, median};
use super::table::{Bench, Peer};
use crate::error::{Error, Result};

/// One comparison. Without a peer, `peer`, `theirs`, `ratio`, `goal` and `met` are null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    bench: String,
    metric: String,
    unit: String,
    ours: f64,
    peer: Option<String>,
    theirs: Option<f64>,
    /// ours / theirs: lower is better for us.
    ratio: Option<f64>,
    /// The highest ratio allowed.
    goal: Option<f64>,
    met: Option<bool>,
}

impl Row {
    /// A row; ratio and verdict follow from the figures.
    fn new(names: [&str; 3], ours: f64, peer: Option<(&str, f64)>, goal: Option<f64>) -> Self {
        let [bench, metric, unit] = names.map(str::to_owned);
        let ratio = peer.map(|(_, theirs)| ours / theirs).filter(|ratio| ratio.is_finite());
        // A goal without a figure to hold against it would read as unmet, or worse, as met.
        let goal = goal.filter(|_| ratio.is_some());
        let met = goal.zip(ratio).map(|(goal, ratio)| ratio <= goal);
        Self {
            bench,
            metric,
            unit,
            ours,
            peer: peer.map(|p| p.0.to_owned()),
            theirs: peer.map(|p| p.1),
            ratio,
            goal,
            met,
        }
    }
}

/// The rows of one benchmark: each metric of ours with every peer that has it, or alone.
pub(crate) fn compare(bench: &Bench, ours: &Samples, theirs: &[(&Peer, Samples)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (metric, unit, value) in ours.medians() {
        let names = [bench.name, metric, unit];
        let before = rows.len();
        for (peer, samples) in theirs {
            let Some(other) = samples.median(metric) else { continue };
            let goal =
                bench.goals.iter().find(|g| g.metric == metric && g.peer == peer.name).map(|g| g.ratio);
            rows.push(Row::new(names, value, Some((peer.name, other)), goal));
        }
        if rows.len() == before {
            rows.push(Row::new(names, value, None, None));
        }
    }
    rows
}

/// Reads what a benchmark of cargo prints: lines `ROW<TAB>bench<TAB>metric<TAB>unit<TAB>ours<TAB>peer<TAB>theirs<TAB>goal`
/// (peer, theirs and goal may be `-`), and samples, which become rows without a peer.
pub(crate) fn parse(bench: &Bench, printed: &str) -> Result<Vec<Row>> {
    let lines = printed.lines().filter(|line| line.starts_with("ROW\t"));
    let bad = |line| Error::Output {
        what: format!("the benchmark {}", bench.name),
        reason: format!("line `{line}`"),
    };
    let mut rows = lines.map(|line| row(line).ok_or_else(|| bad(line))).collect::<Result<Vec<_>>>()?;
    let mut samples = Samples::default();
    let wrong = samples.take(bench.name, printed)?;
    if !wrong.is_empty() {
        return Err(Error::Bench(format!("wrong results: {} {}", bench.name, wrong.join(", "))));
    }
    rows.extend(compare(bench, &samples, &[]));
    Ok(rows)
}

fn row(line: &str) -> Option<Row> {
    let [_, bench, metric, unit, ours, peer, theirs, goal] = line.split('\t').collect::<Vec<_>>()[..] else {
        return None;
    };
    // The outer Option: is it readable? The inner: is it there?
    let number =
        |text: &str| if text == "-" || text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    let (theirs, goal): (Option<f64>, Option<f64>) = (number(theirs)?, number(goal)?);
    let peer = (peer != "-" && !peer.is_empty()).then_some(peer).zip(theirs);
    Some(Row::new([bench, metric, unit], ours.parse().ok()?, peer, goal))
}

/// One list of rows out of several passes: medians of ours and of theirs, and the ratio of the two.
pub(crate) fn medians(passes: Vec<Vec<Row>>) -> Vec<Row> {
    let first = passes.first().cloned().unwrap_or_default();
    let same = |a: &Row, b: &Row| a.bench == b.bench && a.metric == b.metric && a.peer == b.peer;
    first
        .iter()
        .map(|row| {
            let all = || passes.iter().flatten().filter(|other| same(row, other));
            let ours = median(all().map(|r| r.ours).collect());
            let theirs =
                row.peer.as_deref().map(|peer| (peer, median(all().filter_map(|r| r.theirs).collect())));
            Row::new([&row.bench, &row.metric, &row.unit], ours, theirs, row.goal)
        })
        .collect()
}

/// The rows as a JSON array, one field a line.
pub(crate) fn json(rows: &[Row]) -> String {
    let mut text = serde_json::to_string_pretty(rows).unwrap_or_default();
    text.push('\n');
    text
}

/// The rows as a table.
pub(crate) fn print(rows: &[Row]) {
    println!();
    println!(
        "{:<8} {:<34} {:>5} {:>10} {:<14} {:>10} {:>8}  goal",
        "bench", "metric", "unit", "ours", "peer", "theirs", "ratio"
    );
    for row in rows {
        let optional = |value: Option<f64>| value.map_or_else(String::new, figure);
        let ratio = row.ratio.map_or_else(String::new, |r| format!("{r:.3}x"));
        let goal = match (row.goal, row.met) {
            (Some(goal), Some(true)) => format!("<= {goal}x met"),
            (Some(goal), _) => format!("<= {goal}x MISSED"),
            _ => String::new(),
        };
        let (peer, ours, theirs) =
            (row.peer.as_deref().unwrap_or("-"), figure(row.ours), optional(row.theirs));
        let line = format!(
            "{:<8} {:<34} {:>5} {ours:>10} {peer:<14} {theirs:>10} {ratio:>8}  {goal}",
            row.bench, row.metric, row.unit
        );
        println!("{}", line.trim_end());
    }
}

/// Four figures that count, never in powers of ten.
fn figure(value: f64) -> String {
    let whole = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
    format!("{value:.*}", usize::try_from(4 - whole).unwrap_or(0).min(6))
}

#[cfg(test)]
mod tests {
    use super::super::table::{Goal, Program, Source};
    use super::*;

    const BENCH: Bench = Bench {
        name: "launch",
        about: "",
        source: Source::Cargo { package: "", target: "" },
        goals: &[Goal { metric: "empty", peer: "c", ratio: 0.6 }],
    };

    fn samples(text: &str) -> Samples {
        let mut samples = Samples::default();
        samples.take("test", text).unwrap();
        samples
    }

    #[test]
    fn rows_carry_ratio_goal_and_verdict() {
        let c = Peer { name: "c", program: Program::Native, mode: "" };
        let ours = samples("S\tempty\tus\t0.5\nS\tmine\tus\t1\n");
        let rows = compare(&BENCH, &ours, &[(&c, samples("S\tempty\tus\t1\nS\tother\tus\t1\n"))]);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].ratio, rows[0].goal, rows[0].met), (Some(0.5), Some(0.6), Some(true)));
        assert_eq!((&rows[1].peer, rows[1].ratio, rows[1].goal, rows[1].met), (&None, None, None, None));
    }

    #[test]
    fn without_a_peer_there_is_no_verdict() {
        let rows = compare(&BENCH, &samples("S\tempty\tus\t0.5\n"), &[]);
        assert_eq!((rows.len(), rows[0].goal, rows[0].met), (1, None, None));
    }

    #[test]
    fn the_json_has_every_field_and_nulls() {
        let rows = compare(&BENCH, &samples("S\tempty\tus\t0.5\n"), &[]);
        let value: serde_json::Value = serde_json::from_str(&json(&rows)).unwrap();
        let row = value[0].as_object().unwrap();
        let mut keys: Vec<&str> = row.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["bench", "goal", "met", "metric", "ours", "peer", "ratio", "theirs", "unit"]);
        assert!(row["peer"].is_null() && row["goal"].is_null() && row["ours"] == 0.5, "{row:?}");
    }

    #[test]
    fn printed_rows_are_read_and_bad_ones_told() {
        let text = "x\nROW\tarena\tresolve\tns\t3\tslotmap\t2\t1.5\nROW\tarena\tretire\tns\t3\t-\t-\t-\n";
        let rows = parse(&BENCH, text).unwrap();
        assert_eq!((rows[0].ratio, rows[0].met), (Some(1.5), Some(true)));
        assert_eq!((&rows[1].peer, rows[1].met), (&None, None));
        assert!(parse(&BENCH, "ROW\tarena\tresolve\tns\tx\tslotmap\t2\t1.5\n").is_err());
        assert!(parse(&BENCH, "ROW\tarena\n").is_err());
    }

    #[test]
    fn printed_samples_become_rows_without_a_peer() {
        let rows = parse(&BENCH, "S\tload\tus\t3\nS\tload\tus\t5\n").unwrap();
        assert_eq!((rows.len(), rows[0].ours, &rows[0].peer), (1, 4.0, &None));
        assert!(parse(&BENCH, "CHECK\tload\tWRONG\n").is_err());
    }

    #[test]
    fn several_passes_become_one() {
        let pass = |ours: f64, theirs: f64| {
            parse(&BENCH, &format!("ROW\ta\tm\tns\t{ours}\tp\t{theirs}\t1\n")).unwrap()
        };
        let rows = medians(vec![pass(1.0, 2.0), pass(9.0, 1.0), pass(3.0, 2.0)]);
        assert_eq!((rows.len(), rows[0].ours, rows[0].theirs, rows[0].met), (1, 3.0, Some(2.0), Some(false)));
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(
            [figure(0.0512), figure(1.234_56), figure(335.25), figure(12_345.6)],
            ["0.05120", "1.235", "335.2", "12346"]
        );
    }
}
