//! What a million handles take, beyond the objects.

use sharded_slab::Slab;

use crate::Object;
use crate::candidates::{Locked, Ours, Plain, Table};
use crate::report::Report;

/// Bytes of this process that are in memory.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Grown bytes per handle of a filled table, without the bytes of the object.
fn per_handle<T: Table>(count: usize) -> Option<f64> {
    let table = T::new();
    let before = resident()?;
    for value in 0..count {
        table.insert(Object::new(value));
    }
    let grown = resident()?.saturating_sub(before);
    // Kept for good: freed memory would make the next table look small.
    std::mem::forget(table);
    Some(grown as f64 / count as f64 - size_of::<Object>() as f64)
}

pub(crate) fn run(report: &mut Report, quick: bool) {
    let count = if quick { 100_000 } else { 1_000_000 };
    let Some(ours) = per_handle::<Ours>(count) else { return };
    report.row("memory_1e6", "bytes_per_handle", "B", ours, "goal_of_56", 56.0, Some(1.0));
    let peers = [
        ("mutex_slotmap", per_handle::<Plain>(count)),
        ("sharded_slab", per_handle::<Slab<Object>>(count)),
        ("rwlock_hashmap", per_handle::<Locked>(count)),
    ];
    for (name, bytes) in peers {
        if let Some(bytes) = bytes {
            report.row("memory_1e6", "bytes_per_handle", "B", ours, name, bytes, None);
        }
    }
}
