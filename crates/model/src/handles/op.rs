//! The steps.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Kind, Model, Name, RUNTIMES};

/// One step. Objects are named as the model names them, never by handle, so that a sequence keeps its
/// meaning when steps are left out of it; a step about a name that does not exist does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Makes an object. A symbol without a parent is one too.
    Create {
        /// Where.
        runtime: usize,
        /// What.
        kind: Kind,
    },
    /// Makes a symbol of a program, dead or alive.
    CreateSymbol {
        /// The program.
        program: Name,
    },
    /// Begins to make an object and fails: its handle is spent.
    CreateFails {
        /// Where.
        runtime: usize,
        /// What.
        kind: Kind,
    },
    /// Destroys an object, for the first time or again.
    Destroy(Name),
    /// Destroys an object while it is being read.
    DestroyUnderReader(Name),
    /// Resolves a handle.
    Resolve(Name),
    /// Uses a handle as one of another kind.
    ResolveAs(Name, Kind),
    /// Uses a handle with the other runtime.
    ResolveElsewhere(Name),
    /// Uses a handle of which some bits are changed.
    ResolveForged {
        /// The handle.
        name: Name,
        /// The bits.
        flips: u64,
    },
    /// Uses any word as a handle of a kind, to resolve and to destroy.
    UseWord {
        /// With which runtime.
        runtime: usize,
        /// As what.
        kind: Kind,
        /// The word.
        word: u64,
    },
    /// Frees what can be freed.
    Collect(usize),
    /// Drops a runtime, and makes a new one in its place.
    Restart(usize),
}

impl Op {
    /// A step out of bytes, about objects of this model.
    ///
    /// # Errors
    /// When there are no bytes left.
    pub fn decode(from: &mut Unstructured<'_>, model: &Model) -> Result<Self> {
        if from.is_empty() {
            return Err(arbitrary::Error::NotEnoughData);
        }
        let runtime = usize::from(u8::arbitrary(from)?) % RUNTIMES;
        let kind = Kind::arbitrary(from)?;
        Ok(match from.int_in_range(0..=31_u8)? {
            0..=8 => Self::Create { runtime, kind },
            9..=12 => Self::CreateSymbol { program: of_kind(from, model, runtime, Kind::Program)? },
            13 => Self::CreateFails { runtime, kind },
            14..=18 => Self::Destroy(of_kind(from, model, runtime, kind)?),
            19 => Self::Destroy(any(from, model)?),
            20 => Self::DestroyUnderReader(of_kind(from, model, runtime, kind)?),
            21..=23 => Self::Resolve(any(from, model)?),
            24 => Self::ResolveAs(any(from, model)?, kind),
            25 => Self::ResolveElsewhere(any(from, model)?),
            26..=27 => {
                Self::ResolveForged { name: any(from, model)?, flips: 1 << from.int_in_range(0..=63_u8)? }
            }
            28 => Self::ResolveForged { name: any(from, model)?, flips: u64::arbitrary(from)? },
            29 => Self::UseWord { runtime, kind, word: u64::arbitrary(from)? },
            30 => Self::Collect(runtime),
            _ if from.ratio(1, 4_u8)? => Self::Restart(runtime),
            _ => Self::Resolve(any(from, model)?),
        })
    }
}

/// Any name, dead or alive, of late ones more than of early ones.
fn any(from: &mut Unstructured<'_>, model: &Model) -> Result<Name> {
    let back = usize::from(u8::arbitrary(from)?);
    let named = model.named().max(1);
    Ok(named - 1 - if back < 200 { back % named } else { back * 37 % named })
}

/// A living one, if there is one.
fn of_kind(from: &mut Unstructured<'_>, model: &Model, runtime: usize, kind: Kind) -> Result<Name> {
    let living: Vec<Name> = model.living(runtime, kind).collect();
    if living.is_empty() { any(from, model) } else { Ok(*from.choose(&living)?) }
}
