//! Cuts an item function into regions: at barriers, and at the loops that items should run side by side.
//!
//! Called with state `k`, the function starts at cut `k` (0: at the beginning), runs to the next cut, and
//! returns that one's number; [`PENDING`] is added where a barrier stands there, and [`EXIT`] means the
//! kernel's end. Between two calls nothing is kept in registers: values that live across a cut lie in
//! slots ([`super::slots`]).
//!
//! Every item of a *group* must arrive at a barrier before any goes on. Every item of a *chunk*, a few
//! dozen that the entry point runs in lock step, arrives at a loop's head before any goes on: so the loop
//! over items becomes the innermost one, and LLVM turns it into vector code, also where items leave the
//! loop at different times.
//!
//! This needs no structure: barriers in loops, in branches and in inlined helpers are all the same. Items
//! that arrive at *different* barriers (a front end may have duplicated one) go on each from its own: all
//! barriers are one. An item that returns while others wait is simply done.

use std::collections::{HashMap, HashSet};

use inkwell::targets::TargetMachine;
use oarlock_image::Kernel;

use super::item::Item;
use super::{divergence, order, phis, slots};
use crate::CompileError;
use crate::dialect::placeholder;
use crate::ir::{Block, Builder, Functions, Opcode, Value};
use crate::session::Session;

/// What an item returns at the kernel's end.
pub(crate) const EXIT: u32 = u32::MAX;
/// Added to the number of a cut that is a barrier.
pub(crate) const PENDING: u32 = 1 << 30;

/// How the returns of one region differ between the items that run it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variety {
    /// All return the same.
    Uniform,
    /// Each its own.
    Divergent,
}

/// What runs between two cuts.
pub(crate) struct Region {
    /// What it may return, ascending.
    pub(crate) returns: Vec<u32>,
    pub(crate) variety: Variety,
    /// The slots that it reads or writes, by number.
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
}

/// An item function that has been cut.
pub(crate) struct Plan {
    /// One for each state. A single one means no cut.
    pub(crate) regions: Vec<Region>,
    pub(crate) slots: Vec<slots::Slot>,
    /// Bytes of the block that carries one item's slots in and out of a call.
    pub(crate) frame_bytes: u64,
    /// How many instructions the item function has.
    pub(crate) instructions: usize,
    pub(crate) has_barriers: bool,
    /// All items of a group are always at the same barrier: none ends early, none takes another way.
    pub(crate) in_step: bool,
}

/// Cuts the function and fills in the kernel's barriers and scratch. Loops are cut only if `loops` says so.
pub(crate) fn cut(
    session: &Session,
    item: &Item,
    by_name: &Functions,
    machine: &TargetMachine,
    kernel: &mut Kernel,
    loops: bool,
) -> Result<Plan, CompileError> {
    slots::check_private_memory(item, machine, kernel)?;
    let barriers = barrier_calls(item, by_name);
    let obstacle = obstacle(item);
    let heads = if loops && obstacle.is_none() { loop_cuts(item) } else { HashSet::new() };
    if barriers.is_empty() && heads.is_empty() {
        let region =
            Region { returns: vec![EXIT], variety: Variety::Uniform, reads: Vec::new(), writes: Vec::new() };
        return Ok(Plan {
            regions: vec![region],
            slots: Vec::new(),
            frame_bytes: 0,
            instructions: 0,
            has_barriers: false,
            in_step: true,
        });
    }
    if let Some((what, why)) = obstacle {
        return Err(CompileError::Unsupported {
            what: what.into(),
            place: format!("kernel `{}`", kernel.name),
            why,
        });
    }
    kernel.barriers = barriers.len() as u32;
    slots::drop_lifetimes(item);
    for call in barriers {
        isolate(item, call);
    }
    slots::rematerialise(item);
    session.run_on(item.function, "break-crit-edges", machine)?;
    phis::demote(item);
    session.run_on(item.function, "reg2mem", machine)?;

    let barriers = barrier_calls(item, by_name);
    let mut divergence = divergence::analyse(item);
    let mut cuts = if heads.is_empty() { HashSet::new() } else { loop_cuts(item) };
    meet_again(&divergence, &barriers, &mut cuts);
    let resumed: HashSet<Block> = barriers.iter().flat_map(|b| b.parent().successors()).collect();
    // Items that wait at a barrier on one of the ways are overtaken by the others: from there on nothing is
    // the same for all, because all are not there at once.
    let overtaken =
        barriers.iter().any(|b| divergence.divergent_branches().any(|(ways, _)| ways.contains(&b.parent())));
    if overtaken {
        divergence.assume_all();
    }
    let starts = apply(session, item, barriers, &cuts);
    let returns: Vec<Vec<u32>> = starts.iter().map(|&b| reachable_returns(b)).collect();
    let has_barriers = kernel.barriers > 0;
    let instructions = item.function.body().len();
    let placed = slots::place(session, item, &starts, machine, &divergence, &resumed, &returns);
    if placed.item_bytes > slots::MAX_ITEM_BYTES {
        return Err(slots::too_much_private(placed.item_bytes, kernel));
    }
    kernel.item_bytes = placed.item_bytes as u32;
    let regions: Vec<Region> = returns
        .into_iter()
        .zip(&starts)
        .zip(placed.access)
        .map(|((returns, &start), (reads, writes))| Region {
            variety: if returns.len() > 1 && divergence.branches_in(&reachable(start)) {
                Variety::Divergent
            } else {
                Variety::Uniform
            },
            returns,
            reads,
            writes,
        })
        .collect();
    let ends_early = regions.iter().any(|r| r.variety == Variety::Divergent && r.returns.contains(&EXIT));
    let in_step = !overtaken && !ends_early;
    Ok(Plan {
        regions,
        slots: placed.slots,
        frame_bytes: placed.frame_bytes,
        instructions,
        has_barriers,
        in_step,
    })
}

