//! Single values between text and bytes.

use half::f16;
use serde_json::Value;

use super::DType;

/// The bytes of the value that `text` writes down, in this machine's order.
///
/// Integers are decimal, or `0x`, `0o`, `0b`, and `_` may separate their digits; floating point numbers are
/// what Rust reads, with `inf` and `nan`.
pub(crate) fn parse(dtype: DType, text: &str) -> Result<Vec<u8>, String> {
    let integer = |error: String| format!("`{text}` is no {}: {error}", dtype.name());
    macro_rules! int {
        ($ty:ty) => {
            parse_int(text)
                .and_then(|n| n.narrow::<$ty>(<$ty>::MIN as i128, <$ty>::MAX as u128))
                .map(|n| n.to_ne_bytes().to_vec())
                .map_err(integer)
        };
    }
    let float = || text.parse::<f64>().map_err(|e| format!("`{text}` is no {}: {e}", dtype.name()));
    match dtype {
        DType::Bool => match text {
            "true" | "1" => Ok(vec![1]),
            "false" | "0" => Ok(vec![0]),
            _ => Err(format!("a bool is true, false, 1 or 0; got `{text}`")),
        },
        DType::I8 => int!(i8),
        DType::I16 => int!(i16),
        DType::I32 => int!(i32),
        DType::I64 => int!(i64),
        DType::I128 => int!(i128),
        DType::U8 => int!(u8),
        DType::U16 => int!(u16),
        DType::U32 => int!(u32),
        DType::U64 => int!(u64),
        DType::U128 => int!(u128),
        DType::F16 => Ok(f16::from_f64(float()?).to_ne_bytes().to_vec()),
        // Not by way of f64: that rounds twice.
        DType::F32 => match text.parse::<f32>() {
            Ok(value) => Ok(value.to_ne_bytes().to_vec()),
            Err(error) => Err(format!("`{text}` is no f32: {error}")),
        },
        DType::F64 => Ok(float()?.to_ne_bytes().to_vec()),
    }
}

/// A sign and a magnitude: every integer of up to 128 bits.
struct Integer {
    negative: bool,
    magnitude: u128,
}

fn parse_int(text: &str) -> Result<Integer, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-', '_']) {
        return Err("invalid digit found in string".into());
    }
    let magnitude = u128::from_str_radix(&digits.replace('_', ""), radix).map_err(|e| e.to_string())?;
    Ok(Integer { negative, magnitude })
}

impl Integer {
    fn narrow<T: TryFrom<i128> + TryFrom<u128>>(&self, min: i128, max: u128) -> Result<T, String> {
        let value = if self.negative {
            0i128.checked_sub_unsigned(self.magnitude).and_then(|n| T::try_from(n).ok())
        } else {
            T::try_from(self.magnitude).ok()
        };
        value.ok_or_else(|| format!("it is {min} to {max}"))
    }
}

/// One element's bytes.
enum Number {
    Bool(bool),
    Signed(i128),
    Unsigned(u128),
    Half(f16),
    Single(f32),
    Double(f64),
}

fn read(dtype: DType, bytes: &[u8]) -> Number {
    macro_rules! raw {
        ($ty:ty) => {{
            let mut raw = [0; size_of::<$ty>()];
            raw.copy_from_slice(&bytes[..size_of::<$ty>()]);
            <$ty>::from_ne_bytes(raw)
        }};
    }
    match dtype {
        DType::Bool => Number::Bool(bytes[0] != 0),
        DType::I8 => Number::Signed(raw!(i8).into()),
        DType::I16 => Number::Signed(raw!(i16).into()),
        DType::I32 => Number::Signed(raw!(i32).into()),
        DType::I64 => Number::Signed(raw!(i64).into()),
        DType::I128 => Number::Signed(raw!(i128)),
        DType::U8 => Number::Unsigned(raw!(u8).into()),
        DType::U16 => Number::Unsigned(raw!(u16).into()),
        DType::U32 => Number::Unsigned(raw!(u32).into()),
        DType::U64 => Number::Unsigned(raw!(u64).into()),
        DType::U128 => Number::Unsigned(raw!(u128)),
        DType::F16 => Number::Half(raw!(f16)),
        DType::F32 => Number::Single(raw!(f32)),
        DType::F64 => Number::Double(raw!(f64)),
    }
}

