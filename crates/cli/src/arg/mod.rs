//! The ARGs of `oarlock run`: what they say, before anything is read or allocated.

mod parse;
mod shape;
mod sink;
mod size;

use std::path::PathBuf;

pub(crate) use shape::Shape;
pub(crate) use sink::{Sink, channels};
pub(crate) use size::byte_count;

use crate::value::{DType, Fill};

/// The forms of an ARG, for `--help`.
pub(crate) const FORMS: &str = "\
Arguments, one for each parameter of the kernel, in order:
  TYPE:VALUE                 a scalar: i32:-7, u64:0xff, f32:2.0, f64:1e-3, bool:true
                             TYPE is i8 i16 i32 i64 i128, u8 u16 u32 u64 u128, f16 f32 f64 or bool
  bytes:HEX                  any value by its bytes in memory: a structure, a vector
  local:BYTES                for a pointer to group memory: how much each group gets there
  null                       the null pointer
  in:FILE.npy                a buffer with the array that FILE holds; the file stays as it is
  inout:FILE.npy[:OUT]       the same, and what the kernel makes of it goes to OUT
  out:TYPE:SHAPE[:OUT]       a buffer of zeros for a result: out:f32:1024, out:f32:512x512:r.npy
  zeros:TYPE:SHAPE           a buffer of zeros
  iota:TYPE:SHAPE            0, 1, 2, ... (integers wrap around)
  rand:TYPE:SHAPE[:SEED]     uniform in [0, 1); integers: all values alike; equal seeds give equal
                             numbers

SHAPE is element counts with x between them, the last one varying fastest: 1024, 512x512, 480x640x3.
OUT ends in .npy, or in .png for u8 buffers of shape HxW (grey), HxWx3 (RGB) or HxWx4 (RGBA).
The first values of a buffer without OUT are printed, except those of in: buffers.";

/// One ARG.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arg {
    /// As it was written.
    pub(crate) text: String,
    /// What it means.
    pub(crate) spec: Spec,
}

/// What an ARG means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spec {
    /// A scalar by its bytes.
    Scalar { dtype: DType, bytes: Vec<u8> },
    /// Any value by its bytes.
    Bytes(Vec<u8>),
    /// Group memory of a size.
    Local(u32),
    /// The null pointer.
    Null,
    /// A buffer.
    Buffer(Buffer),
}

/// Where a buffer's contents come from and go to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) source: Source,
    /// The file that gets the contents after the launch.
    pub(crate) sink: Option<Sink>,
    pub(crate) role: Role,
}

/// What a buffer starts with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// The array in a file.
    File(PathBuf),
    /// Made-up contents.
    Made { dtype: DType, shape: Shape, fill: Fill },
}

/// What becomes of a buffer's contents after the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing.
    Input,
    /// They are wanted: shown or written to a file.
    Output,
    /// They are shown where the kernel changed them.
    Scratch,
}
