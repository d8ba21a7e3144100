//! Types.

use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;

/// What a type is.
pub(crate) type TypeKind = LLVMTypeKind;

/// A type of a live context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

// SAFETY (all blocks in this file): the handle is live by the rule in the module's head, and each call
// only reads an immutable type, guarded by its kind where the C function demands one.
impl Type {
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: see above.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// As LLVM prints it: `float`, `<4 x i32>`, `%struct.S = type { i32 }`.
    pub(crate) fn text(self) -> String {
        // SAFETY: see above.
        super::take_message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    pub(crate) fn address_space(self) -> Option<u32> {
        // SAFETY: the kind is checked first.
        (self.kind() == TypeKind::LLVMPointerTypeKind).then(|| unsafe { LLVMGetPointerAddressSpace(self.0) })
    }

    pub(crate) fn int_width(self) -> Option<u32> {
        // SAFETY: the kind is checked first.
        (self.kind() == TypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    /// For a function type: what it returns.
    pub(crate) fn return_type(self) -> Type {
        debug_assert!(self.kind() == TypeKind::LLVMFunctionTypeKind);
        // SAFETY: callers hold a function's type.
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    /// For a function type: its parameters.
    pub(crate) fn params(self) -> Vec<Type> {
        debug_assert!(self.kind() == TypeKind::LLVMFunctionTypeKind);
        // SAFETY: callers hold a function's type.
        let count = unsafe { LLVMCountParamTypes(self.0) } as usize;
        let mut types = vec![std::ptr::null_mut(); count];
        // SAFETY: the buffer has as many places as the type has parameters.
        unsafe { LLVMGetParamTypes(self.0, types.as_mut_ptr()) };
        types.into_iter().map(Type).collect()
    }

    pub(crate) fn is_var_arg(self) -> bool {
        // SAFETY: callers hold a function's type.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// True for a structure with a name of its own.
    pub(crate) fn is_named_struct(self) -> bool {
        // SAFETY: the kind is checked first.
        self.kind() == TypeKind::LLVMStructTypeKind && unsafe { LLVMIsLiteralStruct(self.0) } == 0
    }

    /// The types directly inside an aggregate or vector.
    pub(crate) fn contained(self) -> Vec<Type> {
        match self.kind() {
            TypeKind::LLVMStructTypeKind => {
                // SAFETY: the kind is checked, and opaque structures have no elements to count.
                let count = unsafe { LLVMCountStructElementTypes(self.0) };
                // SAFETY: each index is below the count.
                (0..count).map(|i| Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) })).collect()
            }
            TypeKind::LLVMArrayTypeKind
            | TypeKind::LLVMVectorTypeKind
            | TypeKind::LLVMScalableVectorTypeKind => {
                // SAFETY: the kind is checked.
                vec![Type(unsafe { LLVMGetElementType(self.0) })]
            }
            _ => Vec::new(),
        }
    }

    /// True where `test` holds for the type or for any type inside it.
    pub(crate) fn any(self, test: &dyn Fn(Type) -> bool) -> bool {
        test(self) || self.contained().into_iter().any(|t| t.any(test))
    }

    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: see above.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Elements of a vector.
    pub(crate) fn vector_len(self) -> Option<u32> {
        // SAFETY: the kind is checked first.
        (self.kind() == TypeKind::LLVMVectorTypeKind).then(|| unsafe { LLVMGetVectorSize(self.0) })
    }

    /// Elements of an array.
    pub(crate) fn array_len(self) -> Option<u64> {
        // SAFETY: the kind is checked first.
        (self.kind() == TypeKind::LLVMArrayTypeKind).then(|| unsafe { LLVMGetArrayLength2(self.0) })
    }

    pub(crate) fn poison(self) -> super::Value {
        // SAFETY: any first-class type has a poison value.
        super::Value(unsafe { LLVMGetPoison(self.0) })
    }

    pub(crate) fn const_int(self, value: u64) -> super::Value {
        debug_assert!(self.kind() == TypeKind::LLVMIntegerTypeKind);
        // SAFETY: an integer type, as every caller gives.
        super::Value(unsafe { LLVMConstInt(self.0, value, 0) })
    }
}
