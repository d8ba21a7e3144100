//! What cannot be compiled is refused with a typed error that names it; nothing is left behind.

use oarlock_codegen::{CompileError, Compiler, Options};
use oarlock_image::Format;

fn compile(text: &str) -> Result<oarlock_codegen::Image, CompileError> {
    compile_bytes(text.as_bytes())
}

fn compile_bytes(bytes: &[u8]) -> Result<oarlock_codegen::Image, CompileError> {
    let compiler = Compiler::new();
    compiler.compile(bytes, &compiler.host_target(), &Options::default())
}

/// `what` must be named in an `Unsupported` error.
fn refused(text: &str, what: &str) {
    match compile(text) {
        Err(CompileError::Unsupported { what: found, .. }) if found.contains(what) => {}
        other => panic!("expected a refusal of {what}, got {other:?} for:\n{text}"),
    }
}

#[test]
fn formats_are_judged_by_their_bytes() {
    assert_eq!(compile(""), Err(CompileError::Empty));
    for (bytes, format) in [
        (&b"\x7FELF\x02\x01\x01"[..], Format::Elf),
        (b"\x03\x02\x23\x07....", Format::SpirV),
        (b"\0\0\0\0", Format::Unknown),
        (b"int main() {}", Format::Unknown),
    ] {
        assert_eq!(compile_bytes(bytes), Err(CompileError::Format { found: format, len: bytes.len() }));
    }
}

#[test]
fn text_that_does_not_parse_says_where() {
    let Err(CompileError::Parse { message, .. }) = compile("define void @f() {\n  ret i32 0 garbage\n}")
    else {
        panic!("must not parse");
    };
    assert!(message.contains("2:"), "no line in {message:?}");
}

#[test]
fn invalid_ir_is_told_by_the_verifier() {
    let text = "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  \
                %y = add i32 %x, 1\n  ret void\n}";
    assert!(matches!(compile(text), Err(CompileError::Invalid { .. } | CompileError::Parse { .. })));
}

#[test]
fn a_module_without_kernels_is_refused() {
    for text in [
        "@x = global i32 0",
        "define i32 @f() { ret i32 0 }",
        "define internal void @f() { ret void }",
        "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() { ret void }",
    ] {
        assert!(matches!(compile(text), Err(CompileError::NoKernels { .. })), "{text}");
    }
}

#[test]
fn other_machines_are_refused() {
    for triple in [
        "aarch64-linux-gnu",
        "spir-unknown-unknown",
        "spirv32-unknown-unknown",
        "wasm32",
        "spirv64-amd-amdhsa",
    ] {
        let text = format!("target triple = \"{triple}\"\ndefine void @f() {{ ret void }}");
        assert!(matches!(compile(&text), Err(CompileError::Triple { .. })), "{triple}");
    }
}

#[test]
fn what_the_device_cannot_run_is_named() {
    refused("module asm \"nop\"\ndefine void @f() { ret void }", "module-level assembly");
    refused(
        "define void @f() {\n  call void asm sideeffect \"nanosleep.u32 5;\", \"\"()\n  ret void\n}",
        "inline assembly",
    );
    refused("@t = thread_local global i32 0\ndefine void @f() { ret void }", "thread-local");
    refused("define void @f() gc \"shadow-stack\" { ret void }", "shadow-stack");
    refused("define void @f(<vscale x 4 x i32> %v) { ret void }", "vscale");
    refused("define void @f(ptr addrspace(256) %p) { ret void }", "addrspace(256)");
    refused("define void @f(ptr %p) {\n  %x = load i65536, ptr %p\n  ret void\n}", "i65536");
    refused(
        "define void @f(ptr %p) {\n  %x = load <65536 x double>, ptr %p\n  ret void\n}",
        "65536 x double",
    );
    refused("define void @f(ptr %p, ...) { ret void }", "variable argument list");
    refused("%s = type { i32 }\ndefine void @f(%s %p) { ret void }", "%s");
    refused(
        "@oarlock = ifunc void (), ptr @r\ndefine ptr @r() { ret ptr null }\ndefine void @f() { ret void }",
        "ifunc",
    );
}

#[test]
fn types_of_constants_count_and_so_do_all_types_inside_types() {
    refused("define void @f(ptr %p) {\n  store i4096 1, ptr %p\n  ret void\n}", "i4096");
    refused(
        "define void @f(ptr %p) {\n  store <4096 x i8> zeroinitializer, ptr %p\n  ret void\n}",
        "4096 x i8",
    );
    // 2^60 ways lead to the innermost type.
    let mut deep = "%t0 = type { i8 }\n".to_owned();
    for n in 1..60 {
        deep += &format!("%t{n} = type {{ ptr, [0 x %t{0}], [0 x %t{0}] }}\n", n - 1);
    }
    deep += "define void @f(ptr %p) {\n  %q = getelementptr %t59, ptr %p, i64 1\n  store ptr %q, ptr %p\n  ret void\n}";
    assert!(compile(&deep).is_ok());
}

