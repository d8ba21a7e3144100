//! What an image is made of, named part by part.

use std::fmt;

use crate::Digest;

/// Everything that an image depends on. Equal recipes give equal images, in any process on any machine.
///
/// Names of files, addresses and times are no part of it: they change nothing in the code.
///
/// # Examples
/// ```
/// use oarlock_cache::{Digest, Recipe};
///
/// let recipe = |features| Recipe {
///     content: Digest::of(b"the program's bytes"),
///     triple: "x86_64-pc-linux-gnu",
///     cpu: "znver4",
///     features,
///     options: "O3",
///     compiler: "llvm 22.1.8",
/// };
/// assert_eq!(recipe("+avx2").digest(), recipe("+avx2").digest());
/// assert_ne!(recipe("+avx2").digest(), recipe("").digest());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe<'a> {
    /// The digest of all bytes of the program.
    pub content: Digest,
    /// The triple that code is made for.
    pub triple: &'a str,
    /// The processor that code is made for.
    pub cpu: &'a str,
    /// The processor's features, resolved.
    pub features: &'a str,
    /// Every option that changes the code, spelt out.
    pub options: &'a str,
    /// What makes the code: versions and build of the compiler, of its steps and of what it links in.
    pub compiler: &'a str,
}

/// A part of a [`Recipe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Part {
    /// [`Recipe::compiler`].
    Compiler,
    /// [`Recipe::triple`], [`Recipe::cpu`] and [`Recipe::features`].
    Target,
    /// [`Recipe::options`].
    Options,
}

impl Digest {
    /// The digest of a program's bytes.
    pub fn of(content: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("oarlock 2026 content of a program");
        hasher.update(content);
        Self(*hasher.finalize().as_bytes())
    }
}

impl Recipe<'_> {
    /// The digest of the whole recipe.
    pub fn digest(&self) -> Digest {
        let Self { content, triple, cpu, features, options, compiler } = self;
        let mut hasher = blake3::Hasher::new_derive_key("oarlock 2026 recipe of an image");
        hasher.update(&content.0);
        for text in [triple, cpu, features, options, compiler] {
            feed(&mut hasher, text);
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// The name that an entry of this recipe has in a store.
    pub fn name(&self) -> Name {
        let short = |context: &str, texts: &[&str]| {
            let mut hasher = blake3::Hasher::new_derive_key(context);
            texts.iter().for_each(|text| feed(&mut hasher, text));
            let mut short = [0; 8];
            short.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
            short
        };
        let mut content = [0; 16];
        content.copy_from_slice(&self.content.0[..16]);
        Name {
            content,
            target: short("oarlock 2026 target", &[self.triple, self.cpu, self.features]),
            options: short("oarlock 2026 options", &[self.options]),
            compiler: short("oarlock 2026 compiler", &[self.compiler]),
        }
    }
}

/// A text behind its length, so that no two lists of texts look alike.
fn feed(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
}

/// The name of an entry in a store: digests of a recipe's parts, shortened.
///
/// A name only finds an entry. Whether the entry is the right one is told by the whole recipe inside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    content: [u8; 16],
    target: [u8; 8],
    options: [u8; 8],
    compiler: [u8; 8],
}

impl Name {
    /// Reads what [`Display`](fmt::Display) wrote: `CONTENT-TARGET-OPTIONS-COMPILER`, in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let name = Self {
            content: hex(parts.next()?)?,
            target: hex(parts.next()?)?,
            options: hex(parts.next()?)?,
            compiler: hex(parts.next()?)?,
        };
        parts.next().is_none().then_some(name)
    }

    /// The part in which this name differs from `other`, the most telling one first. `None` where the
    /// programs are not the same, or nothing differs.
    pub fn difference(&self, other: &Self) -> Option<Part> {
        if self.content != other.content {
            None
        } else if self.compiler != other.compiler {
            Some(Part::Compiler)
        } else if self.target != other.target {
            Some(Part::Target)
        } else if self.options != other.options {
            Some(Part::Options)
        } else {
            None
        }
    }

    /// The first byte of the content's digest: entries of one program have it in common.
    pub fn shard(&self) -> u8 {
        self.content[0]
    }
}

fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let plain = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != 2 * N || !text.bytes().all(plain) {
        return None;
    }
    let mut bytes = [0; N];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: [&[u8]; 4] = [&self.content, &self.target, &self.options, &self.compiler];
        for (i, part) in parts.into_iter().enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            part.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self})")
    }
}

impl Part {
    /// The part's name: `compiler`, `target` or `options`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compiler => "compiler",
            Self::Target => "target",
            Self::Options => "options",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, Part, Recipe};
    use crate::Digest;

    const BASE: Recipe<'static> = Recipe {
        content: Digest([7; 32]),
        triple: "t",
        cpu: "c",
        features: "+f",
        options: "o",
        compiler: "l",
    };

    #[test]
    fn every_part_is_in_the_digest_and_every_cut() {
        let others = [
            Recipe { content: Digest::of(b"x"), ..BASE },
            Recipe { triple: "u", ..BASE },
            Recipe { cpu: "d", ..BASE },
            Recipe { features: "-f", ..BASE },
            Recipe { features: "", ..BASE },
            Recipe { options: "p", ..BASE },
            Recipe { compiler: "m", ..BASE },
            // The same letters, cut elsewhere.
            Recipe { triple: "tc", cpu: "", ..BASE },
            Recipe { cpu: "c+f", features: "", ..BASE },
            Recipe { options: "", compiler: "ol", ..BASE },
        ];
        let mut digests: Vec<Digest> = others.iter().chain([&BASE]).map(Recipe::digest).collect();
        let mut names: Vec<Name> = others.iter().chain([&BASE]).map(Recipe::name).collect();
        digests.sort();
        digests.dedup();
        names.sort();
        names.dedup();
        assert_eq!((digests.len(), names.len()), (others.len() + 1, others.len() + 1));
    }

    /// The digest is part of what lies on disks: it must not change by accident.
    #[test]
    fn the_digest_is_the_same_in_every_process() {
        assert_eq!(
            BASE.digest().to_string(),
            "a42e88cf17db3b43b9f6af5adbffa852b712d5a9568aa50eaeb9ca20d2315a09"
        );
    }

    #[test]
    fn names_come_back_and_tell_what_differs() {
        let name = BASE.name();
        assert_eq!(Name::parse(&name.to_string()), Some(name));
        for wrong in
            ["", "ab", "x-y-z-w", &name.to_string().to_uppercase(), &format!("{name}-"), &format!("{name}0")]
        {
            assert_eq!(Name::parse(wrong), None, "{wrong}");
        }
        let differs = |other: Recipe<'_>| name.difference(&other.name());
        assert_eq!(differs(BASE), None);
        assert_eq!(differs(Recipe { content: Digest([8; 32]), compiler: "m", ..BASE }), None);
        assert_eq!(differs(Recipe { compiler: "m", cpu: "d", ..BASE }), Some(Part::Compiler));
        assert_eq!(differs(Recipe { cpu: "d", ..BASE }), Some(Part::Target));
        assert_eq!(differs(Recipe { options: "p", ..BASE }), Some(Part::Options));
    }
}
