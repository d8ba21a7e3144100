//! Values that live across a cut, and where they are kept.
//!
//! A **simple** slot is a variable that is only loaded and stored as a whole. It travels in and out of a
//! call of the item function in a small block of memory, so that the optimiser makes a register of it;
//! between calls the entry point keeps it, one for each item, or one for all where it is the same for all.
//!
//! Any other variable, an array say, lies in the item's part of the executor's scratch all the time.

use std::collections::{HashMap, HashSet};

use inkwell::llvm_sys::target::{LLVMABIAlignmentOfType, LLVMABISizeOfType};
use inkwell::targets::{TargetData, TargetMachine};
use oarlock_image::Kernel;

use super::cuts::{EXIT, PENDING, reachable};
use super::divergence::Divergence;
use super::item::Item;
use crate::CompileError;
use crate::ir::{Block, Builder, Opcode, Type, TypeKind, Value};
use crate::session::Session;

/// The most scratch or private memory that an item may have, in bytes.
pub(crate) const MAX_ITEM_BYTES: u64 = 256 * 1024;
/// Bytes at the start of an item's scratch: its state, where the kernel has barriers.
const STATE_BYTES: u64 = 4;

/// A simple slot.
pub(crate) struct Slot {
    /// The type as text.
    pub(crate) ty: String,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Offset in the block that carries the slots of one item.
    pub(crate) offset: u64,
    /// Offset in scratch, in bytes per item, where the slot lives across a barrier and differs between items.
    pub(crate) scratch: Option<u64>,
    /// The same for all items of the group.
    pub(crate) uniform: bool,
}

/// Where everything that lives across cuts has gone.
pub(crate) struct Placed {
    pub(crate) slots: Vec<Slot>,
    /// For each region, the slots that it reads and those that it writes.
    pub(crate) access: Vec<(Vec<usize>, Vec<usize>)>,
    pub(crate) frame_bytes: u64,
    pub(crate) item_bytes: u64,
}

/// Moves variables out of the cut function's own stack, if they live across a cut.
pub(crate) fn place(
    session: &Session,
    item: &Item,
    starts: &[Block],
    machine: &TargetMachine,
    divergence: &Divergence,
    resumed: &HashSet<Block>,
    returns: &[Vec<u32>],
) -> Placed {
    let data = machine.get_target_data();
    let entry = item.function.blocks()[0];
    let allocas: Vec<Value> = entry.instructions().into_iter().filter(|i| i.is_alloca()).collect();
    let simple: HashSet<Value> = allocas.iter().copied().filter(|&a| is_simple(a)).collect();
    let live = live_at_starts(item, &simple, starts);
    let across: HashSet<Value> = live[1..].iter().flatten().copied().collect();
    let needed = needed_from(&live, returns);
    let behind_barriers = starts.iter().zip(&needed).filter(|(s, _)| resumed.contains(s));
    let across_barriers: HashSet<Value> = behind_barriers.flat_map(|(_, l)| l.iter().copied()).collect();

    let mut out = Placed {
        slots: Vec::new(),
        access: vec![(Vec::new(), Vec::new()); starts.len()],
        frame_bytes: 0,
        item_bytes: if resumed.is_empty() { 0 } else { STATE_BYTES },
    };
    let stored: Vec<HashSet<Value>> = starts.iter().map(|&s| stored_in(&reachable(s))).collect();
    for alloca in allocas {
        if alloca.users().is_empty() {
            alloca.erase_instruction();
        } else if !simple.contains(&alloca) {
            let stride = private_bytes(alloca, &data);
            move_to_scratch(session, item, alloca, out.item_bytes, stride);
            out.item_bytes = out.item_bytes.saturating_add(stride);
        } else if across.contains(&alloca) {
            let number = out.slots.len();
            // One value for all must be found again among lanes that did not run: see `bits_of`.
            let ty = alloca.allocated_type().text();
            let uniform = !divergence.slot(alloca) && super::driver::bits_of(&ty).is_some();
            let kept = !uniform && across_barriers.contains(&alloca);
            let slot = slot(alloca, &data, &mut out, uniform, kept);
            for (k, stored) in stored.iter().enumerate() {
                if stored.contains(&alloca) {
                    out.access[k].1.push(number);
                }
                // What a region may leave as it was must come in as well.
                if live[k].contains(&alloca) || stored.contains(&alloca) {
                    out.access[k].0.push(number);
                }
            }
            let builder = Builder::before(entry.terminator().unwrap_or(alloca));
            let (byte, word) = (session.int_type(8), session.int_type(64));
            let address = builder.byte_offset(byte, item.slots(), word.const_int(slot.offset));
            alloca.replace_all_uses(builder.address_space_cast(address, alloca.ty()));
            alloca.erase_instruction();
            out.slots.push(slot);
        }
    }
    out
}

