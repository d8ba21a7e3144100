//! The object file, read once: sections, symbols and relocations, every offset checked.

use std::borrow::Cow;

use object::elf::{self, FileHeader64, Rela64, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym, SymbolTable};
use object::{LittleEndian, SectionIndex};

use crate::LoadError;

type Header = FileHeader64<LittleEndian>;
pub(crate) const LE: LittleEndian = LittleEndian;

/// What a section becomes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    ReadOnly,
    Data,
}

/// A section that is loaded.
pub(crate) struct Section<'d> {
    /// Its index in the file.
    pub(crate) index: usize,
    pub(crate) name: Cow<'d, str>,
    pub(crate) kind: Kind,
    /// Empty for `.bss`.
    pub(crate) data: &'d [u8],
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// Runs of relocations that patch this section.
    pub(crate) relocations: Vec<&'d [Rela64<LittleEndian>]>,
}

/// Where a symbol is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Undefined,
    Absolute(u64),
    Common {
        align: u64,
    },
    /// In the section of that index of the file, which may not be loaded.
    Section {
        index: usize,
        offset: u64,
    },
}

pub(crate) struct FileSymbol<'d> {
    pub(crate) name: Cow<'d, str>,
    pub(crate) place: Place,
    pub(crate) size: u64,
    pub(crate) weak: bool,
    pub(crate) local: bool,
    pub(crate) thread_local: bool,
    pub(crate) indirect: bool,
    /// A section's or a file's own symbol: it has no name of its own.
    pub(crate) nameless: bool,
}

pub(crate) struct File<'d> {
    pub(crate) sections: Vec<Section<'d>>,
    /// By index in the file; the first is the null symbol.
    pub(crate) symbols: Vec<FileSymbol<'d>>,
}

impl<'d> File<'d> {
    pub(crate) fn parse(bytes: &'d [u8]) -> Result<Self, LoadError> {
        let header = header(bytes)?;
        let table = header.sections(LE, bytes).map_err(|e| LoadError::malformed(format!("{e}")))?;
        let symtab =
            table.symbols(LE, bytes, elf::SHT_SYMTAB).map_err(|e| LoadError::malformed(format!("{e}")))?;
        let mut sections = read_sections(bytes, &table)?;
        attach_relocations(bytes, &table, &symtab, &mut sections)?;
        Ok(Self { sections, symbols: read_symbols(&symtab)? })
    }

    /// The name of a symbol for messages.
    pub(crate) fn symbol_name(&self, index: usize) -> String {
        match self.symbols.get(index) {
            Some(FileSymbol { place: Place::Section { index, .. }, nameless: true, .. }) => self
                .sections
                .iter()
                .find(|s| s.index == *index)
                .map_or_else(|| format!("section {index}"), |s| s.name.to_string()),
            Some(symbol) => symbol.name.to_string(),
            None => format!("symbol {index}"),
        }
    }
}

fn header(bytes: &[u8]) -> Result<&Header, LoadError> {
    let not = |found: String| LoadError::NotAnObject { found };
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(not(format!("{} bytes without the ELF magic", bytes.len())));
    }
    let header = Header::parse(bytes).map_err(|_| not("an ELF file that is cut, or of 32 bits".into()))?;
    if !header.is_class_64() || !header.is_little_endian() {
        return Err(not("an ELF file of 32 bits or of the other byte order".into()));
    }
    let (machine, kind) = (header.e_machine(LE), header.e_type(LE));
    if machine != elf::EM_X86_64 {
        return Err(not(format!("an ELF file for machine {}", machine.0)));
    }
    if kind != elf::ET_REL {
        return Err(not(format!("an ELF file of type {} (1 is relocatable)", kind.0)));
    }
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(not("an x86-64 object on another kind of machine".into()));
    }
    Ok(header)
}

fn name<'d>(table: &SectionTable<'d, Header>, section: &SectionHeader64<LittleEndian>) -> Cow<'d, str> {
    table.section_name(LE, section).map_or(Cow::Borrowed("?"), String::from_utf8_lossy)
}

