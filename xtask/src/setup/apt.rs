//! Debian's package tools: what is installed, and installing the rest.

use crate::cmd::Cmd;
use crate::error::{Error, Result};
use crate::tools;

/// Those of `wanted` that are not installed.
pub(crate) fn missing(wanted: &[&'static str]) -> Result<Vec<&'static str>> {
    // dpkg-query's exit status is 1 as soon as one package is unknown to it; what it prints is what counts.
    let output = Cmd::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\\n"])
        .args(wanted)
        .output()?;
    Ok(not_installed(wanted, &String::from_utf8_lossy(&output.stdout)))
}

/// Those of `wanted` that the lines `NAME STATUS` do not call installed. A package that is unpacked but not
/// configured, or removed with its configuration left behind, is not installed.
fn not_installed(wanted: &[&'static str], shown: &str) -> Vec<&'static str> {
    let installed: Vec<&str> =
        shown.lines().filter_map(|line| line.trim().strip_suffix(" installed")).collect();
    wanted.iter().copied().filter(|name| !installed.contains(name)).collect()
}

/// Installs these packages, refreshing apt's lists first where they do not offer them all.
pub(crate) fn install(names: &[&str]) -> Result<()> {
    let root = root_prefix()?;
    let mut fresh = false;
    if !not_offered(names)?.is_empty() {
        refresh(&root);
        fresh = true;
        let lacking = not_offered(names)?;
        if !lacking.is_empty() {
            return Err(Error::Setup(lacking_text(&lacking)));
        }
    }
    let arguments: Vec<&str> =
        ["install", "--yes", "--no-install-recommends"].iter().chain(names).copied().collect();
    match apt_get(&root, &arguments) {
        // Old lists name package files that the archive has replaced since.
        Err(_) if !fresh => {
            println!("setup: trying once more with fresh package lists");
            refresh(&root);
            apt_get(&root, &arguments)
        }
        result => result,
    }
}

/// Fetches the package lists. One source of many that does not answer is no reason to stop: what matters is
/// whether the packages are offered and install after it.
fn refresh(root: &[&str]) {
    if let Err(error) = apt_get(root, &["update"]) {
        println!("setup: {error}; going on with the lists that there are");
    }
}

fn apt_get(root: &[&str], arguments: &[&str]) -> Result<()> {
    let words = root.iter().copied().chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    let words: Vec<&str> =
        words.chain(["-q", "-o", "DPkg::Lock::Timeout=300"]).chain(arguments.iter().copied()).collect();
    Cmd::new(words[0]).args(&words[1..]).run()
}

/// What to put before a command to run it as root: nothing for root itself, else sudo.
fn root_prefix() -> Result<Vec<&'static str>> {
    let user = Cmd::new("id").arg("-u").read()?;
    if user.trim() == "0" {
        Ok(vec![])
    } else if tools::on_path("sudo").is_some() {
        Ok(vec!["sudo"])
    } else {
        Err(Error::Setup("installing packages needs root: run this as root, or install sudo".to_owned()))
    }
}

/// Those of `names` that apt's lists do not offer.
fn not_offered(names: &[&str]) -> Result<Vec<String>> {
    let shown = Cmd::new("apt-cache").arg("policy").args(names).env("LC_ALL", "C").read()?;
    Ok(without_candidate(names, &shown))
}

/// Those of `names` for which `apt-cache policy` shows no candidate; it leaves unknown names out altogether.
fn without_candidate(names: &[&str], policy: &str) -> Vec<String> {
    let mut offered = Vec::new();
    let mut current = None;
    for line in policy.lines() {
        if let Some(name) = line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            current = Some(name);
        } else if let Some(version) = line.trim().strip_prefix("Candidate: ") {
            offered.extend(current.filter(|_| version != "(none)"));
        }
    }
    names.iter().filter(|name| !offered.contains(*name)).map(|&name| name.to_owned()).collect()
}

fn lacking_text(names: &[String]) -> String {
    format!(
        "this system's package sources do not offer: {}. Debian 12 has LLVM 22 in its security archive \
         (bookworm-security); other releases find it at https://apt.llvm.org",
        names.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_installed_counts_as_installed() {
        let shown = "gcc installed\nllvm-22-dev config-files\ng++ half-configured\nclang-22 not-installed\n";
        let wanted = ["gcc", "g++", "llvm-22-dev", "clang-22", "lld-22"];
        assert_eq!(not_installed(&wanted, shown), ["g++", "llvm-22-dev", "clang-22", "lld-22"]);
        assert_eq!(not_installed(&wanted, "").len(), 5);
        assert!(not_installed(&["gcc"], "gcc installed").is_empty());
    }

    #[test]
    fn a_name_is_not_taken_for_a_longer_one() {
        assert_eq!(not_installed(&["gcc"], "gcc-12 installed\n"), ["gcc"]);
    }

    #[test]
    fn what_apt_does_not_offer_is_found() {
        let policy = "gcc:\n  Installed: (none)\n  Candidate: 4:12.2.0-3\n  Version table:\n     4:12.2.0-3 500\n\
                      llvm-22-dev:\n  Installed: (none)\n  Candidate: (none)\n  Version table:\n";
        assert_eq!(
            without_candidate(&["gcc", "llvm-22-dev", "clang-22"], policy),
            ["llvm-22-dev", "clang-22"]
        );
        assert!(lacking_text(&["llvm-22-dev".to_owned()]).contains("apt.llvm.org"));
    }
}
