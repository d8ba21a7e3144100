//! What holds whatever the last step was.

use super::Kind;
use super::harness::{Harness, Mismatch, check};
use super::world::CAPACITY;

impl<const BITS: u32> Harness<BITS> {
    /// With nothing waiting, the dead have been dropped once and the living not at all.
    pub(crate) fn check_drops(&mut self, runtime: usize) -> Result<(), Mismatch> {
        let Self { model, drops, .. } = self;
        let mut wrong = None;
        self.unsettled.retain(|&name| {
            let object = model.object(name).expect("it was named");
            let (expected, found) = (u32::from(!object.alive), drops.of(name));
            if object.runtime == runtime && expected != found {
                wrong = Some((name, expected, found));
            }
            object.runtime != runtime || object.alive
        });
        match wrong {
            None => Ok(()),
            Some((name, expected, found)) => {
                Err((format!("object {name} dropped {expected} times"), format!("{found} times")))
            }
        }
    }

    /// What holds after every step.
    pub(crate) fn invariants(&mut self) -> Result<(), Mismatch> {
        for (number, runtime) in self.runtimes.iter().enumerate() {
            for kind in Kind::ALL {
                let table = runtime.table(kind);
                let stats = table.stats();
                let mut expected: Vec<u64> =
                    self.model.living(number, kind).filter_map(|name| self.words[name]).collect();
                check((number, kind, expected.len()), (number, kind, stats.live))?;
                let mut found = table.words();
                expected.sort_unstable();
                found.sort_unstable();
                check(expected, found)?;
                let most = CAPACITY as u64 * ((1 << BITS) - 1);
                check(true, stats.ever_issued <= most)?;
                self.seen.retired = self.seen.retired.max(stats.retired as u64);
            }
        }
        Ok(())
    }
}
