//! The file that a buffer goes to.

use std::path::{Path, PathBuf};

use super::Shape;
use crate::value::DType;

/// A file, with its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    /// A NumPy array.
    Npy(PathBuf),
    /// A picture.
    Png(PathBuf),
}

impl Sink {
    /// The sink that `path` names by its suffix.
    pub(crate) fn new(path: &str) -> Result<Self, String> {
        match Path::new(path).extension().and_then(|s| s.to_str()) {
            Some("npy") => Ok(Self::Npy(path.into())),
            Some("png") => Ok(Self::Png(path.into())),
            _ => Err(format!("an output file ends in .npy or .png; got `{path}`")),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Npy(path) | Self::Png(path) => path,
        }
    }

    /// Whether such elements in such a shape can be written at all.
    pub(crate) fn check(&self, dtype: DType, shape: &Shape) -> Result<(), String> {
        match self {
            Self::Npy(_) if dtype.numpy().is_none() => {
                Err(format!("a .npy file cannot hold {}: NumPy has no such type", dtype.name()))
            }
            Self::Png(_) if dtype != DType::U8 || channels(shape).is_none() => Err(format!(
                "a picture is u8 of shape HxW (grey), HxWx3 (RGB) or HxWx4 (RGBA); got {} of shape {shape}",
                dtype.name()
            )),
            _ => Ok(()),
        }
    }
}

/// How many channels a picture of this shape has; `None` where it is no picture.
pub(crate) fn channels(shape: &Shape) -> Option<u64> {
    let fits = |n: u64| n <= u64::from(i32::MAX as u32);
    match shape.0[..] {
        [h, w] if fits(h) && fits(w) => Some(1),
        [h, w, c @ (1 | 3 | 4)] if fits(h) && fits(w) => Some(c),
        _ => None,
    }
}
