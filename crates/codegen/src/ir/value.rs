//! Values: instructions, functions, globals, constants, parameters.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAttributeIndex, LLVMLinkage, LLVMOpcode, LLVMUnnamedAddr, LLVMVisibility};

use super::{Block, Type};

/// An instruction's opcode.
pub(crate) type Opcode = LLVMOpcode;

/// The attribute index of a function itself.
pub(crate) const FUNCTION_INDEX: LLVMAttributeIndex = u32::MAX;
/// The attribute index of a function's return value.
pub(crate) const RETURN_INDEX: LLVMAttributeIndex = 0;

/// A value of a live module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

macro_rules! is_a {
    ($($(#[$doc:meta])* $name:ident => $test:ident;)*) => {
        impl Value {$(
            $(#[$doc])*
            pub(crate) fn $name(self) -> bool {
                // SAFETY: the handle is live; the test accepts any value.
                unsafe { !$test(self.0).is_null() }
            }
        )*}
    };
}
is_a! {
    is_function => LLVMIsAFunction;
    is_instruction => LLVMIsAInstruction;
    is_argument => LLVMIsAArgument;
    is_call => LLVMIsACallInst;
    is_alloca => LLVMIsAAllocaInst;
    is_phi => LLVMIsAPHINode;
    is_global_variable => LLVMIsAGlobalVariable;
    is_alias => LLVMIsAGlobalAlias;
    is_constant => LLVMIsAConstant;
    is_constant_expr => LLVMIsAConstantExpr;
    is_constant_int => LLVMIsAConstantInt;
    is_inline_asm => LLVMIsAInlineAsm;
    is_invoke => LLVMIsAInvokeInst;
    is_callbr => LLVMIsACallBrInst;
    is_indirect_br => LLVMIsAIndirectBrInst;
}

// SAFETY (all blocks in this file): the handle is live by the rule in `ir`'s head; where a C function
// demands a kind of value, the method's callers or the line above it have made sure of the kind.
impl Value {
    pub(crate) fn ty(self) -> Type {
        // SAFETY: any value has a type.
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub(crate) fn name(self) -> String {
        let mut len = 0;
        // SAFETY: any value has a (possibly empty) name of `len` bytes, copied at once.
        unsafe {
            let text = LLVMGetValueName2(self.0, &mut len);
            if text.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), len)).into_owned()
        }
    }

    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: LLVM copies `name.len()` bytes.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) };
    }

    pub(crate) fn text(self) -> String {
        // SAFETY: any value prints.
        super::take_message(unsafe { LLVMPrintValueToString(self.0) })
    }

    /// The users of this value, one entry for each use.
    pub(crate) fn users(self) -> Vec<Value> {
        let mut list = Vec::new();
        // SAFETY: uses are walked without changing them.
        unsafe {
            let mut next = LLVMGetFirstUse(self.0);
            while !next.is_null() {
                list.push(Value(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        list
    }

    pub(crate) fn replace_all_uses(self, with: Value) {
        debug_assert!(self.ty() == with.ty());
        // SAFETY: both live and of one type.
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) };
    }

    // Operands.

    pub(crate) fn operand_count(self) -> u32 {
        // SAFETY: for a user (instruction or constant) its operands; callers give users.
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        debug_assert!(index < self.operand_count());
        // SAFETY: the index is below the count.
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub(crate) fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn set_operand(self, index: u32, value: Value) {
        debug_assert!(self.operand(index).ty() == value.ty());
        // SAFETY: the index is below the count, and the type stays.
        unsafe { LLVMSetOperand(self.0, index, value.0) };
    }

    pub(crate) fn const_u64(self) -> Option<u64> {
        // SAFETY: the kind and width are checked first.
        (self.is_constant_int() && self.ty().int_width().is_some_and(|w| w <= 64))
            .then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    /// A constant expression's opcode.
    pub(crate) fn const_opcode(self) -> Opcode {
        // SAFETY: callers have checked `is_constant_expr`.
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    // Instructions.

    pub(crate) fn opcode(self) -> Opcode {
        // SAFETY: callers give instructions.
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub(crate) fn parent(self) -> Block {
        // SAFETY: an instruction in a block.
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn erase_instruction(self) {
        // SAFETY: an instruction without uses; the handle is not used again.
        unsafe { LLVMInstructionEraseFromParent(self.0) };
    }

    pub(crate) fn remove_from_block(self) {
        // SAFETY: an instruction in a block; the caller inserts it elsewhere.
        unsafe { LLVMInstructionRemoveFromParent(self.0) };
    }

    /// A copy of an instruction, in no block yet.
    pub(crate) fn clone_instruction(self) -> Value {
        // SAFETY: an instruction.
        Value(unsafe { LLVMInstructionClone(self.0) })
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        // SAFETY: a terminator; each index is below the count.
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect() }
    }

    pub(crate) fn set_successor(self, index: usize, block: Block) {
        // SAFETY: a terminator; callers take the index from `successors`.
        unsafe { LLVMSetSuccessor(self.0, index as u32, block.0) };
    }

    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        // SAFETY: a phi; each index is below the count.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }

    pub(crate) fn allocated_type(self) -> Type {
        // SAFETY: an alloca, as callers have checked.
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub(crate) fn gep_source_type(self) -> Type {
        // SAFETY: a getelementptr, instruction or constant.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// Loads, stores and atomics.
    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: a load, store or atomic, as callers have checked.
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    pub(crate) fn is_atomic(self) -> bool {
        // SAFETY: any instruction.
        unsafe { LLVMIsAtomic(self.0) != 0 }
    }

    /// Neither as a signed nor as an unsigned number.
    pub(crate) fn set_no_wrap(self) {
        // SAFETY: an addition, subtraction or multiplication, as callers have checked.
        unsafe {
            LLVMSetNSW(self.0, 1);
            LLVMSetNUW(self.0, 1);
        }
    }

    pub(crate) fn has_nsw(self) -> bool {
        // SAFETY: an addition, subtraction or multiplication, as callers have checked.
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub(crate) fn has_nuw(self) -> bool {
        // SAFETY: an addition, subtraction or multiplication, as callers have checked.
        unsafe { LLVMGetNUW(self.0) != 0 }
    }

    pub(crate) fn is_store_to(self, address: Value) -> bool {
        self.is_instruction() && self.opcode() == Opcode::LLVMStore && self.operand(1) == address
    }

    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: a global, alloca, load or store.
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub(crate) fn set_alignment(self, align: u32) {
        // SAFETY: a global, alloca, load or store; `align` is a power of two.
        unsafe { LLVMSetAlignment(self.0, align) };
    }

    pub(crate) fn sync_scope(self) -> u32 {
        // SAFETY: an atomic instruction.
        unsafe { LLVMGetAtomicSyncScopeID(self.0) }
    }

    pub(crate) fn set_sync_scope(self, scope: u32) {
        // SAFETY: an atomic instruction; the scope is the context's.
        unsafe { LLVMSetAtomicSyncScopeID(self.0, scope) };
    }

    /// Attaches metadata (`node` a metadata value of the same context), or removes it.
    pub(crate) fn set_metadata(self, kind: u32, node: Option<Value>) {
        let node = node.map_or(std::ptr::null_mut(), |n| n.0);
        // SAFETY: an instruction; null removes.
        unsafe { LLVMSetMetadata(self.0, kind, node) };
    }

    // Calls.

    pub(crate) fn called(self) -> Value {
        // SAFETY: a call-like instruction.
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub(crate) fn call_argument_count(self) -> u32 {
        // SAFETY: a call-like instruction.
        unsafe { LLVMGetNumArgOperands(self.0) }
    }

    pub(crate) fn call_conv(self) -> u32 {
        // SAFETY: a call-like instruction.
        unsafe { LLVMGetInstructionCallConv(self.0) }
    }

    pub(crate) fn set_call_conv(self, conv: u32) {
        // SAFETY: a call-like instruction.
        unsafe { LLVMSetInstructionCallConv(self.0, conv) };
    }

    /// Removes every attribute at `index` of a call that `drop` says to.
    pub(crate) fn strip_call_attributes(self, index: u32, drop: &dyn Fn(Attribute) -> bool) {
        // SAFETY: a call-like instruction; the buffer is as long as the count says.
        let list = unsafe {
            let count = LLVMGetCallSiteAttributeCount(self.0, index) as usize;
            let mut list = vec![std::ptr::null_mut(); count];
            LLVMGetCallSiteAttributes(self.0, index, list.as_mut_ptr());
            list
        };
        for attribute in list.into_iter().map(Attribute) {
            if drop(attribute) {
                // SAFETY: the call-site variants, for an attribute that is there.
                unsafe {
                    match attribute.string_kind() {
                        Some(kind) => LLVMRemoveCallSiteStringAttribute(
                            self.0,
                            index,
                            kind.as_ptr().cast(),
                            kind.len() as u32,
                        ),
                        None => LLVMRemoveCallSiteEnumAttribute(self.0, index, attribute.kind_id()),
                    }
                }
            }
        }
    }

    // Functions and globals.

    /// A function's own type, or a global variable's contents' type.
    pub(crate) fn value_type(self) -> Type {
        // SAFETY: a global value.
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        // SAFETY: a global value.
        unsafe { LLVMGetLinkage(self.0) }
    }

    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        // SAFETY: a global value.
        unsafe { LLVMSetLinkage(self.0, linkage) };
    }

    pub(crate) fn is_internal(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// Default visibility, no section, address significant again: what a host object wants.
    pub(crate) fn reset_visibility(self) {
        // SAFETY: a global value.
        unsafe {
            LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility);
            LLVMSetUnnamedAddress(self.0, LLVMUnnamedAddr::LLVMNoUnnamedAddr);
        }
    }

    pub(crate) fn section(self) -> String {
        // SAFETY: a global object; LLVM's string is copied at once.
        unsafe {
            let text = LLVMGetSection(self.0);
            if text.is_null() {
                return String::new();
            }
            std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }

    pub(crate) fn clear_section(self) {
        // SAFETY: a global object; an empty section is none.
        unsafe { LLVMSetSection(self.0, c"".as_ptr()) };
    }

    pub(crate) fn clear_gc(self) {
        // SAFETY: a function; null clears.
        unsafe { LLVMSetGC(self.0, std::ptr::null()) };
    }

    pub(crate) fn gc(self) -> Option<String> {
        // SAFETY: a function; LLVM's string is copied at once.
        unsafe {
            let text = LLVMGetGC(self.0);
            (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: a global variable.
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub(crate) fn function_call_conv(self) -> u32 {
        // SAFETY: a function.
        unsafe { LLVMGetFunctionCallConv(self.0) }
    }

    pub(crate) fn set_function_call_conv(self, conv: u32) {
        // SAFETY: a function.
        unsafe { LLVMSetFunctionCallConv(self.0, conv) };
    }

    pub(crate) fn params(self) -> Vec<Value> {
        // SAFETY: a function; the buffer is as long as the count says.
        unsafe {
            let mut list = vec![std::ptr::null_mut(); LLVMCountParams(self.0) as usize];
            LLVMGetParams(self.0, list.as_mut_ptr());
            list.into_iter().map(Value).collect()
        }
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        // SAFETY: a function; the buffer is as long as the count says.
        unsafe {
            let mut list = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(self.0) as usize];
            LLVMGetBasicBlocks(self.0, list.as_mut_ptr());
            list.into_iter().map(Block).collect()
        }
    }

    /// All instructions of a function, block after block. A snapshot.
    pub(crate) fn body(self) -> Vec<Value> {
        self.blocks().into_iter().flat_map(Block::instructions).collect()
    }

    /// The function that a block's instruction is in.
    pub(crate) fn enclosing_function(self) -> Value {
        // SAFETY: an instruction in a block in a function.
        unsafe { Value(LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.0))) }
    }

    pub(crate) fn erase_function(self) {
        debug_assert!(self.users().is_empty());
        // SAFETY: a function without uses; the handle is not used again.
        unsafe { LLVMDeleteFunction(self.0) };
    }

    pub(crate) fn erase_global(self) {
        debug_assert!(self.users().is_empty());
        // SAFETY: a global variable without uses; the handle is not used again.
        unsafe { LLVMDeleteGlobal(self.0) };
    }

    pub(crate) fn attributes(self, index: u32) -> Vec<Attribute> {
        // SAFETY: a function; the buffer is as long as the count says.
        unsafe {
            let mut list = vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(self.0, index) as usize];
            LLVMGetAttributesAtIndex(self.0, index, list.as_mut_ptr());
            list.into_iter().map(Attribute).collect()
        }
    }

    pub(crate) fn remove_attribute(self, index: u32, attribute: Attribute) {
        // SAFETY: a function, and an attribute that it has at `index`.
        unsafe {
            match attribute.string_kind() {
                Some(kind) => {
                    LLVMRemoveStringAttributeAtIndex(self.0, index, kind.as_ptr().cast(), kind.len() as u32)
                }
                None => LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute.kind_id()),
            }
        }
    }

    /// Adds an attribute without a value, such as `alwaysinline`, to a function.
    pub(crate) fn add_enum_attribute(self, index: u32, name: &str) {
        // SAFETY: a function of the context that the attribute is made in.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            LLVMAddAttributeAtIndex(self.0, index, LLVMCreateEnumAttribute(context, kind, 0));
        }
    }
}

/// An attribute of a function, parameter or call.
#[derive(Clone, Copy)]
pub(crate) struct Attribute(LLVMAttributeRef);

impl Attribute {
    /// The numeric kind of an attribute that is not a string.
    pub(crate) fn kind_id(self) -> u32 {
        // SAFETY: callers have seen that it is no string attribute.
        unsafe { LLVMGetEnumAttributeKind(self.0) }
    }

    /// True for the attribute called `name` in LLVM's language reference.
    pub(crate) fn is(self, name: &str) -> bool {
        // SAFETY: a live attribute; the name's length is given.
        self.string_kind().is_none()
            && unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) } == self.kind_id()
    }

    pub(crate) fn string_kind(self) -> Option<String> {
        // SAFETY: the kind is checked before the string is read, and it is copied at once.
        unsafe {
            if LLVMIsStringAttribute(self.0) == 0 {
                return None;
            }
            let mut len = 0;
            let text = LLVMGetStringAttributeKind(self.0, &mut len);
            Some(String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), len as usize)).into_owned())
        }
    }

    /// A string attribute's value.
    pub(crate) fn string_value(self) -> String {
        self.string_kind().map_or_else(String::new, |_| {
            let mut len = 0;
            // SAFETY: a string attribute; its value is copied at once.
            unsafe {
                let text = LLVMGetStringAttributeValue(self.0, &mut len);
                String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), len as usize)).into_owned()
            }
        })
    }

    /// The type of a type attribute such as `byval(T)`.
    pub(crate) fn type_value(self) -> Option<Type> {
        // SAFETY: the kind is checked before the type is read.
        unsafe { (LLVMIsTypeAttribute(self.0) != 0).then(|| Type(LLVMGetTypeAttributeValue(self.0))) }
    }

    /// The number of an integer attribute such as `align 8`.
    pub(crate) fn int_value(self) -> u64 {
        // SAFETY: callers have seen an integer attribute by `is`.
        unsafe { LLVMGetEnumAttributeValue(self.0) }
    }
}
