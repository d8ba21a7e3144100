//! ARGs to launch arguments: buffers are allocated and filled, and read back after the launch.

use oarlock::image::Kernel;
use oarlock::{Arg as LaunchArg, DeviceKey, DevicePtr, MemoryKind, Runtime};

use crate::arg::{self, Arg, Buffer, Role, Shape, Sink, Source, Spec};
use crate::error::Failure;
use crate::npy::{self, Array};
use crate::value::{self, DType};
use crate::{out, picture};

/// The arguments of a launch, with what they point to.
pub(crate) struct Bound<'a> {
    values: Vec<Bind<'a>>,
}

enum Bind<'a> {
    Plain(LaunchArg<'a>),
    Buffer(Filled<'a>),
}

/// A buffer on the device.
struct Filled<'a> {
    text: &'a str,
    spec: &'a Buffer,
    ptr: DevicePtr,
    dtype: DType,
    shape: Shape,
    /// The contents before the launch, where it matters whether they change.
    before: Option<Vec<u8>>,
}

/// A buffer after the launch.
pub(crate) struct Outcome<'a> {
    /// Which argument, from 0.
    pub(crate) index: usize,
    /// The parameter's name, where the program kept it.
    pub(crate) name: Option<String>,
    /// The ARG as it was written.
    pub(crate) text: &'a str,
    pub(crate) sink: Option<&'a Sink>,
    /// Whether the launch changed it, where somebody wants to know.
    pub(crate) changed: Option<bool>,
    pub(crate) array: Array,
}

impl<'a> Bound<'a> {
    /// Allocates and fills all buffers.
    pub(crate) fn new(runtime: &Runtime, device: DeviceKey, args: &'a [Arg]) -> Result<Self, Failure> {
        let bind = |arg: &'a Arg| {
            Ok(match &arg.spec {
                Spec::Scalar { bytes, .. } | Spec::Bytes(bytes) => Bind::Plain(LaunchArg::Bytes(bytes)),
                Spec::Local(bytes) => Bind::Plain(LaunchArg::GroupMemory(*bytes)),
                Spec::Null => Bind::Plain(DevicePtr::default().into()),
                Spec::Buffer(spec) => Bind::Buffer(fill(runtime, device, &arg.text, spec)?),
            })
        };
        Ok(Self { values: args.iter().map(bind).collect::<Result<_, Failure>>()? })
    }

    /// What the launch gets.
    pub(crate) fn args(&self) -> Vec<LaunchArg<'_>> {
        let arg = |bind: &Bind<'a>| match bind {
            Bind::Plain(arg) => *arg,
            Bind::Buffer(filled) => filled.ptr.into(),
        };
        self.values.iter().map(arg).collect()
    }

    /// Bytes in all buffers together.
    pub(crate) fn bytes(&self) -> u64 {
        self.filled().map(|(_, f)| (f.shape.count() * f.dtype.size()) as u64).sum()
    }

    /// Reads back what the launch may have written, except inputs.
    pub(crate) fn results(
        &self,
        runtime: &Runtime,
        device: DeviceKey,
        kernel: &Kernel,
    ) -> Result<Vec<Outcome<'a>>, Failure> {
        let wanted = self.filled().filter(|(_, f)| f.spec.role != Role::Input);
        wanted
            .map(|(index, filled)| {
                let mut bytes = vec![0; filled.shape.count() * filled.dtype.size()];
                if !bytes.is_empty() {
                    runtime.read(device, filled.ptr, &mut bytes)?;
                }
                Ok(Outcome {
                    index,
                    name: kernel.params[index].name.clone(),
                    text: filled.text,
                    sink: filled.spec.sink.as_ref(),
                    changed: filled.before.as_ref().map(|before| *before != bytes),
                    array: Array { dtype: filled.dtype, shape: filled.shape.clone(), bytes },
                })
            })
            .collect()
    }

    fn filled(&self) -> impl Iterator<Item = (usize, &Filled<'a>)> {
        self.values.iter().enumerate().filter_map(|(index, bind)| match bind {
            Bind::Buffer(filled) => Some((index, filled)),
            Bind::Plain(_) => None,
        })
    }
}

impl Outcome<'_> {
    /// Writes the buffer to its file, if it has one.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        match self.sink {
            None => Ok(()),
            Some(Sink::Npy(path)) => npy::write(path, &self.array),
            Some(Sink::Png(path)) => {
                let shape = &self.array.shape;
                // Checked before the launch.
                let channels = arg::channels(shape).unwrap_or(1);
                let (height, width) = (shape.0[0] as u32, shape.0[1] as u32);
                picture::write(path, width, height, channels, &self.array.bytes)
            }
        }
    }
}

fn fill<'a>(
    runtime: &Runtime,
    device: DeviceKey,
    text: &'a str,
    spec: &'a Buffer,
) -> Result<Filled<'a>, Failure> {
    let array = contents(runtime, device, text, &spec.source)?;
    if let Some(sink) = &spec.sink {
        let misfit = |reason| Failure::Content { path: sink.path().to_owned(), reason };
        sink.check(array.dtype, &array.shape).map_err(misfit)?;
    }
    let Array { dtype, shape, bytes } = array;
    // An array without elements has no memory; the kernel gets null.
    let ptr = if bytes.is_empty() {
        DevicePtr::default()
    } else {
        let ptr = runtime.alloc(device, MemoryKind::Device, bytes.len() as u64)?;
        runtime.write(device, ptr, &bytes)?;
        ptr
    };
    let before = (spec.role != Role::Input && spec.sink.is_none()).then_some(bytes);
    Ok(Filled { text, spec, ptr, dtype, shape, before })
}

fn contents(runtime: &Runtime, device: DeviceKey, text: &str, source: &Source) -> Result<Array, Failure> {
    match source {
        Source::File(path) => npy::read(path),
        Source::Made { dtype, shape, fill } => {
            let size = (shape.count() * dtype.size()) as u64;
            let memory = runtime.device_facts(device)?.memory_bytes;
            // Before the process takes memory that there is not.
            if size > memory {
                return Err(Failure::Arguments(format!(
                    "`{text}` is {}, and the device has {}; make the buffer smaller",
                    out::byte_size(size),
                    out::byte_size(memory)
                )));
            }
            let bytes = value::fill(*dtype, shape.count(), *fill);
            Ok(Array { dtype: *dtype, shape: shape.clone(), bytes })
        }
    }
}
