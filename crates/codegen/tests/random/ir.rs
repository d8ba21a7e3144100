//! Kernels as LLVM IR of the native dialect.

use std::collections::HashSet;
use std::fmt::Write;

use super::ast::{
    ARRAYS, BinOp, COUNTERS, Cast, Expr, INPUTS, ITEMS, Kernel, Node, OUTPUTS, PARAMS, PRIVATE, Pred, Stmt,
    Ty, UnOp,
};
use super::data::array_of;
use super::interpret::private_start;

const HEAD: &str = "declare i32 @oarlock_local_id(i32)
declare i32 @oarlock_group_id(i32)
declare i32 @oarlock_group_size(i32)
declare i32 @oarlock_group_count(i32)
declare i64 @oarlock_global_id(i32)
declare void @oarlock_barrier() convergent
declare float @llvm.fabs.f32(float)
declare float @llvm.sqrt.f32(float)
";

fn ty(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "i1",
        Ty::I16 => "i16",
        Ty::I32 => "i32",
        Ty::I64 => "i64",
        Ty::F32 => "float",
    }
}

fn constant(t: Ty, v: u64) -> String {
    match t {
        Ty::Bool => (v != 0).to_string(),
        // A float is written as the double of the same value; of a NaN the payload moves along.
        Ty::F32 => {
            let (sign, exponent, low) = (v >> 31 << 63, v >> 23 & 0xff, (v & 0x7f_ffff) << 29);
            let bits = if exponent == 0xff {
                sign | 0x7ff << 52 | low
            } else {
                f64::from(f32::from_bits(v as u32)).to_bits()
            };
            format!("0x{bits:016X}")
        }
        Ty::I16 => (v as i16).to_string(),
        Ty::I32 => (v as i32).to_string(),
        Ty::I64 => (v as i64).to_string(),
    }
}

/// Where control comes from, with the variables' values there.
type Edge = (String, Vec<String>);

struct Loop {
    next: String,
    exit: String,
    to_next: Vec<Edge>,
    to_exit: Vec<Edge>,
}

struct Block {
    label: String,
    phis: String,
    body: String,
}

struct Printer<'a> {
    kernel: &'a Kernel,
    blocks: Vec<Block>,
    /// The current values of the variables, in a kernel printed with phis.
    env: Vec<String>,
    loops: Vec<Loop>,
    helpers: Vec<String>,
    numbers: usize,
    /// The current block has ended: what follows is never run.
    dead: bool,
}

/// The module of one kernel, named `k`.
pub(crate) fn text(kernel: &Kernel) -> String {
    let mut p = Printer {
        kernel,
        blocks: vec![Block { label: "start".into(), phis: String::new(), body: String::new() }],
        env: vec![String::new(); kernel.vars.len()],
        loops: Vec::new(),
        helpers: Vec::new(),
        numbers: 0,
        dead: false,
    };
    for (v, var) in kernel.vars.iter().enumerate() {
        let value = p.expr(&var.init);
        p.assign(v, &value);
    }
    for (a, &t) in kernel.private.iter().enumerate() {
        for (i, v) in private_start(t).into_iter().enumerate() {
            p.line(&format!("%pa{a}.{i} = getelementptr {}, ptr %pa{a}, i32 {i}", ty(t)));
            p.line(&format!("store {} {}, ptr %pa{a}.{i}", ty(t), constant(t, v)));
        }
    }
    p.block(&kernel.body);
    if !p.dead {
        p.line("ret void");
    }
    let mut out = String::from(HEAD);
    let mut body = String::new();
    for b in &p.blocks {
        let _ = write!(body, "{}:\n{}{}", b.label, b.phis, b.body);
    }
    for (a, &t) in kernel.group.iter().enumerate() {
        let _ = writeln!(out, "@ga{a} = internal addrspace(3) global [{ITEMS} x {}] undef", ty(t));
    }
    let uses = |name: &str| body.contains(name) || p.helpers.iter().any(|h| h.contains(name));
    for name in ["ctpop.i16", "ctpop.i32", "ctpop.i64"] {
        let t = &name[6..];
        let _ = writeln!(out, "declare {t} @llvm.{name}({t})");
    }
    for op in ["umin", "umax", "smin", "smax"] {
        for t in ["i16", "i32", "i64"] {
            if uses(&format!("@llvm.{op}.{t}")) {
                let _ = writeln!(out, "declare {t} @llvm.{op}.{t}({t}, {t})");
            }
        }
    }
    out.push_str(&p.helpers.concat());
    let _ = writeln!(out, "define void @k({}) {{\nentry:", params());
    for (a, &t) in kernel.private.iter().enumerate() {
        let _ = writeln!(out, "  %pa{a} = alloca [{PRIVATE} x {}], align 16", ty(t));
    }
    if !kernel.phis {
        for (v, var) in kernel.vars.iter().enumerate() {
            let _ = writeln!(out, "  %v{v} = alloca {}", ty(var.ty));
        }
    }
    out.push_str(&prologue(&body));
    let _ = write!(out, "  br label %start\n{body}}}\n");
    out
}

