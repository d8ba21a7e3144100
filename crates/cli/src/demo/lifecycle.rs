//! The story that Oarlock began with.
//!
//! A runtime that remembers compiled code under the *address* of a program's bytes hands out the code of a
//! program that is gone as soon as another one lies in its place. So: many programs, two kinds in turn, each
//! destroyed before the next is made, and each asked which one it is.

use std::collections::HashSet;
use std::time::Instant;

use oarlock::{Error, LaunchShape, Stats};

use super::stage::{Outcome, Stage};
use crate::error::Failure;
use crate::out;
use crate::progress::Progress;

/// Two programs alike but for the number they write, which makes them equally long.
const PROGRAMS: [(&[u8], u32); 2] = [
    (include_bytes!("../../kernels/marker_a.ll"), 1111),
    (include_bytes!("../../kernels/marker_b.ll"), 2222),
];

/// What happened to the programs.
#[derive(Default)]
struct Count {
    wrong: usize,
    addresses: HashSet<usize>,
    reused: usize,
}

/// Makes, launches and destroys `count` programs, and uses a handle of the first one after its end.
pub(super) fn run(stage: &Stage, count: usize) -> Result<Outcome, Failure> {
    let before = stage.runtime.stats();
    let started = Instant::now();
    let mut seen = Count::default();
    let mut first = None;
    let line = Progress::bar("programs", count as u64);
    for i in 0..count {
        let (program, kernel) = one(stage, i, &mut seen)?;
        first.get_or_insert((program, kernel));
        line.step();
    }
    drop(line);
    let each = started.elapsed() / count.max(1) as u32;
    let after = stage.runtime.stats();

    let mut outcome = Outcome::default();
    outcome.lines.push(format!(
        "{} created, launched, destroyed, two kinds in turn: {} each, {} wrong results",
        out::grouped(count as u64),
        out::duration(each),
        seen.wrong
    ));
    outcome.lines.push(format!(
        "{} of them lay in memory where an earlier one had lain",
        out::grouped(seen.reused as u64)
    ));
    outcome.lines.push(format!(
        "live programs and symbols {} before, {} after; the cache gave back {} and holds {}",
        live(&before),
        live(&after),
        out::byte_size(after.cache.bytes_erased - before.cache.bytes_erased),
        out::byte_size(after.cache.bytes_live)
    ));
    if seen.wrong > 0 {
        outcome.wrong.push(format!("{} programs ran the code of another one", seen.wrong));
    }
    if live(&before) != live(&after) || before.cache.bytes_live != after.cache.bytes_live {
        outcome.wrong.push(format!("something was left behind: {before:?}, then {after:?}"));
    }
    if let Some((program, kernel)) = first {
        use_again(stage, program, kernel, &mut outcome)?;
    }
    Ok(outcome)
}

/// One program's life. Its bytes die with it, so that the next one's are likely to lie in the same place.
fn one(
    stage: &Stage,
    i: usize,
    seen: &mut Count,
) -> Result<(oarlock::ProgramKey, oarlock::SymbolKey), Failure> {
    let (text, marker) = PROGRAMS[i % 2];
    let bytes = text.to_vec();
    seen.reused += usize::from(!seen.addresses.insert(bytes.as_ptr() as usize));
    let job = stage.create(&bytes, "mark")?;
    let result = stage.buffer(&[0u32])?;
    let shape = LaunchShape::new(&[1], &[1]).map_err(Error::from)?;
    stage.launch(&job, &shape, &[result.into()], 1)?;
    seen.wrong += usize::from(stage.read::<u32>(result, 1)? != [marker]);
    stage.finish(&job, &[result])?;
    Ok((job.program, job.kernel))
}

/// Uses the handles of a program that is gone: they must say so, and reach none of the programs since.
fn use_again(
    stage: &Stage,
    program: oarlock::ProgramKey,
    kernel: oarlock::SymbolKey,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let by_program = stage.runtime.kernel(program, "mark").map(|_| ());
    let by_kernel = stage.runtime.symbol_info(kernel).map(|_| ());
    for (what, answer) in [("program", &by_program), ("kernel", &by_kernel)] {
        match answer {
            Err(Error::StaleHandle { .. }) => {}
            Err(other) => outcome.wrong.push(format!("a destroyed {what}'s handle says: {other}")),
            Ok(()) => outcome.wrong.push(format!("a destroyed {what}'s handle still reaches something")),
        }
    }
    if let Err(error) = by_program {
        outcome.lines.push("the first one's handle, used again, says:".into());
        outcome.lines.push(format!("  {error}"));
    }
    Ok(())
}

fn live(stats: &Stats) -> usize {
    stats.programs + stats.symbols
}
