//! What stays as it is, however long a program runs: no allocation per launch, no thread per queue.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{ADD, EMPTY, MEMORY, device, image, launch, load};
use oarlock_device::{Arg, Device, MemoryKind};

/// Counts allocations of the whole process.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The tests below count things of the process: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn launches_allocate_nothing_once_warm() {
    let _alone = ALONE.lock();
    let Some(image) = image() else { return };
    let device = device(3);
    let module = load(&device, image);
    let queue = device.create_queue().unwrap();
    let number = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    let launches = [
        launch(&module, EMPTY, 1, 1, &[]),
        launch(&module, ADD, 100, 1, &[number.into()]),
        launch(&module, MEMORY, 50, 8, &[number.into(), Arg::from(0u64)]),
    ];
    let round = || {
        for launch in &launches {
            // SAFETY: the kernels count in an allocation that lives, and stay within their memory.
            unsafe { device.launch(launch) }.unwrap();
        }
        for _ in 0..50 {
            // SAFETY: as above.
            launches.iter().for_each(|launch| unsafe { queue.launch(launch.clone()) }.unwrap());
            queue.copy(number, number, 8).unwrap();
        }
        queue.sync().unwrap();
    };
    // Which threads take part, and how long the queue grows, is chance: rounds without any allocation come
    // once everyone has had a turn.
    let clean = (0..200).filter(|_| {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        round();
        ALLOCATIONS.load(Ordering::Relaxed) == before
    });
    assert!(clean.count() >= 150);
}

#[test]
fn threads_are_reused_and_leave_with_the_device() {
    let _alone = ALONE.lock();
    let device = device(3);
    for _ in 0..500 {
        let queue = device.create_queue().unwrap();
        queue.host_function(Box::new(|| ())).unwrap();
        queue.sync().unwrap();
    }
    assert!(threads() <= 20, "{} threads after 500 queues", threads());
    drop(device);
    let end = Instant::now() + Duration::from_secs(5);
    while threads() > 0 {
        assert!(Instant::now() < end, "{} threads after the device", threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Threads of this process that belong to a device.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let name = |task: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(task.ok()?.path().join("comm")).ok()
    };
    tasks.filter_map(name).filter(|name| name.starts_with("oarlock-")).count()
}
