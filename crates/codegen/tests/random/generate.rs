//! Makes kernels out of random numbers, and makes failing ones smaller.

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::ast::{
    ARRAYS, BinOp, Cast, Expr, ITEMS, Kernel, Machine, Node, OUTPUTS, PARAMS, Pred, Shape, Stmt, Ty, UnOp,
    Var,
};
use super::data::Random;

/// Where barriers may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nowhere.
    None,
    /// Where all items of the group come, as the languages demand.
    Uniform,
    /// Anywhere: items meet at different barriers, or have left.
    Free,
}

const SIZES: [[u32; 3]; 20] = [
    [1, 1, 1],
    [3, 1, 1],
    [4, 1, 1],
    [5, 1, 1],
    [7, 1, 1],
    [8, 1, 1],
    [16, 1, 1],
    [17, 1, 1],
    [31, 1, 1],
    [33, 1, 1],
    [64, 1, 1],
    [100, 1, 1],
    [256, 1, 1],
    [16, 16, 1],
    [16, 4, 1],
    [32, 2, 1],
    [5, 3, 2],
    [1, 7, 1],
    [2, 1, 9],
    [3, 3, 3],
];

const TYPES: [Ty; 8] = [Ty::I32, Ty::I32, Ty::I32, Ty::I64, Ty::F32, Ty::F32, Ty::I16, Ty::Bool];

#[derive(Clone, Copy)]
struct Ctx {
    /// All items of the group come here together.
    uniform: bool,
    depth: u32,
    loops: u32,
    /// Inside a loop; whether items may leave it on their own.
    in_loop: Option<bool>,
    /// The same of the loop around that one.
    outer: Option<bool>,
    /// Inside a function that is called.
    called: bool,
}

struct Generator {
    r: Random,
    mode: Mode,
    kernel: Kernel,
    /// For each variable, whether it is the same for all items of the group.
    uniform: Vec<bool>,
    /// Counters of loops that are open: no statement may change them.
    fixed: Vec<usize>,
    /// Arrays of group memory that may be read here.
    readable: Vec<usize>,
    /// Arrays that an open phase uses.
    busy: Vec<usize>,
    budget: i32,
    /// Loops and barriers that may still be made: they are what takes long to compile.
    cuts: i32,
    parting: bool,
    counts: bool,
    /// Integers are divided: rarely, for it makes long vector code.
    divides: bool,
}

/// The kernel of a seed.
fn kernel(seed: u64, kind: Kernels) -> Kernel {
    let mut r = Random(seed);
    let mode = match kind {
        Kernels::All => r.pick(&[Mode::None, Mode::Uniform, Mode::Uniform, Mode::Free]),
        Kernels::Strict => r.pick(&[Mode::None, Mode::Uniform, Mode::Uniform]),
        Kernels::Parting => Mode::Free,
    };
    let parting = kind == Kernels::Parting;
    let kernel = Kernel {
        data: r.next(),
        // Wide vectors take long to compile.
        machine: r.pick(&[Machine::V2, Machine::V2, Machine::V2, Machine::V2, Machine::V3, Machine::Host]),
        phis: r.chance(70),
        planar: r.chance(50),
        vars: Vec::new(),
        group: Vec::new(),
        private: Vec::new(),
        body: Vec::new(),
        shapes: Vec::new(),
    };
    // Most are small: they compile fast.
    let most = r.pick(&[5, 5, 5, 8, 8, 12, 22]);
    let budget = 2 + r.below(most) as i32;
    let cuts = if parting { r.pick(&[3, 4, 5, 6]) } else { r.pick(&[1, 2, 2, 3, 3, 4, 5, 6, 12]) };
    let counts = r.chance(8);
    let divides = r.chance(10);
    let mut g = Generator {
        r,
        mode,
        kernel,
        uniform: Vec::new(),
        fixed: Vec::new(),
        readable: Vec::new(),
        busy: Vec::new(),
        budget,
        cuts,
        parting,
        counts,
        divides,
    };
    g.whole();
    g.kernel
}

