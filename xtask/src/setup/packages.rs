//! What the project needs of a machine, and for what.

use clap::ValueEnum;

/// What a package is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// Building and running the project
    Build,
    /// Compiling kernels from C and OpenCL C, and the tests that do
    Kernels,
    /// The peers that the benchmarks compare with
    Bench,
}

impl Group {
    pub(crate) const ALL: [Self; 3] = [Self::Build, Self::Kernels, Self::Bench];

    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Kernels => "kernels",
            Self::Bench => "bench",
        }
    }

    /// What it is for, as a heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Build => "Building and running the project",
            Self::Kernels => "Kernels from C and OpenCL C sources, and their tests",
            Self::Bench => "The peers that the benchmarks compare with",
        }
    }
}

/// A package of Debian and Ubuntu.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) why: &'static str,
}

const fn package(group: Group, name: &'static str, why: &'static str) -> Package {
    Package { name, group, why }
}

/// All of them. Named without their dependencies: apt knows those.
pub(crate) const PACKAGES: &[Package] = &[
    package(Group::Build, "llvm-22-dev", "LLVM: headers, libLLVM and llvm-config"),
    package(Group::Build, "gcc", "links Rust programs and compiles the C part of the LLVM bindings"),
    package(Group::Build, "g++", "brings libstdc++, which the LLVM bindings link"),
    package(Group::Build, "libc6-dev", "the C library's headers and start files"),
    package(Group::Kernels, "clang-22", "compiles kernels for nvptx64, amdgcn, spir64 and x86-64"),
    package(Group::Kernels, "lld-22", "links GPU images"),
    package(Group::Bench, "libomp-22-dev", "OpenMP for the C peer"),
    package(Group::Bench, "pocl-opencl-icd", "PoCL, OpenCL on the CPU"),
    package(Group::Bench, "ocl-icd-opencl-dev", "the OpenCL loader to link with"),
    package(Group::Bench, "opencl-headers", "OpenCL's headers"),
];

/// The names of the packages of these groups.
pub(crate) fn of(groups: &[Group]) -> Vec<&'static str> {
    PACKAGES.iter().filter(|p| groups.contains(&p.group)).map(|p| p.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_split_the_table() {
        let all = of(&Group::ALL);
        assert_eq!(all.len(), PACKAGES.len());
        assert_eq!(of(&[Group::Kernels]), ["clang-22", "lld-22"]);
        let mut unique = all.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), all.len(), "a package is listed once");
    }
}
