//! Barriers beyond what front ends usually make: duplicated, in divergent code, many, in loops.
#![allow(clippy::undocumented_unsafe_blocks, reason = "tests run kernels that they wrote")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{Loaded, ptr};
use oarlock_codegen::Options;

const HEAD: &str = "declare i32 @oarlock_local_id(i32)\ndeclare i32 @oarlock_group_size(i32)\n\
                    declare void @oarlock_barrier() convergent\n\
                    @tile = internal addrspace(3) global [512 x i32] undef\n";

fn load(text: &str) -> Loaded {
    Loaded::new(format!("{HEAD}{text}").as_bytes(), &Options::default())
}

/// A front end duplicated the barrier into both sides of a divergent branch: the items still meet.
#[test]
fn items_meet_at_different_call_sites() {
    let p = load(
        "define void @k(ptr %out) {
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  %n = call i32 @oarlock_group_size(i32 0)
  %t = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %l
  %odd = and i32 %l, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %a, label %b
a:
  store i32 %l, ptr addrspace(3) %t
  call void @oarlock_barrier()
  br label %join
b:
  %m = mul i32 %l, 10
  store i32 %m, ptr addrspace(3) %t
  call void @oarlock_barrier()
  br label %join
join:
  %scale = phi i32 [ 1, %a ], [ 2, %b ]
  %l1 = add i32 %l, 1
  %i = urem i32 %l1, %n
  %q = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  %v = load i32, ptr addrspace(3) %q
  %r = mul i32 %v, %scale
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %r, ptr %o
  ret void
}",
    );
    assert_eq!(p.image.metadata.kernels[0].barriers, 2);
    for n in [1u32, 2, 33, 256] {
        let mut out = vec![0u32; n as usize];
        p.run("k", [1, 1, 1], [n, 1, 1], 0, &[&ptr(&mut out)]);
        for l in 0..n {
            let i = (l + 1) % n;
            let v = if i % 2 == 0 { i } else { i * 10 };
            assert_eq!(out[l as usize], v * (1 + l % 2), "item {l} of {n}");
        }
    }
}

/// Items run a different number of rounds; those that have ended do not hold up the others.
#[test]
fn items_leave_a_loop_of_barriers_at_different_times() {
    let p = load(
        "define void @k(ptr %out) {
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ %r1, %more ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %more ]
  %done = icmp uge i32 %r, %l
  br i1 %done, label %end, label %more
more:
  call void @oarlock_barrier()
  %sum1 = add i32 %sum, %r
  %r1 = add i32 %r, 1
  br label %loop
end:
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %sum, ptr %o
  ret void
}",
    );
    let mut out = vec![u32::MAX; 70];
    p.run("k", [1, 1, 1], [70, 1, 1], 0, &[&ptr(&mut out)]);
    for (l, v) in out.into_iter().enumerate() {
        assert_eq!(v as usize, (0..l).sum::<usize>());
    }
}

/// More barriers than get loops of their own.
#[test]
fn a_hundred_barriers() {
    let mut body = String::new();
    for k in 0..100 {
        body += &format!(
            "  call void @oarlock_barrier()\n  %v{k} = load i32, ptr addrspace(3) %q\n  call void @oarlock_barrier()\n  \
             %w{k} = add i32 %v{k}, 1\n  store i32 %w{k}, ptr addrspace(3) %t\n"
        );
    }
    let p = load(&format!(
        "define void @k(ptr %out) {{
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  %n = call i32 @oarlock_group_size(i32 0)
  %t = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %l
  store i32 %l, ptr addrspace(3) %t
  %l1 = add i32 %l, 1
  %i = urem i32 %l1, %n
  %q = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
{body}  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %w99, ptr %o
  ret void
}}"
    ));
    let n = 16u32;
    let mut out = vec![0u32; n as usize];
    p.run("k", [1, 1, 1], [n, 1, 1], 0, &[&ptr(&mut out)]);
    for l in 0..n {
        assert_eq!(out[l as usize], (l + 100) % n + 100);
    }
}

