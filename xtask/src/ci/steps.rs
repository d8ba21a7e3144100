//! The table of steps. Cheapest first, so that a slip is told soon; what is built once serves the steps after it.

use super::{Done, c_checks};
use crate::cmd::Cmd;
use crate::error::Result;
use crate::setup::{self, Group};
use crate::workspace::Workspace;
use crate::{bench, fuzz, kernels, tidy, tools};

/// One step.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn(&Workspace) -> Result<Done>,
}

const fn step(name: &'static str, about: &'static str, run: fn(&Workspace) -> Result<Done>) -> Step {
    Step { name, about, run }
}

/// All of them.
pub(crate) const STEPS: &[Step] = &[
    step("setup", "what the project needs is on this machine", setup_all),
    step("fmt", "formatting (cargo fmt)", fmt),
    step("tidy", "the project's own rules for sources and manifests", tidy::step),
    step("book", "every page is in the summary, every relative link leads somewhere", tidy::book_step),
    step("c-checks", "the kernel header compiles as C and C++ without a warning", c_checks::step),
    step("kernels", "committed kernels are what clang makes of their sources", kernels::step),
    step("clippy", "lints, warnings are errors", clippy),
    step("docs", "cargo doc, warnings are errors", docs),
    step("mdbook", "the book builds", mdbook),
    step("build", "everything builds", build),
    step("test", "all tests (cargo-nextest where present)", test),
    step("doc-test", "the examples in the documentation", doc_test),
    step(
        "bench-smoke",
        "every benchmark runs one small pass and computes the right results",
        bench::smoke_step,
    ),
    step("loom", "the handle table under every interleaving that loom finds", loom),
    step("fuzz-smoke", "every fuzz target runs for some seconds", fuzz::smoke_step),
    step("miri", "the handle table under Miri", miri),
];

fn setup_all(_: &Workspace) -> Result<Done> {
    setup::ensure(&Group::ALL)?;
    Ok(Done::ok())
}

fn fmt(workspace: &Workspace) -> Result<Done> {
    workspace.cargo().args(["fmt", "--all", "--check"]).run()?;
    Ok(Done::ok())
}

fn clippy(workspace: &Workspace) -> Result<Done> {
    // The flag goes to clippy and not into RUSTFLAGS, which would make cargo build every dependency again.
    workspace.cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()?;
    Ok(Done::ok())
}

fn docs(workspace: &Workspace) -> Result<Done> {
    workspace.cargo().env("RUSTDOCFLAGS", "-D warnings").args(["doc", "--no-deps", "--workspace"]).run()?;
    Ok(Done::ok())
}

fn mdbook(workspace: &Workspace) -> Result<Done> {
    let docs = workspace.root.join("docs");
    if !docs.join("book.toml").is_file() {
        return Ok(Done::skipped("docs/book.toml is not there yet"));
    }
    if tools::on_path("mdbook").is_none() {
        return Ok(Done::skipped(
            "mdbook is not installed (`cargo install mdbook`); `book` checked pages and links",
        ));
    }
    Cmd::new("mdbook").arg("build").arg(docs).arg("--dest-dir").arg(workspace.target.join("book")).run()?;
    Ok(Done::ok())
}

fn build(workspace: &Workspace) -> Result<Done> {
    workspace.cargo().args(["build", "--workspace", "--all-targets"]).run()?;
    Ok(Done::ok())
}

fn test(workspace: &Workspace) -> Result<Done> {
    if tools::on_path("cargo-nextest").is_some() {
        // In a run without a terminal, a retried or hanging test must end: the profile says when.
        workspace.cargo().args(["nextest", "run", "--workspace", "--profile", "ci"]).run()?;
        return Ok(Done::ok());
    }
    workspace
        .cargo()
        .args(["test", "--workspace", "--lib", "--bins", "--tests", "--examples", "--no-fail-fast"])
        .run()?;
    Ok(Done::with_notes(vec!["with cargo test: cargo-nextest is not installed".to_owned()]))
}

fn doc_test(workspace: &Workspace) -> Result<Done> {
    workspace.cargo().args(["test", "--doc", "--workspace", "--no-fail-fast"]).run()?;
    Ok(Done::ok())
}

fn loom(workspace: &Workspace) -> Result<Done> {
    if !workspace.has_target("oarlock-arena", "test", "loom") {
        return Ok(Done::skipped("oarlock-arena has no test `loom` yet"));
    }
    // A folder of its own: these flags would otherwise throw away what the steps before have built.
    workspace
        .cargo()
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", workspace.target.join("loom"))
        .args(["test", "--package", "oarlock-arena", "--release", "--test", "loom"])
        .run()?;
    Ok(Done::ok())
}

fn miri(workspace: &Workspace) -> Result<Done> {
    let asked =
        workspace.cargo().env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "miri", "--version"]).output()?;
    if !asked.status.success() {
        return Ok(Done::skipped(
            "no nightly toolchain with Miri (`rustup +nightly component add miri rust-src`)",
        ));
    }
    // Isolation off: the tests look at the clock. Property tests take few cases, Miri is a hundredfold slower.
    workspace
        .cargo()
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("MIRIFLAGS", "-Zmiri-disable-isolation")
        .env("PROPTEST_CASES", "4")
        .env("CARGO_TARGET_DIR", workspace.target.join("miri"))
        .args(["+nightly", "miri", "test", "--package", "oarlock-arena", "--lib"])
        .run()?;
    Ok(Done::ok())
}
