//! The public kernel header, as its users' compilers see it.

use std::path::Path;

use super::Done;
use crate::cmd::Cmd;
use crate::error::Result;
use crate::tools;
use crate::workspace::Workspace;

/// Where the header that kernel authors include is, and the name they include it by.
const HEADER: (&str, &str) = ("crates/codegen/include", "oarlock/kernel.h");

/// The languages that kernels in the native dialect are written in.
const LANGUAGES: &[(&str, &str, &str)] = &[("c", "c11", "c"), ("c", "c23", "c"), ("c++", "c++17", "cpp")];

/// Compiles a file that only includes the header, in every language, and then twice over: a header must stand
/// alone and may be included again.
pub(crate) fn step(workspace: &Workspace) -> Result<Done> {
    let (folder, name) = HEADER;
    if !workspace.root.join(folder).join(name).is_file() {
        return Ok(Done::skipped(format!("{folder}/{name} is not there yet")));
    }
    let Some(clang) = tools::clang() else { return Ok(Done::skipped(tools::NO_CLANG)) };
    for (language, standard, suffix) in LANGUAGES {
        let file = workspace.target.join(format!("c-checks/header-{standard}.{suffix}"));
        crate::error::write(&file, &format!("#include <{name}>\n#include <{name}>\n"))?;
        syntax_only(&clang, &workspace.root.join(folder), language, standard, &file)?;
    }
    Ok(Done::ok())
}

fn syntax_only(clang: &Path, include: &Path, language: &str, standard: &str, file: &Path) -> Result<()> {
    Cmd::new(clang)
        .args([
            "--target=x86_64-unknown-linux-gnu",
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
        ])
        .args(["-x", language, &format!("-std={standard}")])
        .arg("-I")
        .arg(include)
        .arg(file)
        .run()
}