/// A variable whose address goes into memory keeps its contents across a barrier.
#[test]
fn escaped_variables_survive() {
    let p = load(
        "define void @k(ptr %out) {
entry:
  %a = alloca [4 x i32], align 16
  %slot = alloca ptr
  %l = call i32 @oarlock_local_id(i32 0)
  store ptr %a, ptr %slot
  %a2 = getelementptr [4 x i32], ptr %a, i32 0, i32 2
  store i32 %l, ptr %a2
  call void @oarlock_barrier()
  %p = load ptr, ptr %slot
  %p2 = getelementptr [4 x i32], ptr %p, i32 0, i32 2
  %v = load i32, ptr %p2
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %v, ptr %o
  ret void
}",
    );
    let mut out = vec![0u32; 100];
    p.run("k", [1, 1, 1], [100, 1, 1], 0, &[&ptr(&mut out)]);
    assert!(out.iter().enumerate().all(|(l, v)| *v as usize == l), "{out:?}");
}

/// A barrier in a block that branches to itself.
#[test]
fn a_barrier_in_a_one_block_loop() {
    let p = load(
        "define void @k(ptr %out, i32 %rounds) {
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ %r1, %loop ]
  %s = phi i32 [ %l, %entry ], [ %s1, %loop ]
  %s0 = mul i32 %s, 3
  call void @oarlock_barrier()
  %s1 = add i32 %s0, %r
  %r1 = add i32 %r, 1
  %c = icmp ult i32 %r1, %rounds
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %s1, ptr %o
  ret void
}",
    );
    let mut out = vec![0u32; 40];
    p.run("k", [1, 1, 1], [40, 1, 1], 0, &[&ptr(&mut out), &5u32.to_ne_bytes()]);
    for (l, v) in out.into_iter().enumerate() {
        assert_eq!(v, (0..5).fold(l as u32, |s, r| s.wrapping_mul(3).wrapping_add(r)));
    }
}

/// A private array without barriers: each item has its own, though all use one stack slot in turn.
#[test]
fn private_arrays_are_private_in_vectorised_loops() {
    let p = load(
        "define void @k(ptr %out, ptr %index) {
entry:
  %a = alloca [8 x i32], align 16
  %l = call i32 @oarlock_local_id(i32 0)
  %pi = getelementptr i32, ptr %index, i32 %l
  %i = load i32, ptr %pi
  %w = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 false)
  store i32 %l, ptr %w
  %r3 = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  %v = load i32, ptr %r3
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %v, ptr %o
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    );
    let mut index: Vec<u32> = (0..256).map(|i| i % 8).collect();
    let mut out = vec![0u32; 256];
    p.run("k", [1, 1, 1], [256, 1, 1], 0, &[&ptr(&mut out), &ptr(&mut index)]);
    for (l, v) in out.into_iter().enumerate() {
        assert_eq!(v as usize, if l % 8 == 3 { l } else { 0 });
    }
}

/// Static group memory is not dynamic group memory, and both can be used at once.
#[test]
fn static_and_dynamic_group_memory_are_told_apart() {
    let only_static = load(
        "define void @k(ptr %out) {
  %l = call i32 @oarlock_local_id(i32 0)
  %t = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %l
  store i32 %l, ptr addrspace(3) %t
  %v = load i32, ptr addrspace(3) %t
  store i32 %v, ptr %out
  ret void
}",
    );
    let kernel = &only_static.image.metadata.kernels[0];
    assert!(!kernel.uses_dynamic_group);
    assert_eq!(kernel.group_bytes, 2048);
    let both = load(
        "declare ptr @oarlock_group_memory()
define void @k(ptr %out) {
  %l = call i32 @oarlock_local_id(i32 0)
  %t = getelementptr [512 x i32], ptr addrspace(3) @tile, i32 0, i32 %l
  store i32 %l, ptr addrspace(3) %t
  %m = call ptr @oarlock_group_memory()
  %d = getelementptr i32, ptr %m, i32 %l
  store i32 100, ptr %d
  call void @oarlock_barrier()
  %v = load i32, ptr addrspace(3) %t
  %w = load i32, ptr %d
  %s = add i32 %v, %w
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %s, ptr %o
  ret void
}",
    );
    assert!(both.image.metadata.kernels[0].uses_dynamic_group);
    let mut out = vec![0u32; 20];
    both.run("k", [1, 1, 1], [20, 1, 1], 80, &[&ptr(&mut out)]);
    assert!(out.iter().enumerate().all(|(l, v)| *v as usize == l + 100), "{out:?}");
}

