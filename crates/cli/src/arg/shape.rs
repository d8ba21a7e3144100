//! The shape of a buffer.

use std::fmt;
use std::str::FromStr;

/// Element counts, the last one varying fastest. Every count is at least 1 where a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape(pub(crate) Vec<u64>);

impl Shape {
    /// Elements in all. Shapes whose count does not fit are never made.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().product::<u64>() as usize
    }

    /// A shape with these counts.
    pub(crate) fn new(counts: Vec<u64>) -> Result<Self, String> {
        // Room for the largest element, with the sign bit to spare.
        let limit = (i64::MAX as u64) / 16;
        let total = counts.iter().try_fold(1u64, |n, &c| n.checked_mul(c)).filter(|&n| n <= limit);
        total.map(|_| Self(counts)).ok_or_else(|| "the shape has more elements than any memory".to_owned())
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("a shape is counts of 1 or more like 1024 or 512x512; got `{text}`");
        let count = |part: &str| match part.parse() {
            Ok(n) if n > 0 && part.starts_with(|c: char| c.is_ascii_digit()) => Ok(n),
            _ => Err(expected()),
        };
        Self::new(text.split('x').map(count).collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, count) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("x")?;
            }
            write!(f, "{count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn shapes_are_read_and_shown() {
        for (text, counts) in [("1024", vec![1024]), ("480x640x3", vec![480, 640, 3])] {
            let shape: Shape = text.parse().unwrap();
            assert_eq!(shape.0, counts);
            assert_eq!(shape.to_string(), text);
        }
        assert_eq!("4x5".parse::<Shape>().unwrap().count(), 20);
    }

    #[test]
    fn shapes_that_are_none_are_refused() {
        for text in ["", "x", "4x", "x4", "0", "4x0", "-4", "+4", "4,4", "1.5", "99999999999999999999"] {
            let error = text.parse::<Shape>().unwrap_err();
            assert!(error.contains("512x512"), "{text}: {error}");
        }
        let error = "4294967296x4294967296".parse::<Shape>().unwrap_err();
        assert!(error.contains("any memory"), "{error}");
    }
}
