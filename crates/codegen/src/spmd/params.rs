//! Where each kernel parameter lies in the argument block.

use inkwell::llvm_sys::target::{LLVMABIAlignmentOfType, LLVMABISizeOfType};
use inkwell::targets::{TargetData, TargetMachine};
use oarlock_image::{Kernel, Param, ParamKind};

use crate::CompileError;
use crate::dialect::GroupLimits;
use crate::ir::{Type, TypeKind, Value};

/// How the entry point gets a parameter's value out of the argument block.
pub(crate) struct Source {
    /// The parameter's type as text.
    pub(crate) ty: String,
    pub(crate) how: How,
}

pub(crate) enum How {
    /// Load it.
    Load,
    /// Load a byte and truncate: an `i1`, or another width that memory does not have.
    LoadNarrow { memory: String },
    /// The address in the block: `byval` and `byref` aggregates.
    Address,
    /// Load an offset and add it to the group's memory.
    GroupMemory,
}

/// The parameters of `function`, and its metadata with all that is known before transformation.
pub(crate) fn layout(
    function: Value,
    machine: &TargetMachine,
    limits: GroupLimits,
) -> Result<(Vec<Source>, Kernel), CompileError> {
    let data = machine.get_target_data();
    let mut sources = Vec::new();
    let mut params = Vec::new();
    let mut offset: u64 = 0;
    let mut block_align: u64 = 8;
    for (index, value) in function.params().into_iter().enumerate() {
        let (how, kind, shown, size, align) = classify(function, index as u32 + 1, value.ty(), &data);
        offset = offset.next_multiple_of(align);
        let name = value.name();
        params.push(Param {
            name: (!name.is_empty()).then_some(name),
            kind,
            ty: shown,
            offset: offset as u32,
            size: size as u32,
            align: align as u32,
        });
        sources.push(Source { ty: value.ty().text(), how });
        offset = offset.saturating_add(size);
        block_align = block_align.max(align);
        if offset > MAX_BLOCK || align > 64 {
            return Err(CompileError::Unsupported {
                what: format!("parameter {index} of {size} bytes aligned to {align}"),
                place: format!("kernel `{}`", function.name()),
                why: "arguments take at most 64 KiB in all and are aligned to at most 64 bytes",
            });
        }
    }
    let name = function.name();
    let kernel = Kernel {
        entry: format!("oarlock.entry.{name}"),
        name,
        params,
        args_size: offset.next_multiple_of(block_align) as u32,
        args_align: block_align as u32,
        group_bytes: 0,
        uses_dynamic_group: false,
        item_bytes: 0,
        barriers: 0,
        required_group_size: limits.required,
        max_group_items: limits.max_items,
    };
    Ok((sources, kernel))
}

const MAX_BLOCK: u64 = 64 * 1024;

fn classify(
    function: Value,
    attribute_index: u32,
    ty: Type,
    data: &TargetData,
) -> (How, ParamKind, String, u64, u64) {
    let attributes = function.attributes(attribute_index);
    let pointee = attributes.iter().filter(|a| a.is("byval") || a.is("byref")).find_map(|a| a.type_value());
    if let Some(pointee) = pointee {
        let align = attributes.iter().find(|a| a.is("align")).map_or(1, |a| a.int_value());
        let (size, natural) = size_align(pointee, data);
        return (How::Address, ParamKind::Aggregate, shown(pointee), size, align.max(natural));
    }
    let (size, align) = size_align(ty, data);
    match ty.kind() {
        TypeKind::LLVMPointerTypeKind if ty.address_space() == Some(3) => {
            (How::GroupMemory, ParamKind::GroupMemory, ty.text(), 8, 8)
        }
        TypeKind::LLVMPointerTypeKind => (How::Load, ParamKind::Pointer, ty.text(), size, align),
        TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
            (How::Load, ParamKind::Aggregate, ty.text(), size, align)
        }
        TypeKind::LLVMIntegerTypeKind if ty.int_width().is_some_and(|w| u64::from(w) != size * 8) => {
            let how = How::LoadNarrow { memory: format!("i{}", size * 8) };
            (how, ParamKind::Scalar, ty.text(), size, align)
        }
        _ => (How::Load, ParamKind::Scalar, ty.text(), size, align),
    }
}

/// `%struct.S` rather than its whole definition.
fn shown(ty: Type) -> String {
    let text = ty.text();
    text.split(" = type").next().unwrap_or(&text).to_owned()
}

fn size_align(ty: Type, data: &TargetData) -> (u64, u64) {
    // SAFETY: the layout is live, and the type is sized (the lint has checked every parameter; `byval` and
    // `byref` types are sized by LLVM's verifier).
    unsafe {
        let size = LLVMABISizeOfType(data.as_mut_ptr(), ty.0);
        (size, u64::from(LLVMABIAlignmentOfType(data.as_mut_ptr(), ty.0)))
    }
}

/// Size and alignment of a global variable's contents on the target.
pub(crate) fn global_size_align(global: Value, data: &TargetData) -> (u64, u32) {
    let (size, natural) = size_align(global.value_type(), data);
    (size, global.alignment().max(natural as u32))
}
