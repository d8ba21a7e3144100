//! An entry of a store: the recipe and the image, sealed.
//!
//! ```text
//!  0  magic      8 bytes   8B 4F 41 52 45 4E 54 0A
//!  8  version    u32       of all that follows
//! 12  zero       u32
//! 16  length     u64       of the whole entry
//! 24  checksum  32 bytes   BLAKE3 over bytes 0..24 and 56..length
//! 56  content   32 bytes   the recipe: the content's digest, then five texts behind their lengths (u32)
//!     texts
//!     image                the rest
//! ```

use crate::{Digest, Recipe};

const MAGIC: [u8; 8] = *b"\x8BOARENT\n";

/// The version of the layout that is written and read.
const VERSION: u32 = 1;

const CHECKSUM_AT: usize = 24;
const BODY_AT: usize = CHECKSUM_AT + blake3::OUT_LEN;

/// Why the bytes under an entry's name are not an entry that can be used. The image is compiled again, and the
/// entry replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The bytes are no entry at all.
    #[error("not an entry of this cache; it will be replaced where its name is needed")]
    Magic,
    /// Another version of Oarlock wrote the entry.
    #[error("an entry of layout {came}, where this version reads layout {expected}; it will be replaced")]
    Version {
        /// The version that is read.
        expected: u32,
        /// The version that came.
        came: u32,
    },
    /// The entry is longer or shorter than it says.
    #[error("an entry of {expected} bytes has {came}; it will be replaced")]
    Length {
        /// Bytes that there should be, or the least that there can be.
        expected: u64,
        /// Bytes that there are.
        came: u64,
    },
    /// The bytes were changed since they were written.
    #[error("an entry's checksum is not that of its bytes: it was damaged; it will be replaced")]
    Checksum,
    /// The checksum is right and the fields make no sense all the same.
    #[error("an entry's recipe cannot be read or is another one than its name says; it will be replaced")]
    Recipe,
    /// The entry is whole, and the image in it is none that its codec reads.
    #[error("an entry's image cannot be read; it will be replaced")]
    Image,
}

/// An entry that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// What the image was made of.
    pub recipe: Recipe<'a>,
    /// The image as its codec wrote it.
    pub image: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The bytes of an entry that holds `image`, made of `recipe`.
    pub fn seal(recipe: &Recipe<'_>, image: &[u8]) -> Vec<u8> {
        let Recipe { content, triple, cpu, features, options, compiler } = recipe;
        let mut out = Vec::with_capacity(BODY_AT + image.len() + features.len() + 512);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&[0; 4 + 8 + blake3::OUT_LEN]);
        out.extend_from_slice(&content.0);
        for text in [triple, cpu, features, options, compiler] {
            // A length that does not fit makes an entry that nobody can open, and the image is compiled again.
            out.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            out.extend_from_slice(text.as_bytes());
        }
        out.extend_from_slice(image);
        let length = out.len() as u64;
        out[16..CHECKSUM_AT].copy_from_slice(&length.to_le_bytes());
        let sum = checksum(&out);
        out[CHECKSUM_AT..BODY_AT].copy_from_slice(&sum);
        out
    }

    /// Opens what [`seal`](Self::seal) made. The bytes may come from anywhere.
    ///
    /// # Errors
    /// [`EntryError`] says which check failed.
    ///
    /// # Examples
    /// ```
    /// use oarlock_cache::{Digest, Entry, EntryError, Recipe};
    /// let content = Digest::of(b"program");
    /// let recipe = Recipe { content, triple: "t", cpu: "c", features: "", options: "", compiler: "l" };
    /// let mut bytes = Entry::seal(&recipe, b"image");
    /// assert_eq!(Entry::open(&bytes)?.image, b"image");
    /// *bytes.last_mut().unwrap() ^= 1;
    /// assert_eq!(Entry::open(&bytes), Err(EntryError::Checksum));
    /// # Ok::<(), EntryError>(())
    /// ```
    pub fn open(bytes: &'a [u8]) -> Result<Self, EntryError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(EntryError::Magic);
        }
        let came = bytes.len() as u64;
        if bytes.len() < BODY_AT {
            return Err(EntryError::Length { expected: BODY_AT as u64, came });
        }
        let version = u32::from_le_bytes(array(bytes, 8));
        if version != VERSION {
            return Err(EntryError::Version { expected: VERSION, came: version });
        }
        let expected = u64::from_le_bytes(array(bytes, 16));
        if came != expected {
            return Err(EntryError::Length { expected, came });
        }
        if checksum(bytes) != bytes[CHECKSUM_AT..BODY_AT] {
            return Err(EntryError::Checksum);
        }
        let mut rest = &bytes[BODY_AT..];
        let content = Digest(*rest.split_off(..32).and_then(|c| c.first_chunk()).ok_or(EntryError::Recipe)?);
        let mut text = || text(&mut rest).ok_or(EntryError::Recipe);
        let (triple, cpu, features, options, compiler) = (text()?, text()?, text()?, text()?, text()?);
        Ok(Self { recipe: Recipe { content, triple, cpu, features, options, compiler }, image: rest })
    }
}

/// Takes a text behind its length off the front.
fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?);
    std::str::from_utf8(rest.split_off(..usize::try_from(length).ok()?)?).ok()
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

fn checksum(entry: &[u8]) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&entry[..CHECKSUM_AT]).update(&entry[BODY_AT..]);
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::{BODY_AT, CHECKSUM_AT, Entry, EntryError, checksum};
    use crate::{Digest, Recipe};

    const RECIPE: Recipe<'static> = Recipe {
        content: Digest([9; 32]),
        triple: "x86_64-pc-linux-gnu",
        cpu: "znver4",
        features: "+avx2",
        options: "O3",
        compiler: "llvm",
    };

    #[test]
    fn prefixes_and_flipped_bits_are_errors() {
        let mut bytes = Entry::seal(&RECIPE, b"an image");
        assert_eq!(Entry::open(&bytes), Ok(Entry { recipe: RECIPE, image: b"an image" }));
        for end in 0..bytes.len() {
            assert!(Entry::open(&bytes[..end]).is_err(), "{end}");
        }
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Entry::open(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        bytes.push(0);
        assert!(matches!(Entry::open(&bytes), Err(EntryError::Length { .. })));
    }

    #[test]
    fn hostile_lengths_behind_a_right_checksum_are_errors_or_entries() {
        let sealed = Entry::seal(&RECIPE, b"an image");
        for at in BODY_AT..sealed.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut bytes = sealed.clone();
                bytes[at] = value;
                let sum = checksum(&bytes);
                bytes[CHECKSUM_AT..BODY_AT].copy_from_slice(&sum);
                if let Ok(entry) = Entry::open(&bytes) {
                    assert_eq!(Entry::seal(&entry.recipe, entry.image), bytes);
                }
            }
        }
    }
}