impl Generator {
    fn whole(&mut self) {
        for _ in 0..2 + self.r.below(4) {
            let (ty, uniform) = (self.r.pick(&TYPES), self.r.chance(25));
            let init = self.expr(ty, 2, uniform);
            self.var(ty, uniform, init);
        }
        if self.r.chance(35) {
            for _ in 0..1 + self.r.below(2) {
                let ty = self.r.pick(&TYPES[..7]);
                self.kernel.private.push(ty);
            }
        }
        let mut body = Vec::new();
        if self.mode != Mode::None {
            for array in 0..1 + self.r.below(3) as usize {
                let ty = self.r.pick(&TYPES[..7]);
                self.kernel.group.push(ty);
                if self.r.chance(60) {
                    let value = self.expr(ty, 1, false);
                    body.push(Stmt::Group { array, turn: 0, value });
                }
            }
            if !body.is_empty() {
                body.push(Stmt::Barrier);
            }
        }
        let ctx = Ctx { uniform: true, depth: 0, loops: 0, in_loop: None, outer: None, called: false };
        while self.budget > 0 {
            self.stmt(ctx, &mut body);
        }
        self.results(&mut body);
        self.kernel.body = body;
        for _ in 0..2 + self.r.below(2) {
            let size = self.r.pick(&SIZES);
            let mut groups = [1 + self.r.below(3) as u32, 1, 1];
            if self.r.chance(20) {
                groups = [1 + self.r.below(2) as u32, 1 + self.r.below(2) as u32, 1 + self.r.below(2) as u32];
            }
            self.kernel.shapes.push(Shape { groups, size });
        }
    }

    /// At the end, what the variables hold goes out.
    fn results(&mut self, body: &mut Vec<Stmt>) {
        let mut used = [0; 3];
        for v in 0..self.kernel.vars.len() {
            let e = Expr::new(self.kernel.vars[v].ty, Node::Var(v));
            let (array, e) = match e.ty {
                Ty::I64 => (1, e),
                Ty::F32 => (2, e),
                Ty::I32 => (0, e),
                Ty::I16 | Ty::Bool => (0, Expr::new(Ty::I32, Node::Cast(Cast::ZExt, Box::new(e)))),
            };
            let k = used[array] % OUTPUTS;
            used[array] += 1;
            // A slot that is full is mixed in, so that nothing is lost.
            let e = if used[array] <= OUTPUTS {
                e
            } else {
                let ty = e.ty;
                let op = if ty == Ty::F32 { BinOp::FAdd } else { BinOp::Add };
                Expr::new(ty, Node::Bin(op, Box::new(Expr::new(ty, Node::Output(k))), Box::new(e)))
            };
            body.push(Stmt::Output(k, e));
        }
    }

    fn var(&mut self, ty: Ty, uniform: bool, init: Expr) -> usize {
        self.kernel.vars.push(Var { ty, init });
        self.uniform.push(uniform);
        self.kernel.vars.len() - 1
    }

    /// A variable that may be set here.
    fn target(&mut self, ctx: Ctx) -> Option<usize> {
        let all: Vec<usize> = (0..self.kernel.vars.len())
            .filter(|v| (ctx.uniform || !self.uniform[*v]) && !self.fixed.contains(v))
            .collect();
        if all.is_empty() { None } else { Some(self.r.pick(&all)) }
    }

    fn block(&mut self, ctx: Ctx) -> Vec<Stmt> {
        let mut block = Vec::new();
        for _ in 0..1 + self.r.below(4) {
            if self.budget > 0 {
                self.stmt(ctx, &mut block);
            }
        }
        block
    }

    fn stmt(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        self.budget -= 1;
        let more = self.cuts > 0;
        let barriers = self.mode == Mode::Free || (self.mode == Mode::Uniform && ctx.uniform);
        let deep = ctx.depth >= 4;
        if self.parting && more && !ctx.uniform && self.r.chance(50) {
            self.phase(ctx, out);
            return;
        }
        match self.r.below(100) {
            0..24 => self.set(ctx, out),
            24..30 => self.swap(ctx, out),
            30..44 if !deep => self.branch(ctx, out),
            44..48 if !deep => {
                let uniform = ctx.uniform && self.r.chance(30);
                let e = self.expr(Ty::I32, 2, uniform);
                let inner = Ctx { uniform: ctx.uniform && uniform, depth: ctx.depth + 1, ..ctx };
                let arms = (0..1 + self.r.below(4)).map(|_| self.block(inner)).collect();
                out.push(Stmt::Switch(e, arms));
            }
            48..62 if more && !deep && ctx.loops < 3 => self.round(ctx, out),
            62..76 if more && barriers => self.phase(ctx, out),
            76..80 if more && barriers => {
                self.cuts -= 1;
                out.push(Stmt::Barrier);
            }
            80..86 if !self.kernel.private.is_empty() => {
                let array = self.r.below(self.kernel.private.len() as u64) as usize;
                let index = self.expr(Ty::I32, 2, false);
                let value = self.expr(self.kernel.private[array], 2, false);
                out.push(Stmt::Private { array, index, value });
            }
            86..92 => {
                let ty = self.r.pick(&ARRAYS);
                let k = self.r.below(OUTPUTS as u64) as usize;
                let value = self.expr(ty, 2, false);
                out.push(Stmt::Output(k, value));
            }
            92..94 if self.counts => {
                let (index, value) = (self.expr(Ty::I32, 2, false), self.expr(Ty::I32, 2, false));
                out.push(Stmt::Count { index, value });
            }
            92..94 if !deep => {
                let body =
                    self.block(Ctx { in_loop: None, outer: None, called: true, depth: ctx.depth + 1, ..ctx });
                out.push(Stmt::Call(body));
            }
            94..100 => self.leave(ctx, out),
            _ => self.set(ctx, out),
        }
    }

