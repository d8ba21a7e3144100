//! Why a program could not be compiled.

use oarlock_image::Format;

/// Why a program could not be compiled. Every message says what was expected, what came and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// No bytes.
    #[error("a program is LLVM bitcode or textual IR; the buffer is empty")]
    Empty,
    /// Bytes of another format.
    #[error("a program is LLVM bitcode (raw or wrapped) or textual IR; got {found} ({len} bytes)")]
    Format {
        /// What the bytes are, by their magic.
        found: Format,
        /// How many bytes.
        len: usize,
    },
    /// More bytes than a program may have.
    #[error("a program has at most {limit} bytes; this one has {len}; split it")]
    TooLarge {
        /// How many bytes.
        len: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The structure of the bytes is broken; LLVM was not asked to read them.
    #[error("the {format} is damaged at byte {at}: {what}; make it again, and look at how it was carried")]
    Damaged {
        /// What the bytes looked like.
        format: Format,
        /// Where.
        at: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// LLVM's reader refused the bytes.
    #[error("the {format} does not parse: {message}")]
    Parse {
        /// What the bytes looked like.
        format: Format,
        /// LLVM's message, with line and column for text.
        message: String,
    },
    /// The module breaks LLVM's rules.
    #[error("the module is not valid LLVM IR: {message}")]
    Invalid {
        /// What the verifier said.
        message: String,
    },
    /// A module made for a machine whose dialect is not known.
    #[error("programs are made for nvptx64, amdgcn, spir64, spirv64 or {host}; this one is for `{found}`")]
    Triple {
        /// The module's triple.
        found: String,
        /// This machine's architecture.
        host: &'static str,
    },
    /// Nothing to launch.
    #[error("the module has no kernel: {hint}")]
    NoKernels {
        /// What makes a kernel in this dialect.
        hint: &'static str,
    },
    /// Something that the device cannot run.
    #[error("{what} in {place} cannot run on this device: {why}")]
    Unsupported {
        /// What it is, by name.
        what: String,
        /// The function or variable that it is in.
        place: String,
        /// Why not, and what to do instead.
        why: &'static str,
    },
    /// The target is none that this compiler makes code for.
    #[error("no code generator for target `{triple}` with processor `{cpu}`: {message}")]
    Target {
        /// The triple asked for.
        triple: String,
        /// The processor asked for.
        cpu: String,
        /// What LLVM said.
        message: String,
    },
    /// LLVM reported an error while optimising or emitting.
    #[error("LLVM failed in {phase}: {message}")]
    Llvm {
        /// The step.
        phase: &'static str,
        /// The diagnostics.
        message: String,
    },
    /// A mistake of the compiler's own, caught before it did harm. Please report it.
    #[error("internal error of the compiler in {phase}: {message}; please report it")]
    Internal {
        /// The step.
        phase: &'static str,
        /// What was found.
        message: String,
    },
}
