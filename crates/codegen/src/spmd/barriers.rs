//! Splits an item function at its barriers, so that every item of a group can run up to one before any goes on.
//!
//! A barrier has a number, from 1. The item function is changed so that, called with state `k`, it starts
//! behind barrier `k` (0: at the beginning), runs until the next barrier, and returns that one's number, or
//! [`EXIT`](super::item::EXIT) at the kernel's end. Between two calls nothing is kept in registers: values that
//! live across a barrier lie in the item's slots of the scratch memory.
//!
//! This needs no analysis of which branches are uniform, and no structure: barriers in loops, in branches and
//! in inlined helpers are all the same. Items that arrive at *different* barriers (a front end may have
//! duplicated one) are handled by the entry point, which then runs each item from its own state: all
//! barriers are one. An item that returns while others wait is simply done.

use std::collections::{HashMap, HashSet};

use inkwell::llvm_sys::target::LLVMABISizeOfType;
use inkwell::targets::TargetMachine;
use oarlock_image::Kernel;

use super::item::{EXIT, Item};
use crate::CompileError;
use crate::dialect::placeholder;
use crate::ir::{Block, Builder, Functions, Opcode, Value};
use crate::session::Session;

/// What an item may return when called with one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Always this barrier, or [`EXIT`].
    Always(u32),
    /// One of several.
    Varies,
}

/// Bytes at the start of every item's scratch: its state.
const STATE_BYTES: u64 = 4;
/// The most scratch or private memory that an item may have, in bytes.
const MAX_ITEM_BYTES: u64 = 256 * 1024;

/// Splits the function; the result has one entry for each state. One entry means no barrier.
pub(crate) fn split(
    session: &Session,
    item: &Item,
    by_name: &Functions,
    machine: &TargetMachine,
    kernel: &mut Kernel,
) -> Result<Vec<Next>, CompileError> {
    check_private_memory(item, machine, kernel)?;
    let calls = barrier_calls(item, by_name);
    if calls.is_empty() {
        return Ok(vec![Next::Always(EXIT)]);
    }
    refuse_what_cannot_be_split(item, kernel)?;
    drop_lifetimes(item);
    for call in calls {
        isolate(item, call);
    }
    rematerialise(item);
    session.run_on(item.function, "reg2mem", machine)?;

    let starts = cut(session, item, barrier_calls(item, by_name));
    kernel.barriers = (starts.len() - 1) as u32;
    let bytes = move_to_scratch(session, item, &starts[1..], machine);
    if bytes > MAX_ITEM_BYTES {
        return Err(too_much_private(bytes, kernel));
    }
    kernel.item_bytes = bytes as u32;
    Ok(starts.iter().map(|&b| reachable_returns(b)).collect())
}

fn barrier_calls(item: &Item, by_name: &Functions) -> Vec<Value> {
    let Some(&barrier) = by_name.get(placeholder::BARRIER) else { return Vec::new() };
    item.function.body().into_iter().filter(|i| i.is_call() && i.called() == barrier).collect()
}

fn refuse_what_cannot_be_split(item: &Item, kernel: &Kernel) -> Result<(), CompileError> {
    let refuse = |what: &str, why| {
        Err(CompileError::Unsupported { what: what.into(), place: format!("kernel `{}`", kernel.name), why })
    };
    let entry = item.function.blocks()[0];
    for instruction in item.function.body() {
        if instruction.is_alloca()
            && (instruction.parent() != entry || instruction.operand(0).const_u64().is_none())
        {
            return refuse(
                "a variable-length array beside barriers",
                "its size must be known at compile time to keep it across a barrier",
            );
        }
        if instruction.is_invoke() || instruction.is_callbr() || instruction.is_indirect_br() {
            return refuse("an invoke or indirect branch beside barriers", "compile without exceptions");
        }
    }
    Ok(())
}

/// Lifetimes end at no barrier.
fn drop_lifetimes(item: &Item) {
    for instruction in item.function.body() {
        if instruction.is_call() && instruction.called().name().starts_with("llvm.lifetime.") {
            instruction.erase_instruction();
        }
    }
}

/// Puts what precedes a barrier in its block, and the barrier, into a block of their own.
fn isolate(item: &Item, call: Value) {
    let tail = call.parent();
    let head = tail.insert_before(c"before.barrier");
    let builder = Builder::at_end(head);
    for instruction in tail.instructions() {
        instruction.remove_from_block();
        builder.insert(instruction);
        if instruction == call {
            break;
        }
    }
    builder.br(tail);
    // Phis moved with the head, so that every branch to the block now goes there; the tail keeps its
    // terminator, so that phis of its successors stay right.
    for block in item.function.blocks() {
        if block == head {
            continue;
        }
        let Some(terminator) = block.terminator() else { continue };
        for (index, to) in terminator.successors().into_iter().enumerate() {
            if to == tail {
                terminator.set_successor(index, head);
            }
        }
    }
}

