//! Basic blocks.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;

use super::Value;

/// A basic block of a live module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

// SAFETY (all blocks in this file): the handle is live by the rule in `ir`'s head.
impl Block {
    /// The instructions, in order. A snapshot: it stays valid while instructions are added or moved.
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut list = Vec::new();
        // SAFETY: see above.
        let mut next = unsafe { LLVMGetFirstInstruction(self.0) };
        while !next.is_null() {
            list.push(Value(next));
            // SAFETY: `next` is an instruction of this block.
            next = unsafe { LLVMGetNextInstruction(next) };
        }
        list
    }

    pub(crate) fn terminator(self) -> Option<Value> {
        // SAFETY: see above.
        let t = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!t.is_null()).then_some(Value(t))
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    /// A new, empty block in front of this one.
    pub(crate) fn insert_before(self, name: &std::ffi::CStr) -> Block {
        // SAFETY: the block has a parent function, whose context owns it.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(self.0)));
            Block(LLVMInsertBasicBlockInContext(context, self.0, name.as_ptr()))
        }
    }
}
