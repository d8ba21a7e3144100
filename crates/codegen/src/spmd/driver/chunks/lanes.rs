//! The loops over a chunk's lanes, and the lanes' states.

use std::fmt::Write;

use super::{ANY, Chunk, put};

impl Chunk<'_, '_> {
    /// A loop over the lanes. In `body`, `%<l>.x`, `.y`, `.lin` are the item's numbers and `.i` the lane's.
    pub(super) fn each_lane(&mut self, l: &str, done: &str, body: impl FnOnce(&mut Self)) {
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
    pub(super) fn tag(&self) -> String {
        format!("!llvm.access.group {}", self.d.access_group())
    }

    pub(super) fn load_state(&mut self, l: &str, name: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.st.p = getelementptr inbounds i32, ptr %st, i64 %{l}.i");
        put!(self, "  %{l}.{name} = load i32, ptr %{l}.st.p, {tag}");
    }

    pub(super) fn store_state(&mut self, l: &str, value: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.st.w = getelementptr inbounds i32, ptr %st, i64 %{l}.i");
        put!(self, "  store i32 {value}, ptr %{l}.st.w, {tag}");
    }

    /// `%<l>.in`: true for a lane that is an item of the group.
    pub(super) fn in_bounds(&mut self, l: &str) {
        put!(self, "  %{l}.in.x = icmp ult i32 %{l}.x, %sx\n  %{l}.in.y = icmp ult i32 %{l}.y, %sy");
        put!(self, "  %{l}.in = and i1 %{l}.in.x, %{l}.in.y");
    }
}
