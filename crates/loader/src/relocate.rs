//! Applying relocations to bytes that are not executable yet.

use object::LittleEndian;
use object::elf::{self, Rela64};
use object::read::elf::Rela;

use crate::LoadError;
use crate::file::{File, LE, Section};
use crate::layout::{Layout, NONE, STUB_BYTES};
use crate::mapping::Writable;
use crate::symbols::Addresses;

/// Copies the sections, fills tables and stubs, applies every relocation.
pub(crate) fn write(
    file: &File<'_>,
    layout: &Layout,
    addresses: &Addresses,
    memory: &mut Writable,
) -> Result<(), LoadError> {
    let base = memory.base();
    let body = memory.bytes();
    for (section, &at) in file.sections.iter().zip(&layout.sections) {
        body[at as usize..][..section.data.len()].copy_from_slice(section.data);
    }
    for (&slot, &address) in layout.got.iter().zip(&addresses.of).filter(|(slot, _)| **slot != NONE) {
        body[slot as usize..][..8].copy_from_slice(&address.to_le_bytes());
    }
    for (&slot, &address) in layout.stubs.iter().zip(&addresses.of).filter(|(slot, _)| **slot != NONE) {
        let stub = &mut body[slot as usize..][..STUB_BYTES as usize];
        stub[..6].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
        stub[6..14].copy_from_slice(&address.to_le_bytes());
    }
    let patch = Patch { file, layout, addresses, base };
    for (section, &at) in file.sections.iter().zip(&layout.sections) {
        let bytes = &mut body[at as usize..][..section.data.len()];
        for relocation in section.relocations.iter().copied().flatten() {
            patch.apply(section, base + at, bytes, relocation)?;
        }
    }
    Ok(())
}

/// How a value is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Bits64,
    Signed32,
    Unsigned32,
}

struct Patch<'f> {
    file: &'f File<'f>,
    layout: &'f Layout,
    addresses: &'f Addresses,
    base: u64,
}

impl Patch<'_> {
    /// Patches `bytes`, the contents of `section`, which lies at `start`.
    fn apply(
        &self,
        section: &Section<'_>,
        start: u64,
        bytes: &mut [u8],
        relocation: &Rela64<LittleEndian>,
    ) -> Result<(), LoadError> {
        let kind = relocation.r_type(LE, false);
        // `Layout::scan` has checked that the symbol exists.
        let symbol = relocation.r_sym(LE, false) as usize;
        let offset = relocation.r_offset(LE);
        let place = start.wrapping_add(offset);
        if kind == elf::R_X86_64_NONE {
            return Ok(());
        }
        let Some((value, width)) = self.value(kind, symbol, relocation.r_addend(LE) as u64, place) else {
            return Err(self.unsupported(section, kind, symbol));
        };
        let reached = match width {
            Width::Bits64 => true,
            Width::Signed32 => i32::try_from(value as i64).is_ok(),
            Width::Unsigned32 => u32::try_from(value).is_ok(),
        };
        if !reached {
            return Err(LoadError::OutOfReach {
                kind: kind.0,
                symbol: self.file.symbol_name(symbol),
                section: section.name.to_string(),
            });
        }
        let length = if width == Width::Bits64 { 8 } else { 4 };
        let target = usize::try_from(offset)
            .ok()
            .and_then(|at| bytes.get_mut(at..)?.get_mut(..length))
            .ok_or_else(|| {
                LoadError::malformed(format!("a relocation lies past the end of section `{}`", section.name))
            })?;
        target.copy_from_slice(&value.to_le_bytes()[..length]);
        Ok(())
    }

    /// What to store, in the ABI's letters: S symbol, A addend, P place, G the slot, GOT the table.
    /// Addresses wrap as the machine's do.
    fn value(&self, kind: elf::RelocationType, symbol: usize, a: u64, p: u64) -> Option<(u64, Width)> {
        let s = self.addresses.of[symbol];
        let got = self.base + self.layout.got_start;
        let slot = || self.base + self.layout.got[symbol];
        let sa = s.wrapping_add(a);
        Some(match kind {
            elf::R_X86_64_64 => (sa, Width::Bits64),
            elf::R_X86_64_PC64 => (sa.wrapping_sub(p), Width::Bits64),
            elf::R_X86_64_32 => (sa, Width::Unsigned32),
            elf::R_X86_64_32S => (sa, Width::Signed32),
            elf::R_X86_64_PC32 => (sa.wrapping_sub(p), Width::Signed32),
            elf::R_X86_64_PLT32 => {
                let direct = sa.wrapping_sub(p);
                let far = i32::try_from(direct as i64).is_err() && self.layout.stubs[symbol] != NONE;
                let stub = || (self.base + self.layout.stubs[symbol]).wrapping_add(a).wrapping_sub(p);
                (if far { stub() } else { direct }, Width::Signed32)
            }
            elf::R_X86_64_GOTPCREL
            | elf::R_X86_64_GOTPCRELX
            | elf::R_X86_64_REX_GOTPCRELX
            | elf::R_X86_64_CODE_4_GOTPCRELX => (slot().wrapping_add(a).wrapping_sub(p), Width::Signed32),
            elf::R_X86_64_GOTPCREL64 => (slot().wrapping_add(a).wrapping_sub(p), Width::Bits64),
            elf::R_X86_64_GOT64 | elf::R_X86_64_GOTPLT64 => {
                (slot().wrapping_add(a).wrapping_sub(got), Width::Bits64)
            }
            elf::R_X86_64_GOT32 => (slot().wrapping_add(a).wrapping_sub(got), Width::Signed32),
            elf::R_X86_64_GOTOFF64 | elf::R_X86_64_PLTOFF64 => (sa.wrapping_sub(got), Width::Bits64),
            elf::R_X86_64_GOTPC64 => (got.wrapping_add(a).wrapping_sub(p), Width::Bits64),
            elf::R_X86_64_GOTPC32 => (got.wrapping_add(a).wrapping_sub(p), Width::Signed32),
            elf::R_X86_64_SIZE32 => (self.file.symbols[symbol].size.wrapping_add(a), Width::Unsigned32),
            elf::R_X86_64_SIZE64 => (self.file.symbols[symbol].size.wrapping_add(a), Width::Bits64),
            _ => return None,
        })
    }

    fn unsupported(&self, section: &Section<'_>, kind: elf::RelocationType, symbol: usize) -> LoadError {
        let symbol = self.file.symbol_name(symbol);
        match kind {
            elf::R_X86_64_DTPMOD64
            | elf::R_X86_64_DTPOFF64
            | elf::R_X86_64_TPOFF64
            | elf::R_X86_64_TLSGD
            | elf::R_X86_64_TLSLD
            | elf::R_X86_64_DTPOFF32
            | elf::R_X86_64_GOTTPOFF
            | elf::R_X86_64_TPOFF32
            | elf::R_X86_64_GOTPC32_TLSDESC
            | elf::R_X86_64_TLSDESC_CALL
            | elf::R_X86_64_TLSDESC
            | elf::R_X86_64_CODE_4_GOTTPOFF
            | elf::R_X86_64_CODE_4_GOTPC32_TLSDESC => LoadError::ThreadLocal { name: symbol },
            _ => LoadError::UnknownRelocation { kind: kind.0, symbol, section: section.name.to_string() },
        }
    }
}
