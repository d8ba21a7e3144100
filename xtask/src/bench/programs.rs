//! Building and running the programs that are compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::samples::Samples;
use super::table::{Peer, Program};
use crate::cmd::Cmd;
use crate::error::{Error, Result};
use crate::tools;
use crate::workspace::Workspace;

/// How our side is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As the tests are: nothing has to be built again to see that a benchmark runs.
    Dev,
    /// As users build it.
    Release,
}

/// A program that is there, or why it is not.
type Found = std::result::Result<PathBuf, String>;

/// Runs programs, and remembers what was missing and what was computed wrongly.
pub(crate) struct Runner<'w> {
    pub(crate) workspace: &'w Workspace,
    profile: Profile,
    quick: bool,
    with_peers: bool,
    ours: Option<PathBuf>,
    peers: BTreeMap<&'static str, (Program, Found)>,
    wrong: Vec<String>,
    runs: usize,
}

/// The package and program of our side.
const OURS: &str = "oarlock-bench";

/// The OpenCL C source that PoCL compiles, and that the committed kernels of our side are made from.
const KERNELS: &str = "crates/bench/kernels/bench.cl";

impl<'w> Runner<'w> {
    pub(crate) fn new(workspace: &'w Workspace, profile: Profile, quick: bool, with_peers: bool) -> Self {
        Self {
            workspace,
            profile,
            quick,
            with_peers,
            ours: None,
            peers: BTreeMap::new(),
            wrong: vec![],
            runs: 0,
        }
    }

    /// Builds our side once.
    pub(crate) fn prepare_ours(&mut self) -> Result<std::result::Result<(), String>> {
        if self.ours.is_some() {
            return Ok(Ok(()));
        }
        if !self.workspace.has_target(OURS, "bin", OURS) {
            return Ok(Err(format!("the workspace has no program `{OURS}` yet")));
        }
        let cargo = self.workspace.cargo().arg("build");
        let folder = match self.profile {
            // Just as the step `build`: a selection would settle on other features and build anew.
            Profile::Dev => cargo.args(["--workspace", "--all-targets"]).run().map(|()| "debug")?,
            Profile::Release => cargo.args(["--release", "--package", OURS]).run().map(|()| "release")?,
        };
        self.ours = Some(self.workspace.target.join(folder).join(OURS));
        Ok(Ok(()))
    }

    /// Those of `peers` that are wanted and can run here.
    pub(crate) fn prepare_peers(&mut self, peers: &[Peer]) -> Result<Vec<Peer>> {
        if !self.with_peers {
            return Ok(vec![]);
        }
        let mut there = Vec::new();
        for peer in peers {
            if !self.peers.contains_key(peer.name) {
                let known =
                    self.peers.values().find(|(p, _)| *p == peer.program).map(|(_, found)| found.clone());
                let found = known.map_or_else(|| self.build_peer(peer.program), Ok)?;
                self.peers.insert(peer.name, (peer.program, found));
            }
            if matches!(self.peers.get(peer.name), Some((_, Ok(_)))) {
                there.push(*peer);
            }
        }
        Ok(there)
    }

    /// A line for each peer that could not run, with the reason.
    pub(crate) fn missing_peers(&self) -> Vec<String> {
        let why = |(name, (_, found)): (&&str, &(Program, Found))| {
            found.as_ref().err().map(|why| format!("peer {name} SKIPPED: {why}"))
        };
        self.peers.iter().filter_map(why).collect()
    }

    /// Whether not a single program ran.
    pub(crate) fn nothing_ran(&self) -> bool {
        self.runs == 0
    }

