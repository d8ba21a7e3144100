//! What a launch reads and writes.

use super::ast::{ARRAYS, COUNTERS, INPUTS, Kernel, OUTPUTS, PARAMS, Shape, Ty};

/// A small generator of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A value that tests like.
    pub(crate) fn value(&mut self, ty: Ty) -> u64 {
        let v = match (ty, self.below(10)) {
            (Ty::F32, 0) => {
                self.pick(&[0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x7f7f_ffff])
            }
            (Ty::F32, 1..=6) => u64::from((self.below(64) as f32 / 4.0 - 5.0).to_bits()),
            (Ty::F32, _) => u64::from(((self.below(1 << 24) as f32 - 8e6) / 1000.0).to_bits()),
            (_, 0) => self.pick(&[0, 1, u64::MAX, 0x8000, 0x8000_0000, 0x7fff_ffff, 1 << 63]),
            (_, 1..=6) => self.below(16),
            _ => self.next(),
        };
        v & ty.mask()
    }
}

/// The memory of one launch: arrays of elements, each as wide as its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    pub(crate) inputs: [Vec<u64>; 3],
    pub(crate) params: [u64; 5],
    pub(crate) outputs: [Vec<u64>; 3],
    pub(crate) counters: Vec<u64>,
}

impl Memory {
    pub(crate) fn new(kernel: &Kernel, shape: Shape) -> Self {
        let mut r = Random(kernel.data);
        let params = PARAMS.map(|t| r.value(t));
        let inputs = ARRAYS.map(|t| (0..INPUTS).map(|_| r.value(t)).collect());
        let n = shape.total() as usize * OUTPUTS;
        let outputs = ARRAYS.map(|t| (0..n).map(|_| r.value(t)).collect());
        Self { inputs, params, outputs, counters: (0..u64::from(COUNTERS)).collect() }
    }
}

/// The number of the array of a type.
pub(crate) fn array_of(ty: Ty) -> usize {
    match ty {
        Ty::I64 => 1,
        Ty::F32 => 2,
        _ => 0,
    }
}
