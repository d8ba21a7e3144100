//! `oarlock cache`, and `oarlock run` with a directory.

mod support;

use support::{Place, kernel};

const RUN: &str = "saxpy --grid 1 --group 4 iota:f32:4 iota:f32:4 f32:2";

#[test]
fn programs_are_kept_listed_checked_and_cleared() {
    let place = Place::new();
    let run = format!("run {} {RUN} --cache kept", kernel("saxpy.ll"));
    let cold = place.ok(&run);
    assert_eq!(place.ok(&run), cold);
    let stats = place.json("cache stats --json --dir kept");
    assert_eq!((&stats["entries"], &stats["bad"]), (&1.into(), &0.into()));
    assert!(stats["compilers"][0]["compiler"].as_str().unwrap().contains("llvm"), "{stats}");
    assert!(stats["bytes"].as_u64() > Some(0) && stats["limit"] == 1 << 30);
    assert!(place.ok("cache stats --dir kept").contains("1, 0 bad"));
    assert!(place.ok("cache list --dir kept").contains("saxpy"));
    let listed = place.json("cache list --json --dir kept");
    assert_eq!(listed[0]["kernels"][0], "saxpy");
    assert!(place.ok("cache verify --dir kept").contains("1 entries, 0 bad"));

    // Other options are another entry.
    place.ok(&format!("{run} --opt 0"));
    assert_eq!(place.json("cache stats --json --dir kept")["entries"], 2);
    let cleared = place.json("cache clear --json --dir kept");
    assert_eq!(cleared["removed"], 2);
    assert_eq!(place.ok("cache list --dir kept"), "");
}

#[test]
fn a_damaged_entry_is_told_and_repaired_and_never_run() {
    let place = Place::new();
    let run = format!("run {} {RUN} --cache kept", kernel("saxpy.ll"));
    let cold = place.ok(&run);
    let path = place.json("cache list --json --dir kept")[0]["path"].as_str().unwrap().to_owned();
    let path = place.path(&path);
    let whole = std::fs::read(&path).unwrap();
    let damage = || {
        let mut bytes = whole.clone();
        bytes[whole.len() / 2] ^= 0x10;
        std::fs::write(&path, bytes).unwrap();
    };
    damage();
    place.fails("cache verify --dir kept", 1, &["1 of 1 entries are bad", "--repair"]);
    assert!(place.ok("cache list --dir kept").contains("damaged"));
    assert!(place.ok("cache verify --repair --dir kept").contains("1 bad, 1 removed"));
    assert!(!path.exists());
    place.ok(&run);
    damage();
    assert_eq!(place.ok(&run), cold);
    assert_eq!(std::fs::read(&path).unwrap(), whole, "a run repairs, too");
}

#[test]
fn the_environment_says_where_and_how_much() {
    let place = Place::new();
    let program = kernel("saxpy.ll");
    let run = |vars: &[(&str, &str)]| {
        let mut command = place.command(&format!("run {program} {RUN}"));
        command.env_remove("OARLOCK_CACHE_DIR").envs(vars.iter().copied()).output().unwrap()
    };
    let xdg = place.path("xdg");
    assert!(run(&[("XDG_CACHE_HOME", xdg.to_str().unwrap())]).status.success());
    assert!(xdg.join("oarlock").is_dir());
    assert!(run(&[("OARLOCK_CACHE_DIR", "elsewhere")]).status.success());
    assert!(place.path("elsewhere").is_dir());
    let wrong = run(&[("OARLOCK_CACHE_DIR", "elsewhere"), ("OARLOCK_CACHE_LIMIT", "much")]);
    assert_eq!(wrong.status.code(), Some(2));
    // A place that cannot be used costs nothing but the compile.
    place.put("file", "");
    assert!(run(&[("OARLOCK_CACHE_DIR", "file/cache")]).status.success());
    place.fails("cache stats", 2, &["--dir"]);
    assert_eq!(place.json("cache stats --json --dir nowhere")["entries"], 0);
    assert!(!place.path("nowhere").exists());
}
