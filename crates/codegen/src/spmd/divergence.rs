//! Which values, slots and branches differ between the items of a group.
//!
//! Run on a function whose values cross blocks through slots only (after `reg2mem`). Conservative: what is
//! not shown to be the same for all items counts as divergent. "The same" means: among the items that are
//! still running, which is why a branch that only leaves the kernel makes nothing behind it divergent.

use std::collections::{HashMap, HashSet};

use super::item::Item;
use crate::ir::{Block, Opcode, Value};

/// The result.
pub(crate) struct Divergence {
    slots: HashSet<Value>,
    branches: HashSet<Block>,
    /// For each divergent branch the blocks that only some items may run, and where all meet again.
    ways: Vec<(Vec<Block>, Option<Block>)>,
    all: bool,
}

impl Divergence {
    /// Takes everything to differ between items.
    pub(crate) fn assume_all(&mut self) {
        self.all = true;
    }

    /// True where the slot (an alloca) may differ between items.
    pub(crate) fn slot(&self, alloca: Value) -> bool {
        self.all || self.slots.contains(&alloca)
    }

    /// For each divergent branch the blocks on its ways, and the block where the ways meet for good.
    pub(crate) fn divergent_branches(&self) -> impl Iterator<Item = (&[Block], Option<Block>)> {
        self.ways.iter().map(|(blocks, meet)| (blocks.as_slice(), *meet))
    }

    /// True where one of `blocks` ends in a branch that items may take differently.
    pub(crate) fn branches_in(&self, blocks: &[Block]) -> bool {
        blocks.iter().any(|b| self.branches.contains(b) || (self.all && b.successors().len() > 1))
    }
}

/// Analyses an item function before it is cut.
pub(crate) fn analyse(item: &Item) -> Divergence {
    let blocks = item.function.blocks();
    let graph = Graph::new(&blocks);
    let mut values: HashSet<Value> = item.divergent_params().into_iter().collect();
    let mut slots: HashSet<Value> = HashSet::new();
    let mut branches: HashSet<Block> = HashSet::new();
    let mut controlled: HashSet<Block> = HashSet::new();
    let simple: HashSet<Value> =
        item.function.body().into_iter().filter(|&i| i.is_alloca() && super::slots::is_simple(i)).collect();
    loop {
        let before = (values.len(), slots.len(), branches.len());
        for &block in &blocks {
            for i in block.instructions() {
                match i.opcode() {
                    Opcode::LLVMStore if simple.contains(&i.operand(1)) => {
                        if controlled.contains(&block) || values.contains(&i.operand(0)) {
                            slots.insert(i.operand(1));
                        }
                    }
                    Opcode::LLVMBr | Opcode::LLVMSwitch => {
                        if i.operand_count() > 0 && values.contains(&i.operand(0)) && i.successors().len() > 1
                        {
                            branches.insert(block);
                        }
                    }
                    _ => {
                        if is_divergent(i, &values, &slots, &simple) {
                            values.insert(i);
                        }
                    }
                }
            }
        }
        for &branch in &branches {
            controlled.extend(graph.influenced(branch));
        }
        if (values.len(), slots.len(), branches.len()) == before {
            let ways = branches.iter().map(|&b| (graph.influenced(b), graph.meet(b))).collect();
            return Divergence { slots, branches, ways, all: false };
        }
    }
}

fn is_divergent(i: Value, values: &HashSet<Value>, slots: &HashSet<Value>, simple: &HashSet<Value>) -> bool {
    let operands = || i.operands().into_iter().any(|o| values.contains(&o));
    match i.opcode() {
        // A private variable lies elsewhere for every item; a simple one is never seen by its address.
        Opcode::LLVMAlloca => !simple.contains(&i),
        Opcode::LLVMLoad if simple.contains(&i.operand(0)) => slots.contains(&i.operand(0)),
        Opcode::LLVMLoad => i.is_volatile() || i.is_atomic() || operands(),
        Opcode::LLVMCall => !i.called().name().starts_with("llvm.") || i.ty().is_void() || operands(),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMPHI | Opcode::LLVMFreeze => true,
        _ => operands(),
    }
}

/// Post-dominators, with the edges that only leave the kernel left out.
struct Graph {
    /// The blocks of each loop, by its head.
    loops: Vec<(Block, HashSet<Block>)>,
    successors: HashMap<Block, Vec<Block>>,
    /// For each block, the blocks that every path from it to an end passes.
    post_dominators: HashMap<Block, HashSet<Block>>,
}

impl Graph {
    fn new(blocks: &[Block]) -> Self {
        let leaves = |b: Block| {
            let instructions = b.instructions();
            instructions.len() == 1 && instructions[0].opcode() == Opcode::LLVMRet
        };
        let successors: HashMap<Block, Vec<Block>> = blocks
            .iter()
            .map(|&b| {
                let all = b.successors();
                let stay: Vec<Block> = all.iter().copied().filter(|&s| !leaves(s)).collect();
                (b, if stay.is_empty() { all } else { stay })
            })
            .collect();
        let everything: HashSet<Block> = blocks.iter().copied().collect();
        let mut post: HashMap<Block, HashSet<Block>> = blocks
            .iter()
            .map(|&b| (b, if successors[&b].is_empty() { HashSet::from([b]) } else { everything.clone() }))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &b in blocks.iter().rev() {
                let mut next = successors[&b].iter();
                let Some(first) = next.next() else { continue };
                let mut set = post[first].clone();
                for s in next {
                    set.retain(|x| post[s].contains(x));
                }
                set.insert(b);
                if set.len() != post[&b].len() {
                    post.insert(b, set);
                    changed = true;
                }
            }
        }
        let loops = super::cuts::natural_loops(blocks[0]);
        Self { loops, successors, post_dominators: post }
    }

    /// Where the ways of a branch meet again for good: its immediate post-dominator.
    fn meet(&self, branch: Block) -> Option<Block> {
        self.post_dominators[&branch]
            .iter()
            .copied()
            .filter(|b| *b != branch)
            .max_by_key(|b| self.post_dominators[b].len())
    }

    /// The blocks between a branch and where its ways meet. Where one of the ways goes round a loop that the
    /// branch is in, items get out of step there, and the whole loop counts.
    fn influenced(&self, branch: Block) -> Vec<Block> {
        let next = &self.successors[&branch];
        if next.len() < 2 {
            return Vec::new();
        }
        let meet = self.meet(branch);
        let mut seen: HashSet<Block> = HashSet::new();
        let mut stack: Vec<Block> = next.iter().copied().filter(|b| Some(*b) != meet).collect();
        while let Some(block) = stack.pop() {
            if seen.insert(block) {
                stack.extend(self.successors[&block].iter().copied().filter(|b| Some(*b) != meet));
            }
        }
        for (head, body) in &self.loops {
            if body.contains(&branch) && seen.contains(head) {
                seen.extend(body.iter().copied());
            }
        }
        seen.into_iter().collect()
    }
}
