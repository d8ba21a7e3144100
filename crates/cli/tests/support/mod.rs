//! What the tests of the command share: running it, and looking for clang.
#![allow(dead_code, reason = "every test file uses a part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// How a run of the command ended.
pub(crate) struct Ended {
    /// The exit code; `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder for one test, in which the command runs.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    pub(crate) fn put(&self, file: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(file), bytes).unwrap();
    }

    /// The command, ready to run here.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oarlock"));
        command.current_dir(self.0.path()).args(args.split_whitespace());
        // No test may see what another one, or a user, has compiled.
        command.env("OARLOCK_CACHE_DIR", "off");
        command
    }

    /// Runs `oarlock ARGS`, words split at blanks.
    pub(crate) fn run(&self, args: &str) -> Ended {
        self.run_with(args, b"")
    }

    /// The same with something on standard input.
    pub(crate) fn run_with(&self, args: &str, input: &[u8]) -> Ended {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that reads nothing may be gone already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let out = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ended { code: out.status.code(), stdout: text(out.stdout), stderr: text(out.stderr) }
    }

    /// Runs what must succeed, and returns what it printed.
    pub(crate) fn ok(&self, args: &str) -> String {
        let ended = self.run(args);
        assert_eq!(ended.code, Some(0), "oarlock {args}\n{}", ended.stderr);
        ended.stdout
    }

    /// Runs what must succeed and print JSON.
    pub(crate) fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Runs what must fail with `code` and an error that holds each of `says`.
    pub(crate) fn fails(&self, args: &str, code: i32, says: &[&str]) {
        self.run(args).failed(args, code, says);
    }

    /// The floats of a .npy file, with its shape.
    pub(crate) fn floats(&self, file: &str) -> (Vec<u64>, Vec<f32>) {
        let bytes = std::fs::read(self.path(file)).unwrap();
        let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
        (npy.shape().to_vec(), npy.into_vec().unwrap())
    }
}

impl Ended {
    pub(crate) fn failed(&self, what: &str, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{what}\n{}", self.stderr);
        assert!(self.stderr.starts_with("error: "), "{what}\n{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{what}\n{}", self.stderr);
        for text in says {
            assert!(self.stderr.contains(text), "{what}: no `{text}` in\n{}", self.stderr);
        }
    }
}

/// A kernel that comes with the command.
pub(crate) fn kernel(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(file).display().to_string()
}

/// The saxpy kernel as bitcode.
pub(crate) fn saxpy_bitcode() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/saxpy.bc")).unwrap()
}

/// clang 22, where it is; else says that the test is skipped.
pub(crate) fn clang(test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("clang-22"));
    let found = on_path.chain([PathBuf::from("/usr/lib/llvm-22/bin/clang")]).find(|file| file.is_file());
    if found.is_none() {
        // Not captured, so that a run shows it.
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: clang-22 is not installed");
    }
    found
}
