//! What is in a module.

use inkwell::llvm_sys::core::*;
use inkwell::module::Module;

use super::Value;

/// Functions by name, looked up once.
pub(crate) type Functions = std::collections::HashMap<String, Value>;

// SAFETY (all blocks in this file): the module is live, and lists are walked without changing them.

/// All functions, declarations too. A snapshot.
pub(crate) fn functions(module: &Module<'_>) -> Vec<Value> {
    let mut list = Vec::new();
    // SAFETY: see above.
    unsafe {
        let mut next = LLVMGetFirstFunction(module.as_mut_ptr());
        while !next.is_null() {
            list.push(Value(next));
            next = LLVMGetNextFunction(next);
        }
    }
    list
}

/// All global variables. A snapshot.
pub(crate) fn globals(module: &Module<'_>) -> Vec<Value> {
    let mut list = Vec::new();
    // SAFETY: see above.
    unsafe {
        let mut next = LLVMGetFirstGlobal(module.as_mut_ptr());
        while !next.is_null() {
            list.push(Value(next));
            next = LLVMGetNextGlobal(next);
        }
    }
    list
}

/// All aliases, and what each stands for. A snapshot.
pub(crate) fn aliases(module: &Module<'_>) -> Vec<(Value, Value)> {
    let mut list = Vec::new();
    // SAFETY: see above; every alias of a verified module stands for something.
    unsafe {
        let mut next = LLVMGetFirstGlobalAlias(module.as_mut_ptr());
        while !next.is_null() {
            list.push((Value(next), Value(LLVMAliasGetAliasee(next))));
            next = LLVMGetNextGlobalAlias(next);
        }
    }
    list
}

pub(crate) fn has_ifuncs(module: &Module<'_>) -> bool {
    // SAFETY: see above.
    unsafe { !LLVMGetFirstGlobalIFunc(module.as_mut_ptr()).is_null() }
}

/// The operands of a named metadata node, as values.
pub(crate) fn named_metadata(module: &Module<'_>, name: &std::ffi::CStr) -> Vec<Value> {
    // SAFETY: the buffer is as long as the count says.
    unsafe {
        let count = LLVMGetNamedMetadataNumOperands(module.as_mut_ptr(), name.as_ptr()) as usize;
        let mut list = vec![std::ptr::null_mut(); count];
        LLVMGetNamedMetadataOperands(module.as_mut_ptr(), name.as_ptr(), list.as_mut_ptr());
        list.into_iter().map(Value).collect()
    }
}

/// The module as text.
pub(crate) fn print_module(module: &Module<'_>) -> String {
    // SAFETY: see above.
    super::take_message(unsafe { LLVMPrintModuleToString(module.as_mut_ptr()) })
}

pub(crate) fn has_module_asm(module: &Module<'_>) -> bool {
    let mut len = 0;
    // SAFETY: see above; only the length is read.
    unsafe { LLVMGetModuleInlineAsm(module.as_mut_ptr(), &mut len) };
    len != 0
}

/// True for `asm volatile("" ::: "memory")`: no instruction, only clobbers.
pub(crate) fn is_compiler_barrier(asm: Value) -> bool {
    let text = |get: unsafe extern "C" fn(_, *mut usize) -> *const std::ffi::c_char| {
        let mut len = 0;
        // SAFETY: `asm` is inline assembly, as the caller has checked; the string is copied at once.
        unsafe {
            let start = get(asm.0, &mut len);
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast(), len)).into_owned()
        }
    };
    text(LLVMGetInlineAsmAsmString).is_empty()
        && text(LLVMGetInlineAsmConstraintString).split(',').all(|c| c.is_empty() || c.starts_with("~{"))
}

/// The pointer below address-space and bit casts.
pub(crate) fn strip_casts(mut value: Value) -> Value {
    use super::Opcode;
    loop {
        let opcode = if value.is_instruction() {
            value.opcode()
        } else if value.is_constant_expr() {
            value.const_opcode()
        } else {
            return value;
        };
        if !matches!(opcode, Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast) {
            return value;
        }
        value = value.operand(0);
    }
}

/// The numbers of a function's metadata node, such as `!reqd_work_group_size !{i32 8, i32 8, i32 1}`.
pub(crate) fn function_metadata_numbers(function: Value, kind: u32) -> Vec<u64> {
    let mut numbers = Vec::new();
    // SAFETY: a live function; the entries are disposed of below, node operands are counted first.
    unsafe {
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(function.0, &mut count);
        for i in 0..count as u32 {
            if LLVMValueMetadataEntriesGetKind(entries, i) != kind {
                continue;
            }
            let context = LLVMGetTypeContext(LLVMTypeOf(function.0));
            let node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            numbers =
                operands.into_iter().filter(|o| !o.is_null()).filter_map(|o| Value(o).const_u64()).collect();
        }
        LLVMDisposeValueMetadataEntries(entries);
    }
    numbers
}
