//! The whole way from bytes to an image.

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine};
use oarlock_image::{Dialect, Format, Global, Image, Kernel, Metadata, Target};

use crate::ir::{self, Value};
use crate::session::{self, Session};
use crate::{CompileError, OptLevel, Options, check_bytes, dialect, lint, retarget, spmd};

/// Compiles programs. Holds nothing: every call is on its own, on any thread.
///
/// # Examples
/// ```
/// use oarlock_codegen::{Compiler, Options};
///
/// let compiler = Compiler::new();
/// let target = compiler.host_target();
/// let image = compiler.compile(
///     b"define void @store(ptr %p, i32 %v) { store i32 %v, ptr %p ret void }",
///     &target,
///     &Options::default(),
/// )?;
/// assert_eq!(image.metadata.kernels[0].name, "store");
/// assert_eq!(image.metadata.kernels[0].params[1].ty, "i32");
/// # Ok::<(), oarlock_codegen::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Compiler;

/// Grows with every change of our steps that changes the code that comes out.
const STEPS: u32 = 2;

/// A readable form of what a compile makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Emit {
    /// LLVM IR with the loops over groups and items, before the optimiser.
    Lowered,
    /// LLVM IR after all of our steps and the optimiser.
    Ir,
    /// Assembly of the target.
    Assembly,
}

/// What a program says of itself, without compiling it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleInfo {
    /// What the bytes are.
    pub format: Format,
    /// The module's target triple; empty where it names none.
    pub triple: String,
    /// The dialect.
    pub dialect: Dialect,
    /// The kernels, laid out for this machine. Group memory, scratch and barriers are only known after a
    /// compile and are 0 here.
    pub kernels: Vec<Kernel>,
    /// The variables that the host may look up.
    pub globals: Vec<Global>,
}

impl Compiler {
    /// A compiler.
    pub fn new() -> Self {
        Self
    }

    /// This machine: its triple, its processor, and all the features that the processor has.
    pub fn host_target(&self) -> Target {
        session::host_target()
    }

    /// What makes the code: this crate's version, the version of its steps, LLVM's, and a fingerprint of the sources
    /// that this compiler was built from. Code for equal bytes, target and options is equal as long as this is.
    pub fn identity(&self) -> String {
        let (major, minor, patch) = session::llvm_version();
        let (version, build) = (env!("CARGO_PKG_VERSION"), env!("OARLOCK_CODEGEN_BUILD"));
        format!("oarlock-codegen {version} steps {STEPS} llvm {major}.{minor}.{patch} build {build}")
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// [`CompileError`]; nothing is left behind.
    pub fn compile(&self, bytes: &[u8], target: &Target, options: &Options) -> Result<Image, CompileError> {
        self.compile_with_phases(bytes, target, options, &|_| ())
    }

    /// As [`compile`](Self::compile), and tells where it is: `entered` is called with `parse`, `lower`,
    /// `optimise` and `emit` as each begins, so that a process that dies in one has said which.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_with_phases(
        &self,
        bytes: &[u8],
        target: &Target,
        options: &Options,
        entered: &dyn Fn(&'static str),
    ) -> Result<Image, CompileError> {
        let span = tracing::debug_span!(target: "oarlock::codegen", "compile", bytes = bytes.len());
        let _span = span.enter();
        let session = Session::new();
        let machine = session::target_machine(target, options)?;
        let (module, metadata) = lower(&session, bytes, target, &machine, options, entered)?;
        optimise(&session, &module, &machine, options, entered)?;
        entered("emit");
        let emit = tracing::debug_span!(target: "oarlock::codegen", "emit");
        let code = emit.in_scope(|| session.emit(&module, &machine, FileType::Object))?;
        Ok(Image { target: target.clone(), code, metadata })
    }

    /// Compiles a program and returns what was made as text.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn emit(
        &self,
        bytes: &[u8],
        target: &Target,
        options: &Options,
        what: Emit,
    ) -> Result<String, CompileError> {
        let session = Session::new();
        let machine = session::target_machine(target, options)?;
        let (module, _) = lower(&session, bytes, target, &machine, options, &|_| ())?;
        if what != Emit::Lowered {
            optimise(&session, &module, &machine, options, &|_| ())?;
        }
        match what {
            Emit::Lowered | Emit::Ir => Ok(ir::print_module(&module)),
            Emit::Assembly => {
                let text = session.emit(&module, &machine, FileType::Assembly)?;
                Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned())
            }
        }
    }

    /// Parses and checks a program, and tells what is in it.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), but for what only compiling finds.
    pub fn inspect(&self, bytes: &[u8]) -> Result<ModuleInfo, CompileError> {
        let session = Session::new();
        let machine = session::target_machine(&self.host_target(), &Options::default())?;
        let (format, module) = parse(&session, bytes)?;
        let triple = module.get_triple().as_str().to_string_lossy().into_owned();
        let dialect = dialect::detect(&triple)?;
        let kernels = dialect::kernels(&module, dialect)?;
        lint::check(&module, dialect, &kernels)?;
        retarget::retarget(&session, &module, dialect, &machine);
        let work = spmd::describe(&session, &kernels, &machine)?;
        Ok(ModuleInfo {
            format,
            triple,
            dialect,
            kernels: work.into_iter().map(|w| w.kernel).collect(),
            globals: visible_globals(&module, &machine).into_iter().map(|(_, g)| g).collect(),
        })
    }
}

