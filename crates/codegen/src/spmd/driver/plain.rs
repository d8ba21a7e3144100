//! A kernel without cuts: one loop nest over the items of a group.

use std::fmt::Write;

use super::{Driver, emit};

impl Driver<'_> {
    pub(super) fn plain(&mut self) {
        let entry = self.work.kernel.entry.clone();
        self.open("", &entry, "");
        self.load_launch();
        self.load_params();
        self.open_groups();
        emit!(self, "  br label %z");
        emit!(self, "z:\n  %lz = phi i32 [ 0, %group ], [ %lz.n, %z.end ]\n  br label %y");
        emit!(self, "y:\n  %ly = phi i32 [ 0, %z ], [ %ly.n, %y.end ]");
        emit!(self, "  %r0 = mul nuw nsw i32 %lz, %sy\n  %r1 = add nuw nsw i32 %r0, %ly");
        emit!(self, "  %r2 = mul nuw nsw i32 %r1, %sx\n  %row = zext i32 %r2 to i64\n  br label %x");
        emit!(self, "x:\n  %lx = phi i32 [ 0, %y ], [ %lx.n, %x ]");
        emit!(self, "  %lx64 = zext i32 %lx to i64\n  %lin = add nuw nsw i64 %row, %lx64");
        self.call_item("%next", "0", "null", ["%lx", "%ly", "%lz", "%lin"]);
        let (inner, outer) = (self.loop_metadata(true), self.loop_metadata(false));
        emit!(self, "  %lx.n = add nuw nsw i32 %lx, 1\n  %x.last = icmp eq i32 %lx.n, %sx");
        emit!(self, "  br i1 %x.last, label %y.end, label %x, !llvm.loop {inner}");
        emit!(self, "y.end:\n  %ly.n = add nuw nsw i32 %ly, 1\n  %y.last = icmp eq i32 %ly.n, %sy");
        emit!(self, "  br i1 %y.last, label %z.end, label %y, !llvm.loop {outer}");
        emit!(self, "z.end:\n  %lz.n = add nuw nsw i32 %lz, 1\n  %z.last = icmp eq i32 %lz.n, %sz");
        emit!(self, "  br i1 %z.last, label %group.done, label %z");
        self.close_groups();
    }
}
