//! `cargo xtask kernels`: the `.ll` files that stand beside kernel sources, so that nobody needs clang to run them.
//!
//! A source says in its head how it is compiled, one line per file that it makes:
//!
//! ```text
//! // emit saxpy_nvptx.ll: --target=nvptx64-nvidia-cuda -O2 -ffreestanding
//! // emit saxpy_amdgcn.ll: --target=amdgcn-amd-amdhsa -mcpu=gfx90a -O2 -ffreestanding
//! ```
//!
//! A source without such a line makes one file of its own name: `.cl` for `spir64`, `.c` and `.cpp` for x86-64,
//! with LLVM's passes off, because kernels with barriers are split best from code that is not optimised yet.
//!
//! A folder `kernels` where no `.ll` lies is left alone: its sources are compiled by the tests that use them.

use std::path::{Path, PathBuf};

use crate::ci::Done;
use crate::cmd::Cmd;
use crate::error::{self, Error, Result};
use crate::tools;
use crate::workspace::Workspace;

/// Options of `cargo xtask kernels`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Change nothing, fail where a committed file is not what clang makes
    #[arg(long)]
    check: bool,
    /// Also these sources, in folders that have no `.ll` yet
    #[arg(conflicts_with = "check")]
    sources: Vec<PathBuf>,
}

/// One `.ll` file and how it is made.
#[derive(Debug, PartialEq, Eq)]
struct Emit {
    file: String,
    flags: Vec<String>,
}

/// Makes the files again, or checks them.
pub(crate) fn main(workspace: &Workspace, options: &Options) -> Result<()> {
    let Some(clang) = tools::clang() else { return Err(Error::Check(tools::NO_CLANG.to_owned())) };
    if options.check {
        return check(workspace, &clang).map(|notes| notes.iter().for_each(|n| println!("{n}")));
    }
    let mut all = sources(&workspace.root)?;
    for named in &options.sources {
        let path = named.canonicalize().map_err(|source| Error::File { path: named.clone(), source })?;
        if !all.contains(&path) {
            all.push(path);
        }
    }
    for source in all {
        for emit in emits(&source)? {
            let made = compile(workspace, &clang, &source, &emit)?;
            let file = source.with_file_name(&emit.file);
            // What is the same keeps its time, and nothing that includes it is built again.
            if std::fs::read_to_string(&file).is_ok_and(|text| text == made) {
                println!("  {} is up to date", emit.file);
            } else {
                error::write(&file, &made)?;
                println!("  {} written", emit.file);
            }
        }
    }
    Ok(())
}

/// The step of `cargo xtask ci`.
pub(crate) fn step(workspace: &Workspace) -> Result<Done> {
    let Some(clang) = tools::clang() else { return Ok(Done::skipped(tools::NO_CLANG)) };
    if sources(&workspace.root)?.is_empty() {
        return Ok(Done::skipped("there is no kernel source yet"));
    }
    check(workspace, &clang).map(Done::with_notes)
}

fn check(workspace: &Workspace, clang: &Path) -> Result<Vec<String>> {
    let (mut notes, mut stale) = (Vec::new(), Vec::new());
    for source in sources(&workspace.root)? {
        for emit in emits(&source)? {
            let made = compile(workspace, clang, &source, &emit)?;
            let committed = source.with_file_name(&emit.file);
            let name = committed.strip_prefix(&workspace.root).unwrap_or(&committed).display().to_string();
            match std::fs::read_to_string(&committed) {
                Err(_) => stale.push(format!("{name} is missing")),
                Ok(text) if text == made => {}
                // Another clang prints other code for the same source: then only its compiling can be checked.
                Ok(text) if ident(&text) != ident(&made) => {
                    notes.push(format!("{name} was not compared: it was made by another clang"));
                }
                Ok(_) => stale.push(format!("{name} is not what clang makes of its source")),
            }
        }
    }
    if stale.is_empty() {
        return Ok(notes);
    }
    Err(Error::Check(format!("{}; `cargo xtask kernels` makes them again", stale.join("; "))))
}

/// The kernel sources whose `.ll` files are committed: what lies in a folder named `kernels` under crates/ and
/// tests/, beside at least one `.ll`.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["crates", "tests"] {
        crate::tidy::walk(&root.join(folder), &mut |file| {
            if file.parent().is_some_and(|folder| folder.ends_with("kernels")) {
                files.push(file.to_path_buf());
            }
        })?;
    }
    Ok(with_committed_output(&files))
}

