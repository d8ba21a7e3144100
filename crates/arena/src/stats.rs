//! What a table holds, in numbers.

/// Counters of one table, taken at one moment.
///
/// `undropped` is the one to watch: it grows while a thread sleeps pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArenaStats {
    /// Objects that live, or are being made.
    pub live: usize,
    /// Slots whose generations are spent. Never used again.
    pub retired: usize,
    /// Handles given out since the table was made, those of failed creations included.
    pub ever_issued: u64,
    /// Removed objects of which the table still has its share, because a thread may be reading them.
    pub undropped: usize,
    /// Children of ended families whose slots have not been swept yet.
    pub unswept: usize,
    /// Slots in use, free or retired. They are kept until the table is dropped.
    pub slots: usize,
    /// The most slots the table may have.
    pub capacity: usize,
}
