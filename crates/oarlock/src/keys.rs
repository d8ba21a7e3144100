//! The handles: one key type for each kind of object.

oarlock_arena::handles! {
    /// Names a device.
    pub struct DeviceKey = 1, "device";
    /// Names a program: bytes that were compiled and loaded on one device.
    pub struct ProgramKey = 2, "program";
    /// Names a kernel or a global variable of a program. Stale as soon as the program is destroyed.
    pub struct SymbolKey = 3, "symbol";
    /// Names an in-order queue of a device.
    pub struct QueueKey = 4, "queue";
    /// Names an event: a point in a queue. It outlives its queue.
    pub struct EventKey = 5, "event";
}
