//! Constructors and destructors, in the order in which they run.

use crate::LoadError;
use crate::file::{File, Kind};
use crate::layout::Layout;
use crate::mapping::Writable;

/// The priority of what gives none: after all that do.
const DEFAULT: u32 = 65536;

/// Addresses of functions without arguments.
pub(crate) struct Lists {
    pub(crate) constructors: Vec<usize>,
    pub(crate) destructors: Vec<usize>,
}

/// A section that lists functions.
struct List {
    priority: u32,
    destroys: bool,
    /// The oldest convention runs constructors from the last entry to the first.
    backwards: bool,
}

impl Lists {
    /// Reads the lists out of the relocated sections.
    pub(crate) fn read(file: &File<'_>, layout: &Layout, memory: &mut Writable) -> Result<Self, LoadError> {
        let base = memory.base();
        let (code_start, code_size) = layout.segments[Kind::Code as usize];
        let code = base + code_start..base + code_start + code_size;
        let mut found: Vec<(List, Vec<usize>)> = Vec::new();
        for (section, &at) in file.sections.iter().zip(&layout.sections) {
            let Some(list) = List::of(&section.name) else { continue };
            let bytes = &memory.bytes()[at as usize..][..section.data.len()];
            let mut entries = Vec::with_capacity(bytes.len() / 8);
            for (index, entry) in bytes.as_chunks::<8>().0.iter().enumerate() {
                match u64::from_le_bytes(*entry) {
                    // Old start files put these at the ends of a list; 0 is also a weak name undefined.
                    0 | u64::MAX => {}
                    address if code.contains(&address) => entries.push(address as usize),
                    _ => {
                        return Err(LoadError::BadConstructor { section: section.name.to_string(), index });
                    }
                }
            }
            if list.backwards {
                entries.reverse();
            }
            found.push((list, entries));
        }
        // Stable: equal priorities keep the object's order.
        found.sort_by_key(|(list, _)| list.priority);
        let of = |destroys| found.iter().filter(move |(list, _)| list.destroys == destroys);
        Ok(Self {
            constructors: of(false).flat_map(|(_, entries)| entries.iter().copied()).collect(),
            // Destructors undo the constructors from the last to the first.
            destructors: of(true).rev().flat_map(|(_, entries)| entries.iter().copied()).collect(),
        })
    }
}

impl List {
    /// `.init_array`, `.ctors`, `.fini_array`, `.dtors`, each alone or with a number. The old names count
    /// down from 65535.
    fn of(section: &str) -> Option<Self> {
        let (stem, number) = match section.bytes().filter(|&b| b == b'.').count() {
            1 => (section, None),
            _ => section.rsplit_once('.').map(|(stem, n)| (stem, n.parse::<u32>().ok()))?,
        };
        let old = number.map_or(DEFAULT, |n| 65535u32.saturating_sub(n));
        let new = number.unwrap_or(DEFAULT);
        let (priority, destroys, backwards) = match stem {
            ".init_array" => (new, false, false),
            ".ctors" => (old, false, true),
            ".fini_array" => (new, true, true),
            ".dtors" => (old, true, false),
            _ => return None,
        };
        Some(Self { priority, destroys, backwards })
    }
}
