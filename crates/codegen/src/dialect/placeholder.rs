//! The functions that stand for the item that runs, until `spmd` knows it.

use std::fmt::Write;

/// What every placeholder's name starts with.
pub(crate) const PREFIX: &str = "__oarlock.";

/// The barrier.
pub(crate) const BARRIER: &str = "__oarlock.barrier";
/// The launch's frame (`oarlock_image::abi::Frame`).
pub(crate) const FRAME: &str = "__oarlock.frame";
/// The first byte of this group's memory.
pub(crate) const GROUP_MEMORY: &str = "__oarlock.group_memory";

/// The numbers of an item: local id, group id, group size, group count, in three dimensions.
pub(crate) const NUMBERS: [&str; 12] = [
    "__oarlock.local.x",
    "__oarlock.local.y",
    "__oarlock.local.z",
    "__oarlock.group.x",
    "__oarlock.group.y",
    "__oarlock.group.z",
    "__oarlock.size.x",
    "__oarlock.size.y",
    "__oarlock.size.z",
    "__oarlock.count.x",
    "__oarlock.count.y",
    "__oarlock.count.z",
];

/// Declarations of all placeholders, as text.
pub(crate) fn declarations() -> String {
    let mut text = String::new();
    let pure = "nounwind willreturn memory(none) speculatable";
    for name in NUMBERS {
        let _ = writeln!(text, "declare noundef i32 @\"{name}\"() {pure}");
    }
    let _ = writeln!(text, "declare noundef nonnull ptr @\"{FRAME}\"() {pure}");
    let _ = writeln!(text, "declare noundef nonnull ptr @\"{GROUP_MEMORY}\"() {pure}");
    let _ = writeln!(text, "declare void @\"{BARRIER}\"() nounwind convergent noduplicate");
    text
}
