//! The reference: one item at a time, from barrier to barrier.

use super::ast::{
    BinOp, COUNTERS, Cast, Expr, INPUTS, ITEMS, Kernel, Node, OUTPUTS, PRIVATE, Pred, Shape, Stmt, Ty, UnOp,
};
use super::data::{Memory, array_of};

/// Why a kernel says nothing about the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reject {
    /// Two items use one element of group memory between two barriers, and one of them writes.
    Race,
    /// An element of group memory is read that nobody wrote.
    Unwritten,
    /// It runs too long.
    Long,
}

/// Structured statements as jumps.
enum Op<'a> {
    Set(usize, &'a Expr),
    SetConst(usize, u64),
    Bound(usize, &'a Expr, u32),
    Increment(usize),
    Swap(usize, usize),
    Jump(usize),
    Unless(&'a Expr, usize),
    If(&'a Expr, usize),
    UnlessLess(usize, usize, usize),
    UnlessBelow(usize, u32, usize),
    Switch(&'a Expr, Vec<usize>, usize),
    Return,
    Barrier,
    Group(usize, u32, &'a Expr),
    Private(usize, &'a Expr, &'a Expr),
    Output(usize, &'a Expr),
    Count(&'a Expr, &'a Expr),
}

#[derive(Default)]
struct Flat<'a> {
    ops: Vec<Op<'a>>,
    /// Jumps to be given their target: those of `break`, those of `continue`.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
}

impl<'a> Flat<'a> {
    fn push(&mut self, op: Op<'a>) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn aim(&mut self, at: usize) {
        let here = self.ops.len();
        match &mut self.ops[at] {
            Op::Jump(t)
            | Op::Unless(_, t)
            | Op::If(_, t)
            | Op::UnlessLess(.., t)
            | Op::UnlessBelow(.., t) => {
                *t = here;
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &'a [Stmt]) {
        for s in block {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'a Stmt) {
        match s {
            Stmt::Set(v, e) => drop(self.push(Op::Set(*v, e))),
            Stmt::Swap(a, b) => drop(self.push(Op::Swap(*a, *b))),
            Stmt::If(c, yes, no) => {
                let skip = self.push(Op::Unless(c, 0));
                self.block(yes);
                let end = self.push(Op::Jump(0));
                self.aim(skip);
                self.block(no);
                self.aim(end);
            }
            Stmt::Switch(e, arms) => {
                let at = self.push(Op::Switch(e, Vec::new(), 0));
                let mut targets = Vec::new();
                let mut ends = Vec::new();
                for arm in arms {
                    targets.push(self.ops.len());
                    self.block(arm);
                    ends.push(self.push(Op::Jump(0)));
                }
                let end = self.ops.len();
                for e in ends {
                    self.aim(e);
                }
                self.ops[at] = Op::Switch(e, targets, end);
            }
            Stmt::For { counter, end, bound, mask, body } => {
                self.push(Op::Bound(*end, bound, *mask));
                self.push(Op::SetConst(*counter, 0));
                let head = self.push(Op::UnlessLess(*counter, *end, 0));
                self.loops.push((vec![head], Vec::new()));
                self.block(body);
                self.next_round();
                self.push(Op::Increment(*counter));
                self.push(Op::Jump(head));
                self.end_loop();
            }
            Stmt::Do { counter, limit, again, body } => {
                self.push(Op::SetConst(*counter, 0));
                let head = self.ops.len();
                self.loops.push((Vec::new(), Vec::new()));
                self.block(body);
                self.next_round();
                self.push(Op::Increment(*counter));
                let out = self.push(Op::UnlessBelow(*counter, *limit, 0));
                self.push(Op::If(again, head));
                self.aim(out);
                self.end_loop();
            }
            Stmt::Break(outer) => {
                let at = self.ops.len();
                let depth = self.loops.len();
                if let Some(l) = self.loops.get_mut(depth.saturating_sub(1 + outer)) {
                    l.0.push(at);
                    self.push(Op::Jump(0));
                }
            }
            Stmt::Continue => {
                let at = self.ops.len();
                if let Some(l) = self.loops.last_mut() {
                    l.1.push(at);
                    self.push(Op::Jump(0));
                }
            }
            Stmt::Call(body) => {
                let outside = std::mem::take(&mut self.loops);
                self.block(body);
                self.loops = outside;
            }
            Stmt::Return => drop(self.push(Op::Return)),
            Stmt::Barrier => drop(self.push(Op::Barrier)),
            Stmt::Group { array, turn, value } => drop(self.push(Op::Group(*array, *turn, value))),
            Stmt::Private { array, index, value } => drop(self.push(Op::Private(*array, index, value))),
            Stmt::Output(k, e) => drop(self.push(Op::Output(*k, e))),
            Stmt::Count { index, value } => drop(self.push(Op::Count(index, value))),
        }
    }

    fn next_round(&mut self) {
        let jumps = self.loops.last_mut().map(|l| std::mem::take(&mut l.1));
        for at in jumps.into_iter().flatten() {
            self.aim(at);
        }
    }

    fn end_loop(&mut self) {
        for at in self.loops.pop().into_iter().flat_map(|l| l.0) {
            self.aim(at);
        }
    }
}

struct Item {
    id: [u32; 3],
    linear: u32,
    at: usize,
    done: bool,
    vars: Vec<u64>,
    private: Vec<[u64; PRIVATE as usize]>,
}

/// An element of group memory, and who used it last.
#[derive(Clone, Copy)]
struct Cell {
    value: Option<u64>,
    written: (u32, u32),
    read: (u32, u32),
}

const MANY: u32 = u32::MAX;

struct Run<'a> {
    kernel: &'a Kernel,
    shape: Shape,
    memory: &'a mut Memory,
    group_id: [u32; 3],
    group_linear: u32,
    group: Vec<Vec<Cell>>,
    epoch: u32,
    fuel: u64,
    reject: Option<Reject>,
}

/// Runs a launch and leaves the results in `memory`.
pub(crate) fn run(kernel: &Kernel, shape: Shape, memory: &mut Memory) -> Result<(), Reject> {
    let mut flat = Flat::default();
    flat.block(&kernel.body);
    flat.push(Op::Return);
    let ops = flat.ops;
    let mut run = Run {
        kernel,
        shape,
        memory,
        group_id: [0; 3],
        group_linear: 0,
        group: Vec::new(),
        epoch: 1,
        fuel: 1_500_000,
        reject: None,
    };
    let [gx, gy, gz] = shape.groups;
    for group_linear in 0..gx * gy * gz {
        run.group_linear = group_linear;
        run.group_id = [group_linear % gx, group_linear / gx % gy, group_linear / gx / gy];
        run.one_group(&ops)?;
    }
    Ok(())
}

impl Run<'_> {
    fn one_group(&mut self, ops: &[Op<'_>]) -> Result<(), Reject> {
        let fresh = Cell { value: None, written: (0, 0), read: (0, 0) };
        self.group = vec![vec![fresh; ITEMS as usize]; self.kernel.group.len()];
        let [sx, sy, _] = self.shape.size;
        let mut items: Vec<Item> = (0..self.shape.items())
            .map(|linear| Item {
                id: [linear % sx, linear / sx % sy, linear / sx / sy],
                linear,
                at: 0,
                done: false,
                vars: vec![0; self.kernel.vars.len()],
                private: self.kernel.private.iter().map(|&t| private_start(t)).collect(),
            })
            .collect();
        for item in &mut items {
            for (v, var) in self.kernel.vars.iter().enumerate() {
                item.vars[v] = self.eval(item, &var.init);
            }
        }
        while items.iter().any(|i| !i.done) {
            for item in items.iter_mut().filter(|i| !i.done) {
                self.go_on(ops, item);
                if let Some(reject) = self.reject {
                    return Err(reject);
                }
            }
            self.epoch += 1;
        }
        Ok(())
    }

    fn go_on(&mut self, ops: &[Op<'_>], item: &mut Item) {
        loop {
            if self.fuel == 0 {
                self.reject = Some(Reject::Long);
                return;
            }
            self.fuel -= 1;
            let op = &ops[item.at];
            item.at += 1;
            match op {
                Op::Set(v, e) => item.vars[*v] = self.eval(item, e),
                Op::SetConst(v, c) => item.vars[*v] = *c,
                Op::Bound(v, e, mask) => item.vars[*v] = self.eval(item, e) & u64::from(*mask),
                Op::Increment(v) => item.vars[*v] += 1,
                Op::Swap(a, b) => item.vars.swap(*a, *b),
                Op::Jump(to) => item.at = *to,
                Op::Unless(c, to) => {
                    if self.eval(item, c) == 0 {
                        item.at = *to;
                    }
                }
                Op::If(c, to) => {
                    if self.eval(item, c) != 0 {
                        item.at = *to;
                    }
                }
                Op::UnlessLess(a, b, to) => {
                    if item.vars[*a] >= item.vars[*b] {
                        item.at = *to;
                    }
                }
                Op::UnlessBelow(v, limit, to) => {
                    if item.vars[*v] >= u64::from(*limit) {
                        item.at = *to;
                    }
                }
                Op::Switch(e, targets, end) => {
                    let arm = (self.eval(item, e) & 3) as usize;
                    item.at = targets.get(arm).copied().unwrap_or(*end);
                }
                Op::Return => {
                    item.done = true;
                    return;
                }
                Op::Barrier => return,
                Op::Group(array, turn, value) => {
                    let value = self.eval(item, value);
                    let items = self.shape.items();
                    let turn = if *turn < items { *turn } else { 0 };
                    let slot = ((item.linear + turn) % items) as usize;
                    let cell = &mut self.group[*array][slot];
                    let other = |(epoch, who): (u32, u32)| epoch == self.epoch && who != item.linear;
                    if other(cell.written) || other(cell.read) {
                        self.reject = Some(Reject::Race);
                    }
                    cell.value = Some(value);
                    cell.written = (self.epoch, item.linear);
                }
                Op::Private(array, index, value) => {
                    let index = (self.eval(item, index) % u64::from(PRIVATE)) as usize;
                    let value = self.eval(item, value);
                    item.private[*array][index] = value;
                }
                Op::Output(k, e) => {
                    let value = self.eval(item, e);
                    let slot = self.slot(item, *k);
                    self.memory.outputs[array_of(e.ty)][slot] = value;
                }
                Op::Count(index, value) => {
                    let index = (self.eval(item, index) % u64::from(COUNTERS)) as usize;
                    let value = self.eval(item, value);
                    let counter = &mut self.memory.counters[index];
                    *counter = (*counter + value) & Ty::I32.mask();
                }
            }
        }
    }

    fn slot(&self, item: &Item, k: usize) -> usize {
        let number = (self.group_linear * self.shape.items() + item.linear) as usize;
        if self.kernel.planar { k * self.shape.total() as usize + number } else { number * OUTPUTS + k }
    }

    fn eval(&mut self, item: &Item, e: &Expr) -> u64 {
        let v = match &e.node {
            Node::Const(v) => *v,
            Node::Var(v) => item.vars[*v],
            Node::LocalId(d) => u64::from(item.id[*d as usize]),
            Node::GroupId(d) => u64::from(self.group_id[*d as usize]),
            Node::GroupSize(d) => u64::from(self.shape.size[*d as usize]),
            Node::GroupCount(d) => u64::from(self.shape.groups[*d as usize]),
            Node::GlobalId(d) => {
                let d = *d as usize;
                u64::from(self.group_id[d]) * u64::from(self.shape.size[d]) + u64::from(item.id[d])
            }
            Node::Linear => u64::from(item.linear),
            Node::Param(p) => self.memory.params[*p],
            Node::Bin(op, a, b) => {
                let (x, y) = (self.eval(item, a), self.eval(item, b));
                binary(*op, a.ty, x, y)
            }
            Node::Cmp(pred, a, b) => {
                let (x, y) = (self.eval(item, a), self.eval(item, b));
                u64::from(compare(*pred, a.ty, x, y))
            }
            Node::Un(op, a) => {
                let x = self.eval(item, a);
                let f = f32::from_bits(x as u32);
                match op {
                    UnOp::CtPop => u64::from(x.count_ones()),
                    UnOp::FNeg => x ^ 0x8000_0000,
                    UnOp::FAbs => x & 0x7fff_ffff,
                    UnOp::FSqrt => u64::from(f.sqrt().to_bits()),
                }
            }
            Node::Cast(c, a) => {
                let x = self.eval(item, a);
                cast(*c, a.ty, x)
            }
            Node::Select(c, a, b) => {
                let (c, x, y) = (self.eval(item, c), self.eval(item, a), self.eval(item, b));
                if c != 0 { x } else { y }
            }
            Node::Input(i) => {
                let i = self.eval(item, i) % u64::from(INPUTS);
                self.memory.inputs[array_of(e.ty)][i as usize]
            }
            Node::Group(array, i) => {
                let i = self.eval(item, i).min(u64::from(self.shape.items() - 1));
                let cell = &mut self.group[*array][i as usize];
                if cell.written.0 == self.epoch && cell.written.1 != item.linear {
                    self.reject = Some(Reject::Race);
                }
                let first = cell.read.0 != self.epoch || cell.read.1 == item.linear;
                cell.read = (self.epoch, if first { item.linear } else { MANY });
                if cell.value.is_none() {
                    self.reject = self.reject.or(Some(Reject::Unwritten));
                }
                cell.value.unwrap_or(0)
            }
            Node::Private(array, i) => {
                let i = self.eval(item, i) % u64::from(PRIVATE);
                item.private[*array][i as usize]
            }
            Node::Output(k) => {
                let slot = self.slot(item, *k);
                self.memory.outputs[array_of(e.ty)][slot]
            }
        };
        v & e.ty.mask()
    }
}

/// What a private array holds at the start.
pub(crate) fn private_start(ty: Ty) -> [u64; PRIVATE as usize] {
    std::array::from_fn(|i| if ty == Ty::F32 { u64::from((i as f32).to_bits()) } else { 3 * i as u64 })
}

fn signed(ty: Ty, v: u64) -> i64 {
    let unused = 64 - ty.bits();
    ((v << unused) as i64) >> unused
}

fn binary(op: BinOp, ty: Ty, x: u64, y: u64) -> u64 {
    let (sx, sy) = (signed(ty, x), signed(ty, y));
    let (fx, fy) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
    let f = |v: f32| u64::from(v.to_bits());
    let count = (y % u64::from(ty.bits())) as u32;
    match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x << count,
        BinOp::LShr => x >> count,
        BinOp::AShr => (sx >> count) as u64,
        BinOp::UDiv => x / (y | 1),
        BinOp::URem => x % (y | 1),
        BinOp::SDiv => (sx / ((y & 15) + 1) as i64) as u64,
        BinOp::SRem => (sx % ((y & 15) + 1) as i64) as u64,
        BinOp::UMin => x.min(y),
        BinOp::UMax => x.max(y),
        BinOp::SMin => sx.min(sy) as u64,
        BinOp::SMax => sx.max(sy) as u64,
        BinOp::FAdd => f(fx + fy),
        BinOp::FSub => f(fx - fy),
        BinOp::FMul => f(fx * fy),
        BinOp::FDiv => f(fx / fy),
    }
}

fn compare(pred: Pred, ty: Ty, x: u64, y: u64) -> bool {
    let (fx, fy) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
    match pred {
        Pred::Eq => x == y,
        Pred::Ne => x != y,
        Pred::Ult => x < y,
        Pred::Ule => x <= y,
        Pred::Slt => signed(ty, x) < signed(ty, y),
        Pred::Sge => signed(ty, x) >= signed(ty, y),
        Pred::FLt => fx < fy,
        Pred::FGe => fx >= fy,
        Pred::FEq => fx == fy,
        Pred::FUnordered => fx.is_nan() || fy.is_nan(),
    }
}

fn cast(cast: Cast, from: Ty, x: u64) -> u64 {
    let f = f32::from_bits(x as u32);
    match cast {
        Cast::ZExt | Cast::Trunc | Cast::FromBits => x,
        Cast::SExt => signed(from, x) as u64,
        Cast::SToF => u64::from((signed(from, x) as f32).to_bits()),
        Cast::UToF => u64::from((x as f32).to_bits()),
        Cast::FToS if f.abs() < (1 << 30) as f32 => f as i32 as u64,
        Cast::FToS => 0,
        Cast::Bits if f.is_nan() => 0x7fc0_0000,
        Cast::Bits => x,
    }
}
