//! Refuses, by name, what this device cannot run: before LLVM's code generator meets it and ends the process.

use std::cell::RefCell;
use std::collections::HashSet;

use inkwell::module::Module;
use oarlock_image::Dialect;

use crate::CompileError;
use crate::ir::{self, Opcode, Type, TypeKind, Value};

/// The widest integer that is compiled, in bits. Wider ones make the code generator run for minutes.
const MAX_INT_BITS: u32 = 256;
/// The longest vector that is compiled, in elements.
const MAX_VECTOR: u32 = 1024;
/// Address spaces up to this one mean something in the dialects that are understood.
const MAX_SPACE: u32 = 6;

/// The largest variable that is compiled, in bytes: the emitter writes out every byte of some.
const MAX_GLOBAL_BYTES: u64 = 1 << 30;

/// Checks a module that has been parsed and verified, before anything is changed.
pub(crate) fn check(module: &Module<'_>, dialect: Dialect, kernels: &[Value]) -> Result<(), CompileError> {
    let types = &Types::default();
    module_level(module, types)?;
    for kernel in kernels {
        kernel_shape(*kernel)?;
    }
    for function in ir::functions(module) {
        let place = || format!("function `{}`", function.name());
        let ty = function.value_type();
        for t in ty.params().into_iter().chain([ty.return_type()]) {
            types.check(t, &place)?;
        }
        if let Some(gc) = function.gc() {
            return Err(unsupported(format!("the garbage collector `{gc}`"), place(), "kernels have none"));
        }
        for instruction in function.body() {
            check_instruction(instruction, dialect, types, &place)?;
        }
    }
    Ok(())
}

fn unsupported(what: String, place: String, why: &'static str) -> CompileError {
    CompileError::Unsupported { what, place, why }
}

fn module_level(module: &Module<'_>, types: &Types) -> Result<(), CompileError> {
    let whole = || "the module".to_owned();
    if ir::has_module_asm(module) {
        return Err(unsupported(
            "module-level assembly".into(),
            whole(),
            "it was written for another machine",
        ));
    }
    if ir::has_ifuncs(module) {
        return Err(unsupported(
            "an ifunc".into(),
            whole(),
            "it needs a dynamic linker; define the function itself",
        ));
    }
    for global in ir::globals(module) {
        let place = || format!("global variable `{}`", global.name());
        if global.is_thread_local() {
            return Err(unsupported(
                "thread-local storage".into(),
                place(),
                "work-items are not threads; use group memory or a local variable",
            ));
        }
        types.check(global.value_type(), &place)?;
        types.check(global.ty(), &place)?;
        if bytes(global.value_type()) > MAX_GLOBAL_BYTES {
            return Err(unsupported(
                format!("a variable of type {}", global.value_type().text()),
                place(),
                "variables have at most 1 GiB; allocate memory and pass a pointer",
            ));
        }
    }
    for (alias, stands_for) in ir::aliases(module) {
        if !leads_to_an_object(stands_for) {
            return Err(unsupported(
                format!("an alias of {}", stands_for.text()),
                format!("alias `{}`", alias.name()),
                "it must stand for a function or variable of this module",
            ));
        }
    }
    Ok(())
}

/// Whether an alias' target is an object of the module, or a place in one.
fn leads_to_an_object(mut value: Value) -> bool {
    loop {
        value = ir::strip_casts(value);
        let place_in = value.is_constant_expr() && value.const_opcode() == Opcode::LLVMGetElementPtr;
        if !place_in {
            // Aliases of aliases are whole, too: each is on the list.
            return value.is_function() || value.is_global_variable() || value.is_alias();
        }
        value = value.operand(0);
    }
}

/// About how many bytes a value of the type has; layout adds little to that.
fn bytes(ty: Type) -> u64 {
    let each = |t: &Type| bytes(*t);
    match (ty.array_len(), ty.vector_len(), ty.int_width()) {
        (Some(len), ..) => ty.contained().first().map_or(0, each).saturating_mul(len),
        (_, Some(len), _) => ty.contained().first().map_or(0, each).saturating_mul(len.into()),
        (.., Some(bits)) => u64::from(bits.div_ceil(8)),
        _ if ty.kind() == TypeKind::LLVMStructTypeKind => {
            ty.contained().iter().map(each).fold(0, u64::saturating_add)
        }
        _ => 8,
    }
}

