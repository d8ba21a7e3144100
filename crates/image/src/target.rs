//! What code is made for.

use std::fmt;

/// A compilation target: everything about the machine that changes the code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// LLVM's target triple, for example `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the processor, for example `znver4` or `sm_80`.
    pub cpu: String,
    /// The resolved feature string, for example `+avx2,+fma`; empty for the processor's own.
    pub features: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.triple, self.cpu)
    }
}
