//! Replays the committed inputs of the fuzz targets: on any compiler, without libFuzzer.

use std::path::{Path, PathBuf};

use oarlock_model::handles;

fn inputs(target: &str) -> Vec<PathBuf> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let folders = ["corpus", "regressions"].map(|folder| fuzz.join(folder).join(target));
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    files.map(|file| file.expect("a file of the corpus").path()).collect()
}

fn replay(target: &str, run: fn(&[u8])) {
    let inputs = inputs(target);
    assert!(inputs.len() >= 10, "{} inputs for {target}", inputs.len());
    for path in inputs {
        let data = std::fs::read(&path).expect("a file of the corpus");
        let found = std::panic::catch_unwind(|| run(&data));
        assert!(found.is_ok(), "{} finds something: see above", path.display());
    }
}

#[test]
fn api_sequence() {
    replay("api_sequence", handles::api_sequence);
}

#[test]
fn words() {
    replay("handles", handles::handles);
}