#[test]
fn variables_that_would_fill_memory_are_refused() {
    refused("@x = constant [8589934592 x i8] zeroinitializer\ndefine void @f() { ret void }", "8589934592");
}

#[test]
fn aliases_stand_for_something_of_the_module() {
    refused("@a = alias i32, inttoptr (i64 4096 to ptr)\ndefine void @f() { ret void }", "an alias of");
    let good = "@x = global [4 x i32] zeroinitializer\n@a = alias i32, getelementptr (i32, ptr @x, i64 2)\n\
                define void @f() {\n  store i32 1, ptr @a\n  ret void\n}";
    assert!(compile(good).is_ok());
}

#[test]
fn damaged_containers_never_reach_llvm() {
    let whole = include_bytes!("../../../tests/kernels/vector_add.bc");
    assert!(compile_bytes(whole).is_ok());
    let mut longer = whole.to_vec();
    // The length of the second block.
    longer[4..].iter_mut().rev().take(8).for_each(|b| *b = 0xFF);
    for bytes in [&whole[..whole.len() / 2], &longer] {
        assert!(matches!(compile_bytes(bytes), Err(CompileError::Damaged { .. })));
    }
}

#[test]
fn device_intrinsics_without_a_meaning_are_named() {
    refused(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)\n\
         define ptx_kernel void @f(ptr %p) {\n  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 0, i32 1, i32 31)\n  \
         store i32 %v, ptr %p\n  ret void\n}",
        "llvm.nvvm.shfl.sync.down.i32",
    );
    refused(
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         declare void @llvm.amdgcn.endpgm()\n\
         define amdgpu_kernel void @f() {\n  call void @llvm.amdgcn.endpgm()\n  unreachable\n}",
        "llvm.amdgcn.endpgm",
    );
}

#[test]
fn functions_that_depend_on_the_item_must_be_inlinable() {
    let ids = "declare i32 @oarlock_local_id(i32)\ndeclare void @oarlock_barrier()\n";
    refused(
        &format!(
            "{ids}define internal i32 @r(i32 %n) {{\n  %l = call i32 @oarlock_local_id(i32 0)\n  %s = call i32 @r(i32 %l)\n  \
             ret i32 %s\n}}\ndefine void @f(ptr %p) {{\n  %v = call i32 @r(i32 3)\n  store i32 %v, ptr %p\n  ret void\n}}"
        ),
        "recursion through function `r`",
    );
    refused(
        &format!(
            "{ids}define internal i32 @r() {{\n  %l = call i32 @oarlock_local_id(i32 0)\n  ret i32 %l\n}}\n\
             define void @f(ptr %p) {{\n  store ptr @r, ptr %p\n  ret void\n}}"
        ),
        "address of function `r`",
    );
    refused(
        &format!(
            "{ids}@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{{ i32, ptr, ptr }} {{ i32 1, ptr @c, ptr null }}]\n\
             define internal void @c() {{\n  call void @oarlock_barrier()\n  ret void\n}}\ndefine void @f() {{ ret void }}"
        ),
        "address of function `c`",
    );
}

#[test]
fn private_memory_is_bounded() {
    refused(
        "declare void @oarlock_barrier()\ndeclare void @use(ptr)\n\
         define void @f() {\n  %a = alloca [16777216 x i8]\n  call void @use(ptr %a)\n  call void @oarlock_barrier()\n  ret void\n}",
        "private memory",
    );
}

#[test]
fn narrow_pointers_in_memory_are_refused_for_amdgcn() {
    refused(
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         define amdgpu_kernel void @f(ptr %p, ptr addrspace(3) %q) {\n  %s = getelementptr { ptr addrspace(3), i32 }, ptr %p, i64 1\n  \
         store ptr addrspace(3) %q, ptr %s\n  ret void\n}",
        "pointer",
    );
}

/// Truncation of bitcode never kills LLVM's reader; other damage can, and is not tried here.
#[test]
fn every_prefix_of_a_module_is_an_error_or_a_program() {
    let text = "define void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n";
    for end in 0..text.len() {
        let _ = compile(&text[..end]);
    }
    assert!(compile(text).is_ok());
}

#[test]
fn unknown_targets_are_errors() {
    let compiler = Compiler::new();
    let mut target = compiler.host_target();
    target.triple = "nonsense-unknown-unknown".into();
    let text = b"define void @k() { ret void }";
    assert!(matches!(compiler.compile(text, &target, &Options::default()), Err(CompileError::Target { .. })));
}
