//! What a caller can choose about a compile.

/// How hard the optimiser tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum OptLevel {
    /// Only what is needed to run.
    O0,
    /// A little.
    O1,
    /// Most.
    O2,
    /// All, the default.
    #[default]
    O3,
}

impl OptLevel {
    /// The level with this number, 0 to 3.
    pub fn from_number(n: u32) -> Option<Self> {
        [Self::O0, Self::O1, Self::O2, Self::O3].get(n as usize).copied()
    }

    pub(crate) fn pipeline(self) -> &'static str {
        match self {
            Self::O0 => "default<O0>",
            Self::O1 => "default<O1>",
            Self::O2 => "default<O2>",
            Self::O3 => "default<O3>",
        }
    }
}

/// What changes the code that comes out, beside the program and the target.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Options {
    /// How hard the optimiser tries.
    pub opt_level: OptLevel,
}

impl Options {
    /// The options with another optimisation level.
    #[must_use]
    pub fn with_opt_level(mut self, level: OptLevel) -> Self {
        self.opt_level = level;
        self
    }
}
