//! Ids, sizes, barriers and lane operations, in every dialect's names.
//!
//! Lane operations see sub-groups of width 1: lane 0, one lane, a ballot of one bit. Operations that
//! only make sense with more lanes (shuffles) are not given a body, so that they are refused by name.

use super::mangled::Mangled;
use super::supply::{Body, Signature};

/// The body of an intrinsic or of a function of the native dialect.
pub(crate) fn body(signature: &Signature) -> Option<Body> {
    let name = signature.name.as_str();
    if let Some(rest) = name.strip_prefix("oarlock_") {
        native(rest, signature)
    } else if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
        nvptx(rest, signature)
    } else if let Some(rest) = name.strip_prefix("llvm.amdgcn.") {
        amdgcn(rest, signature)
    } else {
        spirv(name.strip_prefix("llvm.spv.")?, signature)
    }
}

fn native(name: &str, s: &Signature) -> Option<Body> {
    let by_dimension = s.params.len() == 1 && s.params[0] == "i32";
    match name {
        "local_id" if by_dimension => Some(dimension(Number::Local, &s.ret)),
        "group_id" if by_dimension => Some(dimension(Number::Group, &s.ret)),
        "group_size" if by_dimension => Some(dimension(Number::Size, &s.ret)),
        "group_count" if by_dimension => Some(dimension(Number::Count, &s.ret)),
        "global_id" if by_dimension => Some(dimension(Number::Global, &s.ret)),
        "global_size" if by_dimension => Some(dimension(Number::GlobalSize, &s.ret)),
        "barrier" if s.params.is_empty() => Some(barrier(&s.ret)),
        "group_memory" if s.params.is_empty() && s.ret == "ptr" => Some(Body::new(
            "  %f = call ptr @__oarlock.frame()\n  %g = call ptr @__oarlock.group_memory()\n\
             \x20 %p = getelementptr inbounds i8, ptr %f, i64 48\n\
             \x20 %o = load i64, ptr %p, align 8, !invariant.load !{}\n\
             \x20 %r = getelementptr inbounds i8, ptr %g, i64 %o\n  ret ptr %r\n",
        )),
        _ => None,
    }
}

fn nvptx(name: &str, s: &Signature) -> Option<Body> {
    if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
        let (number, axis) = match register.rsplit_once('.') {
            Some(("tid", axis)) => (Number::Local, axis),
            Some(("ctaid", axis)) => (Number::Group, axis),
            Some(("ntid", axis)) => (Number::Size, axis),
            Some(("nctaid", axis)) => (Number::Count, axis),
            None if register == "laneid" => return Some(constant(&s.ret, 0)),
            None if register == "warpsize" => return Some(constant(&s.ret, 1)),
            _ => return None,
        };
        return axis_number(axis).map(|a| fixed(number, a, &s.ret));
    }
    match name {
        "barrier.cta.sync.aligned.all" | "barrier.cta.sync.all" => Some(barrier(&s.ret)),
        "bar.warp.sync" => Some(nothing(&s.ret)),
        "activemask" => Some(constant(&s.ret, 1)),
        "vote.ballot.sync" | "vote.ballot" => Some(widen_predicate(s)),
        "vote.any.sync" | "vote.all.sync" | "vote.uni.sync" => Some(Body::new("  ret i1 %1\n")),
        "membar.cta" | "membar.gl" | "membar.sys" => Some(fence()),
        "reflect" => Some(constant(&s.ret, 0)),
        "sqrt.rn.f" | "sqrt.approx.f" | "sqrt.f" | "sqrt.rn.d" => Some(unary_intrinsic("sqrt", s)),
        "fabs.f32" | "fabs.f64" | "fabs.f" | "fabs.d" => Some(unary_intrinsic("fabs", s)),
        _ => None,
    }
}

