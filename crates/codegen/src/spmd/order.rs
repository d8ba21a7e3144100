//! A linear order of blocks in which a loop's blocks stand together, in front of all that follows the loop.
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993),
//! made by taking strongly connected components apart at their first block. Of items at different cuts, the
//! one at the lowest is the one that the others wait for.

use std::collections::{HashMap, HashSet};

use super::cuts::reachable;
use crate::ir::Block;

/// The blocks that `entry` reaches, in order.
pub(crate) fn linear(entry: Block) -> Vec<Block> {
    let mut order = Vec::new();
    let all: HashSet<Block> = reachable(entry).into_iter().collect();
    // Work from the back of a stack of (component, its head): components are pushed in reverse order.
    let mut work = vec![(all, entry)];
    while let Some((component, head)) = work.pop() {
        order.push(head);
        let mut rest = component;
        rest.remove(&head);
        // Reverse topological order, so that the first to run is on top of the stack.
        work.extend(components(head, &rest));
    }
    order
}

/// The strongly connected components of `set`, as reached from `head`, last in topological order first; each
/// with the block that is reached first.
fn components(head: Block, set: &HashSet<Block>) -> Vec<(HashSet<Block>, Block)> {
    let mut t =
        Tarjan { set, index: HashMap::new(), low: HashMap::new(), stack: Vec::new(), found: Vec::new() };
    for root in head.successors() {
        if set.contains(&root) && !t.index.contains_key(&root) {
            t.visit(root);
        }
    }
    t.found
}

struct Tarjan<'a> {
    set: &'a HashSet<Block>,
    index: HashMap<Block, usize>,
    low: HashMap<Block, usize>,
    stack: Vec<Block>,
    found: Vec<(HashSet<Block>, Block)>,
}

impl Tarjan<'_> {
    /// Without recursion: kernels can have long chains of blocks.
    fn visit(&mut self, root: Block) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((block, at)) = path.pop() {
            let successors = block.successors();
            if let Some(&next) = successors.get(at) {
                path.push((block, at + 1));
                if !self.set.contains(&next) {
                    continue;
                }
                match self.index.get(&next) {
                    None => {
                        self.enter(next);
                        path.push((next, 0));
                    }
                    Some(&index) if self.stack.contains(&next) => self.lower(block, index),
                    Some(_) => {}
                }
                continue;
            }
            if self.low[&block] == self.index[&block] {
                let at = self.stack.iter().position(|b| *b == block).unwrap_or(0);
                let component = self.stack.split_off(at).into_iter().collect();
                self.found.push((component, block));
            }
            if let Some(&(parent, _)) = path.last() {
                let low = self.low[&block];
                self.lower(parent, low);
            }
        }
    }

    fn enter(&mut self, block: Block) {
        let index = self.index.len();
        self.index.insert(block, index);
        self.low.insert(block, index);
        self.stack.push(block);
    }

    fn lower(&mut self, block: Block, to: usize) {
        if let Some(low) = self.low.get_mut(&block) {
            *low = (*low).min(to);
        }
    }
}
