//! Memory by address: what was allocated, what programs own, and copies that stay inside it.

mod block;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use oarlock_device::{Allocation, DevicePtr, MemoryError, MemoryKind};
use parking_lot::RwLock;

use crate::module::HostModule;
use block::Block;

/// Every range that copies may touch.
pub(crate) struct Memory {
    ranges: RwLock<BTreeMap<u64, Range>>,
    /// Bytes that live allocations take.
    live: AtomicU64,
    /// Bytes that they may take.
    limit: u64,
}

/// A range by its first address, which is its key.
enum Range {
    Allocation { block: Arc<Block>, kind: MemoryKind },
    Variable { size: u64, writable: bool, module: Weak<HostModule> },
}

/// Keeps a range in being while it is copied.
enum Held {
    Nothing,
    Block { _block: Arc<Block> },
    Module { _module: Arc<HostModule> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// The least alignment of an allocation: a cache line, which is also the widest vector.
const LEAST_ALIGN: u64 = 64;

impl Memory {
    pub(crate) fn new(limit: u64) -> Self {
        Self { ranges: RwLock::default(), live: AtomicU64::new(0), limit }
    }

    pub(crate) fn allocate(&self, kind: MemoryKind, size: u64, align: u64) -> Result<DevicePtr, MemoryError> {
        if size == 0 {
            return Err(MemoryError::ZeroSize);
        }
        if !align.is_power_of_two() {
            return Err(MemoryError::BadAlign { align });
        }
        let out = MemoryError::OutOfMemory { size, align };
        let grow = |live: u64| live.checked_add(size).filter(|&live| live <= self.limit);
        if self.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grow).is_err() {
            return Err(out);
        }
        let Some(block) = Block::new(size, align.max(LEAST_ALIGN)) else {
            self.live.fetch_sub(size, Ordering::Relaxed);
            return Err(out);
        };
        let base = block.address();
        self.ranges.write().insert(base, Range::Allocation { block: Arc::new(block), kind });
        Ok(DevicePtr(base))
    }

    pub(crate) fn free(&self, ptr: DevicePtr) -> Result<(), MemoryError> {
        let mut ranges = self.ranges.write();
        let found = ranges.range(..=ptr.0).next_back();
        let Some((&base, Range::Allocation { block, .. })) = found else {
            return Err(MemoryError::NotAllocated { ptr });
        };
        if base != ptr.0 {
            return Err(match ptr.0 - base < block.size() {
                true => MemoryError::InnerPointer { ptr, base: DevicePtr(base) },
                false => MemoryError::NotAllocated { ptr },
            });
        }
        self.live.fetch_sub(block.size(), Ordering::Relaxed);
        let removed = ranges.remove(&base);
        // Giving pages back takes time: not under the lock.
        drop(ranges);
        drop(removed);
        Ok(())
    }

    pub(crate) fn allocation(&self, ptr: DevicePtr) -> Option<Allocation> {
        let ranges = self.ranges.read();
        let (&base, Range::Allocation { block, kind }) = ranges.range(..=ptr.0).next_back()? else {
            return None;
        };
        let (size, align) = (block.size(), block.align());
        (ptr.0 - base < size).then_some(Allocation { base: DevicePtr(base), size, align, kind: *kind })
    }

    /// Makes a program's variable known.
    pub(crate) fn lend(&self, address: u64, size: u64, writable: bool, module: &Arc<HostModule>) {
        let module = Arc::downgrade(module);
        self.ranges.write().insert(address, Range::Variable { size, writable, module });
    }

    /// Forgets variables that `lend` made known.
    pub(crate) fn take_back(&self, addresses: impl Iterator<Item = u64>) {
        let mut ranges = self.ranges.write();
        for address in addresses {
            ranges.remove(&address);
        }
    }

    pub(crate) fn write(&self, dst: DevicePtr, bytes: &[u8]) -> Result<(), MemoryError> {
        let _held = self.hold(dst, bytes.len() as u64, Access::Write)?;
        // SAFETY: `hold` found the range in live memory, which `_held` keeps in being. It may be the
        // caller's own memory too, so the copy allows overlap.
        unsafe { std::ptr::copy(bytes.as_ptr(), dst.0 as *mut u8, bytes.len()) };
        Ok(())
    }

    pub(crate) fn read(&self, src: DevicePtr, bytes: &mut [u8]) -> Result<(), MemoryError> {
        let _held = self.hold(src, bytes.len() as u64, Access::Read)?;
        // SAFETY: as in `write`.
        unsafe { std::ptr::copy(src.0 as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    /// Would [`copy`](Self::copy) find its ranges now?
    pub(crate) fn check_copy(&self, dst: DevicePtr, src: DevicePtr, len: u64) -> Result<(), MemoryError> {
        self.hold(src, len, Access::Read)?;
        self.hold(dst, len, Access::Write)?;
        Ok(())
    }

    pub(crate) fn copy(&self, dst: DevicePtr, src: DevicePtr, len: u64) -> Result<(), MemoryError> {
        let _src = self.hold(src, len, Access::Read)?;
        let _dst = self.hold(dst, len, Access::Write)?;
        // SAFETY: `hold` found both ranges in live memory, which stays in being while they are held; they
        // may overlap. A length that lies in memory fits in usize.
        unsafe { std::ptr::copy(src.0 as *const u8, dst.0 as *mut u8, len as usize) };
        Ok(())
    }

    /// Would [`fill`](Self::fill) find its range now, and does the pattern fit?
    pub(crate) fn check_fill(&self, dst: DevicePtr, pattern: usize, len: u64) -> Result<(), MemoryError> {
        if pattern == 0 || !len.is_multiple_of(pattern as u64) {
            return Err(MemoryError::FillPattern { pattern, len });
        }
        self.hold(dst, len, Access::Write)?;
        Ok(())
    }

    /// Fills with a pattern that `check_fill` has seen.
    pub(crate) fn fill(&self, dst: DevicePtr, pattern: &[u8], len: u64) -> Result<(), MemoryError> {
        let _held = self.hold(dst, len, Access::Write)?;
        let (start, len) = (dst.0 as *mut u8, len as usize);
        if let [byte] = pattern {
            // SAFETY: `hold` found `len` bytes at `start` in live memory, which `_held` keeps in being.
            unsafe { start.write_bytes(*byte, len) };
            return Ok(());
        }
        let mut done = pattern.len().min(len);
        // SAFETY: as above, and `done` is at most `len` and the pattern's length. The pattern is the
        // runtime's copy: it does not overlap.
        unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), start, done) };
        // Doubling: every copy repeats all that is there.
        while done < len {
            let now = done.min(len - done);
            // SAFETY: `now` is at most `done`, so the two do not overlap, and `done + now` at most `len`.
            unsafe { std::ptr::copy_nonoverlapping(start, start.add(done), now) };
            done += now;
        }
        Ok(())
    }

    /// Finds `len` bytes at `ptr` and keeps them in being.
    fn hold(&self, ptr: DevicePtr, len: u64, access: Access) -> Result<Held, MemoryError> {
        if len == 0 {
            return Ok(Held::Nothing);
        }
        let ranges = self.ranges.read();
        let Some((&base, range)) = ranges.range(..=ptr.0).next_back() else {
            return Err(MemoryError::NotAllocated { ptr });
        };
        let size = range.size();
        let inside = ptr.0 - base;
        if inside >= size {
            return Err(MemoryError::NotAllocated { ptr });
        }
        if len > size - inside {
            return Err(MemoryError::OutOfRange { ptr, len, base: DevicePtr(base), size });
        }
        match range {
            Range::Allocation { block, .. } => Ok(Held::Block { _block: block.clone() }),
            Range::Variable { writable: false, .. } if access == Access::Write => {
                Err(MemoryError::ReadOnly { ptr })
            }
            // A module that is being dropped has no strong reference left: its variables are gone.
            Range::Variable { module, .. } => match module.upgrade() {
                Some(module) => Ok(Held::Module { _module: module }),
                None => Err(MemoryError::NotAllocated { ptr }),
            },
        }
    }
}

impl Range {
    fn size(&self) -> u64 {
        match self {
            Self::Allocation { block, .. } => block.size(),
            Self::Variable { size, .. } => *size,
        }
    }
}

#[cfg(test)]
mod tests;
