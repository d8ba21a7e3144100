//! One compile's LLVM: context, diagnostics, parse, link, passes, emission.

use std::cell::RefCell;
use std::ffi::{CString, c_void};
use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext2;
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;
use inkwell::llvm_sys::transforms::pass_builder::{LLVMRunPasses, LLVMRunPassesOnFunction};
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple,
};
use oarlock_image::{Format, Target};

use crate::ir::{self, Value};
use crate::{CompileError, OptLevel, Options};

/// A context with a diagnostic handler of ours. Everything of one compile lives in it.
pub(crate) struct Session {
    context: Context,
    // Boxed: LLVM keeps the address. Dropped after the context, as fields drop in order.
    diagnostics: Box<RefCell<Diagnostics>>,
}

#[derive(Default)]
struct Diagnostics {
    errors: Vec<String>,
}

impl Session {
    pub(crate) fn new() -> Self {
        initialize_targets();
        let session = Self { context: Context::create(), diagnostics: Box::default() };
        let data: *const RefCell<Diagnostics> = &*session.diagnostics;
        // SAFETY: the handler reads `data` as what it is, on this thread only (a context is not shared),
        // and the box outlives the context, which drops first.
        unsafe {
            LLVMContextSetDiagnosticHandler(session.context.raw(), Some(on_diagnostic), data as *mut c_void);
        }
        session
    }

    /// Parses bitcode (raw or wrapped) or text.
    pub(crate) fn parse(&self, bytes: &[u8], format: Format) -> Result<Module<'_>, CompileError> {
        let mut module = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: LLVM copies the range and adds the NUL that its text parser wants; the buffer stays ours
        // and is disposed of here. On success `module` is a module of this context.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"program".as_ptr(),
            );
            let failed = LLVMParseIRInContext2(self.context.raw(), buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            failed != 0
        };
        if failed || module.is_null() {
            let message = ir::take_message(message);
            return Err(CompileError::Parse { format, message: self.with_diagnostics(message) });
        }
        // SAFETY: a live module of this context, owned by us alone.
        Ok(unsafe { Module::new(module) })
    }

    /// Parses text of our own making and links it into `module`.
    pub(crate) fn link_text<'s>(&'s self, module: &Module<'s>, text: &str) -> Result<(), CompileError> {
        let internal = |message: String| CompileError::Internal { phase: "linking generated code", message };
        let layout = module.get_data_layout().as_str().to_string_lossy().into_owned();
        let triple = module.get_triple().as_str().to_string_lossy().into_owned();
        let text = format!("target datalayout = \"{layout}\"\ntarget triple = \"{triple}\"\n{text}");
        let other = self.parse(text.as_bytes(), Format::TextIr).map_err(|e| internal(e.to_string()))?;
        // SAFETY: both are live modules of one context; the linker takes `other`, which we forget.
        let failed = unsafe { LLVMLinkModules2(module.as_mut_ptr(), other.as_mut_ptr()) != 0 };
        std::mem::forget(other);
        if failed { Err(internal(self.with_diagnostics("the linker refused".into()))) } else { Ok(()) }
    }

    /// Verifies the module as the caller gave it.
    pub(crate) fn verify(&self, module: &Module<'_>) -> Result<(), CompileError> {
        module.verify().map_err(|m| CompileError::Invalid { message: self.with_diagnostics(m.to_string()) })
    }

    /// Verifies the module after a step of ours.
    pub(crate) fn verify_own(&self, module: &Module<'_>, phase: &'static str) -> Result<(), CompileError> {
        module.verify().map_err(|m| CompileError::Internal { phase, message: m.to_string() })
    }

    /// Runs a pass pipeline over the module.
    pub(crate) fn run(
        &self,
        module: &Module<'_>,
        pipeline: &str,
        machine: &TargetMachine,
    ) -> Result<(), CompileError> {
        let options = pass_options();
        let text = CString::new(pipeline).expect("pipelines are our own literals");
        // SAFETY: module, machine and options are live.
        let error = unsafe {
            LLVMRunPasses(module.as_mut_ptr(), text.as_ptr(), machine.as_mut_ptr(), options.as_mut_ptr())
        };
        self.check(error, "optimising")
    }

    /// Runs a pass pipeline over one function.
    pub(crate) fn run_on(
        &self,
        function: Value,
        pipeline: &str,
        machine: &TargetMachine,
    ) -> Result<(), CompileError> {
        let options = pass_options();
        let text = CString::new(pipeline).expect("pipelines are our own literals");
        // SAFETY: function, machine and options are live.
        let error = unsafe {
            LLVMRunPassesOnFunction(function.0, text.as_ptr(), machine.as_mut_ptr(), options.as_mut_ptr())
        };
        self.check(error, "transforming a kernel")
    }

    /// Emits an object or assembly.
    pub(crate) fn emit(
        &self,
        module: &Module<'_>,
        machine: &TargetMachine,
        kind: FileType,
    ) -> Result<Vec<u8>, CompileError> {
        let buffer = machine.write_to_memory_buffer(module, kind).map_err(|m| CompileError::Llvm {
            phase: "emitting",
            message: self.with_diagnostics(m.to_string()),
        })?;
        // Errors can arrive while emission says that all is well.
        self.no_errors("emitting")?;
        // SAFETY: the buffer is live and as long as LLVM says.
        let bytes = unsafe {
            std::slice::from_raw_parts(
                LLVMGetBufferStart(buffer.as_mut_ptr()).cast::<u8>(),
                LLVMGetBufferSize(buffer.as_mut_ptr()),
            )
        };
        Ok(bytes.to_vec())
    }

    /// The number of a kind of metadata.
    pub(crate) fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: the context is live; the name's length is given.
        unsafe { LLVMGetMDKindIDInContext(self.context.raw(), name.as_ptr().cast(), name.len() as u32) }
    }

    /// The number of a synchronisation scope.
    pub(crate) fn sync_scope(&self, name: &str) -> u32 {
        // SAFETY: the context is live; the name's length is given.
        unsafe { LLVMGetSyncScopeID(self.context.raw(), name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn int_type(&self, bits: u32) -> ir::Type {
        // SAFETY: the context is live; widths are 8, 32 or 64.
        ir::Type(unsafe { LLVMIntTypeInContext(self.context.raw(), bits) })
    }

    pub(crate) fn no_errors(&self, phase: &'static str) -> Result<(), CompileError> {
        let errors = std::mem::take(&mut self.diagnostics.borrow_mut().errors);
        if errors.is_empty() { Ok(()) } else { Err(CompileError::Llvm { phase, message: errors.join("; ") }) }
    }

    fn check(
        &self,
        error: inkwell::llvm_sys::error::LLVMErrorRef,
        phase: &'static str,
    ) -> Result<(), CompileError> {
        if error.is_null() {
            return self.no_errors(phase);
        }
        // SAFETY: a non-null error is taken by GetErrorMessage; its text is copied, then disposed of once.
        let message = unsafe {
            let text = LLVMGetErrorMessage(error);
            let copy = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(text);
            copy
        };
        Err(CompileError::Llvm { phase, message: self.with_diagnostics(message) })
    }

    fn with_diagnostics(&self, message: String) -> String {
        let mut parts = std::mem::take(&mut self.diagnostics.borrow_mut().errors);
        if !message.is_empty() {
            parts.insert(0, message.trim_end().to_owned());
        }
        parts.dedup();
        if parts.is_empty() { "LLVM gave no reason".into() } else { parts.join("; ") }
    }
}

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, data: *mut c_void) {
    // SAFETY: LLVM gives a live diagnostic and the pointer that `Session::new` installed.
    let (severity, message) =
        unsafe { (LLVMGetDiagInfoSeverity(info), ir::take_message(LLVMGetDiagInfoDescription(info))) };
    match severity {
        LLVMDiagnosticSeverity::LLVMDSError => {
            // SAFETY: as above; the cell is borrowed only for the push.
            let cell = unsafe { &*(data as *const RefCell<Diagnostics>) };
            if let Ok(mut diagnostics) = cell.try_borrow_mut() {
                diagnostics.errors.push(message);
            }
        }
        LLVMDiagnosticSeverity::LLVMDSWarning => tracing::debug!(target: "oarlock::codegen", "{message}"),
        _ => tracing::trace!(target: "oarlock::codegen", "{message}"),
    }
}

fn pass_options() -> PassBuilderOptions {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    options
}

fn initialize_targets() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| LlvmTarget::initialize_x86(&InitializationConfig::default()));
}

