//! Allocations are found by address, freed once, and anything else is an error that says why.

use oarlock::{DeviceError, DevicePtr, Error, MemoryError, MemoryKind};
use oarlock_tests::Rig;

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> MemoryError {
    match result {
        Err(Error::Device(DeviceError::Memory(error))) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_is_there_and_aligned() {
    let rig = Rig::new();
    for kind in [MemoryKind::Device, MemoryKind::Host, MemoryKind::Managed] {
        for shift in [0, 3, 6, 12, 16] {
            let align = 1u64 << shift;
            let ptr = rig.runtime.alloc_aligned(rig.device, kind, 100, align).unwrap();
            assert_eq!(ptr.0 % align, 0);
            let inner = ptr.offset(99);
            let info = rig.runtime.allocation_info(rig.device, inner).unwrap();
            assert_eq!((info.base, info.size, info.kind), (ptr, 100, kind));
            rig.runtime.write(rig.device, ptr, &[7; 100]).unwrap();
            assert_eq!(rig.runtime.read_vec::<u8>(rig.device, inner, 1).unwrap(), [7]);
            rig.runtime.free(rig.device, ptr).unwrap();
            assert!(rig.runtime.allocation_info(rig.device, inner).is_err());
        }
    }
}

#[test]
fn a_second_free_an_inner_and_a_foreign_address_are_told_apart() {
    let rig = Rig::new();
    let ptr = rig.zeros(16);
    assert_eq!(
        refused(rig.runtime.free(rig.device, ptr.offset(8))),
        MemoryError::InnerPointer { ptr: ptr.offset(8), base: ptr }
    );
    let mine = [0u8; 64];
    let foreign = DevicePtr(mine.as_ptr() as u64);
    for wild in [DevicePtr(0), DevicePtr(u64::MAX), foreign] {
        assert!(matches!(refused(rig.runtime.free(rig.device, wild)), MemoryError::NotAllocated { .. }));
        assert!(refused_read(&rig, wild));
    }
    rig.runtime.free(rig.device, ptr).unwrap();
    assert!(matches!(refused(rig.runtime.free(rig.device, ptr)), MemoryError::NotAllocated { .. }));
    assert!(refused_read(&rig, ptr));
}

fn refused_read(rig: &Rig, ptr: DevicePtr) -> bool {
    rig.runtime.read(rig.device, ptr, &mut [0; 4]).is_err()
        && rig.runtime.write(rig.device, ptr, &[0; 4]).is_err()
}

#[test]
fn requests_that_cannot_be_are_refused() {
    let rig = Rig::new();
    let ask = |size, align| rig.runtime.alloc_aligned(rig.device, MemoryKind::Device, size, align);
    assert_eq!(refused(ask(0, 64)), MemoryError::ZeroSize);
    for align in [0, 3, 48, u64::MAX] {
        assert_eq!(refused(ask(64, align)), MemoryError::BadAlign { align });
    }
    for size in [u64::MAX, u64::MAX / 2, 1 << 62] {
        assert!(matches!(refused(ask(size, 64)), MemoryError::OutOfMemory { .. }));
    }
    assert!(matches!(refused(ask(64, 1 << 63)), MemoryError::OutOfMemory { .. }));
    let empty: &[i32] = &[];
    let refused_slice = rig.runtime.alloc_slice(rig.device, MemoryKind::Device, empty);
    assert_eq!(refused(refused_slice), MemoryError::ZeroSize);
}

#[test]
fn ranges_that_run_past_the_end_are_refused_as_a_whole() {
    let rig = Rig::new();
    let ptr = rig.data(&[1, 2, 3, 4]);
    assert!(matches!(
        refused(rig.runtime.write_slice(rig.device, ptr.offset(8), &[7, 8, 9])),
        MemoryError::OutOfRange { len: 12, size: 16, .. }
    ));
    assert_eq!(rig.ints(ptr, 4), [1, 2, 3, 4], "nothing was written");
    for count in [5, 1 << 30, usize::MAX] {
        assert!(rig.runtime.read_vec::<i32>(rig.device, ptr, count).is_err());
    }
    // Nothing to copy is no error, wherever in the allocation.
    rig.runtime.write(rig.device, ptr, &[]).unwrap();
    assert_eq!(rig.runtime.read_vec::<i32>(rig.device, ptr, 0).unwrap(), []);
}
