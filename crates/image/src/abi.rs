//! The contract between a host image's code and the executor that calls it.
//!
//! Every kernel is compiled into one [`EntryPoint`] that runs a *range of work-groups*: the loops over
//! groups and over the items of a group are part of the generated code. The executor fills one
//! [`Frame`] per launch, which the code only reads, and gives every thread its own group memory and scratch.

/// What generated code reads of a launch. Written once per launch, read by every thread.
///
/// The layout is fixed: the compiler addresses the fields by [`offsets`].
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub struct Frame {
    /// The argument block, laid out by the kernel's parameters.
    pub args: *const u8,
    /// Number of groups in x, y, z.
    pub groups: [u32; 3],
    /// Work-items per group in x, y, z.
    pub group_size: [u32; 3],
    /// Dimensions that the caller gave, 1 to 3.
    pub dims: u32,
    /// Zero.
    pub reserved: u32,
    /// Work-items per group, rounded up to a multiple of [`ITEM_ROUND`].
    pub padded_items: u64,
    /// Where dynamic group memory starts, in bytes from the start of group memory.
    pub dynamic_group: u64,
    /// The dispatch packet that `amdgcn` code reads (HSA runtime specification, kernel dispatch packet).
    pub dispatch: [u8; 64],
    /// The implicit arguments that `amdgcn` code reads (LLVM AMDGPU usage, code object v5).
    pub implicit: [u8; 256],
}

/// Byte offsets of [`Frame`]'s fields, as the compiler uses them.
pub mod offsets {
    /// [`Frame::args`](super::Frame::args).
    pub const ARGS: u32 = 0;
    /// [`Frame::groups`](super::Frame::groups).
    pub const GROUPS: u32 = 8;
    /// [`Frame::group_size`](super::Frame::group_size).
    pub const GROUP_SIZE: u32 = 20;
    /// [`Frame::dims`](super::Frame::dims).
    pub const DIMS: u32 = 32;
    /// [`Frame::padded_items`](super::Frame::padded_items).
    pub const PADDED_ITEMS: u32 = 40;
    /// [`Frame::dynamic_group`](super::Frame::dynamic_group).
    pub const DYNAMIC_GROUP: u32 = 48;
    /// [`Frame::dispatch`](super::Frame::dispatch).
    pub const DISPATCH: u32 = 56;
    /// [`Frame::implicit`](super::Frame::implicit).
    pub const IMPLICIT: u32 = 120;
}

/// [`Frame::padded_items`] is a multiple of this, so that every per-item array stays aligned.
pub const ITEM_ROUND: u64 = 64;

/// Alignment of group memory and of scratch in bytes.
pub const MEMORY_ALIGN: usize = 128;

/// Runs groups `first..end` (linear numbers, x fastest) of one launch on the calling thread.
///
/// Arguments: the frame, `first`, `end`, this thread's group memory (static, then parameters, then
/// dynamic, [`MEMORY_ALIGN`]-aligned) and this thread's scratch
/// (`item_bytes * padded_items` bytes, [`MEMORY_ALIGN`]-aligned; null where the kernel has no barrier).
pub type EntryPoint = unsafe extern "C" fn(*const Frame, u64, u64, *mut u8, *mut u8);

impl Frame {
    /// A frame for `groups` groups of `group_size` items; `args` must outlive every use of the frame.
    ///
    /// Fills the dispatch packet and the implicit arguments too.
    pub fn new(
        args: *const u8,
        dims: u32,
        groups: [u32; 3],
        group_size: [u32; 3],
        dynamic_group: u64,
    ) -> Self {
        let items = group_size.iter().map(|&n| u64::from(n)).product::<u64>();
        let mut frame = Self {
            args,
            groups,
            group_size,
            dims,
            reserved: 0,
            padded_items: items.next_multiple_of(ITEM_ROUND),
            dynamic_group,
            dispatch: [0; 64],
            implicit: [0; 256],
        };
        for axis in 0..3 {
            let size = group_size[axis] as u16;
            put(&mut frame.dispatch, 4 + 2 * axis, &size.to_le_bytes());
            let grid = groups[axis].wrapping_mul(group_size[axis]);
            put(&mut frame.dispatch, 12 + 4 * axis, &grid.to_le_bytes());
            put(&mut frame.implicit, 4 * axis, &groups[axis].to_le_bytes());
            put(&mut frame.implicit, 12 + 2 * axis, &size.to_le_bytes());
        }
        put(&mut frame.dispatch, 2, &(dims as u16).to_le_bytes());
        put(&mut frame.implicit, 64, &(dims as u16).to_le_bytes());
        frame
    }
}

fn put(block: &mut [u8], at: usize, bytes: &[u8]) {
    block[at..at + bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::{Frame, offsets};
    use std::mem::offset_of;

    #[test]
    fn offsets_are_those_of_the_struct() {
        assert_eq!(offset_of!(Frame, args), offsets::ARGS as usize);
        assert_eq!(offset_of!(Frame, groups), offsets::GROUPS as usize);
        assert_eq!(offset_of!(Frame, group_size), offsets::GROUP_SIZE as usize);
        assert_eq!(offset_of!(Frame, dims), offsets::DIMS as usize);
        assert_eq!(offset_of!(Frame, padded_items), offsets::PADDED_ITEMS as usize);
        assert_eq!(offset_of!(Frame, dynamic_group), offsets::DYNAMIC_GROUP as usize);
        assert_eq!(offset_of!(Frame, dispatch), offsets::DISPATCH as usize);
        assert_eq!(offset_of!(Frame, implicit), offsets::IMPLICIT as usize);
    }

    #[test]
    fn the_gpu_blocks_hold_the_launch() {
        let f = Frame::new(std::ptr::null(), 2, [7, 3, 1], [64, 2, 1], 0);
        assert_eq!(f.padded_items, 128);
        assert_eq!(&f.dispatch[4..10], &[64, 0, 2, 0, 1, 0]);
        assert_eq!(&f.dispatch[12..16], &448u32.to_le_bytes());
        assert_eq!(&f.implicit[..4], &7u32.to_le_bytes());
        assert_eq!(&f.implicit[12..14], &64u16.to_le_bytes());
    }
}
