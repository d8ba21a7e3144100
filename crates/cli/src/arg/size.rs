//! Byte counts as people write them.

/// A number of bytes: digits, with `k` or `M` for the usual powers of two.
pub(crate) fn byte_count(text: &str) -> Result<u32, String> {
    let (digits, scale) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    let count = digits.parse::<u32>().ok().filter(|_| plain).and_then(|n| n.checked_mul(scale));
    count.ok_or_else(|| {
        format!("a size is a number of bytes up to {}, like 4096, 16k or 1M; got `{text}`", u32::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::byte_count;

    #[test]
    fn sizes_are_read() {
        assert_eq!(byte_count("0"), Ok(0));
        assert_eq!(byte_count("4096"), Ok(4096));
        assert_eq!(byte_count("16k"), Ok(16384));
        assert_eq!(byte_count("1M"), Ok(1 << 20));
        for wrong in ["", "k", "-1", "+1", "4G", "4096M", "4294967296", "1.5k"] {
            assert!(byte_count(wrong).unwrap_err().contains("16k"), "{wrong}");
        }
    }
}