fn amdgcn(name: &str, s: &Signature) -> Option<Body> {
    match name.rsplit_once('.') {
        Some(("workitem.id", axis)) => return axis_number(axis).map(|a| fixed(Number::Local, a, &s.ret)),
        Some(("workgroup.id", axis)) => return axis_number(axis).map(|a| fixed(Number::Group, a, &s.ret)),
        _ => {}
    }
    match name {
        "implicitarg.ptr" => Some(frame_block(oarlock_image::abi::offsets::IMPLICIT, &s.ret)),
        "dispatch.ptr" => Some(frame_block(oarlock_image::abi::offsets::DISPATCH, &s.ret)),
        "s.barrier" => Some(barrier(&s.ret)),
        "wave.barrier" | "s.sleep" => Some(nothing(&s.ret)),
        // The number of lanes below this one in the mask, plus the second operand: lane 0 has none.
        "mbcnt.lo" | "mbcnt.hi" => Some(Body::new("  ret i32 %1\n")),
        "wavefrontsize" => Some(constant(&s.ret, 1)),
        "ballot.i64" | "ballot.i32" => Some(widen_predicate(s)),
        _ if name.starts_with("readfirstlane.") => Some(Body::new(format!("  ret {} %0\n", s.ret))),
        _ => None,
    }
}

fn spirv(name: &str, s: &Signature) -> Option<Body> {
    let by_dimension = s.params.len() == 1 && s.params[0] == "i32";
    let stem = name.trim_end_matches(".i64").trim_end_matches(".i32");
    match stem {
        "thread.id.in.group" if by_dimension => Some(dimension(Number::Local, &s.ret)),
        "group.id" if by_dimension => Some(dimension(Number::Group, &s.ret)),
        "workgroup.size" if by_dimension => Some(dimension(Number::Size, &s.ret)),
        "num.workgroups" if by_dimension => Some(dimension(Number::Count, &s.ret)),
        "thread.id" if by_dimension => Some(dimension(Number::Global, &s.ret)),
        "global.size" if by_dimension => Some(dimension(Number::GlobalSize, &s.ret)),
        "global.offset" => Some(constant(&s.ret, 0)),
        "group.memory.barrier.with.group.sync" => Some(barrier(&s.ret)),
        "subgroup.local.invocation.id" => Some(constant(&s.ret, 0)),
        "subgroup.size" | "subgroup.max.size" => Some(constant(&s.ret, 1)),
        "subgroup.id" => Some(linear_local(&s.ret)),
        "num.subgroups" => Some(group_items(&s.ret)),
        "wave.ballot" if s.ret == "<4 x i32>" => Some(Body::new(
            "  %z = zext i1 %0 to i32\n  %v = insertelement <4 x i32> zeroinitializer, i32 %z, i32 0\n\
             \x20 ret <4 x i32> %v\n",
        )),
        _ => None,
    }
}