    /// An error where a program computed something wrong: its times mean nothing then.
    pub(crate) fn verdict(&self) -> Result<()> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        Err(Error::Bench(format!("wrong results: {}", self.wrong.join(", "))))
    }

    pub(crate) fn run_ours(&mut self, mode: &str, samples: &mut Samples) -> Result<()> {
        let Some(program) = self.ours.clone() else { return Ok(()) };
        self.run("oarlock", Cmd::new(program).arg(mode), samples)
    }

    pub(crate) fn run_peer(&mut self, peer: &Peer, samples: &mut Samples) -> Result<()> {
        let Some((_, Ok(program))) = self.peers.get(peer.name) else { return Ok(()) };
        let cmd = peer_command(self.workspace, program, peer.mode);
        self.run(peer.name, cmd, samples)
    }

    fn run(&mut self, who: &str, cmd: Cmd, samples: &mut Samples) -> Result<()> {
        let cmd = if self.quick { cmd.arg("--quick") } else { cmd };
        let wrong = samples.take(who, &cmd.read_showing()?)?;
        self.wrong.extend(wrong.iter().map(|name| format!("{who} {name}")));
        self.runs += 1;
        Ok(())
    }

    /// Runs a benchmark target of cargo and gives what it printed.
    pub(crate) fn cargo_bench(&mut self, package: &str, target: &str) -> Result<String> {
        let cargo = self.workspace.cargo();
        let cmd = match self.profile {
            Profile::Dev => cargo.args(["test", "--workspace", "--bench", target, "--"]),
            Profile::Release => cargo.args(["bench", "--package", package, "--bench", target, "--"]),
        };
        self.runs += 1;
        if self.quick { cmd.arg("--quick").read_showing() } else { cmd.read_showing() }
    }

    fn build_peer(&self, program: Program) -> Result<Found> {
        let Some(clang) = tools::clang() else { return Ok(Err(tools::NO_CLANG.to_owned())) };
        match program {
            Program::Native => {
                let flags = ["-O3", "-march=native", "-fopenmp"];
                if !self.compiles(
                    &clang,
                    "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n",
                    &flags,
                )? {
                    return Ok(Err(
                        "OpenMP for clang 22 is not installed: `cargo xtask setup` installs it".to_owned()
                    ));
                }
                self.compile(&clang, "native", &[&flags[..], &["-lm"]].concat()).map(Ok)
            }
            Program::Pocl => {
                if !self.compiles(
                    &clang,
                    "#include <CL/cl.h>\nint main(void) { return 0; }\n",
                    &["-lOpenCL"],
                )? {
                    return Ok(Err("OpenCL is not installed: `cargo xtask setup` installs it".to_owned()));
                }
                let file = self.compile(&clang, "opencl", &["-O2", "-lOpenCL", "-lm"])?;
                let asked = peer_command(self.workspace, &file, "info").output()?;
                if asked.status.success() {
                    return Ok(Ok(file));
                }
                Ok(Err(format!("PoCL: {}", String::from_utf8_lossy(&asked.stderr).trim())))
            }
        }
    }

    /// Whether this small program compiles and links: that is, whether a library is there.
    fn compiles(&self, clang: &Path, text: &str, flags: &[&str]) -> Result<bool> {
        let folder = self.workspace.target.join("peers");
        let file = folder.join("probe.c");
        crate::error::write(&file, text)?;
        let output = Cmd::new(clang).arg(&file).arg("-o").arg(folder.join("probe")).args(flags).output()?;
        Ok(output.status.success())
    }

    fn compile(&self, clang: &Path, name: &str, flags: &[&str]) -> Result<PathBuf> {
        let source = self.workspace.root.join("tests/peers").join(format!("{name}.c"));
        let file = self.workspace.target.join("peers").join(name);
        let cmd = Cmd::new(clang)
            .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror"])
            .arg(source)
            .arg("-o")
            .arg(&file);
        cmd.args(flags).run()?;
        Ok(file)
    }
}

/// A peer's command line. PoCL keeps its cache in the target folder and not in somebody's home.
fn peer_command(workspace: &Workspace, program: &Path, mode: &str) -> Cmd {
    let cache = workspace.target.join("peers/pocl-cache");
    Cmd::new(program).arg(mode).arg(workspace.root.join(KERNELS)).env("POCL_CACHE_DIR", cache)
}
