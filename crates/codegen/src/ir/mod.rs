//! A thin layer over LLVM's C interface: what inkwell does not offer, in Rust's clothes.
//!
//! [`Value`], [`Block`] and [`Type`] are plain copies of LLVM's pointers. The rule that makes their safe
//! methods sound is local to this crate and short:
//!
//! 1. A handle is only made from a live module (of [`Session`](crate::session::Session)) and never
//!    outlives the compile that made it, which is one function call on one thread.
//! 2. Whoever erases an object drops every handle of it in the same breath. Erasing goes through
//!    [`Value::erase_instruction`] and [`Value::erase_function`] and nowhere else.
//!
//! The handles are private to the crate, so no caller of the crate can break the rule.

mod block;
mod builder;
mod module;
mod types;
mod value;

pub(crate) use block::Block;
pub(crate) use builder::Builder;
pub(crate) use module::Functions;
pub(crate) use module::{
    aliases, function_metadata_numbers, functions, globals, has_ifuncs, has_module_asm, is_compiler_barrier,
    named_metadata, print_module, strip_casts,
};
pub(crate) use types::{Type, TypeKind};
pub(crate) use value::{FUNCTION_INDEX, Opcode, RETURN_INDEX, Value};

use inkwell::llvm_sys::core::LLVMDisposeMessage;
use std::ffi::{CStr, c_char};

/// Takes a message that LLVM allocated.
pub(crate) fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: not null, and LLVM hands over a NUL-terminated string that we dispose of once, below.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: allocated by LLVM, not used after this.
    unsafe { LLVMDisposeMessage(message) };
    text
}