/// The OpenCL functions of this file, by their demangled name.
pub(crate) fn opencl(m: &Mangled, s: &Signature) -> Option<Body> {
    let by_dimension = s.params.len() == 1 && s.params[0] == "i32";
    match m.name.as_str() {
        "get_local_id" if by_dimension => Some(dimension(Number::Local, &s.ret)),
        "get_group_id" if by_dimension => Some(dimension(Number::Group, &s.ret)),
        "get_local_size" | "get_enqueued_local_size" if by_dimension => Some(dimension(Number::Size, &s.ret)),
        "get_num_groups" if by_dimension => Some(dimension(Number::Count, &s.ret)),
        "get_global_id" if by_dimension => Some(dimension(Number::Global, &s.ret)),
        "get_global_size" if by_dimension => Some(dimension(Number::GlobalSize, &s.ret)),
        "get_global_offset" => Some(constant(&s.ret, 0)),
        "get_work_dim" => Some(Body::new(
            "  %f = call ptr @__oarlock.frame()\n  %p = getelementptr inbounds i8, ptr %f, i64 32\n\
             \x20 %d = load i32, ptr %p, align 4, !invariant.load !{}\n  ret i32 %d\n",
        )),
        "get_local_linear_id" => Some(linear_local(&s.ret)),
        "get_global_linear_id" => Some(linear_global(&s.ret)),
        "barrier" | "work_group_barrier" => Some(barrier(&s.ret)),
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => Some(fence()),
        "sub_group_barrier" => Some(nothing(&s.ret)),
        "get_sub_group_local_id" => Some(constant(&s.ret, 0)),
        "get_sub_group_size" | "get_max_sub_group_size" => Some(constant(&s.ret, 1)),
        "get_sub_group_id" => Some(linear_local(&s.ret)),
        "get_num_sub_groups" | "get_enqueued_num_sub_groups" => Some(group_items(&s.ret)),
        "sub_group_all" | "sub_group_any" => Some(Body::new("  ret i32 %0\n")),
        n if n.starts_with("sub_group_reduce_") || n.starts_with("sub_group_scan_inclusive_") => {
            Some(Body::new(format!("  ret {} %0\n", s.ret)))
        }
        _ => None,
    }
}

/// Which number of an item.
#[derive(Clone, Copy)]
enum Number {
    Local,
    Group,
    Size,
    Count,
    Global,
    GlobalSize,
}

const AXES: [char; 3] = ['x', 'y', 'z'];

fn axis_number(axis: &str) -> Option<usize> {
    AXES.iter().position(|a| axis.len() == 1 && axis.starts_with(*a))
}

/// Instructions that compute `number` on `axis` and return it as `ret` (i32 or i64).
fn compute(number: Number, axis: usize, ret: &str) -> String {
    let a = AXES[axis];
    let single = |what: &str| {
        let call = format!("  %v{a} = call i32 @__oarlock.{what}.{a}()\n");
        if ret == "i32" {
            format!("{call}  ret i32 %v{a}\n")
        } else {
            format!("{call}  %w{a} = zext i32 %v{a} to {ret}\n  ret {ret} %w{a}\n")
        }
    };
    // A launch has fewer than 2^31 items in a dimension, which the device checks: nothing wraps.
    let product = |first: &str, rest: &str| {
        let widen = if ret == "i32" {
            format!("  ret i32 %r{a}\n")
        } else {
            format!("  %w{a} = zext nneg i32 %r{a} to {ret}\n  ret {ret} %w{a}\n")
        };
        format!(
            "  %g{a} = call i32 @__oarlock.{first}.{a}()\n  %s{a} = call i32 @__oarlock.size.{a}()\n{rest}{widen}"
        )
    };
    match number {
        Number::Local => single("local"),
        Number::Group => single("group"),
        Number::Size => single("size"),
        Number::Count => single("count"),
        Number::Global => product(
            "group",
            &format!(
                "  %m{a} = mul nuw nsw i32 %g{a}, %s{a}\n  %l{a} = call i32 @__oarlock.local.{a}()\n\
                 \x20 %r{a} = add nuw nsw i32 %m{a}, %l{a}\n"
            ),
        ),
        Number::GlobalSize => product("count", &format!("  %r{a} = mul nuw nsw i32 %g{a}, %s{a}\n")),
    }
}

fn fixed(number: Number, axis: usize, ret: &str) -> Body {
    Body::new(compute(number, axis, ret))
}

/// The number on the axis that the first parameter names; past z an id is 0 and a count is 1.
fn dimension(number: Number, ret: &str) -> Body {
    let beyond = match number {
        Number::Local | Number::Group | Number::Global => 0,
        Number::Size | Number::Count | Number::GlobalSize => 1,
    };
    let mut text = String::from(
        "entry:\n  switch i32 %0, label %beyond [ i32 0, label %x i32 1, label %y i32 2, label %z ]\n",
    );
    for (axis, a) in AXES.iter().enumerate() {
        text += &format!("{a}:\n{}", compute(number, axis, ret));
    }
    Body::new(format!("{text}beyond:\n  ret {ret} {beyond}\n"))
}

