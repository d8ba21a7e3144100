//! The compiled image.

use crate::{Metadata, Target};

/// A program compiled for one target: immutable, and shared by whoever runs it.
///
/// Globals are part of the *code bytes* only as their initial values: every program that loads an
/// image gets its own copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// What the code was made for.
    pub target: Target,
    /// The code: for a host image, a relocatable ELF object.
    pub code: Vec<u8>,
    /// What a launch needs to know.
    pub metadata: Metadata,
}

impl Image {
    /// Bytes that this image keeps in memory, code and metadata (the latter estimated by its names).
    pub fn byte_size(&self) -> usize {
        let names: usize =
            self.metadata.kernels.iter().map(|k| k.name.len() + k.params.len() * 48 + 96).sum();
        let globals: usize = self.metadata.globals.iter().map(|g| g.name.len() + 40).sum();
        size_of::<Self>() + self.code.len() + names + globals
    }
}
