//! Slots on their way between the lanes' arrays and a call of the item function.

use std::fmt::Write;

use super::super::super::slots::Slot;
use super::{Chunk, put};

/// The integer type that holds a slot's bits, for slots that may be uniform.
pub(crate) fn bits_of(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "i1" => "i1",
        "i8" => "i8",
        "i16" | "half" | "bfloat" => "i16",
        "i32" | "float" => "i32",
        "i64" | "double" => "i64",
        _ if ty.starts_with("ptr") => "i64",
        _ => return None,
    })
}

impl Slot {
    /// The type of an array element: bits are kept as bytes.
    pub(super) fn element(&self) -> &str {
        if self.ty == "i1" { "i8" } else { &self.ty }
    }
}
impl Chunk<'_, '_> {
    pub(super) fn copy_uniform(&mut self, from: &str, to: &str) {
        let all: Vec<usize> = (0..self.d.plan.slots.len()).collect();
        self.copy_uniform_of(&all, from, to);
    }

    pub(super) fn copy_uniform_of(&mut self, which: &[usize], from: &str, to: &str) {
        for &j in which {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let id = self.d.out.len();
                let ty = slot.ty.clone();
                put!(self, "  %x{id} = load {ty}, ptr %{from}{j}\n  store {ty} %x{id}, ptr %{to}{j}");
            }
        }
    }

    /// Puts a lane's slots into the block that the item function reads.
    pub(super) fn carry_in(&mut self, l: &str, reads: &[usize]) {
        let tag = self.tag();
        for &j in reads {
            let slot = &self.d.plan.slots[j];
            let (ty, offset, element) = (slot.ty.clone(), slot.offset, slot.element().to_owned());
            put!(self, "  %{l}.q{j}.f = getelementptr inbounds i8, ptr %slots, i64 {offset}");
            if slot.uniform {
                put!(self, "  %{l}.q{j}.i = load {ty}, ptr %u{j}");
            } else {
                put!(self, "  %{l}.q{j}.p = getelementptr inbounds {element}, ptr %c{j}, i64 %{l}.i");
                if element == ty {
                    put!(self, "  %{l}.q{j}.i = load {ty}, ptr %{l}.q{j}.p, {tag}");
                } else {
                    put!(
                        self,
                        "  %{l}.q{j}.n = load i8, ptr %{l}.q{j}.p, {tag}\n  %{l}.q{j}.i = trunc i8 %{l}.q{j}.n to i1"
                    );
                }
            }
            put!(self, "  store {ty} %{l}.q{j}.i, ptr %{l}.q{j}.f");
        }
    }

    /// Takes what the item function wrote out of the block again. In a masked loop the lanes that did not
    /// run have left the block as it was; of uniform slots their value is left out.
    pub(super) fn carry_out(&mut self, l: &str, writes: &[usize], mask: Option<&str>) {
        let tag = self.tag();
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            let (ty, element, uniform) = (slot.ty.clone(), slot.element().to_owned(), slot.uniform);
            put!(self, "  %{l}.q{j}.w = load {ty}, ptr %{l}.q{j}.f");
            match (uniform, mask) {
                (true, None) => {
                    put!(self, "  store {ty} %{l}.q{j}.w, ptr %v{j}");
                }
                (true, Some(mask)) => {
                    // All lanes that run agree: the or of their bits is the value.
                    let bits = bits_of(&ty).unwrap_or("i64");
                    let cast = if ty.starts_with("ptr") { "ptrtoint" } else { "bitcast" };
                    put!(self, "  %{l}.q{j}.b = {cast} {ty} %{l}.q{j}.w to {bits}");
                    put!(
                        self,
                        "  %{l}.q{j}.s = select i1 {mask}, {bits} %{l}.q{j}.b, {bits} {}",
                        if bits == "i1" { "false" } else { "0" }
                    );
                    put!(
                        self,
                        "  %{l}.q{j}.a = load {bits}, ptr %o{j}.bits\n  %{l}.q{j}.r = or {bits} %{l}.q{j}.a, %{l}.q{j}.s"
                    );
                    put!(self, "  store {bits} %{l}.q{j}.r, ptr %o{j}.bits");
                }
                (false, _) if element == ty => {
                    put!(self, "  store {ty} %{l}.q{j}.w, ptr %{l}.q{j}.p, {tag}");
                }
                (false, _) => {
                    put!(
                        self,
                        "  %{l}.q{j}.z = zext i1 %{l}.q{j}.w to i8\n  store i8 %{l}.q{j}.z, ptr %{l}.q{j}.p, {tag}"
                    );
                }
            }
        }
    }

    pub(super) fn clear_bits(&mut self, writes: &[usize]) {
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let bits = bits_of(&slot.ty).unwrap_or("i64");
                put!(self, "  store {bits} {}, ptr %o{j}.bits", if bits == "i1" { "false" } else { "0" });
            }
        }
    }

    pub(super) fn take_bits(&mut self, l: &str, writes: &[usize]) {
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let (ty, bits) = (slot.ty.clone(), bits_of(&slot.ty).unwrap_or("i64"));
                let cast = if ty.starts_with("ptr") { "inttoptr" } else { "bitcast" };
                put!(
                    self,
                    "  %{l}.q{j}.tb = load {bits}, ptr %o{j}.bits\n  %{l}.q{j}.tv = {cast} {bits} %{l}.q{j}.tb to {ty}"
                );
                put!(self, "  store {ty} %{l}.q{j}.tv, ptr %u{j}");
            }
        }
    }
}
