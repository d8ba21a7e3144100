//! Bytes that are no program: a typed error each time, the process lives, nothing is left behind.
//!
//! Damaged bitcode, as opposed to bitcode that was cut short, is not here: LLVM's reader does not
//! survive all of it in this process.

use oarlock::{CompileError, Error, Stats, SymbolKind};
use oarlock_tests::{Rig, kernels};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// What must be as it was: everything but the counters of the past.
fn live(stats: Stats) -> (usize, usize, usize, usize, u64, u64, u64) {
    let cache = stats.cache;
    (
        stats.programs,
        stats.symbols,
        stats.queues,
        stats.events,
        stats.loaded_bytes,
        cache.entries,
        cache.bytes_live,
    )
}

/// Tries `bytes`; if they are a program after all, destroys it.
fn refused(rig: &Rig, bytes: &[u8]) -> Option<CompileError> {
    let before = live(rig.runtime.stats());
    let error = match rig.try_program(bytes) {
        Ok(program) => {
            rig.runtime.destroy_program(program).unwrap();
            None
        }
        Err(Error::Compile(error)) => {
            assert!(error.to_string().len() > 20, "says nothing: {error}");
            Some(error)
        }
        Err(other) => panic!("{other}"),
    };
    assert_eq!(live(rig.runtime.stats()), before);
    error
}

#[test]
fn every_prefix_of_a_text_module() {
    let rig = Rig::new();
    let text = kernels::VECTOR_ADD.as_bytes();
    let good = (0..text.len()).filter(|&n| refused(&rig, &text[..n]).is_none()).count();
    // Only a cut in the metadata at the very end can leave a whole module.
    assert!(good < text.len() / 4, "{good} of {} prefixes compiled", text.len());
}

#[test]
fn every_prefix_of_a_bitcode_module() {
    let rig = Rig::new();
    let bitcode = kernels::VECTOR_ADD_BC;
    for n in 0..bitcode.len() {
        if let Some(error) = refused(&rig, &bitcode[..n]) {
            assert!(n > 0 || error == CompileError::Empty);
        }
    }
    assert_eq!(refused(&rig, bitcode), None);
}

#[test]
fn every_prefix_of_a_wrapped_bitcode_module() {
    let rig = Rig::new();
    let wrapped = kernels::wrap(kernels::VECTOR_ADD_BC);
    // The wrapper's own 20 bytes one by one, the rest in larger steps: it is bitcode again.
    for n in (0..64).chain((64..wrapped.len()).step_by(61)) {
        refused(&rig, &wrapped[..n]);
    }
    assert_eq!(refused(&rig, &wrapped), None);
}

#[test]
fn formats_that_are_not_programs_are_named() {
    let rig = Rig::new();
    let says = |bytes: &[u8]| refused(&rig, bytes).expect("no program").to_string();
    assert!(says(b"").contains("empty"));
    assert!(says(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").contains("ELF"));
    assert!(says(b"\x03\x02\x23\x07\0\0\x01\0").contains("SPIR-V"));
    assert!(says(b"\x50\xED\x55\xBA\x01\0\x10\0").contains("fat binary"));
    assert!(says(b".version 8.0\n.target sm_80\n").contains("PTX"));
    assert!(says(b"#include <stdio.h>\nint main() {}\n").contains("no known format"));
    assert!(says(&[0; 4096]).contains("no known format"));
}

#[test]
fn a_text_error_is_told_with_its_place() {
    let rig = Rig::new();
    let error = refused(&rig, b"define void @k() {\n  ret viod\n}\n").expect("no program").to_string();
    assert!(error.contains('2'), "the line is not named: {error}");
}

#[test]
fn a_module_without_kernels_is_refused() {
    let rig = Rig::new();
    for source in ["@x = global i32 1\n", "define internal void @f() {\n  ret void\n}\n", "; nothing\n"] {
        let error = refused(&rig, source.as_bytes());
        assert!(matches!(error, Some(CompileError::NoKernels { .. })), "{source}: {error:?}");
    }
}

#[test]
fn an_unresolved_symbol_is_named() {
    let rig = Rig::new();
    let source = "declare void @nowhere_to_be_found()\n\
                  define void @k() {\n  call void @nowhere_to_be_found()\n  ret void\n}\n";
    let before = live(rig.runtime.stats());
    let error = rig.try_program(source.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("nowhere_to_be_found"), "{error}");
    assert_eq!(live(rig.runtime.stats()), before);
}

#[test]
fn a_kernel_that_does_not_exist_is_answered_with_those_that_do() {
    let rig = Rig::new();
    let program = rig.program(kernels::REDUCE);
    let error = rig.runtime.kernel(program, "reduse").unwrap_err();
    let Error::NotFound { kind, nearest, available, .. } = &error else { panic!("{error}") };
    assert_eq!((*kind, nearest.as_deref()), (SymbolKind::Kernel, Some("reduce")));
    assert_eq!(available, &["reduce", "reduce_dynamic"]);
    for name in ["", "\0", "reduce.groups", "oarlock_barrier", "memcpy", &"x".repeat(1 << 20)] {
        assert!(matches!(rig.runtime.kernel(program, name), Err(Error::NotFound { .. })), "{name:.20}");
        assert!(matches!(rig.runtime.global(program, name), Err(Error::NotFound { .. })), "{name:.20}");
    }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

#[test]
fn random_bytes() {
    let rig = Rig::new();
    let mut runner = runner(2000);
    let bytes = prop::collection::vec(any::<u8>(), 0..600)
        .prop_filter("LLVM's own magic", |b| !b.starts_with(b"BC") && !b.starts_with(b"\xDE\xC0"));
    runner
        .run(&bytes, |bytes| {
            prop_assert!(refused(&rig, &bytes).is_some());
            Ok(())
        })
        .unwrap();
}

#[test]
fn random_text_that_looks_like_a_module() {
    let rig = Rig::new();
    let mut runner = runner(500);
    let word = prop::sample::select(vec![
        "define",
        "declare",
        "void",
        "i32",
        "ptr",
        "@f",
        "@g",
        "(",
        ")",
        "{",
        "}",
        "ret",
        "%0",
        ",",
        "=",
        "global",
        "constant",
        "!0",
        "42",
        "\n",
        "store",
        "load",
        "align",
        "addrspace(3)",
        "br",
        "label",
    ]);
    let text = prop::collection::vec(word, 1..40).prop_map(|words| format!("; text\n{}", words.join(" ")));
    runner
        .run(&text, |text| {
            refused(&rig, text.as_bytes());
            Ok(())
        })
        .unwrap();
}
