//! Arithmetic on 128-bit integers that x86-64 has no instruction for (compiler-rt's names).

/// The address of `name`, if it is in the table.
pub(super) fn find(name: &str) -> Option<usize> {
    Some(match name {
        "__divti3" => divti3 as *const () as usize,
        "__modti3" => modti3 as *const () as usize,
        "__udivti3" => udivti3 as *const () as usize,
        "__umodti3" => umodti3 as *const () as usize,
        "__divmodti4" => divmodti4 as *const () as usize,
        "__udivmodti4" => udivmodti4 as *const () as usize,
        "__multi3" => multi3 as *const () as usize,
        "__ashlti3" => ashlti3 as *const () as usize,
        "__ashrti3" => ashrti3 as *const () as usize,
        "__lshrti3" => lshrti3 as *const () as usize,
        "__muloti4" => muloti4 as *const () as usize,
        "__floattisf" => floattisf as *const () as usize,
        "__floattidf" => floattidf as *const () as usize,
        "__floatuntisf" => floatuntisf as *const () as usize,
        "__floatuntidf" => floatuntidf as *const () as usize,
        "__fixsfti" => fixsfti as *const () as usize,
        "__fixdfti" => fixdfti as *const () as usize,
        "__fixunssfti" => fixunssfti as *const () as usize,
        "__fixunsdfti" => fixunsdfti as *const () as usize,
        "__powisf2" => powisf2 as *const () as usize,
        "__powidf2" => powidf2 as *const () as usize,
        _ => return None,
    })
}

// Division by zero is undefined in the source language; here it gives 0, because a panic must not cross
// into generated code. The most negative number divided by -1 wraps.

extern "C" fn divti3(a: i128, b: i128) -> i128 {
    if b == 0 { 0 } else { a.wrapping_div(b) }
}

extern "C" fn modti3(a: i128, b: i128) -> i128 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}

extern "C" fn udivti3(a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or(0)
}

extern "C" fn umodti3(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(0)
}

extern "C" fn divmodti4(a: i128, b: i128, rest: &mut i128) -> i128 {
    *rest = modti3(a, b);
    divti3(a, b)
}

extern "C" fn udivmodti4(a: u128, b: u128, rest: Option<&mut u128>) -> u128 {
    if let Some(rest) = rest {
        *rest = umodti3(a, b);
    }
    udivti3(a, b)
}

extern "C" fn multi3(a: i128, b: i128) -> i128 {
    a.wrapping_mul(b)
}

extern "C" fn ashlti3(a: i128, by: i32) -> i128 {
    a.wrapping_shl(by as u32)
}

extern "C" fn ashrti3(a: i128, by: i32) -> i128 {
    a.wrapping_shr(by as u32)
}

extern "C" fn lshrti3(a: u128, by: i32) -> u128 {
    a.wrapping_shr(by as u32)
}

extern "C" fn muloti4(a: i128, b: i128, overflow: &mut i32) -> i128 {
    let (product, over) = a.overflowing_mul(b);
    *overflow = i32::from(over);
    product
}

extern "C" fn floattisf(a: i128) -> f32 {
    a as f32
}

extern "C" fn floattidf(a: i128) -> f64 {
    a as f64
}

extern "C" fn floatuntisf(a: u128) -> f32 {
    a as f32
}

extern "C" fn floatuntidf(a: u128) -> f64 {
    a as f64
}

extern "C" fn fixsfti(a: f32) -> i128 {
    a as i128
}

extern "C" fn fixdfti(a: f64) -> i128 {
    a as i128
}

extern "C" fn fixunssfti(a: f32) -> u128 {
    a as u128
}

extern "C" fn fixunsdfti(a: f64) -> u128 {
    a as u128
}

extern "C" fn powisf2(a: f32, n: i32) -> f32 {
    a.powi(n)
}

extern "C" fn powidf2(a: f64, n: i32) -> f64 {
    a.powi(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_follows_the_language() {
        let big = i128::from(i64::MAX) * 12345;
        assert_eq!(divti3(-big, 7), -big / 7);
        assert_eq!(modti3(-big, 7), -big % 7);
        assert_eq!(divti3(i128::MIN, -1), i128::MIN);
        assert_eq!((divti3(1, 0), umodti3(1, 0)), (0, 0));
        let mut rest = 0;
        assert_eq!((udivmodti4(u128::MAX, 10, Some(&mut rest)), rest), (u128::MAX / 10, u128::MAX % 10));
    }

    #[test]
    fn conversions_saturate_like_the_language_of_this_file() {
        assert_eq!(fixdfti(1e300), i128::MAX);
        assert_eq!(fixunsdfti(-3.0), 0);
        assert_eq!(floatuntidf(1 << 100), 2f64.powi(100));
    }
}
