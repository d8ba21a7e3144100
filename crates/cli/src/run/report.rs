//! What a run tells, for people and for programs.

use std::time::Duration;

use oarlock::LaunchShape;
use oarlock::image::Kernel;
use serde_json::{Value, json};

use super::bind::Outcome;
use super::timing::{Times, rate};
use crate::error::Failure;
use crate::{out, value};

/// All there is to tell.
pub(crate) struct Report<'a> {
    pub(crate) program: String,
    pub(crate) kernel: &'a Kernel,
    pub(crate) device: (usize, &'a str),
    pub(crate) shape: &'a LaunchShape,
    pub(crate) results: &'a [Outcome<'a>],
    pub(crate) times: &'a Times,
    /// Bytes in all buffers together.
    pub(crate) buffer_bytes: u64,
}

impl Report<'_> {
    /// For people: a line for each buffer, then the times.
    pub(crate) fn text(&self, show: usize, time: bool) -> Result<(), Failure> {
        let names: Vec<String> = self.results.iter().map(label).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        for (result, name) in self.results.iter().zip(names) {
            let array = &result.array;
            let contents = match result.sink {
                Some(sink) => format!("-> {}", sink.path().display()),
                None => first_values(result, show),
            };
            let note = if result.changed == Some(false) { "  (unchanged)" } else { "" };
            out::line(format!("{name:width$}  {} {}  {contents}{note}", array.dtype.name(), array.shape))?;
        }
        if time { self.text_times() } else { Ok(()) }
    }

    fn text_times(&self) -> Result<(), Failure> {
        let times = self.times.summary();
        let show = |time: Duration| out::duration(time);
        out::line(format!("create  {}", show(self.times.create)))?;
        out::line(format!(
            "launch  min {}   median {}   max {}   first {}   ({})",
            show(times.min),
            show(times.median),
            show(times.max),
            show(times.first),
            match self.times.launches.len() {
                1 => "1 launch".to_owned(),
                n => format!("{} launches", out::grouped(n as u64)),
            }
        ))?;
        out::line(format!(
            "median  {:.4} G items/s   {:.4} GB/s of buffers, each counted once",
            rate(self.items(), times.median) / 1e9,
            rate(self.buffer_bytes, times.median) / 1e9
        ))
    }

    /// For programs.
    pub(crate) fn json(&self, show: usize) -> Result<(), Failure> {
        let times = self.times.summary();
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let dims = self.shape.dims() as usize;
        out::json(&json!({
            "program": self.program,
            "kernel": self.kernel.name,
            "device": { "index": self.device.0, "name": self.device.1 },
            "groups": self.shape.groups()[..dims],
            "group_size": self.shape.group_size()[..dims],
            "group_memory": self.shape.group_memory(),
            "launches": self.times.launches.len(),
            "buffers": self.results.iter().map(|r| json_buffer(r, show)).collect::<Vec<_>>(),
            "times_ns": {
                "create": ns(self.times.create),
                "launch_first": ns(times.first),
                "launch_min": ns(times.min),
                "launch_median": ns(times.median),
                "launch_max": ns(times.max),
            },
            "items_per_second": rate(self.items(), times.median),
            "buffer_bytes_per_second": rate(self.buffer_bytes, times.median),
        }))
    }

    fn items(&self) -> u64 {
        // Launch shapes whose product overflows are never made.
        self.shape.total_groups() * self.shape.items_per_group()
    }
}

/// The argument's number and its parameter's name.
fn label(result: &Outcome<'_>) -> String {
    match &result.name {
        Some(name) => format!("{} {name}", result.index),
        None => result.index.to_string(),
    }
}

fn elements<'r>(result: &'r Outcome<'_>, show: usize) -> impl Iterator<Item = &'r [u8]> {
    result.array.bytes.chunks_exact(result.array.dtype.size()).take(show)
}

fn first_values(result: &Outcome<'_>, show: usize) -> String {
    let dtype = result.array.dtype;
    let mut values: Vec<String> = elements(result, show).map(|v| value::show(dtype, v)).collect();
    if result.array.shape.count() > show {
        values.push("...".into());
    }
    values.join(", ")
}

fn json_buffer(result: &Outcome<'_>, show: usize) -> Value {
    let dtype = result.array.dtype;
    json!({
        "argument": result.index,
        "name": result.name,
        "text": result.text,
        "type": dtype.name(),
        "shape": result.array.shape.0,
        "file": result.sink.map(|s| s.path()),
        "changed": result.changed,
        "first": elements(result, show).map(|v| value::json(dtype, v)).collect::<Vec<_>>(),
    })
}