/// The kernel's parameters; they read the same as arguments.
fn params() -> String {
    let arrays: String = ARRAYS.iter().map(|&t| format!("ptr %in.{0}, ptr %out.{0}, ", ty(t))).collect();
    let params: String = PARAMS.iter().enumerate().map(|(i, &t)| format!(", {} %p{i}", ty(t))).collect();
    format!("{arrays}ptr %counters{params}")
}

/// The ids that the body uses.
fn prologue(body: &str) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (name, function) in
        [("l", "local_id"), ("g", "group_id"), ("s", "group_size"), ("n", "group_count"), ("G", "global_id")]
    {
        let t = if name == "G" { "i64" } else { "i32" };
        for d in 0..3 {
            lines.push((format!("%{name}{d}"), format!("call {t} @oarlock_{function}(i32 {d})")));
        }
    }
    for (name, text) in [
        ("%sxy", "mul i32 %s0, %s1"),
        ("%items", "mul i32 %sxy, %s2"),
        ("%lin.z", "mul i32 %l2, %s1"),
        ("%lin.zy", "add i32 %lin.z, %l1"),
        ("%lin.y", "mul i32 %lin.zy, %s0"),
        ("%lin", "add i32 %lin.y, %l0"),
        ("%num.z", "mul i32 %g2, %n1"),
        ("%num.zy", "add i32 %num.z, %g1"),
        ("%num.y", "mul i32 %num.zy, %n0"),
        ("%num.g", "add i32 %num.y, %g0"),
        ("%num.i", "mul i32 %num.g, %items"),
        ("%num", "add i32 %num.i, %lin"),
        ("%tot.xy", "mul i32 %n0, %n1"),
        ("%tot.g", "mul i32 %tot.xy, %n2"),
        ("%tot", "mul i32 %tot.g, %items"),
        ("%num.o", "mul i32 %num, 3"),
    ] {
        lines.push((name.into(), text.into()));
    }
    let mut kept: Vec<String> = Vec::new();
    let mut users = body.to_owned();
    for (name, text) in lines.into_iter().rev() {
        let used = users.match_indices(&name).any(|(at, _)| {
            !users[at + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
        });
        if used {
            users.push_str(&text);
            users.push('\n');
            kept.push(format!("  {name} = {text}\n"));
        }
    }
    kept.reverse();
    kept.concat()
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        if let (false, Some(b)) = (self.dead, self.blocks.last_mut()) {
            let _ = writeln!(b.body, "  {text}");
        }
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    fn value(&mut self, text: &str) -> String {
        let name = format!("%t{}", self.number());
        self.line(&format!("{name} = {text}"));
        name
    }

    fn label(&mut self, what: &str) -> String {
        format!("{what}{}", self.number())
    }

    fn edge(&self) -> Edge {
        (self.blocks.last().map(|b| b.label.clone()).unwrap_or_default(), self.env.clone())
    }

    /// Ends the block and says from where.
    fn jump(&mut self, to: &str) -> Option<Edge> {
        if self.dead {
            return None;
        }
        let edge = self.edge();
        self.line(&format!("br label %{to}"));
        self.dead = true;
        Some(edge)
    }

    /// Starts a block that `edges` lead to.
    fn start(&mut self, label: &str, edges: &[Edge]) {
        self.dead = edges.is_empty();
        if self.dead {
            return;
        }
        self.blocks.push(Block { label: label.into(), phis: String::new(), body: String::new() });
        let Some((_, first)) = edges.first() else { return };
        let mut env = first.clone();
        if self.kernel.phis {
            for v in 0..env.len() {
                if edges.iter().any(|(_, e)| e[v] != env[v]) {
                    env[v] = format!("%v{v}.{label}");
                    self.phi(v, label, edges);
                }
            }
        }
        self.env = env;
    }

    fn phi(&mut self, v: usize, label: &str, edges: &[Edge]) {
        let from: Vec<String> = edges.iter().map(|(l, e)| format!("[ {}, %{l} ]", e[v])).collect();
        let line = format!("  %v{v}.{label} = phi {} {}\n", ty(self.kernel.vars[v].ty), from.join(", "));
        if let Some(b) = self.blocks.iter_mut().find(|b| b.label == label) {
            b.phis.push_str(&line);
        }
    }

    /// Starts a loop's head; returns the variables that get phis there.
    fn head(&mut self, label: &str, body: &[Stmt], counter: usize) -> Vec<(usize, String)> {
        let mut set = HashSet::from([counter]);
        collect(body, &mut set);
        let before = self.env.clone();
        self.blocks.push(Block { label: label.into(), phis: String::new(), body: String::new() });
        self.dead = false;
        if !self.kernel.phis {
            return Vec::new();
        }
        let mut vars: Vec<usize> = set.into_iter().collect();
        vars.sort_unstable();
        for &v in &vars {
            self.env[v] = format!("%v{v}.{label}");
        }
        vars.into_iter().map(|v| (v, before[v].clone())).collect()
    }

    fn close_head(&mut self, label: &str, from: &str, vars: Vec<(usize, String)>, latches: &[Edge]) {
        for (v, entry) in vars {
            let mut text = format!("[ {entry}, %{from} ]");
            for (l, env) in latches {
                let _ = write!(text, ", [ {}, %{l} ]", env[v]);
            }
            let line = format!("  %v{v}.{label} = phi {} {text}\n", ty(self.kernel.vars[v].ty));
            if let Some(b) = self.blocks.iter_mut().find(|b| b.label == label) {
                b.phis.push_str(&line);
            }
        }
    }

    fn assign(&mut self, v: usize, value: &str) {
        if self.kernel.phis {
            self.env[v] = value.to_owned();
        } else {
            self.line(&format!("store {} {value}, ptr %v{v}", ty(self.kernel.vars[v].ty)));
        }
    }

    fn var(&mut self, v: usize) -> String {
        if self.kernel.phis {
            self.env[v].clone()
        } else {
            self.value(&format!("load {}, ptr %v{v}", ty(self.kernel.vars[v].ty)))
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for s in block {
            if self.dead {
                return;
            }
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Set(v, e) => {
                let value = self.expr(e);
                self.assign(*v, &value);
            }
            Stmt::Swap(a, b) => {
                let (x, y) = (self.var(*a), self.var(*b));
                self.assign(*a, &y);
                self.assign(*b, &x);
            }
            Stmt::If(c, yes, no) => self.branch(c, yes, no),
            Stmt::Switch(e, arms) => self.switch(e, arms),
            Stmt::For { counter, end, bound, mask, body } => self.count(*counter, *end, bound, *mask, body),
            Stmt::Do { counter, limit, again, body } => self.repeat(*counter, *limit, again, body),
            Stmt::Break(outer) => {
                let at = self.loops.len().saturating_sub(1 + outer);
                let Some(to) = self.loops.get(at).map(|l| l.exit.clone()) else { return };
                let edge = self.jump(&to);
                self.loops[at].to_exit.extend(edge);
            }
            Stmt::Call(body) => {
                let outside = std::mem::take(&mut self.loops);
                if self.kernel.phis {
                    self.block(body);
                } else {
                    self.call(body);
                }
                self.loops = outside;
            }
            Stmt::Continue => {
                let Some(to) = self.loops.last().map(|l| l.next.clone()) else { return };
                let edge = self.jump(&to);
                self.loops.last_mut().unwrap().to_next.extend(edge);
            }
            Stmt::Return => {
                self.line("ret void");
                self.dead = true;
            }
            Stmt::Barrier => self.line("call void @oarlock_barrier()"),
            Stmt::Group { array, turn, value } => {
                let value = self.expr(value);
                let index = if *turn == 0 {
                    "%lin".to_owned()
                } else {
                    let fits = self.value(&format!("icmp ugt i32 %items, {turn}"));
                    let turn = self.value(&format!("select i1 {fits}, i32 {turn}, i32 0"));
                    let turned = self.value(&format!("add i32 %lin, {turn}"));
                    let over = self.value(&format!("icmp uge i32 {turned}, %items"));
                    let back = self.value(&format!("sub i32 {turned}, %items"));
                    self.value(&format!("select i1 {over}, i32 {back}, i32 {turned}"))
                };
                self.store_group(*array, &index, &value);
            }
            Stmt::Private { array, index, value } => {
                let t = ty(self.kernel.private[*array]);
                let p = self.private(*array, index);
                let value = self.expr(value);
                self.line(&format!("store {t} {value}, ptr {p}"));
            }
            Stmt::Output(k, e) => {
                let value = self.expr(e);
                let p = self.output(e.ty, *k);
                self.line(&format!("store {} {value}, ptr {p}", ty(e.ty)));
            }
            Stmt::Count { index, value } => {
                let index = self.expr(index);
                let index = self.value(&format!("and i32 {index}, {}", COUNTERS - 1));
                let p = self.value(&format!("getelementptr i32, ptr %counters, i32 {index}"));
                let value = self.expr(value);
                self.value(&format!("atomicrmw add ptr {p}, i32 {value} monotonic"));
            }
        }
    }

    /// A function of its own, that takes everything that the kernel has.
    fn call(&mut self, body: &[Stmt]) {
        let start = Block { label: "start".into(), phis: String::new(), body: String::new() };
        let blocks = std::mem::replace(&mut self.blocks, vec![start]);
        self.block(body);
        if !self.dead {
            self.line("ret void");
        }
        self.dead = false;
        let blocks = std::mem::replace(&mut self.blocks, blocks);
        let body: String = blocks.iter().map(|b| format!("{}:\n{}{}", b.label, b.phis, b.body)).collect();
        let number = self.number();
        let attribute = ["", " noinline", " alwaysinline"][number % 3];
        let mut params = params();
        params += &(0..self.kernel.vars.len()).map(|v| format!(", ptr %v{v}")).collect::<String>();
        params += &(0..self.kernel.private.len()).map(|a| format!(", ptr %pa{a}")).collect::<String>();
        let head = format!("define internal void @h{number}({params}){attribute} {{\nentry:\n");
        self.helpers.push(format!("{head}{}  br label %start\n{body}}}\n", prologue(&body)));
        self.line(&format!("call void @h{number}({params})"));
    }

    fn store_group(&mut self, array: usize, index: &str, value: &str) {
        let t = ty(self.kernel.group[array]);
        let p = self.value(&format!("getelementptr {t}, ptr addrspace(3) @ga{array}, i32 {index}"));
        self.line(&format!("store {t} {value}, ptr addrspace(3) {p}"));
    }

    fn branch(&mut self, c: &Expr, yes: &[Stmt], no: &[Stmt]) {
        let c = self.expr(c);
        let (then, other, join) = (self.label("then"), self.label("else"), self.label("join"));
        let from = self.edge();
        let miss = if no.is_empty() { &join } else { &other };
        self.line(&format!("br i1 {c}, label %{then}, label %{miss}"));
        self.start(&then, std::slice::from_ref(&from));
        self.block(yes);
        let mut edges: Vec<Edge> = self.jump(&join).into_iter().collect();
        if no.is_empty() {
            edges.push(from);
        } else {
            self.start(&other, &[from]);
            self.block(no);
            edges.extend(self.jump(&join));
        }
        self.start(&join, &edges);
    }

    fn switch(&mut self, e: &Expr, arms: &[Vec<Stmt>]) {
        let e = self.expr(e);
        let e = self.value(&format!("and i32 {e}, 3"));
        let join = self.label("join");
        let labels: Vec<String> = arms.iter().map(|_| self.label("arm")).collect();
        let cases: String = labels.iter().enumerate().map(|(i, l)| format!(" i32 {i}, label %{l}")).collect();
        let from = self.edge();
        self.line(&format!("switch i32 {e}, label %{join} [{cases} ]"));
        let mut edges = vec![from.clone()];
        for (label, arm) in labels.iter().zip(arms) {
            self.start(label, std::slice::from_ref(&from));
            self.block(arm);
            edges.extend(self.jump(&join));
        }
        self.start(&join, &edges);
    }

    fn count(&mut self, counter: usize, end: usize, bound: &Expr, mask: u32, body: &[Stmt]) {
        let bound = self.expr(bound);
        let bound = self.value(&format!("and i32 {bound}, {mask}"));
        self.assign(end, &bound);
        self.assign(counter, "0");
        let (head, inside) = (self.label("head"), self.label("body"));
        let (next, exit) = (self.label("next"), self.label("exit"));
        let Some((from, _)) = self.jump(&head) else { return };
        let vars = self.head(&head, body, counter);
        let (i, n) = (self.var(counter), self.var(end));
        let c = self.value(&format!("icmp ult i32 {i}, {n}"));
        let at_head = self.edge();
        self.line(&format!("br i1 {c}, label %{inside}, label %{exit}"));
        self.start(&inside, std::slice::from_ref(&at_head));
        self.loops.push(Loop {
            next: next.clone(),
            exit: exit.clone(),
            to_next: Vec::new(),
            to_exit: vec![at_head],
        });
        self.block(body);
        let last = self.jump(&next);
        let done = self.loops.pop().unwrap();
        let to_next: Vec<Edge> = done.to_next.into_iter().chain(last).collect();
        self.start(&next, &to_next);
        let i = if self.dead { String::new() } else { self.var(counter) };
        let i = if self.dead { i } else { self.value(&format!("add i32 {i}, 1")) };
        if !self.dead {
            self.assign(counter, &i);
        }
        let latches: Vec<Edge> = self.jump(&head).into_iter().collect();
        self.close_head(&head, &from, vars, &latches);
        self.start(&exit, &done.to_exit);
    }

    fn repeat(&mut self, counter: usize, limit: u32, again: &Expr, body: &[Stmt]) {
        self.assign(counter, "0");
        let (head, next, exit) = (self.label("do"), self.label("next"), self.label("exit"));
        let Some((from, _)) = self.jump(&head) else { return };
        let vars = self.head(&head, body, counter);
        self.loops.push(Loop {
            next: next.clone(),
            exit: exit.clone(),
            to_next: Vec::new(),
            to_exit: Vec::new(),
        });
        self.block(body);
        let mut done = self.loops.pop().unwrap();
        if !done.to_next.is_empty() {
            // Without a `continue`, the loop may be a single block.
            let last = self.jump(&next);
            done.to_next.extend(last);
            self.start(&next, &done.to_next);
        }
        let mut latches = Vec::new();
        if !self.dead {
            let i = self.var(counter);
            let i = self.value(&format!("add i32 {i}, 1"));
            self.assign(counter, &i);
            let more = self.value(&format!("icmp ult i32 {i}, {limit}"));
            let again = self.expr(again);
            let c = self.value(&format!("select i1 {more}, i1 {again}, i1 false"));
            let edge = self.edge();
            self.line(&format!("br i1 {c}, label %{head}, label %{exit}"));
            done.to_exit.push(edge.clone());
            latches.push(edge);
        }
        self.close_head(&head, &from, vars, &latches);
        self.start(&exit, &done.to_exit);
    }

    fn private(&mut self, array: usize, index: &Expr) -> String {
        let t = ty(self.kernel.private[array]);
        let index = self.expr(index);
        let index = self.value(&format!("and i32 {index}, {}", PRIVATE - 1));
        self.value(&format!("getelementptr {t}, ptr %pa{array}, i32 {index}"))
    }

    fn output(&mut self, t: Ty, k: usize) -> String {
        let t = ty(t);
        let index = if self.kernel.planar {
            let plane = self.value(&format!("mul i32 %tot, {k}"));
            self.value(&format!("add i32 {plane}, %num"))
        } else {
            const { assert!(OUTPUTS == 3) };
            self.value(&format!("add i32 %num.o, {k}"))
        };
        self.value(&format!("getelementptr {t}, ptr %out.{t}, i32 {index}"))
    }

    fn expr(&mut self, e: &Expr) -> String {
        let t = ty(e.ty);
        match &e.node {
            Node::Const(v) => constant(e.ty, *v),
            Node::Var(v) => self.var(*v),
            Node::LocalId(d) => format!("%l{d}"),
            Node::GroupId(d) => format!("%g{d}"),
            Node::GroupSize(d) => format!("%s{d}"),
            Node::GroupCount(d) => format!("%n{d}"),
            Node::GlobalId(d) => format!("%G{d}"),
            Node::Linear => "%lin".into(),
            Node::Param(p) => format!("%p{p}"),
            Node::Bin(op, a, b) => {
                let (x, y) = (self.expr(a), self.expr(b));
                self.binary(*op, e.ty, &x, &y)
            }
            Node::Cmp(pred, a, b) => {
                let (x, y) = (self.expr(a), self.expr(b));
                self.value(&format!("{} {} {x}, {y}", predicate(*pred), ty(a.ty)))
            }
            Node::Un(op, a) => {
                let x = self.expr(a);
                self.value(&match op {
                    UnOp::CtPop => format!("call {t} @llvm.ctpop.{t}({t} {x})"),
                    UnOp::FNeg => format!("fneg float {x}"),
                    UnOp::FAbs => format!("call float @llvm.fabs.f32(float {x})"),
                    UnOp::FSqrt => format!("call float @llvm.sqrt.f32(float {x})"),
                })
            }
            Node::Cast(c, a) => {
                let x = self.expr(a);
                self.cast(*c, a.ty, e.ty, &x)
            }
            Node::Select(c, a, b) => {
                let (c, x, y) = (self.expr(c), self.expr(a), self.expr(b));
                self.value(&format!("select i1 {c}, {t} {x}, {t} {y}"))
            }
            Node::Input(i) => {
                let i = self.expr(i);
                let i = self.value(&format!("and i32 {i}, {}", INPUTS - 1));
                let a = ty(ARRAYS[array_of(e.ty)]);
                let p = self.value(&format!("getelementptr {a}, ptr %in.{a}, i32 {i}"));
                self.value(&format!("load {t}, ptr {p}"))
            }
            Node::Group(array, i) => {
                let index = if i.node == Node::Linear {
                    "%lin".into()
                } else {
                    let i = self.expr(i);
                    let last = self.value("sub i32 %items, 1");
                    self.value(&format!("call i32 @llvm.umin.i32(i32 {i}, i32 {last})"))
                };
                let p = self.value(&format!("getelementptr {t}, ptr addrspace(3) @ga{array}, i32 {index}"));
                self.value(&format!("load {t}, ptr addrspace(3) {p}"))
            }
            Node::Private(array, i) => {
                let p = self.private(*array, i);
                self.value(&format!("load {t}, ptr {p}"))
            }
            Node::Output(k) => {
                let p = self.output(e.ty, *k);
                self.value(&format!("load {t}, ptr {p}"))
            }
        }
    }

    fn binary(&mut self, op: BinOp, t: Ty, x: &str, y: &str) -> String {
        let (bits, t) = (t.bits(), ty(t));
        let name = match op {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Shl => "shl",
            BinOp::LShr => "lshr",
            BinOp::AShr => "ashr",
            BinOp::UDiv => "udiv",
            BinOp::URem => "urem",
            BinOp::SDiv => "sdiv",
            BinOp::SRem => "srem",
            BinOp::UMin => "umin",
            BinOp::UMax => "umax",
            BinOp::SMin => "smin",
            BinOp::SMax => "smax",
            BinOp::FAdd => "fadd",
            BinOp::FSub => "fsub",
            BinOp::FMul => "fmul",
            BinOp::FDiv => "fdiv",
        };
        let y = match op {
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.value(&format!("and {t} {y}, {}", bits - 1)),
            BinOp::UDiv | BinOp::URem => self.value(&format!("or {t} {y}, 1")),
            BinOp::SDiv | BinOp::SRem => {
                let low = self.value(&format!("and {t} {y}, 15"));
                self.value(&format!("add {t} {low}, 1"))
            }
            BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => {
                return self.value(&format!("call {t} @llvm.{name}.{t}({t} {x}, {t} {y})"));
            }
            _ => y.to_owned(),
        };
        self.value(&format!("{name} {t} {x}, {y}"))
    }

    fn cast(&mut self, cast: Cast, from: Ty, to: Ty, x: &str) -> String {
        let (f, t) = (ty(from), ty(to));
        match cast {
            Cast::ZExt => self.value(&format!("zext {f} {x} to {t}")),
            Cast::SExt => self.value(&format!("sext {f} {x} to {t}")),
            Cast::Trunc => self.value(&format!("trunc {f} {x} to {t}")),
            Cast::SToF => self.value(&format!("sitofp {f} {x} to float")),
            Cast::UToF => self.value(&format!("uitofp {f} {x} to float")),
            Cast::FToS => {
                let size = self.value(&format!("call float @llvm.fabs.f32(float {x})"));
                let fits = self.value(&format!("fcmp olt float {size}, {}", constant(Ty::F32, 0x4e80_0000)));
                let x = self.value(&format!("select i1 {fits}, float {x}, float 0.0"));
                self.value(&format!("fptosi float {x} to i32"))
            }
            Cast::Bits => {
                let bits = self.value(&format!("bitcast float {x} to i32"));
                let nan = self.value(&format!("fcmp uno float {x}, {x}"));
                self.value(&format!("select i1 {nan}, i32 {}, i32 {bits}", 0x7fc0_0000))
            }
            Cast::FromBits => self.value(&format!("bitcast i32 {x} to float")),
        }
    }
}

fn predicate(pred: Pred) -> &'static str {
    match pred {
        Pred::Eq => "icmp eq",
        Pred::Ne => "icmp ne",
        Pred::Ult => "icmp ult",
        Pred::Ule => "icmp ule",
        Pred::Slt => "icmp slt",
        Pred::Sge => "icmp sge",
        Pred::FLt => "fcmp olt",
        Pred::FGe => "fcmp oge",
        Pred::FEq => "fcmp oeq",
        Pred::FUnordered => "fcmp uno",
    }
}

/// The variables that are given a value somewhere in `block`.
fn collect(block: &[Stmt], set: &mut HashSet<usize>) {
    for s in block {
        set.extend(s.assigned());
        for b in s.blocks() {
            collect(b, set);
        }
    }
}
