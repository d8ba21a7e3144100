//! Where things are: the root, the target folder, the members.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cmd::Cmd;
use crate::error::{Error, Result};

/// The workspace that this command belongs to, as cargo sees it.
#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    /// Where cargo puts what it builds.
    #[serde(rename = "target_directory")]
    pub(crate) target: PathBuf,
    /// The members.
    pub(crate) packages: Vec<Package>,
}

/// One member of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) targets: Vec<Target>,
}

/// A library, program, test or benchmark of a member.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
}

impl Workspace {
    /// Asks cargo. Needs no network: dependencies are left out.
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = Cmd::cargo(&root).args(["metadata", "--no-deps", "--format-version", "1"]).read()?;
        serde_json::from_str(&text)
            .map_err(|e| Error::Output { what: "cargo metadata".to_owned(), reason: e.to_string() })
    }

    /// `cargo` in the root.
    pub(crate) fn cargo(&self) -> Cmd {
        Cmd::cargo(&self.root)
    }

    /// Whether a member has a target of this name and kind ("bin", "test", "bench").
    pub(crate) fn has_target(&self, package: &str, kind: &str, name: &str) -> bool {
        self.packages
            .iter()
            .filter(|p| p.name == package)
            .flat_map(|p| &p.targets)
            .any(|t| t.name == name && t.kind.iter().any(|k| k == kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_itself() {
        let workspace = Workspace::find().unwrap();
        assert!(workspace.has_target("xtask", "bin", "xtask"));
        assert!(!workspace.has_target("xtask", "bench", "xtask"));
        assert!(workspace.root.join("Cargo.toml").is_file());
    }
}
