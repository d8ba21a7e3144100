//! An ELF file, by kind and symbols: what `oarlock compile` writes, and what else may lie around.

use object::read::elf::{ElfFile64, FileHeader};
use object::{Object, ObjectKind, ObjectSymbol, SymbolKind, elf};
use serde_json::{Value, json};

use crate::out;

/// What is told of an ELF file.
pub(super) struct Elf {
    kind: &'static str,
    machine: String,
    functions: Vec<Symbol>,
    variables: Vec<Symbol>,
}

struct Symbol {
    name: String,
    size: u64,
}

/// Reads the symbols that are visible from outside.
pub(super) fn read(bytes: &[u8]) -> Result<Elf, String> {
    let file = ElfFile64::<object::Endianness>::parse(bytes)
        .map_err(|e| format!("it begins like an ELF file, and is no 64-bit one: {e}"))?;
    let visible = |kind: SymbolKind| {
        let symbols = file.symbols().filter(|s| s.is_global() && s.is_definition() && s.kind() == kind);
        symbols.map(|s| Symbol { name: s.name().unwrap_or("?").to_owned(), size: s.size() }).collect()
    };
    Ok(Elf {
        kind: match file.kind() {
            ObjectKind::Relocatable => "relocatable object",
            ObjectKind::Executable => "executable",
            ObjectKind::Dynamic => "shared object",
            ObjectKind::Core => "core dump",
            _ => "file of unknown kind",
        },
        machine: match file.elf_header().e_machine(file.endian()) {
            elf::EM_X86_64 => "x86-64".into(),
            elf::EM_AARCH64 => "AArch64".into(),
            elf::EM_AMDGPU => "AMD GPU".into(),
            elf::EM_CUDA => "NVIDIA GPU".into(),
            other => format!("machine {other}"),
        },
        functions: visible(SymbolKind::Text),
        variables: visible(SymbolKind::Data),
    })
}

impl Elf {
    /// For people.
    pub(super) fn text(&self, name: &str, size: usize) -> String {
        let mut lines =
            vec![format!("{name}: ELF {} for {}, {}", self.kind, self.machine, out::byte_size(size as u64))];
        for (what, symbols) in [("function", &self.functions), ("variable", &self.variables)] {
            lines.extend(symbols.iter().map(|s| format!("{what}  {}  {} bytes", s.name, s.size)));
        }
        lines.join("\n")
    }

    /// For programs.
    pub(super) fn json(&self, name: &str, size: usize) -> Value {
        let all = |symbols: &[Symbol]| {
            symbols.iter().map(|s| json!({ "name": s.name, "size": s.size })).collect::<Vec<_>>()
        };
        json!({
            "file": name,
            "format": "an ELF file",
            "bytes": size,
            "kind": self.kind,
            "machine": self.machine,
            "functions": all(&self.functions),
            "variables": all(&self.variables),
        })
    }
}
