//! All entries of a directory, opened and described.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oarlock::Image;
use oarlock::store::{Entry, FileStore, Listed};
use serde_json::{Value, json};

use crate::error::Failure;
use crate::out;

/// What lies in a directory.
#[derive(Default)]
pub(crate) struct Found(Vec<(Listed, Result<Described, String>)>);

/// A good entry.
struct Described {
    cpu: String,
    options: String,
    compiler: String,
    kernels: Vec<String>,
    code: usize,
}

impl Found {
    pub(crate) fn new(store: Option<&FileStore>) -> Result<Self, Failure> {
        let listed = store.map(FileStore::list).transpose()?.unwrap_or_default();
        Ok(Self(
            listed
                .into_iter()
                .map(|entry| {
                    let described = describe(&entry);
                    (entry, described)
                })
                .collect(),
        ))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Listed> {
        self.0.iter().map(|(entry, _)| entry)
    }

    /// The entries that cannot be used, and why not.
    pub(crate) fn bad(&self) -> impl Iterator<Item = (&Listed, &str)> {
        self.0.iter().filter_map(|(entry, described)| Some((entry, described.as_ref().err()?.as_str())))
    }

    fn good(&self) -> impl Iterator<Item = (&Listed, &Described)> {
        self.0.iter().filter_map(|(entry, described)| Some((entry, described.as_ref().ok()?)))
    }

    fn bytes(&self) -> u64 {
        self.all().map(|entry| entry.bytes).sum()
    }

    fn compilers(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut compilers = BTreeMap::<_, (u64, u64)>::new();
        for (entry, described) in self.good() {
            let (entries, bytes) = compilers.entry(&*described.compiler).or_default();
            (*entries, *bytes) = (*entries + 1, *bytes + entry.bytes);
        }
        compilers
    }

    pub(crate) fn stats(&self, dir: &Path, limit: Option<u64>) -> String {
        let limit = limit.map(|bytes| format!(" of at most {}", out::byte_size(bytes))).unwrap_or_default();
        let mut text = format!(
            "directory  {}\nentries    {}, {} bad\nbytes      {}{limit}",
            dir.display(),
            out::grouped(self.len() as u64),
            self.bad().count(),
            out::byte_size(self.bytes()),
        );
        for (compiler, (entries, bytes)) in self.compilers() {
            text += &format!("\ncompiler   {compiler}: {entries} entries, {}", out::byte_size(bytes));
        }
        text
    }

    pub(crate) fn stats_json(&self, dir: &Path, limit: Option<u64>) -> Value {
        let compilers: Vec<_> = self
            .compilers()
            .into_iter()
            .map(|(compiler, (entries, bytes))| json!({ "compiler": compiler, "entries": entries, "bytes": bytes }))
            .collect();
        json!({
            "directory": dir,
            "entries": self.len(),
            "bad": self.bad().count(),
            "bytes": self.bytes(),
            "limit": limit,
            "oldest_use": self.all().next().map(|entry| seconds(entry.used)),
            "newest_use": self.all().last().map(|entry| seconds(entry.used)),
            "compilers": compilers,
        })
    }

    pub(crate) fn list(&self) -> Vec<String> {
        let line = |(entry, described): &(Listed, Result<Described, String>)| {
            let what = match described {
                Ok(d) => format!("{}  {}  {}", d.cpu, d.options, d.kernels.join(" ")),
                Err(why) => format!("bad: {why}"),
            };
            let age = SystemTime::now().duration_since(entry.used).unwrap_or(Duration::ZERO);
            format!(
                "{:.12}  {:>9}  {:>6} ago  {what}",
                entry.name.to_string(),
                out::byte_size(entry.bytes),
                ago(age)
            )
        };
        self.0.iter().map(line).collect()
    }

    pub(crate) fn list_json(&self) -> Vec<Value> {
        let one = |(entry, described): &(Listed, Result<Described, String>)| {
            let mut value = json!({
                "name": entry.name.to_string(),
                "path": entry.path,
                "bytes": entry.bytes,
                "used": seconds(entry.used),
            });
            match described {
                Err(why) => value["bad"] = json!(why),
                Ok(d) => {
                    value["cpu"] = json!(d.cpu);
                    value["options"] = json!(d.options);
                    value["compiler"] = json!(d.compiler);
                    value["kernels"] = json!(d.kernels);
                    value["code_bytes"] = json!(d.code);
                }
            }
            value
        };
        self.0.iter().map(one).collect()
    }
}

fn describe(listed: &Listed) -> Result<Described, String> {
    let bytes = std::fs::read(&listed.path).map_err(|e| e.to_string())?;
    let entry = Entry::open(&bytes).map_err(|e| e.to_string())?;
    if entry.recipe.name() != listed.name {
        return Err("it lies under the name of another entry".into());
    }
    let image = Image::from_bytes(entry.image).map_err(|e| e.to_string())?;
    Ok(Described {
        cpu: entry.recipe.cpu.to_owned(),
        options: entry.recipe.options.to_owned(),
        compiler: entry.recipe.compiler.to_owned(),
        kernels: image.metadata.kernels.iter().map(|k| k.name.clone()).collect(),
        code: image.code.len(),
    })
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// An age in its largest unit.
fn ago(age: Duration) -> String {
    match age.as_secs() {
        s @ ..60 => format!("{s} s"),
        s @ ..3600 => format!("{} min", s / 60),
        s @ ..86400 => format!("{} h", s / 3600),
        s => format!("{} d", s / 86400),
    }
}
