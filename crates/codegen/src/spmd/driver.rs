//! The entry point, as text: loops over groups and items around calls of the item function.
//!
//! Without barriers the body of the group loop is one loop nest over z, y, x. With barriers it is one nest
//! for each state, run in the order that the items ask for:
//!
//! ```text
//! group:    goto region 0
//! region k: for each item: next[item] = item(k)
//!           all the same? goto region next, or to the next group
//!           else          goto slow
//! slow:     for each item that has not ended: next[item] = item(next[item]), until all have ended
//! ```
//!
//! `item(k)` with a constant `k` inlines to the code between two barriers and nothing else.

use std::fmt::Write;

use oarlock_image::abi::offsets;

use super::Work;
use super::barriers::Next;
use super::item::{self, EXIT};
use super::params::How;
use crate::dialect::placeholder;

/// Named metadata that holds each kernel's access group, in the order of the kernels.
pub(crate) const ACCESS_GROUPS: &std::ffi::CStr = c"oarlock.access";

/// The most states that get a loop nest of their own; a kernel with more runs every item from its own state.
const MAX_REGIONS: usize = 40;

/// The entry point of one kernel, and a declaration of its item function.
pub(crate) fn text(work: &Work, regions: &[Next]) -> String {
    let mut d = Driver { work, out: String::new(), metadata: String::new(), loops: 0 };
    d.function(regions);
    d.out + &d.metadata
}

struct Driver<'a> {
    work: &'a Work,
    out: String,
    metadata: String,
    loops: u32,
}

macro_rules! emit {
    ($self:ident, $($arg:tt)*) => { let _ = writeln!($self.out, $($arg)*); };
}

