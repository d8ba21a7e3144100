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
    /// The version of the key, which the slot holds while the object lives.
    pub(crate) const fn version(self) -> u32 {
        self.generation << GENERATION_SHIFT | (self.tag as u32) << TAG_SHIFT | 1
    }

    pub(crate) fn data(self) -> KeyData {
        join(self.index, self.version())
    }

    /// Apart again; `None` where the bits are of no key that any table gave out.
    pub(crate) const fn of_key(index: u32, version: u32) -> Option<Self> {
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

/// Index and version of a key.
///
/// slotmap promises only that a number made of a key gives the key again. That the index is its lower half is
/// what makes secondary maps dense; a test watches over it.
#[inline(always)]
pub(crate) fn split(key: KeyData) -> (u32, u32) {
    let both = key.as_ffi();
    (both as u32, (both >> 32) as u32)
}

/// The other way round.
pub(crate) const fn join(index: u32, version: u32) -> KeyData {
    KeyData::from_ffi((version as u64) << 32 | index as u64)
}

/// What a slot says of itself, in as many bits as a version has. A slot of which the generation is the
/// version's and that holds an object says the version, so that one comparison finds it.
pub(crate) mod state {
    use super::{GENERATION_SHIFT, LAST_GENERATION};

    /// Set in every key's version, and so in a slot that holds an object without a family.
    const LIVE: u32 = 1;
    /// Set in a slot that holds a child, in place of `LIVE`: it equals no key, so no key finds the child
    /// without its family being asked.
    const CHILD: u32 = 1 << 31;
    /// Set beside neither, while an object is being made.
    const RESERVED: u32 = 1 << 1;
    /// Set beside neither, for ever, once the generations are spent.
    const RETIRED: u32 = 1 << 2;

    /// What a slot holds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Holds {
        /// Nothing, or nothing any more.
        Nothing,
        /// Nothing yet.
        Reserved,
        /// An object, whose key has this version.
        Object(u32),
        /// An object of a family, whose key has this version.
        Child(u32),
    }

    /// Nothing lives, the generation has been.
    pub(crate) const fn vacant(generation: u32) -> u32 {
        generation << GENERATION_SHIFT
    }

    pub(crate) const fn reserved(generation: u32) -> u32 {
        vacant(generation) | RESERVED
    }

    pub(crate) const fn retired(generation: u32) -> u32 {
        vacant(generation) | RETIRED
    }

    /// What the slot of a child says. `None` for a version that no table gave out.
    #[inline]
    pub(crate) const fn child(version: u32) -> Option<u32> {
        if version & (LIVE | CHILD) == LIVE { Some(version ^ (LIVE | CHILD)) } else { None }
    }

    /// The generation in any state, that of a new slot being 0.
    pub(crate) const fn generation(state: u32) -> u32 {
        state >> GENERATION_SHIFT & LAST_GENERATION
    }

    pub(crate) const fn holds(state: u32) -> Holds {
        match (state & LIVE != 0, state & CHILD != 0) {
            (true, _) => Holds::Object(state),
            (false, true) => Holds::Child(state ^ (LIVE | CHILD)),
            (false, false) if state & RESERVED != 0 => Holds::Reserved,
            (false, false) => Holds::Nothing,
        }
    }
}

/// The end of a list of free slots: an index that no slot has.
pub(crate) const END: u32 = MOST_SLOTS;

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
            let (index, version) = split(parts.data());
            assert_eq!(Parts::of_key(index, version), Some(parts));
            assert_eq!(Parts::of_word(parts.word(9)), Some((9, parts)));
            assert_eq!((index, version), (parts.index, parts.version()));
        }
    }

    /// Its `Debug` shows the halves.
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
    fn a_slot_says_a_version_only_while_that_object_lives() {
        for parts in SAMPLES {
            let version = parts.version();
            assert_eq!(state::holds(version), state::Holds::Object(version));
            let child = state::child(version).unwrap();
            assert_eq!(state::holds(child), state::Holds::Child(version));
            let states = [
                child,
                state::vacant(parts.generation),
                state::reserved(parts.generation),
                state::retired(parts.generation),
            ];
            for state in states {
                assert_eq!(state::generation(state), parts.generation);
                assert_eq!(Parts::of_key(parts.index, state), None);
                let key = DefaultKey::from(join(parts.index, state));
                assert_ne!(split(key.data()).1, state, "a key can be made of any bits, but not of a state");
            }
            assert_eq!(state::child(version | 1 << 31), None, "a key with a strange bit is no child's");
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
