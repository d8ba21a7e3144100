//! What a launch needs to know of a compiled program, written once by the compiler.

/// The programming dialect that a program's bitcode was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Bitcode for this machine that calls Oarlock's own id functions.
    Native,
    /// Bitcode that a front end made for NVIDIA GPUs (`nvptx64`).
    Nvptx,
    /// Bitcode that a front end made for AMD GPUs (`amdgcn`).
    Amdgcn,
    /// Bitcode for `spir64` or `spirv64`: OpenCL C or `gpuintrin.h`.
    Spir,
}

impl Dialect {
    /// The dialect's name: `native`, `nvptx`, `amdgcn` or `spir`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Nvptx => "nvptx",
            Self::Amdgcn => "amdgcn",
            Self::Spir => "spir",
        }
    }
}

/// What a compiled program holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The dialect of the source bitcode.
    pub dialect: Dialect,
    /// The kernels, in the module's order. Names are unique.
    pub kernels: Vec<Kernel>,
    /// The global variables that the host may look up, in the module's order. Names are unique.
    pub globals: Vec<Global>,
}

/// One kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name in the source.
    pub name: String,
    /// The symbol of the function that runs work-groups ([`crate::abi::EntryPoint`]).
    pub entry: String,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// Size of the argument block in bytes, a multiple of its alignment.
    pub args_size: u32,
    /// Alignment of the argument block in bytes, a power of two.
    pub args_align: u32,
    /// Bytes of group memory that the kernel declares statically.
    pub group_bytes: u32,
    /// True where the kernel uses dynamic group memory without naming it as a parameter.
    pub uses_dynamic_group: bool,
    /// Scratch bytes that each work-item keeps across barriers; 0 without barriers.
    pub item_bytes: u32,
    /// How many barriers split the kernel; 0 where it has none.
    pub barriers: u32,
    /// The group size that the source demands, if it does.
    pub required_group_size: Option<[u32; 3]>,
    /// The most work-items per group that the source allows, if it says so.
    pub max_group_items: Option<u32>,
}

/// One kernel parameter: where it lies in the argument block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name, where the bitcode kept it.
    pub name: Option<String>,
    /// What an argument for it holds.
    pub kind: ParamKind,
    /// LLVM's name of the type, for people: `float`, `ptr`, `[3 x i32]`.
    pub ty: String,
    /// Offset in the argument block, in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParamKind {
    /// An integer, a floating point number or a vector of them.
    Scalar,
    /// A pointer to memory that the device reaches.
    Pointer,
    /// A structure or array passed by value.
    Aggregate,
    /// A pointer to group memory: the caller gives a byte count (a 64-bit number), the device gives the memory.
    GroupMemory,
}

/// One global variable that the host may look up by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The name in the source.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// True for a constant: writing to it is undefined.
    pub constant: bool,
}

impl Metadata {
    /// The position of the kernel called `name` in [`kernels`](Self::kernels).
    pub fn kernel(&self, name: &str) -> Option<usize> {
        self.kernels.iter().position(|k| k.name == name)
    }
}
