//! A kernel with cuts: chunks of items in lock step.
//!
//! A chunk is `wy` rows of `wx` items of a group, its **lanes**; the rows lie below one another, or end to
//! end. For each region there are two loops over the lanes: one for when *all* lanes are at the region's
//! start (`f`), and one that runs only the lanes that are (`m`). Behind each the lanes' states say where to
//! go on; of several, at the lowest, which all others wait for. What lives across a cut is kept in an array
//! with one element for each lane, or in one variable where it is the same for all. The loops over lanes have
//! constant bounds, so that LLVM turns them into vector code and the arrays into registers.
//!
//! ```text
//! group:  round: for each chunk:
//!             all lanes at the round's state -> f.state; otherwise st[lane] = state of each -> scan
//!         f.k:    for each lane: next = item(k)     all the same? -> f.next, else st[lane] = next -> m.lowest
//!         m.k:    for each lane with st[lane] == k: st[lane] = item(k)      any still at k? -> m.k, else scan
//!         scan:   lowest and highest state of the lanes: equal -> f, else m.lowest; all at barriers -> next chunk
//!         all chunks at barriers: next round, until all items have ended
//! ```

mod carry;
mod lanes;
mod regions;
mod rounds;

pub(crate) use carry::bits_of;

use std::fmt::Write;

use super::super::cuts::{Region, Variety};
use super::{Driver, emit};

/// A kernel with more regions than this gets one loop for all of them.
const MAX_REGIONS: usize = 12;
/// The name of that loop.
const ANY: &str = "an";
/// The most bytes of lane arrays on the stack.
const MAX_STACK: u64 = 64 * 1024;

impl Region {
    pub(crate) fn is_divergent(&self) -> bool {
        self.variety == Variety::Divergent
    }
}

impl Driver<'_> {
    pub(super) fn chunked(&mut self, lanes: u32) {
        let entry = self.work.kernel.entry.clone();
        let bytes: u64 = 4 + self.plan.slots.iter().map(|s| s.bytes).sum::<u64>();
        let lanes = if bytes * u64::from(lanes) > MAX_STACK { 8 } else { lanes };
        let wx = lanes.min(16);
        let wy = lanes / wx;
        Chunk { d: self, wx: 1, wy: 1 }.function();
        Chunk { d: self, wx, wy }.function();
        self.choose(&entry, wx, wy);
    }

    /// Picks the shape of chunks by the shape of groups: single items where rows are very short; rows of a
    /// chunk below one another where that fills the group; end to end in one row of the group otherwise.
    fn choose(&mut self, entry: &str, wx: u32, wy: u32) {
        self.open("", entry, "");
        self.load_launch();
        emit!(self, "  %tiny = icmp ult i32 %sx, 5\n  br i1 %tiny, label %one, label %wide");
        let call = "ptr %frame, i64 %first, i64 %end, ptr %gmem, ptr %scratch";
        emit!(
            self,
            "one:\n  tail call void @\"{entry}.w1x1\"({call}, i32 0, i32 0, i32 1, i32 1)\n  ret void"
        );
        emit!(self, "wide:\n  %short = icmp ult i32 %sx, {}\n  %rest.x = urem i32 %sx, {wx}", wx * wy);
        emit!(self, "  %rest.y = urem i32 %sy, {wy}\n  %rest = or i32 %rest.x, %rest.y");
        emit!(self, "  %even = icmp eq i32 %rest, 0\n  %stack = and i1 %short, %even");
        emit!(self, "  %rx = select i1 %stack, i32 0, i32 {wx}\n  %ry = zext i1 %stack to i32");
        emit!(
            self,
            "  %px = select i1 %stack, i32 {wx}, i32 {}\n  %py = select i1 %stack, i32 {wy}, i32 1",
            wx * wy
        );
        emit!(
            self,
            "  tail call void @\"{entry}.w{wx}x{wy}\"({call}, i32 %rx, i32 %ry, i32 %px, i32 %py)\n  ret void\n}}"
        );
    }
}

/// The function for one shape of chunks.
struct Chunk<'a, 'b> {
    d: &'a mut Driver<'b>,
    wx: u32,
    wy: u32,
}

macro_rules! put {
    ($self:ident, $($arg:tt)*) => { let _ = writeln!($self.d.out, $($arg)*); };
}
use put;

impl Chunk<'_, '_> {
    fn lanes(&self) -> u32 {
        self.wx * self.wy
    }

    fn single(&self) -> bool {
        self.lanes() == 1
    }

    fn generic(&self) -> bool {
        self.d.plan.regions.len() > MAX_REGIONS
    }

    fn function(&mut self) {
        let name = format!("{}.w{}x{}", self.d.work.kernel.entry, self.wx, self.wy);
        self.d.open("internal", &name, ", i32 %rx, i32 %ry, i32 %px, i32 %py");
        self.d.load_launch();
        self.d.load_params();
        self.variables();
        // A group that is one chunk keeps everything where it is.
        put!(self, "  %alone.x = icmp uge i32 %px, %sx\n  %alone.y = icmp uge i32 %py, %sy");
        put!(self, "  %alone.z = icmp eq i32 %sz, 1\n  %alone.xy = and i1 %alone.x, %alone.y");
        put!(self, "  %alone = and i1 %alone.xy, %alone.z");
        self.d.open_groups();
        put!(self, "  store i32 0, ptr %gcur\n  store i1 true, ptr %guni\n  br label %round");
        put!(self, "round:\n  store i32 -1, ptr %gmn\n  store i32 0, ptr %gmx\n  br label %cz.head");
        self.chunk_loops();
        self.begin();
        for k in 0..self.d.plan.regions.len() {
            if !self.generic() {
                self.all_lanes(k);
                self.some_lanes(k);
            }
        }
        if self.generic() {
            self.any_region();
        }
        self.scan();
        self.finish();
        self.end_round();
        self.d.close_groups();
    }

    fn variables(&mut self) {
        let l = self.lanes();
        let plan = self.d.plan;
        put!(self, "  %slots = alloca [{} x i8], align 64", plan.frame_bytes.max(1));
        put!(self, "  %st = alloca [{l} x i32], align 64");
        for name in ["mn", "mx", "said", "cur", "gcur", "gmn", "gmx"] {
            put!(self, "  %{name} = alloca i32");
        }
        put!(self, "  %full = alloca i1\n  %guni = alloca i1");
        for r in 0..4 {
            put!(self, "  %any{r} = alloca i1");
        }
        for (j, slot) in plan.slots.iter().enumerate() {
            let ty = &slot.ty;
            if slot.uniform {
                for v in ["u", "v", "ui", "uo"] {
                    put!(self, "  %{v}{j} = alloca {ty}");
                }
                put!(self, "  %o{j}.bits = alloca {}", bits_of(ty).unwrap_or("i64"));
            } else {
                put!(self, "  %c{j} = alloca [{l} x {}], align 64", slot.element());
            }
        }
    }

    /// Loops over the chunks of a group: `%cx`, `%cy`, `%cz` are the first item's numbers.
    fn chunk_loops(&mut self) {
        put!(self, "cz.head:\n  %cz = phi i32 [ 0, %round ], [ %cz.n, %cz.end ]\n  br label %cy.head");
        put!(self, "cy.head:\n  %cy = phi i32 [ 0, %cz.head ], [ %cy.n, %cy.end ]\n  br label %cx.head");
        put!(self, "cx.head:\n  %cx = phi i32 [ 0, %cy.head ], [ %cx.n, %cx.end ]\n  br label %chunk");
    }
}
