//! Kernels as C: for people to read, and for clang as C of the native dialect and as OpenCL C.

use std::fmt::Write;

use super::ast::{
    ARRAYS, BinOp, COUNTERS, Cast, Expr, INPUTS, ITEMS, Kernel, Node, OUTPUTS, PARAMS, PRIVATE, Pred, Stmt,
    Ty, UnOp,
};
use super::interpret::private_start;

/// What [`text`] needs before it, in C of the native dialect and in C with `gpuintrin.h`.
pub(crate) const C: &str = "#include <stdbool.h>
#if defined(__NVPTX__) || defined(__AMDGPU__) || defined(__SPIRV__)
#include <gpuintrin.h>
#define KERNEL __gpu_kernel
#define GROUP static __gpu_local
#define L(d) __gpu_thread_id(d)
#define G(d) __gpu_block_id(d)
#define S(d) __gpu_num_threads(d)
#define N(d) __gpu_num_blocks(d)
#define BARRIER __gpu_sync_threads()
#else
#include <oarlock/kernel.h>
#define KERNEL OARLOCK_KERNEL
#define GROUP static OARLOCK_GROUP
#define L(d) oarlock_local_id(d)
#define G(d) oarlock_group_id(d)
#define S(d) oarlock_group_size(d)
#define N(d) oarlock_group_count(d)
#define BARRIER oarlock_barrier()
#endif
#define GLOBAL
#define COUNT(i, v) __atomic_fetch_add(&counters[i], v, __ATOMIC_RELAXED)
#define SQRT __builtin_sqrtf
typedef int16_t i16; typedef int32_t i32; typedef int64_t i64;
typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
";

/// The same in OpenCL C.
pub(crate) const OPENCL: &str = "typedef short i16; typedef int i32; typedef long i64;
typedef ushort u16; typedef uint u32; typedef ulong u64;
#define KERNEL kernel
#define GLOBAL global
#define GROUP local
#define L(d) ((u32)get_local_id(d))
#define G(d) ((u32)get_group_id(d))
#define S(d) ((u32)get_local_size(d))
#define N(d) ((u32)get_num_groups(d))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define COUNT(i, v) atomic_add(&counters[i], v)
#define SQRT sqrt
";

const HELPERS: &str = "#define GLOBAL_ID(d) ((u64)G(d) * S(d) + L(d))
static inline u32 to_bits(float f) { union { float f; u32 u; } v = { f }; return v.u; }
static inline float from_bits(u32 u) { union { u32 u; float f; } v = { u }; return v.f; }
static inline u32 bits(float f) { return f != f ? 0x7fc00000u : to_bits(f); }
static inline u32 to_int(float f) { return (u32)(i32)(__builtin_fabsf(f) < 0x1p30f ? f : 0.0f); }
#define MIN_MAX(u, s) \\
    static inline u umin_##u(u x, u y) { return x < y ? x : y; } \\
    static inline u umax_##u(u x, u y) { return x > y ? x : y; } \\
    static inline u smin_##u(u x, u y) { return (s)x < (s)y ? x : y; } \\
    static inline u smax_##u(u x, u y) { return (s)x > (s)y ? x : y; }
MIN_MAX(u16, i16)
MIN_MAX(u32, i32)
MIN_MAX(u64, i64)
static inline u32 turned(u32 lin, u32 turn, u32 items) {
    u32 to = lin + (turn < items ? turn : 0);
    return to >= items ? to - items : to;
}
";

/// With what [`text`] needs.
pub(crate) fn source(kernel: &Kernel, head: &str) -> String {
    format!("{head}{HELPERS}{}", text(kernel))
}

fn ty(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::I16 => "u16",
        Ty::I32 => "u32",
        Ty::I64 => "u64",
        Ty::F32 => "float",
    }
}

fn signed(ty: Ty) -> &'static str {
    match ty {
        Ty::I16 => "i16",
        Ty::I64 => "i64",
        _ => "i32",
    }
}