fn barrier_calls(item: &Item, by_name: &Functions) -> Vec<Value> {
    let Some(&barrier) = by_name.get(placeholder::BARRIER) else { return Vec::new() };
    item.function.body().into_iter().filter(|i| i.is_call() && i.called() == barrier).collect()
}

/// Why the function cannot be cut, if it cannot.
fn obstacle(item: &Item) -> Option<(&'static str, &'static str)> {
    let entry = item.function.blocks()[0];
    for i in item.function.body() {
        if i.is_alloca() && (i.parent() != entry || i.operand(0).const_u64().is_none()) {
            return Some((
                "a variable-length array beside barriers",
                "its size must be known at compile time to keep it across a barrier",
            ));
        }
        if i.is_invoke() || i.is_callbr() || i.is_indirect_br() {
            return Some(("an invoke or indirect branch beside barriers", "compile without exceptions"));
        }
    }
    None
}

/// Heads and exits of the loops that are worth cutting: those whose work vector code can do.
fn loop_cuts(item: &Item) -> HashSet<Block> {
    let entry = item.function.blocks()[0];
    let mut cuts = HashSet::new();
    for (head, body) in natural_loops(entry) {
        if !body.contains(&entry) && body.iter().all(|b| b.instructions().into_iter().all(vector_code_can)) {
            cuts.insert(head);
            cuts.extend(body.iter().flat_map(|b| b.successors()).filter(|b| !body.contains(b)));
        }
    }
    cuts
}

/// The loops: for each head the blocks that reach one of its back edges without passing it.
pub(crate) fn natural_loops(entry: Block) -> Vec<(Block, HashSet<Block>)> {
    let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
    for block in reachable(entry) {
        for next in block.successors() {
            predecessors.entry(next).or_default().push(block);
        }
    }
    let mut loops: Vec<(Block, HashSet<Block>)> = Vec::new();
    for (tail, head) in back_edges(entry) {
        let mut body = HashSet::from([head, tail]);
        let mut stack = if tail == head { Vec::new() } else { vec![tail] };
        while let Some(block) = stack.pop() {
            for &before in predecessors.get(&block).map_or(&[][..], |p| p) {
                if body.insert(before) {
                    stack.push(before);
                }
            }
        }
        match loops.iter_mut().find(|(h, _)| *h == head) {
            Some((_, all)) => all.extend(body),
            None => loops.push((head, body)),
        }
    }
    loops
}

/// Edges to a block that is on the path of a depth-first walk.
fn back_edges(entry: Block) -> Vec<(Block, Block)> {
    let mut edges = Vec::new();
    let mut done = HashSet::new();
    let mut path = HashSet::from([entry]);
    let mut stack = vec![(entry, 0)];
    while let Some((block, at)) = stack.pop() {
        let Some(&next) = block.successors().get(at) else {
            path.remove(&block);
            done.insert(block);
            continue;
        };
        stack.push((block, at + 1));
        if path.contains(&next) {
            edges.push((block, next));
        } else if !done.contains(&next) {
            path.insert(next);
            stack.push((next, 0));
        }
    }
    edges
}

