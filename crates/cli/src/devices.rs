//! `oarlock devices`: what there is to run on.

use oarlock::{DeviceFacts, DeviceKind, Runtime, Target};
use serde_json::{Value, json};

use crate::error::Failure;
use crate::out;

/// Options of `oarlock devices`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  oarlock devices
  oarlock devices --json | jq '.[0].compute_units'")]
pub(crate) struct Options {
    /// Print an array of JSON objects
    #[arg(long)]
    json: bool,
}

/// Lists the devices.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let runtime = Runtime::new()?;
    let mut all = Vec::new();
    for (index, key) in runtime.devices().into_iter().enumerate() {
        let (facts, target) = (runtime.device_facts(key)?, runtime.device_target(key)?);
        if options.json {
            all.push(described(index, facts, target));
        } else {
            out::line(text(index, facts, target))?;
        }
    }
    if options.json { out::json(&all) } else { Ok(()) }
}

fn text(index: usize, facts: &DeviceFacts, target: &Target) -> String {
    let clock = match facts.clock_mhz {
        0 => String::new(),
        mhz => format!(", {mhz} MHz"),
    };
    let counts = |counts: [u32; 3]| counts.map(|n| out::grouped(n.into())).join(" x ");
    format!(
        "\
{index}  {} ({})
   {}, {} compute units{clock}, {} of memory
   target        {target}
   group         at most {} items, {} per dimension
   groups        at most {} per dimension
   group memory  {}",
        facts.name,
        facts.vendor,
        kind(facts.kind),
        facts.compute_units,
        out::byte_size(facts.memory_bytes),
        out::grouped(facts.max_group_items.into()),
        counts(facts.max_group_size),
        counts(facts.max_groups),
        out::byte_size(facts.group_memory_bytes.into()),
    )
}

fn described(index: usize, facts: &DeviceFacts, target: &Target) -> Value {
    json!({
        "index": index,
        "name": facts.name,
        "vendor": facts.vendor,
        "kind": kind(facts.kind),
        "compute_units": facts.compute_units,
        "memory_bytes": facts.memory_bytes,
        "max_group_items": facts.max_group_items,
        "max_group_size": facts.max_group_size,
        "max_groups": facts.max_groups,
        "group_memory_bytes": facts.group_memory_bytes,
        "clock_mhz": facts.clock_mhz,
        "target": { "triple": target.triple, "cpu": target.cpu, "features": target.features },
    })
}

fn kind(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Cpu => "cpu",
        DeviceKind::Gpu => "gpu",
        _ => "other",
    }
}
