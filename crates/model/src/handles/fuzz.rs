//! The fuzz targets: bytes in, a panic where the tables are wrong.

use arbitrary::{Arbitrary, Unstructured};

use super::{Harness, Kind, Op, RUNTIMES};

/// A sequence of steps out of the bytes. The first byte chooses the number of generations.
///
/// # Panics
/// Where the tables do what the model does not.
pub fn api_sequence(data: &[u8]) {
    let mut from = Unstructured::new(data);
    match u8::arbitrary(&mut from).unwrap_or(0) % 3 {
        0 => sequence::<2>(&mut from),
        1 => sequence::<3>(&mut from),
        _ => sequence::<5>(&mut from),
    }
}

fn sequence<const BITS: u32>(from: &mut Unstructured<'_>) {
    let mut harness = Harness::<BITS>::default();
    while let Ok(op) = Op::decode(from, harness.model()) {
        harness.step(&op).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The bytes as words, used as handles of every kind, among some objects that live and some that do not. A
/// word is taken as it is, and as a change of the bits of each real handle.
///
/// # Panics
/// Where a word reaches what it does not name.
pub fn handles(data: &[u8]) {
    let mut harness = Harness::<3>::default();
    for runtime in 0..RUNTIMES {
        for kind in Kind::ALL {
            (0..3).for_each(|_| step(&mut harness, &Op::Create { runtime, kind }));
        }
    }
    let dead: Vec<usize> = (0..harness.model().named()).step_by(3).collect();
    dead.iter().for_each(|&name| step(&mut harness, &Op::Destroy(name)));
    let live = (0..harness.model().named()).find(|&name| {
        harness.model().object(name).is_some_and(|object| object.alive && object.kind == Kind::Program)
    });
    live.into_iter().for_each(|program| step(&mut harness, &Op::CreateSymbol { program }));
    for word in data.chunks_exact(8) {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        for kind in Kind::ALL {
            step(&mut harness, &Op::UseWord { runtime: 0, kind, word });
        }
        let name = word as usize % harness.model().named();
        step(&mut harness, &Op::ResolveForged { name, flips: word });
        step(&mut harness, &Op::ResolveForged { name, flips: 1 << (word >> 58) });
    }
}

fn step(harness: &mut Harness<3>, op: &Op) {
    harness.step(op).unwrap_or_else(|error| panic!("{error}"));
}
