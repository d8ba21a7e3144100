//! Memory that devices lend.

use bytemuck::Pod;
use oarlock_device::{Allocation, Device, DevicePtr, MemoryError, MemoryKind};

use crate::{DeviceKey, Error, Runtime};

/// What [`Runtime::alloc`] aligns to: a cache line, and enough for every vector type.
const DEFAULT_ALIGN: u64 = 64;

/// How much is read at a time where the end of the memory is not known beforehand.
const READ_STEP: usize = 1 << 20;

impl Runtime {
    /// Allocates `size` bytes, aligned to 64 or better. The contents are unspecified.
    ///
    /// # Errors
    /// [`MemoryError`]: no bytes asked for, or more than there are; handle errors for `device`.
    pub fn alloc(&self, device: DeviceKey, kind: MemoryKind, size: u64) -> Result<DevicePtr, Error> {
        self.alloc_aligned(device, kind, size, DEFAULT_ALIGN)
    }

    /// Allocates `size` bytes, aligned to `align` or better. The contents are unspecified.
    ///
    /// # Errors
    /// As [`alloc`](Self::alloc), and for an alignment that is not a power of two.
    pub fn alloc_aligned(
        &self,
        device: DeviceKey,
        kind: MemoryKind,
        size: u64,
        align: u64,
    ) -> Result<DevicePtr, Error> {
        let ptr = self.device(device)?.device.allocate(kind, size, align)?;
        tracing::trace!(target: "oarlock::memory", %ptr, size, "allocate");
        Ok(ptr)
    }

    /// Allocates memory for a slice and copies it there.
    ///
    /// # Errors
    /// As [`alloc`](Self::alloc); an empty slice is an allocation of no bytes.
    pub fn alloc_slice<T: Pod>(
        &self,
        device: DeviceKey,
        kind: MemoryKind,
        data: &[T],
    ) -> Result<DevicePtr, Error> {
        let device = &self.device(device)?.device;
        let ptr = device.allocate(kind, size_of_val(data) as u64, DEFAULT_ALIGN)?;
        match device.write(ptr, bytemuck::cast_slice(data)) {
            Ok(()) => Ok(ptr),
            Err(error) => {
                device.free(ptr)?;
                Err(error.into())
            }
        }
    }

    /// Frees an allocation by its first address. Work in flight must not use it any more.
    ///
    /// # Errors
    /// [`MemoryError`] for a second free, an inner and a foreign address; handle errors for `device`.
    pub fn free(&self, device: DeviceKey, ptr: DevicePtr) -> Result<(), Error> {
        self.device(device)?.device.free(ptr)?;
        tracing::trace!(target: "oarlock::memory", %ptr, "free");
        Ok(())
    }

    /// The live allocation that holds `ptr`.
    ///
    /// # Errors
    /// [`MemoryError::NotAllocated`] where there is none; handle errors for `device`.
    pub fn allocation_info(&self, device: DeviceKey, ptr: DevicePtr) -> Result<Allocation, Error> {
        let device = &self.device(device)?.device;
        device.allocation(ptr).ok_or_else(|| MemoryError::NotAllocated { ptr }.into())
    }

    /// Copies `bytes` to `dst`, which lies in an allocation or in a global variable. Done on return.
    ///
    /// Queued work that uses the same bytes must have finished.
    ///
    /// # Errors
    /// [`MemoryError`] where the range is not the device's; handle errors for `device`.
    pub fn write(&self, device: DeviceKey, dst: DevicePtr, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.device(device)?.device.write(dst, bytes)?)
    }

    /// Copies from `src` to `bytes`. Done on return.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn read(&self, device: DeviceKey, src: DevicePtr, bytes: &mut [u8]) -> Result<(), Error> {
        Ok(self.device(device)?.device.read(src, bytes)?)
    }

    /// [`write`](Self::write) for a slice of plain values.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_slice<T: Pod>(&self, device: DeviceKey, dst: DevicePtr, data: &[T]) -> Result<(), Error> {
        self.write(device, dst, bytemuck::cast_slice(data))
    }

    /// Reads `count` plain values.
    ///
    /// # Errors
    /// As [`write`](Self::write); [`MemoryError::OutOfMemory`] where the host cannot hold them.
    pub fn read_vec<T: Pod>(&self, device: DeviceKey, src: DevicePtr, count: usize) -> Result<Vec<T>, Error> {
        let device = &*self.device(device)?.device;
        let len = check_range::<T>(device, src, count)?;
        let mut data: Vec<T> = Vec::new();
        // Where the range is not in an allocation it may be in a global variable, or nowhere: then
        // memory is taken step by step, so that a wild `count` is refused before it takes much.
        let known = device.allocation(src).is_some();
        let step = if known { count } else { (READ_STEP / size_of::<T>().max(1)).max(1) };
        while data.len() < count {
            let (from, more) = (data.len(), step.min(count - data.len()));
            let no_memory = |_| MemoryError::OutOfMemory { size: len, align: align_of::<T>() as u64 };
            data.try_reserve_exact(more).map_err(no_memory)?;
            data.resize(from + more, T::zeroed());
            let at = src.offset((from * size_of::<T>()) as u64);
            device.read(at, bytemuck::cast_slice_mut(&mut data[from..]))?;
        }
        Ok(data)
    }
}

/// The bytes of `count` values, where they can lie at `src` at all.
fn check_range<T>(device: &dyn Device, src: DevicePtr, count: usize) -> Result<u64, MemoryError> {
    let size = (count as u64).checked_mul(size_of::<T>() as u64);
    let len = size.ok_or(MemoryError::OutOfMemory { size: u64::MAX, align: align_of::<T>() as u64 })?;
    match device.allocation(src) {
        Some(a) if len > a.size - (src.0 - a.base.0) => {
            Err(MemoryError::OutOfRange { ptr: src, len, base: a.base, size: a.size })
        }
        _ => Ok(len),
    }
}
