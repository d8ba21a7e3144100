//! Makes a module for another machine one for this machine: triple, layout, conventions, attributes, scopes.

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use oarlock_image::Dialect;

use crate::ir::{self, Builder, FUNCTION_INDEX, Opcode, Value};
use crate::session::Session;

/// Attributes that front ends put on definitions because ids and barriers looked harmless to them, or
/// that would keep the optimiser away. None of them holds once ids are loop variables.
const LYING: [&str; 15] = [
    "memory",
    "nosync",
    "willreturn",
    "nofree",
    "speculatable",
    "mustprogress",
    "norecurse",
    "noinline",
    "optnone",
    "optsize",
    "minsize",
    "convergent",
    "alwaysinline",
    "inlinehint",
    "nocallback",
];

/// Globals that only keep others alive for tools of another machine.
const KEEP_ALIVE: [&str; 4] = ["llvm.used", "llvm.compiler.used", "llvm.global.annotations", "__hip_cuid_"];

/// Retargets `module` to `machine`.
pub(crate) fn retarget(session: &Session, module: &Module<'_>, dialect: Dialect, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module.strip_debug_info();
    drop_keep_alive(module);
    let gpu = dialect != Dialect::Native;
    let scopes = Scopes::new(session);
    let range = session.metadata_kind("range");
    for global in ir::globals(module) {
        global.reset_visibility();
        if gpu {
            global.clear_section();
        }
    }
    for function in ir::functions(module) {
        function.reset_visibility();
        if !function.is_declaration() {
            function.clear_section();
            strip_attributes(function);
        }
        if gpu && !harmless_convention(function.function_call_conv()) {
            function.set_function_call_conv(0);
        }
        for instruction in function.body() {
            match instruction.opcode() {
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    if gpu && !harmless_convention(instruction.call_conv()) {
                        instruction.set_call_conv(0);
                    }
                    instruction.strip_call_attributes(FUNCTION_INDEX, &|a| {
                        a.string_kind().is_some() || a.is("convergent") || a.is("noinline")
                    });
                    if gpu {
                        instruction.set_metadata(range, None);
                    }
                }
                Opcode::LLVMLoad if gpu => instruction.set_metadata(range, None),
                _ => {}
            }
            if instruction.is_atomic() {
                scopes.widen(instruction);
            }
        }
    }
}

/// C, fast and cold: what an x86 code generator knows and what callers and callees agree on already.
fn harmless_convention(convention: u32) -> bool {
    matches!(convention, 0 | 8 | 9)
}

fn strip_attributes(function: Value) {
    for attribute in function.attributes(FUNCTION_INDEX) {
        if attribute.string_kind().is_some() || LYING.iter().any(|name| attribute.is(name)) {
            function.remove_attribute(FUNCTION_INDEX, attribute);
        }
    }
    function.clear_gc();
}

fn drop_keep_alive(module: &Module<'_>) {
    for global in ir::globals(module) {
        let name = global.name();
        if KEEP_ALIVE.iter().any(|k| name.starts_with(k)) && global.users().is_empty() {
            global.erase_global();
        }
    }
}

/// Everything but the kernels and the variables that the host may look up becomes internal.
pub(crate) fn internalise(module: &Module<'_>, keep: &[Value]) {
    for function in ir::functions(module) {
        if !function.is_declaration() && !keep.contains(&function) {
            function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
}

/// Synchronisation scopes that GPU dialects name.
struct Scopes {
    /// Scopes within one work-group, whose items all run on one thread here.
    group: Vec<u32>,
    system: u32,
    single_thread: u32,
}

impl Scopes {
    fn new(session: &Session) -> Self {
        let group = ["workgroup", "workgroup-one-as", "wavefront", "wavefront-one-as", "subgroup", "block"]
            .map(|name| session.sync_scope(name))
            .to_vec();
        Self { group, system: session.sync_scope(""), single_thread: session.sync_scope("singlethread") }
    }

    /// x86 emits a fence only for system scope, so that device scope, which means other threads here, must
    /// become that. A fence within one group orders one thread with itself and goes.
    fn widen(&self, instruction: Value) {
        let scope = instruction.sync_scope();
        if scope == self.single_thread || scope == self.system {
            return;
        }
        if instruction.opcode() == Opcode::LLVMFence {
            if !self.group.contains(&scope) {
                Builder::before(instruction).fence_system();
            }
            instruction.erase_instruction();
        } else {
            instruction.set_sync_scope(self.system);
        }
    }
}
