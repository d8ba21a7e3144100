use super::*;

fn memory() -> Memory {
    Memory::new(1 << 40)
}

#[test]
fn frees_are_exact_and_once() {
    let m = memory();
    let p = m.allocate(MemoryKind::Device, 100, 1).unwrap();
    assert_eq!(m.free(p.offset(4)), Err(MemoryError::InnerPointer { ptr: p.offset(4), base: p }));
    assert_eq!(m.free(p.offset(100)), Err(MemoryError::NotAllocated { ptr: p.offset(100) }));
    assert_eq!(m.free(p), Ok(()));
    assert_eq!(m.free(p), Err(MemoryError::NotAllocated { ptr: p }));
    for foreign in [0, 1, u64::MAX, &raw const m as u64] {
        let ptr = DevicePtr(foreign);
        assert_eq!(m.free(ptr), Err(MemoryError::NotAllocated { ptr }));
    }
    assert_eq!(m.live.load(Ordering::Relaxed), 0);
}

#[test]
fn alignments_and_sizes_are_kept() {
    let m = memory();
    for align in (0..24).map(|bit| 1u64 << bit) {
        for size in [1, 63, 4096, 300_000, 9 << 20] {
            let p = m.allocate(MemoryKind::Host, size, align).unwrap();
            assert_eq!(p.0 % align.max(64), 0, "{size} aligned to {align}");
            let found = m.allocation(p.offset(size - 1)).unwrap();
            assert_eq!((found.base, found.size, found.kind), (p, size, MemoryKind::Host));
            m.write(p.offset(size - 1), &[1]).unwrap();
            m.free(p).unwrap();
        }
    }
}

#[test]
fn impossible_requests_are_refused() {
    let m = Memory::new(1 << 30);
    assert_eq!(m.allocate(MemoryKind::Device, 0, 8), Err(MemoryError::ZeroSize));
    for align in [0, 3, 48, u64::MAX] {
        assert_eq!(m.allocate(MemoryKind::Device, 8, align), Err(MemoryError::BadAlign { align }));
    }
    for (size, align) in [(u64::MAX, 1), (1 << 62, 64), (1 << 31, 1), (8, 1 << 63)] {
        let error = m.allocate(MemoryKind::Device, size, align);
        assert_eq!(error, Err(MemoryError::OutOfMemory { size, align }));
    }
    let most = m.allocate(MemoryKind::Device, 1 << 30, 1).unwrap();
    assert!(m.allocate(MemoryKind::Device, 1, 1).is_err());
    m.free(most).unwrap();
    assert!(m.allocate(MemoryKind::Device, 1, 1).is_ok());
}

#[test]
fn ranges_are_checked_to_the_byte() {
    let m = memory();
    let p = m.allocate(MemoryKind::Device, 16, 64).unwrap();
    m.write(p, &[7; 16]).unwrap();
    let error = m.write(p.offset(8), &[0; 9]);
    assert_eq!(error, Err(MemoryError::OutOfRange { ptr: p.offset(8), len: 9, base: p, size: 16 }));
    let mut back = [0; 17];
    assert!(m.read(p, &mut back).is_err());
    assert!(m.copy(p, p.offset(1), u64::MAX).is_err());
    assert!(m.read(p.offset(u64::MAX), &mut back).is_err());
    m.read(p, &mut back[..16]).unwrap();
    assert_eq!(back[..16], [7; 16]);
    assert_eq!(m.write(DevicePtr(0), &[]), Ok(()), "no bytes, no range");
}

#[test]
fn copies_may_overlap_and_fills_repeat() {
    let m = memory();
    let p = m.allocate(MemoryKind::Managed, 64, 64).unwrap();
    m.check_fill(p, 3, 63).unwrap();
    m.fill(p, &[1, 2, 3], 63).unwrap();
    m.copy(p.offset(1), p, 62).unwrap();
    let mut back = [0; 64];
    m.read(p, &mut back).unwrap();
    assert_eq!(back[..7], [1, 1, 2, 3, 1, 2, 3]);
    assert_eq!(m.check_fill(p, 3, 64), Err(MemoryError::FillPattern { pattern: 3, len: 64 }));
    assert!(m.check_fill(p, 0, 64).is_err());
    m.fill(p, &[9], 64).unwrap();
    m.read(p, &mut back).unwrap();
    assert_eq!(back, [9; 64]);
}

#[test]
fn memory_that_is_held_outlives_its_free() {
    let m = memory();
    let p = m.allocate(MemoryKind::Device, 1 << 20, 64).unwrap();
    let held = m.hold(p, 1 << 20, Access::Write).unwrap();
    m.free(p).unwrap();
    // SAFETY: held.
    unsafe { std::ptr::write_bytes(p.0 as *mut u8, 1, 1 << 20) };
    drop(held);
    assert!(m.hold(p, 1, Access::Read).is_err());
}

#[test]
fn random_use_agrees_with_a_plain_list() {
    let m = memory();
    let mut live: Vec<(u64, u64)> = Vec::new();
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..5000 {
        match random(4) {
            0 if live.len() < 100 => {
                let most = if random(20) == 0 { 1 << 20 } else { 2000 };
                let size = 1 + random(most);
                let p = m.allocate(MemoryKind::Device, size, 1 << random(13)).unwrap();
                assert!(live.iter().all(|&(base, old)| p.0 + size <= base || base + old <= p.0));
                live.push((p.0, size));
            }
            1 if !live.is_empty() => {
                let (base, _) = live.swap_remove(random(live.len() as u64) as usize);
                m.free(DevicePtr(base)).unwrap();
                assert!(m.free(DevicePtr(base)).is_err());
            }
            _ if !live.is_empty() => {
                let (base, size) = live[random(live.len() as u64) as usize];
                let (inside, len) = (random(size + 100), 1 + random(size));
                let fits = inside < size && len <= size - inside;
                let other = live.iter().any(|&(b, s)| b != base && (b..b + s).contains(&(base + inside)));
                let asked = m.check_fill(DevicePtr(base + inside), 1, len).is_ok();
                assert!(asked == fits || other, "{len} bytes at {inside} of {size}");
                let found = m.allocation(DevicePtr(base + inside)).filter(|_| !other);
                assert_eq!(
                    found.map(|a| (a.base.0, a.size)),
                    (inside < size && !other).then_some((base, size))
                );
            }
            _ => {}
        }
    }
    let bytes = live.iter().map(|&(_, size)| size).sum();
    assert_eq!(m.live.load(Ordering::Relaxed), bytes);
}