    fn set(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        let Some(v) = self.target(ctx) else { return };
        let e = self.expr(self.kernel.vars[v].ty, 3, self.uniform[v]);
        out.push(Stmt::Set(v, e));
    }

    fn swap(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        let (Some(a), Some(b)) = (self.target(ctx), self.target(ctx)) else { return };
        let (va, vb) = (&self.kernel.vars[a], &self.kernel.vars[b]);
        if a != b && va.ty == vb.ty && self.uniform[a] == self.uniform[b] {
            out.push(Stmt::Swap(a, b));
        }
    }

    /// A condition, and whether it is the same for all items.
    fn condition(&mut self, ctx: Ctx) -> (Expr, bool) {
        let uniform = ctx.uniform && self.r.chance(45);
        (self.expr(Ty::Bool, 3, uniform), uniform)
    }

    fn branch(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        let (c, uniform) = self.condition(ctx);
        let inner = Ctx { uniform: ctx.uniform && uniform, depth: ctx.depth + 1, ..ctx };
        let yes = self.block(inner);
        let no = if self.r.chance(50) { self.block(inner) } else { Vec::new() };
        out.push(Stmt::If(c, yes, no));
    }

    fn round(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        self.cuts -= 1;
        let uniform = ctx.uniform && self.r.chance(55);
        let counter = self.var(Ty::I32, uniform, Expr::int(Ty::I32, 0));
        let mask = if ctx.loops == 0 { 7 } else { 3 };
        let inner = Ctx {
            uniform: ctx.uniform && uniform,
            depth: ctx.depth + 1,
            loops: ctx.loops + 1,
            in_loop: Some(!uniform),
            outer: ctx.in_loop,
            ..ctx
        };
        if self.r.chance(60) {
            let bound = self.expr(Ty::I32, 2, uniform);
            let end = self.var(Ty::I32, uniform, Expr::int(Ty::I32, 0));
            self.fixed.extend([counter, end]);
            let body = self.block(inner);
            self.fixed.truncate(self.fixed.len() - 2);
            out.push(Stmt::For { counter, end, bound, mask, body });
        } else {
            self.fixed.push(counter);
            let body = self.block(inner);
            let again = self.expr(Ty::Bool, 2, uniform);
            self.fixed.pop();
            let limit = 1 + self.r.below(u64::from(mask)) as u32;
            out.push(Stmt::Do { counter, limit, again, body });
        }
    }

    /// Write, barrier, read, and mostly a barrier.
    fn phase(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        let free: Vec<usize> = (0..self.kernel.group.len()).filter(|a| !self.busy.contains(a)).collect();
        self.cuts -= 1;
        if free.is_empty() {
            out.push(Stmt::Barrier);
            return;
        }
        let array = self.r.pick(&free);
        let ty = self.kernel.group[array];
        let value = self.expr(ty, 2, false);
        let turn = if self.r.chance(75) { 0 } else { self.r.below(u64::from(ITEMS)) as u32 };
        let write = Stmt::Group { array, turn, value };
        if self.r.chance(15) {
            // Only some write.
            let c = self.expr(Ty::Bool, 2, false);
            out.push(Stmt::If(c, vec![write], Vec::new()));
        } else {
            out.push(write);
        }
        out.push(Stmt::Barrier);
        self.busy.push(array);
        self.readable.push(array);
        let mut read = Expr::new(ty, Node::Group(array, Box::new(self.neighbour())));
        if self.r.chance(20) {
            let op = self.operator(ty);
            let more = self.expr(ty, 1, false);
            read = Expr::new(ty, Node::Bin(op, Box::new(read), Box::new(more)));
        }
        let targets: Vec<usize> = (0..self.kernel.vars.len())
            .filter(|&v| !self.uniform[v] && self.kernel.vars[v].ty == ty && !self.fixed.contains(&v))
            .collect();
        if targets.is_empty() {
            if ARRAYS.contains(&ty) {
                out.push(Stmt::Output(self.r.below(OUTPUTS as u64) as usize, read));
            }
        } else {
            let v = self.r.pick(&targets);
            out.push(Stmt::Set(v, read));
        }
        for _ in 0..self.r.below(3) {
            self.stmt(ctx, out);
        }
        self.readable.retain(|a| *a != array);
        self.busy.retain(|a| *a != array);
        if self.r.chance(85) {
            out.push(Stmt::Barrier);
        }
    }

