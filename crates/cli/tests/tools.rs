//! `compile`, `inspect`, `devices`, `completions`, the manual page, help, and the demo.

mod support;

use std::process::Stdio;

use support::{Place, kernel};

#[test]
fn every_form_is_written() {
    let place = Place::new();
    let program = kernel("reduction.ll");
    place.ok(&format!("compile {program} -o r.o"));
    assert!(std::fs::read(place.path("r.o")).unwrap().starts_with(b"\x7FELF"));
    let asm = place.ok(&format!("compile {program} --target host --emit asm -o -"));
    assert!(asm.contains(".globl") && asm.contains("reduction"), "{asm}");
    place.ok(&format!("compile {program} --emit ir --opt 0 -o r.ir"));
    let ir = std::fs::read_to_string(place.path("r.ir")).unwrap();
    assert!(ir.contains("define ") && ir.contains("target triple"), "{ir}");
    place.fails(&format!("compile {program} --opt 4 -o r.o"), 2, &["0, 1, 2 or 3"]);
    place.fails(&format!("compile {program} -o /no/such/folder/r.o"), 1, &["cannot write"]);
}

#[test]
fn a_program_tells_what_is_in_it() {
    let place = Place::new();
    let report = place.json(&format!("inspect {} --json", kernel("reduction.ll")));
    assert_eq!(report["dialect"], "spir");
    assert_eq!(report["triple"], "spir64");
    let reduction = &report["kernels"][0];
    assert_eq!(reduction["name"], "reduction");
    assert_eq!(reduction["parameters"][2]["kind"], "group memory");
    assert_eq!(reduction["parameters"][1]["offset"], 8);
    assert!(reduction["barriers"].as_u64() >= Some(2));

    let globals = "@table = constant [4 x i32] zeroinitializer\n@count = global i64 0\n\
        define void @k() { ret void }";
    place.put("globals.ll", globals);
    let text = place.ok("inspect globals.ll");
    for says in ["textual LLVM IR", "dialect  native", "kernel k", "global table  16 bytes", "constant"] {
        assert!(text.contains(says), "{says}: {text}");
    }
}

#[test]
fn what_was_compiled_tells_its_kind() {
    let place = Place::new();
    place.ok(&format!("compile {} -o r.o", kernel("reduction.ll")));
    let text = place.ok("inspect r.o");
    assert!(text.contains("ELF relocatable object") && text.contains("reduction"), "{text}");
    let report = place.json("inspect r.o --json");
    assert_eq!(report["kind"], "relocatable object");
    assert!(report["functions"][0]["size"].as_u64() > Some(0));
}

#[test]
fn devices_are_listed() {
    let place = Place::new();
    let devices = place.json("devices --json");
    assert_eq!(devices[0]["kind"], "cpu");
    assert!(devices[0]["compute_units"].as_u64() > Some(0));
    assert!(place.ok("devices").contains("group memory"));
}

#[test]
fn every_shell_gets_completions() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.ok(&format!("completions {shell}"));
        assert!(script.contains("inspect") && script.contains("--"), "{shell}");
    }
    assert!(place.ok("man").contains(".TH oarlock 1"));
}

#[test]
fn help_documents_exit_codes_and_forms() {
    let place = Place::new();
    for command in ["", "run ", "compile ", "inspect ", "demo "] {
        let help = place.ok(&format!("{command}--help"));
        assert!(help.contains("Exit codes:"), "{command}: {help}");
    }
    let help = place.ok("run --help");
    for form in ["inout:FILE.npy[:OUT]", "rand:TYPE:SHAPE[:SEED]", "local:BYTES", "HxWx3", "--items 1000"] {
        assert!(help.contains(form), "{form}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let mut child = place.command("completions bash").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_demo_is_correct_and_leaves_a_picture() {
    let place = Place::new();
    let text = place.ok("demo --quick --out pictures");
    assert!(text.contains("All correct.") && text.contains(" 0 wrong results"), "{text}");
    assert!(text.contains("stale handle"), "{text}");
    let picture = std::fs::read(place.path("pictures/oarlock-mandelbrot.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}
