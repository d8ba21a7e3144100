//! What a handle costs, beside what else there is, in one run.
//!
//! Every figure is the lower quartile of interleaved rounds, so that all candidates meet the same machine.
//! Prints a table to read, and a line `ROW` for each ratio, with tabs between: bench, metric, unit, ours,
//! peer, theirs, and the highest ratio that is the goal or `-`. `--quick` takes one short round.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod candidates;
mod churn;
mod memory;
mod report;
mod resolve;
mod rounds;

/// The objects: one line of a cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(crate) struct Object(pub(crate) [u64; 8]);

impl Object {
    pub(crate) fn new(value: usize) -> Self {
        Self([value as u64; 8])
    }
}

oarlock_arena::handles! {
    /// Names an object.
    pub(crate) struct ObjectKey = 1, "object";
}

fn main() {
    // Without `--bench`, cargo only wants to know that it runs.
    let quick = std::env::args().any(|arg| arg == "--quick") || !std::env::args().any(|arg| arg == "--bench");
    let rounds = if quick { 1 } else { 25 };
    let mut report = report::Report::default();
    // First, while the heap is in order.
    memory::run(&mut report, quick);
    resolve::run(&mut report, rounds, quick);
    churn::run(&mut report, rounds, quick);
    report.print();
}
