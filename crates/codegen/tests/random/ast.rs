//! A small language of kernels: what the generator makes, the printers print and the interpreter runs.
//!
//! Every kernel has the same parameters (see [`PARAMS`]): input arrays, output arrays in which each item has
//! slots of its own, an array of counters, and a few numbers. Every operation is defined for all operands.

/// A type. Integers have no sign; operations do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    I16,
    I32,
    I64,
    F32,
}

impl Ty {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::I16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 => 64,
        }
    }

    pub(crate) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self, Self::I16 | Self::I32 | Self::I64)
    }
}

/// The types of the arrays of input and of output.
pub(crate) const ARRAYS: [Ty; 3] = [Ty::I32, Ty::I64, Ty::F32];
/// Elements of an input array.
pub(crate) const INPUTS: u32 = 64;
/// Slots that each item has in each output array.
pub(crate) const OUTPUTS: usize = 3;
/// Counters that all items add to.
pub(crate) const COUNTERS: u32 = 16;
/// The most items of a group, and the elements of an array in group memory.
pub(crate) const ITEMS: u32 = 256;
/// Elements of a private array.
pub(crate) const PRIVATE: u32 = 8;
/// Numbers among the parameters, behind the pointers.
pub(crate) const PARAMS: [Ty; 5] = [Ty::I32, Ty::I64, Ty::F32, Ty::I32, Ty::I16];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// Shifts take the count modulo the width.
    Shl,
    LShr,
    AShr,
    /// Unsigned division by `b | 1`.
    UDiv,
    URem,
    /// Signed division by `(b & 15) + 1`.
    SDiv,
    SRem,
    UMin,
    UMax,
    SMin,
    SMax,
    /// Of `f32`, as the next four.
    FAdd,
    FSub,
    FMul,
    FDiv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pred {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sge,
    /// Of `f32`, as the next three.
    FLt,
    FGe,
    FEq,
    FUnordered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnOp {
    CtPop,
    FNeg,
    FAbs,
    FSqrt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cast {
    /// To a wider integer, also from `Bool`.
    ZExt,
    SExt,
    /// To a narrower integer.
    Trunc,
    SToF,
    UToF,
    /// To `I32`; 0 for what is not below 2^30 in size.
    FToS,
    /// The bits of a `f32`, all NaNs being 0x7fc00000.
    Bits,
    FromBits,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    pub(crate) ty: Ty,
    pub(crate) node: Node,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Const(u64),
    Var(usize),
    LocalId(u8),
    GroupId(u8),
    GroupSize(u8),
    GroupCount(u8),
    /// `I64`.
    GlobalId(u8),
    /// The number of the item in its group.
    Linear,
    Param(usize),
    Bin(BinOp, Box<Expr>, Box<Expr>),
    Cmp(Pred, Box<Expr>, Box<Expr>),
    Un(UnOp, Box<Expr>),
    Cast(Cast, Box<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An element of the input array of the type, modulo its length.
    Input(Box<Expr>),
    /// An element of an array in group memory, at most the last that an item has.
    Group(usize, Box<Expr>),
    /// An element of a private array, modulo its length.
    Private(usize, Box<Expr>),
    /// The item's own output slot.
    Output(usize),
}

impl Expr {
    pub(crate) fn new(ty: Ty, node: Node) -> Self {
        Self { ty, node }
    }

    pub(crate) fn int(ty: Ty, v: u64) -> Self {
        Self { ty, node: Node::Const(v & ty.mask()) }
    }

    pub(crate) fn children(&self) -> Vec<&Self> {
        match &self.node {
            Node::Bin(_, a, b) | Node::Cmp(_, a, b) => vec![a, b],
            Node::Un(_, a) | Node::Cast(_, a) | Node::Input(a) | Node::Group(_, a) | Node::Private(_, a) => {
                vec![a]
            }
            Node::Select(a, b, c) => vec![a, b, c],
            _ => Vec::new(),
        }
    }

    pub(crate) fn children_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.node {
            Node::Bin(_, a, b) | Node::Cmp(_, a, b) => vec![a, b],
            Node::Un(_, a) | Node::Cast(_, a) | Node::Input(a) | Node::Group(_, a) | Node::Private(_, a) => {
                vec![a]
            }
            Node::Select(a, b, c) => vec![a, b, c],
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    Set(usize, Expr),
    /// Of two variables of one type.
    Swap(usize, usize),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// The arm `value & 3`, if there is one.
    Switch(Expr, Vec<Vec<Stmt>>),
    /// `end = bound & mask; for (counter = 0; counter < end; counter++) body`
    For {
        counter: usize,
        end: usize,
        bound: Expr,
        mask: u32,
        body: Vec<Stmt>,
    },
    /// `counter = 0; do body; while (++counter < limit && again)`
    Do {
        counter: usize,
        limit: u32,
        again: Expr,
        body: Vec<Stmt>,
    },
    /// Of the loop that is so many loops further out.
    Break(usize),
    Continue,
    Return,
    Barrier,
    /// A block that is printed as a function of its own where variables lie in memory. It does not return
    /// from the kernel, nor leaves a loop outside.
    Call(Vec<Stmt>),
    /// `array[linear + turn] = value`, from behind the last item's on from the first: a slot of the item's own,
    /// if all turn by the same. A turn by more than there are items is none.
    Group {
        array: usize,
        turn: u32,
        value: Expr,
    },
    Private {
        array: usize,
        index: Expr,
        value: Expr,
    },
    Output(usize, Expr),
    /// Atomically adds to a counter.
    Count {
        index: Expr,
        value: Expr,
    },
}

impl Stmt {
    pub(crate) fn blocks(&self) -> Vec<&Vec<Self>> {
        match self {
            Self::If(_, a, b) => vec![a, b],
            Self::Switch(_, arms) => arms.iter().collect(),
            Self::For { body, .. } | Self::Do { body, .. } | Self::Call(body) => vec![body],
            _ => Vec::new(),
        }
    }

    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, a, b) => vec![a, b],
            Self::Switch(_, arms) => arms.iter_mut().collect(),
            Self::For { body, .. } | Self::Do { body, .. } | Self::Call(body) => vec![body],
            _ => Vec::new(),
        }
    }

    pub(crate) fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Set(_, e) | Self::If(e, ..) | Self::Switch(e, _) | Self::Output(_, e) => vec![e],
            Self::For { bound: e, .. } | Self::Do { again: e, .. } | Self::Group { value: e, .. } => vec![e],
            Self::Private { index, value, .. } | Self::Count { index, value } => vec![index, value],
            _ => Vec::new(),
        }
    }

    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Set(_, e) | Self::If(e, ..) | Self::Switch(e, _) | Self::Output(_, e) => vec![e],
            Self::For { bound: e, .. } | Self::Do { again: e, .. } | Self::Group { value: e, .. } => vec![e],
            Self::Private { index, value, .. } | Self::Count { index, value } => vec![index, value],
            _ => Vec::new(),
        }
    }

    /// Variables that it gives a value itself, not in its blocks.
    pub(crate) fn assigned(&self) -> Vec<usize> {
        match self {
            Self::Set(v, _) => vec![*v],
            Self::Swap(a, b) => vec![*a, *b],
            Self::For { counter, end, .. } => vec![*counter, *end],
            Self::Do { counter, .. } => vec![*counter],
            _ => Vec::new(),
        }
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Var {
    pub(crate) ty: Ty,
    pub(crate) init: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) groups: [u32; 3],
    pub(crate) size: [u32; 3],
}

impl Shape {
    pub(crate) fn items(self) -> u32 {
        self.size.iter().product()
    }

    pub(crate) fn total(self) -> u32 {
        self.groups.iter().product::<u32>() * self.items()
    }
}

/// Machines with registers of different widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// 128 bits.
    V2,
    /// 256 bits.
    V3,
    /// What this one has.
    Host,
}

#[derive(Clone, PartialEq)]
pub(crate) struct Kernel {
    /// Makes the contents of inputs and parameters.
    pub(crate) data: u64,
    /// What it is compiled for.
    pub(crate) machine: Machine,
    /// Printed with phis rather than with variables in memory.
    pub(crate) phis: bool,
    /// Output slot `k` of item `i` is at `k * total + i` rather than at `i * OUTPUTS + k`.
    pub(crate) planar: bool,
    pub(crate) vars: Vec<Var>,
    pub(crate) group: Vec<Ty>,
    pub(crate) private: Vec<Ty>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) shapes: Vec<Shape>,
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "data {}, machine {:?}, shapes {:?}", self.data, self.machine, self.shapes)?;
        writeln!(f, "{}", super::c::text(self))?;
        f.write_str(&super::ir::text(self))
    }
}