fn with_committed_output(files: &[PathBuf]) -> Vec<PathBuf> {
    let is_output = |file: &Path| file.extension().is_some_and(|s| s == "ll");
    let folders: Vec<_> = files.iter().filter(|f| is_output(f)).map(|f| f.parent()).collect();
    let source = |file: &&PathBuf| default_flags(file).is_some() && folders.contains(&file.parent());
    files.iter().filter(source).cloned().collect()
}

fn emits(source: &Path) -> Result<Vec<Emit>> {
    let text = error::read(source)?;
    let named: Vec<Emit> = text.lines().filter_map(emit_line).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let file = source.with_extension("ll").file_name().unwrap_or_default().to_string_lossy().into_owned();
    let flags = default_flags(source).unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    Ok(vec![Emit { file, flags }])
}

/// Parses `// emit FILE.ll: FLAGS`.
fn emit_line(line: &str) -> Option<Emit> {
    let (file, flags) = line.trim().strip_prefix("// emit ")?.split_once(':')?;
    let file = file.trim();
    let plain = file.ends_with(".ll") && !file.contains(['/', ' ']);
    plain
        .then(|| Emit { file: file.to_owned(), flags: flags.split_whitespace().map(str::to_owned).collect() })
}

fn default_flags(source: &Path) -> Option<&'static str> {
    match source.extension()?.to_str()? {
        "cl" => Some("-target spir64 -cl-std=CL3.0 -O2 -Xclang -disable-llvm-passes"),
        "c" => Some("--target=x86_64-unknown-linux-gnu -O2 -Xclang -disable-llvm-passes"),
        "cpp" => Some(
            "--target=x86_64-unknown-linux-gnu -O2 -Xclang -disable-llvm-passes -fno-exceptions -fno-rtti",
        ),
        _ => None,
    }
}

/// Compiles in the source's own folder, so that the paths in the output are the same on every machine.
fn compile(workspace: &Workspace, clang: &Path, source: &Path, emit: &Emit) -> Result<String> {
    let folder = source.parent().unwrap_or(&workspace.root);
    let cmd = Cmd::new(clang).dir(folder).args(["-S", "-emit-llvm", "-Wall", "-Werror"]).args(&emit.flags);
    let cmd = cmd.arg("-I").arg(workspace.root.join("crates/codegen/include"));
    let cmd = cmd.arg(source.file_name().unwrap_or_default()).args(["-o", "-"]);
    println!("{}", cmd.line());
    cmd.read()
}

/// The compiler's name and version in a module's text.
fn ident(module: &str) -> Option<&str> {
    module
        .lines()
        .find(|line| line.contains("clang version"))
        .map(|line| line.split('"').nth(1).unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_line_names_file_and_flags() {
        let emit = emit_line("// emit a_nvptx.ll: --target=nvptx64 -O2").unwrap();
        assert_eq!(
            emit,
            Emit { file: "a_nvptx.ll".to_owned(), flags: vec!["--target=nvptx64".into(), "-O2".into()] }
        );
        assert_eq!(emit_line("// emit ../a.ll: -O2"), None);
        assert_eq!(emit_line("// emit a.o: -O2"), None);
        assert_eq!(emit_line("int emit;"), None);
    }

    #[test]
    fn without_a_head_line_the_suffix_decides() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("add.cl");
        std::fs::write(&file, "kernel void add(void) {}\n").unwrap();
        let emits = emits(&file).unwrap();
        assert_eq!(emits[0].file, "add.ll");
        assert!(emits[0].flags.contains(&"spir64".to_owned()));
        assert!(default_flags(Path::new("a.ll")).is_none());
    }

    #[test]
    fn sources_count_where_an_output_lies() {
        let files = ["a/kernels/x.c", "a/kernels/x.ll", "a/kernels/y.cl", "a/kernels/z.h", "b/kernels/t.c"];
        let found = with_committed_output(&files.map(PathBuf::from));
        assert_eq!(found, ["a/kernels/x.c", "a/kernels/y.cl"].map(PathBuf::from));
    }

    #[test]
    fn the_compiler_is_read_out_of_the_module() {
        assert_eq!(
            ident("x\n!0 = !{!\"Debian clang version 22.1.8\"}\n"),
            Some("Debian clang version 22.1.8")
        );
        assert_eq!(ident("define void @f()"), None);
    }
}
