//! What this machine is like, as its operating system tells.

use std::fs::read_to_string;
use std::path::Path;

use oarlock_device::{DeviceFacts, DeviceKind};

/// The most work-items per group: enough for programs written for any GPU (1024), four times over.
pub const MAX_GROUP_ITEMS: u32 = 4096;

/// Group memory per group in bytes: more than any GPU's (228 KiB), and within a processor's second-level cache.
pub const GROUP_MEMORY_BYTES: u32 = 256 << 10;

/// How many threads this process may use: its processor affinity and its control group's quota, at least 1.
pub(crate) fn allowed_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn read(threads: usize) -> DeviceFacts {
    let cpu = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpu.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let vendor = match field("vendor_id").as_deref() {
        Some("AuthenticAMD") => "AMD".into(),
        Some("GenuineIntel") => "Intel".into(),
        other => other.unwrap_or("unknown").to_owned(),
    };
    DeviceFacts {
        name: field("model name").unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH)),
        vendor,
        kind: DeviceKind::Cpu,
        compute_units: u32::try_from(threads).unwrap_or(u32::MAX),
        memory_bytes: memory_bytes(),
        max_group_items: MAX_GROUP_ITEMS,
        max_group_size: [MAX_GROUP_ITEMS; 3],
        max_groups: [u32::MAX; 3],
        group_memory_bytes: GROUP_MEMORY_BYTES,
        clock_mhz: clock_mhz(field("cpu MHz").as_deref()),
    }
}

/// The machine's memory, or its control group's limit where that is less.
fn memory_bytes() -> u64 {
    let info = read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| {
        let kib = line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim();
        kib.parse::<u64>().ok()?.checked_mul(1024)
    });
    // Without /proc: no limit of our own, the allocator will say.
    total.unwrap_or(u64::MAX).min(group_limit().unwrap_or(u64::MAX))
}

/// The smallest `memory.max` on the way from this process's control group up to the root.
fn group_limit() -> Option<u64> {
    let own = read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(path);
    let groups = own.ancestors().take_while(|group| group.starts_with(root));
    groups.filter_map(|g| read_to_string(g.join("memory.max")).ok()?.trim().parse().ok()).min()
}

/// The nominal clock where the frequency driver tells, else the present one.
fn clock_mhz(present: Option<&str>) -> u32 {
    let nominal = read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
        .ok()
        .and_then(|khz| khz.trim().parse::<u32>().ok())
        .map(|khz| khz / 1000);
    nominal.or_else(|| present?.parse::<f64>().ok().map(|mhz| mhz as u32)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_has_a_name_and_memory() {
        let facts = super::read(super::allowed_threads());
        assert!(!facts.name.is_empty() && facts.compute_units >= 1);
        assert!(facts.memory_bytes > 1 << 20);
    }
}
