//! Sources, compiled by clang where it is there; and what is said where it is not.

mod support;

use std::process::Command;

use support::{Place, clang, kernel};

const C: &str = r#"
#include <oarlock/kernel.h>
OARLOCK_KERNEL void scale(float *y, float a, uint32_t n) {
    uint64_t i = oarlock_global_id(0);
    if (i < n) y[i] = a * y[i];
}
"#;

const GPU: &str = r#"
#include <gpuintrin.h>
__gpu_kernel void square(const float *x, float *y) {
    unsigned i = __gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x();
    y[i] = x[i] * x[i];
}
"#;

#[test]
fn without_clang_a_source_says_what_to_install() {
    let place = Place::new();
    place.put("k.cl", "kernel void k(void) {}");
    let (code, stderr) = out_of(place.command("inspect k.cl").env("OARLOCK_CLANG", "/no/such/clang"));
    assert_eq!(code, Some(1), "{stderr}");
    for says in ["k.cl", "clang-22", "cargo xtask setup", "OARLOCK_CLANG=/no/such/clang"] {
        assert!(stderr.contains(says), "{says}: {stderr}");
    }
}

fn out_of(command: &mut Command) -> (Option<i32>, String) {
    let out = command.output().unwrap();
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

#[test]
fn opencl_c_runs() {
    if clang("opencl_c_runs").is_none() {
        return;
    }
    let place = Place::new();
    let args = "saxpy --grid 1 --group 16 iota:f32:16 out:f32:16:o.npy f32:2";
    place.ok(&format!("run {} {args}", kernel("saxpy.cl")));
    assert_eq!(place.floats("o.npy").1, std::array::from_fn::<f32, 16, _>(|i| 2.0 * i as f32));
    // The names of the parameters are in the messages.
    let few = format!("run {} saxpy --grid 1 --group 1", kernel("saxpy.cl"));
    place.fails(&few, 1, &["0  x", "1  y", "2  a"]);
}

#[test]
fn c_and_cpp_run_with_the_header() {
    if clang("c_and_cpp_run_with_the_header").is_none() {
        return;
    }
    let place = Place::new();
    for file in ["k.c", "k.cpp"] {
        place.put(file, C);
        let text = place.ok(&format!("run {file} scale --items 6 --group 4 iota:f32:8 f32:3 u32:6"));
        assert!(text.contains("0, 3, 6, 9, 12, 15, 6, 7"), "{file}: {text}");
    }
    let text = place.run_with("run -x c - scale --grid 1 --group 1 iota:f32:1 f32:3 u32:1", C.as_bytes());
    assert_eq!(text.code, Some(0), "{}", text.stderr);
}

#[test]
fn what_clang_says_is_told_and_its_arguments_arrive() {
    if clang("what_clang_says_is_told_and_its_arguments_arrive").is_none() {
        return;
    }
    let place = Place::new();
    std::fs::create_dir(place.path("sub")).unwrap();
    place.put("sub/part.h", "#define PART 4");
    place.put("sub/k.cl", "#include \"part.h\"\nkernel void k(global int *p) { *p = PART + MORE; }\n");
    let run = "run sub/k.cl k --grid 1 --group 1 out:i32:1";
    place.fails(run, 1, &["does not compile", "sub/k.cl:2:", "MORE"]);
    assert!(place.ok(&format!("{run} --clang-arg=-DMORE=3")).contains("i32 1  7"));
}

#[test]
fn gpu_code_runs() {
    let Some(clang) = clang("gpu_code_runs") else { return };
    let place = Place::new();
    place.put("gpu.c", GPU);
    for target in [&["--target=nvptx64-nvidia-cuda"][..], &["--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a"]] {
        let mut command = Command::new(&clang);
        command.current_dir(place.path(".")).args(target);
        command.args(["-O2", "-ffreestanding", "-nogpulib", "-emit-llvm", "-c", "gpu.c", "-o", "gpu.bc"]);
        let (code, stderr) = out_of(&mut command);
        assert_eq!(code, Some(0), "{stderr}");
        let text = place.ok("run gpu.bc square --grid 2 --group 4 iota:f32:8 out:f32:8");
        assert!(text.contains("0, 1, 4, 9, 16, 25, 36, 49"), "{target:?}: {text}");
    }
}
