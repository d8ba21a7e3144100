//! Symbols: the kernels and global variables of a program, by name.

use std::sync::{Arc, Weak};

use oarlock_arena::InsertChildError;
use oarlock_device::{DevicePtr, Module};
use oarlock_image::{Global, Kernel, Metadata};

use crate::nearest::nearest;
use crate::objects::{Body, Program, Symbol, What};
use crate::runtime::Table;
use crate::{DeviceKey, Error, ProgramKey, Runtime, SymbolKey, SymbolKind};

/// What a symbol is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SymbolInfo {
    /// The program that it belongs to.
    pub program: ProgramKey,
    /// The program's device.
    pub device: DeviceKey,
    /// What it is like.
    pub details: SymbolDetails,
}

/// What a kernel or a global variable is like.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolDetails {
    /// A kernel: its parameters and its needs.
    Kernel(Kernel),
    /// A global variable.
    Global {
        /// Where this program's own copy lies, for as long as the program lives.
        ptr: DevicePtr,
        /// Its size and the like.
        global: Global,
    },
}

impl SymbolInfo {
    /// The name in the source.
    pub fn name(&self) -> &str {
        match &self.details {
            SymbolDetails::Kernel(kernel) => &kernel.name,
            SymbolDetails::Global { global, .. } => &global.name,
        }
    }

    /// Whether it is a kernel or a global variable.
    pub fn kind(&self) -> SymbolKind {
        match &self.details {
            SymbolDetails::Kernel(_) => SymbolKind::Kernel,
            SymbolDetails::Global { .. } => SymbolKind::Global,
        }
    }
}

impl Runtime {
    /// The kernel called `name`. Asked twice, it gives the same handle.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names that there are; [`Error::SymbolKind`] where `name` is a
    /// global variable; handle errors for `program`.
    pub fn kernel(&self, program: ProgramKey, name: &str) -> Result<SymbolKey, Error> {
        self.symbol(program, name, SymbolKind::Kernel)
    }

    /// The global variable called `name`. Asked twice, it gives the same handle.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel), the other way round.
    pub fn global(&self, program: ProgramKey, name: &str) -> Result<SymbolKey, Error> {
        self.symbol(program, name, SymbolKind::Global)
    }

    /// The names of a program's kernels, in the module's order.
    ///
    /// # Errors
    /// Handle errors.
    pub fn kernels(&self, program: ProgramKey) -> Result<Vec<String>, Error> {
        self.with_body(program, |_, body| Ok(names(&body.image().metadata, SymbolKind::Kernel)))
    }

    /// The names of the global variables that the host may look up, in the module's order.
    ///
    /// # Errors
    /// Handle errors.
    pub fn globals(&self, program: ProgramKey) -> Result<Vec<String>, Error> {
        self.with_body(program, |_, body| Ok(names(&body.image().metadata, SymbolKind::Global)))
    }

    /// What a symbol is.
    ///
    /// # Errors
    /// Handle errors.
    pub fn symbol_info(&self, symbol: SymbolKey) -> Result<SymbolInfo, Error> {
        let scope = self.pin();
        let found = self.resolve(&scope, symbol)?;
        let module = self.module_of(symbol, found)?;
        let details = match found.what {
            What::Kernel(index) => SymbolDetails::Kernel(module.kernel(index).clone()),
            What::Global(ptr, ref global) => SymbolDetails::Global { ptr, global: global.clone() },
        };
        let device = self.device_at(found.device).key;
        Ok(SymbolInfo { program: found.program, device, details })
    }

    /// A share of the symbol's module, which stays loaded for as long as the share lives.
    pub(crate) fn module_of(&self, key: SymbolKey, symbol: &Symbol) -> Result<Arc<dyn Module>, Error> {
        symbol.module.upgrade().ok_or_else(|| self.stale(key))
    }

    fn symbol(&self, program: ProgramKey, name: &str, wanted: SymbolKind) -> Result<SymbolKey, Error> {
        self.with_body(program, |shell, body| {
            if let Some(&known) = body.symbols.get(name) {
                return self.known_symbol(known, name, wanted, program);
            }
            let what = look_up(&*body.module, name, wanted)?;
            let key = self.insert_symbol(program, shell, body, what)?;
            body.symbols.insert(name.into(), key);
            Ok(key)
        })
    }

    fn known_symbol(
        &self,
        known: SymbolKey,
        name: &str,
        wanted: SymbolKind,
        program: ProgramKey,
    ) -> Result<SymbolKey, Error> {
        let scope = self.pin();
        // Stale only where the program is being destroyed at this moment.
        let symbol = SymbolKey::table(&self.shared).get(&scope, known).map_err(|_| self.stale(program))?;
        match symbol.what.kind() {
            found if found == wanted => Ok(known),
            found => Err(Error::SymbolKind { name: name.into(), expected: wanted, found }),
        }
    }

    fn insert_symbol(
        &self,
        program: ProgramKey,
        shell: &Program,
        body: &Body,
        what: What,
    ) -> Result<SymbolKey, Error> {
        let module: Weak<dyn Module> = Arc::downgrade(&body.module);
        let symbol = Symbol { program, device: shell.device, module, what };
        self.shared.symbols.insert_child(&shell.family, symbol).map_err(|error| match error {
            InsertChildError::Full(full) => full.into(),
            _ => self.stale(program),
        })
    }
}

fn look_up(module: &dyn Module, name: &str, wanted: SymbolKind) -> Result<What, Error> {
    let metadata = &module.image().metadata;
    let kernel = metadata.kernel(name).map(What::Kernel);
    let found = match kernel {
        Some(kernel) => Some(kernel),
        None => module.global(name).map(|(ptr, global)| What::Global(ptr, global)),
    };
    match found {
        Some(what) if what.kind() == wanted => Ok(what),
        Some(what) => Err(Error::SymbolKind { name: name.into(), expected: wanted, found: what.kind() }),
        None => {
            let available = names(metadata, wanted);
            let nearest = nearest(name, available.iter().map(String::as_str)).map(Into::into);
            Err(Error::NotFound { kind: wanted, name: name.into(), nearest, available })
        }
    }
}

fn names(metadata: &Metadata, kind: SymbolKind) -> Vec<String> {
    match kind {
        SymbolKind::Kernel => metadata.kernels.iter().map(|k| k.name.clone()).collect(),
        SymbolKind::Global => metadata.globals.iter().map(|g| g.name.clone()).collect(),
    }
}