/// One arm of a branch has one barrier, the other two: items overtake one another, round after round.
#[test]
fn items_that_overtake_one_another_keep_their_own_counters() {
    let p = load(
        "define void @k(ptr %out) {
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  %b = and i32 %l, 1
  %odd = icmp ne i32 %b, 0
  %l1 = add i32 %l, 1
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ %r1, %next ]
  %s = phi i32 [ 0, %entry ], [ %s1, %next ]
  br i1 %odd, label %two, label %one
one:
  call void @oarlock_barrier()
  br label %next
two:
  call void @oarlock_barrier()
  call void @oarlock_barrier()
  br label %next
next:
  %m = mul i32 %r, %l1
  %s1 = add i32 %s, %m
  %r1 = add i32 %r, 1
  %c = icmp ult i32 %r1, 4
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %s1, ptr %o
  ret void
}",
    );
    for n in [1u32, 2, 3, 8, 16, 17, 64, 100] {
        let mut out = vec![0u32; n as usize];
        p.run("k", [1, 1, 1], [n, 1, 1], 0, &[&ptr(&mut out)]);
        assert!(out.iter().enumerate().all(|(l, v)| *v as usize == 6 * (l + 1)), "{n} items: {out:?}");
    }
}

/// A value made of a parameter lives across a loop of barriers that items leave at different times.
#[test]
fn what_is_the_same_for_all_is_seen_by_those_who_run_ahead() {
    let p = load(
        "define void @k(ptr %out, float %p) {
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  %v = fadd float %p, 1.0
  %rounds = and i32 %l, 1
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %body ]
  %more = icmp ult i32 %r, %rounds
  br i1 %more, label %body, label %exit
body:
  call void @oarlock_barrier()
  %r1 = add i32 %r, 1
  br label %head
exit:
  call void @oarlock_barrier()
  %o = getelementptr float, ptr %out, i32 %l
  store float %v, ptr %o
  ret void
}",
    );
    for n in [1u32, 2, 5, 16, 40] {
        let mut out = vec![0f32; n as usize];
        p.run("k", [1, 1, 1], [n, 1, 1], 0, &[&ptr(&mut out), &2.5f32.to_ne_bytes()]);
        assert!(out.iter().all(|v| *v == 3.5), "{n} items: {out:?}");
    }
}

/// A barrier that no path reaches is no barrier, at any level.
#[test]
fn a_barrier_that_is_never_reached() {
    let text = format!(
        "{HEAD}define void @k(ptr %out) {{
entry:
  %l = call i32 @oarlock_local_id(i32 0)
  call void @oarlock_barrier()
  %o = getelementptr i32, ptr %out, i32 %l
  store i32 %l, ptr %o
  ret void
never:
  call void @oarlock_barrier()
  br label %never
}}"
    );
    for level in [oarlock_codegen::OptLevel::O0, oarlock_codegen::OptLevel::O3] {
        let p = Loaded::new(text.as_bytes(), &Options::default().with_opt_level(level));
        let mut out = vec![0u32; 20];
        p.run("k", [1, 1, 1], [20, 1, 1], 0, &[&ptr(&mut out)]);
        assert!(out.iter().enumerate().all(|(l, v)| *v as usize == l));
    }
}
