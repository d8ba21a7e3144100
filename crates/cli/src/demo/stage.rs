//! What the jobs share: a runtime with one device, buffers, timed launches.

use std::time::{Duration, Instant};

use bytemuck::Pod;
use oarlock::{Arg, DeviceKey, DevicePtr, LaunchShape, MemoryKind, ProgramKey, Runtime, SymbolKey};

use crate::error::Failure;
use crate::out;

/// A runtime and the device that the jobs run on.
pub(super) struct Stage {
    pub(super) runtime: Runtime,
    pub(super) device: DeviceKey,
}

/// What a job did.
#[derive(Default)]
pub(super) struct Outcome {
    /// What to tell.
    pub(super) lines: Vec<String>,
    /// What was wrong; nothing, if all goes well.
    pub(super) wrong: Vec<String>,
}

/// A program that has one kernel.
pub(super) struct Job {
    pub(super) program: ProgramKey,
    pub(super) kernel: SymbolKey,
    /// What compiling and loading took.
    pub(super) create: Duration,
}

impl Stage {
    pub(super) fn new() -> Result<Self, Failure> {
        let runtime = Runtime::new()?;
        let device = runtime.devices().first().copied();
        let device = device.ok_or_else(|| Failure::Arguments("there is no device to run on".into()))?;
        Ok(Self { runtime, device })
    }

    pub(super) fn device_name(&self) -> Result<String, Failure> {
        let facts = self.runtime.device_facts(self.device)?;
        Ok(format!("{}, {} compute units", facts.name, facts.compute_units))
    }

    /// Makes a program of `text` and finds its kernel.
    pub(super) fn create(&self, text: &[u8], kernel: &str) -> Result<Job, Failure> {
        let started = Instant::now();
        // SAFETY: the demo's programs are part of this command and have no constructors.
        let program = unsafe { self.runtime.create_program(self.device, text)? };
        let create = started.elapsed();
        Ok(Job { program, kernel: self.runtime.kernel(program, kernel)?, create })
    }

    /// A buffer that holds `data`.
    pub(super) fn buffer<T: Pod>(&self, data: &[T]) -> Result<DevicePtr, Failure> {
        Ok(self.runtime.alloc_slice(self.device, MemoryKind::Device, data)?)
    }

    pub(super) fn read<T: Pod>(&self, ptr: DevicePtr, count: usize) -> Result<Vec<T>, Failure> {
        Ok(self.runtime.read_vec(self.device, ptr, count)?)
    }

    /// Launches `times` times, and returns the shortest time that a launch took.
    pub(super) fn launch(
        &self,
        job: &Job,
        shape: &LaunchShape,
        args: &[Arg<'_>],
        times: u32,
    ) -> Result<Duration, Failure> {
        let mut best = Duration::MAX;
        for _ in 0..times {
            let started = Instant::now();
            // SAFETY: each job's buffers hold what its launch's items touch, and nothing else uses them.
            unsafe { self.runtime.launch(None, job.kernel, shape, args)? };
            best = best.min(started.elapsed());
        }
        Ok(best)
    }

    /// Destroys the job's program and frees its buffers.
    pub(super) fn finish(&self, job: &Job, buffers: &[DevicePtr]) -> Result<(), Failure> {
        self.runtime.destroy_program(job.program)?;
        for &buffer in buffers {
            self.runtime.free(self.device, buffer)?;
        }
        Ok(())
    }
}

/// The first line of a job: what it does, what it took, how fast that is.
pub(super) fn headline(what: &str, job: &Job, launch: Duration, speed: &str) -> String {
    format!(
        "{what:44} compile {:>8}   launch {:>8}   {speed}",
        out::duration(job.create),
        out::duration(launch)
    )
}

/// Says where `got` first differs from what is expected.
pub(super) fn compare<T: PartialEq + std::fmt::Display>(
    what: &str,
    got: &[T],
    expected: impl Fn(usize) -> T,
) -> Vec<String> {
    let wrong = got.iter().enumerate().find(|&(i, value)| *value != expected(i));
    wrong.map(|(i, value)| format!("{what}[{i}] is {value}, expected {}", expected(i))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn the_first_difference_is_told() {
        assert!(compare("y", &[0, 1, 2], |i| i).is_empty());
        assert_eq!(compare("y", &[0, 7, 8], |i| i), ["y[1] is 7, expected 1"]);
    }
}
