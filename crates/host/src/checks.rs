//! Everything that can be wrong with a launch, found before it runs.

use std::any::Any;

use oarlock_device::{ArgError, DeviceError, DeviceFacts, Launch, LaunchError, Module};
use oarlock_image::Kernel;
use oarlock_image::abi::{EntryPoint, Frame};

use crate::module::HostModule;
use crate::pool::Task;

/// What a checked launch needs beyond itself.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    entry: EntryPoint,
    /// Static and parameter group memory: dynamic group memory starts behind it.
    fixed_group: u32,
    /// Group memory in all.
    group_bytes: usize,
    /// Scratch per work-item.
    item_bytes: u32,
}

impl Plan {
    pub(crate) fn check(launch: &Launch, facts: &DeviceFacts) -> Result<Self, DeviceError> {
        let module: &dyn Any = &*launch.module;
        let module = module.downcast_ref::<HostModule>().ok_or(DeviceError::ForeignModule)?;
        let metadata = &Module::image(module).metadata;
        let (Some(kernel), Some(entry)) = (metadata.kernels.get(launch.kernel), module.entry(launch.kernel))
        else {
            let kernels = metadata.kernels.len();
            return Err(LaunchError::NoKernel { index: launch.kernel, kernels }.into());
        };
        launch.shape.check_device(facts)?;
        check_size(launch, kernel)?;
        check_counts(launch, kernel)?;
        let fixed_group = launch.args.group_bytes();
        if launch.args.capacity() < kernel.args_size as usize || fixed_group < kernel.group_bytes {
            return Err(ArgError::OtherKernel { kernel: kernel.name.clone() }.into());
        }
        let asked = u64::from(fixed_group) + u64::from(launch.shape.group_memory());
        let limit = u64::from(facts.group_memory_bytes);
        if asked > limit {
            return Err(LaunchError::GroupMemory { kernel: kernel.name.clone(), asked, limit }.into());
        }
        Ok(Self { entry, fixed_group, group_bytes: asked as usize, item_bytes: kernel.item_bytes })
    }

    /// The frame that the kernel's code reads; it points into `launch`.
    pub(crate) fn frame(&self, launch: &Launch) -> Frame {
        let shape = &launch.shape;
        let dynamic = u64::from(self.fixed_group);
        Frame::new(launch.args.as_ptr(), shape.dims(), shape.groups(), shape.group_size(), dynamic)
    }

    /// The launch as the pool runs it; it points to `frame`.
    pub(crate) fn task(&self, launch: &Launch, frame: &Frame) -> Task {
        Task {
            entry: self.entry,
            frame,
            groups: launch.shape.total_groups(),
            group_bytes: self.group_bytes,
            // At most 2^32 * (items per group, limited by the device): no overflow.
            scratch_bytes: self.item_bytes as usize * frame.padded_items as usize,
        }
    }
}

fn check_size(launch: &Launch, kernel: &Kernel) -> Result<(), LaunchError> {
    let found = launch.shape.group_size();
    if let Some(required) = kernel.required_group_size.filter(|required| *required != found) {
        return Err(LaunchError::GroupSize { kernel: kernel.name.clone(), required, found });
    }
    let found = launch.shape.items_per_group();
    if let Some(limit) = kernel.max_group_items.filter(|limit| u64::from(*limit) < found) {
        return Err(LaunchError::GroupItems { kernel: kernel.name.clone(), limit, found });
    }
    Ok(())
}

/// Kernels number the items of a dimension in 31 bits: generated code relies on it.
fn check_counts(launch: &Launch, kernel: &Kernel) -> Result<(), LaunchError> {
    for axis in 0..3 {
        let found = u64::from(launch.shape.groups()[axis]) * u64::from(launch.shape.group_size()[axis]);
        if found > u64::from(i32::MAX.unsigned_abs()) {
            return Err(LaunchError::ItemCount { kernel: kernel.name.clone(), axis, found });
        }
    }
    Ok(())
}
