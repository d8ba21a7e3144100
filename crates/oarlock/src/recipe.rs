//! What an image depends on, as the cache wants to know it.

use oarlock_cache::{Codec, Digest, Recipe};
use oarlock_codegen::{Compiler, Options};
use oarlock_image::{Image, Target};

/// The part of every recipe that is the same for all programs of a runtime.
#[derive(Debug)]
pub(crate) struct Kitchen {
    options: String,
    compiler: String,
}

impl Kitchen {
    pub(crate) fn new(compiler: &Compiler, options: &Options) -> Self {
        // The derived form names every field: one that is added to the options is in here at once.
        Self { options: format!("{options:?}"), compiler: compiler.identity() }
    }

    /// The recipe of the image that `source` compiles to for `target`. It covers every byte of the source, and so
    /// the set of its entries and all that it asks for.
    pub(crate) fn recipe<'a>(&'a self, source: &[u8], target: &'a Target) -> Recipe<'a> {
        let Self { options, compiler } = self;
        let Target { triple, cpu, features } = target;
        Recipe { content: Digest::of(source), triple, cpu, features, options, compiler }
    }
}

/// How images are kept in a store: as containers, checked against their recipe's target.
pub(crate) fn codec() -> Codec<Image> {
    Codec {
        encode: Image::to_bytes,
        decode: |recipe, bytes| {
            let image = Image::from_bytes(bytes).ok()?;
            let Target { triple, cpu, features } = &image.target;
            (recipe.triple == triple && recipe.cpu == cpu && recipe.features == features).then_some(image)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Kitchen;
    use oarlock_cache::Part;
    use oarlock_codegen::{Compiler, OptLevel, Options};
    use oarlock_image::Target;

    fn target(triple: &str, cpu: &str, features: &str) -> Target {
        Target { triple: triple.into(), cpu: cpu.into(), features: features.into() }
    }

    /// One input changes at a time: the digest changes with each, and the name tells which it was.
    #[test]
    fn each_input_changes_the_digest_and_equal_inputs_do_not() {
        const SOURCE: &[u8] = b"define void @k() { ret void }";
        let compiler = Compiler::new();
        let at = |level| Kitchen::new(&compiler, &Options::default().with_opt_level(level));
        let base = at(OptLevel::O3);
        let host = target("t", "c", "+f,-g");
        let recipe = base.recipe(SOURCE, &host);
        let (digest, name) = (recipe.digest(), recipe.name());

        // Bytes and text that lie elsewhere, in another allocation, are the same.
        let (copy, kitchen, machine) = (SOURCE.to_vec(), at(OptLevel::O3), host.clone());
        assert_eq!(kitchen.recipe(&copy, &machine).digest(), digest);

        for at in 0..SOURCE.len() * 8 {
            let mut other = SOURCE.to_vec();
            other[at / 8] ^= 1 << (at % 8);
            assert_ne!(base.recipe(&other, &host).digest(), digest, "bit {at}");
        }
        // Another set of entries, more bytes, fewer bytes.
        for other in ["define void @m() { ret void }", "define void @k() { ret void } ", "define void @k() {"]
        {
            assert_ne!(base.recipe(other.as_bytes(), &host).digest(), digest, "{other}");
        }
        let targets = [("u", "c", "+f,-g"), ("t", "d", "+f,-g"), ("t", "c", "+f"), ("t", "c", "-f,-g")];
        for (triple, cpu, features) in targets {
            let other = target(triple, cpu, features);
            let recipe = base.recipe(SOURCE, &other);
            assert_ne!(recipe.digest(), digest, "{other:?}");
            assert_eq!(name.difference(&recipe.name()), Some(Part::Target));
        }
        for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2] {
            let other = at(level);
            let recipe = other.recipe(SOURCE, &host);
            assert_ne!(recipe.digest(), digest, "{level:?}");
            assert_eq!(name.difference(&recipe.name()), Some(Part::Options));
        }
        let mut other = at(OptLevel::O3);
        other.compiler = other.compiler.replace("llvm ", "llvm 1");
        let recipe = other.recipe(SOURCE, &host);
        assert_ne!(recipe.digest(), digest);
        assert_eq!(name.difference(&recipe.name()), Some(Part::Compiler));
    }

    #[test]
    fn the_compiler_names_its_parts() {
        let kitchen = Kitchen::new(&Compiler::new(), &Options::default());
        for part in [env!("CARGO_PKG_VERSION"), "llvm ", "steps ", "build "] {
            assert!(kitchen.compiler.contains(part), "{}", kitchen.compiler);
        }
    }
}
