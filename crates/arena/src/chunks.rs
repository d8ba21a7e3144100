//! A growing array whose elements never move: a directory of chunks.
//!
//! Finding an element is a shift, a mask and two loads. (Chunks that double would need no directory to speak
//! of, and were tried: finding the chunk takes a bit scan, which on many processors costs more than the
//! load.)

use std::ptr;

use crate::bits::MOST_SLOTS;
use crate::sync::atomic::{AtomicPtr, Ordering};

/// Elements of a chunk, and chunks. Few where every one of them is looked at: under loom and Miri.
const LEN: u32 = if cfg!(loom) {
    2
} else if cfg!(miri) {
    512
} else {
    16_384
};
const CHUNKS: usize = if cfg!(any(loom, miri)) { 8 } else { MOST_SLOTS.div_ceil(LEN) as usize };

/// The array. It grows without a lock and shrinks never. Memory that was not used yet is not touched.
#[derive(Debug)]
pub(crate) struct Chunks<E> {
    /// The first element of each chunk; null where there is none yet. In place, which saves a resolve one
    /// load.
    directory: [AtomicPtr<E>; CHUNKS],
}

impl<E: Zero> Chunks<E> {
    pub(crate) fn new() -> Self {
        Self { directory: std::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())) }
    }

    /// Looks at an element, if its chunk is there. The index may be any number.
    ///
    /// With a closure, because an optional reference would be tested for null a second time.
    #[inline(always)]
    pub(crate) fn look<'c, R>(&'c self, index: u32, look: impl FnOnce(&'c E) -> Option<R>) -> Option<R> {
        let first = self.directory.get((index / LEN) as usize)?.load(Ordering::Acquire);
        if first.is_null() {
            return None;
        }
        // SAFETY: a chunk has LEN elements, is never moved, and is freed only when `self` is dropped.
        look(unsafe { &*first.add((index % LEN) as usize) })
    }

    /// The element, if its chunk is there. The index may be any number.
    pub(crate) fn get(&self, index: u32) -> Option<&E> {
        self.look(index, Some)
    }

    /// The element, whose chunk is made if need be.
    pub(crate) fn make(&self, index: u32) -> &E {
        if self.get(index).is_none() {
            let new: *mut [E; LEN as usize] = Box::into_raw(zeroed());
            let entry = &self.directory[(index / LEN) as usize];
            let null = ptr::null_mut();
            if entry.compare_exchange(null, new.cast(), Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: the other thread's chunk is in place, so this one was never shared.
                drop(unsafe { Box::from_raw(new) });
            }
        }
        self.at(index)
    }

    /// An element that is known to be there.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> &E {
        self.get(index).expect("the index came from this table")
    }
}

impl<E> Drop for Chunks<E> {
    fn drop(&mut self) {
        for entry in &self.directory {
            let first = entry.load(Ordering::Acquire);
            if !first.is_null() {
                let chunk: *mut [E; LEN as usize] = first.cast();
                // SAFETY: it came out of a box of this type, and nobody borrows the array any more.
                drop(unsafe { Box::from_raw(chunk) });
            }
        }
    }
}

/// Types whose first value is all zeros in memory.
///
/// # Safety
/// All bytes zero are a valid value, equal to what `zero` returns.
pub(crate) unsafe trait Zero {
    /// That value.
    #[cfg_attr(not(loom), allow(dead_code, reason = "only loom cannot take it from zeroed memory"))]
    fn zero() -> Self;
}

// SAFETY: zero is the null pointer.
unsafe impl<P> Zero for AtomicPtr<P> {
    fn zero() -> Self {
        Self::new(ptr::null_mut())
    }
}

/// Memory fresh from the system is zero already: no page of it is touched before it is used.
#[cfg(not(loom))]
fn zeroed<E: Zero, const N: usize>() -> Box<[E; N]> {
    // SAFETY: that zeros are a valid value is the promise of `Zero`.
    unsafe { Box::new_zeroed().assume_init() }
}

#[cfg(loom)]
fn zeroed<E: Zero, const N: usize>() -> Box<[E; N]> {
    Box::new(std::array::from_fn(|_| E::zero()))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    // SAFETY: zeros are the number 0.
    unsafe impl Zero for AtomicU64 {
        fn zero() -> Self {
            Self::new(0)
        }
    }

    #[test]
    fn every_element_has_its_place() {
        let chunks = Chunks::<AtomicU64>::new();
        let last = (LEN * CHUNKS as u32).min(MOST_SLOTS) - 1;
        let some = [0, 1, LEN - 1, LEN, 3 * LEN + 5, last];
        some.iter().for_each(|&index| chunks.make(index).store(u64::from(index) + 1, Ordering::Relaxed));
        some.iter()
            .for_each(|&index| assert_eq!(chunks.at(index).load(Ordering::Relaxed), u64::from(index) + 1));
        assert_eq!(chunks.at(LEN + 1).load(Ordering::Relaxed), 0);
    }

    #[test]
    fn any_index_may_be_asked_for() {
        let chunks = Chunks::<AtomicU64>::new();
        assert!(chunks.get(0).is_none() && chunks.get(u32::MAX).is_none());
        chunks.make(3);
        assert!(
            chunks.get(LEN).is_none() && chunks.get(MOST_SLOTS).is_none() && chunks.get(u32::MAX).is_none()
        );
    }
}
