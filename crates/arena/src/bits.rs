//! The one place that knows which bits of a handle mean what.
//!
//! A key is slotmap's [`KeyData`]: an index, dense from 0, and an odd version.
//!
//! ```text
//! version   31 | 30 ........ 7 | 6 .... 1 | 0
//!            0 |  generation   |   tag    | 1        generation 1 ..= 2^24 - 1, tag of the instance
//! index     31 ...... 24 | 23 ............ 0
//!                 0      |      index
//! ```
//!
//! Bit 31 of the version stays clear because slotmap's secondary maps take the version that is ahead by
//! less than half the range for the newer one. With the generation on top of 31 bits, a later object of
//! an index is always the newer.
//!
//! The word form for C holds the same and the kind, between marks:
//!
//! ```text
//! 63 .. 59 | 58 ........ 35 | 34 .. 29 | 28 ....... 5 | 4 .. 1 | 0
//!  10110   |   generation   |   tag    |    index     |  kind  | 1
//! ```
//!
//! Bit 0 is set in no aligned pointer, the top five in no user address and no small integer.

use slotmap::KeyData;

/// Bits of an index.
pub(crate) const INDEX_BITS: u32 = 24;
/// Bits of a generation.
pub(crate) const GENERATION_BITS: u32 = 24;
/// Bits of an instance's tag.
pub(crate) const TAG_BITS: u32 = 6;

/// The last generation that there is.
pub(crate) const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;
/// The most slots of a table: one index less than there are, for the end of lists.
pub(crate) const MOST_SLOTS: u32 = (1 << INDEX_BITS) - 1;

const TAG_SHIFT: u32 = 1;
const GENERATION_SHIFT: u32 = TAG_SHIFT + TAG_BITS;
const _: () = assert!(GENERATION_SHIFT + GENERATION_BITS == 31, "bit 31 of the version stays clear");

const MARK: u64 = 0b10110;
const MARK_SHIFT: u32 = 59;
const WORD_GENERATION_SHIFT: u32 = 35;
const WORD_TAG_SHIFT: u32 = 29;
const WORD_INDEX_SHIFT: u32 = 5;
const WORD_KIND_SHIFT: u32 = 1;

/// What a key says, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    pub(crate) tag: u8,
}

impl Parts {
    /// The key as one number, as slots hold it while the object lives.
    pub(crate) const fn ident(self) -> u64 {
        let version = self.generation << GENERATION_SHIFT | (self.tag as u32) << TAG_SHIFT | 1;
        (version as u64) << 32 | self.index as u64
    }

    pub(crate) fn data(self) -> KeyData {
        KeyData::from_ffi(self.ident())
    }

    /// Apart again; `None` where the bits are of no key that any table gave out.
    pub(crate) const fn of_ident(ident: u64) -> Option<Self> {
        let (index, version) = (ident as u32, (ident >> 32) as u32);
        let generation = version >> GENERATION_SHIFT;
        if index >= MOST_SLOTS || version & 1 == 0 || version >> 31 != 0 || generation == 0 {
            return None;
        }
        let tag = (version >> TAG_SHIFT) as u8 & ((1 << TAG_BITS) - 1);
        Some(Self { index, generation, tag })
    }

    /// The word form.
    pub(crate) const fn word(self, kind: u8) -> u64 {
        MARK << MARK_SHIFT
            | (self.generation as u64) << WORD_GENERATION_SHIFT
            | (self.tag as u64) << WORD_TAG_SHIFT
            | (self.index as u64) << WORD_INDEX_SHIFT
            | (kind as u64) << WORD_KIND_SHIFT
            | 1
    }

    /// Kind and parts of a word; `None` where it has not the form of a handle.
    pub(crate) const fn of_word(word: u64) -> Option<(u8, Self)> {
        let kind = (word >> WORD_KIND_SHIFT) as u8 & 15;
        let parts = Self {
            index: (word >> WORD_INDEX_SHIFT) as u32 & ((1 << INDEX_BITS) - 1),
            generation: (word >> WORD_GENERATION_SHIFT) as u32 & LAST_GENERATION,
            tag: (word >> WORD_TAG_SHIFT) as u8 & ((1 << TAG_BITS) - 1),
        };
        let marked = word >> MARK_SHIFT == MARK && word & 1 == 1;
        if !marked || kind == 0 || parts.generation == 0 || parts.index >= MOST_SLOTS {
            return None;
        }
        Some((kind, parts))
    }
}

/// What a slot holds while nothing lives in it. Bit 32 is clear, which no key has.
pub(crate) mod vacant {
    use super::{GENERATION_SHIFT, INDEX_BITS, LAST_GENERATION};

    /// The end of a list of free slots.
    pub(crate) const END: u32 = (1 << INDEX_BITS) - 1;

    /// Set while an object is being made.
    pub(crate) const RESERVED: u64 = 1 << 33;
    /// Set for ever, once the generations are spent.
    pub(crate) const RETIRED: u64 = 1 << 34;

    /// Free: the last generation that was issued here, and the next free slot.
    pub(crate) const fn free(generation: u32, next: u32) -> u64 {
        (generation as u64) << (32 + GENERATION_SHIFT) | next as u64
    }