    /// An index into group memory.
    fn neighbour(&mut self) -> Expr {
        let lin = || Expr::new(Ty::I32, Node::Linear);
        let bin = |op, a, b| Expr::new(Ty::I32, Node::Bin(op, Box::new(a), Box::new(b)));
        match self.r.below(6) {
            0 => bin(BinOp::Add, lin(), Expr::int(Ty::I32, 1)),
            1 => bin(BinOp::Xor, lin(), Expr::int(Ty::I32, 1 << self.r.below(4))),
            2 => {
                let items = [0, 1, 2].map(|d| Expr::new(Ty::I32, Node::GroupSize(d)));
                let [x, y, z] = items;
                let all = bin(BinOp::Mul, bin(BinOp::Mul, x, y), z);
                bin(BinOp::Sub, all, bin(BinOp::Add, lin(), Expr::int(Ty::I32, 1)))
            }
            3 => Expr::int(Ty::I32, 0),
            4 => self.expr(Ty::I32, 2, true),
            _ => self.expr(Ty::I32, 2, false),
        }
    }

    fn leave(&mut self, ctx: Ctx, out: &mut Vec<Stmt>) {
        // In `Uniform`, items leave a loop or the kernel together where barriers may follow.
        let strict = self.mode == Mode::Uniform;
        let how = match ctx.in_loop {
            Some(_) if self.r.chance(85) => self.r.pick(&[Exit::Break, Exit::Continue]),
            _ => Exit::Return,
        };
        if how == Exit::Return && ctx.called {
            return;
        }
        let own = match how {
            Exit::Return => !strict || (ctx.depth == 0 && self.budget <= 0),
            _ => ctx.in_loop == Some(true) || !strict,
        };
        let uniform = ctx.uniform && (!own || self.r.chance(40));
        if !own && !ctx.uniform {
            return;
        }
        let c = self.expr(Ty::Bool, 3, uniform);
        let mut block = Vec::new();
        if self.r.chance(40) {
            self.set(Ctx { uniform: ctx.uniform && uniform, ..ctx }, &mut block);
        }
        if how == Exit::Return && self.r.chance(50) {
            let ty = self.r.pick(&ARRAYS);
            let value = self.expr(ty, 2, false);
            block.push(Stmt::Output(0, value));
        }
        block.push(match how {
            Exit::Break => Stmt::Break(usize::from(
                ctx.outer.is_some_and(|o| !strict || o || uniform) && self.r.chance(30),
            )),
            Exit::Continue => Stmt::Continue,
            Exit::Return => Stmt::Return,
        });
        out.push(Stmt::If(c, block, Vec::new()));
    }

