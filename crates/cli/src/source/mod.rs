//! PROGRAM: from what the command line names to bytes that the runtime takes.

mod clang;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use oarlock::{Format, Isolation};

use crate::error::Failure;
use crate::isolate;
use crate::progress::Progress;

pub(crate) use clang::ClangError;

/// The forms of PROGRAM, for `--help`.
pub(crate) const FORMS: &str = "\
Programs:
  LLVM bitcode (raw or wrapped) or textual LLVM IR, told by the first bytes, whatever the file is
  called; or a source whose name ends in .cl (OpenCL C 3.0), .c (C11) or .cpp (C++17), which clang
  22 compiles ($OARLOCK_CLANG, else clang-22). C and C++ include <oarlock/kernel.h>, which comes
  with this command. `-` is standard input.";

/// What names a program.
#[derive(clap::Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The program: bitcode, textual IR or a source; `-` is standard input
    pub(crate) program: PathBuf,
    /// The language of a source whose name does not tell
    #[arg(short = 'x', long, value_name = "LANG")]
    language: Option<Language>,
    /// Hand ARG to clang when it compiles a source; may be repeated: --clang-arg=-DN=4
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    clang_arg: Vec<String>,
    /// Where LLVM reads and compiles it: `worker` (a process that may die of it) or `in-process`
    /// [default: $OARLOCK_ISOLATION, else worker]
    #[arg(long, value_name = "WHERE", value_parser = str::parse::<Isolation>)]
    isolation: Option<Isolation>,
}

/// A language that clang makes bitcode of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// OpenCL C
    Cl,
    /// C with <oarlock/kernel.h>
    C,
    /// C++ with <oarlock/kernel.h>
    Cpp,
}

impl Language {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "cl" => Some(Self::Cl),
            "c" => Some(Self::C),
            "cpp" | "cc" | "cxx" => Some(Self::Cpp),
            _ => None,
        }
    }
}

impl ProgramArgs {
    /// The program's name in messages.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.program.display().to_string() }
    }

    /// Where to compile it.
    pub(crate) fn isolation(&self) -> Result<Isolation, Failure> {
        isolate::choose(self.isolation)
    }

    /// The program's bytes; of a source, the bitcode that clang makes of it.
    pub(crate) fn load(&self) -> Result<Vec<u8>, Failure> {
        let bytes = self.read()?;
        // The name decides nothing where the bytes speak for themselves.
        let is_source = matches!(Format::sniff(&bytes), Format::Unknown);
        match self.language.or_else(|| Language::of(&self.program)) {
            Some(language) if is_source => {
                let _line = Progress::spinner(format!("clang: {}", self.name()));
                Ok(clang::compile(&self.name(), &bytes, self.folder(), language, &self.clang_arg)?)
            }
            _ => Ok(bytes),
        }
    }

    fn read(&self) -> Result<Vec<u8>, Failure> {
        if !self.is_stdin() {
            return std::fs::read(&self.program).map_err(Failure::file("read", &self.program));
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(Failure::file("read", Path::new("standard input")))?;
        Ok(bytes)
    }

    /// The folder of a source, where its own `#include "..."` look.
    fn folder(&self) -> Option<&Path> {
        let folder = if self.is_stdin() { None } else { self.program.parent() };
        folder.map(|f| if f.as_os_str().is_empty() { Path::new(".") } else { f })
    }

    fn is_stdin(&self) -> bool {
        self.program.as_os_str() == "-"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_name_languages() {
        assert_eq!(Language::of(Path::new("a/b.cl")), Some(Language::Cl));
        assert_eq!(Language::of(Path::new("b.c")), Some(Language::C));
        assert_eq!(Language::of(Path::new("b.cc")), Some(Language::Cpp));
        for none in ["b", "b.ll", "cl", ".c"] {
            assert_eq!(Language::of(Path::new(none)), None, "{none}");
        }
    }
}
