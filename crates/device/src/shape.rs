//! How many groups of how many work-items a launch runs.

use crate::{DeviceFacts, ShapeError};

/// The shape of a launch: 1 to 3 dimensions, every count at least 1, no overflow.
///
/// `groups` counts *work-groups*, not work-items; the launch runs `groups * group_size` items per dimension.
///
/// # Examples
/// ```
/// use oarlock_device::LaunchShape;
/// let shape = LaunchShape::new(&[65536], &[256])?.with_group_memory(1024);
/// assert_eq!(shape.items_per_group(), 256);
/// assert!(LaunchShape::new(&[0], &[256]).is_err());
/// assert!(LaunchShape::new(&[1, 1], &[256]).is_err());
/// # Ok::<(), oarlock_device::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchShape {
    dims: u32,
    groups: [u32; 3],
    group_size: [u32; 3],
    group_memory: u32,
}

impl LaunchShape {
    /// A shape of `groups.len()` dimensions; dimensions not given count 1.
    ///
    /// # Errors
    /// [`ShapeError`] where there are not 1 to 3 dimensions, the two differ in length, a count is zero,
    /// or a product does not fit: groups in all within 2^63, items per group within 2^32.
    pub fn new(groups: &[u32], group_size: &[u32]) -> Result<Self, ShapeError> {
        if !(1..=3).contains(&groups.len()) || groups.len() != group_size.len() {
            return Err(ShapeError::Dimensions { groups: groups.len(), group_size: group_size.len() });
        }
        let mut shape =
            Self { dims: groups.len() as u32, groups: [1; 3], group_size: [1; 3], group_memory: 0 };
        shape.groups[..groups.len()].copy_from_slice(groups);
        shape.group_size[..groups.len()].copy_from_slice(group_size);
        shape.check()
    }

    /// A shape whose arrays carry three counts of which the first `dims` matter, as C interfaces pass it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_arrays(dims: u32, groups: [u32; 3], group_size: [u32; 3]) -> Result<Self, ShapeError> {
        let n = dims as usize;
        if !(1..=3).contains(&n) {
            return Err(ShapeError::Dimensions { groups: n, group_size: n });
        }
        Self::new(&groups[..n], &group_size[..n])
    }

    /// The same shape with `bytes` of dynamic group memory.
    #[must_use]
    pub fn with_group_memory(mut self, bytes: u32) -> Self {
        self.group_memory = bytes;
        self
    }

    fn check(self) -> Result<Self, ShapeError> {
        for axis in 0..3 {
            if self.groups[axis] == 0 {
                return Err(ShapeError::Zero { what: "group count", axis });
            }
            if self.group_size[axis] == 0 {
                return Err(ShapeError::Zero { what: "group size", axis });
            }
        }
        let product = |counts: [u32; 3]| counts.iter().try_fold(1u64, |n, &c| n.checked_mul(u64::from(c)));
        let items = product(self.group_size).filter(|&n| n <= u64::from(u32::MAX));
        let Some(items) = items else {
            return Err(ShapeError::Overflow { what: "items per group", counts: self.group_size });
        };
        let total = product(self.groups).filter(|&n| n <= i64::MAX as u64).and_then(|n| n.checked_mul(items));
        if total.is_none() {
            return Err(ShapeError::Overflow { what: "items in all", counts: self.groups });
        }
        Ok(self)
    }

    /// Checks the shape against what a device can run.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`] names the limit.
    pub fn check_device(&self, facts: &DeviceFacts) -> Result<(), ShapeError> {
        let too_large = |what, asked: u64, limit: u64| {
            if asked > limit { Err(ShapeError::TooLarge { what, asked, limit }) } else { Ok(()) }
        };
        for axis in 0..3 {
            too_large("groups in one dimension", self.groups[axis].into(), facts.max_groups[axis].into())?;
            too_large(
                "work-items in one dimension of a group",
                self.group_size[axis].into(),
                facts.max_group_size[axis].into(),
            )?;
        }
        too_large("work-items per group", self.items_per_group(), facts.max_group_items.into())
    }

    /// Dimensions given, 1 to 3.
    pub fn dims(&self) -> u32 {
        self.dims
    }

    /// Groups in x, y, z.
    pub fn groups(&self) -> [u32; 3] {
        self.groups
    }

    /// Work-items per group in x, y, z.
    pub fn group_size(&self) -> [u32; 3] {
        self.group_size
    }

    /// Dynamic group memory in bytes.
    pub fn group_memory(&self) -> u32 {
        self.group_memory
    }

    /// Groups in all.
    pub fn total_groups(&self) -> u64 {
        self.groups.iter().map(|&n| u64::from(n)).product()
    }

    /// Work-items per group.
    pub fn items_per_group(&self) -> u64 {
        self.group_size.iter().map(|&n| u64::from(n)).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_outside_one_to_three_are_refused() {
        assert!(matches!(LaunchShape::new(&[], &[]), Err(ShapeError::Dimensions { .. })));
        assert!(matches!(LaunchShape::new(&[1; 4], &[1; 4]), Err(ShapeError::Dimensions { .. })));
        for dims in [0, 4, u32::MAX] {
            assert!(LaunchShape::from_arrays(dims, [1; 3], [1; 3]).is_err());
        }
    }

    #[test]
    fn counts_past_the_given_dimensions_are_not_read() {
        let shape = LaunchShape::from_arrays(2, [4, 5, 0], [8, 2, 77]).unwrap();
        assert_eq!(shape.groups(), [4, 5, 1]);
        assert_eq!(shape.group_size(), [8, 2, 1]);
    }

    #[test]
    fn products_that_overflow_are_refused() {
        assert!(matches!(LaunchShape::new(&[1; 3], &[1 << 16; 3]), Err(ShapeError::Overflow { .. })));
        assert!(matches!(LaunchShape::new(&[u32::MAX; 3], &[1; 3]), Err(ShapeError::Overflow { .. })));
        assert!(LaunchShape::new(&[u32::MAX], &[1024]).is_ok());
    }
}
