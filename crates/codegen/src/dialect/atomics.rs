//! OpenCL's atomic functions, of 1.x (`atomic_add`) and of 2.0 (`atomic_fetch_add_explicit`).
//!
//! All are sequentially consistent here, whatever order and scope the call names: stronger is right, and
//! on the machines that this device runs on a read-modify-write costs the same in any order.

use super::mangled::Mangled;
use super::supply::{Body, Signature};

pub(crate) fn body(m: &Mangled, s: &Signature) -> Option<Body> {
    let pointer = m.params.first().filter(|p| p.pointer)?;
    let stem = m.name.strip_suffix("_explicit").unwrap_or(&m.name);
    let op = stem.strip_prefix("atomic_").or_else(|| stem.strip_prefix("atom_"))?;
    let address = s.params.first()?.as_str();
    let value = if s.ret == "void" { s.params.get(1)?.as_str() } else { s.ret.as_str() };
    let read_modify_write = |operation: &str, operand: &str| {
        Body::new(format!(
            "  %r = atomicrmw {operation} {address} %0, {value} {operand} seq_cst\n  ret {value} %r\n"
        ))
    };
    let align = value_align(value)?;
    Some(match op {
        "add" | "fetch_add" => read_modify_write(if pointer.is_float() { "fadd" } else { "add" }, "%1"),
        "sub" | "fetch_sub" => read_modify_write(if pointer.is_float() { "fsub" } else { "sub" }, "%1"),
        "inc" => read_modify_write("add", "1"),
        "dec" => read_modify_write("sub", "1"),
        "xchg" | "exchange" => read_modify_write("xchg", "%1"),
        "and" | "fetch_and" => read_modify_write("and", "%1"),
        "or" | "fetch_or" => read_modify_write("or", "%1"),
        "xor" | "fetch_xor" => read_modify_write("xor", "%1"),
        "min" | "fetch_min" => read_modify_write(extreme("min", pointer), "%1"),
        "max" | "fetch_max" => read_modify_write(extreme("max", pointer), "%1"),
        "cmpxchg" => Body::new(format!(
            "  %p = cmpxchg {address} %0, {value} %1, {value} %2 seq_cst seq_cst\n\
             \x20 %r = extractvalue {{ {value}, i1 }} %p, 0\n  ret {value} %r\n"
        )),
        "load" => Body::new(format!(
            "  %r = load atomic {value}, {address} %0 seq_cst, align {align}\n  ret {value} %r\n"
        )),
        "store" => {
            Body::new(format!("  store atomic {value} %1, {address} %0 seq_cst, align {align}\n  ret void\n"))
        }
        "init" => Body::new(format!("  store {value} %1, {address} %0, align {align}\n  ret void\n")),
        "compare_exchange_strong" | "compare_exchange_weak" => {
            let expected = s.params.get(1)?;
            let desired = s.params.get(2)?;
            let align = value_align(desired)?;
            Body::new(format!(
                "  %e = load {desired}, {expected} %1, align {align}\n\
                 \x20 %p = cmpxchg {address} %0, {desired} %e, {desired} %2 seq_cst seq_cst\n\
                 \x20 %o = extractvalue {{ {desired}, i1 }} %p, 0\n  %k = extractvalue {{ {desired}, i1 }} %p, 1\n\
                 \x20 store {desired} %o, {expected} %1, align {align}\n  ret i1 %k\n"
            ))
            .matching_return(&s.ret)?
        }
        _ => return None,
    })
}

impl Body {
    /// The compare-and-exchange functions return `i1` in LLVM 22; anything else is not ours.
    fn matching_return(self, ret: &str) -> Option<Self> {
        (ret == "i1").then_some(self)
    }
}

fn extreme(which: &'static str, p: &super::mangled::Param) -> &'static str {
    match (which, p.is_float(), p.is_unsigned()) {
        ("min", true, _) => "fmin",
        ("min", _, true) => "umin",
        ("min", ..) => "min",
        (_, true, _) => "fmax",
        (_, _, true) => "umax",
        _ => "max",
    }
}

fn value_align(ty: &str) -> Option<u32> {
    match ty {
        "i32" | "float" => Some(4),
        "i64" | "double" => Some(8),
        _ => None,
    }
}
