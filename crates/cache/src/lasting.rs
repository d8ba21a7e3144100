//! Failures that are worth remembering for a while.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::Digest;

/// More failures than this are not remembered at one time.
const MOST: usize = 256;

/// Failures by digest, each until its time is over.
#[derive(Debug)]
pub(crate) struct Lasting<E> {
    /// How long a failure lasts. By default none does.
    lasts: fn(&E) -> Option<Duration>,
    failures: HashMap<Digest, (E, Instant)>,
}

impl<E: Clone> Lasting<E> {
    pub(crate) fn new(lasts: fn(&E) -> Option<Duration>) -> Self {
        Self { lasts, failures: HashMap::new() }
    }

    /// The failure of `digest`, where it lasts still.
    pub(crate) fn find(&mut self, digest: &Digest, now: impl FnOnce() -> Instant) -> Option<E> {
        let (error, until) = self.failures.get(digest)?;
        if now() < *until {
            return Some(error.clone());
        }
        self.failures.remove(digest);
        None
    }

    /// Remembers a failure, if it is one that lasts.
    pub(crate) fn remember(&mut self, digest: Digest, error: &E, now: Instant) {
        let Some(until) = (self.lasts)(error).and_then(|time| now.checked_add(time)) else { return };
        if self.failures.len() >= MOST {
            self.failures.retain(|_, (_, until)| now < *until);
        }
        if self.failures.len() >= MOST {
            let first = self.failures.iter().min_by_key(|(_, (_, until))| *until).map(|(digest, _)| *digest);
            first.map(|digest| self.failures.remove(&digest));
        }
        self.failures.insert(digest, (error.clone(), until));
    }
}

#[cfg(test)]
mod tests {
    use super::{Lasting, MOST};
    use crate::Digest;
    use std::time::{Duration, Instant};

    #[test]
    fn a_failure_lasts_for_its_time_and_the_table_is_bounded() {
        let start = Instant::now();
        let mut lasting = Lasting::new(|seconds: &u64| (*seconds > 0).then(|| Duration::from_secs(*seconds)));
        let digest = |n: usize| Digest::of(&n.to_le_bytes());
        lasting.remember(digest(0), &0, start);
        assert_eq!(lasting.find(&digest(0), || start), None, "it does not last");
        for n in 1..=MOST + 10 {
            lasting.remember(digest(n), &(n as u64), start);
        }
        assert_eq!(lasting.failures.len(), MOST);
        let last = MOST + 10;
        let end = start + Duration::from_secs(last as u64);
        assert_eq!(lasting.find(&digest(last), || end - Duration::from_nanos(1)), Some(last as u64));
        assert_eq!(lasting.find(&digest(last), || end), None);
    }
}
