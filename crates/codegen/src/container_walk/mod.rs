//! What can be told of a program's bytes before LLVM reads them.
//!
//! LLVM's reader trusts the structure of bitcode more than it should. A walk over the container sees damage to
//! lengths, nesting and abbreviations in microseconds, and says where it is. What it lets pass can still be
//! damaged *inside*: a record may name a type that is not there, and only LLVM would know.

mod abbreviation;
mod bits;
mod walk;

use oarlock_image::Format;

use crate::CompileError;

/// Programs with more bytes are refused unread.
pub const MAX_PROGRAM_BYTES: usize = 256 << 20;

/// Brackets of textual IR nest at most so deep; LLVM's parser calls itself for each.
const MAX_TEXT_DEPTH: u32 = 200;

/// Checks what can be checked without LLVM: the size, the kind by its magic, and the structure of bitcode.
///
/// Every compile begins with this. It is for those who want to refuse early.
///
/// # Errors
/// [`CompileError::Empty`], [`TooLarge`](CompileError::TooLarge), [`Format`](CompileError::Format) or
/// [`Damaged`](CompileError::Damaged).
///
/// # Examples
/// ```
/// use oarlock_codegen::{CompileError, check_bytes};
/// assert!(check_bytes(b"define void @f() { ret void }").is_ok());
/// assert!(matches!(check_bytes(b"BC\xC0\xDE what is this"), Err(CompileError::Damaged { .. })));
/// ```
pub fn check_bytes(bytes: &[u8]) -> Result<Format, CompileError> {
    if bytes.len() > MAX_PROGRAM_BYTES {
        return Err(CompileError::TooLarge { len: bytes.len(), limit: MAX_PROGRAM_BYTES });
    }
    let format = Format::sniff(bytes);
    let damaged = |(at, what)| CompileError::Damaged { format, at, what };
    match format {
        Format::Empty => return Err(CompileError::Empty),
        Format::Bitcode => walk::file(bytes, 0).map_err(damaged)?,
        Format::WrappedBitcode => {
            let (inner, start) = unwrap(bytes).map_err(damaged)?;
            walk::file(inner, start).map_err(damaged)?;
        }
        Format::TextIr => text_depth(bytes).map_err(damaged)?,
        found => return Err(CompileError::Format { found, len: bytes.len() }),
    }
    Ok(format)
}

/// Where the damage is, in bytes, and what it is.
type Damage = (u64, &'static str);

/// The bitcode behind a wrapper header, and where it starts.
fn unwrap(bytes: &[u8]) -> Result<(&[u8], u64), Damage> {
    let word = |at: usize| {
        let field = bytes.get(at..at + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
        field.map(u32::from_le_bytes).ok_or((at as u64, "the wrapper's header is cut short"))
    };
    let (offset, size) = (word(8)?, word(12)?);
    word(16)?;
    let start = offset as usize;
    let inner = start.checked_add(size as usize).and_then(|end| bytes.get(start..end));
    let inner = inner.ok_or((8, "the wrapper's offset and size lead past the end"))?;
    if !inner.starts_with(b"BC\xC0\xDE") {
        return Err((offset.into(), "there is no bitcode where the wrapper says"));
    }
    Ok((inner, offset.into()))
}

/// Counts brackets outside strings and comments.
fn text_depth(bytes: &[u8]) -> Result<(), Damage> {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(byte) = bytes.get(at) {
        let skip_to =
            |end: u8| bytes[at + 1..].iter().position(|b| *b == end).map_or(bytes.len(), |n| at + 1 + n);
        match byte {
            b'"' => at = skip_to(b'"'),
            b';' => at = skip_to(b'\n'),
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_TEXT_DEPTH {
            return Err((at as u64, "brackets nest more than 200 deep"));
        }
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &[u8] = include_bytes!("../../../../tests/kernels/vector_add.bc");

    fn wrapped(inner: &[u8]) -> Vec<u8> {
        let words = [0x0B17_C0DE_u32, 0, 20, inner.len() as u32, 7];
        words.iter().flat_map(|w| w.to_le_bytes()).chain(inner.iter().copied()).collect()
    }

    #[test]
    fn whole_modules_pass() {
        assert_eq!(check_bytes(MODULE), Ok(Format::Bitcode));
        assert_eq!(check_bytes(&wrapped(MODULE)), Ok(Format::WrappedBitcode));
        let mut twice = MODULE.to_vec();
        twice.extend_from_slice(&MODULE[4..]);
        assert_eq!(check_bytes(&twice), Ok(Format::Bitcode), "two modules in one file");
    }

    #[test]
    fn a_cut_module_is_damaged() {
        let whole = (0..MODULE.len()).filter(|&end| check_bytes(&MODULE[..end]).is_ok());
        // Behind the last block that holds anything, what is missing is not missed.
        assert!(whole.clone().count() < MODULE.len() / 4, "{:?}", whole.collect::<Vec<_>>());
        for end in 0..20 {
            assert!(check_bytes(&wrapped(MODULE)[..end]).is_err());
        }
    }

    #[test]
    fn no_bytes_harm_the_walk() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut bytes = MODULE.to_vec();
            for _ in 0..=random() % 16 {
                let bit = random() % (bytes.len() * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            refused += usize::from(check_bytes(&bytes).is_err());
        }
        assert!(refused > 1000, "{refused}");
    }

    #[test]
    fn deep_text_is_refused_and_brackets_in_strings_do_not_count() {
        let deep = format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(1000), "]".repeat(1000));
        assert!(matches!(check_bytes(deep.as_bytes()), Err(CompileError::Damaged { .. })));
        let string = format!("; {0}\n@x = global [1000 x i8] c\"{0}\"", "[".repeat(1000));
        assert!(check_bytes(string.as_bytes()).is_ok());
    }

    #[test]
    fn too_many_bytes_are_refused_unread() {
        let bytes = vec![0; MAX_PROGRAM_BYTES + 1];
        assert!(matches!(check_bytes(&bytes), Err(CompileError::TooLarge { .. })));
    }
}