fn parse<'s>(session: &'s Session, bytes: &[u8]) -> Result<(Format, Module<'s>), CompileError> {
    let format = check_bytes(bytes)?;
    let module = session.parse(bytes, format)?;
    session.verify(&module)?;
    Ok((format, module))
}

/// All of our own steps: from bytes to loops over groups and items.
fn lower<'s>(
    session: &'s Session,
    bytes: &[u8],
    target: &Target,
    machine: &TargetMachine,
    options: &Options,
    entered: &dyn Fn(&'static str),
) -> Result<(Module<'s>, Metadata), CompileError> {
    let span = phase("parse", entered);
    let (_, module) = parse(session, bytes)?;
    drop(span);
    let span = phase("lower", entered);
    let dialect = dialect::detect(&module.get_triple().as_str().to_string_lossy())?;
    let kernels = dialect::kernels(&module, dialect)?;
    lint::check(&module, dialect, &kernels)?;
    retarget::retarget(session, &module, dialect, machine);
    let work = spmd::describe(session, &kernels, machine)?;
    dialect::supply_builtins(session, &module, dialect)?;
    let kernels = spmd::build(
        session,
        &module,
        dialect,
        machine,
        &target.features,
        options.opt_level >= OptLevel::O2,
        work,
    )?;
    let globals = export_globals(&module, machine);
    drop(span);
    Ok((module, Metadata { dialect, kernels, globals }))
}

fn optimise(
    session: &Session,
    module: &Module<'_>,
    machine: &TargetMachine,
    options: &Options,
    entered: &dyn Fn(&'static str),
) -> Result<(), CompileError> {
    let _span = phase("optimise", entered);
    session.run(module, options.opt_level.pipeline(), machine)?;
    if options.opt_level == OptLevel::O0 {
        session.run(module, "globaldce", machine)?;
    }
    Ok(())
}

fn phase(name: &'static str, entered: &dyn Fn(&'static str)) -> tracing::span::EnteredSpan {
    entered(name);
    tracing::debug_span!(target: "oarlock::codegen", "phase", name).entered()
}

/// Variables that the host may look up: defined, visible from outside, not group memory, not LLVM's own.
fn visible_globals(module: &Module<'_>, machine: &TargetMachine) -> Vec<(Value, Global)> {
    let data = machine.get_target_data();
    ir::globals(module)
        .into_iter()
        .filter(|g| !g.is_declaration() && !g.is_internal() && g.ty().address_space() != Some(3))
        .filter(|g| !g.name().starts_with("llvm."))
        .map(|g| {
            let (size, align) = spmd::global_size_align(g, &data);
            (g, Global { name: g.name(), size, align, constant: g.is_constant_global() })
        })
        .collect()
}

/// Makes sure that the optimiser keeps the visible variables where the loader finds them.
fn export_globals(module: &Module<'_>, machine: &TargetMachine) -> Vec<Global> {
    let visible = visible_globals(module, machine);
    for global in ir::globals(module) {
        if global.ty().address_space() == Some(3) && !global.is_declaration() {
            global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
    visible
        .into_iter()
        .map(|(value, global)| {
            value.set_linkage(LLVMLinkage::LLVMExternalLinkage);
            // The alignment that the metadata promises.
            value.set_alignment(global.align);
            global
        })
        .collect()
}