fn call_numbers(names: &[&str]) -> String {
    names
        .iter()
        .map(|n| {
            let v = n.replace('.', "");
            format!("  %{v}.n = call i32 @__oarlock.{n}()\n  %{v} = zext i32 %{v}.n to i64\n")
        })
        .collect()
}

fn narrowed(value: &str, ret: &str) -> String {
    if ret == "i64" {
        format!("  ret i64 {value}\n")
    } else {
        format!("  %narrow = trunc i64 {value} to {ret}\n  ret {ret} %narrow\n")
    }
}

fn linear_local(ret: &str) -> Body {
    let text = call_numbers(&["local.x", "local.y", "local.z", "size.x", "size.y"]);
    Body::new(format!(
        "{text}  %a = mul nuw nsw i64 %localz, %sizey\n  %b = add nuw nsw i64 %a, %localy\n\
         \x20 %c = mul nuw nsw i64 %b, %sizex\n  %d = add nuw nsw i64 %c, %localx\n{}",
        narrowed("%d", ret)
    ))
}

fn linear_global(ret: &str) -> Body {
    let mut text = call_numbers(&[
        "local.x", "local.y", "local.z", "size.x", "size.y", "size.z", "group.x", "group.y", "group.z",
        "count.x", "count.y",
    ]);
    for a in AXES {
        text += &format!("  %m{a} = mul i64 %group{a}, %size{a}\n  %g{a} = add i64 %m{a}, %local{a}\n");
    }
    Body::new(format!(
        "{text}  %wx = mul i64 %countx, %sizex\n  %wy = mul i64 %county, %sizey\n\
         \x20 %a = mul i64 %gz, %wy\n  %b = add i64 %a, %gy\n  %c = mul i64 %b, %wx\n  %d = add i64 %c, %gx\n{}",
        narrowed("%d", ret)
    ))
}

fn group_items(ret: &str) -> Body {
    let text = call_numbers(&["size.x", "size.y", "size.z"]);
    Body::new(format!(
        "{text}  %a = mul nuw nsw i64 %sizex, %sizey\n  %b = mul nuw nsw i64 %a, %sizez\n{}",
        narrowed("%b", ret)
    ))
}

fn barrier(ret: &str) -> Body {
    debug_assert_eq!(ret, "void");
    Body::new("  call void @__oarlock.barrier()\n  ret void\n")
}

fn nothing(ret: &str) -> Body {
    debug_assert_eq!(ret, "void");
    Body::new("  ret void\n")
}

fn fence() -> Body {
    Body::new("  fence seq_cst\n  ret void\n")
}

fn constant(ret: &str, value: u32) -> Body {
    Body::new(format!("  ret {ret} {value}\n"))
}

/// A ballot: the predicate is the last parameter.
fn widen_predicate(s: &Signature) -> Body {
    let last = s.params.len().saturating_sub(1);
    Body::new(format!("  %z = zext i1 %{last} to {ret}\n  ret {ret} %z\n", ret = s.ret))
}

fn frame_block(offset: u32, ret: &str) -> Body {
    Body::new(format!(
        "  %f = call ptr @__oarlock.frame()\n  %p = getelementptr inbounds i8, ptr %f, i64 {offset}\n\
         \x20 %r = addrspacecast ptr %p to {ret}\n  ret {ret} %r\n"
    ))
}

fn unary_intrinsic(name: &str, s: &Signature) -> Body {
    let suffix = if s.ret == "double" { "f64" } else { "f32" };
    let ty = &s.ret;
    Body::new(format!("  %r = call {ty} @llvm.{name}.{suffix}({ty} %0)\n  ret {ty} %r\n"))
        .declaring(format!("declare {ty} @llvm.{name}.{suffix}({ty})"))
}
