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
