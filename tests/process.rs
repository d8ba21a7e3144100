//! What this process takes of the machine, from `/proc/self`.

use std::fs;

/// Resident bytes.
pub fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: u64 = statm.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a page count");
    pages * 4096
}

/// Bytes in mappings of this process that may be executed and come from no file: generated code.
pub fn generated_code() -> u64 {
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux");
    maps.lines().filter_map(generated_code_of).sum()
}

fn generated_code_of(line: &str) -> Option<u64> {
    // address range, rights, offset, device, inode, path
    let mut fields = line.split_whitespace();
    let (range, rights) = (fields.next()?, fields.next()?);
    let (inode, path) = (fields.nth(2)?, fields.next().unwrap_or(""));
    let from_a_file = inode != "0" && !path.starts_with("/memfd:");
    if !rights.contains('x') || from_a_file || path.starts_with("[v") {
        return None;
    }
    let (start, end) = range.split_once('-')?;
    Some(u64::from_str_radix(end, 16).ok()? - u64::from_str_radix(start, 16).ok()?)
}
