//! Finding the tools of other projects.

use std::path::{Path, PathBuf};

use crate::cmd::Cmd;

/// The LLVM release that the project is built with.
pub(crate) const LLVM: &str = "22";

/// The program of this name on the PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// LLVM's installation prefix: what the environment (or `.cargo/config.toml` through it) says, else Debian's.
pub(crate) fn llvm_prefix() -> PathBuf {
    std::env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from)
}

/// The version that LLVM's `llvm-config` names, or why there is none.
pub(crate) fn llvm_version(prefix: &Path) -> Result<String, String> {
    let tool = prefix.join("bin/llvm-config");
    let version = Cmd::new(&tool).arg("--version").read().map_err(|e| e.to_string())?;
    let version = version.trim().to_owned();
    if version.starts_with("22.1.") {
        Ok(version)
    } else {
        Err(format!("{} is LLVM {version}, and 22.1 is needed", tool.display()))
    }
}

/// clang of the right release, under its versioned name or in LLVM's own folder.
pub(crate) fn clang() -> Option<PathBuf> {
    on_path(&format!("clang-{LLVM}")).or_else(|| {
        let file = llvm_prefix().join("bin/clang");
        file.is_file().then_some(file)
    })
}

/// What a step says when clang is not there.
pub(crate) const NO_CLANG: &str = "clang 22 is not installed: `cargo xtask setup` installs it";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        assert!(on_path("sh").is_some());
        assert!(on_path("no-such-program-here").is_none());
    }

    #[test]
    fn a_missing_llvm_is_named() {
        let why = llvm_version(Path::new("/no/such/prefix")).unwrap_err();
        assert!(why.contains("/no/such/prefix/bin/llvm-config"), "{why}");
    }
}
