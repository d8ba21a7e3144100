//! What a benchmark program prints: `S<TAB>metric<TAB>unit<TAB>value` and `CHECK<TAB>name<TAB>ok|WRONG`.

use crate::error::{Error, Result};

/// The samples of one program over all passes, metrics in the order in which they first appeared.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    metrics: Vec<Metric>,
}

#[derive(Debug)]
struct Metric {
    name: String,
    unit: String,
    /// The median of each pass so far.
    passes: Vec<f64>,
}

impl Samples {
    /// Takes in what one run printed; gives the checks that came out wrong.
    pub(crate) fn take(&mut self, who: &str, printed: &str) -> Result<Vec<String>> {
        let bad = |line: &str| Error::Output { what: who.to_owned(), reason: format!("line `{line}`") };
        let mut wrong = Vec::new();
        let mut pass: Vec<(String, String, Vec<f64>)> = Vec::new();
        for line in printed.lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["S", name, unit, value] => {
                    let value: f64 = value.parse().map_err(|_| bad(line))?;
                    match pass.iter_mut().find(|(n, ..)| n == name) {
                        Some((.., values)) => values.push(value),
                        None => pass.push((name.to_owned(), unit.to_owned(), vec![value])),
                    }
                }
                ["CHECK", _, "ok"] => {}
                ["CHECK", name, _] => wrong.push(name.to_owned()),
                ["S" | "CHECK", ..] => return Err(bad(line)),
                // Anything else is talk.
                _ => {}
            }
        }
        for (name, unit, values) in pass {
            let middle = median(values);
            match self.metrics.iter_mut().find(|m| m.name == name) {
                Some(metric) => metric.passes.push(middle),
                None => self.metrics.push(Metric { name, unit, passes: vec![middle] }),
            }
        }
        Ok(wrong)
    }

    /// Each metric with its unit and its median over the passes.
    pub(crate) fn medians(&self) -> impl Iterator<Item = (&str, &str, f64)> {
        self.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str(), median(m.passes.clone())))
    }

    /// The median of one metric, where the program has it.
    pub(crate) fn median(&self, metric: &str) -> Option<f64> {
        self.medians().find(|(name, ..)| *name == metric).map(|(.., value)| value)
    }
}

/// The middle value; the mean of the two in the middle where the count is even. Empty lists have none: NaN.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_passes_not_of_samples() {
        let mut samples = Samples::default();
        samples.take("us", "S\ta\tms\t1\nS\ta\tms\t3\nS\ta\tms\t2\n").unwrap();
        samples.take("us", "S\ta\tms\t10\nS\tb\tus\t7\n").unwrap();
        samples.take("us", "S\ta\tms\t4\n").unwrap();
        assert_eq!(samples.medians().collect::<Vec<_>>(), [("a", "ms", 4.0), ("b", "us", 7.0)]);
        assert_eq!(samples.median("c"), None);
    }

    #[test]
    fn wrong_results_are_named_and_talk_is_not_read() {
        let mut samples = Samples::default();
        let wrong = samples.take("us", "hello\nCHECK\tsaxpy\tok\nCHECK\tmandel\tWRONG\n").unwrap();
        assert_eq!(wrong, ["mandel"]);
    }

    #[test]
    fn a_value_that_is_none_is_an_error() {
        let text = Samples::default().take("pocl", "S\ta\tms\tfast\n").unwrap_err().to_string();
        assert!(text.contains("pocl") && text.contains("fast"), "{text}");
        assert!(Samples::default().take("pocl", "S\ta\tms\n").is_err());
    }

    #[test]
    fn the_median_of_an_even_count_is_between() {
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(vec![]).is_nan());
    }
}
