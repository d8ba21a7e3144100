//! Pages: reserved, written, then sealed.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use crate::LoadError;
use crate::layout::{Layout, PAGE};

static BYTES: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Bytes of address space that all loaded objects of this process take now, guard pages included.
pub fn mapped_bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

/// How many reservations all loaded objects of this process hold now.
pub fn live_mappings() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// One reservation: a guard, the body, a guard.
pub(crate) struct Mapping {
    start: *mut c_void,
    len: usize,
    body: usize,
}

// SAFETY: a mapping is a range of addresses; it is written only through `&mut` (`Writable`) or by the
// loaded code itself.
unsafe impl Send for Mapping {}
// SAFETY: as above; `&Mapping` gives out addresses only.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Address of the body's first byte.
    pub(crate) fn base(&self) -> u64 {
        self.body as u64
    }

    /// Bytes reserved.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `start` and `len` are those of a mapping that this value alone owns. Unmapping whole
        // mappings does not fail; if it did, the range would leak.
        if unsafe { munmap(self.start, self.len) }.is_ok() {
            BYTES.fetch_sub(self.len, Ordering::Relaxed);
            COUNT.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A mapping whose body can still be written, and not executed.
pub(crate) struct Writable {
    mapping: Mapping,
    size: usize,
}

/// `MAP_32BIT`: the kernel picks an address below 2 GiB.
const LOW: MapFlags = MapFlags::from_bits_retain(0x40);

impl Writable {
    /// Reserves and makes writable what `layout` needs. The body is zero.
    pub(crate) fn reserve(layout: &Layout) -> Result<Self, LoadError> {
        // At most LIMIT + MAX_ALIGN + 2 pages: fits in usize.
        let size = layout.size() as usize;
        let page = PAGE as usize;
        let slack = (layout.align - PAGE) as usize;
        let len = size + slack + 2 * page;
        let failed =
            |what, e: rustix::io::Errno| LoadError::System { what, bytes: len, reason: e.to_string() };
        let flags = if layout.low { MapFlags::PRIVATE | LOW } else { MapFlags::PRIVATE };
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches no other memory.
        let start = unsafe { mmap_anonymous(null_mut(), len, ProtFlags::empty(), flags) }
            .map_err(|e| failed("reserving memory for an object", e))?;
        BYTES.fetch_add(len, Ordering::Relaxed);
        COUNT.fetch_add(1, Ordering::Relaxed);
        let body = (start as usize + page).next_multiple_of(layout.align as usize);
        let mapping = Mapping { start, len, body };
        if size > 0 {
            // SAFETY: `body..body + size` lies in the mapping: rounding up took at most `slack`.
            unsafe { mprotect(body as *mut c_void, size, MprotectFlags::READ | MprotectFlags::WRITE) }
                .map_err(|e| failed("making an object's memory writable", e))?;
        }
        Ok(Self { mapping, size })
    }

    /// Address of the body's first byte.
    pub(crate) fn base(&self) -> u64 {
        self.mapping.base()
    }

    /// The body.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `reserve` made `size` bytes from `body` readable and writable, they are zero or were
        // written through this method, and `&mut self` keeps the slice unique. An empty body is at a
        // non-null, aligned address.
        unsafe { std::slice::from_raw_parts_mut(self.mapping.body as *mut u8, self.size) }
    }

    /// Gives the segments their final protections: code executable, constants readable, data as it is.
    pub(crate) fn seal(self, layout: &Layout) -> Result<Mapping, LoadError> {
        let [code, constants, _] = layout.segments;
        let protections =
            [(code, MprotectFlags::READ | MprotectFlags::EXEC), (constants, MprotectFlags::READ)];
        for ((offset, size), flags) in protections {
            if size == 0 {
                continue;
            }
            let at = self.mapping.body + offset as usize;
            // SAFETY: segments are whole pages of the body, and no slice of it is alive: `self` is owned.
            unsafe { mprotect(at as *mut c_void, size as usize, flags) }.map_err(|e| LoadError::System {
                what: "protecting an object's memory",
                bytes: size as usize,
                reason: e.to_string(),
            })?;
        }
        Ok(self.mapping)
    }
}
