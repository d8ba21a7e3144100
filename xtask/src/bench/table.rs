//! The benchmarks, whom they compare with, and what is aimed at.

/// A benchmark.
pub(crate) struct Bench {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) source: Source,
    pub(crate) goals: &'static [Goal],
}

/// Where its figures come from.
pub(crate) enum Source {
    /// `oarlock-bench MODE` and the peers' programs, which print samples.
    Programs { mode: &'static str, peers: &'static [Peer] },
    /// `cargo bench --package PACKAGE --bench TARGET`, which prints samples, or rows where it runs peers itself.
    Cargo { package: &'static str, target: &'static str },
}

/// A peer: a program of `tests/peers/` and what it is told to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    pub(crate) mode: &'static str,
}

/// The programs of `tests/peers/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    /// `native.c`: C with OpenMP, by clang with `-O3 -march=native`.
    Native,
    /// `opencl.c`: OpenCL, on PoCL.
    Pocl,
}

/// The highest ratio ours/theirs that the design allows.
pub(crate) struct Goal {
    pub(crate) metric: &'static str,
    pub(crate) peer: &'static str,
    pub(crate) ratio: f64,
}

const fn peer(name: &'static str, program: Program, mode: &'static str) -> Peer {
    Peer { name, program, mode }
}

const fn goal(metric: &'static str, peer: &'static str, ratio: f64) -> Goal {
    Goal { metric, peer, ratio }
}

/// All of them.
///
/// A metric that ends in `@cpu/thread` is the process's CPU time over the number of threads: what the wall time
/// would be if nobody else used the machine. Goals stand on both, since a program may win one by losing the other.
pub(crate) const BENCHES: &[Bench] = &[
    Bench {
        name: "launch",
        about: "empty launches: synchronous, one after the other in a queue, many groups",
        source: Source::Programs {
            mode: "launch",
            peers: &[peer("openmp", Program::Native, "launch"), peer("pocl", Program::Pocl, "launch")],
        },
        goals: &[goal("empty_launch_sync_p50", "openmp", 0.6), goal("empty_launch_sync_p50", "pocl", 0.1)],
    },
    Bench {
        name: "kernels",
        about: "saxpy over 2^24 floats, mandelbrot 2048^2 x 256, block reduction over 2^22 floats",
        source: Source::Programs {
            mode: "kernels",
            peers: &[
                peer("c", Program::Native, "kernels"),
                peer("c-simd", Program::Native, "simd"),
                peer("pocl", Program::Pocl, "kernels"),
            ],
        },
        goals: &[
            goal("saxpy_16M", "c", 1.05),
            goal("saxpy_16M@cpu/thread", "c", 1.05),
            goal("saxpy_16M", "pocl", 1.0),
            goal("saxpy_16M@cpu/thread", "pocl", 1.0),
            goal("mandel_2048", "c", 1.05),
            goal("mandel_2048@cpu/thread", "c", 1.05),
            goal("reduce_4M_barriers", "c", 1.5),
            goal("reduce_4M_barriers@cpu/thread", "c", 1.5),
            goal("reduce_4M_barriers", "pocl", 1.0),
            goal("reduce_4M_barriers@cpu/thread", "pocl", 1.0),
        ],
    },
    Bench {
        name: "arena",
        about: "handles: resolve, insert and remove, one and two threads",
        source: Source::Cargo { package: "oarlock-arena", target: "arena" },
        goals: &[],
    },
    Bench {
        name: "host",
        about: "the host device without the runtime above it: launches, and loading of modules",
        source: Source::Cargo { package: "oarlock-host", target: "launch" },
        goals: &[],
    },
    Bench {
        name: "cache",
        about: "equal programs: while one lives, from disk in a new process, by many threads at once",
        source: Source::Cargo { package: "oarlock-bench", target: "cache" },
        goals: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_goal_names_a_peer_of_its_bench() {
        for bench in BENCHES {
            let Source::Programs { peers, .. } = bench.source else { continue };
            for goal in bench.goals {
                assert!(peers.iter().any(|p| p.name == goal.peer), "{}: {}", bench.name, goal.peer);
            }
        }
    }
}