    fn operator(&mut self, ty: Ty) -> BinOp {
        const INT: [BinOp; 16] = [
            BinOp::Add,
            BinOp::Add,
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Xor,
            BinOp::Shl,
            BinOp::LShr,
            BinOp::AShr,
            BinOp::UMin,
            BinOp::UMax,
            BinOp::SMin,
            BinOp::SMax,
        ];
        match ty {
            Ty::Bool => self.r.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]),
            Ty::F32 => {
                self.r.pick(&[BinOp::FAdd, BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FMul, BinOp::FDiv])
            }
            _ if self.divides && self.r.chance(25) => {
                self.r.pick(&[BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem])
            }
            _ => self.r.pick(&INT),
        }
    }

    fn leaf(&mut self, ty: Ty, uniform: bool) -> Expr {
        let vars: Vec<usize> = (0..self.kernel.vars.len())
            .filter(|&v| self.kernel.vars[v].ty == ty && (!uniform || self.uniform[v]))
            .collect();
        if !vars.is_empty() && self.r.chance(55) {
            return Expr::new(ty, Node::Var(self.r.pick(&vars)));
        }
        let params: Vec<usize> = (0..PARAMS.len()).filter(|&p| PARAMS[p] == ty).collect();
        if !params.is_empty() && self.r.chance(if uniform { 40 } else { 15 }) {
            return Expr::new(ty, Node::Param(self.r.pick(&params)));
        }
        let d = self.r.pick(&[0, 0, 0, 1, 2]);
        match (ty, uniform) {
            (Ty::I32, false) if self.r.chance(70) => {
                let node = self.r.pick(&[0, 0, 1]);
                Expr::new(ty, if node == 0 { Node::Linear } else { Node::LocalId(d) })
            }
            (Ty::I64, false) if self.r.chance(50) => Expr::new(ty, Node::GlobalId(d)),
            (Ty::I32, true) if self.r.chance(50) => {
                let node = self.r.below(3);
                Expr::new(
                    ty,
                    match node {
                        0 => Node::GroupId(d),
                        1 => Node::GroupSize(d),
                        _ => Node::GroupCount(d),
                    },
                )
            }
            _ if self.r.chance(50) => Expr::int(ty, self.r.value(ty)),
            _ => self.converted_leaf(ty, uniform),
        }
    }

    /// A value of any type that is not known at compile time.
    fn converted_leaf(&mut self, ty: Ty, uniform: bool) -> Expr {
        let e = |ty, node| Expr::new(ty, node);
        let number =
            e(Ty::I32, if uniform { Node::Param(3 * self.r.below(2) as usize) } else { Node::Linear });
        let cast = |to, cast| e(to, Node::Cast(cast, Box::new(number.clone())));
        match ty {
            Ty::Bool => {
                let bit = Box::new(Expr::int(Ty::I32, 1 << self.r.below(4)));
                let bit = e(Ty::I32, Node::Bin(BinOp::And, Box::new(number), bit));
                e(ty, Node::Cmp(Pred::Ne, Box::new(bit), Box::new(Expr::int(Ty::I32, 0))))
            }
            Ty::I16 => cast(ty, Cast::Trunc),
            Ty::I32 => number,
            Ty::I64 => cast(ty, Cast::ZExt),
            Ty::F32 if self.r.chance(50) => cast(ty, Cast::UToF),
            Ty::F32 => e(ty, Node::Input(Box::new(number))),
        }
    }

    fn expr(&mut self, ty: Ty, depth: u32, uniform: bool) -> Expr {
        if depth == 0 || self.r.chance(20) {
            return self.leaf(ty, uniform);
        }
        let d = depth - 1;
        let e = |node| Expr::new(ty, node);
        match self.r.below(20) {
            0..3 => {
                // From memory.
                let groups: Vec<usize> =
                    self.readable.iter().copied().filter(|&a| self.kernel.group[a] == ty).collect();
                let private: Vec<usize> =
                    (0..self.kernel.private.len()).filter(|&a| self.kernel.private[a] == ty).collect();
                if !groups.is_empty() && !uniform {
                    let a = self.r.pick(&groups);
                    let i = self.neighbour();
                    e(Node::Group(a, Box::new(i)))
                } else if !private.is_empty() && !uniform {
                    let a = self.r.pick(&private);
                    let i = self.expr(Ty::I32, d, false);
                    e(Node::Private(a, Box::new(i)))
                } else if ARRAYS.contains(&ty) {
                    if !uniform && self.r.chance(20) {
                        e(Node::Output(self.r.below(OUTPUTS as u64) as usize))
                    } else {
                        let i = self.expr(Ty::I32, d, uniform);
                        e(Node::Input(Box::new(i)))
                    }
                } else {
                    self.leaf(ty, uniform)
                }
            }
            3..5 => {
                let c = self.expr(Ty::Bool, d, uniform);
                let (a, b) = (self.expr(ty, d, uniform), self.expr(ty, d, uniform));
                e(Node::Select(Box::new(c), Box::new(a), Box::new(b)))
            }
            5..8 => self.converted(ty, d, uniform),
            8..10 if ty == Ty::F32 || ty.is_int() => {
                let op = if ty == Ty::F32 {
                    self.r.pick(&[UnOp::FNeg, UnOp::FAbs, UnOp::FSqrt])
                } else {
                    UnOp::CtPop
                };
                let a = self.expr(ty, d, uniform);
                e(Node::Un(op, Box::new(a)))
            }
            5..16 if ty == Ty::Bool => {
                let of = self.r.pick(&[Ty::I32, Ty::I32, Ty::I32, Ty::I64, Ty::F32, Ty::I16]);
                let pred = if of == Ty::F32 {
                    self.r.pick(&[Pred::FLt, Pred::FGe, Pred::FEq, Pred::FUnordered])
                } else {
                    self.r.pick(&[Pred::Eq, Pred::Ne, Pred::Ult, Pred::Ule, Pred::Slt, Pred::Sge])
                };
                let (a, b) = (self.expr(of, d, uniform), self.expr(of, d, uniform));
                e(Node::Cmp(pred, Box::new(a), Box::new(b)))
            }
            _ => {
                let op = self.operator(ty);
                let (a, b) = (self.expr(ty, d, uniform), self.expr(ty, d, uniform));
                e(Node::Bin(op, Box::new(a), Box::new(b)))
            }
        }
    }

    fn converted(&mut self, ty: Ty, d: u32, uniform: bool) -> Expr {
        let (from, cast) = match ty {
            Ty::Bool => {
                // A bit of a number.
                let a = self.expr(Ty::I32, d, uniform);
                let one = Expr::int(Ty::I32, 1);
                let bit = Expr::new(Ty::I32, Node::Bin(BinOp::And, Box::new(a), Box::new(one)));
                return Expr::new(ty, Node::Cmp(Pred::Ne, Box::new(bit), Box::new(Expr::int(Ty::I32, 0))));
            }
            Ty::I16 => self.r.pick(&[
                (Ty::I32, Cast::Trunc),
                (Ty::I64, Cast::Trunc),
                (Ty::Bool, Cast::ZExt),
                (Ty::Bool, Cast::SExt),
            ]),
            Ty::I32 => self.r.pick(&[
                (Ty::I64, Cast::Trunc),
                (Ty::I16, Cast::ZExt),
                (Ty::I16, Cast::SExt),
                (Ty::Bool, Cast::ZExt),
                (Ty::F32, Cast::FToS),
                (Ty::F32, Cast::Bits),
            ]),
            Ty::I64 => self.r.pick(&[
                (Ty::I32, Cast::ZExt),
                (Ty::I32, Cast::SExt),
                (Ty::I16, Cast::SExt),
                (Ty::Bool, Cast::ZExt),
            ]),
            Ty::F32 => self.r.pick(&[
                (Ty::I32, Cast::SToF),
                (Ty::I32, Cast::UToF),
                (Ty::I16, Cast::SToF),
                (Ty::I64, Cast::SToF),
                (Ty::I32, Cast::FromBits),
            ]),
        };
        let a = self.expr(from, d, uniform);
        Expr::new(ty, Node::Cast(cast, Box::new(a)))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Exit {
    Break,
    Continue,
    Return,
}

/// Random kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernels {
    /// Of every kind.
    All,
    /// Barriers only where the languages allow them.
    Strict,
    /// Barriers where items take different ways: one is rounds ahead of another.
    Parting,
}

