//! `cargo xtask setup`: the machine gets what the project needs, once, and is told so.

mod apt;
mod os;
mod packages;

use crate::error::{Error, Result};
use crate::tools;

pub(crate) use packages::Group;
use packages::PACKAGES;

/// Options of `cargo xtask setup`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only list what is there and what is missing
    #[arg(long)]
    check: bool,
    /// Only these groups [default: all]
    #[arg(value_enum)]
    groups: Vec<Group>,
}

/// Installs, or with `--check` lists. Listing something as missing is an error, so that a script can ask.
pub(crate) fn main(options: &Options) -> Result<()> {
    let groups = if options.groups.is_empty() { Group::ALL.to_vec() } else { options.groups.clone() };
    if options.check { check(&groups) } else { ensure(&groups) }
}

/// Makes sure that the packages of these groups are there, and that LLVM answers.
pub(crate) fn ensure(groups: &[Group]) -> Result<()> {
    let Some(system) = os::debian_like() else { return elsewhere(groups) };
    let wanted = packages::of(groups);
    let missing = apt::missing(&wanted)?;
    if missing.is_empty() {
        println!("setup: nothing to install, all {} packages are there ({system})", wanted.len());
    } else {
        println!(
            "setup: installing {} of {} packages ({system}): {}",
            missing.len(),
            wanted.len(),
            missing.join(" ")
        );
        apt::install(&missing)?;
    }
    verify_llvm(groups)
}

/// Another system: what is needed, in words. Only a machine where LLVM answers already may go on.
fn elsewhere(groups: &[Group]) -> Result<()> {
    let found = tools::llvm_version(&tools::llvm_prefix());
    let clang = tools::clang().is_some() || !groups.contains(&Group::Kernels);
    match found {
        Ok(version) if clang => {
            println!(
                "setup: not Debian or Ubuntu, but LLVM {version} is there: going on with what is installed"
            );
            Ok(())
        }
        _ => Err(Error::Setup(os::instructions(groups))),
    }
}

fn check(groups: &[Group]) -> Result<()> {
    if os::debian_like().is_none() {
        println!("{}", os::instructions(groups));
        return verify_llvm(groups);
    }
    let missing = apt::missing(&packages::of(groups))?;
    for group in groups {
        println!("{} ({})", group.title(), group.name());
        for package in PACKAGES.iter().filter(|p| p.group == *group) {
            let state = if missing.contains(&package.name) { "missing" } else { "present" };
            println!("  {state}  {:<22} {}", package.name, package.why);
        }
    }
    let llvm = verify_llvm(groups);
    if missing.is_empty() {
        return llvm;
    }
    Err(Error::Setup(format!(
        "{} package(s) missing: {}; `cargo xtask setup` installs them",
        missing.len(),
        missing.join(" ")
    )))
}

/// A package that is there says little; an `llvm-config` that answers says that the build will find LLVM.
fn verify_llvm(groups: &[Group]) -> Result<()> {
    if !groups.contains(&Group::Build) {
        return Ok(());
    }
    let prefix = tools::llvm_prefix();
    match tools::llvm_version(&prefix) {
        Ok(version) => {
            println!("setup: LLVM {version} in {}", prefix.display());
            Ok(())
        }
        Err(why) => Err(Error::Setup(format!(
            "LLVM 22.1 does not answer: {why}. If it is installed elsewhere, set LLVM_SYS_221_PREFIX to the \
             folder that holds bin/llvm-config"
        ))),
    }
}
