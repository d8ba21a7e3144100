//! A request: what to do, for which target, within which limits, and the program behind it.

use std::time::Duration;

use oarlock_codegen::{Emit, OptLevel, Options, Target};

use super::fields::{Fields, Reader};
use crate::Limits;

/// What the worker is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// An image.
    Compile,
    /// Text.
    Emit(Emit),
    /// What is in the program.
    Inspect,
}

/// A request as the worker reads it.
#[derive(Debug, PartialEq)]
pub(crate) struct Request<'a> {
    pub(crate) task: Task,
    pub(crate) memory: u64,
    pub(crate) cpu: Duration,
    pub(crate) target: Target,
    pub(crate) options: Options,
    pub(crate) program: &'a [u8],
}

impl Task {
    fn byte(self) -> u8 {
        match self {
            Self::Compile => 0,
            Self::Inspect => 1,
            Self::Emit(Emit::Lowered) => 2,
            Self::Emit(Emit::Ir) => 3,
            Self::Emit(Emit::Assembly) => 4,
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        let all = [
            Self::Compile,
            Self::Inspect,
            Self::Emit(Emit::Lowered),
            Self::Emit(Emit::Ir),
            Self::Emit(Emit::Assembly),
        ];
        all.into_iter().find(|task| task.byte() == byte)
    }
}

/// The part of a request before the program's bytes.
pub(crate) fn request_head(task: Task, target: &Target, options: &Options, limits: &Limits) -> Vec<u8> {
    let mut out = Fields::default();
    out.byte(task.byte()).number(limits.memory).number(limits.cpu.as_millis() as u64);
    out.text(&target.triple).text(&target.cpu).text(&target.features);
    out.byte(options.opt_level as u8);
    // A field of the options that is added and forgotten here shows as a difference in this text.
    out.text(&format!("{options:?}"));
    out.0
}

/// Reads a request; `Err` says what is wrong with it.
pub(crate) fn decode_request(bytes: &[u8]) -> Result<Request<'_>, &'static str> {
    let mut from = Reader(bytes);
    let (request, described) = fields(&mut from).ok_or("the request is cut short or holds no such task")?;
    if format!("{:?}", request.options) != described {
        return Err("the request has options that this worker does not know; it is of another version");
    }
    Ok(Request { program: from.0, ..request })
}

fn fields<'a>(from: &mut Reader<'a>) -> Option<(Request<'a>, &'a str)> {
    let task = Task::from_byte(from.byte()?)?;
    let (memory, cpu) = (from.number()?, Duration::from_millis(from.number()?));
    let target = Target { triple: from.string()?, cpu: from.string()?, features: from.string()? };
    let options = Options::default().with_opt_level(OptLevel::from_number(from.byte()?.into())?);
    Some((Request { task, memory, cpu, target, options, program: &[] }, from.text()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back_and_cut_ones_do_not() {
        let target = Target { triple: "t".into(), cpu: "c".into(), features: "+f".into() };
        let options = Options::default().with_opt_level(OptLevel::O1);
        for task in [Task::Compile, Task::Inspect, Task::Emit(Emit::Assembly)] {
            let head = request_head(task, &target, &options, &Limits::default());
            let mut bytes = head.clone();
            bytes.extend_from_slice(b"BC");
            let request = decode_request(&bytes).unwrap();
            assert_eq!((request.task, &request.target, &request.options), (task, &target, &options));
            assert_eq!((request.memory, request.program), (2 << 30, &b"BC"[..]));
            for end in 0..head.len() {
                assert!(decode_request(&head[..end]).is_err());
            }
        }
    }

    #[test]
    fn unknown_options_are_refused() {
        let target = Target { triple: String::new(), cpu: String::new(), features: String::new() };
        let mut head = request_head(Task::Compile, &target, &Options::default(), &Limits::default());
        let last = head.len() - 1;
        head[last] = b'?';
        assert!(decode_request(&head).unwrap_err().contains("another version"));
    }
}
