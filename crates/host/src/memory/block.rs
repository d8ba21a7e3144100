//! One allocation's bytes, given back when nobody uses them any more.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

/// Memory of its own.
pub(crate) struct Block {
    start: NonNull<u8>,
    size: usize,
    align: usize,
    source: Source,
}

enum Source {
    Heap(Layout),
    /// A mapping, which may begin before the block for the sake of alignment.
    Mapping {
        start: usize,
        len: usize,
    },
}

/// From this size on, memory is mapped: its pages take no room until they are touched, and go back at once.
const MAPPED_FROM: usize = 256 << 10;

/// From this size on, memory asks for huge pages.
const HUGE_FROM: usize = 8 << 20;
const HUGE_PAGE: usize = 2 << 20;
const PAGE: usize = 4096;

// SAFETY: a block owns its bytes; how they are accessed is the business of kernels and copies.
unsafe impl Send for Block {}
// SAFETY: as above; `&Block` gives out the address only.
unsafe impl Sync for Block {}

impl Block {
    /// `size` is at least 1, `align` a power of two. None where there is not enough memory.
    pub(crate) fn new(size: u64, align: u64) -> Option<Self> {
        let (size, align) = (usize::try_from(size).ok()?, usize::try_from(align).ok()?);
        let layout = Layout::from_size_align(size, align).ok()?;
        if size >= MAPPED_FROM || align > PAGE {
            return Self::map(size, align);
        }
        // SAFETY: the layout has at least one byte.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        Some(Self { start, size, align, source: Source::Heap(layout) })
    }

    fn map(size: usize, align: usize) -> Option<Self> {
        let huge = size >= HUGE_FROM;
        let place = if huge { align.max(HUGE_PAGE) } else { align };
        let slack = place.saturating_sub(PAGE);
        let len = size.checked_add(slack)?.checked_next_multiple_of(PAGE)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches no other memory.
        let mapping = unsafe { mmap_anonymous(null_mut(), len, access, MapFlags::PRIVATE) }.ok()?;
        let source = Source::Mapping { start: mapping as usize, len };
        // Rounding up takes at most `slack`, because mappings start at pages.
        let start = NonNull::new((mapping as usize).next_multiple_of(place) as *mut u8)?;
        if huge {
            // SAFETY: the whole range lies in the new mapping. Refusal only means small pages.
            let _ = unsafe { madvise(start.as_ptr().cast(), size, Advice::LinuxHugepage) };
        }
        Some(Self { start, size, align, source })
    }

    pub(crate) fn address(&self) -> u64 {
        self.start.as_ptr() as u64
    }

    pub(crate) fn size(&self) -> u64 {
        self.size as u64
    }

    pub(crate) fn align(&self) -> u64 {
        self.align as u64
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        match self.source {
            // SAFETY: the memory came from `alloc` with this layout, and this is its only owner.
            Source::Heap(layout) => unsafe { dealloc(self.start.as_ptr(), layout) },
            Source::Mapping { start, len } => {
                // SAFETY: the mapping is this block's own. Unmapping whole mappings does not fail.
                let _ = unsafe { munmap(start as *mut c_void, len) };
            }
        }
    }
}
