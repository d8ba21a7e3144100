//! Kernel arguments: copied at the call, checked against the kernel's parameters.

use oarlock_image::{Kernel, ParamKind};
use smallvec::SmallVec;

use crate::{ArgError, DevicePtr};

/// One kernel argument.
///
/// # Examples
/// ```
/// use oarlock_device::{Arg, DevicePtr};
/// let args = [Arg::from(2.0f32), Arg::from(DevicePtr(0x1000)), Arg::Bytes(&[1, 2, 3, 4])];
/// assert_eq!(args[0].bytes(), 2.0f32.to_le_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Arg<'a> {
    /// A small value, kept in place. Made by `From`.
    Value(Value),
    /// Any value as its bytes in memory: a structure, say.
    Bytes(&'a [u8]),
    /// For a group-memory parameter: how many bytes of group memory the kernel gets there.
    GroupMemory(u32),
}

/// Up to 16 bytes in place.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    bytes: [u8; 16],
    len: u8,
}

impl Arg<'_> {
    /// The argument's bytes; empty for group memory.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Value(v) => &v.bytes[..usize::from(v.len)],
            Self::Bytes(b) => b,
            Self::GroupMemory(_) => &[],
        }
    }
}

macro_rules! arg_from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Arg<'_> {
            fn from(value: $ty) -> Self {
                let raw = value.to_ne_bytes();
                let mut bytes = [0; 16];
                bytes[..raw.len()].copy_from_slice(&raw);
                Self::Value(Value { bytes, len: raw.len() as u8 })
            }
        }
    )*};
}
arg_from!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, f32, f64, isize, usize);

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        u8::from(value).into()
    }
}

impl From<DevicePtr> for Arg<'_> {
    fn from(value: DevicePtr) -> Self {
        value.0.into()
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

/// A cache line of an argument block: what keeps it aligned for every parameter type.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Lines([u8; 64]);

/// An owned, 64-byte aligned argument block, laid out by a kernel's parameters.
///
/// Small blocks (up to 192 bytes) live in place: building and launching one allocates nothing.
#[derive(Clone, Debug)]
pub struct ArgBlock {
    lines: SmallVec<[Lines; 3]>,
    group_bytes: u32,
}

/// The largest alignment that the block keeps, in bytes.
const BLOCK_ALIGN: u32 = 64;

impl ArgBlock {
    /// Lays out `args`, one for each of `kernel`'s parameters.
    ///
    /// # Errors
    /// [`ArgError`]: a wrong count, a size that differs from the parameter's, a value where group
    /// memory is wanted or the reverse, group memory that overflows.
    pub fn from_args(kernel: &Kernel, args: &[Arg<'_>]) -> Result<Self, ArgError> {
        if args.len() != kernel.params.len() {
            return Err(ArgError::Count {
                kernel: kernel.name.clone(),
                expected: kernel.params.len(),
                found: args.len(),
            });
        }
        let mut block = Self::zeroed(kernel)?;
        for (index, (param, arg)) in kernel.params.iter().zip(args).enumerate() {
            let at = param.offset as usize;
            let size = param.size as usize;
            match (param.kind, arg) {
                (ParamKind::GroupMemory, Arg::GroupMemory(bytes)) => {
                    block.place_group_memory(kernel, index, at, u64::from(*bytes))?;
                }
                (ParamKind::GroupMemory, _) | (_, Arg::GroupMemory(_)) => {
                    return Err(ArgError::Kind {
                        kernel: kernel.name.clone(),
                        index,
                        expected_group_memory: param.kind == ParamKind::GroupMemory,
                    });
                }
                _ if arg.bytes().len() != size => {
                    return Err(ArgError::Size {
                        kernel: kernel.name.clone(),
                        index,
                        ty: param.ty.clone(),
                        expected: size,
                        found: arg.bytes().len(),
                    });
                }
                _ => block.write(at, arg.bytes()),
            }
        }
        Ok(block)
    }

    /// Takes a block that the caller laid out: every parameter at its offset, the whole as long as
    /// the kernel's block, or up to the end of the last parameter (padding at the end may be missing).
    /// A group-memory parameter holds a byte count of 64 bits.
    ///
    /// # Errors
    /// [`ArgError`] as [`from_args`](Self::from_args).
    pub fn from_block(kernel: &Kernel, bytes: &[u8]) -> Result<Self, ArgError> {
        let least = kernel.params.iter().map(|p| (p.offset + p.size) as usize).max().unwrap_or(0);
        let most = kernel.args_size as usize;
        if !(least..=most.max(least)).contains(&bytes.len()) {
            return Err(ArgError::BlockSize { kernel: kernel.name.clone(), least, most, found: bytes.len() });
        }
        let mut block = Self::zeroed(kernel)?;
        block.write(0, bytes);
        for (index, param) in kernel.params.iter().enumerate() {
            if param.kind == ParamKind::GroupMemory {
                let at = param.offset as usize;
                let mut count = [0; 8];
                count.copy_from_slice(&bytes[at..at + 8]);
                block.place_group_memory(kernel, index, at, u64::from_ne_bytes(count))?;
            }
        }
        Ok(block)
    }

    /// The block's first byte, 64-byte aligned.
    pub fn as_ptr(&self) -> *const u8 {
        self.lines.as_ptr().cast()
    }

    /// Bytes that the block has room for: the kernel's block, rounded up to whole lines.
    pub fn capacity(&self) -> usize {
        self.lines.len() * BLOCK_ALIGN as usize
    }

    /// Group memory that static declarations and group-memory parameters take together, in bytes.
    /// Dynamic group memory starts behind it.
    pub fn group_bytes(&self) -> u32 {
        self.group_bytes
    }

    fn zeroed(kernel: &Kernel) -> Result<Self, ArgError> {
        if kernel.args_align > BLOCK_ALIGN {
            return Err(ArgError::Align { kernel: kernel.name.clone(), align: kernel.args_align });
        }
        let lines = kernel.args_size.div_ceil(BLOCK_ALIGN).max(1) as usize;
        Ok(Self {
            lines: SmallVec::from_elem(Lines([0; 64]), lines),
            group_bytes: kernel.group_bytes.next_multiple_of(GROUP_ALIGN as u32),
        })
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        let line = BLOCK_ALIGN as usize;
        let (mut at, mut rest) = (at, bytes);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(line - at % line));
            self.lines[at / line].0[at % line..at % line + now.len()].copy_from_slice(now);
            (at, rest) = (at + now.len(), later);
        }
    }

    /// Replaces a byte count by the parameter's offset in group memory, which is what generated code reads.
    fn place_group_memory(
        &mut self,
        kernel: &Kernel,
        index: usize,
        at: usize,
        count: u64,
    ) -> Result<(), ArgError> {
        let start = self.group_bytes;
        let end = u64::from(start)
            .checked_add(count)
            .and_then(|n| n.checked_next_multiple_of(GROUP_ALIGN))
            .and_then(|n| u32::try_from(n).ok())
            .ok_or_else(|| ArgError::GroupMemory { kernel: kernel.name.clone(), index, bytes: count })?;
        self.write(at, &u64::from(start).to_ne_bytes());
        self.group_bytes = end;
        Ok(())
    }
}

