//! Which directory the command keeps compiled programs in, and how much.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use oarlock::store::FileStore;

use crate::error::Failure;

/// As `--help` tells it.
pub(crate) const WHERE: &str = "\
Compiled programs are kept in a directory, the first of these that is set:
  --cache DIR, --dir DIR   on the command line; `--cache off` for none
  OARLOCK_CACHE_DIR        a directory, or `off`
  XDG_CACHE_HOME           its folder `oarlock`
  HOME                     its folder `.cache/oarlock`
OARLOCK_CACHE_LIMIT is how many bytes it may hold, like 512M or 4G [default: 1G].";

/// A directory for compiled programs, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Off,
    Dir(PathBuf),
}

impl Place {
    /// A value of `--cache` or `OARLOCK_CACHE_DIR`.
    fn named(text: OsString) -> Self {
        if text.is_empty() || text == "off" { Self::Off } else { Self::Dir(text.into()) }
    }

    /// What `--cache` says, or else the environment.
    pub(crate) fn or_default(given: Option<&OsString>) -> Self {
        given.cloned().map_or_else(|| Self::of(|name| env::var_os(name)), Self::named)
    }

    fn of(var: impl Fn(&str) -> Option<OsString>) -> Self {
        if let Some(text) = var("OARLOCK_CACHE_DIR") {
            return Self::named(text);
        }
        // The specification has relative paths ignored.
        let absolute = |name| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        cache.map_or(Self::Off, |dir| Self::Dir(dir.join("oarlock")))
    }
}

/// The limit that the environment sets, if it does.
pub(crate) fn limit() -> Result<Option<u64>, Failure> {
    let Some(text) = env::var_os("OARLOCK_CACHE_LIMIT") else { return Ok(None) };
    let text = text.to_string_lossy();
    byte_count(&text).map(Some).ok_or_else(|| {
        Failure::Usage(format!("OARLOCK_CACHE_LIMIT is a number of bytes, like 512M or 4G; got `{text}`"))
    })
}

/// The store in `dir`, under the environment's limit.
pub(crate) fn open(dir: &std::path::Path) -> Result<FileStore, Failure> {
    let mut builder = FileStore::builder(dir);
    if let Some(bytes) = limit()? {
        builder = builder.limit(bytes);
    }
    Ok(builder.open()?)
}

fn byte_count(text: &str) -> Option<u64> {
    let (digits, scale) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 1 << 10),
        (end, 'M') => (&text[..end], 1 << 20),
        (end, 'G') => (&text[..end], 1 << 30),
        _ => (text, 1),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse::<u64>().ok().filter(|_| plain)?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::{Place, byte_count};

    #[test]
    fn the_first_that_is_set_is_taken() {
        let place = |vars: &[(&str, &str)]| {
            Place::of(|name| vars.iter().find(|(n, _)| *n == name).map(|(_, value)| value.into()))
        };
        let dir = |path: &str| Place::Dir(path.into());
        let home = ("HOME", "/people/u");
        assert_eq!(place(&[]), Place::Off);
        assert_eq!(place(&[home]), dir("/people/u/.cache/oarlock"));
        assert_eq!(place(&[home, ("XDG_CACHE_HOME", "/c")]), dir("/c/oarlock"));
        assert_eq!(place(&[home, ("XDG_CACHE_HOME", "c")]), dir("/people/u/.cache/oarlock"));
        assert_eq!(place(&[home, ("OARLOCK_CACHE_DIR", "d")]), dir("d"));
        assert_eq!(place(&[home, ("OARLOCK_CACHE_DIR", "off")]), Place::Off);
        assert_eq!(place(&[home, ("OARLOCK_CACHE_DIR", "")]), Place::Off);
        assert_eq!(Place::or_default(Some(&"off".into())), Place::Off);
        assert_eq!(Place::or_default(Some(&"x".into())), dir("x"));
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(byte_count("0"), Some(0));
        assert_eq!(byte_count("16k"), Some(16 << 10));
        assert_eq!(byte_count("4G"), Some(4 << 30));
        for wrong in ["", "G", "-1", "1T", "1.5G", "99999999999G", "ü"] {
            assert_eq!(byte_count(wrong), None, "{wrong}");
        }
    }
}