fn constant(t: Ty, v: u64) -> String {
    match t {
        Ty::Bool => (v != 0).to_string(),
        Ty::I16 | Ty::I32 => format!("{v}u"),
        Ty::I64 => format!("{v}ul"),
        Ty::F32 => {
            let f = f32::from_bits(v as u32);
            let plain = f.is_finite() && f.to_bits() != 0x8000_0000 && f.abs() < 1e9 && f.fract() == 0.0;
            if plain { format!("{f:.1}f") } else { format!("from_bits({v:#x}u)") }
        }
    }
}

/// The kernel, named `k`.
pub(crate) fn text(kernel: &Kernel) -> String {
    let mut p = Printer { kernel, out: String::new(), depth: 1, loops: Vec::new(), numbers: 0 };
    let group: String =
        kernel.group.iter().enumerate().map(|(a, &t)| format!("GROUP {} ga{a}[{ITEMS}];\n", ty(t))).collect();
    let arrays: String =
        ARRAYS.iter().map(|&t| format!("const GLOBAL {0} *in_{0}, GLOBAL {0} *out_{0}, ", ty(t))).collect();
    let params: String = PARAMS.iter().enumerate().map(|(i, &t)| format!(", {} p{i}", ty(t))).collect();
    let head = format!("KERNEL void k({arrays}GLOBAL u32 *counters{params}) {{\n");
    p.out = head;
    p.out.push_str(&group);
    p.line("const u32 items = S(0) * S(1) * S(2), lin = (L(2) * S(1) + L(1)) * S(0) + L(0);");
    p.line("const u32 num = ((G(2) * N(1) + G(1)) * N(0) + G(0)) * items + lin;");
    if kernel.planar {
        p.line("const u32 total = N(0) * N(1) * N(2) * items;");
    }
    for (a, &t) in kernel.private.iter().enumerate() {
        let start: Vec<String> = private_start(t).into_iter().map(|v| constant(t, v)).collect();
        p.line(&format!("{} pa{a}[{PRIVATE}] = {{{}}};", ty(t), start.join(", ")));
    }
    for (v, var) in kernel.vars.iter().enumerate() {
        let init = p.expr(&var.init);
        p.line(&format!("{} v{v} = {init};", ty(var.ty)));
    }
    p.block(&kernel.body);
    p.out.push_str("}\n");
    p.out
}

