//! What an image depends on, boiled down.

use std::hash::{Hash, Hasher};

use oarlock_cache::Digest;
use oarlock_codegen::Options;
use oarlock_image::Target;

/// The digest of all that the image of `source` depends on, within this process: every byte, the
/// target, and every option. The compiler is the one that is linked in.
///
/// The derived `Hash` of target and options is what feeds them in, so that a field that is added to
/// them cannot be forgotten here.
pub(crate) fn of(source: &[u8], target: &Target, options: &Options) -> Digest {
    let mut feed = Feed(blake3::Hasher::new_derive_key("oarlock 2026 image of a program, in one process"));
    target.hash(&mut feed);
    options.hash(&mut feed);
    // Last, and behind its length: nothing of it can be taken for a part of what comes before.
    feed.write_u64(source.len() as u64);
    feed.write(source);
    Digest(*feed.0.finalize().as_bytes())
}

/// Feeds what `Hash` writes to a hash function without known collisions.
struct Feed(blake3::Hasher);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        // Not asked for by `Hash`; the digest is taken from the inside.
        0
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use oarlock_codegen::{OptLevel, Options};
    use oarlock_image::Target;

    fn target(triple: &str, cpu: &str, features: &str) -> Target {
        Target { triple: triple.into(), cpu: cpu.into(), features: features.into() }
    }

    #[test]
    fn each_input_changes_the_digest_and_equal_inputs_do_not() {
        let base = || of(b"program", &target("t", "c", "+f"), &Options::default());
        assert_eq!(base(), base());
        let others = [
            of(b"programs", &target("t", "c", "+f"), &Options::default()),
            of(b"prograM", &target("t", "c", "+f"), &Options::default()),
            of(b"program", &target("u", "c", "+f"), &Options::default()),
            of(b"program", &target("t", "d", "+f"), &Options::default()),
            of(b"program", &target("t", "c", "-f"), &Options::default()),
            of(b"program", &target("t", "c", ""), &Options::default()),
            // The same letters, cut elsewhere.
            of(b"program", &target("tc", "", "+f"), &Options::default()),
            of(b"program", &target("t", "c+f", ""), &Options::default()),
            of(b"program", &target("t", "c", "+f"), &Options::default().with_opt_level(OptLevel::O0)),
        ];
        let mut all = others.to_vec();
        all.push(base());
        all.sort();
        all.dedup();
        assert_eq!(all.len(), others.len() + 1);
    }
}
