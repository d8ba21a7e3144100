//! Phis become variables: one for each, read where it is used.
//!
//! LLVM's own `reg2mem` would make two of a phi whose value is used in other blocks, and copy between them
//! in every turn of a loop. With critical edges split, a phi's variable is written only in blocks that go
//! straight to the phi, so that wherever the phi's value is used the variable still holds it.

use super::item::Item;
use crate::ir::{Block, Builder, Value};

/// Replaces all phis of a function without critical edges.
pub(crate) fn demote(item: &Item) {
    let entry = item.function.blocks()[0];
    let phis: Vec<Value> = item.function.body().into_iter().filter(|i| i.is_phi()).collect();
    let variables: Vec<Value> =
        phis.iter().map(|phi| Builder::before(entry.instructions()[0]).alloca(phi.ty())).collect();
    // All of a block's values are computed, then stored: phis read one another's old values.
    for (phi, variable) in phis.iter().zip(&variables) {
        for (value, from) in phi.incoming() {
            if let Some(terminator) = from.terminator() {
                Builder::before(terminator).store(value, *variable);
            }
        }
    }
    for (phi, variable) in phis.iter().zip(&variables) {
        for user in phi.users().into_iter().filter(|u| !u.is_phi()) {
            let is_copy = phis.iter().zip(&variables).any(|(_, v)| user.is_store_to(*v));
            // A copy from one phi to another happens on an edge: its value is read before any is written.
            let at = if is_copy { first_copy(user.parent(), &variables) } else { user };
            let value = Builder::before(at).load(phi.ty(), *variable);
            for index in 0..user.operand_count() {
                if user.operand(index) == *phi {
                    user.set_operand(index, value);
                }
            }
        }
    }
    for phi in phis {
        // What is left are uses by other phis, which go too.
        phi.replace_all_uses(phi.ty().poison());
        phi.erase_instruction();
    }
}

/// The first store to a phi's variable in a block's run of them at its end.
fn first_copy(block: Block, variables: &[Value]) -> Value {
    let instructions = block.instructions();
    let mut first = instructions.len() - 1;
    for (index, instruction) in instructions.iter().enumerate().rev().skip(1) {
        if variables.iter().any(|v| instruction.is_store_to(*v)) {
            first = index;
        }
    }
    instructions[first]
}
