//! Which system this is, and what to tell a person on one that has no apt.

use std::collections::HashMap;

use super::packages::{Group, PACKAGES};
use crate::tools;

/// The name of this system where it is Debian, Ubuntu or a child of theirs, with apt and dpkg.
pub(crate) fn debian_like() -> Option<String> {
    let text = std::fs::read_to_string("/etc/os-release").ok()?;
    let name = debian_name(&text)?;
    (tools::on_path("apt-get").is_some() && tools::on_path("dpkg-query").is_some()).then_some(name)
}

/// The pretty name in the text of an os-release file, where the system counts itself to Debian.
fn debian_name(os_release: &str) -> Option<String> {
    let fields: HashMap<_, _> = os_release
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])))
        .collect();
    let ids = [fields.get("ID"), fields.get("ID_LIKE")];
    let debian = ids
        .into_iter()
        .flatten()
        .flat_map(|v| v.split_whitespace())
        .any(|id| ["debian", "ubuntu"].contains(&id));
    let name = fields.get("PRETTY_NAME").or(fields.get("ID"))?;
    debian.then(|| (*name).to_owned())
}

/// What to install by hand, in the words of Debian's packages, which other systems' users can translate.
pub(crate) fn instructions(groups: &[Group]) -> String {
    let mut text = String::from(
        "this is not Debian or Ubuntu, so nothing was installed. What the project needs (Debian's names):\n",
    );
    for package in PACKAGES.iter().filter(|p| groups.contains(&p.group)) {
        text += &format!("  {:<22} {}\n", package.name, package.why);
    }
    text += "Then set LLVM_SYS_221_PREFIX to the folder that holds bin/llvm-config of LLVM 22.1, \
             and put clang-22 on the PATH";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_children_count() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(debian_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        let mint = "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
        assert_eq!(debian_name(mint).as_deref(), Some("linuxmint"));
        assert_eq!(debian_name("ID=fedora\nPRETTY_NAME='Fedora Linux 44'\n"), None);
        assert_eq!(debian_name(""), None);
    }

    #[test]
    fn instructions_name_the_packages_asked_for() {
        let text = instructions(&[Group::Build]);
        assert!(text.contains("llvm-22-dev") && text.contains("LLVM_SYS_221_PREFIX"), "{text}");
        assert!(!text.contains("pocl-opencl-icd"), "{text}");
    }
}
