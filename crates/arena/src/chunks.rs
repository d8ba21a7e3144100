//! A growing array whose elements never move: chunks, each twice as long as the one before.
//!
//! The directory is so short that it lies inside its owner: finding an element is arithmetic and one load.

use std::ptr;

use crate::bits::MOST_SLOTS;
use crate::sync::atomic::{AtomicPtr, Ordering};

/// Elements of the first chunk. Few under loom, which explores every one.
pub(crate) const FIRST: u32 = if cfg!(loom) { 2 } else { 512 };

const CHUNKS: usize = ((MOST_SLOTS + FIRST).ilog2() - FIRST.ilog2() + 1) as usize;

/// The array. It grows without a lock and shrinks never.
#[derive(Debug)]
pub(crate) struct Chunks<E> {
    /// The first element of each chunk; null where there is none yet.
    chunks: [AtomicPtr<E>; CHUNKS],
}

/// Where an element lies: its chunk and its place in it.
#[inline(always)]
fn place(index: u32) -> (usize, usize) {
    // One chunk of FIRST elements fewer, and the chunks would begin at the powers of two.
    let shifted = u64::from(index) + u64::from(FIRST);
    let chunk = shifted.ilog2() - FIRST.ilog2();
    (chunk as usize, (shifted - (u64::from(FIRST) << chunk)) as usize)
}

fn len(chunk: usize) -> usize {
    (FIRST as usize) << chunk
}

impl<E: Zero> Chunks<E> {
    pub(crate) fn new() -> Self {
        Self { chunks: std::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())) }
    }

    /// The element, if its chunk is there. The index may be any number.
    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> Option<&E> {
        let (chunk, at) = place(index);
        let first = self.chunks.get(chunk)?.load(Ordering::Acquire);
        if first.is_null() {
            return None;
        }
        // SAFETY: `place` gives less than the length of the chunk; a chunk is never moved, and is freed only when
        // `self` is dropped.
        Some(unsafe { &*first.add(at) })
    }

    /// The element, whose chunk is made if need be.
    pub(crate) fn make(&self, index: u32) -> &E {
        if self.get(index).is_none() {
            let (chunk, _) = place(index);
            let new = Box::into_raw(zeroed::<E>(len(chunk)));
            let slot = &self.chunks[chunk];
            let null = ptr::null_mut();
            if slot.compare_exchange(null, new.cast::<E>(), Ordering::AcqRel, Ordering::Acquire).is_err() {
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
        for (chunk, first) in self.chunks.iter().enumerate() {
            let first = first.load(Ordering::Acquire);
            if !first.is_null() {
                let all = ptr::slice_from_raw_parts_mut(first, len(chunk));
                // SAFETY: it came out of a box of this length, and nobody borrows the array any more.
                drop(unsafe { Box::from_raw(all) });
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

/// Memory fresh from the system is zero already: no page of it is touched before it is used.
#[cfg(not(loom))]
fn zeroed<E: Zero>(len: usize) -> Box<[E]> {
    // SAFETY: that zeros are a valid value is the promise of `Zero`.
    unsafe { Box::new_zeroed_slice(len).assume_init() }
}

#[cfg(loom)]
fn zeroed<E: Zero>(len: usize) -> Box<[E]> {
    (0..len).map(|_| E::zero()).collect()
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
    fn places_are_dense_and_inside() {
        let mut expected = (0, 0);
        for index in 0..100_000 {
            assert_eq!(place(index), expected);
            expected.1 += 1;
            if expected.1 == len(expected.0) {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place(MOST_SLOTS - 1).0 < CHUNKS);
    }

    #[test]
    fn any_index_may_be_asked_for() {
        let chunks = Chunks::<AtomicU64>::new();
        assert!(chunks.get(0).is_none() && chunks.get(u32::MAX).is_none());
        chunks.make(3).store(7, Ordering::Relaxed);
        assert_eq!(chunks.at(3).load(Ordering::Relaxed), 7);
        assert_eq!(chunks.at(4).load(Ordering::Relaxed), 0);
        assert!(chunks.get(FIRST).is_none() && chunks.get(u32::MAX).is_none());
    }
}
