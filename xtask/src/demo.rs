//! `cargo xtask demo`: from a fresh clone to a running kernel in one command.

use crate::cmd::Cmd;
use crate::error::Result;
use crate::setup::{self, Group};
use crate::workspace::Workspace;

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Arguments for `oarlock demo`, after `--`
    #[arg(last = true)]
    args: Vec<String>,
}

/// Sets up what a build needs, builds in release mode, runs the demo.
pub(crate) fn main(workspace: &Workspace, options: &Options) -> Result<()> {
    setup::ensure(&[Group::Build])?;
    workspace.cargo().args(["build", "--release", "--package", "oarlock-cli"]).run()?;
    let program = workspace.target.join("release/oarlock");
    Cmd::new(program).arg("demo").args(&options.args).run()
}
