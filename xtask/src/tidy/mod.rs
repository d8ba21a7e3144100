//! The project's own rules, checked by reading files: no tool has to be installed for them.

mod links;
mod manifests;
mod sources;

use std::fmt;
use std::path::Path;

use crate::ci::Done;
use crate::error::{Error, Result};
use crate::workspace::Workspace;

/// One finding: where, and what is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The step `tidy` of `cargo xtask ci`.
pub(crate) fn step(workspace: &Workspace) -> Result<Done> {
    let mut problems = manifests::check(workspace)?;
    problems.extend(sources::check(workspace)?);
    report(&problems)
}

/// The step `book` of `cargo xtask ci`.
pub(crate) fn book_step(workspace: &Workspace) -> Result<Done> {
    report(&links::check(workspace)?)?;
    if links::summary(&workspace.root).is_none() {
        return Ok(Done::with_notes(vec!["docs has no SUMMARY.md yet: only links were checked".to_owned()]));
    }
    Ok(Done::ok())
}

fn report(problems: &[Problem]) -> Result<Done> {
    for problem in problems {
        println!("{problem}");
    }
    if problems.is_empty() { Ok(Done::ok()) } else { Err(Error::Tidy { count: problems.len() }) }
}

/// The folders that are nobody's source, by name.
const NOT_SOURCE: &[&str] = &["target", ".git", "artifacts", "corpus", "coverage", "node_modules"];

/// Visits every file under `folder`, in order. A folder that is not there has no files.
pub(crate) fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) -> Result<()> {
    let fail = |source| Error::File { path: folder.to_path_buf(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(fail)?,
    };
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>().map_err(fail)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(fail)?;
        if kind.is_dir() && !NOT_SOURCE.contains(&entry.file_name().to_string_lossy().as_ref()) {
            walk(&entry.path(), visit)?;
        } else if kind.is_file() {
            visit(&entry.path());
        }
    }
    Ok(())
}