/// False for what the loop vectoriser leaves scalar: then lock step costs and gives nothing.
fn vector_code_can(instruction: Value) -> bool {
    const INTRINSICS: [&str; 24] = [
        "llvm.sqrt.",
        "llvm.fabs.",
        "llvm.fma.",
        "llvm.fmuladd.",
        "llvm.minnum.",
        "llvm.maxnum.",
        "llvm.smin.",
        "llvm.smax.",
        "llvm.umin.",
        "llvm.umax.",
        "llvm.abs.",
        "llvm.floor.",
        "llvm.ceil.",
        "llvm.trunc.",
        "llvm.rint.",
        "llvm.round.",
        "llvm.copysign.",
        "llvm.ctpop.",
        "llvm.fshl.",
        "llvm.fshr.",
        "llvm.uadd.sat.",
        "llvm.usub.sat.",
        "llvm.lifetime.",
        "llvm.experimental.noalias.scope.decl",
    ];
    match instruction.opcode() {
        Opcode::LLVMCall => {
            let name = instruction.called().name();
            // A barrier is a cut of its own.
            name == placeholder::BARRIER || INTRINSICS.iter().any(|i| name.starts_with(i))
        }
        Opcode::LLVMLoad | Opcode::LLVMStore => !instruction.is_volatile() && !instruction.is_atomic(),
        Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMAlloca => false,
        _ => instruction.ty().vector_len().is_none(),
    }
}

/// Where items take different ways and one of the ways is cut, they must all be cut where the ways meet:
/// what runs there runs once for all of them.
fn meet_again(divergence: &divergence::Divergence, barriers: &[Value], cuts: &mut HashSet<Block>) {
    let resumed: HashSet<Block> = barriers.iter().flat_map(|b| b.parent().successors()).collect();
    loop {
        let before = cuts.len();
        for (influenced, meet) in divergence.divergent_branches() {
            if influenced.iter().any(|b| cuts.contains(b) || resumed.contains(b)) {
                cuts.extend(meet.filter(|b| !resumed.contains(b)));
            }
        }
        if cuts.len() == before {
            return;
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
    redirect(item, tail, head, &|from| from != head);
}

/// Sends branches to `old` from blocks that `which` selects to `new`.
fn redirect(item: &Item, old: Block, new: Block, which: &dyn Fn(Block) -> bool) {
    for block in item.function.blocks().into_iter().filter(|b| which(*b)) {
        let Some(terminator) = block.terminator() else { continue };
        for (index, to) in terminator.successors().into_iter().enumerate() {
            if to == old {
                terminator.set_successor(index, new);
            }
        }
    }
}

/// Ends the function at every cut and gives it an entry that goes where the state says.
/// Returns where each state starts, in an order in which an item with a lower state is further behind.
fn apply(session: &Session, item: &Item, barriers: Vec<Value>, heads: &HashSet<Block>) -> Vec<Block> {
    let old_entry = item.function.blocks()[0];
    let int = session.int_type(32);
    let resumed: HashMap<Block, Value> =
        barriers.into_iter().filter_map(|b| Some((*b.parent().successors().first()?, b))).collect();
    let starts: Vec<Block> = order::linear(old_entry)
        .into_iter()
        .filter(|b| *b == old_entry || resumed.contains_key(b) || heads.contains(b))
        .collect();
    let number: HashMap<Block, u32> = starts.iter().enumerate().map(|(k, &b)| (b, k as u32)).collect();
    for (&block, &call) in &resumed {
        // A barrier that no path reaches has no number, and needs none.
        let Some(&k) = number.get(&block) else { continue };
        let Some(branch) = call.parent().terminator() else { continue };
        let at = call.parent();
        branch.erase_instruction();
        call.erase_instruction();
        Builder::at_end(at).ret(int.const_int(u64::from(k | PENDING)));
    }
    for &head in heads {
        let Some(&k) = number.get(&head) else { continue };
        let leave = head.insert_before(c"cut");
        Builder::at_end(leave).ret(int.const_int(u64::from(k)));
        redirect(item, head, leave, &|from| from != leave);
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

/// The blocks that a region can run.
pub(crate) fn reachable(start: Block) -> Vec<Block> {
    let mut seen = HashSet::from([start]);
    let mut list = vec![start];
    let mut at = 0;
    while at < list.len() {
        for next in list[at].successors() {
            if seen.insert(next) {
                list.push(next);
            }
        }
        at += 1;
    }
    list
}

/// What can be returned from `start` on, ascending. A region that never returns counts as ending.
fn reachable_returns(start: Block) -> Vec<u32> {
    let mut found: Vec<u32> = reachable(start)
        .into_iter()
        .filter_map(Block::terminator)
        .filter(|t| t.opcode() == Opcode::LLVMRet)
        .map(|t| t.operand(0).const_u64().map_or(EXIT, |v| v as u32))
        .collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { vec![EXIT] } else { found }
}
