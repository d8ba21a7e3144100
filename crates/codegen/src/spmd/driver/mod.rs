//! The entry point, as text: loops over groups and items around calls of the item function.
//!
//! - [`plain`]: a kernel without cuts is one loop nest over a group's items.
//! - [`chunks`]: a kernel with cuts runs in chunks of items in lock step, from cut to cut.

mod chunks;
mod plain;

pub(crate) use chunks::bits_of;

use std::fmt::Write;

use oarlock_image::abi::{Frame, offsets};

use super::Work;
use super::cuts::Plan;
use super::item;
use super::params::How;
use crate::dialect::placeholder;

/// Named metadata that holds each kernel's access group, in the order of the kernels.
pub(crate) const ACCESS_GROUPS: &std::ffi::CStr = c"oarlock.access";

/// What stands once for all entry points: the named node that lists the access groups of kernels
/// `0..count`, and declarations.
pub(crate) fn common(count: usize) -> String {
    let list = (0..count).map(|i| format!("!{}", i * NODES)).collect::<Vec<_>>().join(", ");
    let declares = "declare i32 @llvm.umin.i32(i32, i32)\ndeclare i32 @llvm.umax.i32(i32, i32)\n";
    format!("{declares}!oarlock.access = !{{{list}}}\n")
}

/// Metadata nodes set aside for one kernel.
const NODES: usize = 100_000;

/// The most instructions of the kernel's that all copies for one chunk have together.
const MAX_INSTRUCTIONS: u64 = 1024;

/// The vector registers of a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    /// 32-bit numbers in one register.
    per_register: u32,
    registers: u32,
}

impl Lanes {
    /// `features` is the target's string. (A machine tells its own too, as a copy that inkwell never frees.)
    pub(crate) fn of(features: &str) -> Self {
        let has = |name: &str| features.split(',').any(|f| f == name);
        if has("+avx512f") {
            Self { per_register: 16, registers: 32 }
        } else if has("+avx") {
            Self { per_register: 8, registers: 16 }
        } else {
            Self { per_register: 4, registers: 16 }
        }
    }

    /// How many items to run in lock step: as many as keep what differs between them, and their states, in
    /// three quarters of the registers; at least one register's worth, at most 256. Every register's worth is
    /// a copy of the code, so that a large kernel gets fewer.
    fn chunk(self, plan: &Plan) -> u32 {
        let words: u64 = plan.slots.iter().filter(|s| !s.uniform).map(|s| s.bytes.div_ceil(4)).sum();
        let each = words.max(1) + u64::from(plan.regions.iter().any(|r| r.is_divergent()));
        let room = u64::from(self.registers * self.per_register * 3 / 4);
        let copies = (MAX_INSTRUCTIONS / plan.instructions.max(1) as u64).max(1);
        let room = room.min(copies.saturating_mul(u64::from(self.per_register) * each));
        let fit = u32::try_from(room / each).unwrap_or(u32::MAX).clamp(self.per_register, 256);
        // The power of two below.
        1 << (31 - fit.leading_zeros())
    }
}

/// The entry point of one kernel, and a declaration of its item function.
pub(crate) fn text(work: &Work, plan: &Plan, lanes: Lanes) -> String {
    let mut d = Driver { work, plan, out: String::new(), metadata: String::new(), loops: 0 };
    d.declare_item();
    if plan.regions.len() == 1 {
        d.plain()
    } else {
        d.chunked(lanes.chunk(plan))
    }
    let access = d.access_group();
    let _ = writeln!(d.metadata, "{access} = distinct !{{}}");
    d.out + &d.metadata
}

struct Driver<'a> {
    work: &'a Work,
    plan: &'a Plan,
    out: String,
    metadata: String,
    loops: usize,
}

macro_rules! emit {
    ($self:ident, $($arg:tt)*) => { let _ = writeln!($self.out, $($arg)*); };
}
use emit;

