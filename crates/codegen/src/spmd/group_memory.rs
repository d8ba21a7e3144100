//! Variables in group memory become places in the memory that the executor gives each group.

use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use oarlock_image::{Dialect, Kernel, abi};

use super::item::Item;
use super::params::global_size_align;
use crate::CompileError;
use crate::ir::{self, Builder, Opcode, Value};
use crate::session::Session;

/// Replaces the group variables that `item` uses and records their size in `kernel`.
///
/// A variable without a definition (`extern` in C, `[0 x T]` in IR) is the launch's dynamic group memory.
pub(crate) fn place(
    session: &Session,
    module: &Module<'_>,
    item: &Item,
    kernel: &mut Kernel,
    dialect: Dialect,
    machine: &TargetMachine,
) -> Result<(), CompileError> {
    let data = machine.get_target_data();
    let entry = item.function.blocks()[0];
    // GPU dialects ask for dynamic memory by an undefined variable, the native one by a function too.
    kernel.uses_dynamic_group = dialect == Dialect::Native && !item.group_memory().users().is_empty();
    let mut places: Vec<(Value, Value)> = Vec::new();
    let mut size: u64 = 0;
    for global in ir::globals(module) {
        if global.ty().address_space() != Some(3) || !used_in(global, item.function, kernel)? {
            continue;
        }
        // LLVM's `[0 x T]` with a definition is dynamic memory too: that is how some front ends write it.
        let (bytes, align) = global_size_align(global, &data);
        let builder = Builder::before(entry.instructions()[0]);
        let (byte, word) = (session.int_type(8), session.int_type(64));
        let offset = if global.is_declaration() || bytes == 0 {
            kernel.uses_dynamic_group = true;
            let field = word.const_int(u64::from(abi::offsets::DYNAMIC_GROUP));
            let address = builder.byte_offset(byte, item.frame(), field);
            builder.load(word, address)
        } else {
            size = size.next_multiple_of(u64::from(align));
            let offset = size;
            size += bytes;
            word.const_int(offset)
        };
        let address = builder.byte_offset(byte, item.group_memory(), offset);
        places.push((global, builder.address_space_cast(address, global.ty())));
    }
    if size > u64::from(MAX_STATIC) {
        return Err(CompileError::Unsupported {
            what: format!("{size} bytes of group memory"),
            place: format!("kernel `{}`", kernel.name),
            why: "no device has that much; use global memory",
        });
    }
    kernel.group_bytes = size as u32;
    if places.is_empty() {
        return Ok(());
    }
    for instruction in item.function.body() {
        for index in 0..instruction.operand_count() {
            let operand = instruction.operand(index);
            if !places.iter().any(|(g, _)| mentions(operand, *g)) {
                continue;
            }
            // A phi's operand is computed where it comes from.
            let at = if instruction.is_phi() {
                instruction.incoming()[index as usize].1.terminator().unwrap_or(instruction)
            } else {
                instruction
            };
            let value = expand(operand, &places, &Builder::before(at), kernel)?;
            instruction.set_operand(index, value);
        }
    }
    Ok(())
}

const MAX_STATIC: u32 = 1 << 30;

fn used_in(value: Value, function: Value, kernel: &Kernel) -> Result<bool, CompileError> {
    let mut used = false;
    for user in value.users() {
        if user.is_instruction() {
            used |= user.enclosing_function() == function;
        } else if user.is_global_variable() {
            return Err(CompileError::Unsupported {
                what: "the address of a group variable".into(),
                place: format!("the initial value of `{}` (kernel `{}`)", user.name(), kernel.name),
                why: "group memory has another address in every group; take the address in the kernel",
            });
        } else {
            used |= used_in(user, function, kernel)?;
        }
    }
    Ok(used)
}

fn mentions(operand: Value, global: Value) -> bool {
    operand == global
        || (operand.is_constant()
            && !operand.is_function()
            && !operand.is_global_variable()
            && operand.operands().into_iter().any(|o| mentions(o, global)))
}

/// Builds the instructions that compute a constant which mentions a group variable.
fn expand(
    constant: Value,
    places: &[(Value, Value)],
    builder: &Builder,
    kernel: &Kernel,
) -> Result<Value, CompileError> {
    if let Some((_, place)) = places.iter().find(|(g, _)| *g == constant) {
        return Ok(*place);
    }
    if !places.iter().any(|(g, _)| mentions(constant, *g)) {
        return Ok(constant);
    }
    let refuse = || CompileError::Unsupported {
        what: format!("the constant {}", constant.text()),
        place: format!("kernel `{}`", kernel.name),
        why: "group memory has another address in every group; compute the value in the kernel",
    };
    if !constant.is_constant_expr() {
        return Err(refuse());
    }
    let operands = constant
        .operands()
        .into_iter()
        .map(|o| expand(o, places, builder, kernel))
        .collect::<Result<Vec<_>, _>>()?;
    match (constant.const_opcode(), operands.as_slice()) {
        (Opcode::LLVMGetElementPtr, [base, indices @ ..]) => {
            Ok(builder.gep(constant.gep_source_type(), *base, indices))
        }
        (
            opcode @ (Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc),
            &[value],
        ) => Ok(builder.cast(opcode, value, constant.ty())),
        (opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMXor), &[a, b]) => {
            Ok(builder.binary(opcode, a, b))
        }
        _ => Err(refuse()),
    }
}