/// Every piece of group memory starts at a multiple of this: enough for any vector type.
const GROUP_ALIGN: u64 = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use oarlock_image::Param;

    fn kernel(params: &[(ParamKind, u32, u32)]) -> Kernel {
        let mut offset: u32 = 0;
        let params: Vec<Param> = params
            .iter()
            .map(|&(kind, size, align)| {
                offset = offset.next_multiple_of(align);
                let param = Param { name: None, kind, ty: "t".into(), offset, size, align };
                offset += size;
                param
            })
            .collect();
        Kernel {
            name: "k".into(),
            entry: "k.groups".into(),
            args_align: params.iter().map(|p| p.align).max().unwrap_or(1),
            args_size: offset.next_multiple_of(8),
            params,
            group_bytes: 100,
            uses_dynamic_group: false,
            item_bytes: 0,
            barriers: 0,
            required_group_size: None,
            max_group_items: None,
        }
    }

    fn read(block: &ArgBlock, at: usize, n: usize) -> Vec<u8> {
        (at..at + n).map(|i| block.lines[i / 64].0[i % 64]).collect()
    }

    #[test]
    fn values_land_at_their_offsets_also_across_lines() {
        let k =
            kernel(&[(ParamKind::Scalar, 1, 1), (ParamKind::Aggregate, 150, 4), (ParamKind::Pointer, 8, 8)]);
        let big: Vec<u8> = (0..150).collect();
        let args = [Arg::from(7u8), Arg::Bytes(&big), Arg::from(DevicePtr(0xABCD))];
        let block = ArgBlock::from_args(&k, &args).unwrap();
        assert_eq!(read(&block, 0, 1), [7]);
        assert_eq!(read(&block, 4, 150), big);
        assert_eq!(read(&block, 160, 8), 0xABCDu64.to_ne_bytes());
        assert_eq!(block.as_ptr() as usize % 64, 0);
    }

    #[test]
    fn counts_sizes_and_kinds_are_checked() {
        let k = kernel(&[(ParamKind::Scalar, 4, 4), (ParamKind::GroupMemory, 8, 8)]);
        let ok = [Arg::from(1u32), Arg::GroupMemory(10)];
        assert!(ArgBlock::from_args(&k, &ok).is_ok());
        assert!(matches!(
            ArgBlock::from_args(&k, &ok[..1]),
            Err(ArgError::Count { expected: 2, found: 1, .. })
        ));
        let short = [Arg::from(1u8), Arg::GroupMemory(10)];
        assert!(matches!(
            ArgBlock::from_args(&k, &short),
            Err(ArgError::Size { index: 0, expected: 4, found: 1, .. })
        ));
        let kind = [Arg::from(1u32), Arg::from(10u64)];
        assert!(matches!(ArgBlock::from_args(&k, &kind), Err(ArgError::Kind { index: 1, .. })));
    }

    #[test]
    fn group_memory_is_laid_end_to_end_and_aligned() {
        let k = kernel(&[(ParamKind::GroupMemory, 8, 8), (ParamKind::GroupMemory, 8, 8)]);
        let block = ArgBlock::from_args(&k, &[Arg::GroupMemory(4), Arg::GroupMemory(32)]).unwrap();
        assert_eq!(read(&block, 0, 8), 128u64.to_ne_bytes());
        assert_eq!(read(&block, 8, 8), 256u64.to_ne_bytes());
        assert_eq!(block.group_bytes(), 384);
        let huge = [4u64, u64::MAX].map(u64::to_ne_bytes).concat();
        assert!(matches!(ArgBlock::from_block(&k, &huge), Err(ArgError::GroupMemory { index: 1, .. })));
    }

    #[test]
    fn a_block_may_lack_only_its_last_padding() {
        let k = kernel(&[(ParamKind::Scalar, 8, 8), (ParamKind::Scalar, 4, 4)]);
        for (len, ok) in [(11, false), (12, true), (16, true), (17, false), (0, false)] {
            assert_eq!(ArgBlock::from_block(&k, &vec![1; len]).is_ok(), ok, "{len} bytes");
        }
    }
}
