//! Every member takes version, edition, licence and lints from the workspace: one place to change them.

use super::Problem;
use crate::error::{self, Result};
use crate::workspace::Workspace;

const PACKAGE_KEYS: &[&str] = &["version", "edition", "rust-version", "license"];

pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for package in &workspace.packages {
        let text = error::read(&package.manifest_path)?;
        let path = package.manifest_path.strip_prefix(&workspace.root).unwrap_or(&package.manifest_path);
        problems.extend(manifest(&path.display().to_string(), &text));
    }
    problems.extend(lock_is_committed(workspace)?);
    Ok(problems)
}

fn manifest(file: &str, text: &str) -> Vec<Problem> {
    let problem = |line, what: String| Problem { file: file.to_owned(), line, what };
    let lines: Vec<(&str, String)> = with_section(text).collect();
    let has = |section: &str, line: &str| lines.iter().any(|(s, l)| *s == section && l == line);
    let mut problems: Vec<Problem> = PACKAGE_KEYS
        .iter()
        .filter(|key| !has("package", &format!("{key}.workspace=true")))
        .map(|key| problem(1, format!("[package] must say `{key}.workspace = true`")))
        .collect();
    if !has("lints", "workspace=true") {
        problems.push(problem(1, "needs `[lints]` with `workspace = true`".to_owned()));
    }
    if !lines.iter().any(|(s, l)| *s == "package" && l.starts_with("description=")) {
        problems.push(problem(1, "[package] must have a description".to_owned()));
    }
    for (index, (section, line)) in lines.iter().enumerate() {
        let entry = section.ends_with("dependencies") && !line.starts_with('[') && line.contains('=');
        if entry && !line.contains("workspace=true") {
            let what = format!("a dependency must take its version from the workspace: `{line}`");
            problems.push(problem(index + 1, what));
        }
    }
    problems
}

/// Each line without blanks and comments, with the section it is in.
fn with_section(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut section = "";
    text.lines().map(move |line| {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = name;
        }
        let kept = if line.starts_with('#') { String::new() } else { line.replace(' ', "") };
        (section, kept)
    })
}

/// Running this command has brought `Cargo.lock` up to date. On a machine that only checks, a difference to what
/// was committed means that somebody forgot to commit it. Elsewhere it is work in progress.
fn lock_is_committed(workspace: &Workspace) -> Result<Option<Problem>> {
    if std::env::var_os("CI").is_none() || crate::tools::on_path("git").is_none() {
        return Ok(None);
    }
    let git =
        crate::cmd::Cmd::new("git").dir(&workspace.root).args(["status", "--porcelain", "--", "Cargo.lock"]);
    let changed = git.output()?.stdout;
    let what = "is not up to date with the manifests: commit what cargo made of it".to_owned();
    Ok((!changed.is_empty()).then(|| Problem { file: "Cargo.lock".to_owned(), line: 1, what }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[package]\nname = \"x\"\ndescription = \"d\"\nversion.workspace = true\n\
        edition.workspace = true\nrust-version.workspace = true\nlicense.workspace=true\n\
        [dependencies]\nlibc.workspace = true\nserde = { workspace = true } # why\n[lints]\nworkspace = true\n";

    #[test]
    fn a_good_manifest_has_no_problem() {
        assert_eq!(manifest("Cargo.toml", GOOD), []);
    }

    #[test]
    fn what_is_missing_is_named() {
        let text = GOOD.replace("license.workspace=true", "license = \"MIT\"").replace("[lints]", "[lint]");
        let found: Vec<String> = manifest("Cargo.toml", &text).into_iter().map(|p| p.what).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("license") && found[1].contains("lints"), "{found:?}");
    }

    #[test]
    fn dependencies_of_one_system_are_dependencies() {
        let text = GOOD.replace("[dependencies]", "[target.'cfg(target_os = \"linux\")'.dependencies]");
        assert_eq!(manifest("Cargo.toml", &text), []);
        assert_eq!(manifest("Cargo.toml", &text.replace("libc.workspace = true", "libc = \"0.2\"")).len(), 1);
    }

    #[test]
    fn a_version_of_its_own_is_a_problem() {
        let text = GOOD.replace("libc.workspace = true", "libc = \"0.2\"");
        let found = manifest("Cargo.toml", &text);
        assert_eq!((found.len(), found[0].line), (1, 9), "{found:?}");
    }
}