/// One element for people. Floating point numbers read back as the same value.
pub(crate) fn show(dtype: DType, bytes: &[u8]) -> String {
    match read(dtype, bytes) {
        Number::Bool(value) => value.to_string(),
        Number::Signed(value) => value.to_string(),
        Number::Unsigned(value) => value.to_string(),
        Number::Half(value) => plain(f64::from(value), value.to_string(), format!("{value:e}")),
        Number::Single(value) => plain(value.into(), value.to_string(), format!("{value:e}")),
        Number::Double(value) => plain(value, value.to_string(), format!("{value:e}")),
    }
}

/// The usual notation where it is short, the scientific one elsewhere.
fn plain(value: f64, usual: String, scientific: String) -> String {
    let short = value == 0.0 || !value.is_finite() || (1e-4..1e10).contains(&value.abs());
    if short { usual } else { scientific }
}

/// One element for programs: a JSON number, or a string where JSON has no such number.
pub(crate) fn json(dtype: DType, bytes: &[u8]) -> Value {
    let float = |value: f64| {
        serde_json::Number::from_f64(value)
            .map_or_else(|| Value::String(value.to_string().to_lowercase()), Value::Number)
    };
    let wide =
        |number: Option<serde_json::Number>, text: String| number.map_or(Value::String(text), Value::Number);
    match read(dtype, bytes) {
        Number::Bool(value) => Value::Bool(value),
        Number::Signed(value) => wide(i64::try_from(value).ok().map(Into::into), value.to_string()),
        Number::Unsigned(value) => wide(u64::try_from(value).ok().map(Into::into), value.to_string()),
        Number::Half(value) => float(value.into()),
        // By way of the shortest text, so that 0.1 stays 0.1.
        Number::Single(value) => float(value.to_string().parse().unwrap_or_else(|_| value.into())),
        Number::Double(value) => float(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(dtype: DType, text: &str) -> String {
        show(dtype, &parse(dtype, text).unwrap())
    }

    #[test]
    fn values_of_every_width_are_read_and_shown() {
        let cases = [
            (DType::Bool, "true", "true"),
            (DType::I8, "-128", "-128"),
            (DType::U8, "0xff", "255"),
            (DType::I16, "-7", "-7"),
            (DType::U16, "65_535", "65535"),
            (DType::I32, "-2147483648", "-2147483648"),
            (DType::U32, "0b101", "5"),
            (DType::I64, "-9223372036854775808", "-9223372036854775808"),
            (DType::U64, "18446744073709551615", "18446744073709551615"),
            (DType::I128, "-1", "-1"),
            (
                DType::U128,
                "340282366920938463463374607431768211455",
                "340282366920938463463374607431768211455",
            ),
            (DType::F16, "0.5", "0.5"),
            (DType::F32, "0.1", "0.1"),
            (DType::F32, "-inf", "-inf"),
            (DType::F64, "1e300", "1e300"),
            (DType::F64, "nan", "NaN"),
        ];
        for (dtype, text, shown) in cases {
            assert_eq!(round(dtype, text), shown);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_range() {
        for (dtype, text, says) in [
            (DType::I8, "128", "-128 to 127"),
            (DType::U8, "-1", "0 to 255"),
            (DType::I64, "9223372036854775808", "to 9223372036854775807"),
            (DType::U32, "1.5", "invalid digit"),
            (DType::U32, "", "empty"),
            (DType::U32, "--1", "invalid digit"),
            (DType::I128, "-170141183460469231731687303715884105729", "to 1701"),
            (DType::F32, "one", "is no f32"),
            (DType::Bool, "2", "true, false"),
        ] {
            let error = parse(dtype, text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn json_keeps_what_json_can_hold() {
        let of = |dtype, text: &str| json(dtype, &parse(dtype, text).unwrap());
        assert_eq!(of(DType::F32, "0.1").to_string(), "0.1");
        assert_eq!(of(DType::U64, "18446744073709551615").to_string(), "18446744073709551615");
        assert_eq!(of(DType::U128, "18446744073709551616").to_string(), "\"18446744073709551616\"");
        assert_eq!(of(DType::F64, "inf").to_string(), "\"inf\"");
        assert_eq!(of(DType::Bool, "1").to_string(), "true");
    }
}
