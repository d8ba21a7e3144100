//! A program, for people and for programs.

use oarlock::image::{Global, Kernel, Param, ParamKind};
use serde_json::{Value, json};

use super::{Compiled, Program};
use crate::out;

/// For people.
pub(super) fn text(name: &str, size: usize, program: &Program) -> String {
    let info = &program.info;
    let triple = if info.triple.is_empty() { "none" } else { &info.triple };
    let mut lines = vec![
        format!("{name}: {}, {}", info.format, out::byte_size(size as u64)),
        format!("triple   {triple}"),
        format!("dialect  {}", info.dialect.name()),
    ];
    match &program.compiled {
        Ok(Compiled { code_bytes, target, .. }) => {
            lines.push(format!("code     {} for {target}", out::byte_size(*code_bytes as u64)));
        }
        Err(error) => lines.push(format!("code     none, it does not compile: {error}")),
    }
    for kernel in kernels(program) {
        lines.push(String::new());
        lines.extend(kernel_text(kernel, program.compiled.is_ok()));
    }
    if !info.globals.is_empty() {
        lines.push(String::new());
    }
    let width = info.globals.iter().map(|g| g.name.len()).max().unwrap_or(0);
    lines.extend(info.globals.iter().map(|g| global_text(g, width)));
    lines.join("\n")
}

/// With what only a compile finds out, where there is one.
fn kernels(program: &Program) -> &[Kernel] {
    program.compiled.as_ref().map_or(&program.info.kernels, |c| &c.metadata.kernels)
}

fn kernel_text(kernel: &Kernel, compiled: bool) -> Vec<String> {
    let mut lines = vec![format!(
        "kernel {}: {} parameters, {} bytes of arguments",
        kernel.name,
        kernel.params.len(),
        kernel.args_size
    )];
    let name = |p: &Param| p.name.clone().unwrap_or_default();
    let names = kernel.params.iter().map(|p| name(p).len()).max().unwrap_or(0);
    let types = kernel.params.iter().map(|p| p.ty.len()).max().unwrap_or(0);
    for (index, param) in kernel.params.iter().enumerate() {
        lines.push(format!(
            "  {index:>2}  {:names$}  {:types$}  {:12}  {} bytes at {}",
            name(param),
            param.ty,
            kind(param.kind),
            param.size,
            param.offset
        ));
    }
    if compiled {
        let dynamic = if kernel.uses_dynamic_group { " and dynamic" } else { "" };
        lines.push(format!("  group memory  {} static{dynamic}", out::byte_size(kernel.group_bytes.into())));
        lines.push(match kernel.barriers {
            0 => "  barriers      none".into(),
            n => format!(
                "  barriers      {n}; each item keeps {} across them",
                out::byte_size(kernel.item_bytes.into())
            ),
        });
    }
    if let Some(size) = kernel.required_group_size {
        lines.push(format!("  group size    must be {} x {} x {}", size[0], size[1], size[2]));
    }
    if let Some(items) = kernel.max_group_items {
        lines.push(format!("  group size    at most {items} items"));
    }
    lines
}

fn global_text(global: &Global, width: usize) -> String {
    let constant = if global.constant { ", constant" } else { "" };
    format!("global {:width$}  {} bytes, aligned to {}{constant}", global.name, global.size, global.align)
}

/// For programs.
pub(super) fn json(name: &str, size: usize, program: &Program) -> Value {
    let info = &program.info;
    let known = program.compiled.is_ok();
    let kernels: Vec<Value> = kernels(program).iter().map(|k| kernel_json(k, known)).collect();
    let compiled = match &program.compiled {
        Ok(c) => json!({ "target": c.target, "code_bytes": c.code_bytes }),
        Err(error) => json!({ "error": error.to_string() }),
    };
    json!({
        "file": name,
        "format": info.format.to_string(),
        "bytes": size,
        "triple": info.triple,
        "dialect": info.dialect.name(),
        "compiled": compiled,
        "kernels": kernels,
        "globals": info.globals.iter().map(global_json).collect::<Vec<_>>(),
    })
}

fn kernel_json(kernel: &Kernel, compiled: bool) -> Value {
    // What is not known is null, not 0.
    let known = |value: Value| if compiled { value } else { Value::Null };
    json!({
        "name": kernel.name,
        "parameters": kernel.params.iter().map(param_json).collect::<Vec<_>>(),
        "args_size": kernel.args_size,
        "args_align": kernel.args_align,
        "group_bytes": known(kernel.group_bytes.into()),
        "uses_dynamic_group": known(kernel.uses_dynamic_group.into()),
        "item_bytes": known(kernel.item_bytes.into()),
        "barriers": known(kernel.barriers.into()),
        "required_group_size": kernel.required_group_size,
        "max_group_items": kernel.max_group_items,
    })
}

fn param_json(param: &Param) -> Value {
    json!({
        "name": param.name,
        "kind": kind(param.kind),
        "type": param.ty,
        "offset": param.offset,
        "size": param.size,
        "align": param.align,
    })
}

fn global_json(global: &Global) -> Value {
    json!({ "name": global.name, "size": global.size, "align": global.align, "constant": global.constant })
}

fn kind(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Scalar => "scalar",
        ParamKind::Pointer => "pointer",
        ParamKind::Aggregate => "aggregate",
        ParamKind::GroupMemory => "group memory",
        _ => "other",
    }
}
