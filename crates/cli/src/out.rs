//! What commands write to standard output.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::Failure;

/// Writes `text` and a line's end.
pub(crate) fn line(text: impl AsRef<str>) -> Result<(), Failure> {
    bytes(text.as_ref().as_bytes())?;
    bytes(b"\n")
}

/// Writes `value` as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::Output(e.into()))?;
    line(text)
}

/// Writes bytes as they are.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(Failure::Output)
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A byte count for people: `512 B`, `1.5 KiB`, `64 MiB`.
pub(crate) fn byte_size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut size = bytes as f64;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && size < 100.0 && size.fract() != 0.0);
    format!("{size:.digits$} {}", UNITS[unit])
}

/// A duration for people, in three figures or so: `850 ns`, `1.24 us`, `31.0 ms`, `2.50 s`.
pub(crate) fn duration(time: std::time::Duration) -> String {
    let ns = time.as_nanos() as f64;
    let (value, unit) = match ns {
        _ if ns < 1e3 => return format!("{ns} ns"),
        _ if ns < 1e6 => (ns / 1e3, "us"),
        _ if ns < 1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value {
        _ if value < 10.0 => 2,
        _ if value < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(16_777_216), "16,777,216");
        assert_eq!(byte_size(512), "512 B");
        assert_eq!(byte_size(1536), "1.5 KiB");
        assert_eq!(byte_size(64 << 20), "64 MiB");
        assert_eq!(duration(Duration::from_nanos(850)), "850 ns");
        assert_eq!(duration(Duration::from_micros(31_000)), "31.0 ms");
        assert_eq!(duration(Duration::from_millis(2500)), "2.50 s");
    }
}
