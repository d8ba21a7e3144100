//! Kernels that do something, each verified.

use oarlock::{Arg, Error, LaunchShape, MemoryKind};

use crate::inputs::{
    MANDEL_GROUP, MANDEL_LIMIT, MANDEL_SIDE, REDUCE_GROUP, REDUCE_N, SAXPY_A, SAXPY_GROUP, SAXPY_N,
    random_floats,
};
use crate::reference::{mandel_ok, reduce_ok, saxpy_ok};
use crate::sample::{check, timed};
use crate::setting::Setting;

pub(crate) fn run(setting: &Setting) -> Result<(), Error> {
    saxpy(setting)?;
    mandel(setting)?;
    reduce(setting)
}

fn saxpy(setting: &Setting) -> Result<(), Error> {
    let Setting { runtime, device, repeat, .. } = setting;
    let input = random_floats(SAXPY_N, 1);
    let x = runtime.alloc_slice(*device, MemoryKind::Device, &input)?;
    let y = runtime.alloc_slice(*device, MemoryKind::Device, &vec![1.0f32; SAXPY_N])?;
    let kernel = setting.kernel("saxpy")?;
    let shape = LaunchShape::new(&[SAXPY_N as u32 / SAXPY_GROUP], &[SAXPY_GROUP])?;
    let args = [Arg::from(x), y.into(), SAXPY_A.into()];
    // SAFETY: `x` and `y` hold a float for every item of the shape, and nothing else uses them.
    timed("saxpy_16M", *repeat, || unsafe { setting.launch(None, kernel, &shape, &args) })?;
    check("saxpy", saxpy_ok(&input, &runtime.read_vec(*device, y, SAXPY_N)?, repeat + 2));
    runtime.free(*device, x)?;
    runtime.free(*device, y)
}

fn mandel(setting: &Setting) -> Result<(), Error> {
    let Setting { runtime, device, repeat, .. } = setting;
    let pixels = (MANDEL_SIDE * MANDEL_SIDE) as usize;
    let picture = runtime.alloc(*device, MemoryKind::Device, 4 * pixels as u64)?;
    let kernel = setting.kernel("mandel")?;
    let shape = LaunchShape::new(&[MANDEL_SIDE / MANDEL_GROUP; 2], &[MANDEL_GROUP; 2])?;
    let args = [Arg::from(picture), MANDEL_SIDE.into(), MANDEL_SIDE.into(), MANDEL_LIMIT.into()];
    // SAFETY: `picture` holds a count for every item of the shape, and nothing else uses it.
    timed("mandel_2048", *repeat, || unsafe { setting.launch(None, kernel, &shape, &args) })?;
    check("mandel", mandel_ok(&runtime.read_vec(*device, picture, pixels)?));
    runtime.free(*device, picture)
}

fn reduce(setting: &Setting) -> Result<(), Error> {
    let Setting { runtime, device, repeat, .. } = setting;
    let groups = REDUCE_N / REDUCE_GROUP;
    let input = random_floats(REDUCE_N, 4);
    let x = runtime.alloc_slice(*device, MemoryKind::Device, &input)?;
    let partial = runtime.alloc(*device, MemoryKind::Device, 4 * groups as u64)?;
    let kernel = setting.kernel("reduce")?;
    let shape = LaunchShape::new(&[groups as u32], &[REDUCE_GROUP as u32])?;
    let args = [Arg::from(x), partial.into()];
    // SAFETY: `x` holds a float for every item of the shape, `partial` one for every group.
    timed("reduce_4M_barriers", *repeat, || unsafe { setting.launch(None, kernel, &shape, &args) })?;
    check("reduce", reduce_ok(&input, &runtime.read_vec(*device, partial, groups)?));
    runtime.free(*device, x)?;
    runtime.free(*device, partial)
}
