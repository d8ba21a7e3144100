//! Where objects were created and destroyed, for those who ask for it.

use std::collections::HashMap;
use std::panic::Location;

use crate::History;
use crate::sync::{Mutex, lock};

/// The history of the latest object of every index, if it is kept.
#[derive(Debug)]
pub(crate) struct Sites(Option<Mutex<HashMap<u32, (u32, History)>>>);

impl Sites {
    pub(crate) fn new(kept: bool) -> Self {
        Self(kept.then(|| Mutex::new(HashMap::new())))
    }

    pub(crate) fn created(&self, index: u32, generation: u32, at: &'static Location<'static>) {
        if let Some(sites) = &self.0 {
            lock(sites).insert(index, (generation, History { created: at, destroyed: None }));
        }
    }

    pub(crate) fn destroyed(&self, index: u32, generation: u32, at: &'static Location<'static>) {
        if let Some(sites) = &self.0
            && let Some((latest, history)) = lock(sites).get_mut(&index)
            && *latest == generation
        {
            history.destroyed = Some(at);
        }
    }

    /// The history of an object; `None` when a later one has its place.
    pub(crate) fn of(&self, index: u32, generation: u32) -> Option<History> {
        let sites = lock(self.0.as_ref()?);
        sites.get(&index).filter(|(latest, _)| *latest == generation).map(|(_, history)| *history)
    }
}
