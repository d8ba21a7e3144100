//! What equal programs have in common.

use std::fmt;

/// The content of a program and all else that its image depends on, boiled down to 256 bits.
///
/// Two programs with one digest share one image: it must come of a hash function for which nobody can
/// make two inputs meet, over every byte, the target, every option and the compiler's identity, and
/// over nothing else. The cache compares digests and never looks at what they were made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
