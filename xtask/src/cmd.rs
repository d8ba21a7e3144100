//! Running other programs, with errors that name the whole command line.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::error::{Error, Result};

/// A command line that is about to run.
pub(crate) struct Cmd {
    inner: Command,
}

impl Cmd {
    /// A command that runs `program` in the current folder.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Self { inner: Command::new(program) }
    }

    /// `cargo`, through the PATH, so that `+toolchain` and the caller's toolchain work as in a shell.
    ///
    /// What cargo told *this* process about its own package is taken away again: a build script must not
    /// find xtask's values in its environment, and a value that differs from a plain build's would make
    /// cargo build things twice.
    pub(crate) fn cargo(dir: &Path) -> Self {
        let mut cmd = Self::new("cargo").dir(dir);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_")
                || ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PRIMARY_PACKAGE"]
                    .contains(&text.as_ref())
            {
                cmd.inner.env_remove(&name);
            }
        }
        cmd
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.inner.arg(arg);
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.inner.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.inner.env(name, value);
        self
    }

    pub(crate) fn env_remove(mut self, name: &str) -> Self {
        self.inner.env_remove(name);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.inner.current_dir(dir);
        self
    }

    /// The command line as a person would type it: what was set in its environment first.
    pub(crate) fn line(&self) -> String {
        let set = self.inner.get_envs().filter_map(|(name, value)| {
            value.map(|v| format!("{}={}", name.to_string_lossy(), quote(&v.to_string_lossy())))
        });
        let program = std::iter::once(self.inner.get_program());
        let words = program.chain(self.inner.get_args()).map(|w| quote(&w.to_string_lossy()));
        set.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Runs it with this process's own output, and waits.
    pub(crate) fn run(mut self) -> Result<()> {
        println!("$ {}", self.line());
        let status = self.inner.stdin(Stdio::null()).status().map_err(|e| self.start_error(e))?;
        if status.success() {
            return Ok(());
        }
        Err(Error::Failed { command: self.line(), status: status.to_string(), output: String::new() })
    }

    /// Runs it and gives what it printed on standard output; what it said on standard error goes into the error.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self.inner.stdin(Stdio::null()).output().map_err(|e| self.start_error(e))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Error::Failed {
            command: self.line(),
            status: output.status.to_string(),
            output: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    /// Runs it and gives its standard output, while standard error goes to this process's: for what takes its time.
    pub(crate) fn read_showing(mut self) -> Result<String> {
        println!("$ {}", self.line());
        let child = self.inner.stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = child.output().map_err(|e| self.start_error(e))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Err(Error::Failed { command: self.line(), status: output.status.to_string(), output: said })
    }

    /// Runs it and gives everything, whatever its exit status.
    pub(crate) fn output(mut self) -> Result<Output> {
        self.inner.stdin(Stdio::null()).output().map_err(|e| self.start_error(e))
    }

    fn start_error(&self, source: std::io::Error) -> Error {
        Error::Start { program: self.inner.get_program().to_string_lossy().into_owned(), source }
    }
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_pasted_into_a_shell() {
        let cmd = Cmd::new("cargo").args(["test", "a b"]).env("RUSTFLAGS", "--cfg loom");
        assert_eq!(cmd.line(), "RUSTFLAGS='--cfg loom' cargo test 'a b'");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = Cmd::new("no-such-program-here").read().unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"), "{error}");
    }

    #[test]
    fn a_failure_tells_what_the_program_said() {
        let error = Cmd::new("sh").args(["-c", "echo why >&2; exit 3"]).read().unwrap_err();
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.contains("why"), "{text}");
    }
}