fn slot(alloca: Value, data: &TargetData, out: &mut Placed, uniform: bool, kept: bool) -> Slot {
    let ty = alloca.allocated_type();
    // SAFETY: the layout is live, and allocated types are sized.
    let (bytes, align) = unsafe {
        (
            LLVMABISizeOfType(data.as_mut_ptr(), ty.0),
            u64::from(LLVMABIAlignmentOfType(data.as_mut_ptr(), ty.0)).max(u64::from(alloca.alignment())),
        )
    };
    let offset = out.frame_bytes.next_multiple_of(align);
    out.frame_bytes = offset + bytes;
    let scratch = kept.then(|| {
        let at = out.item_bytes;
        out.item_bytes += bytes.next_multiple_of(align);
        at
    });
    Slot { ty: ty.text(), bytes, align, offset, scratch, uniform }
}

/// All items' copies of one variable lie side by side.
fn move_to_scratch(session: &Session, item: &Item, alloca: Value, offset: u64, stride: u64) {
    let entry = item.function.blocks()[0];
    let (byte, word) = (session.int_type(8), session.int_type(64));
    let builder = Builder::before(entry.terminator().unwrap_or(alloca));
    let start = builder.multiply(item.padded(), word.const_int(offset));
    let own = builder.multiply(item.linear(), word.const_int(stride));
    let base = builder.byte_offset(byte, item.scratch(), start);
    let address = builder.byte_offset(byte, base, own);
    alloca.replace_all_uses(builder.address_space_cast(address, alloca.ty()));
    alloca.erase_instruction();
}

/// A variable that is only loaded and stored as a whole, of a type that text can name.
pub(crate) fn is_simple(alloca: Value) -> bool {
    let ty = alloca.allocated_type();
    let plain = |u: Value| match u.opcode() {
        Opcode::LLVMLoad => u.ty() == ty && !u.is_volatile() && !u.is_atomic(),
        Opcode::LLVMStore => {
            u.operand(1) == alloca
                && u.operand(0) != alloca
                && u.operand(0).ty() == ty
                && !u.is_volatile()
                && !u.is_atomic()
        }
        _ => false,
    };
    !ty.any(&Type::is_named_struct)
        && alloca.operand(0).const_u64() == Some(1)
        && alloca.alignment() <= 64
        && alloca.users().into_iter().all(plain)
}

/// The variables that a set of blocks writes.
fn stored_in(blocks: &[Block]) -> HashSet<Value> {
    let all = blocks.iter().flat_map(|b| b.instructions());
    all.filter(|i| i.opcode() == Opcode::LLVMStore).map(|i| i.operand(1)).collect()
}

/// For each start, the simple variables that may be read from there on without being written first.
fn live_at_starts(item: &Item, simple: &HashSet<Value>, starts: &[Block]) -> Vec<HashSet<Value>> {
    let blocks = item.function.blocks();
    let mut live: HashMap<Block, HashSet<Value>> = HashMap::new();
    let mut writes: HashMap<Block, HashSet<Value>> = HashMap::new();
    for &block in &blocks {
        let (mut read, mut written) = (HashSet::new(), HashSet::new());
        for i in block.instructions() {
            match i.opcode() {
                Opcode::LLVMLoad if simple.contains(&i.operand(0)) && !written.contains(&i.operand(0)) => {
                    read.insert(i.operand(0));
                }
                Opcode::LLVMStore if simple.contains(&i.operand(1)) => {
                    written.insert(i.operand(1));
                }
                _ => {}
            }
        }
        live.insert(block, read);
        writes.insert(block, written);
    }
    // Backwards to a fixed point: live at a block's start = read there, or live at a successor and not written here.
    let mut changed = true;
    while changed {
        changed = false;
        for block in blocks.iter().rev() {
            let incoming: Vec<Value> = block
                .successors()
                .iter()
                .flat_map(|s| live[s].iter().copied())
                .filter(|v| !writes[block].contains(v))
                .collect();
            let here = live.entry(*block).or_default();
            for value in incoming {
                changed |= here.insert(value);
            }
        }
    }
    starts.iter().map(|b| live[b].clone()).collect()
}

