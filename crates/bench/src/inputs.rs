//! The sizes of `tests/peers/sizes.h`, and its inputs.

/// Floats of saxpy.
pub(crate) const SAXPY_N: usize = 1 << 24;
pub(crate) const SAXPY_A: f32 = 2.0;
pub(crate) const SAXPY_GROUP: u32 = 256;

/// Pixels of a side of the picture, and the most iterations of one.
pub(crate) const MANDEL_SIDE: u32 = 2048;
pub(crate) const MANDEL_LIMIT: u32 = 256;
pub(crate) const MANDEL_GROUP: u32 = 16;

/// Floats of the reduction.
pub(crate) const REDUCE_N: usize = 1 << 22;
pub(crate) const REDUCE_GROUP: usize = 256;

/// Groups of the wide empty launch.
pub(crate) const EMPTY_GROUPS: u32 = 16384;

/// The numbers in [0, 1) that every peer computes with, by the same generator.
pub(crate) fn random_floats(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_that_of_the_peers() {
        // Computed with `random_floats` of tests/peers/harness.h.
        assert_eq!(random_floats(3, 1), [0.236_455_5, 0.369_270_62, 0.504_242]);
    }
}
