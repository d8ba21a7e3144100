//! The command compiles in a worker of its own, and outlives what the worker dies of.

mod support;

use support::{Place, kernel, saxpy_bitcode};

#[test]
fn the_same_file_comes_out_either_way() {
    let place = Place::new();
    let saxpy = kernel("saxpy.ll");
    for (emit, name) in [("image", "o"), ("asm", "s"), ("ir", "ll")] {
        for isolation in ["worker", "in-process"] {
            place.ok(&format!("compile {saxpy} --emit {emit} --isolation {isolation} -o {isolation}.{name}"));
        }
        let read = |isolation| std::fs::read(place.path(&format!("{isolation}.{name}"))).unwrap();
        assert!(read("worker") == read("in-process"), "{emit}");
    }
    assert_eq!(
        place.ok(&format!("inspect {saxpy} --json --isolation worker")),
        place.ok(&format!("inspect {saxpy} --json --isolation in-process")),
    );
}

#[test]
fn isolation_is_read_from_the_environment_and_wrong_names_are_told() {
    let place = Place::new();
    let args = format!("inspect {}", kernel("saxpy.ll"));
    let run = |value: &str| place.command(&args).env("OARLOCK_ISOLATION", value).output().unwrap();
    assert!(run("in-process").status.success() && run("worker").status.success());
    let wrong = run("none");
    assert_eq!(wrong.status.code(), Some(2));
    let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(text.contains("OARLOCK_ISOLATION") && text.contains("in-process"), "{text}");
    place.fails(&format!("{args} --isolation none"), 2, &["in-process"]);
}

#[test]
fn damaged_bitcode_is_an_error_whatever_it_does_to_llvm() {
    let place = Place::new();
    let whole = saxpy_bitcode();
    for number in 0..24_usize {
        let mut bytes = whole.clone();
        for flip in 0..4 {
            let bit = (number * 7919 + flip * 104_729 + 4001) % (whole.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        place.put("damaged.bc", bytes);
        let ended = place.run("compile damaged.bc --emit asm -o damaged.s");
        match ended.code {
            Some(0) => {}
            _ => ended.failed("damaged.bc", 1, &["damaged.bc"]),
        }
    }
}

#[test]
fn a_worker_by_hand_says_what_it_is() {
    let place = Place::new();
    let ended = place.run("__oarlock_worker");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("started by programs that use Oarlock"), "{}", ended.stderr);
}