    pub(crate) const fn next(ident: u64) -> u32 {
        ident as u32 & END
    }

    /// The generation in any state of a slot.
    pub(crate) const fn generation(ident: u64) -> u32 {
        (ident >> (32 + GENERATION_SHIFT)) as u32 & LAST_GENERATION
    }
}

/// Set in every key, and so in a slot that holds an object without a family.
pub(crate) const LIVE: u64 = 1 << 32;
/// Set in a slot that holds a child, in place of `LIVE`: no key equals it, so no key finds the child
/// without its family being asked.
const CHILD: u64 = 1 << 63;

/// What the slot of a child holds. `None` for a key that no table gave out.
#[inline]
pub(crate) const fn child(ident: u64) -> Option<u64> {
    if ident & (LIVE | CHILD) == LIVE { Some(ident ^ (LIVE | CHILD)) } else { None }
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// No object.
    Nothing,
    /// An object, named by this ident.
    Object(u64),
    /// An object of a family, named by this ident.
    Child(u64),
}

pub(crate) const fn held(slot: u64) -> Held {
    match (slot & LIVE != 0, slot & CHILD != 0) {
        (true, _) => Held::Object(slot),
        (false, true) => Held::Child(slot ^ (LIVE | CHILD)),
        (false, false) => Held::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slotmap::{DefaultKey, Key, SecondaryMap};

    const SAMPLES: [Parts; 4] = [
        Parts { index: 0, generation: 1, tag: 0 },
        Parts { index: 5, generation: 3, tag: 1 },
        Parts { index: MOST_SLOTS - 1, generation: LAST_GENERATION, tag: 63 },
        Parts { index: 0x00a5_a5a5, generation: 0x005a_5a5a, tag: 0x2a },
    ];

    #[test]
    fn both_forms_come_back() {
        for parts in SAMPLES {
            assert_eq!(Parts::of_ident(parts.ident()), Some(parts));
            assert_eq!(Parts::of_word(parts.word(9)), Some((9, parts)));
            assert_eq!(parts.data().as_ffi(), parts.ident());
        }
    }

    /// slotmap promises only that `as_ffi` and `from_ffi` are each other's inverse. That the index is in
    /// the low half is what makes secondary maps dense; its `Debug` shows the halves.
    #[test]
    fn slotmap_still_has_the_layout_that_makes_secondary_maps_dense() {
        let parts = Parts { index: 7, generation: 2, tag: 3 };
        assert_eq!(format!("{:?}", parts.data()), format!("7v{}", 2 << 7 | 3 << 1 | 1));
        let mut map = SecondaryMap::new();
        map.insert(DefaultKey::from(parts.data()), 1);
        assert!(map.capacity() < 64, "an index of 7 must not reserve {}", map.capacity());
    }

    #[test]
    fn the_later_object_of_an_index_is_the_newer_version() {
        let key = |generation| DefaultKey::from(Parts { index: 0, generation, tag: 63 }.data());
        let steps = [1, 2, 1 << 22, 1 << 23, (1 << 23) + 1, LAST_GENERATION];
        for pair in steps.windows(2) {
            let mut map = SecondaryMap::new();
            map.insert(key(pair[0]), "old");
            map.insert(key(pair[1]), "new");
            assert_eq!(map.get(key(pair[1])), Some(&"new"));
            map.insert(key(pair[0]), "old");
            assert_eq!(map.get(key(pair[1])), Some(&"new"), "an old key must not push out a newer one");
        }
        let mut map = SecondaryMap::new();
        map.insert(key(1), "first");
        map.insert(key(LAST_GENERATION), "last");
        assert_eq!(map.get(key(LAST_GENERATION)), Some(&"last"));
    }

    #[test]
    fn no_vacant_slot_holds_what_a_key_holds() {
        for parts in SAMPLES {
            for state in [0, vacant::RESERVED, vacant::RETIRED] {
                let ident = vacant::free(parts.generation, vacant::END) | state;
                assert_eq!(held(ident), Held::Nothing);
                assert_eq!(Parts::of_ident(ident), None);
                assert_eq!(vacant::generation(ident), parts.generation);
            }
            let ident = parts.ident();
            let child = child(ident).unwrap();
            assert_eq!((held(ident), held(child)), (Held::Object(ident), Held::Child(ident)));
            assert_eq!(vacant::generation(child), parts.generation);
            assert_eq!(Parts::of_ident(child), None, "no key is what the slot of a child holds");
            assert_ne!(DefaultKey::from(KeyData::from_ffi(child)).data().as_ffi(), child);
            assert_eq!(super::child(ident | CHILD), None, "a key with a strange bit is no child's");
        }
    }

    #[test]
    fn words_are_no_pointers_and_no_small_numbers() {
        for parts in SAMPLES {
            let word = parts.word(1);
            assert_eq!(word & 1, 1);
            assert!(word >> 59 != 0 && word >> 59 != 31);
        }
        for word in [0, 1, 2, 63, u64::from(u32::MAX), u64::MAX, 0x7fff_ffff_f000, 0x7fff_ffff_f001] {
            assert_eq!(Parts::of_word(word), None);
        }
    }
}
