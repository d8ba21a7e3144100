//! A stream of bits, least significant first, in words of 32.

use super::Damage;

/// Reads bits; every read past the end is damage.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: u64,
    /// Where the bytes start in the whole file.
    base: u64,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    pub(super) fn position(&self) -> u64 {
        self.at
    }

    pub(super) fn left(&self) -> u64 {
        self.bytes.len() as u64 * 8 - self.at
    }

    pub(super) fn damage(&self, what: &'static str) -> Damage {
        (self.base + self.at / 8, what)
    }

    /// The next `count` bits, at most 32.
    pub(super) fn fixed(&mut self, count: u32) -> Result<u64, Damage> {
        if u64::from(count) > self.left() {
            return Err(self.damage("it ends in the middle of a record"));
        }
        let first = (self.at / 8) as usize;
        let end = self.bytes.len().min(first + 8);
        let mut word = [0; 8];
        word[..end - first].copy_from_slice(&self.bytes[first..end]);
        let shifted = u64::from_le_bytes(word) >> (self.at % 8);
        self.at += u64::from(count);
        // At most 7 + 32 bits are needed of the 64 that were read.
        Ok(shifted & ((1 << count) - 1))
    }

    /// A number in chunks of `width` bits, the highest of which says that another follows.
    pub(super) fn variable(&mut self, width: u32) -> Result<u64, Damage> {
        let more = 1_u64 << (width - 1);
        let (mut value, mut shift) = (0, 0);
        loop {
            let chunk = self.fixed(width)?;
            value |= (chunk & (more - 1)) << shift;
            if chunk & more == 0 {
                return Ok(value);
            }
            shift += width - 1;
            if shift >= 64 || width == 1 {
                return Err(self.damage("a number has more than 64 bits"));
            }
        }
    }

    /// To the next word.
    pub(super) fn align(&mut self) -> Result<(), Damage> {
        self.skip(self.at.next_multiple_of(32) - self.at)
    }

    pub(super) fn skip(&mut self, bits: u64) -> Result<(), Damage> {
        if bits > self.left() {
            return Err(self.damage("it ends before what it announces"));
        }
        self.at += bits;
        Ok(())
    }
}
