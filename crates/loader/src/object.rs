//! An object in memory.

use std::collections::HashMap;

use crate::file::{File, Kind, Place};
use crate::layout::Layout;
use crate::lists::Lists;
use crate::mapping::{Mapping, Writable};
use crate::symbols::Addresses;
use crate::{LoadError, atexit, relocate};

/// Where a symbol of a loaded object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symbol {
    /// Its address in this process.
    pub address: usize,
    /// Its size in bytes, as the object says; all of it lies in the object's memory.
    pub size: usize,
    /// It lies in executable memory.
    pub executable: bool,
    /// It lies in writable memory.
    pub writable: bool,
}

/// An object in memory, with variables of its own. Dropping it runs its destructors (if its constructors
/// ran) and unmaps it; nothing may run its code or use its variables then.
pub struct LoadedObject {
    symbols: HashMap<Box<str>, Symbol>,
    lists: Lists,
    uses_atexit: bool,
    constructed: bool,
    mapping: Mapping,
}

impl LoadedObject {
    /// Loads an object. Nothing of it runs yet.
    ///
    /// `resolve` gives the addresses of what the object uses and does not define.
    ///
    /// # Errors
    /// [`LoadError`]. Any bytes at all may be given: what is damaged or hostile is an error.
    ///
    /// # Examples
    /// ```
    /// use oarlock_loader::{LoadError, LoadedObject, runtime_symbol};
    /// let error = LoadedObject::load(b"not an object", &runtime_symbol).err();
    /// assert!(matches!(error, Some(LoadError::NotAnObject { .. })));
    /// ```
    pub fn load(bytes: &[u8], resolve: &dyn Fn(&str) -> Option<usize>) -> Result<Self, LoadError> {
        let file = File::parse(bytes)?;
        let layout = Layout::plan(&file)?;
        let mut memory = Writable::reserve(&layout)?;
        let addresses = Addresses::resolve(&file, &layout, &memory, resolve)?;
        relocate::write(&file, &layout, &addresses, &mut memory)?;
        let lists = Lists::read(&file, &layout, &mut memory)?;
        let mapping = memory.seal(&layout)?;
        let symbols = exported(&file, &layout, &addresses, mapping.base());
        tracing::trace!(bytes = mapping.len(), symbols = symbols.len(), "object loaded");
        Ok(Self { symbols, lists, uses_atexit: addresses.uses_atexit, constructed: false, mapping })
    }

    /// Runs the object's constructors, lowest priority number first; the second call does nothing.
    ///
    /// # Safety
    /// The object's code runs with the rights of this process. It must be code that may: what a compiler
    /// made of a trusted program, complete and undamaged. It must not unwind.
    pub unsafe fn run_constructors(&mut self) {
        if std::mem::replace(&mut self.constructed, true) {
            return;
        }
        if self.uses_atexit {
            atexit::open(self.mapping.base() as usize);
        }
        for &address in &self.lists.constructors {
            // SAFETY: `Lists::read` checked that the address lies in the object's code, which is
            // executable since `seal`; the caller vouches for the code.
            unsafe { call(address) };
        }
    }

    /// A symbol that the object defines and does not keep to itself.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// All symbols that [`symbol`](Self::symbol) finds, in no order.
    pub fn symbols(&self) -> impl Iterator<Item = (&str, Symbol)> {
        self.symbols.iter().map(|(name, symbol)| (&**name, *symbol))
    }

    /// Bytes of address space that this object takes, guard pages included.
    pub fn mapped_bytes(&self) -> usize {
        self.mapping.len()
    }
}

impl Drop for LoadedObject {
    fn drop(&mut self) {
        if !self.constructed {
            return;
        }
        if self.uses_atexit {
            // SAFETY: the code is mapped until `mapping` drops, after this; whoever ran the constructors
            // vouched for the code, and whoever drops the object has stopped using it.
            unsafe { atexit::close(self.mapping.base() as usize) };
        }
        for &address in &self.lists.destructors {
            // SAFETY: as in `run_constructors`.
            unsafe { call(address) };
        }
    }
}

/// # Safety
/// `address` is a function of the C calling convention without arguments that may run now.
unsafe fn call(address: usize) {
    // SAFETY: the caller's promise; function pointers are addresses on this machine.
    let function = unsafe { std::mem::transmute::<usize, extern "C" fn()>(address) };
    function();
}

fn exported(file: &File<'_>, layout: &Layout, addresses: &Addresses, base: u64) -> HashMap<Box<str>, Symbol> {
    let segment = |kind: Kind, address: u64| {
        let (start, size) = layout.segments[kind as usize];
        (base + start..base + start + size).contains(&address)
    };
    let mut symbols = HashMap::new();
    for (symbol, &address) in file.symbols.iter().zip(&addresses.of) {
        let defined = matches!(symbol.place, Place::Section { .. } | Place::Common { .. });
        // Symbols of sections that are not loaded have no address.
        if defined && !symbol.local && address != 0 {
            let found = Symbol {
                address: address as usize,
                size: symbol.size as usize,
                executable: segment(Kind::Code, address),
                writable: segment(Kind::Data, address),
            };
            symbols.insert(symbol.name.as_ref().into(), found);
        }
    }
    symbols
}
