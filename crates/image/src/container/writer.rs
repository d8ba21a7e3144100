//! Fields to bytes. Every structure is taken apart by name, so that a new field cannot be forgotten.

use crate::{Dialect, Global, Image, Kernel, Metadata, Param, ParamKind, Target};

pub(super) fn image(out: &mut Vec<u8>, image: &Image) {
    let Image { target, code, metadata } = image;
    let Target { triple, cpu, features } = target;
    string(out, triple);
    string(out, cpu);
    string(out, features);
    let Metadata { dialect, kernels, globals } = metadata;
    out.push(match dialect {
        Dialect::Native => 0,
        Dialect::Nvptx => 1,
        Dialect::Amdgcn => 2,
        Dialect::Spir => 3,
    });
    list(out, kernels, kernel);
    list(out, globals, global);
    out.extend_from_slice(&(code.len() as u64).to_le_bytes());
    out.extend_from_slice(code);
}

fn kernel(out: &mut Vec<u8>, kernel: &Kernel) {
    let Kernel {
        name,
        entry,
        params,
        args_size,
        args_align,
        group_bytes,
        uses_dynamic_group,
        item_bytes,
        barriers,
        required_group_size,
        max_group_items,
    } = kernel;
    string(out, name);
    string(out, entry);
    list(out, params, param);
    for number in [args_size, args_align, group_bytes, item_bytes, barriers] {
        word(out, *number);
    }
    out.push(u8::from(*uses_dynamic_group));
    out.push(u8::from(required_group_size.is_some()));
    for number in required_group_size.iter().flatten() {
        word(out, *number);
    }
    out.push(u8::from(max_group_items.is_some()));
    if let Some(number) = max_group_items {
        word(out, *number);
    }
}

fn param(out: &mut Vec<u8>, param: &Param) {
    let Param { name, kind, ty, offset, size, align } = param;
    out.push(u8::from(name.is_some()));
    if let Some(name) = name {
        string(out, name);
    }
    out.push(match kind {
        ParamKind::Scalar => 0,
        ParamKind::Pointer => 1,
        ParamKind::Aggregate => 2,
        ParamKind::GroupMemory => 3,
    });
    string(out, ty);
    for number in [offset, size, align] {
        word(out, *number);
    }
}

fn global(out: &mut Vec<u8>, global: &Global) {
    let Global { name, size, align, constant } = global;
    string(out, name);
    out.extend_from_slice(&size.to_le_bytes());
    word(out, *align);
    out.push(u8::from(*constant));
}

fn word(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn string(out: &mut Vec<u8>, text: &str) {
    length(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn list<T>(out: &mut Vec<u8>, items: &[T], one: impl Fn(&mut Vec<u8>, &T)) {
    length(out, items.len());
    for item in items {
        one(out, item);
    }
}

/// A length that does not fit is written as the largest: the reader refuses the container then.
fn length(out: &mut Vec<u8>, length: usize) {
    word(out, u32::try_from(length).unwrap_or(u32::MAX));
}
