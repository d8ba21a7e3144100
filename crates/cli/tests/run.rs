//! `oarlock run`: programs in every form, arguments in every form, results that can be checked.

mod support;

use support::{Place, kernel, saxpy_bitcode};

const SAXPY_ARGS: &str = "saxpy --grid 4 --group 256 iota:f32:1024 inout:y.npy:out.npy f32:2";

fn place_with_y() -> Place {
    let place = Place::new();
    place.put("y.npy", npy(&[1024], &[0.5f32; 1024].map(f32::to_le_bytes).concat()));
    place
}

/// A file as `numpy.save` writes it.
fn npy(shape: &[u64], elements: &[u8]) -> Vec<u8> {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    header.push_str(&" ".repeat(63 - (10 + header.len()) % 64));
    header.push('\n');
    let size = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &size, header.as_bytes(), elements].concat()
}

fn check_saxpy(place: &Place, program: &str) {
    place.ok(&format!("run {program} {SAXPY_ARGS}"));
    let (shape, values) = place.floats("out.npy");
    assert_eq!(shape, [1024]);
    assert!(values.iter().enumerate().all(|(i, v)| *v == 2.0 * i as f32 + 0.5), "{program}: {values:?}");
    std::fs::remove_file(place.path("out.npy")).unwrap();
}

#[test]
fn text_bitcode_and_wrapped_bitcode_run_whatever_they_are_called() {
    let place = place_with_y();
    check_saxpy(&place, &kernel("saxpy.ll"));
    let bitcode = saxpy_bitcode();
    let fields = [0x0B17_C0DEu32, 0, 20, bitcode.len() as u32, 0].map(u32::to_le_bytes).concat();
    place.put("saxpy.bc", &bitcode);
    place.put("wrapped.bc", [&fields[..], &bitcode].concat());
    // The name says OpenCL C, the bytes know better.
    place.put("wrong.cl", &bitcode);
    place.put("nothing", &bitcode);
    for file in ["saxpy.bc", "wrapped.bc", "wrong.cl", "nothing"] {
        check_saxpy(&place, file);
    }
}

#[test]
fn standard_input_is_a_program() {
    let place = Place::new();
    let args = "run - saxpy --items 4 --group 4 iota:f32:4 zeros:f32:4 f32:3";
    let ended = place.run_with(args, &saxpy_bitcode());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("f32 4  0, 3, 6, 9"), "{}", ended.stdout);
}

#[test]
fn printed_values_are_those_of_buffers_that_can_be_written() {
    let place = place_with_y();
    let args = "--grid 1 --group 16 in:y.npy rand:f32:16:7 f32:0 --show 2";
    let text = place.ok(&format!("run {} saxpy {args}", kernel("saxpy.ll")));
    assert_eq!(text.lines().count(), 1, "inputs are not printed: {text}");
    assert!(text.contains("f32 16  ") && text.contains(", ..."), "{text}");
    assert!(text.ends_with("(unchanged)\n"), "0 x + y leaves y as it is: {text}");
}

#[test]
fn json_has_the_launch_the_buffers_and_the_times() {
    let place = Place::new();
    let args = "saxpy --items 1000 --group 256 --repeat 3 iota:f32:1024 out:f32:32x32 f32:1 --json --show 3";
    let report = place.json(&format!("run {} {args}", kernel("saxpy.ll")));
    assert_eq!(report["groups"], serde_json::json!([4]));
    assert_eq!(report["launches"], 3);
    assert_eq!(report["buffers"][1]["first"], serde_json::json!([0.0, 3.0, 6.0]));
    assert_eq!(report["buffers"][1]["shape"], serde_json::json!([32, 32]));
    assert_eq!(report["buffers"][0]["changed"], false);
    let times = &report["times_ns"];
    assert!(times["launch_min"].as_u64() <= times["launch_max"].as_u64());
    assert!(times["create"].as_u64() > Some(0));
}

#[test]
fn group_memory_is_an_argument() {
    let place = Place::new();
    let program = kernel("reduction.ll");
    place.ok(&format!("run {program} reduction --grid 4 --group 64 iota:f32:256 out:f32:4:s.npy local:256"));
    let expected = [0, 1, 2, 3].map(|g| (0..64).map(|l| (64 * g + l) as f32).sum::<f32>());
    assert_eq!(place.floats("s.npy").1, expected);
}

#[test]
fn pictures_are_written() {
    let place = Place::new();
    place.put("fill.ll", "define void @fill(ptr %p) { store i8 9, ptr %p ret void }");
    place.ok("run fill.ll fill --grid 1 --group 1 out:u8:3x5x3:p.png");
    let file = std::io::BufReader::new(std::fs::File::open(place.path("p.png")).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, pixels[0], pixels[1]), (5, 3, 9, 0));
}

#[test]
fn scalars_of_every_width_arrive() {
    let place = Place::new();
    let kinds = [("i8", "i8:-1"), ("i16", "u16:65535"), ("i32", "i32:-7"), ("i64", "u64:0xff")];
    let floats = [("half", "f16:0.5"), ("float", "f32:0.1"), ("double", "f64:-1e300"), ("i128", "i128:-5")];
    for (ty, value) in kinds.into_iter().chain(floats) {
        place.put("k.ll", format!("define void @k(ptr %p, {ty} %v) {{ store {ty} %v, ptr %p ret void }}"));
        let (dtype, number) = value.split_once(':').unwrap();
        let text = place.ok(&format!("run k.ll k --grid 1 --group 1 out:{dtype}:1 {value}"));
        let shown = if number == "0xff" { "255" } else { number };
        assert!(text.trim_end().ends_with(shown), "{value}: {text}");
    }
    place.put("k.ll", "define void @k(ptr %p, <2 x i16> %v) { store <2 x i16> %v, ptr %p ret void }");
    let text = place.ok("run k.ll k --grid 1 --group 1 out:u16:2 bytes:01000200");
    assert!(text.trim_end().ends_with("1, 2"), "{text}");
}

#[test]
fn times_are_told() {
    let place = Place::new();
    let args = "saxpy --grid 4 --group 256 iota:f32:1024 zeros:f32:1024 f32:1 --repeat 5 --time";
    let text = place.ok(&format!("run {} {args}", kernel("saxpy.ll")));
    for says in ["create ", "min ", "median ", "max ", "(5 launches)", "GB/s"] {
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn the_trace_is_json_and_has_every_step() {
    let place = Place::new();
    let args = "saxpy --grid 1 --group 4 iota:f32:4 zeros:f32:4 f32:1 --trace t.json";
    place.ok(&format!("run {} {args}", kernel("saxpy.ll")));
    let text = std::fs::read_to_string(place.path("t.json")).unwrap();
    let events: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    for name in ["create", "compile", "load", "launch"] {
        assert!(events.iter().any(|e| e["name"] == name && e["ph"] == "B"), "no {name} in {text}");
    }
}
