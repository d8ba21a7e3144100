//! `cargo xtask fuzz`: the fuzz targets, built on the installed stable toolchain.
//!
//! cargo-fuzz works on the same folder, but it has to be installed and wants a nightly compiler. What libFuzzer
//! needs, coverage instrumentation, is in every rustc; AddressSanitizer is one unstable flag away.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Deserialize;

use crate::ci::Done;
use crate::cmd::Cmd;
use crate::error::{Error, Result};
use crate::workspace::Workspace;

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The targets to run [default: all]
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    time: u64,
    /// What watches memory while the target runs
    #[arg(long, value_enum, default_value_t = Sanitizer::None)]
    sanitizer: Sanitizer,
    /// List the targets, and run none
    #[arg(long)]
    list: bool,
    /// Further arguments for libFuzzer, after `--`; a file name runs that one input
    #[arg(last = true)]
    args: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sanitizer {
    /// Nothing: the fastest
    None,
    /// AddressSanitizer, through an unstable flag of the stable compiler
    Address,
}

/// What the smoke step of `cargo xtask ci` gives each target.
const SMOKE_SECONDS: u64 = 8;

/// Builds and runs the targets asked for.
pub(crate) fn main(workspace: &Workspace, options: &Options) -> Result<()> {
    let Some(fuzz) = Fuzz::find(workspace)? else {
        return Err(Error::Check("there is no fuzz/Cargo.toml".to_owned()));
    };
    let targets = fuzz.select(&options.targets)?;
    if options.list {
        targets.iter().for_each(|target| println!("{target}"));
        return Ok(());
    }
    fuzz.build(options.sanitizer)?;
    let failed: Vec<&str> = targets
        .into_iter()
        .filter(|target| {
            let result = fuzz.run(target, options.time, options.sanitizer, &options.args);
            result.inspect_err(|error| println!("{target}: {error}")).is_err()
        })
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::Check(format!(
        "found something: {}; run an input again with `cargo xtask fuzz TARGET -- fuzz/artifacts/TARGET/FILE`",
        failed.join(", ")
    )))
}

/// The step of `cargo xtask ci`.
pub(crate) fn smoke_step(workspace: &Workspace) -> Result<Done> {
    if !workspace.root.join("fuzz/Cargo.toml").is_file() {
        return Ok(Done::skipped("there is no fuzz/Cargo.toml yet"));
    }
    let all = Options {
        targets: vec![],
        time: SMOKE_SECONDS,
        sanitizer: Sanitizer::None,
        list: false,
        args: vec![],
    };
    main(workspace, &all)?;
    Ok(Done::ok())
}

struct Fuzz<'w> {
    workspace: &'w Workspace,
    targets: Vec<String>,
    host: String,
}

impl<'w> Fuzz<'w> {
    fn find(workspace: &'w Workspace) -> Result<Option<Self>> {
        let manifest = workspace.root.join("fuzz/Cargo.toml");
        if !manifest.is_file() {
            return Ok(None);
        }
        let asked =
            workspace.cargo().args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
        let targets = bins(&asked.arg(manifest).read()?)?;
        let version = Cmd::new("rustc").arg("-vV").read()?;
        let host = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .unwrap_or("x86_64-unknown-linux-gnu");
        Ok(Some(Self { workspace, targets, host: host.to_owned() }))
    }

    fn select<'a>(&'a self, names: &'a [String]) -> Result<Vec<&'a str>> {
        if let Some(name) = names.iter().find(|name| !self.targets.contains(name)) {
            let known = self.targets.join(", ");
            return Err(Error::Unknown { kind: "fuzz target", name: name.clone(), known });
        }
        Ok(if names.is_empty() { &self.targets } else { names }.iter().map(String::as_str).collect())
    }

    fn build(&self, sanitizer: Sanitizer) -> Result<()> {
        let cargo = self.workspace.cargo();
        // With --target, flags reach the targets and not the build scripts, which could not link with them.
        let cargo = cargo.args(["build", "--release", "--bins", "--target", &self.host, "--manifest-path"]);
        let cargo = cargo.arg(self.workspace.root.join("fuzz/Cargo.toml")).env("RUSTFLAGS", flags(sanitizer));
        let cargo = cargo.env("CARGO_TARGET_DIR", self.folder(sanitizer));
        match sanitizer {
            Sanitizer::None => cargo.run(),
            Sanitizer::Address => cargo.env("RUSTC_BOOTSTRAP", "1").run(),
        }
    }

