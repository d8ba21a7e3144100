//! The book and every other page: nothing is left out of the summary, and no relative link leads nowhere.

use std::path::{Path, PathBuf};

use super::{Problem, walk};
use crate::error::{self, Result};
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>> {
    let root = &workspace.root;
    let mut problems = Vec::new();
    for page in pages(root)? {
        let text = error::read(&page)?;
        let name = page.strip_prefix(root).unwrap_or(&page).display().to_string();
        for (line, target) in links(&text) {
            if let Some(what) = broken(&page, &text, &target) {
                problems.push(Problem { file: name.clone(), line, what });
            }
        }
    }
    if let Some(summary) = summary(root) {
        problems.extend(unlisted(root, &summary)?);
    }
    Ok(problems)
}

/// The book's table of contents.
pub(super) fn summary(root: &Path) -> Option<PathBuf> {
    ["docs/SUMMARY.md", "docs/src/SUMMARY.md"].iter().map(|p| root.join(p)).find(|p| p.is_file())
}

fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let is_page = |file: &Path| file.extension().is_some_and(|s| s == "md");
    for folder in ["crates", "docs", "fuzz", "tests", "xtask"] {
        walk(&root.join(folder), &mut |file| {
            if is_page(file) {
                pages.push(file.to_path_buf())
            }
        })?;
    }
    let entries =
        std::fs::read_dir(root).map_err(|source| error::Error::File { path: root.to_path_buf(), source })?;
    pages.extend(entries.flatten().map(|e| e.path()).filter(|p| is_page(p)));
    Ok(pages)
}

/// The pages beside and under the summary that it does not link to. What a build of the book has written is not one.
fn unlisted(root: &Path, summary: &Path) -> Result<Vec<Problem>> {
    let folder = summary.parent().unwrap_or(root);
    let text = error::read(summary)?;
    let listed: Vec<PathBuf> =
        links(&text).map(|(_, target)| folder.join(target.split('#').next().unwrap_or_default())).collect();
    let mut problems = Vec::new();
    walk(folder, &mut |file| {
        let page = file.extension().is_some_and(|s| s == "md") && !file.starts_with(root.join("docs/book"));
        if page && file != summary && !listed.iter().any(|l| l == file) {
            let file = file.strip_prefix(root).unwrap_or(file).display().to_string();
            problems.push(Problem { file, line: 1, what: "SUMMARY.md does not name this page".to_owned() });
        }
    })?;
    Ok(problems)
}

/// The targets of inline links `[text](target)` outside code, each with its line.
fn links(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut in_code = false;
    text.lines().enumerate().flat_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        let line = if in_code || fence { String::new() } else { without_code(line) };
        let targets: Vec<String> = line
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'))
            .filter_map(|(target, _)| target.split_whitespace().next().map(str::to_owned))
            .collect();
        targets.into_iter().map(move |target| (index + 1, target))
    })
}

/// The line without its `code` spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

fn broken(page: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() { page.to_path_buf() } else { page.parent()?.join(path) };
    if !file.exists() {
        return Some(format!("the link `{target}` leads nowhere"));
    }
    let linked =
        if path.is_empty() { text.to_owned() } else { std::fs::read_to_string(&file).unwrap_or_default() };
    let checked = !anchor.is_empty() && file.extension().is_some_and(|s| s == "md");
    (checked && !linked.lines().any(|l| slug(l).as_deref() == Some(anchor)))
        .then(|| format!("`{target}`: that page has no such heading"))
}

/// The anchor that a heading gets, in mdBook and on code hosts alike.
fn slug(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<String> {
        links(text).map(|(line, target)| format!("{line}:{target}")).collect()
    }

    #[test]
    fn links_are_found_outside_code() {
        let text = "[a](b.md) and [c](d.md#e \"t\")\n```\n[no](no.md)\n```\n`[no](no.md)` [f](g)\n";
        assert_eq!(targets(text), ["1:b.md", "1:d.md#e", "5:g"]);
    }

    #[test]
    fn headings_become_anchors() {
        assert_eq!(
            slug("## What `good` looks like, and why").as_deref(),
            Some("what-good-looks-like-and-why")
        );
        assert_eq!(slug("no heading"), None);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("a.md");
        let text = "# Top\n";
        std::fs::write(&page, text).unwrap();
        assert!(broken(&page, text, "b.md").unwrap().contains("nowhere"));
        assert!(broken(&page, text, "a.md#bottom").unwrap().contains("no such heading"));
        for good in ["a.md", "a.md#top", "#top", "https://example.org/x"] {
            assert_eq!(broken(&page, text, good), None);
        }
    }

    #[test]
    fn a_page_that_the_summary_forgets_is_told() {
        let root = tempfile::tempdir().unwrap();
        let docs = root.path().join("docs");
        std::fs::create_dir_all(docs.join("deep")).unwrap();
        std::fs::write(docs.join("SUMMARY.md"), "- [a](a.md)\n").unwrap();
        for page in ["a.md", "deep/b.md"] {
            std::fs::write(docs.join(page), "").unwrap();
        }
        let found = unlisted(root.path(), &summary(root.path()).unwrap()).unwrap();
        assert_eq!(found.iter().map(|p| p.file.as_str()).collect::<Vec<_>>(), ["docs/deep/b.md"]);
    }
}
