//! Where everything goes, before a byte is mapped.

use object::elf;

use crate::LoadError;
use crate::file::{File, Kind, LE, Place};

pub(crate) const PAGE: u64 = 4096;

/// The most memory that one object may take. Far below 2 GiB, so that what is inside one object always
/// reaches the rest of it with 32-bit distances.
pub(crate) const LIMIT: u64 = 1 << 30;

/// The largest alignment that a section may ask for.
const MAX_ALIGN: u64 = 2 << 20;

/// `jmp [rip+0]` and the address it jumps to.
pub(crate) const STUB_BYTES: u64 = 16;

/// Three segments, each of whole pages with one protection: code, constants, data.
pub(crate) struct Layout {
    /// Offset and size of each segment in the body, by [`Kind`].
    pub(crate) segments: [(u64, u64); 3],
    /// Alignment of the body.
    pub(crate) align: u64,
    /// Where each loaded section starts in the body, in [`File::sections`]' order.
    pub(crate) sections: Vec<u64>,
    /// By symbol: where a common symbol was put in the body, or [`NONE`].
    pub(crate) commons: Vec<u64>,
    /// By symbol: its slot in the table of addresses (GOT), or [`NONE`].
    pub(crate) got: Vec<u64>,
    /// By symbol: its branch stub, or [`NONE`].
    pub(crate) stubs: Vec<u64>,
    /// Where the table of addresses starts; it exists even when it is empty.
    pub(crate) got_start: u64,
    /// By symbol: a loaded section refers to it.
    pub(crate) used: Vec<bool>,
    /// Some code holds addresses in 32 bits: everything must lie in the low 2 GiB.
    pub(crate) low: bool,
}

/// No place.
pub(crate) const NONE: u64 = u64::MAX;

impl Layout {
    pub(crate) fn plan(file: &File<'_>) -> Result<Self, LoadError> {
        let count = file.symbols.len();
        let mut layout = Self {
            segments: [(0, 0); 3],
            align: PAGE,
            sections: vec![NONE; file.sections.len()],
            commons: vec![NONE; count],
            got: vec![NONE; count],
            stubs: vec![NONE; count],
            got_start: 0,
            used: vec![false; count],
            low: false,
        };
        layout.scan(file)?;

        let mut end = 0;
        for kind in [Kind::Code, Kind::ReadOnly, Kind::Data] {
            let start = end;
            for (section, place) in file.sections.iter().zip(&mut layout.sections) {
                if section.kind == kind {
                    let what = || format!("section `{}`", section.name);
                    *place = take(&mut end, &mut layout.align, section.size, section.align, what)?;
                }
            }
            match kind {
                Kind::Code => take_slots(&mut end, &mut layout.stubs, STUB_BYTES)?,
                Kind::ReadOnly => {
                    layout.got_start = end.next_multiple_of(8);
                    take_slots(&mut end, &mut layout.got, 8)?;
                }
                Kind::Data => layout.place_commons(file, &mut end)?,
            }
            end = end.next_multiple_of(PAGE);
            layout.segments[kind as usize] = (start, end - start);
        }
        Ok(layout)
    }

    /// Bytes of the body, guards not counted.
    pub(crate) fn size(&self) -> u64 {
        self.segments.iter().map(|&(_, size)| size).sum()
    }

    /// Notes what the relocations need: slots, stubs, low addresses.
    fn scan(&mut self, file: &File<'_>) -> Result<(), LoadError> {
        for section in &file.sections {
            for relocation in section.relocations.iter().copied().flatten() {
                let symbol = relocation.r_sym(LE, false) as usize;
                let Some(used) = self.used.get_mut(symbol) else {
                    let what = format!("a relocation of `{}` names symbol {symbol}", section.name);
                    return Err(LoadError::malformed(what));
                };
                *used = true;
                match relocation.r_type(LE, false) {
                    elf::R_X86_64_GOTPCREL
                    | elf::R_X86_64_GOTPCRELX
                    | elf::R_X86_64_REX_GOTPCRELX
                    | elf::R_X86_64_CODE_4_GOTPCRELX
                    | elf::R_X86_64_GOT64
                    | elf::R_X86_64_GOTPLT64
                    | elf::R_X86_64_GOT32
                    | elf::R_X86_64_GOTPCREL64 => self.got[symbol] = 0,
                    elf::R_X86_64_PLT32 if file.symbols[symbol].place == Place::Undefined => {
                        self.stubs[symbol] = 0;
                    }
                    elf::R_X86_64_32 | elf::R_X86_64_32S => self.low = true,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn place_commons(&mut self, file: &File<'_>, end: &mut u64) -> Result<(), LoadError> {
        for (symbol, place) in file.symbols.iter().zip(&mut self.commons) {
            if let Place::Common { align } = symbol.place {
                let what = || format!("common symbol `{}`", symbol.name);
                *place = take(end, &mut self.align, symbol.size, align, what)?;
            }
        }
        Ok(())
    }
}

/// Gives every marked entry of `slots` its place.
fn take_slots(end: &mut u64, slots: &mut [u64], size: u64) -> Result<(), LoadError> {
    for slot in slots.iter_mut().filter(|slot| **slot != NONE) {
        *slot = take(end, &mut PAGE.clone(), size, size, || "a table of addresses".into())?;
    }
    Ok(())
}

/// Takes `size` bytes from `end` on.
fn take(
    end: &mut u64,
    most: &mut u64,
    size: u64,
    align: u64,
    what: impl Fn() -> String,
) -> Result<u64, LoadError> {
    if !align.is_power_of_two() || align > MAX_ALIGN {
        return Err(LoadError::malformed(format!("{} is aligned to {align} bytes", what())));
    }
    *most = (*most).max(align);
    let start = end.next_multiple_of(align);
    // `start` is at most LIMIT + MAX_ALIGN, so only `size` can overflow.
    let asked = start.saturating_add(size);
    if asked > LIMIT {
        return Err(LoadError::TooLarge { asked, limit: LIMIT });
    }
    *end = asked;
    Ok(start)
}
