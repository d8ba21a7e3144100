//! The model beside the real tables, and every answer compared.

use std::collections::HashMap;
use std::fmt;

use oarlock_arena::{HandleError, InsertChildError};

use super::world::{CAPACITY, Drops, RUNTIMES, Runtime};
use super::{Kind, Model, Name, Op};

/// The tables did what the model does not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {step}, {op:?}: expected {expected}, found {found}")]
#[non_exhaustive]
pub struct Divergence {
    /// Steps done before.
    pub step: u64,
    /// The step.
    pub op: Op,
    /// What the model says.
    pub expected: String,
    /// What the tables said.
    pub found: String,
}

/// What a harness has met, to show that a run was worth something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// Steps.
    pub steps: u64,
    /// Objects made.
    pub created: u64,
    /// Creations for which there was no room.
    pub full: u64,
    /// The most slots that were found retired in one table.
    pub retired: u64,
    /// Handles answered as stale.
    pub stale: u64,
    /// Handles answered as another runtime's.
    pub foreign: u64,
    /// Handles answered as of another kind.
    pub wrong_kind: u64,
    /// Words that are no handle, or of none that was given out.
    pub refused: u64,
    /// Restarts of a runtime.
    pub restarts: u64,
}

/// The model, the tables, and what a name of the model is called in the tables.
pub struct Harness<const BITS: u32> {
    pub(crate) model: Model,
    pub(crate) runtimes: [Runtime; RUNTIMES],
    /// The handle of each name; of objects for which there was no room, none.
    pub(crate) words: Vec<Option<u64>>,
    /// Every handle ever given out, with its name; `None` for those that were spent on nothing.
    issued: HashMap<u64, Option<Name>>,
    pub(crate) drops: Drops,
    /// Names of objects that live, or that have not been found dropped yet.
    pub(crate) unsettled: Vec<Name>,
    pub(crate) seen: Seen,
}

/// Expected and found, of the step at hand.
pub(crate) type Mismatch = (String, String);

impl<const BITS: u32> Default for Harness<BITS> {
    fn default() -> Self {
        Self {
            model: Model::default(),
            runtimes: std::array::from_fn(|_| Runtime::new::<BITS>()),
            words: Vec::new(),
            issued: HashMap::new(),
            drops: Drops::default(),
            unsettled: Vec::new(),
            seen: Seen::default(),
        }
    }
}

pub(crate) fn check<E: fmt::Debug + PartialEq>(expected: E, found: E) -> Result<(), Mismatch> {
    if expected == found { Ok(()) } else { Err((format!("{expected:?}"), format!("{found:?}"))) }
}

fn differ<T>(expected: &str, found: impl fmt::Debug) -> Result<T, Mismatch> {
    Err((expected.to_owned(), format!("{found:?}")))
}

impl<const BITS: u32> Harness<BITS> {
    /// The model as it is now.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What has been met so far.
    #[must_use]
    pub fn seen(&self) -> Seen {
        self.seen
    }

    /// Does one step in the model and in the tables.
    ///
    /// # Errors
    /// The first answer that differs.
    pub fn step(&mut self, op: &Op) -> Result<(), Divergence> {
        let step = self.seen.steps;
        self.seen.steps += 1;
        let done = self.apply(op).and_then(|()| self.invariants());
        done.map_err(|(expected, found)| Divergence { step, op: op.clone(), expected, found })
    }

    fn apply(&mut self, op: &Op) -> Result<(), Mismatch> {
        match *op {
            Op::Create { runtime, kind } => self.create(runtime, kind),
            Op::CreateFails { runtime, kind } => self.create_fails(runtime, kind),
            Op::CreateSymbol { program } => self.create_symbol(program),
            Op::Destroy(name) => self.destroy(name, false),
            Op::DestroyUnderReader(name) => self.destroy(name, true),
            Op::Resolve(name) => self.resolve(name),
            Op::ResolveAs(name, kind) => self.resolve_as(name, kind),
            Op::ResolveElsewhere(name) => self.resolve_elsewhere(name),
            Op::ResolveForged { name, flips } => {
                let Some((object, word)) = self.object(name) else { return Ok(()) };
                let (runtime, kind) = (object.runtime, object.kind);
                self.use_word(runtime, kind, word ^ flips)
            }
            Op::UseWord { runtime, kind, word } => self.use_word(runtime, kind, word),
            Op::Collect(runtime) => self.collect(runtime),
            Op::Restart(runtime) => self.restart(runtime),
        }
    }

