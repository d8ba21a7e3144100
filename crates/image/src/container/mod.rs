//! The compiled image as bytes: what a file, a pipe or a store holds of it.
//!
//! ```text
//!  0  magic      8 bytes   8B 4F 41 52 49 4D 47 0A
//!  8  version    u32       of all that follows; a reader refuses every other
//! 12  zero       u32
//! 16  length     u64       of the whole container
//! 24  checksum  32 bytes   BLAKE3 over bytes 0..24 and 56..length
//! 56  target, metadata, code
//! ```
//!
//! Numbers are little-endian. A string or a list is its length as a `u32`, then its elements; the code's
//! length is a `u64`. Nothing is aligned, nothing is optional but by a byte that says so.

mod error;
mod reader;
mod writer;

pub use error::DecodeError;

use crate::Image;
use reader::Reader;

/// The first eight bytes of a compiled image.
pub(crate) const MAGIC: [u8; 8] = *b"\x8BOARIMG\n";

/// The version of the layout that this crate writes and reads.
const VERSION: u32 = 1;

/// Where the checksum lies, and where the body starts.
const CHECKSUM_AT: usize = 24;
const BODY_AT: usize = CHECKSUM_AT + blake3::OUT_LEN;

impl Image {
    /// The image as one container that [`from_bytes`](Self::from_bytes) reads, in any process.
    ///
    /// Equal images give equal bytes.
    ///
    /// # Examples
    /// ```
    /// use oarlock_image::{Dialect, Format, Image, Metadata, Target};
    /// let image = Image {
    ///     target: Target { triple: "x86_64-pc-linux-gnu".into(), cpu: "znver4".into(), features: "".into() },
    ///     code: b"\x7FELF".to_vec(),
    ///     metadata: Metadata { dialect: Dialect::Native, kernels: vec![], globals: vec![] },
    /// };
    /// let bytes = image.to_bytes();
    /// assert_eq!(Format::sniff(&bytes), Format::Image);
    /// assert_eq!(Image::from_bytes(&bytes)?, image);
    /// # Ok::<(), oarlock_image::DecodeError>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(BODY_AT + self.byte_size());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&0_u32.to_le_bytes());
        out.extend_from_slice(&[0; 8 + blake3::OUT_LEN]);
        writer::image(&mut out, self);
        let length = out.len() as u64;
        out[16..CHECKSUM_AT].copy_from_slice(&length.to_le_bytes());
        let sum = checksum(&out);
        out[CHECKSUM_AT..BODY_AT].copy_from_slice(&sum);
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. `bytes` must be the container and nothing else.
    ///
    /// The bytes may come from anywhere: whatever they are, the answer is an image that was written or an
    /// error, and no more memory is taken than a small multiple of `bytes.len()`.
    ///
    /// # Errors
    /// [`DecodeError`] says which check failed: the magic, the version, the length, the checksum, or a field.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let head = &bytes[..bytes.len().min(MAGIC.len())];
        if *head != MAGIC[..head.len()] {
            return Err(DecodeError::Magic { came: head.to_vec() });
        }
        if bytes.len() < BODY_AT {
            return Err(DecodeError::Truncated { expected: BODY_AT as u64, came: bytes.len() as u64 });
        }
        let mut header = Reader::new(bytes, MAGIC.len());
        let version = header.u32("the version")?;
        if version != VERSION {
            return Err(DecodeError::Version { expected: VERSION, came: version });
        }
        header.u32("the reserved word")?;
        let expected = header.u64("the length")?;
        let came = bytes.len() as u64;
        if came < expected {
            return Err(DecodeError::Truncated { expected, came });
        }
        if came > expected {
            return Err(DecodeError::Trailing { expected, came });
        }
        if checksum(bytes) != bytes[CHECKSUM_AT..BODY_AT] {
            return Err(DecodeError::Checksum);
        }
        let mut body = Reader::new(bytes, BODY_AT);
        let image = reader::image(&mut body)?;
        body.end()?;
        Ok(image)
    }
}

/// The checksum of a container of at least `BODY_AT` bytes: over everything but itself.
fn checksum(container: &[u8]) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&container[..CHECKSUM_AT]).update(&container[BODY_AT..]);
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests;
