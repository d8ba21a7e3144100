//! Where a runtime keeps compiled programs beyond its own life.

use std::path::PathBuf;
use std::sync::Arc;

use oarlock_cache::{FileStore, Store};

use crate::Builder;

/// What the builder was told.
#[derive(Default)]
pub(crate) struct Keep {
    dir: Option<PathBuf>,
    limit: Option<u64>,
    store: Option<Arc<dyn Store>>,
}

impl Builder {
    /// Keeps compiled programs in a directory, where other processes find them: those that run now, any number of
    /// them, and those to come. It is made where it is not there, for this user alone. By default there is none.
    ///
    /// What is damaged or of another version is compiled again. A directory that cannot be used, or in which
    /// everybody can write, is a warning in the trace, and the runtime does without.
    #[must_use]
    pub fn cache_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.keep.dir = Some(dir.into());
        self
    }

    /// How many bytes the directory of [`cache_dir`](Self::cache_dir) may hold; the longest unused go first. By
    /// default 1 GiB.
    #[must_use]
    pub fn cache_dir_limit(mut self, bytes: u64) -> Self {
        self.keep.limit = Some(bytes);
        self
    }

    /// Keeps compiled programs in a store of the embedder's own, in the place of a directory.
    ///
    /// Code is loaded from it: whoever can write to the store can run code in this process.
    #[must_use]
    pub fn cache_store(mut self, store: Arc<dyn Store>) -> Self {
        self.keep.store = Some(store);
        self
    }
}

impl Keep {
    /// The store to use, if one was asked for and can be used.
    pub(crate) fn store(&self) -> Option<Arc<dyn Store>> {
        if let Some(store) = &self.store {
            return Some(store.clone());
        }
        let mut builder = FileStore::builder(self.dir.as_ref()?);
        if let Some(bytes) = self.limit {
            builder = builder.limit(bytes);
        }
        match builder.open() {
            Ok(store) => Some(Arc::new(store)),
            Err(error) => {
                tracing::warn!(target: "oarlock::cache", %error, "no store");
                None
            }
        }
    }
}
