//! Tells LLVM which memory accesses of different items cannot conflict.
//!
//! Between barriers, two items of a group may not touch the same memory unless both only read or both use
//! atomics: anything else is a race, and undefined in every dialect. So the loop over items carries no
//! dependence through plain accesses. The exception is of our making: a private variable that stays in
//! memory is *one* stack slot that all items use in turn.

use inkwell::module::Module;

use super::driver::ACCESS_GROUPS;
use crate::ir::{self, Opcode, Value};
use crate::session::Session;

/// Puts the plain accesses of each item function into its kernel's access group.
pub(crate) fn mark(session: &Session, module: &Module<'_>, items: &[Value]) {
    let kind = session.metadata_kind("llvm.access.group");
    for (item, group) in items.iter().zip(ir::named_metadata(module, ACCESS_GROUPS)) {
        let body = item.body();
        let has_private = body.iter().any(|i| i.is_alloca());
        for access in body {
            let address = match access.opcode() {
                Opcode::LLVMLoad => access.operand(0),
                Opcode::LLVMStore => access.operand(1),
                // LLVM calls a loop parallel only if all that touches memory says so, and by its
                // declaration this one does.
                Opcode::LLVMCall if is_marker(access) => {
                    access.set_metadata(kind, Some(group));
                    continue;
                }
                _ => continue,
            };
            if access.is_volatile() || access.is_atomic() {
                continue;
            }
            if !has_private || !may_be_private(address) {
                access.set_metadata(kind, Some(group));
            }
        }
    }
}

/// Intrinsics that only carry information for the optimiser.
fn is_marker(call: Value) -> bool {
    let name = call.called().name();
    ["llvm.experimental.noalias.scope.decl", "llvm.assume", "llvm.lifetime."]
        .iter()
        .any(|p| name.starts_with(p))
}

/// False where the address surely comes from an argument or a global variable.
fn may_be_private(address: Value) -> bool {
    let mut value = address;
    loop {
        value = ir::strip_casts(value);
        let is_gep = if value.is_instruction() {
            value.opcode() == Opcode::LLVMGetElementPtr
        } else if value.is_constant_expr() {
            value.const_opcode() == Opcode::LLVMGetElementPtr
        } else {
            return !(value.is_argument() || value.is_global_variable());
        };
        if !is_gep {
            return true;
        }
        value = value.operand(0);
    }
}