impl Driver<'_> {
    fn function(&mut self, regions: &[Next]) {
        let item = self.work.item_symbol();
        let types = vec!["i32"; placeholder::NUMBERS.len()].join(", ");
        let params: String = self.work.params.iter().map(|p| format!(", {}", p.ty)).collect();
        emit!(self, "declare i32 @\"{item}\"(i32, ptr, ptr, ptr, i64, i64, {types}{params})");
        let size = size_of::<oarlock_image::abi::Frame>();
        emit!(
            self,
            "define void @\"{}\"(ptr noalias nonnull readonly align 64 dereferenceable({size}) %frame, i64 %first, \
             i64 %end, ptr noalias align 128 %gmem, ptr noalias align 128 %scratch) nounwind {{",
            self.work.kernel.entry
        );
        emit!(self, "entry:");
        self.load_launch();
        self.load_params();
        if regions.len() > 1 {
            emit!(self, "  %any.or = alloca i32\n  %any.and = alloca i32\n  %state = alloca i32");
        }
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
        if regions.len() == 1 {
            emit!(self, "  br label %r0");
            emit!(self, "r0:");
            self.items("r0", "group.done", |d, label| d.call(label, "0", "next"));
        } else if regions.len() <= MAX_REGIONS {
            emit!(self, "  br label %r0");
            self.regions(regions);
            self.slow();
        } else {
            // Start every item at state 0 of the slow path.
            emit!(self, "  br label %r0\nr0:");
            self.items("r0", "slow", |d, l| {
                emit!(
                    d,
                    "  %{l}.s = getelementptr i32, ptr %scratch, i64 %{l}.lin\n  store i32 0, ptr %{l}.s"
                );
            });
            self.slow();
        }
        emit!(self, "group.done:\n  %g.n = add nuw i64 %g, 1\n  %gx.1 = add nuw i32 %gx, 1");
        emit!(self, "  %wrap.x = icmp eq i32 %gx.1, %nx\n  %gx.n = select i1 %wrap.x, i32 0, i32 %gx.1");
        emit!(self, "  %carry.x = zext i1 %wrap.x to i32\n  %gy.1 = add nuw i32 %gy, %carry.x");
        emit!(self, "  %wrap.y = icmp eq i32 %gy.1, %ny\n  %gy.n = select i1 %wrap.y, i32 0, i32 %gy.1");
        emit!(self, "  %carry.y = zext i1 %wrap.y to i32\n  %gz.n = add nuw i32 %gz, %carry.y");
        emit!(self, "  %more = icmp ult i64 %g.n, %end\n  br i1 %more, label %group, label %exit");
        emit!(self, "exit:\n  ret void\n}}");
        let access = self.access_group();
        let _ = writeln!(self.metadata, "{access} = distinct !{{}}");
    }

    /// The numbers of the launch, once.
    fn load_launch(&mut self) {
        let field = |out: &mut String, name: &str, ty: &str, offset: u32| {
            let _ = writeln!(out, "  %{name}.p = getelementptr inbounds i8, ptr %frame, i64 {offset}");
            let _ = writeln!(out, "  %{name} = load {ty}, ptr %{name}.p, align 4, !invariant.load !{{}}");
        };
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            field(&mut self.out, &format!("n{axis}"), "i32", offsets::GROUPS + 4 * i as u32);
            field(&mut self.out, &format!("s{axis}"), "i32", offsets::GROUP_SIZE + 4 * i as u32);
        }
        field(&mut self.out, "npad", "i64", offsets::PADDED_ITEMS);
        field(&mut self.out, "args", "ptr", offsets::ARGS);
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
                    emit!(self, "  %m{i} = getelementptr inbounds i8, ptr %gmem, i64 %o{i}");
                    emit!(self, "  %a{i} = addrspacecast ptr %m{i} to {ty}");
                }
            }
        }
    }

    /// A loop nest over the items of a group; `body` emits the innermost block, in which `%<label>.lx`,
    /// `.ly`, `.lz` and `.lin` are the item's numbers. The block before must be called `label`.
    fn items(&mut self, label: &str, done: &str, body: impl Fn(&mut Self, &str)) {
        let l = label;
        emit!(self, "  br label %{l}.z");
        emit!(self, "{l}.z:\n  %{l}.lz = phi i32 [ 0, %{l} ], [ %{l}.lz.n, %{l}.z.end ]\n  br label %{l}.y");
        emit!(self, "{l}.y:\n  %{l}.ly = phi i32 [ 0, %{l}.z ], [ %{l}.ly.n, %{l}.y.end ]");
        emit!(self, "  %{l}.r0 = mul nuw nsw i32 %{l}.lz, %sy\n  %{l}.r1 = add nuw nsw i32 %{l}.r0, %{l}.ly");
        emit!(self, "  %{l}.r2 = mul nuw nsw i32 %{l}.r1, %sx\n  %{l}.row = zext i32 %{l}.r2 to i64");
        emit!(self, "  br label %{l}.x");
        emit!(self, "{l}.x:\n  %{l}.lx = phi i32 [ 0, %{l}.y ], [ %{l}.lx.n, %{l}.x.end ]");
        emit!(
            self,
            "  %{l}.lx64 = zext i32 %{l}.lx to i64\n  %{l}.lin = add nuw nsw i64 %{l}.row, %{l}.lx64"
        );
        body(self, l);
        emit!(self, "  br label %{l}.x.end");
        let (inner, outer) = (self.loop_metadata(true), self.loop_metadata(false));
        emit!(self, "{l}.x.end:\n  %{l}.lx.n = add nuw nsw i32 %{l}.lx, 1");
        emit!(self, "  %{l}.x.last = icmp eq i32 %{l}.lx.n, %sx");
        emit!(self, "  br i1 %{l}.x.last, label %{l}.y.end, label %{l}.x, !llvm.loop {inner}");
        emit!(self, "{l}.y.end:\n  %{l}.ly.n = add nuw nsw i32 %{l}.ly, 1");
        emit!(self, "  %{l}.y.last = icmp eq i32 %{l}.ly.n, %sy");
        emit!(self, "  br i1 %{l}.y.last, label %{l}.z.end, label %{l}.y, !llvm.loop {outer}");
        emit!(self, "{l}.z.end:\n  %{l}.lz.n = add nuw nsw i32 %{l}.lz, 1");
        emit!(self, "  %{l}.z.last = icmp eq i32 %{l}.lz.n, %sz");
        emit!(self, "  br i1 %{l}.z.last, label %{done}, label %{l}.z");
    }

    fn call(&mut self, label: &str, state: &str, result: &str) {
        let l = label;
        let own = item::own_args(
            state,
            &format!("%{l}.lx"),
            &format!("%{l}.ly"),
            &format!("%{l}.lz"),
            &format!("%{l}.lin"),
        );
        let args: String =
            self.work.params.iter().enumerate().map(|(i, p)| format!(", {} %a{i}", p.ty)).collect();
        emit!(self, "  %{l}.{result} = call i32 @\"{}\"({own}{args})", self.work.item_symbol());
    }

    fn regions(&mut self, regions: &[Next]) {
        for (k, next) in regions.iter().enumerate() {
            let label = format!("r{k}");
            emit!(self, "{label}:");
            match *next {
                Next::Always(to) => {
                    let done = if to == EXIT { "group.done".to_owned() } else { format!("r{to}") };
                    self.items(&label, &done, |d, l| d.call(l, &k.to_string(), "next"));
                }
                Next::Varies => {
                    emit!(self, "  store i32 0, ptr %any.or\n  store i32 -1, ptr %any.and");
                    self.items(&label, &format!("{label}.end"), |d, l| {
                        d.call(l, &k.to_string(), "next");
                        emit!(d, "  %{l}.s = getelementptr i32, ptr %scratch, i64 %{l}.lin");
                        emit!(d, "  store i32 %{l}.next, ptr %{l}.s");
                        d.accumulate(l, "or", &format!("%{l}.next"));
                        d.accumulate(l, "and", &format!("%{l}.next"));
                    });
                    emit!(self, "{label}.end:\n  %{label}.or = load i32, ptr %any.or");
                    emit!(self, "  %{label}.and = load i32, ptr %any.and");
                    emit!(self, "  %{label}.same = icmp eq i32 %{label}.or, %{label}.and");
                    emit!(self, "  store i32 %{label}.or, ptr %state");
                    emit!(self, "  br i1 %{label}.same, label %dispatch, label %slow");
                }
            }
        }
        emit!(self, "dispatch:\n  %to = load i32, ptr %state");
        let cases: String = (1..regions.len()).map(|k| format!(" i32 {k}, label %r{k}")).collect();
        emit!(self, "  switch i32 %to, label %group.done [{cases} ]");
    }

    fn accumulate(&mut self, l: &str, op: &str, value: &str) {
        emit!(self, "  %{l}.{op}.0 = load i32, ptr %any.{op}\n  %{l}.{op}.1 = {op} i32 %{l}.{op}.0, {value}");
        emit!(self, "  store i32 %{l}.{op}.1, ptr %any.{op}");
    }

    /// Every item from its own state, until all have ended.
    fn slow(&mut self) {
        emit!(self, "slow:\n  store i32 0, ptr %any.or");
        self.items("slow", "slow.end", |d, l| {
            emit!(d, "  %{l}.s = getelementptr i32, ptr %scratch, i64 %{l}.lin");
            emit!(d, "  %{l}.now = load i32, ptr %{l}.s\n  %{l}.ended = icmp eq i32 %{l}.now, -1");
            emit!(d, "  br i1 %{l}.ended, label %{l}.x.end, label %{l}.run\n{l}.run:");
            d.call(l, "%slow.now", "next");
            emit!(d, "  store i32 %{l}.next, ptr %{l}.s\n  %{l}.alive = xor i32 %{l}.next, -1");
            d.accumulate(l, "or", &format!("%{l}.alive"));
        });
        emit!(self, "slow.end:\n  %left = load i32, ptr %any.or\n  %all = icmp eq i32 %left, 0");
        emit!(self, "  br i1 %all, label %group.done, label %slow");
    }

    fn number(&self) -> u64 {
        self.work.index as u64
    }

    fn access_group(&self) -> String {
        format!("!{}", self.number() * 100_000)
    }

    /// Items do not depend on one another between barriers: that is what a kernel promises.
    fn loop_metadata(&mut self, innermost: bool) -> String {
        self.loops += 1;
        let node = self.number() * 100_000 + u64::from(self.loops) * 4;
        let access = self.access_group();
        let vectorize = if innermost { format!(", !{}", node + 2) } else { String::new() };
        let _ = writeln!(self.metadata, "!{node} = distinct !{{!{node}, !{}{vectorize}}}", node + 1);
        let _ = writeln!(self.metadata, "!{} = !{{!\"llvm.loop.parallel_accesses\", {access}}}", node + 1);
        if innermost {
            let _ = writeln!(self.metadata, "!{} = !{{!\"llvm.loop.vectorize.enable\", i1 true}}", node + 2);
        }
        format!("!{node}")
    }
}

/// The named node that lists the access groups of kernels `0..count`.
pub(crate) fn access_groups(count: usize) -> String {
    let list = (0..count).map(|i| format!("!{}", i * 100_000)).collect::<Vec<_>>().join(", ");
    format!("!oarlock.access = !{{{list}}}\n")
}
