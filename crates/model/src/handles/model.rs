//! The model: numbers that only grow, and which of them live.

use std::collections::BTreeSet;

use super::{Kind, RUNTIMES};

/// The name of an object: how many were named before it, in all runtimes together. Never given twice.
pub type Name = usize;

/// What the model knows of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The runtime that it is of.
    pub runtime: usize,
    /// How often that runtime had been restarted.
    pub life: usize,
    /// Its kind.
    pub kind: Kind,
    /// The program that it is a symbol of.
    pub parent: Option<Name>,
    /// Whether it has not been destroyed.
    pub alive: bool,
}

/// All objects there ever were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    objects: Vec<Object>,
    /// The living, for each runtime and kind.
    living: [[BTreeSet<Name>; 5]; RUNTIMES],
    lives: [usize; RUNTIMES],
}

impl Model {
    /// How many names have been given.
    #[must_use]
    pub fn named(&self) -> usize {
        self.objects.len()
    }

    /// The object with a name.
    #[must_use]
    pub fn object(&self, name: Name) -> Option<&Object> {
        self.objects.get(name)
    }

    /// Names of objects that live, in a runtime and of a kind.
    pub fn living(&self, runtime: usize, kind: Kind) -> impl Iterator<Item = Name> + '_ {
        self.living[runtime][kind.at()].iter().copied()
    }

    /// Whether the object belongs to a runtime that has been restarted since.
    #[must_use]
    pub fn is_of_the_past(&self, name: Name) -> bool {
        let object = &self.objects[name];
        object.life != self.lives[object.runtime]
    }

    /// Names a new object.
    pub fn create(&mut self, runtime: usize, kind: Kind, parent: Option<Name>) -> Name {
        let life = self.lives[runtime];
        let name = self.objects.len();
        self.objects.push(Object { runtime, life, kind, parent, alive: true });
        self.living[runtime][kind.at()].insert(name);
        name
    }

    /// Destroys an object and its children; `false` if it was dead.
    pub fn destroy(&mut self, name: Name) -> bool {
        let Object { runtime, kind, alive, .. } = self.objects[name];
        if !alive {
            return false;
        }
        self.objects[name].alive = false;
        self.living[runtime][kind.at()].remove(&name);
        let is_child = |child: &Name| self.objects[*child].parent == Some(name);
        let children: Vec<Name> = self.living(runtime, Kind::Symbol).filter(is_child).collect();
        children.into_iter().for_each(|child| _ = self.destroy(child));
        true
    }

    /// Ends a runtime with all that lives in it.
    pub fn restart(&mut self, runtime: usize) {
        self.lives[runtime] += 1;
        for kind in Kind::ALL {
            let all: Vec<Name> = self.living(runtime, kind).collect();
            all.into_iter().for_each(|name| _ = self.destroy(name));
        }
    }
}
