//! Devices: which there are and what they are like.

use oarlock_device::DeviceFacts;
use oarlock_image::Target;

use crate::{DeviceKey, Error, Runtime};

impl Runtime {
    /// The devices. There is at least one, unless the builder was told otherwise; the host comes first.
    pub fn devices(&self) -> Vec<DeviceKey> {
        self.shared.devices.iter().map(|d| d.key).collect()
    }

    /// What a device is like.
    ///
    /// # Errors
    /// Handle errors.
    pub fn device_facts(&self, device: DeviceKey) -> Result<&DeviceFacts, Error> {
        Ok(self.device(device)?.device.facts())
    }

    /// What images for a device are compiled for.
    ///
    /// # Errors
    /// Handle errors.
    pub fn device_target(&self, device: DeviceKey) -> Result<&Target, Error> {
        Ok(self.device(device)?.device.target())
    }
}
