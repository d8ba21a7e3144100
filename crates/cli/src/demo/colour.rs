//! Iteration counts to colours.

/// Where the colours of the palette stand on its circle, with red, green and blue.
const STOPS: [(f32, [f32; 3]); 6] = [
    (0.0, [0.0, 7.0, 100.0]),
    (0.16, [32.0, 107.0, 203.0]),
    (0.42, [237.0, 255.0, 255.0]),
    (0.6425, [255.0, 170.0, 0.0]),
    (0.8575, [60.0, 2.0, 20.0]),
    (1.0, [0.0, 7.0, 100.0]),
];

/// The palette begins at this count, which points far out have.
const FAR: f32 = 2.0;

/// Once around the palette takes this much of the logarithm of the count.
const TURN: f32 = 3.4;

/// An RGB picture of `size`, each pixel the mean of `samples` x `samples`.
pub(super) fn picture(counts: &[u32], norms: &[f32], size: (u32, u32), samples: u32, limit: u32) -> Vec<u8> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let n = samples as usize;
    let mut pixels = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0f32; 3];
            for s in 0..n * n {
                let at = (y * n + s / n) * width * n + x * n + s % n;
                let colour = colour(counts[at], norms[at], limit);
                sum.iter_mut().zip(colour).for_each(|(sum, part)| *sum += part);
            }
            pixels.extend(sum.map(|part| (part / (n * n) as f32).round() as u8));
        }
    }
    pixels
}

/// The colour of one sample. Points that never left are black.
fn colour(count: u32, norm: f32, limit: u32) -> [f32; 3] {
    if count >= limit {
        return [0.0; 3];
    }
    // How far beyond the disc the last step went tells where between two counts the point is.
    let smooth = count as f32 + 1.0 - (norm.max(2.0).ln() / 2.0).log2();
    palette(((smooth.max(FAR).ln() - FAR.ln()) / TURN).fract())
}

/// The colour at `at`, 0 to 1, between the two stops around it.
fn palette(at: f32) -> [f32; 3] {
    let next = STOPS.iter().position(|stop| stop.0 > at).unwrap_or(STOPS.len() - 1);
    let ((low, from), (high, to)) = (STOPS[next - 1], STOPS[next]);
    let part = (at - low) / (high - low);
    std::array::from_fn(|i| from[i] + part * (to[i] - from[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_is_a_circle() {
        assert_eq!(palette(0.0), STOPS[0].1);
        assert_eq!(palette(0.42), STOPS[2].1);
        let (end, start) = (palette(0.999_999), palette(0.0));
        assert!(end.iter().zip(start).all(|(a, b)| (a - b).abs() < 1.0), "{end:?}");
    }

    #[test]
    fn a_picture_is_the_mean_of_its_samples() {
        let inside = picture(&[9; 4], &[0.0; 4], (1, 1), 2, 9);
        assert_eq!(inside, [0, 0, 0]);
        let mixed = picture(&[9, 9, 1, 1], &[0.0, 0.0, 7e4, 7e4], (1, 1), 2, 9);
        let outside = picture(&[1; 4], &[7e4; 4], (1, 1), 2, 9);
        for (mixed, outside) in mixed.iter().zip(outside) {
            assert!(mixed.abs_diff(outside / 2) <= 1);
        }
    }
}
