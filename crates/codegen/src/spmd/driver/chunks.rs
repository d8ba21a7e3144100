//! A kernel with cuts: chunks of items in lock step.
//!
//! A chunk is `wy` rows of `wx` items of a group, its **lanes**; the rows lie below one another, or end to end. For each region there are two loops over
//! the lanes: one for when *all* lanes are at the region's start (`f`), and one that runs only the lanes that
//! are (`m`). Behind each the lanes' states say where to go on; of several, at the lowest, which all others
//! wait for. What lives across a cut is kept in an array with one element for each lane, or in one variable
//! where it is the same for all. The loops over lanes have constant bounds, so that LLVM turns them into
//! vector code and the arrays into registers.
//!
//! ```text
//! group:  round: for each chunk:
//!             all lanes at the round's state -> f.state; otherwise st[lane] = state of each -> scan
//!         f.k:    for each lane: next = item(k)     all the same? -> f.next, else st[lane] = next -> m.lowest
//!         m.k:    for each lane with st[lane] == k: st[lane] = item(k)      any still at k? -> m.k, else scan
//!         scan:   lowest and highest state of the lanes: equal -> f, else m.lowest; all at barriers -> next chunk
//!         all chunks at barriers: next round, until all items have ended
//! ```

use std::fmt::Write;

use super::super::cuts::{PENDING, Region, Variety};
use super::super::slots::Slot;
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

/// The integer type that holds a slot's bits, for slots that may be uniform.
pub(crate) fn bits_of(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "i1" => "i1",
        "i8" => "i8",
        "i16" | "half" | "bfloat" => "i16",
        "i32" | "float" => "i32",
        "i64" | "double" => "i64",
        _ if ty.starts_with("ptr") => "i64",
        _ => return None,
    })
}

