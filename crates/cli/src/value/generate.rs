//! Buffers with made-up contents.

use half::f16;

use super::DType;

/// What a buffer starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// All bytes zero.
    Zeros,
    /// 0, 1, 2, ...; integers wrap around, floating point numbers round.
    Iota,
    /// Uniform in [0, 1) for floating point numbers, all values alike for integers. See [`random`].
    Random { seed: u64 },
}

/// `count` elements.
pub(crate) fn fill(dtype: DType, count: usize, fill: Fill) -> Vec<u8> {
    let element: fn(DType, u64) -> [u8; 16] = match fill {
        Fill::Zeros => return vec![0; count * dtype.size()],
        Fill::Iota => iota,
        Fill::Random { .. } => uniform,
    };
    let mut bytes = Vec::with_capacity(count * dtype.size());
    for i in 0..count as u64 {
        let raw = match fill {
            Fill::Random { seed } => random(seed, i),
            _ => i,
        };
        bytes.extend_from_slice(&element(dtype, raw)[..dtype.size()]);
    }
    bytes
}

/// Number `i` of the stream `seed`: the SplitMix64 generator, entered at any place.
///
/// The command's documentation describes it, so that others can make the same numbers.
pub(crate) fn random(seed: u64, i: u64) -> u64 {
    let mut z = seed.wrapping_add(i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn iota(dtype: DType, i: u64) -> [u8; 16] {
    match dtype {
        DType::F16 => head(&f16::from_f64(i as f64).to_ne_bytes()),
        DType::F32 => head(&(i as f32).to_ne_bytes()),
        DType::F64 => head(&(i as f64).to_ne_bytes()),
        DType::Bool => head(&[(i & 1) as u8]),
        _ => u128::from(i).to_le_bytes(),
    }
}

/// The top bits of `raw`: as many as the type's significand has, so that nothing is rounded up to 1.
fn uniform(dtype: DType, raw: u64) -> [u8; 16] {
    match dtype {
        DType::F16 => head(&f16::from_f64((raw >> 53) as f64 / (1u64 << 11) as f64).to_ne_bytes()),
        DType::F32 => head(&((raw >> 40) as f32 / (1u64 << 24) as f32).to_ne_bytes()),
        DType::F64 => head(&((raw >> 11) as f64 / (1u64 << 53) as f64).to_ne_bytes()),
        DType::Bool => head(&[(raw >> 63) as u8]),
        DType::I128 | DType::U128 => (u128::from(raw) << 64 | u128::from(raw)).to_le_bytes(),
        // The top bits, in the type's own width.
        _ => u128::from(raw >> (64 - 8 * dtype.size())).to_le_bytes(),
    }
}

fn head(bytes: &[u8]) -> [u8; 16] {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes.chunks_exact(4).map(|b| f32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    #[test]
    fn iota_counts_and_wraps() {
        assert_eq!(floats(&fill(DType::F32, 4, Fill::Iota)), [0.0, 1.0, 2.0, 3.0]);
        let bytes = fill(DType::U8, 258, Fill::Iota);
        assert_eq!(&bytes[254..], [254, 255, 0, 1]);
        assert_eq!(fill(DType::I16, 2, Fill::Iota), [0, 0, 1, 0]);
    }

    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        // The first outputs for the seed 1234567 as the algorithm's authors print them.
        let published = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        for (i, number) in published.into_iter().enumerate() {
            assert_eq!(random(1234567, i as u64), number);
        }
    }

    #[test]
    fn random_floats_fill_the_unit_interval_evenly() {
        let values = floats(&fill(DType::F32, 10_000, Fill::Random { seed: 7 }));
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_ne!(values, floats(&fill(DType::F32, 10_000, Fill::Random { seed: 8 })));
        for dtype in [DType::F16, DType::F64, DType::U16, DType::I128, DType::Bool] {
            assert_eq!(fill(dtype, 3, Fill::Random { seed: 1 }).len(), 3 * dtype.size());
        }
    }
}