fn read_sections<'d>(
    bytes: &'d [u8],
    table: &SectionTable<'d, Header>,
) -> Result<Vec<Section<'d>>, LoadError> {
    let mut sections = Vec::new();
    // Sections that share bytes of the file could otherwise multiply a small file without bound.
    let mut budget = bytes.len();
    for (index, header) in table.enumerate() {
        let flags = header.sh_flags(LE).0;
        let has = |flag: elf::SectionFlags| flags & flag.0 != 0;
        let name = name(table, header);
        let kind = header.sh_type(LE);
        if !has(elf::SHF_ALLOC) || has(elf::SHF_EXCLUDE) {
            continue;
        }
        // Unwind tables: nothing unwinds through generated code.
        if kind == elf::SHT_X86_64_UNWIND || name == ".eh_frame" {
            continue;
        }
        if has(elf::SHF_TLS) {
            return Err(LoadError::ThreadLocal { name: name.into_owned() });
        }
        if has(elf::SHF_WRITE) && has(elf::SHF_EXECINSTR) {
            return Err(LoadError::WritableCode { name: name.into_owned() });
        }
        let data = match kind {
            elf::SHT_NOBITS => &[][..],
            _ => header.data(LE, bytes).map_err(|_| {
                LoadError::malformed(format!("section `{name}` runs past the end of the file"))
            })?,
        };
        budget = budget
            .checked_sub(data.len())
            .ok_or_else(|| LoadError::malformed("its sections are larger than the file"))?;
        sections.push(Section {
            index: index.0,
            kind: match (has(elf::SHF_EXECINSTR), has(elf::SHF_WRITE)) {
                (true, _) => Kind::Code,
                (false, true) => Kind::Data,
                (false, false) => Kind::ReadOnly,
            },
            name,
            data,
            size: header.sh_size(LE),
            align: header.sh_addralign(LE).max(1),
            relocations: Vec::new(),
        });
    }
    Ok(sections)
}

fn attach_relocations<'d>(
    bytes: &'d [u8],
    table: &SectionTable<'d, Header>,
    symtab: &SymbolTable<'d, Header>,
    sections: &mut [Section<'d>],
) -> Result<(), LoadError> {
    let mut budget = bytes.len();
    for (_, header) in table.enumerate() {
        let kind = header.sh_type(LE);
        let is_list = [elf::SHT_REL, elf::SHT_RELA, elf::SHT_CREL].contains(&kind);
        // `sections` is in the order of the file.
        let target = sections.binary_search_by_key(&(header.sh_info(LE) as usize), |s| s.index);
        let (true, Ok(target)) = (is_list, target) else { continue };
        if kind != elf::SHT_RELA {
            return Err(LoadError::malformed("its relocations lack addends, which x86-64 objects have"));
        }
        if SectionIndex(header.sh_link(LE) as usize) != symtab.section() {
            return Err(LoadError::malformed("relocations name another symbol table"));
        }
        let list: &[Rela64<LittleEndian>] = header.data_as_array(LE, bytes).map_err(|_| {
            let target = &sections[target].name;
            LoadError::malformed(format!(
                "the relocations of section `{target}` run past the end of the file"
            ))
        })?;
        budget = budget
            .checked_sub(size_of_val(list))
            .ok_or_else(|| LoadError::malformed("its relocations are larger than the file"))?;
        sections[target].relocations.push(list);
    }
    Ok(())
}

fn read_symbols<'d>(symtab: &SymbolTable<'d, Header>) -> Result<Vec<FileSymbol<'d>>, LoadError> {
    symtab
        .enumerate()
        .map(|(index, symbol)| {
            let name = symtab
                .symbol_name(LE, symbol)
                .map(String::from_utf8_lossy)
                .map_err(|_| LoadError::malformed(format!("symbol {} has no name", index.0)))?;
            let place = place(symtab, index, symbol)
                .ok_or_else(|| LoadError::malformed(format!("symbol `{name}` is in no section")))?;
            let kind = symbol.st_type();
            Ok(FileSymbol {
                name,
                place,
                size: symbol.st_size(LE),
                weak: symbol.st_bind() == elf::STB_WEAK,
                local: symbol.st_bind() == elf::STB_LOCAL,
                thread_local: kind == elf::STT_TLS,
                indirect: kind == elf::STT_GNU_IFUNC,
                nameless: kind == elf::STT_SECTION || kind == elf::STT_FILE,
            })
        })
        .collect()
}

/// `SHN_X86_64_LCOMMON`: a common symbol of the large code model.
const LARGE_COMMON: elf::SymbolSection = elf::SymbolSection(0xff02);

fn place(
    symtab: &SymbolTable<'_, Header>,
    index: object::SymbolIndex,
    symbol: &Sym64<LittleEndian>,
) -> Option<Place> {
    let value = symbol.st_value(LE);
    Some(match symbol.st_shndx(LE) {
        elf::SHN_UNDEF => Place::Undefined,
        elf::SHN_ABS => Place::Absolute(value),
        elf::SHN_COMMON | LARGE_COMMON => Place::Common { align: value.max(1) },
        _ => {
            let section = symtab.symbol_section(LE, symbol, index).ok()??;
            Place::Section { index: section.0, offset: value }
        }
    })
}
