//! Compiles kernels from source in any dialect, and runs images on one thread, for the tests of this crate.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use oarlock_codegen::{Compiler, Image, Options};
use oarlock_image::abi::{EntryPoint, Frame, MEMORY_ALIGN};
use oarlock_loader::LoadedObject;

/// clang 22, or `None` with a word on stderr.
pub(crate) fn clang() -> Option<PathBuf> {
    let found = ["/usr/lib/llvm-22/bin/clang", "/usr/bin/clang-22"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.exists());
    if found.is_none() {
        eprintln!("SKIPPED: clang-22 is not installed; run `cargo xtask setup`");
    }
    found
}

pub(crate) fn kernel_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels")
}

/// The bitcode that clang makes of `source` with `flags`.
pub(crate) fn bitcode(clang: &Path, source: &Path, flags: &[&str]) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.bc");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let result = Command::new(clang)
        .args(flags)
        .args(["-emit-llvm", "-c", "-ffp-contract=off", "-I"])
        .arg(include)
        .arg(source)
        .arg("-o")
        .arg(&out)
        .output()
        .unwrap();
    assert!(result.status.success(), "clang {flags:?}: {}", String::from_utf8_lossy(&result.stderr));
    std::fs::read(out).unwrap()
}

/// An image, loaded, with one thread's memory.
pub(crate) struct Loaded {
    pub(crate) image: Image,
    object: LoadedObject,
}

impl Loaded {
    pub(crate) fn new(bytes: &[u8], options: &Options) -> Self {
        let compiler = Compiler::new();
        let image = compiler.compile(bytes, &compiler.host_target(), options).unwrap();
        let mut object = LoadedObject::load(&image.code, &oarlock_loader::runtime_symbol).unwrap();
        unsafe { object.run_constructors() };
        Self { image, object }
    }

    pub(crate) fn has(&self, kernel: &str) -> bool {
        self.image.metadata.kernel(kernel).is_some()
    }

    /// Runs all groups in two ranges. `args` are laid out one after the other at the parameters' offsets.
    pub(crate) fn run(&self, kernel: &str, groups: [u32; 3], size: [u32; 3], dynamic: u32, args: &[&[u8]]) {
        let k = &self.image.metadata.kernels[self.image.metadata.kernel(kernel).unwrap()];
        assert_eq!(k.params.len(), args.len(), "{kernel}: {:?}", k.params);
        let mut block = vec![0u128; (k.args_size as usize).div_ceil(16) + 8];
        // 64-byte alignment by hand.
        let base = block.as_mut_ptr().cast::<u8>();
        let base = unsafe { base.add(base.align_offset(64)) };
        let mut group_bytes = k.group_bytes.next_multiple_of(128);
        for (p, a) in k.params.iter().zip(args) {
            let mut bytes = a.to_vec();
            if p.kind == oarlock_image::ParamKind::GroupMemory {
                bytes = u64::from(group_bytes).to_ne_bytes().to_vec();
                group_bytes += u32::from_ne_bytes((*a).try_into().unwrap()).next_multiple_of(128);
            }
            assert_eq!(p.size as usize, bytes.len(), "{kernel}: {p:?}");
            unsafe { base.add(p.offset as usize).copy_from(bytes.as_ptr(), bytes.len()) };
        }
        let frame = Frame::new(base, 3, groups, size, u64::from(group_bytes));
        let mut memory = Aligned::new((group_bytes + dynamic) as usize);
        let mut scratch = Aligned::new((u64::from(k.item_bytes) * frame.padded_items) as usize);
        let entry = self.object.symbol(&k.entry).unwrap().address;
        let entry: EntryPoint = unsafe { std::mem::transmute(entry) };
        let total = groups.iter().map(|&n| u64::from(n)).product::<u64>();
        for (first, end) in [(0, total / 2), (total / 2, total)] {
            unsafe { entry(&frame, first, end, memory.ptr(), scratch.ptr()) };
        }
    }
}

/// Memory aligned for groups, filled with noise: its contents are unspecified.
struct Aligned(Vec<u8>);

impl Aligned {
    fn new(bytes: usize) -> Self {
        Self(vec![0xA5; bytes + MEMORY_ALIGN])
    }

    fn ptr(&mut self) -> *mut u8 {
        let p = self.0.as_mut_ptr();
        unsafe { p.add(p.align_offset(MEMORY_ALIGN)) }
    }
}

/// The bytes of a pointer argument.
pub(crate) fn ptr<T>(slice: &mut [T]) -> [u8; 8] {
    (slice.as_mut_ptr() as u64).to_ne_bytes()
}
