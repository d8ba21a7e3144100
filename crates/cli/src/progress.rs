//! A progress line for what takes longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long something may take without a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn again.
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error that appears after a second and goes when this is dropped.
///
/// Where standard error is not a terminal it does nothing.
pub(crate) struct Progress {
    bar: ProgressBar,
    drawer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Work of which nobody knows how long it takes.
    pub(crate) fn spinner(what: impl Into<String>) -> Self {
        Self::new(ProgressBar::no_length(), "{spinner} {msg}  {elapsed}", what.into())
    }

    /// Work in `steps` equal steps.
    pub(crate) fn bar(what: impl Into<String>, steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        Self::new(bar, "{spinner} {msg}  {pos} of {len}  {bar:30}  {eta} left", what.into())
    }

    fn new(bar: ProgressBar, template: &str, what: String) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        let drawer = stderr().is_terminal().then(|| {
            let (done, wait) = mpsc::channel();
            let bar = bar.clone();
            let draw = move || {
                if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                    // Whatever ends the wait, the work is over.
                    let _ = wait.recv();
                }
            };
            (done, std::thread::spawn(draw))
        });
        Self { bar, drawer }
    }

    /// One step is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, drawer)) = self.drawer.take() {
            drop(done);
            // A drawer that panicked has no line to clear.
            let _ = drawer.join();
        }
        self.bar.finish_and_clear();
    }
}
