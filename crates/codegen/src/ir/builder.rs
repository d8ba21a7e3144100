//! An instruction builder.

use std::ffi::CStr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;

use super::{Block, Opcode, Type, Value};

const NO_NAME: &CStr = c"";

/// Inserts instructions; disposed of on drop.
pub(crate) struct Builder(LLVMBuilderRef);

// SAFETY (all blocks in this file): the builder is live until dropped; blocks and values are live by the
// rule in `ir`'s head and of the builder's context; types match where callers built or read them.
impl Builder {
    /// At the end of `block`.
    pub(crate) fn at_end(block: Block) -> Self {
        // SAFETY: see above.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block.0)));
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block.0);
            Self(builder)
        }
    }

    /// In front of `instruction`.
    pub(crate) fn before(instruction: Value) -> Self {
        let builder = Self::at_end(instruction.parent());
        // SAFETY: see above.
        unsafe { LLVMPositionBuilderBefore(builder.0, instruction.0) };
        builder
    }

    /// Inserts an instruction that is in no block.
    pub(crate) fn insert(&self, instruction: Value) {
        // SAFETY: see above.
        unsafe { LLVMInsertIntoBuilder(self.0, instruction.0) };
    }

    pub(crate) fn br(&self, to: Block) -> Value {
        // SAFETY: see above.
        Value(unsafe { LLVMBuildBr(self.0, to.0) })
    }

    pub(crate) fn ret(&self, value: Value) {
        // SAFETY: see above.
        unsafe { LLVMBuildRet(self.0, value.0) };
    }

    pub(crate) fn switch(&self, on: Value, default: Block, cases: &[(Value, Block)]) {
        // SAFETY: see above.
        unsafe {
            let switch = LLVMBuildSwitch(self.0, on.0, default.0, cases.len() as u32);
            for (value, block) in cases {
                LLVMAddCase(switch, value.0, block.0);
            }
        }
    }

    /// `base` plus `bytes`, in bounds.
    pub(crate) fn byte_offset(&self, byte: Type, base: Value, bytes: Value) -> Value {
        let mut index = [bytes.0];
        // SAFETY: one index, an integer; `byte` is i8.
        Value(unsafe {
            LLVMBuildInBoundsGEP2(self.0, byte.0, base.0, index.as_mut_ptr(), 1, NO_NAME.as_ptr())
        })
    }

    pub(crate) fn gep(&self, source: Type, base: Value, indices: &[Value]) -> Value {
        let mut raw: Vec<_> = indices.iter().map(|v| v.0).collect();
        // SAFETY: indices as a valid getelementptr had them.
        Value(unsafe {
            LLVMBuildGEP2(self.0, source.0, base.0, raw.as_mut_ptr(), raw.len() as u32, NO_NAME.as_ptr())
        })
    }

    pub(crate) fn alloca(&self, ty: Type) -> Value {
        // SAFETY: a sized type: that of a value.
        Value(unsafe { LLVMBuildAlloca(self.0, ty.0, NO_NAME.as_ptr()) })
    }

    pub(crate) fn store(&self, value: Value, address: Value) {
        // SAFETY: `address` is a pointer.
        unsafe { LLVMBuildStore(self.0, value.0, address.0) };
    }

    pub(crate) fn load(&self, ty: Type, address: Value) -> Value {
        // SAFETY: `address` is a pointer.
        Value(unsafe { LLVMBuildLoad2(self.0, ty.0, address.0, NO_NAME.as_ptr()) })
    }

    pub(crate) fn multiply(&self, left: Value, right: Value) -> Value {
        // SAFETY: integers of one type.
        Value(unsafe { LLVMBuildNUWMul(self.0, left.0, right.0, NO_NAME.as_ptr()) })
    }

    pub(crate) fn cast(&self, opcode: Opcode, value: Value, to: Type) -> Value {
        // SAFETY: a cast that the IR had already, or one between pointers.
        Value(unsafe { LLVMBuildCast(self.0, opcode, value.0, to.0, NO_NAME.as_ptr()) })
    }

    pub(crate) fn address_space_cast(&self, value: Value, to: Type) -> Value {
        if value.ty() == to {
            return value;
        }
        // SAFETY: both are pointers.
        Value(unsafe { LLVMBuildAddrSpaceCast(self.0, value.0, to.0, NO_NAME.as_ptr()) })
    }

    pub(crate) fn binary(&self, opcode: Opcode, left: Value, right: Value) -> Value {
        // SAFETY: operands of one type, as the IR had them.
        Value(unsafe { LLVMBuildBinOp(self.0, opcode, left.0, right.0, NO_NAME.as_ptr()) })
    }

    /// An operation that wraps in no sense (`signed`: as signed numbers).
    pub(crate) fn binary_no_wrap(&self, opcode: Opcode, left: Value, right: Value, signed: bool) -> Value {
        let value = self.binary(opcode, left, right);
        // A constant has folded, and has no flags.
        if value.is_instruction() {
            // SAFETY: an addition, subtraction or multiplication just built.
            unsafe { if signed { LLVMSetNSW(value.0, 1) } else { LLVMSetNUW(value.0, 1) } };
        }
        value
    }

    pub(crate) fn fence_system(&self) {
        // SAFETY: a sequentially consistent fence, not single-thread.
        unsafe {
            LLVMBuildFence(
                self.0,
                inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent,
                0,
                NO_NAME.as_ptr(),
            )
        };
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: made by us, dropped once.
        unsafe { LLVMDisposeBuilder(self.0) };
    }
}
