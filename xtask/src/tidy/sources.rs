//! What no source file may hold.

use std::path::Path;

use super::{Problem, walk};
use crate::error::{self, Result};
use crate::workspace::Workspace;

/// The kinds of file that people write. What a tool writes (`.ll`, recorded test cases) keeps that tool's form.
const SUFFIXES: &[&str] = &["rs", "toml", "md", "c", "h", "cl", "cpp", "hpp", "sh", "yml", "yaml"];

/// Folders and files of the root that are the project's.
const ROOTS: &[&str] = &["crates", "fuzz", "tests", "docs", "xtask", ".cargo", ".ci", ".config"];

/// What marks unfinished work; written in pieces, because this file is checked too.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("dbg", "!("),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
];

pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>> {
    let private = private_paths(&workspace.root, std::env::var("HOME").ok().as_deref());
    let mut problems = Vec::new();
    for path in files(&workspace.root)? {
        let name = path.strip_prefix(&workspace.root).unwrap_or(&path).display().to_string();
        problems.extend(source(&name, &error::read(&path)?, &private));
    }
    Ok(problems)
}

fn files(root: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    let written = |file: &Path| {
        let suffix = file.extension().and_then(|s| s.to_str());
        suffix.is_some_and(|s| SUFFIXES.contains(&s)) || file.ends_with(".ci/run")
    };
    for folder in ROOTS {
        walk(&root.join(folder), &mut |file| {
            if written(file) {
                found.push(file.to_path_buf())
            }
        })?;
    }
    let entries =
        std::fs::read_dir(root).map_err(|source| error::Error::File { path: root.to_path_buf(), source })?;
    found.extend(entries.flatten().map(|e| e.path()).filter(|p| p.is_file() && written(p)));
    Ok(found)
}

/// Paths that exist on one person's machine: homes, and wherever this checkout lies with what is around it.
fn private_paths(root: &Path, home: Option<&str>) -> Vec<String> {
    const SHARED: &[&str] =
        &["/", "/tmp", "/usr", "/opt", "/srv", "/var", "/home", "/root", "/mnt", "/usr/src"];
    let mut paths: Vec<String> = ["/home/", "/Users/", "/root/"].map(str::to_owned).to_vec();
    let around = [root.to_str(), root.parent().and_then(Path::to_str), home];
    for path in around.into_iter().flatten().filter(|p| !SHARED.contains(p)) {
        paths.push(format!("{}/", path.trim_end_matches('/')));
    }
    paths
}

fn source(file: &str, text: &str, private: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut say = |line: usize, what: String| problems.push(Problem { file: file.to_owned(), line, what });
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.contains('\t') {
            say(number, "a tab".to_owned());
        }
        if line.ends_with([' ', '\t', '\r']) {
            say(number, "blanks at the end of the line".to_owned());
        }
        for word in UNFINISHED.iter().filter(|word| line.contains(**word)) {
            say(number, format!("unfinished: {word}"));
        }
        // These rules are written down here, with examples: they cannot apply to themselves.
        let rule = file.ends_with("tidy/sources.rs");
        for path in private.iter().filter(|path| !rule && holds_path(line, path)) {
            say(number, format!("a path of one machine: {path}"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        say(text.lines().count(), "the last line does not end".to_owned());
    }
    problems
}

/// Whether `path` starts somewhere in `line` as a path, and not inside a longer one or an address.
fn holds_path(line: &str, path: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "._-/~}".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].chars().next_back().is_some_and(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let private = private_paths(Path::new("/data/oarlock"), Some("/home/kim"));
        source("a.rs", text, &private).into_iter().map(|p| format!("{}: {}", p.line, p.what)).collect()
    }

    #[test]
    fn clean_text_is_clean() {
        assert_eq!(found("fn main() {}\n"), [""; 0]);
        assert_eq!(found(""), [""; 0]);
    }

    #[test]
    fn blanks_tabs_and_a_cut_last_line_are_found() {
        assert_eq!(
            found("a \n\tb\nc"),
            ["1: blanks at the end of the line", "2: a tab", "3: the last line does not end"]
        );
    }

    #[test]
    fn unfinished_work_is_found() {
        let text = format!("// {}: later\n", concat!("TO", "DO"));
        assert_eq!(found(&text), [format!("1: unfinished: {}", concat!("TO", "DO"))]);
    }

    #[test]
    fn paths_of_a_machine_are_found_and_others_are_not() {
        assert_eq!(found("\"/data/oarlock/x\"\n").len(), 2, "the checkout and the folder around it");
        assert_eq!(found("see /home/somebody/x\n"), ["1: a path of one machine: /home/"]);
        assert_eq!(found("https://example.org/home/x and crates/data/x /usr/lib/llvm-22\n"), [""; 0]);
    }

    #[test]
    fn a_shared_folder_around_the_checkout_is_nobodys() {
        let private = private_paths(Path::new("/tmp/oarlock"), Some("/root"));
        assert!(
            !private.contains(&"/tmp/".to_owned()) && private.contains(&"/tmp/oarlock/".to_owned()),
            "{private:?}"
        );
    }
}
