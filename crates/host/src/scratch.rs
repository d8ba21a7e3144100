//! The memory that a thread lends to the kernels it runs: grows, never shrinks, is not cleared between groups.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut, without_provenance_mut};

use oarlock_device::DeviceError;
use oarlock_image::abi::MEMORY_ALIGN;

/// One thread's group memory and scratch.
#[derive(Default)]
pub(crate) struct ThreadMemory {
    group: Buffer,
    scratch: Buffer,
}

#[derive(Default)]
struct Buffer {
    memory: Option<(NonNull<u8>, Layout)>,
}

// SAFETY: a buffer owns its memory; nothing else points to it.
unsafe impl Send for Buffer {}

impl ThreadMemory {
    /// Makes room; false where there is none.
    pub(crate) fn reserve(&mut self, group: usize, scratch: usize) -> bool {
        self.group.reserve(group) && self.scratch.reserve(scratch)
    }

    /// Group memory: aligned, never null.
    pub(crate) fn group(&self) -> *mut u8 {
        self.group.memory.map_or(without_provenance_mut(MEMORY_ALIGN), |(ptr, _)| ptr.as_ptr())
    }

    /// Scratch: aligned; null before any was needed.
    pub(crate) fn scratch(&self) -> *mut u8 {
        self.scratch.memory.map_or(null_mut(), |(ptr, _)| ptr.as_ptr())
    }
}

impl Buffer {
    fn reserve(&mut self, size: usize) -> bool {
        if size <= self.memory.map_or(0, |(_, layout)| layout.size()) {
            return true;
        }
        let Ok(layout) = Layout::from_size_align(size, MEMORY_ALIGN) else { return false };
        // SAFETY: `size` is not 0, since it is more than what there was.
        let Some(ptr) = NonNull::new(unsafe { alloc(layout) }) else { return false };
        // The contents are not kept: nothing outlives a group.
        *self = Self { memory: Some((ptr, layout)) };
        true
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some((ptr, layout)) = self.memory {
            // SAFETY: `ptr` came from `alloc` with this layout, and this is its only owner.
            unsafe { dealloc(ptr.as_ptr(), layout) };
        }
    }
}

thread_local! {
    static MEMORY: Cell<ThreadMemory> = const { Cell::new(ThreadMemory { group: Buffer { memory: None }, scratch: Buffer { memory: None } }) };
}

/// Calls `run` with the calling thread's memory, which has room for what is asked.
///
/// # Errors
/// [`DeviceError::System`] where the machine has no more memory.
pub(crate) fn with<R>(
    group: usize,
    scratch: usize,
    run: impl FnOnce(&ThreadMemory) -> R,
) -> Result<R, DeviceError> {
    // Taken out while it is used: code that runs below here and launches again gets memory of its own.
    // A thread that is ending has none left to lend and makes some for the one launch.
    let mut memory = MEMORY.try_with(Cell::take).unwrap_or_default();
    if !memory.reserve(group, scratch) {
        return Err(DeviceError::System {
            what: "allocating group memory and scratch for a launch",
            reason: format!("no memory for {group} + {scratch} bytes per thread; use smaller groups"),
        });
    }
    let result = run(&memory);
    let _ = MEMORY.try_with(|cell| cell.set(memory));
    Ok(result)
}
