//! `oarlock completions` and the manual page: both made from the command line's own description.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::error::Failure;
use crate::{Cli, out};

/// Options of `oarlock completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  oarlock completions bash > ~/.local/share/bash-completion/completions/oarlock
  oarlock completions zsh > ~/.zfunc/_oarlock
  oarlock completions fish > ~/.config/fish/completions/oarlock.fish")]
pub(crate) struct Options {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "oarlock", &mut script);
    out::bytes(&script)
}

/// Prints the manual page: the command's, and a page for each of its commands.
pub(crate) fn man() -> Result<(), Failure> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page).map_err(Failure::Output)?;
    for part in command.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help") {
        let part = part.clone().display_name(format!("oarlock-{}", part.get_name()));
        clap_mangen::Man::new(part).render(&mut page).map_err(Failure::Output)?;
    }
    out::bytes(&page)
}
