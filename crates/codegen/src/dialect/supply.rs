//! Gives every built-in function that a module declares a body.

use inkwell::module::Module;
use oarlock_image::Dialect;

use super::{atomics, ids, mangled, math, placeholder};
use crate::CompileError;
use crate::ir::{self, FUNCTION_INDEX, Functions, RETURN_INDEX, Value};
use crate::session::Session;

/// A built-in function as its declaration shows it.
pub(crate) struct Signature {
    /// The name in the module.
    pub(crate) name: String,
    /// The return type as text.
    pub(crate) ret: String,
    /// The parameter types as text.
    pub(crate) params: Vec<String>,
}

/// A body for a built-in: the text between the braces, parameters `%0`, `%1`, ..., and the declarations
/// that it needs.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) text: String,
    pub(crate) declares: Vec<String>,
}

impl Body {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), declares: Vec::new() }
    }

    pub(crate) fn declaring(mut self, declaration: impl Into<String>) -> Self {
        self.declares.push(declaration.into());
        self
    }
}

/// Replaces the module's declarations of built-ins by functions with bodies.
///
/// Device intrinsics without a meaning here are refused by name; other unknown functions stay declared,
/// and the loader names them if nothing defines them.
pub(crate) fn supply_builtins<'s>(
    session: &'s Session,
    module: &Module<'s>,
    dialect: Dialect,
) -> Result<(), CompileError> {
    let mut definitions = Vec::new();
    let mut declares = std::collections::BTreeSet::new();
    let mut text = placeholder::declarations();
    for (n, function) in declared(module).into_iter().enumerate() {
        let ty = function.value_type();
        let signature = Signature {
            name: function.name(),
            ret: ty.return_type().text(),
            params: ty.params().into_iter().map(|t| t.text()).collect(),
        };
        let Some(body) = body(&signature, dialect) else {
            refuse_device_intrinsic(&signature.name, function)?;
            continue;
        };
        let name = format!("{}builtin.{n}", placeholder::PREFIX);
        text += &format!(
            "define {} @\"{name}\"({}) alwaysinline nounwind {{\n{}}}\n",
            signature.ret,
            signature.params.join(", "),
            body.text
        );
        declares.extend(body.declares);
        definitions.push((function, name));
    }
    for declaration in declares {
        text += &declaration;
        text.push('\n');
    }
    session.link_text(module, &text)?;
    let by_name: Functions = ir::functions(module).into_iter().map(|f| (f.name(), f)).collect();
    for (old, name) in definitions {
        let Some(&new) = by_name.get(&name) else {
            return Err(CompileError::Internal { phase: "supplying built-ins", message: name });
        };
        for call in old.users().into_iter().filter(|u| u.is_call()) {
            // Front ends promise ranges (`tid < 1024`) and purity that do not hold here.
            for index in [RETURN_INDEX, FUNCTION_INDEX] {
                call.strip_call_attributes(index, &|_| true);
            }
            call.set_call_conv(0);
        }
        old.replace_all_uses(new);
        old.erase_function();
        new.set_linkage(inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
    }
    Ok(())
}

/// Functions that the module declares and uses.
fn declared(module: &Module<'_>) -> Vec<Value> {
    ir::functions(module).into_iter().filter(|f| f.is_declaration() && !f.users().is_empty()).collect()
}

fn body(signature: &Signature, dialect: Dialect) -> Option<Body> {
    let name = signature.name.as_str();
    if let Some(body) = ids::body(signature) {
        return Some(body);
    }
    if dialect != Dialect::Spir {
        return None;
    }
    let mangled = mangled::parse(name)?;
    ids::opencl(&mangled, signature)
        .or_else(|| atomics::body(&mangled, signature))
        .or_else(|| math::body(&mangled, signature))
}

/// Prefixes of intrinsics that only a GPU's code generator can select.
const DEVICE_INTRINSICS: [&str; 6] =
    ["llvm.nvvm.", "llvm.amdgcn.", "llvm.spv.", "llvm.r600.", "llvm.dx.", "llvm.SI."];

fn refuse_device_intrinsic(name: &str, function: Value) -> Result<(), CompileError> {
    if !DEVICE_INTRINSICS.iter().any(|p| name.starts_with(p)) {
        return Ok(());
    }
    let place = function
        .users()
        .into_iter()
        .find(|u| u.is_instruction())
        .map_or_else(|| "the module".to_owned(), |u| format!("function `{}`", u.enclosing_function().name()));
    Err(CompileError::Unsupported {
        what: format!("the device intrinsic `{name}`"),
        place,
        why: "it has no meaning on this device; use the portable form of the operation",
    })
}