    /// The object with this name and its handle, if there is one.
    fn object(&self, name: Name) -> Option<(&super::Object, u64)> {
        Some((self.model.object(name)?, (*self.words.get(name)?)?))
    }

    /// Notes a handle that was given out: never one that was given out before.
    fn issue(&mut self, word: u64, name: Option<Name>) -> Result<(), Mismatch> {
        match self.issued.insert(word, name) {
            None => Ok(()),
            Some(before) => differ("a handle that was never given out", (word, before)),
        }
    }

    /// Whether a table may say that it is full.
    fn check_full(&mut self, runtime: usize, kind: Kind, is_full: bool) -> Result<(), Mismatch> {
        let stats = self.runtimes[runtime].table(kind).stats();
        if is_full {
            self.seen.full += 1;
            return check(CAPACITY, stats.live + stats.retired);
        }
        Ok(())
    }

    fn create(&mut self, runtime: usize, kind: Kind) -> Result<(), Mismatch> {
        let name = self.model.named();
        let made = self.runtimes[runtime].table(kind).create(name, &self.drops);
        self.created(runtime, kind, None, made.ok())
    }

    /// A creation is over: takes it into the model, which knows of no lack of room.
    fn created(
        &mut self,
        runtime: usize,
        kind: Kind,
        parent: Option<Name>,
        word: Option<u64>,
    ) -> Result<(), Mismatch> {
        self.check_full(runtime, kind, word.is_none())?;
        let name = self.model.create(runtime, kind, parent);
        self.words.push(word);
        match word {
            None => _ = self.model.destroy(name),
            Some(word) => {
                self.seen.created += 1;
                self.unsettled.push(name);
                self.issue(word, Some(name))?;
            }
        }
        Ok(())
    }

    fn create_fails(&mut self, runtime: usize, kind: Kind) -> Result<(), Mismatch> {
        let spent = self.runtimes[runtime].table(kind).create_fails();
        self.check_full(runtime, kind, spent.is_err())?;
        let Ok(word) = spent else { return Ok(()) };
        self.issue(word, None)?;
        match self.runtimes[runtime].table(kind).resolve(word) {
            Err(HandleError::Stale { .. }) => Ok(()),
            other => differ("stale, because the creation failed", other),
        }
    }

    fn create_symbol(&mut self, program: Name) -> Result<(), Mismatch> {
        let Some((object, word)) = self.object(program) else { return Ok(()) };
        if object.kind != Kind::Program || self.model.is_of_the_past(program) {
            return Ok(());
        }
        let (runtime, alive) = (object.runtime, object.alive);
        let name = self.model.named();
        let tables = &self.runtimes[runtime];
        let parent = match (tables.table(Kind::Program).share(word), alive) {
            (Ok(parent), true) => parent,
            (Err(HandleError::Stale { .. }), false) => return Ok(()),
            (other, _) => return differ(if alive { "a program" } else { "stale" }, other),
        };
        match tables.table(Kind::Symbol).create_child(&parent.family, name, &self.drops) {
            Ok(word) => self.created(runtime, Kind::Symbol, Some(program), Some(word)),
            Err(InsertChildError::Full(_)) => self.created(runtime, Kind::Symbol, Some(program), None),
            Err(other) => differ("a symbol", other),
        }
    }

    /// Whether this is the answer that the model has for a handle that names no living object.
    fn check_dead(&mut self, name: Name, found: HandleError) -> Result<(), Mismatch> {
        let past = self.model.is_of_the_past(name);
        match found {
            HandleError::Stale { .. } => self.seen.stale += 1,
            // The runtime in its place has another tag, or the same.
            HandleError::Foreign { .. } if past => self.seen.foreign += 1,
            other => return differ(if past { "stale or foreign" } else { "stale" }, other),
        }
        Ok(())
    }

