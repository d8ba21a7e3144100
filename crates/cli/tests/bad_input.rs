//! Bad input: an error that says what was expected and what came, the documented exit code, and no crash.

mod support;

use support::{Place, kernel, saxpy_bitcode};

const LAUNCH: &str = "saxpy --grid 1 --group 4 iota:f32:4 zeros:f32:4 f32:1";

#[test]
fn files_that_are_no_programs_are_named_for_what_they_are() {
    let place = Place::new();
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty", b"", "the buffer is empty"),
        ("random", b"\x01\x02\x03\x04\x05\x06\x07\x08", "bytes of no known format"),
        ("elf", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", "an ELF file"),
        ("spirv", b"\x03\x02\x23\x07\0\0\0\0", "a SPIR-V module"),
        ("ptx", b".version 8.0\n.target sm_80\n", "PTX assembly"),
        ("text.ll", b"; a comment\ndefine void @f( {\n", "does not parse"),
    ];
    for (file, bytes, says) in cases {
        place.put(file, bytes);
        place.fails(&format!("run {file} {LAUNCH}"), 1, &[file, says]);
        place.fails(&format!("compile {file} -o out"), 1, &[file, says]);
        if file != "elf" {
            place.fails(&format!("inspect {file}"), 1, &[file, says]);
        }
    }
    place.fails("inspect elf", 1, &["no 64-bit one"]);
    place.fails("run no-such-file k --grid 1 --group 1", 1, &["cannot read `no-such-file`", "No such file"]);
}

#[test]
fn prefixes_of_a_good_program_are_refused() {
    let place = Place::new();
    let text = std::fs::read(kernel("saxpy.ll")).unwrap();
    for whole in [saxpy_bitcode(), text] {
        for part in 0..24 {
            place.put("cut", &whole[..whole.len() * part / 25]);
            let args = format!("run cut {LAUNCH}");
            place.run(&args).failed(&format!("{part}/25: {args}"), 1, &["`cut`"]);
        }
    }
}

#[test]
fn noise_behind_the_right_magic_is_refused() {
    let place = Place::new();
    for seed in 1..20u8 {
        let mut bytes = b"BC\xC0\xDE".to_vec();
        bytes.extend((0..200u8).map(|i| i.wrapping_mul(seed).wrapping_add(seed) ^ (i << 3)));
        // Lengths and nesting are looked at before LLVM is.
        bytes[4] = 0xFF;
        place.put("noise", &bytes);
        place.fails(&format!("run noise {LAUNCH}"), 1, &["is damaged at byte"]);
    }
}

#[test]
fn programs_without_the_kernel_say_what_there_is() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    place.fails(&format!("run {saxpy} saxpi --grid 1 --group 1"), 1, &["no kernel `saxpi`", "`saxpy`"]);
    place.put("none.ll", "define i32 @f() { ret i32 0 }");
    place.fails("run none.ll f --grid 1 --group 1", 1, &["has no kernel"]);
    place.put("asm.ll", "define void @f() { call void asm sideeffect \"nop\", \"\"() ret void }");
    place.fails("run asm.ll f --grid 1 --group 1", 1, &["f"]);
}

#[test]
fn arguments_that_do_not_fit_list_the_parameters() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    for (args, says) in [
        ("", "takes 3 arguments, 0 were given"),
        ("null null", "takes 3 arguments, 2 were given"),
        ("null null f32:1 f32:1", "takes 3 arguments, 4 were given"),
        ("null null f64:1", "argument 2 of kernel `saxpy` is f32:VALUE; got `f64:1`"),
        ("null null i32:1", "argument 2 of kernel `saxpy` is f32:VALUE; got `i32:1`"),
        ("null i64:0 f32:1", "argument 1 of kernel `saxpy` is a buffer"),
        ("null local:4 f32:1", "argument 1 of kernel `saxpy` is a buffer"),
    ] {
        let command = format!("run {saxpy} saxpy --grid 1 --group 1 {args}");
        place.fails(&command, 1, &[says, "its parameters:", "float"]);
    }
}

#[test]
fn launches_that_cannot_be_are_refused() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    for (shape, code, says) in [
        ("--grid 0 --group 1", 2, "1 to 3 counts"),
        ("--grid 1 --group 0", 2, "1 to 3 counts"),
        ("--grid 1,1,1,1 --group 1", 2, "1 to 3 counts"),
        ("--grid 4294967296 --group 1", 2, "1 to 3 counts"),
        ("--grid 1,1 --group 1", 2, "2 dimensions and --group has 1"),
        ("--grid 4294967295,4294967295,4294967295 --group 1,1,1", 2, "overflow"),
        ("--grid 1 --items 1 --group 1", 2, "cannot be used with"),
        ("--group 1", 2, "--grid"),
        ("--grid 1", 2, "--group"),
        ("--grid 1 --group 1 --repeat 0", 2, "--repeat"),
        ("--grid 1 --group 1 --device 7", 2, "no device 7"),
        ("--grid 1 --group 4000000000", 1, "the device runs at most"),
        ("--grid 1 --group 1 --shared 4000000000", 1, "group memory"),
    ] {
        place.fails(&format!("run {saxpy} saxpy {shape} null null f32:1"), code, &[says]);
    }
}

#[test]
fn arguments_that_do_not_parse_are_usage_errors() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    for (arg, says) in [("f33:1", "TYPE:VALUE"), ("i8:300", "-128 to 127"), ("out:u8:8:x.png", "HxW")] {
        place.fails(&format!("run {saxpy} saxpy --grid 1 --group 1 {arg}"), 2, &[arg, says]);
    }
    place.fails("run", 2, &["<PROGRAM>"]);
    place.fails("walk", 2, &["walk"]);
    place.fails("compile x.ll --emit exe -o y", 2, &["image", "asm", "ir"]);
}

#[test]
fn buffers_that_cannot_be_are_refused() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    place.put("text.npy", "1 2 3");
    for (arg, says) in [
        ("in:none.npy", "No such file"),
        ("in:text.npy", "expected a .npy file"),
        ("zeros:f32:99999999999999", "make the buffer smaller"),
        ("out:f32:4:/no/such/folder/x.npy", "cannot write"),
    ] {
        place.fails(&format!("run {saxpy} saxpy --grid 1 --group 4 iota:f32:4 {arg} f32:1"), 1, &[says]);
    }
}

#[test]
fn the_trace_of_a_failure_is_whole() {
    let place = Place::new();
    place.put("bad.ll", "; nothing\ndefine");
    place.fails("run bad.ll k --grid 1 --group 1 --trace t.json", 1, &["does not parse"]);
    let text = std::fs::read_to_string(place.path("t.json")).unwrap();
    let events: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert!(events.iter().any(|e| e["name"] == "compile"), "{text}");
    place.fails("devices --trace /no/such/folder/t.json", 1, &["cannot write the trace to"]);
}
