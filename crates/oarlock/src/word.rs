//! Handles as words, for C interfaces and logs.

use oarlock_arena::Handle;

use crate::runtime::Table;
use crate::{DeviceKey, Error, EventKey, ProgramKey, QueueKey, Runtime, SymbolKey};

/// A kind of handle: [`DeviceKey`], [`ProgramKey`], [`SymbolKey`], [`QueueKey`] or [`EventKey`].
///
/// Implemented for these, and not meant to be implemented for more.
pub trait Key: Handle + sealed::Word {}

mod sealed {
    use crate::{Error, Runtime};

    pub trait Word: Sized {
        fn to_word(self, runtime: &Runtime) -> u64;
        fn from_word(runtime: &Runtime, word: u64) -> Result<Self, Error>;
    }
}

impl Runtime {
    /// A handle as a word: not zero, different from the word of every other handle of any kind, and
    /// no address. [`key`](Self::key) turns it back.
    pub fn word<K: Key>(&self, key: K) -> u64 {
        key.to_word(self)
    }

    /// The handle that a word stands for. The word may be anything: it is compared, never followed.
    ///
    /// # Errors
    /// What the word is instead: [`Error::NullHandle`], [`Error::NotAHandle`], [`Error::WrongKind`],
    /// [`Error::ForeignHandle`]. Whether the object still lives is told where the handle is used.
    ///
    /// # Examples
    /// ```
    /// use oarlock::{DeviceKey, Error, ProgramKey, Runtime};
    /// let runtime = Runtime::new()?;
    /// let device = runtime.devices()[0];
    /// let word = runtime.word(device);
    /// assert_eq!(runtime.key::<DeviceKey>(word)?, device);
    /// assert!(matches!(runtime.key::<ProgramKey>(word), Err(Error::WrongKind { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn key<K: Key>(&self, word: u64) -> Result<K, Error> {
        K::from_word(self, word)
    }
}

macro_rules! words {
    ($($key:ty),*) => {$(
        impl Key for $key {}

        impl sealed::Word for $key {
            fn to_word(self, runtime: &Runtime) -> u64 {
                Self::table(&runtime.shared).to_word(self)
            }

            fn from_word(runtime: &Runtime, word: u64) -> Result<Self, Error> {
                let table = Self::table(&runtime.shared);
                table.key_from_word(word).map_err(|e| Error::handle(Self::KIND.name(), word, e))
            }
        }
    )*};
}
words!(DeviceKey, ProgramKey, SymbolKey, QueueKey, EventKey);