    fn destroy(&mut self, name: Name, under_reader: bool) -> Result<(), Mismatch> {
        let Some((object, word)) = self.object(name) else { return Ok(()) };
        let (runtime, kind, alive) = (object.runtime, object.kind, object.alive);
        let table = self.runtimes[runtime].table(kind);
        let found = if under_reader {
            table.destroy_under_reader(word).map(|(seen, object)| (Some(seen), object))
        } else {
            table.destroy(word).map(|object| (None, object))
        };
        match found {
            Err(error) if !alive => self.check_dead(name, error),
            Ok((seen, object)) if alive => {
                check(name, seen.unwrap_or(name))?;
                check(0, self.drops.of(name))?;
                object.family.end();
                drop(object);
                self.model.destroy(name);
                Ok(())
            }
            other => differ(if alive { "the object" } else { "stale" }, other.map(|(seen, _)| seen)),
        }
    }

    fn resolve(&mut self, name: Name) -> Result<(), Mismatch> {
        let Some((object, word)) = self.object(name) else { return Ok(()) };
        let (runtime, kind, alive) = (object.runtime, object.kind, object.alive);
        match self.runtimes[runtime].table(kind).resolve(word) {
            Ok(found) if alive => check(name, found),
            Err(error) if !alive => self.check_dead(name, error),
            other => differ(if alive { "the object" } else { "stale" }, other),
        }
    }

    fn resolve_as(&mut self, name: Name, kind: Kind) -> Result<(), Mismatch> {
        let Some((object, word)) = self.object(name) else { return Ok(()) };
        if object.kind == kind {
            return self.resolve(name);
        }
        let found = self.runtimes[object.runtime].table(kind).resolve(word);
        let (is, wanted) = (object.kind.at() + 1, kind.at() + 1);
        match found {
            Err(HandleError::WrongKind { expected, found, .. })
                if usize::from(found.code()) == is && usize::from(expected.code()) == wanted =>
            {
                self.seen.wrong_kind += 1;
                Ok(())
            }
            other => differ("wrong kind", other),
        }
    }

    fn resolve_elsewhere(&mut self, name: Name) -> Result<(), Mismatch> {
        let Some((object, word)) = self.object(name) else { return Ok(()) };
        let elsewhere = (object.runtime + 1) % RUNTIMES;
        match self.runtimes[elsewhere].table(object.kind).resolve(word) {
            Err(HandleError::Foreign { .. }) => self.seen.foreign += 1,
            // The tag may have gone from a runtime that is no more to this one.
            Err(HandleError::Stale { .. }) if self.model.is_of_the_past(name) => self.seen.stale += 1,
            other => return differ("foreign", other),
        }
        Ok(())
    }

    fn use_word(&mut self, runtime: usize, kind: Kind, word: u64) -> Result<(), Mismatch> {
        let known = self.issued.get(&word).copied().flatten();
        let object = known.and_then(|name| self.model.object(name));
        if object.is_some_and(|object| object.runtime == runtime && object.kind == kind && object.alive) {
            return self.resolve(known.expect("it has a name"));
        }
        let table = self.runtimes[runtime].table(kind);
        match (table.resolve(word), table.destroy(word)) {
            (Err(first), Err(second)) if first == second => self.seen.refused += 1,
            (resolved, destroyed) => {
                return differ("the same error twice", (resolved, destroyed.map(|_| "an object")));
            }
        }
        Ok(())
    }

    fn collect(&mut self, runtime: usize) -> Result<(), Mismatch> {
        self.runtimes[runtime].instance.collect();
        for kind in Kind::ALL {
            let stats = self.runtimes[runtime].table(kind).stats();
            check((0, 0), (stats.undropped, stats.unswept))?;
        }
        self.check_drops(runtime)
    }

    fn restart(&mut self, runtime: usize) -> Result<(), Mismatch> {
        self.runtimes[runtime] = Runtime::new::<BITS>();
        self.model.restart(runtime);
        self.seen.restarts += 1;
        self.check_drops(runtime)
    }
}

impl<const BITS: u32> fmt::Debug for Harness<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness").field("seen", &self.seen).finish_non_exhaustive()
    }
}
