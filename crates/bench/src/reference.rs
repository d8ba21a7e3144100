//! What the results must be, computed plainly and compared on samples, as in `tests/peers/harness.h`.

use crate::inputs::{MANDEL_LIMIT, MANDEL_SIDE, REDUCE_GROUP, SAXPY_A};

/// `y` began as 1 everywhere and got `a * x` added `runs` times.
pub(crate) fn saxpy_ok(x: &[f32], y: &[f32], runs: usize) -> bool {
    let wanted = |x: &f32| 1.0 + runs as f32 * SAXPY_A * x;
    x.len() == y.len() && x.iter().zip(y).step_by(4099).all(|(x, &y)| near(y, wanted(x)))
}

/// Contraction may move a pixel at the border: the sums over a sparse grid must agree within half a percent.
pub(crate) fn mandel_ok(picture: &[u32]) -> bool {
    let side = MANDEL_SIDE;
    let grid = || (0..side).step_by(37).flat_map(|y| (0..side).step_by(41).map(move |x| (x, y)));
    let found: i64 = grid().map(|(x, y)| i64::from(picture[(y * side + x) as usize])).sum();
    let wanted: i64 = grid().map(|(x, y)| i64::from(mandel_item(x, y))).sum();
    (found - wanted).abs() * 200 <= wanted
}

/// One partial sum for each group.
pub(crate) fn reduce_ok(x: &[f32], partial: &[f32]) -> bool {
    let groups = x.chunks_exact(REDUCE_GROUP);
    groups.len() == partial.len()
        && groups.zip(partial).step_by(61).all(|(group, &sum)| near(sum, reduce_group(group)))
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * a.abs().max(b.abs()) + 1e-5
}

fn mandel_item(px: u32, py: u32) -> u32 {
    let side = MANDEL_SIDE as f32;
    let (cx, cy) = (-2.0 + 2.5 * px as f32 / side, -1.25 + 2.5 * py as f32 / side);
    let (mut x, mut y, mut count) = (0.0f32, 0.0f32, 0);
    while count < MANDEL_LIMIT && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        count += 1;
    }
    count
}

/// The kernel's tree, so that the rounding is the same.
fn reduce_group(group: &[f32]) -> f32 {
    let mut sums = group.to_vec();
    let mut half = sums.len() / 2;
    while half > 0 {
        for i in 0..half {
            sums[i] += sums[i + half];
        }
        half /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::random_floats;

    #[test]
    fn a_wrong_result_is_seen() {
        let x = random_floats(1 << 14, 1);
        let right: Vec<f32> = x.iter().map(|x| 1.0 + 3.0 * SAXPY_A * x).collect();
        assert!(saxpy_ok(&x, &right, 3));
        assert!(!saxpy_ok(&x, &right, 2));
        assert!(!saxpy_ok(&x, &right[1..], 3));
    }

    #[test]
    fn the_picture_is_told_from_another() {
        let side = MANDEL_SIDE;
        let right: Vec<u32> = (0..side * side).map(|i| mandel_item(i % side, i / side)).collect();
        assert!(mandel_ok(&right));
        assert!(!mandel_ok(&vec![0; right.len()]));
    }

    #[test]
    fn sums_are_of_groups() {
        let x = random_floats(REDUCE_GROUP * 62, 4);
        let mut sums: Vec<f32> = x.chunks_exact(REDUCE_GROUP).map(|g| g.iter().sum()).collect();
        assert!(reduce_ok(&x, &sums));
        sums[61] += 1.0;
        assert!(!reduce_ok(&x, &sums));
    }
}
