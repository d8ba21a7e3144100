//! Why bytes are no image.

/// Why [`Image::from_bytes`](crate::Image::from_bytes) refused its bytes.
///
/// Whatever the reason, the way on is the same: compile the program again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes do not open as a compiled image does.
    #[error(
        "not a compiled image: it should open with 8B 4F 41 52 49 4D 47 0A, and opens with {came:02X?}; give it \
         what `Image::to_bytes` wrote"
    )]
    Magic {
        /// The first bytes, at most eight.
        came: Vec<u8>,
    },
    /// Another version of Oarlock wrote the image, in another layout.
    #[error(
        "a compiled image of layout {came}, where this version reads layout {expected}; compile the program again"
    )]
    Version {
        /// The version that is read.
        expected: u32,
        /// The version that came.
        came: u32,
    },
    /// The bytes end before the image does.
    #[error("a compiled image of {expected} bytes or more ends after {came}; compile the program again")]
    Truncated {
        /// Bytes that there should be at least.
        expected: u64,
        /// Bytes that there are.
        came: u64,
    },
    /// Bytes come after the image.
    #[error("a compiled image of {expected} bytes comes with {came} bytes; pass the image alone")]
    Trailing {
        /// Bytes that there should be.
        expected: u64,
        /// Bytes that there are.
        came: u64,
    },
    /// The bytes were changed since they were written.
    #[error(
        "a compiled image's checksum is not that of its bytes: they were damaged; compile the program again"
    )]
    Checksum,
    /// The checksum is right and a field makes no sense all the same.
    #[error(
        "a compiled image's {what}, at byte {at}, is not one that this version writes; compile the program again"
    )]
    Field {
        /// The field.
        what: &'static str,
        /// Where it lies.
        at: u64,
    },
}
