//! Index arithmetic in 32 bits becomes arithmetic in 64 bits where it may not wrap.
//!
//! `sext(a + b)` with `nsw` is `sext(a) + sext(b)`. In that form the loop optimiser sees that an address grows
//! by one element per item, and needs neither a check at run time nor a scalar copy of the loop for when the
//! check fails.

use super::item::Item;
use crate::ir::{Builder, Opcode, Value};

/// How many operations of one index are widened.
const DEPTH: u32 = 6;

/// Widens the operands of every extension to 64 bits in the function.
pub(crate) fn indices(item: &Item) {
    for extension in item.function.body() {
        let opcode = extension.opcode();
        if !matches!(opcode, Opcode::LLVMSExt | Opcode::LLVMZExt)
            || extension.ty().int_width() != Some(64)
            || !may_distribute(opcode, extension.operand(0))
        {
            continue;
        }
        let wide = widen(opcode, extension.operand(0), extension, DEPTH);
        extension.replace_all_uses(wide);
        extension.erase_instruction();
    }
}

/// Says of `group * size + local`, which front ends for GPUs compute in 32 bits, that it does not wrap: a
/// launch has fewer than 2^31 items in a dimension, which the device checks.
pub(crate) fn mark_global_ids(item: &Item) {
    for product in item.function.body() {
        if product.opcode() != Opcode::LLVMMul {
            continue;
        }
        let (a, b) = (product.operand(0), product.operand(1));
        let axis = (0..3).find(|&n| {
            let [_, group, size] = item.numbers_of(n);
            (a, b) == (group, size) || (a, b) == (size, group)
        });
        let Some(axis) = axis else { continue };
        product.set_no_wrap();
        let [local, ..] = item.numbers_of(axis);
        for sum in product.users() {
            if sum.is_instruction() && sum.opcode() == Opcode::LLVMAdd && sum.operands().contains(&local) {
                sum.set_no_wrap();
            }
        }
    }
}

/// True for an operation whose extension is the operation on its operands' extensions.
fn may_distribute(extension: Opcode, value: Value) -> bool {
    value.is_instruction()
        && matches!(value.opcode(), Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul)
        && if extension == Opcode::LLVMSExt { value.has_nsw() } else { value.has_nuw() }
}

fn widen(extension: Opcode, value: Value, at: Value, depth: u32) -> Value {
    let builder = Builder::before(at);
    if depth > 0 && may_distribute(extension, value) {
        let left = widen(extension, value.operand(0), at, depth - 1);
        let right = widen(extension, value.operand(1), at, depth - 1);
        return builder.binary_no_wrap(value.opcode(), left, right, extension == Opcode::LLVMSExt);
    }
    builder.cast(extension, value, at.ty())
}