impl Strategy for Kernels {
    type Tree = Shrinking;
    type Value = Kernel;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Shrinking::new(kernel(runner.rng().next_u64(), *self)))
    }
}

/// Makes a kernel smaller, one step after the other.
pub(crate) struct Shrinking {
    best: Kernel,
    candidate: Kernel,
    /// The number of the step that is tried next.
    step: usize,
    /// Something became smaller since step 0.
    progress: bool,
}

impl Shrinking {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self { best: kernel.clone(), candidate: kernel, step: 0, progress: false }
    }

    fn propose(&mut self) -> bool {
        loop {
            let mut next = self.best.clone();
            if super::shrink::step(&mut next, self.step) {
                self.step += 1;
                if next != self.best {
                    self.candidate = next;
                    return true;
                }
            } else if self.progress {
                self.progress = false;
                self.step = 0;
            } else {
                self.candidate = self.best.clone();
                return false;
            }
        }
    }
}

impl ValueTree for Shrinking {
    type Value = Kernel;

    fn current(&self) -> Kernel {
        self.candidate.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.candidate != self.best {
            self.best = self.candidate.clone();
            self.progress = true;
            self.step = self.step.saturating_sub(1);
        }
        self.propose()
    }

    fn complicate(&mut self) -> bool {
        self.propose()
    }
}