struct Printer<'a> {
    kernel: &'a Kernel,
    out: String,
    depth: usize,
    /// The numbers of the loops that are open.
    loops: Vec<usize>,
    numbers: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.depth));
    }

    fn block(&mut self, block: &[Stmt]) {
        for s in block {
            self.stmt(s);
        }
    }

    fn inner(&mut self, block: &[Stmt]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Set(v, e) => {
                let e = self.expr(e);
                self.line(&format!("v{v} = {e};"));
            }
            Stmt::Swap(a, b) => {
                let t = ty(self.kernel.vars[*a].ty);
                self.line(&format!("{{ {t} t = v{a}; v{a} = v{b}; v{b} = t; }}"));
            }
            Stmt::If(c, yes, no) => {
                let c = self.expr(c);
                self.line(&format!("if ({c}) {{"));
                self.inner(yes);
                if !no.is_empty() {
                    self.line("} else {");
                    self.inner(no);
                }
                self.line("}");
            }
            Stmt::Switch(e, arms) => {
                // Not a `switch`: there, `break` would mean another thing.
                let e = self.expr(e);
                self.line(&format!("{{ u32 arm = {e} & 3u;"));
                for (i, arm) in arms.iter().enumerate() {
                    self.line(&format!("{}if (arm == {i}u) {{", if i == 0 { "" } else { "else " }));
                    self.inner(arm);
                    self.line("}");
                }
                self.line("}");
            }
            Stmt::For { counter, end, bound, mask, body } => {
                let bound = self.expr(bound);
                self.line(&format!("v{end} = {bound} & {mask}u;"));
                self.line(&format!("for (v{counter} = 0; v{counter} < v{end}; v{counter}++) {{"));
                self.open_loop();
                self.inner(body);
                self.line("}");
                self.close_loop();
            }
            Stmt::Do { counter, limit, again, body } => {
                self.line(&format!("v{counter} = 0;\n{}do {{", "    ".repeat(self.depth)));
                self.open_loop();
                self.inner(body);
                let again = self.expr(again);
                self.line(&format!("}} while (++v{counter} < {limit}u && {again});"));
                self.close_loop();
            }
            Stmt::Break(outer) => {
                let at = self.loops.len().saturating_sub(1 + outer);
                match self.loops.get(at) {
                    Some(_) if at + 1 == self.loops.len() => self.line("break;"),
                    Some(n) => self.line(&format!("goto exit{n};")),
                    None => {}
                }
            }
            Stmt::Call(body) => {
                let outside = std::mem::take(&mut self.loops);
                self.line("{");
                self.inner(body);
                self.line("}");
                self.loops = outside;
            }
            Stmt::Continue => self.line("continue;"),
            Stmt::Return => self.line("return;"),
            Stmt::Barrier => self.line("BARRIER;"),
            Stmt::Group { array, turn, value } => {
                let value = self.expr(value);
                let index = if *turn == 0 { "lin".into() } else { format!("turned(lin, {turn}u, items)") };
                self.line(&format!("ga{array}[{index}] = {value};"));
            }
            Stmt::Private { array, index, value } => {
                let (index, value) = (self.expr(index), self.expr(value));
                self.line(&format!("pa{array}[{index} & {}u] = {value};", PRIVATE - 1));
            }
            Stmt::Output(k, e) => {
                let value = self.expr(e);
                let slot = self.slot(e.ty, *k);
                self.line(&format!("{slot} = {value};"));
            }
            Stmt::Count { index, value } => {
                let (index, value) = (self.expr(index), self.expr(value));
                self.line(&format!("COUNT({index} & {}u, {value});", COUNTERS - 1));
            }
        }
    }

    fn open_loop(&mut self) {
        self.numbers += 1;
        self.loops.push(self.numbers);
    }

    fn close_loop(&mut self) {
        let Some(n) = self.loops.pop() else { return };
        if self.out.contains(&format!("goto exit{n};")) {
            self.line(&format!("exit{n}:;"));
        }
    }

    fn slot(&self, t: Ty, k: usize) -> String {
        let t = ty(t);
        if self.kernel.planar {
            format!("out_{t}[{k}u * total + num]")
        } else {
            format!("out_{t}[num * {OUTPUTS}u + {k}u]")
        }
    }

    fn expr(&self, e: &Expr) -> String {
        let t = ty(e.ty);
        match &e.node {
            Node::Const(v) => constant(e.ty, *v),
            Node::Var(v) => format!("v{v}"),
            Node::LocalId(d) => format!("L({d})"),
            Node::GroupId(d) => format!("G({d})"),
            Node::GroupSize(d) => format!("S({d})"),
            Node::GroupCount(d) => format!("N({d})"),
            Node::GlobalId(d) => format!("GLOBAL_ID({d})"),
            Node::Linear => "lin".into(),
            Node::Param(p) => format!("p{p}"),
            Node::Bin(op, a, b) => self.binary(*op, e.ty, a, b),
            Node::Cmp(pred, a, b) => {
                let (x, y, s) = (self.expr(a), self.expr(b), signed(a.ty));
                match pred {
                    Pred::Eq | Pred::FEq => format!("({x} == {y})"),
                    Pred::Ne => format!("({x} != {y})"),
                    Pred::Ult | Pred::FLt => format!("({x} < {y})"),
                    Pred::Ule => format!("({x} <= {y})"),
                    Pred::Slt => format!("(({s}){x} < ({s}){y})"),
                    Pred::Sge => format!("(({s}){x} >= ({s}){y})"),
                    Pred::FGe => format!("({x} >= {y})"),
                    Pred::FUnordered => format!("__builtin_isunordered({x}, {y})"),
                }
            }
            Node::Un(op, a) => {
                let x = self.expr(a);
                match op {
                    UnOp::CtPop => format!("({t})__builtin_popcountll({x})"),
                    UnOp::FNeg => format!("(-{x})"),
                    UnOp::FAbs => format!("__builtin_fabsf({x})"),
                    UnOp::FSqrt => format!("SQRT({x})"),
                }
            }
            Node::Cast(c, a) => {
                let (x, s) = (self.expr(a), signed(a.ty));
                match c {
                    Cast::ZExt | Cast::Trunc => format!("({t}){x}"),
                    Cast::SExt if a.ty == Ty::Bool => format!("({t})-(i32){x}"),
                    Cast::SExt => format!("({t})({}) ({s}){x}", signed(e.ty)),
                    Cast::SToF => format!("(float)({s}){x}"),
                    Cast::UToF => format!("(float){x}"),
                    Cast::FToS => format!("to_int({x})"),
                    Cast::Bits => format!("bits({x})"),
                    Cast::FromBits => format!("from_bits({x})"),
                }
            }
            Node::Select(c, a, b) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            Node::Input(i) => format!("in_{t}[{} & {}u]", self.expr(i), INPUTS - 1),
            Node::Group(array, i) if i.node == Node::Linear => format!("ga{array}[lin]"),
            Node::Group(array, i) => format!("ga{array}[umin_u32({}, items - 1u)]", self.expr(i)),
            Node::Private(array, i) => format!("pa{array}[{} & {}u]", self.expr(i), PRIVATE - 1),
            Node::Output(k) => self.slot(e.ty, *k),
        }
    }

    fn binary(&self, op: BinOp, t: Ty, a: &Expr, b: &Expr) -> String {
        let (mut x, mut y, s) = (self.expr(a), self.expr(b), signed(t));
        let last = t.bits() - 1;
        let c = ty(t);
        if t == Ty::I16 {
            // In `int`, a product of two would overflow.
            (x, y) = (format!("(u32){x}"), format!("(u32){y}"));
        }
        let text = match op {
            BinOp::Add | BinOp::FAdd => format!("{x} + {y}"),
            BinOp::Sub | BinOp::FSub => format!("{x} - {y}"),
            BinOp::Mul | BinOp::FMul => format!("{x} * {y}"),
            BinOp::FDiv => format!("{x} / {y}"),
            BinOp::And => format!("{x} & {y}"),
            BinOp::Or => format!("{x} | {y}"),
            BinOp::Xor => format!("{x} ^ {y}"),
            BinOp::Shl => format!("{x} << ({y} & {last}u)"),
            BinOp::LShr => format!("{x} >> ({y} & {last}u)"),
            BinOp::AShr => format!("({s}){x} >> ({y} & {last}u)"),
            BinOp::UDiv => format!("{x} / ({y} | 1u)"),
            BinOp::URem => format!("{x} % ({y} | 1u)"),
            BinOp::SDiv => format!("({s}){x} / ({s})(({y} & 15u) + 1u)"),
            BinOp::SRem => format!("({s}){x} % ({s})(({y} & 15u) + 1u)"),
            BinOp::UMin => format!("umin_{c}({x}, {y})"),
            BinOp::UMax => format!("umax_{c}({x}, {y})"),
            BinOp::SMin => format!("smin_{c}({x}, {y})"),
            BinOp::SMax => format!("smax_{c}({x}, {y})"),
        };
        if t == Ty::F32 { format!("({text})") } else { format!("(({c})({text}))") }
    }
}
