//! What a launch costs: an empty kernel, launched over and over.
//!
//! Prints one line per figure, `S`, metric, unit and value with tabs between; values are medians of batches.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oarlock_device::{ArgBlock, Device, Launch, LaunchShape, Module};
use oarlock_host::{HostConfig, HostDevice};
use oarlock_image::{Dialect, Image, Kernel, Metadata, Target};
use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope};

fn main() {
    // A test runner asks for the tests in here: there are none.
    let has = |wanted: &str| std::env::args().any(|arg| arg == wanted);
    if has("--list") {
        return;
    }
    // `cargo test --benches` only wants to know that it runs.
    let quick = has("--quick") || !has("--bench");
    let budget = if quick { Duration::from_millis(20) } else { Duration::from_millis(1500) };
    let device = HostDevice::new(HostConfig::default(), target()).expect("a device");
    let module = module(&device);
    print("threads", "count", f64::from(device.facts().compute_units));
    synchronous(&device, &module, "launch_sync_1_group", 1, budget);
    synchronous(&device, &module, "launch_sync_2_chunks", 2, budget);
    synchronous(&device, &module, "launch_sync_4096_groups", 4096, budget);
    queued(&device, &module, budget);
    sharing(&device, &module, budget);
    loading(&device, budget);
}

/// Launches without a queue: latency of each.
fn synchronous(device: &HostDevice, module: &Arc<dyn Module>, metric: &str, groups: u32, budget: Duration) {
    let launch = launch(module, groups);
    // SAFETY: the kernel does nothing.
    let each = nanoseconds(budget, 100, || unsafe { device.launch(black_box(&launch)) }.expect("a launch"));
    print(metric, "us", each / 1000.0);
}

/// Launches in a queue: latency with a wait after each, and cost of each in a long line of them.
fn queued(device: &HostDevice, module: &Arc<dyn Module>, budget: Duration) {
    let queue = device.create_queue().expect("a queue");
    for (metric, groups) in [("queue_launch_sync_1_group", 1), ("queue_launch_sync_2_chunks", 2)] {
        let launch = launch(module, groups);
        let each = nanoseconds(budget, 20, || {
            // SAFETY: the kernel does nothing.
            unsafe { queue.launch(launch.clone()) }.expect("a launch");
            queue.sync().expect("a sync");
        });
        print(metric, "us", each / 1000.0);
    }
    for (metric, groups) in [("queue_pipelined_1_group", 1), ("queue_pipelined_2_chunks", 2)] {
        let launch = launch(module, groups);
        let line = 1000;
        let each = nanoseconds(budget, 1, || {
            for _ in 0..line {
                // SAFETY: the kernel does nothing.
                unsafe { queue.launch(launch.clone()) }.expect("a launch");
            }
            queue.sync().expect("a sync");
        });
        print(metric, "us", each / 1000.0 / f64::from(line));
    }
    let each = nanoseconds(budget, 100, || {
        black_box(queue.record().expect("an event").is_complete());
    });
    print("event_on_idle_queue", "us", each / 1000.0);
}

/// How much faster a kernel that only computes runs on all threads than on one.
fn sharing(device: &HostDevice, module: &Arc<dyn Module>, budget: Duration) {
    let alone = HostDevice::new(HostConfig { threads: Some(1) }, target()).expect("a device");
    let launch = Launch { kernel: 1, ..launch(module, 256) };
    // SAFETY: the kernel only counts.
    let time =
        |device: &HostDevice| nanoseconds(budget, 1, || unsafe { device.launch(&launch) }.expect("a launch"));
    print("busy_kernel_1_thread", "us", time(&alone) / 1000.0);
    print("busy_kernel_all_threads", "us", time(device) / 1000.0);
}

/// Loading and unloading the small program.
fn loading(device: &HostDevice, budget: Duration) {
    let image = Arc::new(image());
    let each = nanoseconds(budget, 10, || {
        // SAFETY: the image is the one above.
        black_box(unsafe { device.load(image.clone()) }.expect("a module"));
    });
    print("load_unload", "us", each / 1000.0);
}

/// The median time of one call, over batches of `batch` calls.
fn nanoseconds(budget: Duration, batch: u32, mut call: impl FnMut()) -> f64 {
    let end = Instant::now() + budget;
    let mut times = Vec::new();
    while Instant::now() < end || times.len() < 5 {
        let start = Instant::now();
        (0..batch).for_each(|_| call());
        times.push(start.elapsed().as_nanos() as f64 / f64::from(batch));
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(metric: &str, unit: &str, value: f64) {
    println!("S\t{metric}\t{unit}\t{value:.4}");
}

fn target() -> Target {
    Target { triple: "x86_64-pc-linux-gnu".into(), cpu: "x86-64".into(), features: String::new() }
}

fn launch(module: &Arc<dyn Module>, groups: u32) -> Launch {
    Launch {
        module: module.clone(),
        kernel: 0,
        shape: LaunchShape::new(&[groups], &[64]).expect("a shape"),
        args: ArgBlock::from_args(module.kernel(0), &[]).expect("no arguments"),
    }
}

fn module(device: &HostDevice) -> Arc<dyn Module> {
    // SAFETY: the image's code is a few harmless instructions.
    unsafe { device.load(Arc::new(image())) }.expect("a module")
}

/// Returns at once.
const EMPTY: &[u8] = &[0xc3];

/// Counts down from 10,000 for each group.
const BUSY: &[u8] = &[
    0x48, 0x89, 0xd0, // mov rax, rdx
    0x48, 0x29, 0xf0, // sub rax, rsi
    0x48, 0x69, 0xc0, 0x10, 0x27, 0x00, 0x00, // imul rax, rax, 10000
    0x48, 0xff, 0xc8, // dec rax
    0x75, 0xfb, // jnz back
    0xc3, // ret
];

/// An image of two kernels, made without a compiler.
fn image() -> Image {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let text = object.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    let kernels = [("empty", EMPTY), ("busy", BUSY)].map(|(name, code)| {
        let entry = format!("{name}.groups");
        let value = object.append_section_data(text, code, 16);
        object.add_symbol(Symbol {
            name: entry.clone().into_bytes(),
            value,
            size: code.len() as u64,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(text),
            flags: SymbolFlags::None,
        });
        Kernel {
            name: name.into(),
            entry,
            params: Vec::new(),
            args_size: 0,
            args_align: 1,
            group_bytes: 0,
            uses_dynamic_group: false,
            item_bytes: 0,
            barriers: 0,
            required_group_size: None,
            max_group_items: None,
        }
    });
    let metadata = Metadata { dialect: Dialect::Native, kernels: kernels.into(), globals: Vec::new() };
    Image { target: target(), code: object.write().expect("an object"), metadata }
}
