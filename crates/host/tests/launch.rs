//! Images loaded and launched, with and without a queue.

mod common;

use std::sync::Arc;

use common::{ADD, EMPTY, FILL, MARK, MEMORY, device, image, launch, load, read_u32, read_u64};
use oarlock_device::{
    Arg, ArgError, Device, DeviceError, LaunchError, LaunchShape, MemoryError, MemoryKind, ShapeError,
};

#[test]
fn a_grid_fills_its_memory() {
    let Some(image) = image() else { return };
    for threads in [1, 2, 5] {
        let device = device(threads);
        let module = load(&device, image.clone());
        for (groups, size) in [(1, 1), (2, 64), (3, 100), (1000, 7), (40_000, 4)] {
            let items = u64::from(groups) * u64::from(size);
            let out = device.allocate(MemoryKind::Device, items * 4, 4).unwrap();
            let launch = launch(&module, FILL, groups, size, &[out.into(), Arg::from(groups)]);
            // SAFETY: the kernel writes `items` numbers.
            unsafe { device.launch(&launch) }.unwrap();
            let mut back = vec![0; items as usize * 4];
            device.read(out, &mut back).unwrap();
            assert!(back.as_chunks::<4>().0.iter().all(|n| *n == groups.to_ne_bytes()));
            device.free(out).unwrap();
        }
    }
}

#[test]
fn every_thread_has_memory_of_its_own() {
    let Some(image) = image() else { return };
    let device = device(4);
    let module = load(&device, image);
    let wrong = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    device.write(wrong, &[0; 8]).unwrap();
    for (groups, size, dynamic) in [(1, 1, 0u32), (64, 33, 1000), (500, 200, 7), (64, 1, 100_000)] {
        let args = [wrong.into(), Arg::from(u64::from(dynamic))];
        let mut launch = launch(&module, MEMORY, groups, size, &args);
        launch.shape = launch.shape.with_group_memory(dynamic);
        // SAFETY: the kernel stays within its group memory and scratch.
        unsafe { device.launch(&launch) }.unwrap();
    }
    assert_eq!(read_u64(&device, wrong), 0);
}

#[test]
fn each_copy_of_a_program_has_its_variables() {
    let Some(image) = image() else { return };
    let device = device(2);
    let (a, b) = (load(&device, image.clone()), load(&device, image));
    let marker = |m: &Arc<dyn oarlock_device::Module>| m.global("marker").unwrap().0;
    // SAFETY: the kernel writes one variable.
    unsafe { device.launch(&launch(&a, MARK, 1, 1, &[Arg::from(11u32)])) }.unwrap();
    // SAFETY: as above.
    unsafe { device.launch(&launch(&b, MARK, 1, 1, &[Arg::from(22u32)])) }.unwrap();
    assert_eq!((read_u32(&device, marker(&a)), read_u32(&device, marker(&b))), (11, 22));
    let (launches, about) = a.global("launches").unwrap();
    assert_eq!((read_u32(&device, launches), about.size, about.constant), (5, 4, false));
    device.write(launches, &9u32.to_ne_bytes()).unwrap();
    assert_eq!(read_u32(&device, launches), 9);
    assert!(a.global("nothing").is_none());

    let constant = a.global("constant").unwrap().0;
    assert_eq!(read_u32(&device, constant), 77);
    let error = DeviceError::Memory(MemoryError::ReadOnly { ptr: constant });
    assert_eq!(device.write(constant, &[0; 4]), Err(error));
    assert!(device.write(launches, &[0; 5]).is_err(), "past the variable");
    assert!(device.free(launches).is_err(), "not an allocation");
    assert!(device.allocation(launches).is_none());

    drop(a);
    assert!(device.read(launches, &mut [0; 4]).is_err(), "gone with its program");
    assert_eq!(read_u32(&device, marker(&b)), 22);
}

