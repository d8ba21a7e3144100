//! How long it took.

use std::time::Duration;

/// The durations of one run.
pub(crate) struct Times {
    /// Compile and load.
    pub(crate) create: Duration,
    /// Every launch, in order; at least one.
    pub(crate) launches: Vec<Duration>,
}

/// What is told of many durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) first: Duration,
    pub(crate) min: Duration,
    pub(crate) median: Duration,
    pub(crate) max: Duration,
}

impl Times {
    pub(crate) fn summary(&self) -> Summary {
        let mut sorted = self.launches.clone();
        sorted.sort_unstable();
        let at = |i: usize| sorted.get(i).copied().unwrap_or_default();
        Summary {
            first: self.launches.first().copied().unwrap_or_default(),
            min: at(0),
            median: at(sorted.len() / 2),
            max: at(sorted.len().saturating_sub(1)),
        }
    }
}

/// How many per second, where `count` take `time`.
pub(crate) fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_of_the_sorted_launches() {
        let launches = [5, 1, 3].map(Duration::from_millis).to_vec();
        let summary = Times { create: Duration::ZERO, launches }.summary();
        let ms = Duration::from_millis;
        assert_eq!(summary, Summary { first: ms(5), min: ms(1), median: ms(3), max: ms(5) });
        assert_eq!(rate(10, ms(100)).round(), 100.0);
    }
}