impl Slot {
    /// The type of an array element: bits are kept as bytes.
    fn element(&self) -> &str {
        if self.ty == "i1" { "i8" } else { &self.ty }
    }
}

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

    /// A loop over the lanes. In `body`, `%<l>.x`, `.y`, `.lin` are the item's numbers and `.i` the lane's.
    fn each_lane(&mut self, l: &str, done: &str, body: impl FnOnce(&mut Self)) {
        // What any region may do is too much for vector code.
        let vectorize = l != ANY && !self.single();
        let (wx, wy) = (self.wx, self.wy);
        put!(self, "  br label %{l}.h");
        put!(self, "{l}.h:\n  br label %{l}.ys");
        put!(self, "{l}.ys:\n  %{l}.ly = phi i32 [ 0, %{l}.h ], [ %{l}.ly.n, %{l}.y.end ]");
        put!(self, "  %{l}.dy = mul nuw nsw i32 %{l}.ly, %ry\n  %{l}.y = add nuw nsw i32 %cy, %{l}.dy");
        put!(self, "  %{l}.dx = mul nuw nsw i32 %{l}.ly, %rx\n  %{l}.x0 = add nuw nsw i32 %cx, %{l}.dx");
        put!(self, "  %{l}.first = mul nuw nsw i32 %{l}.ly, {wx}");
        put!(self, "  %{l}.r0 = mul nuw nsw i32 %cz, %sy\n  %{l}.r1 = add nuw nsw i32 %{l}.r0, %{l}.y");
        put!(self, "  %{l}.r2 = mul nuw nsw i32 %{l}.r1, %sx\n  %{l}.row = zext i32 %{l}.r2 to i64");
        put!(self, "  br label %{l}.xs");
        put!(self, "{l}.xs:\n  %{l}.lx = phi i32 [ 0, %{l}.ys ], [ %{l}.lx.n, %{l}.x.end ]");
        put!(self, "  %{l}.x = add nuw nsw i32 %{l}.x0, %{l}.lx\n  %{l}.x64 = zext i32 %{l}.x to i64");
        put!(self, "  %{l}.lin = add nuw nsw i64 %{l}.row, %{l}.x64");
        put!(self, "  %{l}.i32 = add nuw nsw i32 %{l}.first, %{l}.lx\n  %{l}.i = zext i32 %{l}.i32 to i64");
        body(self);
        let (inner, outer) = (self.d.loop_metadata(vectorize), self.d.loop_metadata(false));
        put!(self, "  br label %{l}.x.end\n{l}.x.end:\n  %{l}.lx.n = add nuw nsw i32 %{l}.lx, 1");
        put!(self, "  %{l}.x.last = icmp eq i32 %{l}.lx.n, {wx}");
        put!(self, "  br i1 %{l}.x.last, label %{l}.y.end, label %{l}.xs, !llvm.loop {inner}");
        put!(self, "{l}.y.end:\n  %{l}.ly.n = add nuw nsw i32 %{l}.ly, 1");
        put!(self, "  %{l}.y.last = icmp eq i32 %{l}.ly.n, {wy}");
        put!(self, "  br i1 %{l}.y.last, label %{done}, label %{l}.ys, !llvm.loop {outer}");
    }

    /// Access of an array that has an element for each lane or item: no two lanes share one.
    fn tag(&self) -> String {
        format!("!llvm.access.group {}", self.d.access_group())
    }

    fn load_state(&mut self, l: &str, name: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.st.p = getelementptr inbounds i32, ptr %st, i64 %{l}.i");
        put!(self, "  %{l}.{name} = load i32, ptr %{l}.st.p, {tag}");
    }

    fn store_state(&mut self, l: &str, value: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.st.w = getelementptr inbounds i32, ptr %st, i64 %{l}.i");
        put!(self, "  store i32 {value}, ptr %{l}.st.w, {tag}");
    }

    /// `%<l>.in`: true for a lane that is an item of the group.
    fn in_bounds(&mut self, l: &str) {
        put!(self, "  %{l}.in.x = icmp ult i32 %{l}.x, %sx\n  %{l}.in.y = icmp ult i32 %{l}.y, %sy");
        put!(self, "  %{l}.in = and i1 %{l}.in.x, %{l}.in.y");
    }

    /// Where a chunk starts: with the state of the round, or each lane with its own.
    fn begin(&mut self) {
        let barriers = self.d.plan.has_barriers;
        put!(
            self,
            "chunk:\n  %now = load i32, ptr %gcur\n  store i32 %now, ptr %cur\n  store i1 true, ptr %full"
        );
        if barriers {
            self.copy_uniform("ui", "u");
            if self.kept().next().is_some() {
                put!(self, "  %fresh = icmp eq i32 %now, 0\n  %here = or i1 %fresh, %alone");
                put!(self, "  br i1 %here, label %chunk.go, label %restore");
                put!(self, "restore:");
                self.each_lane("rs", "chunk.go", |c| {
                    c.in_bounds("rs");
                    put!(c, "  br i1 %rs.in, label %rs.do, label %rs.x.end\nrs.do:");
                    c.move_kept("rs", false);
                });
            } else {
                put!(self, "  br label %chunk.go");
            }
        } else {
            put!(self, "  br label %chunk.go");
        }
        put!(self, "chunk.go:");
        if self.single() {
            // The only lane is an item; it may have a state of its own.
            put!(self, "  %same = load i1, ptr %guni\n  br i1 %same, label %go.f, label %own\nown:");
            if barriers {
                put!(self, "  %own.r0 = mul nuw nsw i32 %cz, %sy\n  %own.r1 = add nuw nsw i32 %own.r0, %cy");
                put!(
                    self,
                    "  %own.r2 = mul nuw nsw i32 %own.r1, %sx\n  %own.lin = add nuw nsw i32 %own.r2, %cx"
                );
                put!(self, "  %own.i = zext i32 %own.lin to i64");
                self.saved_state("own", "%own.i");
                put!(self, "  store i32 %own.s, ptr %cur");
            }
            put!(self, "  br label %go.f");
            return;
        }
        put!(self, "  %to.x = add nuw nsw i32 %cx, %px\n  %to.y = add nuw nsw i32 %cy, %py");
        put!(self, "  %fit.x = icmp ule i32 %to.x, %sx\n  %fit.y = icmp ule i32 %to.y, %sy");
        put!(
            self,
            "  %fit = and i1 %fit.x, %fit.y\n  %same = load i1, ptr %guni\n  %all = and i1 %fit, %same"
        );
        put!(self, "  br i1 %all, label %go.f, label %own\nown:");
        self.each_lane("ow", "scan", |c| {
            c.in_bounds("ow");
            if barriers {
                // Lanes beyond the group have no saved state; item 0 always has.
                put!(c, "  %ow.at = select i1 %ow.in, i64 %ow.lin, i64 0");
                c.saved_state("ow", "%ow.at");
                put!(c, "  %ow.t = select i1 %same, i32 %now, i32 %ow.s");
                put!(c, "  %ow.v = select i1 %ow.in, i32 %ow.t, i32 -1");
            } else {
                put!(c, "  %ow.v = select i1 %ow.in, i32 %now, i32 -1");
            }
            c.store_state("ow", "%ow.v");
        });
    }

    /// `%<l>.s`: the state of an item that waited at a barrier, ready to go on.
    fn saved_state(&mut self, l: &str, index: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.sp = getelementptr inbounds i32, ptr %scratch, i64 {index}");
        put!(self, "  %{l}.s0 = load i32, ptr %{l}.sp, {tag}\n  %{l}.s1 = and i32 %{l}.s0, {}", !PENDING);
        put!(self, "  %{l}.ended = icmp eq i32 %{l}.s0, -1");
        put!(self, "  %{l}.s = select i1 %{l}.ended, i32 -1, i32 %{l}.s1");
    }

    /// Slots that wait in scratch while other chunks run.
    fn kept(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.d.plan.slots.iter().enumerate().filter(|(_, s)| s.scratch.is_some())
    }

    /// Moves the kept slots of one lane between its array and scratch.
    fn move_kept(&mut self, l: &str, out: bool) {
        let tag = self.tag();
        let kept: Vec<(usize, String, u64, u64)> = self
            .kept()
            .map(|(j, s)| {
                (j, s.element().to_owned(), s.scratch.unwrap_or(0), s.bytes.next_multiple_of(s.align))
            })
            .collect();
        for (j, ty, offset, stride) in kept {
            put!(
                self,
                "  %{l}.q{j}.o = mul nuw i64 %npad, {offset}\n  %{l}.q{j}.e = mul nuw nsw i64 %{l}.lin, {stride}"
            );
            put!(self, "  %{l}.q{j}.b = getelementptr inbounds i8, ptr %scratch, i64 %{l}.q{j}.o");
            put!(self, "  %{l}.q{j}.k = getelementptr inbounds i8, ptr %{l}.q{j}.b, i64 %{l}.q{j}.e");
            put!(self, "  %{l}.q{j}.c = getelementptr inbounds {ty}, ptr %c{j}, i64 %{l}.i");
            let (from, to) = if out { ("c", "k") } else { ("k", "c") };
            put!(self, "  %{l}.q{j}.t = load {ty}, ptr %{l}.q{j}.{from}, {tag}");
            put!(self, "  store {ty} %{l}.q{j}.t, ptr %{l}.q{j}.{to}, {tag}");
        }
    }

    fn copy_uniform(&mut self, from: &str, to: &str) {
        let all: Vec<usize> = (0..self.d.plan.slots.len()).collect();
        self.copy_uniform_of(&all, from, to);
    }

    fn copy_uniform_of(&mut self, which: &[usize], from: &str, to: &str) {
        for &j in which {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let id = self.d.out.len();
                let ty = slot.ty.clone();
                put!(self, "  %x{id} = load {ty}, ptr %{from}{j}\n  store {ty} %x{id}, ptr %{to}{j}");
            }
        }
    }

    /// Puts a lane's slots into the block that the item function reads.
    fn carry_in(&mut self, l: &str, reads: &[usize]) {
        let tag = self.tag();
        for &j in reads {
            let slot = &self.d.plan.slots[j];
            let (ty, offset, element) = (slot.ty.clone(), slot.offset, slot.element().to_owned());
            put!(self, "  %{l}.q{j}.f = getelementptr inbounds i8, ptr %slots, i64 {offset}");
            if slot.uniform {
                put!(self, "  %{l}.q{j}.i = load {ty}, ptr %u{j}");
            } else {
                put!(self, "  %{l}.q{j}.p = getelementptr inbounds {element}, ptr %c{j}, i64 %{l}.i");
                if element == ty {
                    put!(self, "  %{l}.q{j}.i = load {ty}, ptr %{l}.q{j}.p, {tag}");
                } else {
                    put!(
                        self,
                        "  %{l}.q{j}.n = load i8, ptr %{l}.q{j}.p, {tag}\n  %{l}.q{j}.i = trunc i8 %{l}.q{j}.n to i1"
                    );
                }
            }
            put!(self, "  store {ty} %{l}.q{j}.i, ptr %{l}.q{j}.f");
        }
    }

    /// Takes what the item function wrote out of the block again. In a masked loop the lanes that did not
    /// run have left the block as it was; of uniform slots their value is left out.
    fn carry_out(&mut self, l: &str, writes: &[usize], mask: Option<&str>) {
        let tag = self.tag();
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            let (ty, element, uniform) = (slot.ty.clone(), slot.element().to_owned(), slot.uniform);
            put!(self, "  %{l}.q{j}.w = load {ty}, ptr %{l}.q{j}.f");
            match (uniform, mask) {
                (true, None) => {
                    put!(self, "  store {ty} %{l}.q{j}.w, ptr %v{j}");
                }
                (true, Some(mask)) => {
                    // All lanes that run agree: the or of their bits is the value.
                    let bits = bits_of(&ty).unwrap_or("i64");
                    let cast = if ty.starts_with("ptr") { "ptrtoint" } else { "bitcast" };
                    put!(self, "  %{l}.q{j}.b = {cast} {ty} %{l}.q{j}.w to {bits}");
                    put!(
                        self,
                        "  %{l}.q{j}.s = select i1 {mask}, {bits} %{l}.q{j}.b, {bits} {}",
                        if bits == "i1" { "false" } else { "0" }
                    );
                    put!(
                        self,
                        "  %{l}.q{j}.a = load {bits}, ptr %o{j}.bits\n  %{l}.q{j}.r = or {bits} %{l}.q{j}.a, %{l}.q{j}.s"
                    );
                    put!(self, "  store {bits} %{l}.q{j}.r, ptr %o{j}.bits");
                }
                (false, _) if element == ty => {
                    put!(self, "  store {ty} %{l}.q{j}.w, ptr %{l}.q{j}.p, {tag}");
                }
                (false, _) => {
                    put!(
                        self,
                        "  %{l}.q{j}.z = zext i1 %{l}.q{j}.w to i8\n  store i8 %{l}.q{j}.z, ptr %{l}.q{j}.p, {tag}"
                    );
                }
            }
        }
    }

    fn clear_bits(&mut self, writes: &[usize]) {
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let bits = bits_of(&slot.ty).unwrap_or("i64");
                put!(self, "  store {bits} {}, ptr %o{j}.bits", if bits == "i1" { "false" } else { "0" });
            }
        }
    }

    fn take_bits(&mut self, l: &str, writes: &[usize]) {
        for &j in writes {
            let slot = &self.d.plan.slots[j];
            if slot.uniform {
                let (ty, bits) = (slot.ty.clone(), bits_of(&slot.ty).unwrap_or("i64"));
                let cast = if ty.starts_with("ptr") { "inttoptr" } else { "bitcast" };
                put!(
                    self,
                    "  %{l}.q{j}.tb = load {bits}, ptr %o{j}.bits\n  %{l}.q{j}.tv = {cast} {bits} %{l}.q{j}.tb to {ty}"
                );
                put!(self, "  store {ty} %{l}.q{j}.tv, ptr %u{j}");
            }
        }
    }

    /// `f.k`: all lanes run region `k`.
    fn all_lanes(&mut self, k: usize) {
        let region = &self.d.plan.regions[k];
        let (returns, reads, writes) = (region.returns.clone(), region.reads.clone(), region.writes.clone());
        // A single lane always agrees with itself.
        let each = region.is_divergent() && returns.len() <= 4 && !self.single();
        let scanned = region.is_divergent() && returns.len() > 4 && !self.single();
        let l = format!("f{k}");
        put!(self, "{l}:");
        self.copy_uniform_of(&writes, "u", "v");
        if each {
            (0..returns.len()).for_each(|r| {
                put!(self, "  store i1 false, ptr %any{r}");
            });
        }
        self.each_lane(&l, &format!("{l}.done"), |c| {
            c.carry_in(&l, &reads);
            c.d.call_item(
                &format!("%{l}.next"),
                &k.to_string(),
                "%slots",
                [&format!("%{l}.x"), &format!("%{l}.y"), "%cz", &format!("%{l}.lin")],
            );
            c.carry_out(&l, &writes, None);
            if each || scanned {
                c.store_state(&l, &format!("%{l}.next"));
            } else {
                put!(c, "  store i32 %{l}.next, ptr %said");
            }
            if each {
                c.note_returns(&l, &returns);
            }
        });
        put!(self, "{l}.done:");
        self.copy_uniform_of(&writes, "v", "u");
        if scanned {
            put!(self, "  br label %scan");
        } else if each {
            self.go_by_returns(&l, &returns);
        } else if let [only] = returns[..] {
            self.go_all(only);
        } else {
            put!(self, "  %{l}.to = load i32, ptr %said\n  store i32 %{l}.to, ptr %cur");
            let cases: String =
                returns.iter().filter(|r| **r < PENDING).map(|r| format!(" i32 {r}, label %f{r}")).collect();
            put!(self, "  switch i32 %{l}.to, label %chunk.done [{cases} ]");
        }
    }

    /// Remembers which of the possible returns have been seen.
    fn note_returns(&mut self, l: &str, returns: &[u32]) {
        for (r, value) in returns.iter().enumerate() {
            put!(self, "  %{l}.is{r} = icmp eq i32 %{l}.next, {}", *value as i32);
            put!(self, "  %{l}.was{r} = load i1, ptr %any{r}\n  %{l}.now{r} = or i1 %{l}.was{r}, %{l}.is{r}");
            put!(self, "  store i1 %{l}.now{r}, ptr %any{r}");
        }
    }

    /// All lanes go where the only return says, or the lowest return's lanes go on alone.
    fn go_by_returns(&mut self, l: &str, returns: &[u32]) {
        for r in 0..returns.len() {
            put!(self, "  %{l}.a{r}.any = load i1, ptr %any{r}");
        }
        for (r, &value) in returns.iter().enumerate() {
            let later = returns.len() - r - 1;
            if later > 0 {
                put!(self, "  br i1 %{l}.a{r}.any, label %{l}.t{r}, label %{l}.n{r}\n{l}.t{r}:");
                let mut mixed = format!("%{l}.a{}.any", r + 1);
                for other in r + 2..returns.len() {
                    put!(self, "  %{l}.mix{r}.{other} = or i1 {mixed}, %{l}.a{other}.any");
                    mixed = format!("%{l}.mix{r}.{other}");
                }
                put!(self, "  br i1 {mixed}, label %{l}.some{r}, label %{l}.all{r}");
                put!(self, "{l}.some{r}:");
                self.go_some(value);
                put!(self, "{l}.all{r}:");
                self.go_all(value);
                put!(self, "{l}.n{r}:");
            } else {
                self.go_all(value);
            }
        }
    }

    fn go_all(&mut self, to: u32) {
        if to < PENDING {
            put!(self, "  br label %f{to}");
        } else {
            put!(self, "  store i32 {}, ptr %cur\n  br label %chunk.done", to as i32);
        }
    }

    fn go_some(&mut self, to: u32) {
        if to < PENDING {
            put!(self, "  br label %m{to}");
        } else {
            put!(
                self,
                "  store i32 {}, ptr %cur\n  store i1 false, ptr %full\n  br label %chunk.done",
                to as i32
            );
        }
    }

    /// `m.k`: the lanes that are at `k` run region `k`.
    fn some_lanes(&mut self, k: usize) {
        let l = format!("m{k}");
        put!(self, "{l}:");
        if self.single() {
            put!(self, "  unreachable");
            return;
        }
        let region = &self.d.plan.regions[k];
        let (reads, writes) = (region.reads.clone(), region.writes.clone());
        let again = region.returns.contains(&(k as u32));
        self.clear_bits(&writes);
        if again {
            put!(self, "  store i1 false, ptr %any0");
        }
        self.each_lane(&l, &format!("{l}.done"), |c| {
            c.load_state(&l, "s");
            put!(c, "  %{l}.on = icmp eq i32 %{l}.s, {k}");
            c.carry_in(&l, &reads);
            put!(c, "  br i1 %{l}.on, label %{l}.run, label %{l}.join\n{l}.run:");
            c.d.call_item(
                &format!("%{l}.next"),
                &k.to_string(),
                "%slots",
                [&format!("%{l}.x"), &format!("%{l}.y"), "%cz", &format!("%{l}.lin")],
            );
            put!(c, "  br label %{l}.join\n{l}.join:");
            put!(c, "  %{l}.new = phi i32 [ %{l}.s, %{l}.xs ], [ %{l}.next, %{l}.run ]");
            c.store_state(&l, &format!("%{l}.new"));
            c.carry_out(&l, &writes, Some(&format!("%{l}.on")));
            if again {
                put!(c, "  %{l}.is = icmp eq i32 %{l}.new, {k}\n  %{l}.was = load i1, ptr %any0");
                put!(c, "  %{l}.any = or i1 %{l}.was, %{l}.is\n  store i1 %{l}.any, ptr %any0");
            }
        });
        put!(self, "{l}.done:");
        self.take_bits(&l, &writes);
        if again {
            put!(self, "  %{l}.again = load i1, ptr %any0\n  br i1 %{l}.again, label %{l}, label %scan");
        } else {
            put!(self, "  br label %scan");
        }
    }

    /// For kernels with many regions: one loop that runs the lanes at `%cur`, whichever region that is.
    fn any_region(&mut self) {
        let all: Vec<usize> = (0..self.d.plan.slots.len()).collect();
        put!(self, "any:\n  %any.k = load i32, ptr %cur");
        self.clear_bits(&all);
        self.each_lane(ANY, "any.done", |c| {
            c.load_state("an", "s");
            put!(c, "  %an.on = icmp eq i32 %an.s, %any.k");
            c.carry_in("an", &all);
            put!(c, "  br i1 %an.on, label %an.run, label %an.join\nan.run:");
            c.d.call_item("%an.next", "%any.k", "%slots", ["%an.x", "%an.y", "%cz", "%an.lin"]);
            put!(c, "  br label %an.join\nan.join:");
            put!(c, "  %an.new = phi i32 [ %an.s, %an.xs ], [ %an.next, %an.run ]");
            c.store_state("an", "%an.new");
            c.carry_out("an", &all, Some("%an.on"));
        });
        put!(self, "any.done:");
        self.take_bits("any", &all);
        put!(self, "  br label %scan");
    }

    /// Lowest and highest state of the lanes, and where to go.
    fn scan(&mut self) {
        let count = self.d.plan.regions.len();
        let generic = self.generic();
        put!(self, "scan:\n  store i32 -1, ptr %mn\n  store i32 0, ptr %mx");
        self.each_lane("sc", "scan.done", |c| {
            c.load_state("sc", "s");
            put!(
                c,
                "  %sc.mn = load i32, ptr %mn\n  %sc.lo = call i32 @llvm.umin.i32(i32 %sc.mn, i32 %sc.s)"
            );
            put!(c, "  store i32 %sc.lo, ptr %mn\n  %sc.mx = load i32, ptr %mx");
            put!(c, "  %sc.hi = call i32 @llvm.umax.i32(i32 %sc.mx, i32 %sc.s)\n  store i32 %sc.hi, ptr %mx");
        });
        put!(self, "scan.done:\n  %scan.mn = load i32, ptr %mn\n  %scan.mx = load i32, ptr %mx");
        put!(self, "  store i32 %scan.mn, ptr %cur\n  %scan.same = icmp eq i32 %scan.mn, %scan.mx");
        put!(self, "  store i1 %scan.same, ptr %full");
        let cases = |version: &str| -> String {
            let label = |k: usize| if generic { "any".to_owned() } else { format!("{version}{k}") };
            (0..count).map(|k| format!(" i32 {k}, label %{}", label(k))).collect()
        };
        put!(self, "  br i1 %scan.same, label %go.f, label %go.m");
        if generic {
            // The states are in the lanes' array for every chunk.
            put!(self, "go.f:\n  %go.k = load i32, ptr %cur\n  br label %fill");
            put!(self, "fill:");
            self.each_lane("fi", "go.g", |c| c.store_state("fi", "%go.k"));
            put!(self, "go.g:\n  switch i32 %go.k, label %chunk.done [{} ]", cases("f"));
        } else {
            put!(self, "go.f:\n  %go.k = load i32, ptr %cur");
            put!(self, "  switch i32 %go.k, label %chunk.done [{} ]", cases("f"));
        }
        put!(self, "go.m:\n  switch i32 %scan.mn, label %chunk.done [{} ]", cases("m"));
    }

    /// A chunk's lanes have all ended or wait at a barrier.
    fn finish(&mut self) {
        put!(self, "chunk.done:");
        if self.d.plan.has_barriers {
            self.wait();
        } else {
            put!(self, "  br label %cx.end");
        }
        put!(self, "cx.end:\n  %cx.n = add nuw nsw i32 %cx, %px\n  %cx.more = icmp ult i32 %cx.n, %sx");
        put!(self, "  br i1 %cx.more, label %cx.head, label %cy.end");
        put!(self, "cy.end:\n  %cy.n = add nuw nsw i32 %cy, %py\n  %cy.more = icmp ult i32 %cy.n, %sy");
        put!(self, "  br i1 %cy.more, label %cy.head, label %cz.end");
        put!(self, "cz.end:\n  %cz.n = add nuw nsw i32 %cz, 1\n  %cz.more = icmp ult i32 %cz.n, %sz");
        put!(self, "  br i1 %cz.more, label %cz.head, label %round.end");
    }

    /// A chunk waits at a barrier: its state joins the group's, and what it needs later goes to scratch.
    fn wait(&mut self) {
        let in_step = self.d.plan.in_step;
        put!(self, "  %end.cur = load i32, ptr %cur\n  %end.full = load i1, ptr %full");
        put!(self, "  %end.mn = load i32, ptr %gmn");
        put!(
            self,
            "  %end.lo = call i32 @llvm.umin.i32(i32 %end.mn, i32 %end.cur)\n  store i32 %end.lo, ptr %gmn"
        );
        put!(self, "  %end.top = select i1 %end.full, i32 %end.cur, i32 -1\n  %end.mx = load i32, ptr %gmx");
        put!(
            self,
            "  %end.hi = call i32 @llvm.umax.i32(i32 %end.mx, i32 %end.top)\n  store i32 %end.hi, ptr %gmx"
        );
        put!(self, "  %end.exit = icmp eq i32 %end.cur, -1\n  br i1 %end.exit, label %ended, label %save");
        // A chunk that has ended keeps nothing; its items' states matter only where others go on.
        put!(self, "ended:");
        if in_step {
            put!(self, "  br label %cx.end");
        } else {
            self.each_lane("en", "cx.end", |c| {
                let tag = c.tag();
                c.in_bounds("en");
                put!(c, "  br i1 %en.in, label %en.do, label %en.x.end\nen.do:");
                put!(c, "  %en.p = getelementptr inbounds i32, ptr %scratch, i64 %en.lin");
                put!(c, "  store i32 -1, ptr %en.p, {tag}");
            });
        }
        put!(self, "save:");
        self.copy_uniform("u", "uo");
        if in_step && self.kept().next().is_none() {
            put!(self, "  br label %cx.end");
            return;
        }
        if in_step {
            put!(self, "  br i1 %alone, label %cx.end, label %save.all\nsave.all:");
        }
        self.each_lane("sv", "cx.end", |c| {
            let tag = c.tag();
            c.in_bounds("sv");
            if !in_step {
                c.load_state("sv", "own");
                put!(c, "  %sv.s = select i1 %end.full, i32 %end.cur, i32 %sv.own");
            }
            put!(c, "  br i1 %sv.in, label %sv.do, label %sv.x.end\nsv.do:");
            if !in_step {
                put!(c, "  %sv.p = getelementptr inbounds i32, ptr %scratch, i64 %sv.lin");
                put!(c, "  store i32 %sv.s, ptr %sv.p, {tag}");
            }
            c.move_kept("sv", true);
        });
    }

    fn end_round(&mut self) {
        put!(self, "round.end:");
        if !self.d.plan.has_barriers {
            put!(self, "  br label %group.done");
            return;
        }
        put!(self, "  %round.mn = load i32, ptr %gmn\n  %round.mx = load i32, ptr %gmx");
        put!(self, "  %round.over = icmp eq i32 %round.mn, -1");
        put!(self, "  br i1 %round.over, label %group.done, label %round.next\nround.next:");
        if !self.d.plan.in_step {
            put!(self, "  %round.same = icmp eq i32 %round.mn, %round.mx\n  store i1 %round.same, ptr %guni");
        }
        put!(self, "  %round.at = and i32 %round.mn, {}\n  store i32 %round.at, ptr %gcur", !PENDING as i32);
        self.copy_uniform("uo", "ui");
        put!(self, "  br label %round");
    }
}