fn kernel_shape(kernel: Value) -> Result<(), CompileError> {
    let ty = kernel.value_type();
    let place = || format!("kernel `{}`", kernel.name());
    if !ty.return_type().is_void() {
        return Err(unsupported(
            "a return value".into(),
            place(),
            "kernels return void; write results to memory",
        ));
    }
    if ty.is_var_arg() {
        return Err(unsupported("a variable argument list".into(), place(), "kernels have a fixed one"));
    }
    for param in ty.params() {
        if param.is_named_struct() {
            return Err(unsupported(
                format!("a parameter of type {}", param.text()),
                place(),
                "pass structures by pointer with `byval`, as front ends do",
            ));
        }
        if !param.is_sized() || param.address_space().is_some_and(|s| s == 5) {
            return Err(unsupported(
                format!("a parameter of type {}", param.text()),
                place(),
                "a caller cannot give it a value",
            ));
        }
    }
    Ok(())
}

/// Types that have been found good: a module has few, and names them often. Without this, structures of
/// structures of structures would be looked at once for each way that leads to them.
#[derive(Default)]
struct Types(RefCell<HashSet<Type>>);

impl Types {
    fn check(&self, ty: Type, place: &dyn Fn() -> String) -> Result<(), CompileError> {
        match self.wrong(ty) {
            Some(why) => Err(unsupported(format!("type {}", ty.text()), place(), why)),
            None => Ok(()),
        }
    }

    fn wrong(&self, ty: Type) -> Option<&'static str> {
        if !self.0.borrow_mut().insert(ty) {
            return None;
        }
        self_wrong(ty).or_else(|| ty.contained().into_iter().find_map(|t| self.wrong(t)))
    }
}

/// What is wrong with the type itself, whatever is inside.
fn self_wrong(t: Type) -> Option<&'static str> {
    Some(match t.kind() {
        TypeKind::LLVMScalableVectorTypeKind => "scalable vectors have no fixed size here",
        TypeKind::LLVMTargetExtTypeKind => "the type belongs to another machine",
        TypeKind::LLVMX86_AMXTypeKind => "tile registers are not used by kernels",
        TypeKind::LLVMIntegerTypeKind if t.int_width() > Some(MAX_INT_BITS) => {
            "integers are at most 256 bits wide"
        }
        TypeKind::LLVMVectorTypeKind if t.vector_len() > Some(MAX_VECTOR) => {
            "vectors have at most 1024 elements"
        }
        TypeKind::LLVMPointerTypeKind if t.address_space() > Some(MAX_SPACE) => {
            "address spaces above 6 mean segment registers or buffers"
        }
        _ => return None,
    })
}

fn check_instruction(
    instruction: Value,
    dialect: Dialect,
    types: &Types,
    place: &dyn Fn() -> String,
) -> Result<(), CompileError> {
    types.check(instruction.ty(), place)?;
    // Constants have types that no instruction and no parameter need have.
    for operand in instruction.operands().into_iter().filter(|o| o.is_constant()) {
        types.check(operand.ty(), place)?;
    }
    match instruction.opcode() {
        Opcode::LLVMAlloca => types.check(instruction.allocated_type(), place)?,
        Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr => {
            let called = instruction.called();
            if called.is_inline_asm() && !ir::is_compiler_barrier(called) {
                return Err(unsupported(
                    "inline assembly".into(),
                    place(),
                    "it was written for another machine; use a built-in function",
                ));
            }
        }
        _ => {}
    }
    if dialect == Dialect::Amdgcn { check_narrow_pointers(instruction, place) } else { Ok(()) }
}

/// `amdgcn` gives pointers to group and private memory 4 bytes, this machine 8: where one lies in memory
/// or in an integer, sizes and offsets that the front end has folded already are wrong here.
fn check_narrow_pointers(instruction: Value, place: &dyn Fn() -> String) -> Result<(), CompileError> {
    let narrow = |t: Type| matches!(t.address_space(), Some(2 | 3 | 5 | 6));
    let why =
        "the program was compiled with 4-byte pointers there; keep such pointers in variables of their own";
    let refuse = |what: &str| Err(unsupported(what.into(), place(), why));
    match instruction.opcode() {
        Opcode::LLVMStore => {
            let (value, address) = (instruction.operand(0), instruction.operand(1));
            let own_slot = || {
                let base = ir::strip_casts(address);
                base.is_alloca() && base.allocated_type() == value.ty()
            };
            if narrow(value.ty()) && !own_slot() {
                return refuse("a stored pointer to group or private memory");
            }
        }
        Opcode::LLVMAlloca
            if !narrow(instruction.allocated_type()) && instruction.allocated_type().any(&narrow) =>
        {
            return refuse("an aggregate with a pointer to group or private memory");
        }
        Opcode::LLVMGetElementPtr if instruction.gep_source_type().any(&narrow) => {
            return refuse("an array or structure of pointers to group or private memory");
        }
        Opcode::LLVMPtrToInt
            if narrow(instruction.operand(0).ty()) && instruction.ty().int_width() <= Some(32) =>
        {
            return refuse("a 32-bit number made of a pointer to group or private memory");
        }
        _ => {}
    }
    Ok(())
}
