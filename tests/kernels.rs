//! Small kernels, as textual IR in the native dialect, and some as bitcode.

/// The bitcode of `vector_add.ll`: `vector_add(ptr a, ptr b, ptr c)`.
pub const VECTOR_ADD_BC: &[u8] = include_bytes!("kernels/vector_add.bc");

/// The same as text.
pub const VECTOR_ADD: &str = include_str!("kernels/vector_add.ll");

/// A group's sum with barriers, from `reduce.c`: `reduce(ptr in, ptr out)` and `reduce_dynamic`,
/// the latter with one `i32` of dynamic group memory for each item.
pub const REDUCE: &str = include_str!("kernels/reduce.ll");

/// Work that takes a while, from `spin.c`: `spin(ptr counter, i64 rounds)` adds 1 at its end, and
/// `step(ptr cell, i32 from)` makes `from + 1` of `from` alone.
pub const SPIN: &str = include_str!("kernels/spin.ll");

/// Ids, from `ids.c`: `ids(ptr out)` and, without arguments, `count()`, which adds to the global `items`.
pub const IDS: &str = include_str!("kernels/ids.ll");

/// Arguments of every width, from `arguments.c`: `take_...(ptr out, value)`.
pub const ARGUMENTS: &str = include_str!("kernels/arguments.ll");

/// Globals, constructors and destructors, from `lifecycle.c`.
pub const LIFECYCLE: &str = include_str!("kernels/lifecycle.ll");

/// Group memory as parameters, in OpenCL C, from `local.cl`.
pub const LOCAL: &str = include_str!("kernels/local.ll");

/// A program whose kernel `mark(ptr out)` writes `marker`, and whose name for it never changes.
pub fn mark(marker: i32) -> String {
    format!("define void @mark(ptr %out) {{\n  store i32 {marker}, ptr %out\n  ret void\n}}\n")
}

/// Wraps bitcode as Apple's tools do: a header of five words, then the bitcode, padded to 16 bytes.
pub fn wrap(bitcode: &[u8]) -> Vec<u8> {
    let header = [0x0B17_C0DE, 0, 20, bitcode.len() as u32, 0x0100_0007];
    let mut bytes: Vec<u8> = header.iter().flat_map(|w| w.to_le_bytes()).collect();
    bytes.extend_from_slice(bitcode);
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    bytes
}
