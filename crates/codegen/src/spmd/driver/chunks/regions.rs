//! The loops of each region, and where the lanes go from it.

use std::fmt::Write;

use super::super::super::cuts::PENDING;
use super::{ANY, Chunk, put};

impl Chunk<'_, '_> {
    /// `f.k`: all lanes run region `k`.
    pub(super) fn all_lanes(&mut self, k: usize) {
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
    pub(super) fn note_returns(&mut self, l: &str, returns: &[u32]) {
        for (r, value) in returns.iter().enumerate() {
            put!(self, "  %{l}.is{r} = icmp eq i32 %{l}.next, {}", *value as i32);
            put!(self, "  %{l}.was{r} = load i1, ptr %any{r}\n  %{l}.now{r} = or i1 %{l}.was{r}, %{l}.is{r}");
            put!(self, "  store i1 %{l}.now{r}, ptr %any{r}");
        }
    }

    /// All lanes go where the only return says, or the lowest return's lanes go on alone.
    pub(super) fn go_by_returns(&mut self, l: &str, returns: &[u32]) {
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

    pub(super) fn go_all(&mut self, to: u32) {
        if to < PENDING {
            put!(self, "  br label %f{to}");
        } else {
            put!(self, "  store i32 {}, ptr %cur\n  br label %chunk.done", to as i32);
        }
    }

    pub(super) fn go_some(&mut self, to: u32) {
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
    pub(super) fn some_lanes(&mut self, k: usize) {
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
    pub(super) fn any_region(&mut self) {
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
    pub(super) fn scan(&mut self) {
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
}
