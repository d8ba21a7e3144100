//! `oarlock cache`: what is kept of compiled programs, on disk.

mod look;
mod place;

use std::path::PathBuf;

use clap::Subcommand;
use oarlock::store::FileStore;
use serde_json::json;

use crate::error::{EXIT_CODES, Failure};
use crate::out;

pub(crate) use place::{Place, WHERE, limit};

/// Options of `oarlock cache`.
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = true, after_help = help())]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
    /// The directory [default: that of `oarlock run`]
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Tell how much there is, and of what
    Stats,
    /// List the entries, the longest unused first
    List,
    /// Check every entry; exit code 1 where one is damaged
    Verify {
        /// Remove what is damaged
        #[arg(long)]
        repair: bool,
    },
    /// Remove all entries
    Clear,
}

fn help() -> String {
    format!(
        "\
{WHERE}

Examples:
  oarlock cache stats --json
  oarlock cache verify --repair
  oarlock cache clear --dir /tmp/oarlock-cache

{EXIT_CODES}"
    )
}

/// Does what was asked for.
pub(crate) fn main(options: &Options) -> Result<(), Failure> {
    let given = options.dir.as_ref().map(|dir| dir.clone().into_os_string());
    let Place::Dir(dir) = Place::or_default(given.as_ref()) else {
        return Err(Failure::Usage("there is no cache directory, it is off; give one with --dir DIR".into()));
    };
    // A look must not make the directory.
    let store = if dir.is_dir() { Some(place::open(&dir)?) } else { None };
    let found = look::Found::new(store.as_ref())?;
    match options.what {
        What::Stats if options.json => out::json(&found.stats_json(&dir, limit_of(store.as_ref()))),
        What::Stats => out::line(found.stats(&dir, limit_of(store.as_ref()))),
        What::List if options.json => out::json(&found.list_json()),
        What::List => found.list().into_iter().try_for_each(out::line),
        What::Verify { repair } => verify(&found, store.as_ref(), repair, options.json),
        What::Clear => clear(&found, store.as_ref(), options.json),
    }
}

fn limit_of(store: Option<&FileStore>) -> Option<u64> {
    store.map(FileStore::limit)
}

fn verify(
    found: &look::Found,
    store: Option<&FileStore>,
    repair: bool,
    as_json: bool,
) -> Result<(), Failure> {
    let bad: Vec<_> = found.bad().collect();
    let mut removed = 0;
    for (entry, _) in bad.iter().filter(|_| repair) {
        removed += u64::from(store.is_some_and(|s| s.remove(&entry.name).is_ok_and(|was| was)));
    }
    if as_json {
        let bad: Vec<_> = bad.iter().map(|(e, why)| json!({ "path": e.path, "reason": why })).collect();
        out::json(&json!({ "entries": found.len(), "bad": bad, "removed": removed }))?;
    } else {
        for (entry, why) in &bad {
            out::line(format!("bad  {}  {why}", entry.path.display()))?;
        }
        out::line(format!("{} entries, {} bad, {removed} removed", found.len(), bad.len()))?;
    }
    match bad.len() as u64 - removed {
        0 => Ok(()),
        n => Err(Failure::Cache(format!(
            "{n} of {} entries are bad; `oarlock cache verify --repair` removes them, \
             and each is replaced when its program is compiled",
            found.len()
        ))),
    }
}

fn clear(found: &look::Found, store: Option<&FileStore>, as_json: bool) -> Result<(), Failure> {
    let (mut entries, mut bytes) = (0_u64, 0);
    for entry in found.all() {
        if let Some(true) = store.map(|s| s.remove(&entry.name)).transpose()? {
            entries += 1;
            bytes += entry.bytes;
        }
    }
    if as_json {
        return out::json(&json!({ "removed": entries, "bytes": bytes }));
    }
    out::line(format!("{entries} entries removed, {}", out::byte_size(bytes)))
}
