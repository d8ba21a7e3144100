//! The dialects that programs come in: which one a module is, which functions are kernels, and what the
//! built-in functions of each mean here.
//!
//! Every built-in is given a body in terms of a few [`placeholder`] functions, which `spmd` later replaces
//! by the loop variables of the item that runs.

mod atomics;
mod ids;
mod mangled;
mod math;
pub(crate) mod placeholder;
mod supply;

use inkwell::module::Module;
use oarlock_image::Dialect;

use crate::CompileError;
use crate::ir::{self, FUNCTION_INDEX, Value};

pub(crate) use supply::supply_builtins;

/// Calling conventions that mark kernels (LLVM's `CallingConv.h`).
const KERNEL_CONVENTIONS: [u32; 3] = [71, 76, 91];

/// The section that marks kernels in the native dialect.
const KERNEL_SECTION: &str = "oarlock.kernel";

/// The module's dialect, by its triple.
pub(crate) fn detect(triple: &str) -> Result<Dialect, CompileError> {
    let arch = triple.split('-').next().unwrap_or_default();
    let host = std::env::consts::ARCH;
    match arch {
        "nvptx64" => Ok(Dialect::Nvptx),
        "amdgcn" => Ok(Dialect::Amdgcn),
        "" if triple.is_empty() => Ok(Dialect::Native),
        _ if arch == "spir64" || arch.starts_with("spirv64") => {
            // `spirv64-amd-amdhsa` has a layout of its own, with functions in an address space.
            if triple.contains("-amd-") { Err(refused(triple)) } else { Ok(Dialect::Spir) }
        }
        _ if arch == host => Ok(Dialect::Native),
        _ => Err(refused(triple)),
    }
}

fn refused(triple: &str) -> CompileError {
    CompileError::Triple { found: triple.to_owned(), host: std::env::consts::ARCH }
}

/// The module's kernels, in order.
pub(crate) fn kernels(module: &Module<'_>, dialect: Dialect) -> Result<Vec<Value>, CompileError> {
    let defined: Vec<Value> = ir::functions(module).into_iter().filter(|f| !f.is_declaration()).collect();
    let (found, hint) = if dialect == Dialect::Native {
        let marked: Vec<Value> = defined.iter().copied().filter(|f| f.section() == KERNEL_SECTION).collect();
        let visible = |f: &Value| {
            !f.is_internal() && f.value_type().return_type().is_void() && !f.name().starts_with("_GLOBAL_")
        };
        let found = if marked.is_empty() { defined.into_iter().filter(visible).collect() } else { marked };
        (found, "in the native dialect a kernel is an externally visible function that returns void")
    } else {
        let by_convention = |f: &Value| KERNEL_CONVENTIONS.contains(&f.function_call_conv());
        let found = defined.into_iter().filter(by_convention).collect();
        (
            found,
            "in a GPU dialect a kernel is a function with the kernel calling convention, such as `__kernel` gives",
        )
    };
    if found.is_empty() { Err(CompileError::NoKernels { hint }) } else { Ok(found) }
}

/// What the source says about group sizes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GroupLimits {
    pub(crate) required: Option<[u32; 3]>,
    pub(crate) max_items: Option<u32>,
}

/// Reads a kernel's group-size demands from its attributes and metadata.
pub(crate) fn group_limits(kernel: Value, required_metadata: Option<[u32; 3]>) -> GroupLimits {
    let mut limits = GroupLimits { required: required_metadata, max_items: None };
    for attribute in kernel.attributes(FUNCTION_INDEX) {
        let Some(kind) = attribute.string_kind() else { continue };
        let numbers: Vec<u32> =
            attribute.string_value().split(',').filter_map(|n| n.trim().parse().ok()).collect();
        match (kind.as_str(), numbers.as_slice()) {
            ("nvvm.reqntid", &[x, ref rest @ ..]) => {
                let at = |i: usize| rest.get(i).copied().unwrap_or(1);
                limits.required = Some([x, at(0), at(1)]);
            }
            ("nvvm.maxntid", all @ [_, ..]) => {
                limits.max_items = all.iter().try_fold(1u32, |n, &c| n.checked_mul(c));
            }
            ("amdgpu-flat-work-group-size", &[_, most]) => limits.max_items = Some(most),
            _ => {}
        }
    }
    limits
}
