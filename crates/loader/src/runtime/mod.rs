//! What compilers call on their own account, and nothing else.

mod complex;
mod half;
mod libc;
mod wide;

/// The address of a function that generated code may call without its program having said so: memory and
/// string functions, libm, wide integer and complex arithmetic, half-precision conversions, `printf` and its like.
///
/// This is a list of names, not a look-up in the process: `system` is not found, nor is anything else
/// that is not on it.
///
/// # Examples
/// ```
/// use oarlock_loader::runtime_symbol;
/// assert!(runtime_symbol("memcpy").is_some());
/// assert!(runtime_symbol("system").is_none());
/// ```
pub fn runtime_symbol(name: &str) -> Option<usize> {
    [libc::find, wide::find, half::find, complex::find].iter().find_map(|table| table(name))
}