    fn folder(&self, sanitizer: Sanitizer) -> PathBuf {
        self.workspace.target.join(match sanitizer {
            Sanitizer::None => "fuzz",
            Sanitizer::Address => "fuzz-address",
        })
    }

    fn run(&self, target: &str, seconds: u64, sanitizer: Sanitizer, args: &[String]) -> Result<()> {
        let program = self.folder(sanitizer).join(&self.host).join("release").join(target);
        let fuzz = self.workspace.root.join("fuzz");
        let artifacts = made(fuzz.join("artifacts").join(target))?;
        // New inputs go to the first folder; the committed ones are only read.
        let grown = made(self.workspace.target.join("fuzz-corpus").join(target))?;
        let mut cmd = Cmd::new(program).dir(&self.workspace.root).args(args);
        cmd = cmd.arg(format!("-artifact_prefix={}/", artifacts.display()));
        if !args.iter().any(|arg| !arg.starts_with('-')) {
            cmd = cmd.args([
                format!("-max_total_time={seconds}"),
                "-timeout=60".into(),
                "-print_final_stats=1".into(),
            ]);
            let committed = fuzz.join("corpus").join(target);
            cmd = cmd.arg(grown);
            cmd = if committed.is_dir() { cmd.arg(committed) } else { cmd };
        }
        cmd.run()
    }
}

fn made(folder: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&folder).map_err(|source| Error::File { path: folder.clone(), source })?;
    Ok(folder)
}

/// What cargo-fuzz passes to rustc, less what is unstable.
fn flags(sanitizer: Sanitizer) -> String {
    let coverage = ["level=4", "inline-8bit-counters", "pc-table", "trace-compares"]
        .map(|name| format!(" -Cllvm-args=-sanitizer-coverage-{name}"))
        .concat();
    let address = if sanitizer == Sanitizer::Address { " -Zsanitizer=address" } else { "" };
    format!("--cfg fuzzing -Cdebug-assertions -Ccodegen-units=1 -Cpasses=sancov-module{coverage}{address}")
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<crate::workspace::Package>,
}

/// The programs in the answer of `cargo metadata`.
fn bins(metadata: &str) -> Result<Vec<String>> {
    let metadata: Metadata = serde_json::from_str(metadata)
        .map_err(|e| Error::Output { what: "cargo metadata".to_owned(), reason: e.to_string() })?;
    let targets = metadata.packages.into_iter().flat_map(|p| p.targets);
    let mut names: Vec<String> =
        targets.filter(|t| t.kind.iter().any(|k| k == "bin")).map(|t| t.name).collect();
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuzz(workspace: &Workspace) -> Fuzz<'_> {
        Fuzz { workspace, targets: vec!["a".into(), "b".into()], host: "h".into() }
    }

    #[test]
    fn targets_are_chosen_by_name() {
        let workspace = Workspace { root: "r".into(), target: "t".into(), packages: vec![] };
        assert_eq!(fuzz(&workspace).select(&[]).unwrap(), ["a", "b"]);
        assert_eq!(fuzz(&workspace).select(&["b".to_owned()]).unwrap(), ["b"]);
        let text = fuzz(&workspace).select(&["c".to_owned()]).unwrap_err().to_string();
        assert!(text.contains("'c'") && text.contains("a, b"), "{text}");
    }

    #[test]
    fn only_programs_are_targets() {
        let text = r#"{"packages":[{"name":"f","manifest_path":"x","targets":[
            {"name":"z","kind":["bin"]},{"name":"lib","kind":["lib"]},{"name":"a","kind":["bin"]}]}]}"#;
        assert_eq!(bins(text).unwrap(), ["a", "z"]);
        assert!(bins("{}").is_err());
    }

    #[test]
    fn the_sanitizer_is_the_only_unstable_flag() {
        assert!(!flags(Sanitizer::None).contains("-Z"));
        assert!(flags(Sanitizer::Address).ends_with("-Zsanitizer=address"));
    }
}
