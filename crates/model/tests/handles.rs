//! Random sequences of steps, made from the model and shrunk when they fail.

use oarlock_model::handles::{Harness, Kind, Model, Name, Op, RUNTIMES};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

/// The model as a source of sequences. It takes it that there is always room.
struct Reference;

fn any_name(model: &Model) -> BoxedStrategy<Name> {
    let named = model.named().max(1);
    prop_oneof![3 => named.saturating_sub(12)..named, 1 => 0..named].boxed()
}

/// Living ones, mostly.
fn living(model: &Model) -> BoxedStrategy<Name> {
    let each = (0..RUNTIMES).flat_map(|runtime| Kind::ALL.map(|kind| (runtime, kind)));
    let all: Vec<Name> =
        each.flat_map(|(runtime, kind)| model.living(runtime, kind).collect::<Vec<_>>()).collect();
    if all.is_empty() {
        return any_name(model);
    }
    prop_oneof![4 => proptest::sample::select(all), 1 => any_name(model)].boxed()
}

fn programs(model: &Model) -> BoxedStrategy<Name> {
    let all: Vec<Name> = (0..model.named())
        .filter(|&name| model.object(name).is_some_and(|object| object.kind == Kind::Program))
        .collect();
    if all.is_empty() { any_name(model) } else { proptest::sample::select(all).boxed() }
}

impl ReferenceStateMachine for Reference {
    type State = Model;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::default()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Op> {
        let runtime = || 0..RUNTIMES;
        let kind = || proptest::sample::select(&Kind::ALL[..]);
        prop_oneof![
            10 => (runtime(), kind()).prop_map(|(runtime, kind)| Op::Create { runtime, kind }),
            5 => programs(model).prop_map(|program| Op::CreateSymbol { program }),
            1 => (runtime(), kind()).prop_map(|(runtime, kind)| Op::CreateFails { runtime, kind }),
            9 => living(model).prop_map(Op::Destroy),
            1 => any_name(model).prop_map(Op::Destroy),
            2 => living(model).prop_map(Op::DestroyUnderReader),
            3 => any_name(model).prop_map(Op::Resolve),
            1 => (any_name(model), kind()).prop_map(|(name, kind)| Op::ResolveAs(name, kind)),
            1 => any_name(model).prop_map(Op::ResolveElsewhere),
            2 => (any_name(model), 0..64_u32)
                .prop_map(|(name, bit)| Op::ResolveForged { name, flips: 1 << bit }),
            1 => (any_name(model), any::<u64>()).prop_map(|(name, flips)| Op::ResolveForged { name, flips }),
            1 => (runtime(), kind(), any::<u64>())
                .prop_map(|(runtime, kind, word)| Op::UseWord { runtime, kind, word }),
            1 => runtime().prop_map(Op::Collect),
        ]
        .boxed()
    }

    fn apply(mut model: Model, op: &Op) -> Model {
        match *op {
            Op::Create { runtime, kind } => _ = model.create(runtime, kind, None),
            Op::CreateSymbol { program } => {
                let parent =
                    model.object(program).filter(|object| object.alive && object.kind == Kind::Program);
                if let Some(runtime) = parent.map(|object| object.runtime) {
                    model.create(runtime, Kind::Symbol, Some(program));
                }
            }
            Op::Destroy(name) | Op::DestroyUnderReader(name) if name < model.named() => {
                _ = model.destroy(name)
            }
            Op::Restart(runtime) => model.restart(runtime),
            _ => {}
        }
        model
    }
}

/// The tables, with a number of bits.
struct Tables<const BITS: u32>;

impl<const BITS: u32> StateMachineTest for Tables<BITS> {
    type SystemUnderTest = Harness<BITS>;
    type Reference = Reference;

    fn init_test(_: &Model) -> Harness<BITS> {
        Harness::default()
    }

    fn apply(mut harness: Harness<BITS>, _: &Model, op: Op) -> Harness<BITS> {
        harness.step(&op).unwrap_or_else(|error| panic!("{error}"));
        harness
    }
}

/// The same with restarts of runtimes among the steps.
struct Restarting<const BITS: u32>;

#[derive(Clone, Debug)]
struct RestartingReference;

impl ReferenceStateMachine for RestartingReference {
    type State = Model;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Model> {
        Reference::init_state()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Op> {
        prop_oneof![12 => Reference::transitions(model), 1 => (0..RUNTIMES).prop_map(Op::Restart)].boxed()
    }

    fn apply(model: Model, op: &Op) -> Model {
        Reference::apply(model, op)
    }
}

impl<const BITS: u32> StateMachineTest for Restarting<BITS> {
    type SystemUnderTest = Harness<BITS>;
    type Reference = RestartingReference;

    fn init_test(_: &Model) -> Harness<BITS> {
        Harness::default()
    }

    fn apply(mut harness: Harness<BITS>, _: &Model, op: Op) -> Harness<BITS> {
        harness.step(&op).unwrap_or_else(|error| panic!("{error}"));
        harness
    }
}

fn config() -> ProptestConfig {
    // Steps of a state machine are many, and all are short.
    ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::with_cases(96) }
}

prop_state_machine! {
    #![proptest_config(config())]

    #[test]
    fn two_bits_of_generation(sequential 1..200 => Tables<2>);

    #[test]
    fn three_bits_of_generation(sequential 1..300 => Tables<3>);

    #[test]
    fn three_bits_and_restarts(sequential 1..200 => Restarting<3>);

    #[test]
    fn as_many_as_there_are(sequential 1..200 => Restarting<24>);
}
