//! Sources to bitcode, by clang.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oarlock_codegen::KERNEL_HEADER;

use super::Language;

/// Names the clang to use, before all others.
const VARIABLE: &str = "OARLOCK_CLANG";

/// The name on the PATH.
const NAME: &str = "clang-22";

/// Where Debian's and Ubuntu's package puts it.
const PACKAGED: &str = "/usr/lib/llvm-22/bin/clang";

/// The optimiser runs for the machine that the kernel runs on, not here: kernels with barriers are split best
/// from code that nothing has touched yet. `-O2` keeps clang from marking everything as not to be optimised.
/// The names of parameters are what our messages and `oarlock inspect` call them by.
const COMMON: &[&str] =
    &["-O2", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-emit-llvm", "-c"];

/// Why a source could not be made into bitcode.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClangError {
    /// There is no clang.
    #[error(
        "`{source_name}` is a source, and compiling it takes clang 22, which is not here \
         (looked for {looked}); install it with `cargo xtask setup` or the package clang-22, or name it in {VARIABLE}; \
         or compile the source elsewhere and give the bitcode"
    )]
    Missing { source_name: String, looked: String },
    /// It could not be started.
    #[error("cannot run `{}`: {source}", clang.display())]
    Start { clang: PathBuf, source: io::Error },
    /// It could not be talked to.
    #[error("cannot compile `{source_name}`: {source}")]
    Io { source_name: String, source: io::Error },
    /// It refused the source.
    #[error("`{source_name}` does not compile; `{}` says:\n{stderr}", clang.display())]
    Refused { source_name: String, clang: PathBuf, stderr: String },
}

/// Compiles `source`, which includes files from `folder`.
pub(super) fn compile(
    name: &str,
    source: &[u8],
    folder: Option<&Path>,
    language: Language,
    more: &[String],
) -> Result<Vec<u8>, ClangError> {
    let clang = find(std::env::var_os(VARIABLE)).map_err(|looked| missing(name, looked))?;
    let failed = |source| ClangError::Io { source_name: name.to_owned(), source };
    let headers = kernel_headers().map_err(failed)?;
    let mut command = Command::new(&clang);
    command.args(flags(language)).args(COMMON);
    if let Some(folder) = folder {
        // Standard input has no folder of its own for `#include "..."`.
        command.arg("-iquote").arg(folder);
    }
    command.arg("-I").arg(headers.path()).args(more).args(["-", "-o", "-"]);
    tracing::debug!(target: "oarlock::cli", ?command, "clang");
    let out = run(command, source).map_err(|source| ClangError::Start { clang: clang.clone(), source })?;
    if out.status.success() {
        return Ok(out.stdout);
    }
    let stderr = String::from_utf8_lossy(&out.stderr).replace("<stdin>", name);
    Err(ClangError::Refused { source_name: name.to_owned(), clang, stderr: stderr.trim_end().to_owned() })
}

fn flags(language: Language) -> Vec<String> {
    let native = format!("--target={}-pc-linux-gnu", std::env::consts::ARCH);
    let flags = match language {
        Language::Cl => vec!["-x", "cl", "-target", "spir64", "-cl-std=CL3.0"],
        Language::C => vec!["-x", "c", "-std=c11", &native],
        Language::Cpp => vec!["-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", &native],
    };
    flags.into_iter().map(str::to_owned).collect()
}

/// The clang to use, or what was looked for.
fn find(variable: Option<OsString>) -> Result<PathBuf, String> {
    if let Some(chosen) = variable.filter(|v| !v.is_empty()) {
        // Whoever names a clang wants that one or an error.
        let path = PathBuf::from(&chosen);
        let there =
            if path.components().count() > 1 { path.is_file().then_some(path) } else { on_path(&path) };
        return there.ok_or_else(|| format!("{VARIABLE}={}", chosen.display()));
    }
    let packaged = PathBuf::from(PACKAGED);
    on_path(Path::new(NAME))
        .or_else(|| packaged.is_file().then_some(packaged))
        .ok_or_else(|| format!("{NAME} on the PATH and {PACKAGED}"))
}

fn missing(name: &str, looked: String) -> ClangError {
    ClangError::Missing { source_name: name.to_owned(), looked }
}

fn on_path(name: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// `<oarlock/kernel.h>` in a folder that goes with the returned guard.
fn kernel_headers() -> io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("oarlock-include-").tempdir()?;
    let inside = folder.path().join("oarlock");
    std::fs::create_dir(&inside)?;
    std::fs::write(inside.join("kernel.h"), KERNEL_HEADER)?;
    Ok(folder)
}

/// Runs `command` with `input`. The source goes in on a thread, for clang may write before it has read all.
fn run(mut command: Command, input: &[u8]) -> io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // A clang that stops reading has an error of its own to tell.
                let _ = stdin.write_all(input);
            }
        });
        child.wait_with_output()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_clang_is_that_one_or_none() {
        let here = std::env::current_exe().unwrap();
        assert_eq!(find(Some(here.clone().into_os_string())), Ok(here));
        let looked = find(Some("/no/such/clang".into())).unwrap_err();
        assert_eq!(looked, "OARLOCK_CLANG=/no/such/clang");
        assert!(find(Some("no-such-clang".into())).is_err());
    }

    #[test]
    fn without_clang_the_error_says_what_to_do() {
        let text = missing("k.cl", "x".into()).to_string();
        for says in ["k.cl", "cargo xtask setup", "clang-22", "OARLOCK_CLANG", "bitcode"] {
            assert!(text.contains(says), "{says}: {text}");
        }
    }

    #[test]
    fn the_header_is_where_sources_include_it_from() {
        let folder = kernel_headers().unwrap();
        let text = std::fs::read_to_string(folder.path().join("oarlock/kernel.h")).unwrap();
        assert!(text.contains("oarlock_barrier"));
    }
}
