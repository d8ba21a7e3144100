//! Rounds: where chunks start, where they wait at a barrier, and when a group is done.

use std::fmt::Write;

use super::super::super::cuts::PENDING;
use super::super::super::slots::Slot;
use super::{Chunk, put};

impl Chunk<'_, '_> {
    /// Where a chunk starts: with the state of the round, or each lane with its own.
    pub(super) fn begin(&mut self) {
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
    pub(super) fn saved_state(&mut self, l: &str, index: &str) {
        let tag = self.tag();
        put!(self, "  %{l}.sp = getelementptr inbounds i32, ptr %scratch, i64 {index}");
        put!(self, "  %{l}.s0 = load i32, ptr %{l}.sp, {tag}\n  %{l}.s1 = and i32 %{l}.s0, {}", !PENDING);
        put!(self, "  %{l}.ended = icmp eq i32 %{l}.s0, -1");
        put!(self, "  %{l}.s = select i1 %{l}.ended, i32 -1, i32 %{l}.s1");
    }

    /// Slots that wait in scratch while other chunks run.
    pub(super) fn kept(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.d.plan.slots.iter().enumerate().filter(|(_, s)| s.scratch.is_some())
    }

    /// Moves the kept slots of one lane between its array and scratch.
    pub(super) fn move_kept(&mut self, l: &str, out: bool) {
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

    /// A chunk's lanes have all ended or wait at a barrier.
    pub(super) fn finish(&mut self) {
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
    pub(super) fn wait(&mut self) {
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

    pub(super) fn end_round(&mut self) {
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