impl Driver<'_> {
    fn declare_item(&mut self) {
        let item = self.work.item_symbol();
        let types = vec!["i32"; placeholder::NUMBERS.len()].join(", ");
        let params: String = self.work.params.iter().map(|p| format!(", {}", p.ty)).collect();
        emit!(self, "declare i32 @\"{item}\"(i32, ptr, ptr, ptr, ptr, i64, i64, {types}{params})");
    }

    /// Opens a function with the parameters of an entry point, and more.
    fn open(&mut self, linkage: &str, name: &str, more: &str) {
        let size = size_of::<Frame>();
        emit!(
            self,
            "define {linkage} void @\"{name}\"(ptr noalias nonnull readonly align 64 dereferenceable({size}) %frame, \
             i64 %first, i64 %end, ptr noalias align 128 %gmem, ptr noalias align 128 %scratch{more}) nounwind {{"
        );
        emit!(self, "entry:");
    }

    /// The numbers of the launch, once.
    fn load_launch(&mut self) {
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            self.load_field(&format!("n{axis}"), "i32", offsets::GROUPS + 4 * i as u32);
            self.load_field(&format!("s{axis}"), "i32", offsets::GROUP_SIZE + 4 * i as u32);
        }
        self.load_field("npad", "i64", offsets::PADDED_ITEMS);
        self.load_field("args", "ptr", offsets::ARGS);
    }

    fn load_field(&mut self, name: &str, ty: &str, offset: u32) {
        emit!(self, "  %{name}.p = getelementptr inbounds i8, ptr %frame, i64 {offset}");
        emit!(self, "  %{name} = load {ty}, ptr %{name}.p, align 4, !invariant.load !{{}}");
    }

    /// The kernel's arguments, once: loads in the loops would sink under the kernel's own guards.
    fn load_params(&mut self) {
        let params = self.work.params.iter().zip(&self.work.kernel.params).enumerate();
        for (i, (source, param)) in params {
            let (ty, align) = (&source.ty, param.align);
            emit!(self, "  %p{i} = getelementptr inbounds i8, ptr %args, i64 {}", param.offset);
            match &source.how {
                How::Load => {
                    emit!(self, "  %a{i} = load {ty}, ptr %p{i}, align {align}, !invariant.load !{{}}");
                }
                How::LoadNarrow { memory } => {
                    emit!(self, "  %w{i} = load {memory}, ptr %p{i}, align {align}, !invariant.load !{{}}");
                    emit!(self, "  %a{i} = trunc {memory} %w{i} to {ty}");
                }
                How::Address if ty == "ptr" => {
                    emit!(self, "  %a{i} = getelementptr inbounds i8, ptr %p{i}, i64 0");
                }
                How::Address => {
                    emit!(self, "  %a{i} = addrspacecast ptr %p{i} to {ty}");
                }
                How::GroupMemory => {
                    emit!(self, "  %o{i} = load i64, ptr %p{i}, align {align}, !invariant.load !{{}}");
                    emit!(self, "  %gm{i} = getelementptr inbounds i8, ptr %gmem, i64 %o{i}");
                    emit!(self, "  %a{i} = addrspacecast ptr %gm{i} to {ty}");
                }
            }
        }
    }

    /// Opens the loop over groups; the code of one group follows, and ends by going to `group.done`.
    fn open_groups(&mut self) {
        emit!(self, "  %some = icmp ult i64 %first, %end\n  br i1 %some, label %start, label %exit");
        emit!(self, "start:\n  %nx64 = zext i32 %nx to i64\n  %ny64 = zext i32 %ny to i64");
        emit!(self, "  %rows = udiv i64 %first, %nx64\n  %gx.w = urem i64 %first, %nx64");
        emit!(self, "  %gy.w = urem i64 %rows, %ny64\n  %gz.w = udiv i64 %rows, %ny64");
        emit!(self, "  %gx.0 = trunc i64 %gx.w to i32\n  %gy.0 = trunc i64 %gy.w to i32");
        emit!(self, "  %gz.0 = trunc i64 %gz.w to i32\n  br label %group");
        emit!(self, "group:\n  %g = phi i64 [ %first, %start ], [ %g.n, %group.done ]");
        for axis in ["x", "y", "z"] {
            emit!(self, "  %g{axis} = phi i32 [ %g{axis}.0, %start ], [ %g{axis}.n, %group.done ]");
        }
    }

    /// Closes the loop over groups and the function.
    fn close_groups(&mut self) {
        emit!(self, "group.done:\n  %g.n = add nuw i64 %g, 1\n  %gx.1 = add nuw i32 %gx, 1");
        emit!(self, "  %wrap.x = icmp eq i32 %gx.1, %nx\n  %gx.n = select i1 %wrap.x, i32 0, i32 %gx.1");
        emit!(self, "  %carry.x = zext i1 %wrap.x to i32\n  %gy.1 = add nuw i32 %gy, %carry.x");
        emit!(self, "  %wrap.y = icmp eq i32 %gy.1, %ny\n  %gy.n = select i1 %wrap.y, i32 0, i32 %gy.1");
        emit!(self, "  %carry.y = zext i1 %wrap.y to i32\n  %gz.n = add nuw i32 %gz, %carry.y");
        emit!(self, "  %more = icmp ult i64 %g.n, %end\n  br i1 %more, label %group, label %exit");
        emit!(self, "exit:\n  ret void\n}}");
    }

    /// Calls the item function; `x`, `y`, `z` and `lin` name the item's numbers.
    fn call_item(&mut self, result: &str, state: &str, slots: &str, [x, y, z, lin]: [&str; 4]) {
        let own = item::own_args(state, slots, x, y, z, lin);
        let args: String =
            self.work.params.iter().enumerate().map(|(i, p)| format!(", {} %a{i}", p.ty)).collect();
        emit!(self, "  {result} = call i32 @\"{}\"({own}{args})", self.work.item_symbol());
    }

    fn access_group(&self) -> String {
        format!("!{}", self.work.index * NODES)
    }

    /// Items do not depend on one another between barriers: that is what a kernel promises. A loop that is to
    /// become vector code must not be unrolled before that, and shall be afterwards.
    fn loop_metadata(&mut self, vectorize: bool) -> String {
        self.loops += 1;
        let node = self.work.index * NODES + self.loops * 5;
        let access = self.access_group();
        let mut line = |offset: usize, text: String| {
            let _ = writeln!(self.metadata, "!{} = {text}", node + offset);
        };
        if vectorize {
            line(
                0,
                format!("distinct !{{!{node}, !{}, !{}, !{}, !{}}}", node + 1, node + 2, node + 3, node + 4),
            );
            line(2, "!{!\"llvm.loop.vectorize.enable\", i1 true}".into());
            line(3, "!{!\"llvm.loop.unroll.disable\"}".into());
            line(4, "!{!\"llvm.loop.vectorize.followup_all\", !{!\"llvm.loop.unroll.enable\"}}".into());
        } else {
            line(0, format!("distinct !{{!{node}, !{}}}", node + 1));
        }
        line(1, format!("!{{!\"llvm.loop.parallel_accesses\", {access}}}"));
        format!("!{node}")
    }
}