/// The machine to make code for.
pub(crate) fn target_machine(target: &Target, options: &Options) -> Result<TargetMachine, CompileError> {
    initialize_targets();
    let unknown = |message: String| CompileError::Target {
        triple: target.triple.clone(),
        cpu: target.cpu.clone(),
        message,
    };
    let triple = TargetTriple::create(&target.triple);
    let llvm = LlvmTarget::from_triple(&triple).map_err(|m| unknown(m.to_string()))?;
    let level = match options.opt_level {
        OptLevel::O0 => OptimizationLevel::None,
        OptLevel::O1 => OptimizationLevel::Less,
        OptLevel::O2 => OptimizationLevel::Default,
        OptLevel::O3 => OptimizationLevel::Aggressive,
    };
    // Static and large: one kind of relocation, no distance limit (see the loader).
    llvm.create_target_machine(
        &triple,
        &target.cpu,
        &target.features,
        level,
        RelocMode::Static,
        CodeModel::Large,
    )
    .ok_or_else(|| unknown("LLVM could not make a target machine".into()))
}

/// LLVM's version: major, minor, patch.
pub(crate) fn llvm_version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three places to write to.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

/// This machine, with all the features that LLVM finds.
pub(crate) fn host_target() -> Target {
    initialize_targets();
    Target {
        triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
        cpu: TargetMachine::get_host_cpu_name().to_string(),
        features: TargetMachine::get_host_cpu_features().to_string(),
    }
}
