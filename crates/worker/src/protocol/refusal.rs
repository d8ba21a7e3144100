//! A [`CompileError`] as bytes.

use std::collections::HashSet;

use oarlock_codegen::CompileError;
use oarlock_image::Format;
use parking_lot::Mutex;

use super::fields::{Fields, Reader};

pub(crate) fn encode_refusal(error: &CompileError) -> Vec<u8> {
    let mut out = Fields::default();
    match error {
        CompileError::Empty => out.byte(0),
        CompileError::Format { found, len } => out.byte(1).byte(format_byte(*found)).number(*len as u64),
        CompileError::Parse { format, message } => out.byte(2).byte(format_byte(*format)).text(message),
        CompileError::Invalid { message } => out.byte(3).text(message),
        CompileError::Triple { found, host } => out.byte(4).text(found).text(host),
        CompileError::NoKernels { hint } => out.byte(5).text(hint),
        CompileError::Unsupported { what, place, why } => out.byte(6).text(what).text(place).text(why),
        CompileError::Target { triple, cpu, message } => out.byte(7).text(triple).text(cpu).text(message),
        CompileError::Llvm { phase, message } => out.byte(8).text(phase).text(message),
        CompileError::Internal { phase, message } => out.byte(9).text(phase).text(message),
        CompileError::TooLarge { len, limit } => out.byte(10).number(*len as u64).number(*limit as u64),
        CompileError::Damaged { format, at, what } => {
            out.byte(11).byte(format_byte(*format)).number(*at).text(what)
        }
        // A newer compiler's: its text says all.
        other => out.byte(8).text("compiling").text(&other.to_string()),
    };
    out.0
}

pub(crate) fn decode_refusal(bytes: &[u8]) -> Option<CompileError> {
    let mut from = Reader(bytes);
    Some(match from.byte()? {
        0 => CompileError::Empty,
        1 => CompileError::Format {
            found: format_from_byte(from.byte()?)?,
            len: usize::try_from(from.number()?).ok()?,
        },
        2 => CompileError::Parse { format: format_from_byte(from.byte()?)?, message: from.string()? },
        3 => CompileError::Invalid { message: from.string()? },
        4 => CompileError::Triple { found: from.string()?, host: keep(from.text()?) },
        5 => CompileError::NoKernels { hint: keep(from.text()?) },
        6 => {
            CompileError::Unsupported { what: from.string()?, place: from.string()?, why: keep(from.text()?) }
        }
        7 => CompileError::Target { triple: from.string()?, cpu: from.string()?, message: from.string()? },
        8 => CompileError::Llvm { phase: keep(from.text()?), message: from.string()? },
        9 => CompileError::Internal { phase: keep(from.text()?), message: from.string()? },
        10 => CompileError::TooLarge {
            len: usize::try_from(from.number()?).ok()?,
            limit: usize::try_from(from.number()?).ok()?,
        },
        11 => CompileError::Damaged {
            format: format_from_byte(from.byte()?)?,
            at: from.number()?,
            what: keep(from.text()?),
        },
        _ => return None,
    })
}

const FORMATS: [Format; 11] = [
    Format::Unknown,
    Format::Empty,
    Format::Bitcode,
    Format::WrappedBitcode,
    Format::TextIr,
    Format::Elf,
    Format::OffloadContainer,
    Format::Image,
    Format::SpirV,
    Format::CudaFatBinary,
    Format::Ptx,
];

pub(super) fn format_byte(format: Format) -> u8 {
    FORMATS.iter().position(|f| *f == format).unwrap_or(0) as u8
}

pub(super) fn format_from_byte(byte: u8) -> Option<Format> {
    FORMATS.get(usize::from(byte)).copied()
}

/// The text, for as long as this process lives. Compilers have some dozens of these texts; a worker that sends
/// more than that, or long ones, is not followed: this process does not grow with what it is sent.
fn keep(text: &str) -> &'static str {
    const MOST: usize = 512;
    const LONGEST: usize = 512;
    static KEPT: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut kept = KEPT.lock();
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(text) {
        return known;
    }
    if kept.len() >= MOST || text.len() > LONGEST {
        return "the worker gave a reason that is too long to keep";
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_comes_back() {
        let s = || "some text".to_owned();
        let all = [
            CompileError::Empty,
            CompileError::Format { found: Format::Elf, len: 7 },
            CompileError::Parse { format: Format::TextIr, message: s() },
            CompileError::Invalid { message: s() },
            CompileError::Triple { found: s(), host: "x86_64" },
            CompileError::NoKernels { hint: "hint" },
            CompileError::Unsupported { what: s(), place: s(), why: "why" },
            CompileError::Target { triple: s(), cpu: s(), message: s() },
            CompileError::Llvm { phase: "emitting", message: s() },
            CompileError::Internal { phase: "phase", message: s() },
            CompileError::TooLarge { len: 9, limit: 8 },
            CompileError::Damaged { format: Format::Bitcode, at: 12, what: "what" },
        ];
        for error in all {
            let bytes = encode_refusal(&error);
            assert_eq!(decode_refusal(&bytes), Some(error.clone()));
            for end in 0..bytes.len() {
                assert_eq!(decode_refusal(&bytes[..end]), None, "{error:?} cut at {end}");
            }
        }
    }

    #[test]
    fn every_format_comes_back() {
        for format in FORMATS {
            assert_eq!(format_from_byte(format_byte(format)), Some(format));
        }
        assert_eq!(format_from_byte(200), None);
    }

    #[test]
    fn texts_are_kept_once_and_not_without_end() {
        assert!(std::ptr::eq(keep("abc"), keep(&String::from("abc"))));
        assert!(keep(&"x".repeat(10_000)).contains("too long"));
        for n in 0..2000 {
            keep(&format!("text {n}"));
        }
        assert!(keep("one more than may be").contains("too long"));
    }
}