/// Copies cheap computations on ids and arguments to where they are used, so that they need no memory
/// across barriers, and addresses stay visibly linear in the item's number.
fn rematerialise(item: &Item) {
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
    pure && value.operands().into_iter().all(|o| is_cheap(o, budget))
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

/// Ends the function at every barrier and gives it an entry that goes where the state says.
/// Returns where each state starts.
fn cut(session: &Session, item: &Item, calls: Vec<Value>) -> Vec<Block> {
    let old_entry = item.function.blocks()[0];
    let int = session.int_type(32);
    let mut starts = vec![old_entry];
    for call in calls {
        let block = call.parent();
        let Some(branch) = block.terminator() else { continue };
        starts.push(branch.successors()[0]);
        branch.erase_instruction();
        call.erase_instruction();
        Builder::at_end(block).ret(int.const_int(starts.len() as u64 - 1));
    }
    let entry = old_entry.insert_before(c"resume");
    let builder = Builder::at_end(entry);
    for instruction in item.function.body() {
        if instruction.is_alloca() {
            instruction.remove_from_block();
            builder.insert(instruction);
        }
    }
    let cases: Vec<(Value, Block)> =
        (1..starts.len()).map(|k| (int.const_int(k as u64), starts[k])).collect();
    builder.switch(item.state(), old_entry, &cases);
    starts
}

/// Moves variables that live across a barrier into scratch; returns the scratch bytes of one item.
fn move_to_scratch(session: &Session, item: &Item, resumed: &[Block], machine: &TargetMachine) -> u64 {
    let data = machine.get_target_data();
    let entry = item.function.blocks()[0];
    let allocas: Vec<Value> = entry.instructions().into_iter().filter(|i| i.is_alloca()).collect();
    let live = live_across(item, &allocas, resumed);
    let (byte, word) = (session.int_type(8), session.int_type(64));
    let mut offset = STATE_BYTES;
    for alloca in allocas {
        if alloca.users().is_empty() {
            alloca.erase_instruction();
            continue;
        }
        if !live.contains(&alloca) {
            continue;
        }
        let stride = private_bytes(alloca, &data);
        let builder = Builder::before(entry.terminator().unwrap_or(alloca));
        // All items' copies of one variable lie side by side, so that the loop over items walks memory in order.
        let start = builder.multiply(item.padded(), word.const_int(offset));
        let own = builder.multiply(item.linear(), word.const_int(stride));
        let base = builder.byte_offset(byte, item.scratch(), start);
        let address = builder.byte_offset(byte, base, own);
        alloca.replace_all_uses(builder.address_space_cast(address, alloca.ty()));
        alloca.erase_instruction();
        offset += stride;
    }
    offset
}

fn private_bytes(alloca: Value, data: &inkwell::targets::TargetData) -> u64 {
    // SAFETY: the layout is live, and allocated types are sized.
    let size = unsafe { LLVMABISizeOfType(data.as_mut_ptr(), alloca.allocated_type().0) };
    let count = alloca.operand(0).const_u64().unwrap_or(u64::MAX);
    let align = u64::from(alloca.alignment().max(1));
    size.saturating_mul(count).max(1).checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

fn check_private_memory(item: &Item, machine: &TargetMachine, kernel: &Kernel) -> Result<(), CompileError> {
    let data = machine.get_target_data();
    let bytes = item
        .function
        .body()
        .into_iter()
        .filter(|i| i.is_alloca() && i.operand(0).const_u64().is_some())
        .fold(0u64, |sum, a| sum.saturating_add(private_bytes(a, &data)));
    if bytes > MAX_ITEM_BYTES { Err(too_much_private(bytes, kernel)) } else { Ok(()) }
}

fn too_much_private(bytes: u64, kernel: &Kernel) -> CompileError {
    CompileError::Unsupported {
        what: format!("{bytes} bytes of private memory per work-item"),
        place: format!("kernel `{}`", kernel.name),
        why: "at most 256 KiB fit; use global memory",
    }
}

/// The variables that may be read after a barrier without being written first.
fn live_across(item: &Item, allocas: &[Value], resumed: &[Block]) -> HashSet<Value> {
    let mut live = HashSet::new();
    let mut simple = HashSet::new();
    for &alloca in allocas {
        if alloca.users().into_iter().all(|u| is_plain_access(u, alloca)) {
            simple.insert(alloca);
        } else {
            // Its address is taken: it may be read anywhere.
            live.insert(alloca);
        }
    }
    let blocks = item.function.blocks();
    let mut reads: HashMap<Block, HashSet<Value>> = HashMap::new();
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
        reads.insert(block, read);
        writes.insert(block, written);
    }
    // Backwards to a fixed point: live at a block's start = read there, or live at a successor and not written here.
    let mut live_in = reads.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for block in blocks.iter().rev() {
            let incoming: Vec<Value> = block
                .successors()
                .iter()
                .flat_map(|s| live_in[s].iter().copied())
                .filter(|v| !writes[block].contains(v))
                .collect();
            let here = live_in.entry(*block).or_default();
            for value in incoming {
                changed |= here.insert(value);
            }
        }
    }
    live.extend(resumed.iter().flat_map(|b| live_in[b].iter().copied()));
    live
}

/// A load or store of the whole variable.
fn is_plain_access(user: Value, alloca: Value) -> bool {
    let ty = alloca.allocated_type();
    match user.opcode() {
        Opcode::LLVMLoad => user.ty() == ty && !user.is_volatile(),
        Opcode::LLVMStore => {
            user.operand(1) == alloca
                && user.operand(0) != alloca
                && user.operand(0).ty() == ty
                && !user.is_volatile()
        }
        _ => false,
    }
}

/// What can be returned from `start` on.
fn reachable_returns(start: Block) -> Next {
    let mut seen = HashSet::from([start]);
    let mut stack = vec![start];
    let mut found: HashSet<u32> = HashSet::new();
    while let Some(block) = stack.pop() {
        let Some(terminator) = block.terminator() else { continue };
        if terminator.opcode() == Opcode::LLVMRet {
            found.insert(terminator.operand(0).const_u64().map_or(EXIT, |v| v as u32));
        }
        for next in block.successors() {
            if seen.insert(next) {
                stack.push(next);
            }
        }
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) => Next::Always(only),
        // No return at all: the items never leave, so that nothing is said about what comes next.
        (None, _) => Next::Always(EXIT),
        _ => Next::Varies,
    }
}