#[test]
fn launches_that_cannot_be_are_refused() {
    let Some(mut image) = image() else { return };
    image.metadata.kernels[EMPTY].required_group_size = Some([8, 1, 1]);
    image.metadata.kernels[ADD].max_group_items = Some(16);
    let device = device(2);
    let module = load(&device, image.clone());
    // SAFETY: refused, or empty.
    let run = |launch: &oarlock_device::Launch| unsafe { device.launch(launch) };
    let null = oarlock_device::DevicePtr(0);

    assert_eq!(run(&launch(&module, EMPTY, 1, 8, &[])), Ok(()));
    let error = run(&launch(&module, EMPTY, 1, 9, &[]));
    assert!(matches!(error, Err(DeviceError::Launch(LaunchError::GroupSize { found: [9, 1, 1], .. }))));
    let error = run(&launch(&module, ADD, 1, 17, &[null.into()]));
    assert!(matches!(error, Err(DeviceError::Launch(LaunchError::GroupItems { limit: 16, found: 17, .. }))));
    let error = run(&launch(&module, MARK, 1, 5000, &[Arg::from(1u32)]));
    assert!(matches!(error, Err(DeviceError::Shape(ShapeError::TooLarge { limit: 4096, .. }))));
    let mut none = launch(&module, EMPTY, 1, 8, &[]);
    none.kernel = 99;
    let error = DeviceError::Launch(LaunchError::NoKernel { index: 99, kernels: 5 });
    assert_eq!(run(&none), Err(error));

    let mut other = launch(&module, MARK, 1, 1, &[Arg::from(1u32)]);
    other.kernel = MEMORY;
    assert!(matches!(run(&other), Err(DeviceError::Args(ArgError::OtherKernel { .. }))));

    let limit = device.facts().group_memory_bytes;
    let mut shared = launch(&module, MARK, 1, 1, &[Arg::from(1u32)]);
    shared.shape = shared.shape.with_group_memory(limit);
    assert_eq!(run(&shared), Ok(()));
    shared.shape = shared.shape.with_group_memory(limit + 1);
    assert!(matches!(run(&shared), Err(DeviceError::Launch(LaunchError::GroupMemory { .. }))));
    shared.shape = shared.shape.with_group_memory(u32::MAX);
    assert!(matches!(run(&shared), Err(DeviceError::Launch(LaunchError::GroupMemory { .. }))));

    // Just too many items, though few groups.
    let mut wide = launch(&module, MARK, 1, 1, &[Arg::from(1u32)]);
    wide.shape = LaunchShape::new(&[1, 1 << 30], &[1, 2]).unwrap();
    let error = run(&wide);
    assert!(matches!(error, Err(DeviceError::Launch(LaunchError::ItemCount { axis: 1, .. }))));
}

#[test]
fn images_that_do_not_fit_are_refused() {
    let Some(image) = image() else { return };
    let device = device(1);
    // SAFETY: refused.
    let load = |image: &oarlock_image::Image| unsafe { device.load(Arc::new(image.clone())) }.err().unwrap();
    let mut other = image.clone();
    other.target.features = "+avx2".into();
    assert!(matches!(load(&other), DeviceError::WrongTarget { .. }));
    let mut other = image.clone();
    other.metadata.kernels[0].entry = "missing".into();
    assert!(load(&other).to_string().contains("missing"));
    let mut other = image.clone();
    other.metadata.globals[0].size = 400;
    assert!(load(&other).to_string().contains("launches"));
    let mut other = image;
    other.code.truncate(100);
    assert!(matches!(load(&other), DeviceError::Load { .. }));
}

#[test]
fn many_threads_launch_at_once() {
    let Some(image) = image() else { return };
    let device = device(3);
    let module = load(&device, image);
    let counter = device.allocate(MemoryKind::Device, 8, 8).unwrap();
    device.write(counter, &[0; 8]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                for n in 1..200 {
                    let launch = launch(&module, ADD, n, 1, &[counter.into()]);
                    // SAFETY: the kernel counts in an allocation that lives.
                    unsafe { device.launch(&launch) }.unwrap();
                }
            });
        }
    });
    assert_eq!(read_u64(&device, counter), 20 * (199 * 200 / 2));
}

#[test]
fn a_launch_from_a_bound_thread_uses_the_devices_processors() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let all = sched_getaffinity(None).unwrap();
    if all.count() < 2 {
        return;
    }
    let device = device(2);
    let queue = device.create_queue().unwrap();
    let one = (0..CpuSet::MAX_CPU).find(|cpu| all.is_set(*cpu)).unwrap();
    let mut bound = CpuSet::new();
    bound.set(one);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            sched_setaffinity(None, &bound).unwrap();
            let (tell, told) = std::sync::mpsc::channel();
            let look = move || tell.send(sched_getaffinity(None).unwrap().count()).unwrap();
            queue.host_function(Box::new(look)).unwrap();
            assert_eq!(told.recv().unwrap(), all.count());
        });
    });
}