/// For each start, what it or any region that may come after it reads.
fn needed_from(live: &[HashSet<Value>], returns: &[Vec<u32>]) -> Vec<HashSet<Value>> {
    let mut needed = live.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for (k, returns) in returns.iter().enumerate() {
            for r in returns.iter().filter(|r| **r != EXIT) {
                let more: Vec<Value> = needed[(r & !PENDING) as usize].iter().copied().collect();
                for value in more {
                    changed |= needed[k].insert(value);
                }
            }
        }
    }
    needed
}

fn private_bytes(alloca: Value, data: &TargetData) -> u64 {
    // SAFETY: the layout is live, and allocated types are sized.
    let size = unsafe { LLVMABISizeOfType(data.as_mut_ptr(), alloca.allocated_type().0) };
    let count = alloca.operand(0).const_u64().unwrap_or(u64::MAX);
    let align = u64::from(alloca.alignment().max(4));
    size.saturating_mul(count).max(1).checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// Refuses kernels whose items would need more memory of their own than a thread's stack has.
pub(crate) fn check_private_memory(
    item: &Item,
    machine: &TargetMachine,
    kernel: &Kernel,
) -> Result<(), CompileError> {
    let data = machine.get_target_data();
    let bytes = item
        .function
        .body()
        .into_iter()
        .filter(|i| i.is_alloca() && i.operand(0).const_u64().is_some())
        .fold(0u64, |sum, a| sum.saturating_add(private_bytes(a, &data)));
    if bytes > MAX_ITEM_BYTES { Err(too_much_private(bytes, kernel)) } else { Ok(()) }
}

pub(crate) fn too_much_private(bytes: u64, kernel: &Kernel) -> CompileError {
    CompileError::Unsupported {
        what: format!("{bytes} bytes of private memory per work-item"),
        place: format!("kernel `{}`", kernel.name),
        why: "at most 256 KiB fit; use global memory",
    }
}

/// Lifetimes end at no cut.
pub(crate) fn drop_lifetimes(item: &Item) {
    for instruction in item.function.body() {
        if instruction.is_call() && instruction.called().name().starts_with("llvm.lifetime.") {
            instruction.erase_instruction();
        }
    }
}

/// Copies cheap computations on ids and arguments to where they are used, so that they need no memory
/// across cuts, and addresses stay visibly linear in the item's number.
pub(crate) fn rematerialise(item: &Item) {
    for instruction in item.function.body() {
        let phi = instruction.is_phi();
        for index in 0..instruction.operand_count() {
            let operand = instruction.operand(index);
            if !operand.is_instruction() {
                continue;
            }
            let at = if phi {
                let from = instruction.incoming()[index as usize].1;
                if operand.parent() == from {
                    continue;
                }
                let Some(terminator) = from.terminator() else { continue };
                terminator
            } else if operand.parent() == instruction.parent() {
                continue;
            } else {
                instruction
            };
            let mut budget = 24;
            if is_cheap(operand, &mut budget) {
                let copy = copy_chain(operand, at);
                instruction.set_operand(index, copy);
            }
        }
    }
}

/// True for a pure computation on arguments and constants, of at most `budget` instructions.
fn is_cheap(value: Value, budget: &mut u32) -> bool {
    if !value.is_instruction() {
        return value.is_argument() || value.is_constant();
    }
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let pure = matches!(
        value.opcode(),
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
    );
    pure && value.ty().kind() != TypeKind::LLVMVectorTypeKind
        && value.operands().into_iter().all(|o| is_cheap(o, budget))
}

fn copy_chain(value: Value, at: Value) -> Value {
    if !value.is_instruction() {
        return value;
    }
    let copy = value.clone_instruction();
    for (index, operand) in value.operands().into_iter().enumerate() {
        copy.set_operand(index as u32, copy_chain(operand, at));
    }
    Builder::before(at).insert(copy);
    copy
}
