//! Conversions of half-precision floats that a processor without the instructions needs (compiler-rt's names).
//!
//! The x86-64 ABI passes a half in the low 16 bits of a vector register, where an `f32` passes its 32:
//! these functions take and give an `f32` whose low bits are the half.

/// The address of `name`, if it is in the table.
pub(super) fn find(name: &str) -> Option<usize> {
    Some(match name {
        "__extendhfsf2" => extendhfsf2 as *const () as usize,
        "__extendhfdf2" => extendhfdf2 as *const () as usize,
        "__truncsfhf2" => truncsfhf2 as *const () as usize,
        "__truncdfhf2" => truncdfhf2 as *const () as usize,
        "__truncsfbf2" => truncsfbf2 as *const () as usize,
        "__truncdfbf2" => truncdfbf2 as *const () as usize,
        "__gnu_h2f_ieee" => gnu_h2f_ieee as *const () as usize,
        "__gnu_f2h_ieee" => gnu_f2h_ieee as *const () as usize,
        _ => return None,
    })
}

extern "C" fn extendhfsf2(half: f32) -> f32 {
    half_to_f32(half.to_bits() as u16)
}

extern "C" fn extendhfdf2(half: f32) -> f64 {
    f64::from(half_to_f32(half.to_bits() as u16))
}

extern "C" fn truncsfhf2(value: f32) -> f32 {
    in_register(narrow(f64::from(value), HALF))
}

extern "C" fn truncdfhf2(value: f64) -> f32 {
    in_register(narrow(value, HALF))
}

extern "C" fn truncsfbf2(value: f32) -> f32 {
    in_register(narrow(f64::from(value), BRAIN))
}

extern "C" fn truncdfbf2(value: f64) -> f32 {
    in_register(narrow(value, BRAIN))
}

extern "C" fn gnu_h2f_ieee(half: u16) -> f32 {
    half_to_f32(half)
}

extern "C" fn gnu_f2h_ieee(value: f32) -> u16 {
    narrow(f64::from(value), HALF)
}

fn in_register(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits))
}

/// A 16-bit format: bits of the significand, and the largest exponent.
#[derive(Clone, Copy)]
struct Narrow {
    fraction: u32,
    bias: i32,
}

const HALF: Narrow = Narrow { fraction: 10, bias: 15 };
const BRAIN: Narrow = Narrow { fraction: 7, bias: 127 };

/// Rounds to nearest, ties to even, from a double, in which every `f32` is exact: one rounding only.
fn narrow(value: f64, to: Narrow) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let exponent = (bits >> 52) as i32 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let infinity = ((2 * to.bias + 1) as u16) << to.fraction;
    if exponent == 0x7ff {
        // A NaN keeps its upper payload and becomes quiet.
        let payload = (fraction >> (52 - to.fraction)) as u16;
        let quiet = 1 << (to.fraction - 1);
        return sign | infinity | if fraction == 0 { 0 } else { payload | quiet };
    }
    let power = exponent - 1023 + to.bias;
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    // How many bits fall off; more for numbers below the smallest normal one.
    let drop = (52 - to.fraction as i32 + (1 - power).max(0)).min(63) as u32;
    let kept = significand >> drop;
    let rest = significand & ((1 << drop) - 1);
    let half = 1u64 << (drop - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    // The hidden bit of `kept` carries into the exponent, and so does a rounding that overflows.
    let magnitude = ((power.max(1) as u64 - 1) << to.fraction) + kept + u64::from(up);
    sign | magnitude.min(u64::from(infinity)) as u16
}

fn half_to_f32(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(half >> 10 & 0x1f);
    let fraction = f32::from(half & 0x3ff);
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        0x1f => f32::from_bits(
            u32::from(half & 0x8000) << 16
                | 0x7f80_0000
                | if half & 0x3ff == 0 { 0 } else { 0x40_0000 | u32::from(half & 0x3ff) << 13 },
        ),
        _ => sign * (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_up_and_down() {
        for half in 0..=u16::MAX {
            let up = half_to_f32(half);
            let quiet = if up.is_nan() { half | 0x200 } else { half };
            assert_eq!(gnu_f2h_ieee(up), quiet, "{half:#06x}");
        }
    }

    #[test]
    fn rounding_is_to_nearest_even_and_once() {
        for (value, bits) in [
            (65504.0, 0x7bff),
            (65519.99, 0x7bff),
            (65520.0, 0x7c00),
            (-1e10, 0xfc00),
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            // Rounded first to single precision, this would become a tie and go the other way.
            (1.0 + 2f64.powi(-11) + 2f64.powi(-40), 0x3c01),
            (2f64.powi(-24), 0x0001),
            (2f64.powi(-25), 0x0000),
            (2f64.powi(-25) * 1.001, 0x0001),
            (2f64.powi(-14) * (1.0 - 2f64.powi(-12)), 0x0400),
            (5e-324, 0x0000),
            (-0.0, 0x8000),
        ] {
            assert_eq!(narrow(value, HALF), bits, "{value}");
        }
    }

    #[test]
    fn brain_floats_are_the_upper_half_of_a_single_rounded() {
        for value in [1.0f32, -3.375, 1e-40, f32::MAX, f32::INFINITY, 0.1] {
            let bits = value.to_bits();
            let expected = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
            assert_eq!(u32::from(narrow(f64::from(value), BRAIN)), expected.min(0xff80), "{value}");
        }
    }
}
