//! Why an object cannot be loaded.

/// Why an object cannot be loaded. Nothing of it stays mapped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Not an object for this machine at all.
    #[error(
        "expected a relocatable x86-64 ELF object, got {found}; compile for this machine, without linking"
    )]
    NotAnObject {
        /// What came instead.
        found: String,
    },
    /// The file contradicts itself; it was damaged or cut.
    #[error("the object is damaged: {what}; compile it again")]
    Malformed {
        /// What does not fit.
        what: String,
    },
    /// More memory than an object may take.
    #[error(
        "the object needs {asked} bytes of memory, at most {limit} are allowed; allocate large arrays at run time"
    )]
    TooLarge {
        /// Bytes needed.
        asked: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A thread-local variable.
    #[error("`{name}` is thread-local; use a plain global variable or a kernel argument")]
    ThreadLocal {
        /// The variable, or the section that holds it.
        name: String,
    },
    /// A section that is writable and executable.
    #[error("section `{name}` is writable and executable at once; such code is not loaded")]
    WritableCode {
        /// The section.
        name: String,
    },
    /// A function chosen at load time by other code.
    #[error(
        "`{name}` is an indirect function (ifunc); call the implementation that this machine needs directly"
    )]
    IndirectFunction {
        /// The function.
        name: String,
    },
    /// Names that nothing defines.
    #[error("undefined: {}; define or link them before loading", .names.join(", "))]
    Unresolved {
        /// All of them, in the object's order.
        names: Vec<String>,
    },
    /// A relocation that is not understood.
    #[error("section `{section}` uses relocation type {kind} against `{symbol}`, which is not supported")]
    UnknownRelocation {
        /// The number of the type (`R_X86_64_*`).
        kind: u32,
        /// The symbol.
        symbol: String,
        /// The section that is relocated.
        section: String,
    },
    /// An address that does not fit where the code wants it.
    #[error(
        "the address of `{symbol}` is out of reach of section `{section}` (relocation type {kind}); \
         compile as position independent code or with the large code model"
    )]
    OutOfReach {
        /// The number of the type (`R_X86_64_*`).
        kind: u32,
        /// The symbol.
        symbol: String,
        /// The section that is relocated.
        section: String,
    },
    /// A constructor or destructor outside the object's code.
    #[error("entry {index} of `{section}` does not point into the object's code")]
    BadConstructor {
        /// The section.
        section: String,
        /// The entry.
        index: usize,
    },
    /// The operating system refused.
    #[error("{what} failed for {bytes} bytes: {reason}")]
    System {
        /// What was tried.
        what: &'static str,
        /// How much memory it was about.
        bytes: usize,
        /// What the system said.
        reason: String,
    },
}

impl LoadError {
    pub(crate) fn malformed(what: impl Into<String>) -> Self {
        Self::Malformed { what: what.into() }
    }
}
