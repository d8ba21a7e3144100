//! What the tests share: kernels compiled from C, wrapped as images.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use oarlock_device::{Arg, ArgBlock, Device, DevicePtr, Launch, LaunchShape, Module};
use oarlock_host::{HostConfig, HostDevice};
use oarlock_image::{Dialect, Global, Image, Kernel, Metadata, Param, ParamKind, Target};

pub(crate) fn target() -> Target {
    Target { triple: "x86_64-pc-linux-gnu".into(), cpu: "x86-64".into(), features: String::new() }
}

pub(crate) fn device(threads: usize) -> HostDevice {
    HostDevice::new(HostConfig { threads: Some(threads) }, target()).unwrap()
}

/// Compiles C to an object; `None`, with the reason on stderr, where the compiler is missing.
pub(crate) fn clang(source: &str) -> Option<Vec<u8>> {
    let mut command = Command::new("clang-22");
    command.args(["-x", "c", "-O2", "-c", "-fPIC", "-w", "-o", "-", "-"]);
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(e) => {
            skipped(&format!("clang-22 does not start: {e}"));
            return None;
        }
    };
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "clang-22 failed");
    Some(output.stdout)
}

#[allow(clippy::print_stderr, reason = "a test that does not run says so")]
fn skipped(reason: &str) {
    eprintln!("SKIPPED: {reason}");
}

/// The frame as C sees it, and what every kernel starts with.
pub(crate) const PRELUDE: &str = r#"
    typedef unsigned u32; typedef unsigned long u64; typedef unsigned char u8;
    typedef struct {
        const void *args; u32 groups[3], size[3], dims, reserved; u64 padded, dynamic;
        u8 dispatch[64], implicit[256];
    } Frame;
    #define KERNEL(name) void name(const Frame *f, u64 first, u64 end, char *group, char *scratch)
"#;

/// Kernels for most tests.
pub(crate) const KERNELS: &str = r#"
    u32 launches = 5;
    const u32 constant = 77;
    /* fill: out[i] = value, one item each */
    KERNEL(fill_groups) {
        struct { u32 *out; u32 value; } const *a = f->args;
        for (u64 g = first; g < end; g++)
            for (u32 i = 0; i < f->size[0]; i++) a->out[g * f->size[0] + i] = a->value;
    }
    /* add: *counter += 1 for each group */
    KERNEL(add_groups) {
        struct { u64 *counter; } const *a = f->args;
        for (u64 g = first; g < end; g++) __atomic_fetch_add(a->counter, 1, __ATOMIC_RELAXED);
    }
    /* memory: fills group memory and scratch, checks that nobody else did meanwhile */
    KERNEL(memory_groups) {
        struct { u64 *wrong; u64 bytes; } const *a = f->args;
        u64 bytes = f->dynamic + a->bytes, items = f->padded * 16;
        if ((u64)group % 128 || (u64)scratch % 128 || !scratch) __atomic_fetch_add(a->wrong, 1, 0);
        for (u64 g = first; g < end; g++) {
            for (u64 i = 0; i < bytes; i++) ((volatile char *)group)[i] = (char)g;
            for (u64 i = 0; i < items; i++) ((volatile char *)scratch)[i] = (char)~g;
            for (u64 i = 0; i < bytes; i++) if (group[i] != (char)g) __atomic_fetch_add(a->wrong, 1, 0);
            for (u64 i = 0; i < items; i++) if (scratch[i] != (char)~g) __atomic_fetch_add(a->wrong, 1, 0);
        }
    }
    /* mark: marker = value, of this copy of the program */
    u32 marker;
    KERNEL(mark_groups) {
        struct { u32 value; } const *a = f->args;
        marker = a->value;
    }
    KERNEL(empty_groups) {}
"#;

pub(crate) const FILL: usize = 0;
pub(crate) const ADD: usize = 1;
pub(crate) const MEMORY: usize = 2;
pub(crate) const MARK: usize = 3;
pub(crate) const EMPTY: usize = 4;

pub(crate) fn kernel(name: &str, params: &[(ParamKind, u32)]) -> Kernel {
    let mut offset: u32 = 0;
    let params: Vec<Param> = params
        .iter()
        .map(|&(kind, size)| {
            offset = offset.next_multiple_of(size);
            let param = Param { name: None, kind, ty: "t".into(), offset, size, align: size };
            offset += size;
            param
        })
        .collect();
    Kernel {
        name: name.into(),
        entry: format!("{name}_groups"),
        params,
        args_size: offset.next_multiple_of(8),
        args_align: 8,
        group_bytes: 0,
        uses_dynamic_group: false,
        item_bytes: 0,
        barriers: 0,
        required_group_size: None,
        max_group_items: None,
    }
}

/// The image of [`KERNELS`].
pub(crate) fn image() -> Option<Image> {
    use ParamKind::{Pointer, Scalar};
    let code = clang(&format!("{PRELUDE}{KERNELS}"))?;
    let mut memory = kernel("memory", &[(Pointer, 8), (Scalar, 8)]);
    (memory.item_bytes, memory.group_bytes) = (16, 100);
    let kernels = vec![
        kernel("fill", &[(Pointer, 8), (Scalar, 4)]),
        kernel("add", &[(Pointer, 8)]),
        memory,
        kernel("mark", &[(Scalar, 4)]),
        kernel("empty", &[]),
    ];
    let global = |name: &str, constant| Global { name: name.into(), size: 4, align: 4, constant };
    let globals = vec![global("launches", false), global("constant", true), global("marker", false)];
    Some(Image { target: target(), code, metadata: Metadata { dialect: Dialect::Native, kernels, globals } })
}

pub(crate) fn load(device: &HostDevice, image: Image) -> Arc<dyn Module> {
    // SAFETY: the image was compiled from the source above.
    unsafe { device.load(Arc::new(image)) }.unwrap()
}

pub(crate) fn launch(
    module: &Arc<dyn Module>,
    kernel: usize,
    groups: u32,
    size: u32,
    args: &[Arg<'_>],
) -> Launch {
    Launch {
        module: module.clone(),
        kernel,
        shape: LaunchShape::new(&[groups], &[size]).unwrap(),
        args: ArgBlock::from_args(module.kernel(kernel), args).unwrap(),
    }
}

pub(crate) fn read_u32(device: &HostDevice, ptr: DevicePtr) -> u32 {
    let mut bytes = [0; 4];
    device.read(ptr, &mut bytes).unwrap();
    u32::from_ne_bytes(bytes)
}

pub(crate) fn read_u64(device: &HostDevice, ptr: DevicePtr) -> u64 {
    let mut bytes = [0; 8];
    device.read(ptr, &mut bytes).unwrap();
    u64::from_ne_bytes(bytes)
}
