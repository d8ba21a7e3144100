//! Compiles a kernel and runs it on one thread.

use oarlock_codegen::{CompileError, Compiler, OptLevel, Options};
use oarlock_image::abi::{EntryPoint, Frame, MEMORY_ALIGN};
use oarlock_loader::LoadedObject;

use super::ast::{ARRAYS, Machine, PARAMS, Shape, Ty};
use super::data::Memory;

/// A compiled kernel.
pub(crate) struct Compiled {
    object: LoadedObject,
    entry: EntryPoint,
    kernel: oarlock_image::Kernel,
}

/// Bytes behind group memory and scratch that nothing may write.
const GUARD: usize = 4096;
const NOISE: u8 = 0xA5;

impl Compiled {
    pub(crate) fn new(bytes: &[u8], machine: Machine, level: OptLevel) -> Result<Self, CompileError> {
        let compiler = Compiler::new();
        let options = Options::default().with_opt_level(level);
        let mut target = compiler.host_target();
        let has = |feature: &str| target.features.split(',').any(|f| f == feature);
        if machine == Machine::V2 || (machine == Machine::V3 && !(has("+avx2") && has("+fma"))) {
            target.cpu = "x86-64-v2".into();
            target.features = "+sse4.2,+popcnt".into();
        } else if machine == Machine::V3 {
            target.cpu = "x86-64-v3".into();
            target.features = "+avx,+avx2,+fma,+sse4.2,+popcnt".into();
        }
        let image = compiler.compile(bytes, &target, &options)?;
        let mut object = LoadedObject::load(&image.code, &oarlock_loader::runtime_symbol).unwrap();
        unsafe { object.run_constructors() };
        let kernel = image.metadata.kernels[image.metadata.kernel("k").unwrap()].clone();
        let entry = object.symbol(&kernel.entry).unwrap().address;
        let entry: EntryPoint = unsafe { std::mem::transmute(entry) };
        Ok(Self { object, entry, kernel })
    }

    pub(crate) fn barriers(&self) -> u32 {
        self.kernel.barriers
    }

    /// Runs a launch on `memory`, its groups in two ranges. An error says what else was overwritten.
    pub(crate) fn run(&self, shape: Shape, memory: &mut Memory) -> Result<(), String> {
        let _ = &self.object;
        let mut inputs: Vec<Vec<u8>> = pack_all(&memory.inputs);
        let mut outputs: Vec<Vec<u8>> = pack_all(&memory.outputs);
        let mut counters = pack(Ty::I32, &memory.counters);
        let before = inputs.clone();
        let mut args: Vec<Vec<u8>> = Vec::new();
        for (i, o) in inputs.iter_mut().zip(&mut outputs) {
            args.push(address(i));
            args.push(address(o));
        }
        args.push(address(&mut counters));
        args.extend(PARAMS.iter().zip(memory.params).map(|(&t, v)| pack(t, &[v])));
        assert_eq!(args.len(), self.kernel.params.len());
        let mut block = Aligned::new(self.kernel.args_size as usize + 128);
        let base = block.ptr();
        for (p, a) in self.kernel.params.iter().zip(&args) {
            assert_eq!(p.size as usize, a.len(), "{p:?}");
            unsafe { base.add(p.offset as usize).copy_from(a.as_ptr(), a.len()) };
        }
        let group_bytes = self.kernel.group_bytes.next_multiple_of(128);
        let frame = Frame::new(base, 3, shape.groups, shape.size, u64::from(group_bytes));
        let mut group = Aligned::new(group_bytes as usize);
        let mut scratch = Aligned::new((u64::from(self.kernel.item_bytes) * frame.padded_items) as usize);
        let total = shape.groups.iter().map(|&n| u64::from(n)).product::<u64>();
        for (first, end) in [(0, total / 2), (total / 2, total)] {
            unsafe { (self.entry)(&frame, first, end, group.ptr(), scratch.ptr()) };
        }
        if before != inputs {
            return Err("inputs were written".into());
        }
        if !group.intact() || !scratch.intact() {
            return Err("memory behind group memory or scratch was written".into());
        }
        for (i, t) in ARRAYS.into_iter().enumerate() {
            memory.outputs[i] = unpack(t, &outputs[i]);
        }
        memory.counters = unpack(Ty::I32, &counters);
        Ok(())
    }
}

struct Aligned {
    bytes: Vec<u8>,
    len: usize,
}

impl Aligned {
    fn new(len: usize) -> Self {
        Self { bytes: vec![NOISE; len + MEMORY_ALIGN + GUARD], len }
    }

    fn ptr(&mut self) -> *mut u8 {
        let p = self.bytes.as_mut_ptr();
        unsafe { p.add(p.align_offset(MEMORY_ALIGN)) }
    }

    fn intact(&mut self) -> bool {
        let start = self.ptr() as usize - self.bytes.as_ptr() as usize;
        let inside = start..start + self.len;
        self.bytes.iter().enumerate().all(|(i, b)| inside.contains(&i) || *b == NOISE)
    }
}

fn address(bytes: &mut [u8]) -> Vec<u8> {
    (bytes.as_mut_ptr() as u64).to_ne_bytes().to_vec()
}

fn pack(ty: Ty, values: &[u64]) -> Vec<u8> {
    let width = ty.bits() as usize / 8;
    values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(width)).collect()
}

fn pack_all(arrays: &[Vec<u64>; 3]) -> Vec<Vec<u8>> {
    arrays.iter().zip(ARRAYS).map(|(a, t)| pack(t, a)).collect()
}

fn unpack(ty: Ty, bytes: &[u8]) -> Vec<u64> {
    let width = ty.bits() as usize / 8;
    bytes.chunks(width).map(|c| c.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b))).collect()
}
