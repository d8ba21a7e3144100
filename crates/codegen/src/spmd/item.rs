//! The item function: a kernel's body with everything that it depends on as parameters.

use std::fmt::Write;

use oarlock_image::abi;

use super::Work;
use crate::dialect::placeholder;
use crate::ir::{Functions, Value};

/// Parameters in front of the kernel's own, in order.
const STATE: usize = 0;
const FRAME: usize = 1;
const GROUP_MEMORY: usize = 2;
const SCRATCH: usize = 3;
const SLOTS: usize = 4;
const LINEAR: usize = 5;
const PADDED: usize = 6;
const NUMBERS: usize = 7;

/// The parameters' declarations, as text, with names. None is `noalias`: the entry point's own are, and
/// inlining would only leave markers behind.
pub(crate) fn own_params() -> String {
    let size = size_of::<abi::Frame>();
    let mut text = format!(
        "i32 %state, ptr align 64 dereferenceable({size}) %frame, ptr align 128 %gmem, ptr align 128 %scratch, \
         ptr align 64 %slots, i64 %lin, i64 %npad"
    );
    for name in placeholder::NUMBERS {
        let _ = write!(text, ", i32 noundef %{}", short(name));
    }
    text
}

/// The arguments of a call, for a state and the local ids of a loop; group numbers and sizes by their names.
pub(crate) fn own_args(state: &str, slots: &str, lx: &str, ly: &str, lz: &str, lin: &str) -> String {
    let mut text = format!(
        "i32 {state}, ptr %frame, ptr %gmem, ptr %scratch, ptr {slots}, i64 {lin}, i64 %npad, i32 {lx}, i32 {ly}, i32 {lz}"
    );
    for name in &placeholder::NUMBERS[3..] {
        let _ = write!(text, ", i32 %{}", short(name));
    }
    text
}

/// `lx`, `gx`, `sx`, `nx` and so on.
pub(crate) fn short(placeholder: &str) -> String {
    let mut parts = placeholder.rsplit('.');
    let axis = parts.next().unwrap_or_default();
    let letter = match parts.next() {
        Some("local") => 'l',
        Some("group") => 'g',
        Some("size") => 's',
        _ => 'n',
    };
    format!("{letter}{axis}")
}

/// The item function as text: it calls the kernel, which is then inlined.
pub(crate) fn text(work: &Work) -> String {
    let own = own_params();
    let declared = work.params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>().join(", ");
    let named: Vec<String> = work.params.iter().enumerate().map(|(i, p)| format!("{} %a{i}", p.ty)).collect();
    let params = std::iter::once(own).chain(named.iter().cloned()).collect::<Vec<_>>().join(", ");
    let (kernel, item) = (work.kernel_symbol(), work.item_symbol());
    format!(
        "declare void @\"{kernel}\"({declared})\n\
         define i32 @\"{item}\"({params}) nounwind {{\n  call void @\"{kernel}\"({args})\n  ret i32 -1\n}}\n",
        args = named.join(", ")
    )
}

/// An item function with its parameters at hand.
pub(crate) struct Item {
    pub(crate) function: Value,
    params: Vec<Value>,
}

impl Item {
    pub(crate) fn new(function: Value) -> Self {
        Self { function, params: function.params() }
    }

    pub(crate) fn state(&self) -> Value {
        self.params[STATE]
    }

    pub(crate) fn frame(&self) -> Value {
        self.params[FRAME]
    }

    pub(crate) fn group_memory(&self) -> Value {
        self.params[GROUP_MEMORY]
    }

    pub(crate) fn scratch(&self) -> Value {
        self.params[SCRATCH]
    }

    /// The block that carries this item's slots.
    pub(crate) fn slots(&self) -> Value {
        self.params[SLOTS]
    }

    /// The parameters that differ between the items of a group: where they are, and how far they have come.
    pub(crate) fn divergent_params(&self) -> Vec<Value> {
        let mut list = vec![self.params[STATE], self.params[SLOTS], self.params[LINEAR]];
        list.extend_from_slice(&self.params[NUMBERS..NUMBERS + 3]);
        list
    }

    /// Local id, group id and group size in one dimension.
    pub(crate) fn numbers_of(&self, axis: usize) -> [Value; 3] {
        [0, 3, 6].map(|kind| self.params[NUMBERS + kind + axis])
    }

    /// The item's number in its group.
    pub(crate) fn linear(&self) -> Value {
        self.params[LINEAR]
    }

    /// Items per group, rounded up.
    pub(crate) fn padded(&self) -> Value {
        self.params[PADDED]
    }
}

/// Replaces the placeholders in an item function, but for the barrier, by its parameters.
pub(crate) fn bind_placeholders(item: &Item, by_name: &Functions) {
    let numbers = placeholder::NUMBERS.iter().enumerate().map(|(i, name)| (*name, item.params[NUMBERS + i]));
    let all =
        numbers.chain([(placeholder::FRAME, item.frame()), (placeholder::GROUP_MEMORY, item.group_memory())]);
    for (name, value) in all {
        let Some(function) = by_name.get(name) else { continue };
        for call in function.users() {
            if call.is_call() && call.enclosing_function() == item.function {
                call.replace_all_uses(value);
                call.erase_instruction();
            }
        }
    }
}
