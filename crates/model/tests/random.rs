//! The same steps from a plain generator: fewer thoughts, more steps. Shows that the sequences meet what they
//! are for.

use arbitrary::Unstructured;
use oarlock_model::handles::{CAPACITY, Harness, Op, Seen};

fn run<const BITS: u32>(steps: u64) -> Seen {
    let mut harness = Harness::<BITS>::default();
    let mut state = 0x2545_f491_4f6c_dd1d_u64 + u64::from(BITS);
    while harness.seen().steps < steps {
        let bytes: Vec<u8> = (0..512)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        let mut from = Unstructured::new(&bytes);
        while let Ok(op) = Op::decode(&mut from, harness.model()) {
            harness.step(&op).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    harness.seen()
}

#[test]
fn twenty_thousand_steps_meet_every_answer() {
    let seen = run::<3>(20_000);
    let often =
        [seen.created, seen.full, seen.stale, seen.foreign, seen.wrong_kind, seen.refused, seen.restarts];
    assert!(often.iter().all(|&count| count > 100) && seen.retired == CAPACITY as u64, "{seen:?}");
}

#[test]
fn one_bit_of_generation_is_enough_for_one_object_a_slot() {
    let seen = run::<1>(5_000);
    assert!(seen.full > 100 && seen.retired == CAPACITY as u64, "{seen:?}");
}
