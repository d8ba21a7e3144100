//! Program formats, told apart by magic.

use std::fmt;

/// What a program's bytes are, judged by their first bytes alone.
///
/// # Examples
/// ```
/// use oarlock_image::Format;
/// assert_eq!(Format::sniff(b"BC\xC0\xDE...."), Format::Bitcode);
/// assert_eq!(Format::sniff(b"; ModuleID = 'k'\n"), Format::TextIr);
/// assert_eq!(Format::sniff(b""), Format::Empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// No bytes at all.
    Empty,
    /// Raw LLVM bitcode: `42 43 C0 DE`.
    Bitcode,
    /// LLVM bitcode behind the wrapper header that Apple's tools write: `DE C0 17 0B`.
    WrappedBitcode,
    /// LLVM's textual IR: printable text that opens with a comment or a top-level IR word.
    TextIr,
    /// An ELF file.
    Elf,
    /// An LLVM offload container: `10 FF 10 AD`.
    OffloadContainer,
    /// A SPIR-V module, in either byte order.
    SpirV,
    /// A fat binary as NVIDIA's tools write it: `50 ED 55 BA`.
    CudaFatBinary,
    /// A compiled image of Oarlock's own: `8B 4F 41 52 49 4D 47 0A`, see [`Image::from_bytes`](crate::Image::from_bytes).
    Image,
    /// PTX assembly: text with a `.version` directive.
    Ptx,
    /// None of the above.
    Unknown,
}

impl Format {
    /// Judges `bytes`. Looks at the first few hundred bytes, whatever the length.
    pub fn sniff(bytes: &[u8]) -> Self {
        match bytes {
            [] => Self::Empty,
            [b'B', b'C', 0xC0, 0xDE, ..] => Self::Bitcode,
            [0xDE, 0xC0, 0x17, 0x0B, ..] => Self::WrappedBitcode,
            [0x7F, b'E', b'L', b'F', ..] => Self::Elf,
            [0x10, 0xFF, 0x10, 0xAD, ..] => Self::OffloadContainer,
            [0x03, 0x02, 0x23, 0x07, ..] | [0x07, 0x23, 0x02, 0x03, ..] => Self::SpirV,
            [0x50, 0xED, 0x55, 0xBA, ..] => Self::CudaFatBinary,
            _ if bytes.starts_with(&crate::container::MAGIC) => Self::Image,
            _ => sniff_text(&bytes[..bytes.len().min(4096)]),
        }
    }

    /// True where LLVM's IR is what the bytes hold: [`Bitcode`](Self::Bitcode),
    /// [`WrappedBitcode`](Self::WrappedBitcode), [`TextIr`](Self::TextIr).
    pub fn is_llvm(self) -> bool {
        matches!(self, Self::Bitcode | Self::WrappedBitcode | Self::TextIr)
    }
}

/// The words that may open a line of textual IR at top level.
const IR_OPENERS: [&str; 12] = [
    "source_filename",
    "target ",
    "define ",
    "declare ",
    "module asm",
    "attributes ",
    "@",
    "%",
    "!",
    "$",
    "^",
    "uselistorder",
];

fn sniff_text(head: &[u8]) -> Format {
    let printable = |b: &u8| matches!(b, b'\t' | b'\n' | b'\r' | 0x20..=0x7E | 0x80..);
    if !head.iter().all(printable) {
        return Format::Unknown;
    }
    let text = String::from_utf8_lossy(head);
    let lines = text.lines().map(str::trim_start);
    // Comments say nothing by themselves, except that only IR opens with `;`.
    let Some(first) = lines.clone().find(|l| !l.is_empty() && !l.starts_with("//")) else {
        return Format::Unknown;
    };
    if first.starts_with(".version") {
        Format::Ptx
    } else if first.starts_with(';') || IR_OPENERS.iter().any(|w| first.starts_with(w)) {
        Format::TextIr
    } else {
        Format::Unknown
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "an empty buffer",
            Self::Bitcode => "LLVM bitcode",
            Self::WrappedBitcode => "wrapped LLVM bitcode",
            Self::TextIr => "textual LLVM IR",
            Self::Elf => "an ELF file",
            Self::OffloadContainer => "an LLVM offload container",
            Self::SpirV => "a SPIR-V module",
            Self::CudaFatBinary => "a CUDA fat binary",
            Self::Image => "a compiled image",
            Self::Ptx => "PTX assembly",
            Self::Unknown => "bytes of no known format",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn every_magic_is_told_apart() {
        let cases: [(&[u8], Format); 15] = [
            (b"", Format::Empty),
            (b"BC\xC0\xDE", Format::Bitcode),
            (b"BC\xC0", Format::Unknown),
            (b"\xDE\xC0\x17\x0B\0\0\0\0", Format::WrappedBitcode),
            (b"\x7FELF\x02", Format::Elf),
            (b"\x10\xFF\x10\xAD", Format::OffloadContainer),
            (b"\x03\x02\x23\x07", Format::SpirV),
            (b"\x50\xED\x55\xBA", Format::CudaFatBinary),
            (b"\x8BOARIMG\n\x01", Format::Image),
            (b"\n\n; comment\ndefine void @f()", Format::TextIr),
            (b"target triple = \"x\"", Format::TextIr),
            (b"//\n// Generated\n.version 8.0\n.target sm_80", Format::Ptx),
            (b"int main(void) { return 0; }", Format::Unknown),
            (b"define\0", Format::Unknown),
            (b"\n \n", Format::Unknown),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Format::sniff(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
