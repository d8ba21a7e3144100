//! One address for every symbol that is used.

use crate::LoadError;
use crate::file::{File, Place};
use crate::layout::Layout;
use crate::{atexit, mapping::Writable};

/// By symbol: its address; 0 for what is not used and for weak names that nothing defines.
pub(crate) struct Addresses {
    pub(crate) of: Vec<u64>,
    /// The object may register destructors while it runs.
    pub(crate) uses_atexit: bool,
}

impl Addresses {
    pub(crate) fn resolve(
        file: &File<'_>,
        layout: &Layout,
        memory: &Writable,
        resolver: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Self, LoadError> {
        let mut addresses = Self { of: vec![0; file.symbols.len()], uses_atexit: false };
        let mut undefined: Vec<String> = Vec::new();
        for (index, symbol) in file.symbols.iter().enumerate() {
            let used = layout.used[index];
            if used && symbol.thread_local {
                return Err(LoadError::ThreadLocal { name: symbol.name.to_string() });
            }
            if symbol.indirect {
                return Err(LoadError::IndirectFunction { name: symbol.name.to_string() });
            }
            addresses.of[index] = match symbol.place {
                // The null symbol stands for "no symbol".
                Place::Undefined if index == 0 || !used => 0,
                Place::Undefined => match addresses.own(&symbol.name, layout, memory) {
                    Some(address) => address,
                    None => match resolver(&symbol.name) {
                        Some(address) => address as u64,
                        None if symbol.weak => 0,
                        None => {
                            undefined.push(symbol.name.to_string());
                            0
                        }
                    },
                },
                Place::Absolute(value) => value,
                Place::Common { .. } => memory.base() + layout.commons[index],
                Place::Section { index: section, offset } => {
                    let Ok(at) = file.sections.binary_search_by_key(&section, |s| s.index) else {
                        if used {
                            let what = format!("`{}` lies in a section that is not loaded", symbol.name);
                            return Err(LoadError::malformed(what));
                        }
                        continue;
                    };
                    let home = &file.sections[at];
                    // One past the end is a place that labels have.
                    if offset > home.size || (!symbol.nameless && symbol.size > home.size - offset) {
                        let what = format!("`{}` runs past the end of section `{}`", symbol.name, home.name);
                        return Err(LoadError::malformed(what));
                    }
                    memory.base() + layout.sections[at] + offset
                }
            };
        }
        if undefined.is_empty() { Ok(addresses) } else { Err(LoadError::Unresolved { names: undefined }) }
    }

    /// Names that the loader itself defines, for each object anew.
    fn own(&mut self, name: &str, layout: &Layout, memory: &Writable) -> Option<u64> {
        match name {
            "_GLOBAL_OFFSET_TABLE_" => Some(memory.base() + layout.got_start),
            // Only ever compared: any address of the object's own will do.
            "__dso_handle" => Some(memory.base()),
            "__cxa_atexit" => {
                self.uses_atexit = true;
                Some(atexit::register as *const () as u64)
            }
            _ => None,
        }
    }
}
