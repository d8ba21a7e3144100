//! The kinds that a runtime has.

use arbitrary::Arbitrary;

oarlock_arena::handles! {
    /// Names a device.
    pub struct DeviceKey = 1, "device";
    /// Names a program, the parent of symbols.
    pub struct ProgramKey = 2, "program";
    /// Names a symbol, the child of a program.
    pub struct SymbolKey = 3, "symbol";
    /// Names a queue.
    pub struct QueueKey = 4, "queue";
    /// Names an event.
    pub struct EventKey = 5, "event";
}

/// A kind, as a value.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`DeviceKey`].
    Device,
    /// [`ProgramKey`].
    Program,
    /// [`SymbolKey`].
    Symbol,
    /// [`QueueKey`].
    Queue,
    /// [`EventKey`].
    Event,
}

impl Kind {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Device, Self::Program, Self::Symbol, Self::Queue, Self::Event];

    /// Its place in [`ALL`](Self::ALL).
    #[must_use]
    pub fn at(self) -> usize {
        self as usize
    }
}
