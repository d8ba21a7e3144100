//! Objects as a real compiler writes them: loaded, run, unloaded.

mod common;

use common::{call, clang, load};
use oarlock_loader::{LoadError, LoadedObject, live_mappings, mapped_bytes, runtime_symbol};

const MODES: [&[&str]; 5] = [
    &["-fPIC"],
    &["-fno-pic", "-mcmodel=large"],
    &["-fno-pic", "-mcmodel=small"],
    &["-fPIC", "-mcmodel=large"],
    &["-fno-pic", "-mcmodel=medium"],
];

const EVERYTHING: &str = r#"
    #include <stddef.h>
    extern double sin(double);
    extern void *memcpy(void *, const void *, size_t);
    extern int weak_and_missing(void) __attribute__((weak));
    int table[4] = {1, 2, 3, 4};
    static int zeroed[1000];
    int common_one;
    static const char text[] = "constant";
    const char *pointer = text;
    __attribute__((noinline)) static int helper(int x) { return x + table[1]; }
    static int (*volatile indirect)(int) = helper;
    int run(int x) {
        zeroed[x] += 1;
        common_one += zeroed[x];
        char copy[16];
        memcpy(copy, pointer, sizeof text);
        int missing = weak_and_missing ? 100 : 0;
        return indirect(x) + copy[1] + common_one + (int)(sin(0.5) * 1000) + missing;
    }
    double _Complex product(double _Complex a, double _Complex b) { return a * b; }
    float _Complex quotient(float _Complex a, float _Complex b) { return a / b; }
    __int128 wide(__int128 a, __int128 b) { return a / b; }
    _Float16 half(float x) { return (_Float16)x; }
"#;

/// `float _Complex`, as C passes it.
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

#[test]
fn every_code_model_runs() {
    for mode in MODES {
        let Some(object) = clang("c", EVERYTHING, mode) else { return };
        let loaded = load(&object).unwrap_or_else(|e| panic!("{mode:?}: {e}"));
        let run = call::<extern "C" fn(i32) -> i32>(&loaded, "run");
        // 5 + 2 + 'o' + common + 479
        assert_eq!(run(5), 7 + 111 + 1 + 479, "{mode:?}");
        assert_eq!(run(5), 7 + 111 + 3 + 479, "{mode:?}");
        let wide = call::<extern "C" fn(i128, i128) -> i128>(&loaded, "wide");
        assert_eq!(wide(-(1 << 100), 3), -(1 << 100) / 3, "{mode:?}");
        let half = call::<extern "C" fn(f32) -> f32>(&loaded, "half");
        assert_eq!(half(1.5).to_bits() & 0xffff, 0x3e00, "{mode:?}");
        let quotient = call::<extern "C" fn(Complex, Complex) -> Complex>(&loaded, "quotient");
        let result = quotient(Complex { re: 6.0, im: 4.0 }, Complex { re: 2.0, im: 0.0 });
        assert_eq!((result.re, result.im), (3.0, 2.0), "{mode:?}");
        let table = loaded.symbol("table").unwrap();
        assert!(table.writable && !table.executable && table.size == 16, "{mode:?}");
        assert!(loaded.symbol("run").unwrap().executable);
        assert!(loaded.symbol("helper").is_none(), "static functions are not exported");
    }
}

#[test]
fn each_load_has_variables_of_its_own() {
    let Some(object) = clang("c", "int n; int next(void) { return ++n; }", &["-fPIC"]) else { return };
    let (a, b) = (load(&object).unwrap(), load(&object).unwrap());
    let next = |o| call::<extern "C" fn() -> i32>(o, "next")();
    assert_eq!((next(&a), next(&a), next(&b)), (1, 2, 1));
}

const ORDER: &str = r#"
    extern "C" void note(int);
    struct Noisy { int n; Noisy(int n) : n(n) { note(n); } ~Noisy() { note(-n); } };
    __attribute__((init_priority(300))) Noisy third(3);
    __attribute__((init_priority(200))) Noisy second(2);
    Noisy last(9);
    extern "C" __attribute__((constructor(101))) void first() { note(1); }
    extern "C" __attribute__((destructor(101))) void end() { note(-1); }
    extern "C" __attribute__((destructor)) void middle() { note(-5); }
"#;

thread_local! {
    static NOTES: std::cell::RefCell<Vec<i32>> = const { std::cell::RefCell::new(Vec::new()) };
}

extern "C" fn note(n: i32) {
    NOTES.with_borrow_mut(|notes| notes.push(n));
}

#[test]
fn constructors_and_destructors_run_in_order() {
    for mode in [&["-fPIC"][..], &["-fPIC", "-fno-use-init-array"], &["-fno-pic", "-mcmodel=large"]] {
        let Some(object) = clang("c++", ORDER, mode) else { return };
        let resolve = |name: &str| match name {
            "note" => Some(note as *const () as usize),
            _ => runtime_symbol(name),
        };
        let mut loaded = LoadedObject::load(&object, &resolve).unwrap();
        assert_eq!(NOTES.take(), []);
        // SAFETY: the code above does nothing but note its order.
        unsafe { loaded.run_constructors() };
        // SAFETY: as above.
        unsafe { loaded.run_constructors() };
        assert_eq!(NOTES.take(), [1, 2, 3, 9], "{mode:?}");
        drop(loaded);
        assert_eq!(NOTES.take(), [-9, -3, -2, -5, -1], "{mode:?}");
        // Never constructed: nothing to destroy.
        drop(LoadedObject::load(&object, &resolve).unwrap());
        assert_eq!(NOTES.take(), [], "{mode:?}");
    }
}

#[test]
fn what_is_undefined_is_named_all_of_it() {
    let source = "int alpha(void); int beta(void); int system(const char *); \
                  int f(void) { return alpha() + beta() + system(\"x\"); }";
    let Some(object) = clang("c", source, &[]) else { return };
    let error = load(&object).err().unwrap();
    assert_eq!(error, LoadError::Unresolved { names: vec!["alpha".into(), "beta".into(), "system".into()] });
    assert!(error.to_string().contains("alpha, beta, system"));
}

#[test]
fn thread_locals_and_indirect_functions_are_refused_by_name() {
    for mode in MODES {
        let Some(object) = clang("c", "extern _Thread_local int tick; int f(void) { return ++tick; }", mode)
        else {
            return;
        };
        assert_eq!(load(&object).err(), Some(LoadError::ThreadLocal { name: "tick".into() }), "{mode:?}");
    }
    let Some(own) = clang("c", "_Thread_local int tick = 1; int f(void) { return ++tick; }", &[]) else {
        return;
    };
    assert!(matches!(load(&own), Err(LoadError::ThreadLocal { .. })));
    let source = "static int a(void) { return 1; } static void *pick(void) { return a; } \
                  int chosen(void) __attribute__((ifunc(\"pick\"))); int f(void) { return chosen(); }";
    let Some(object) = clang("c", source, &[]) else { return };
    assert_eq!(load(&object).err(), Some(LoadError::IndirectFunction { name: "chosen".into() }));
}

#[test]
fn ten_thousand_loads_leave_nothing_behind() {
    let Some(object) = clang("c", EVERYTHING, &["-fPIC"]) else { return };
    let cycle = || {
        let mut loaded = load(&object).unwrap();
        // SAFETY: the object has no constructors.
        unsafe { loaded.run_constructors() };
        call::<extern "C" fn(i32) -> i32>(&loaded, "run")(1);
    };
    (0..500).for_each(|_| cycle());
    let before = (common::resident_pages(), common::executable_mappings());
    (0..10_000).for_each(|_| cycle());
    let after = (common::resident_pages(), common::executable_mappings());
    // Other tests of this process run at the same time: allow what a few of them hold.
    assert!(after.0 < before.0 + 512, "resident pages {} -> {}", before.0, after.0);
    assert!(after.1 < before.1 + 32, "executable mappings {} -> {}", before.1, after.1);
    assert!(live_mappings() < 32 && mapped_bytes() < 64 << 20);
}

#[test]
fn a_variable_of_no_size_has_an_address() {
    let source = "struct {} nothing; void *f(void) { return &nothing; }";
    let Some(object) = clang("c", source, &["-fPIC"]) else { return };
    let loaded = load(&object).unwrap();
    let address = call::<extern "C" fn() -> usize>(&loaded, "f")();
    assert_eq!(loaded.symbol("nothing").map(|s| (s.address, s.size)), Some((address, 0)));
}

#[test]
fn no_page_is_writable_and_executable() {
    let Some(object) = clang("c", EVERYTHING, &["-fPIC"]) else { return };
    let _loaded = load(&object).unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.lines().any(|line| line.contains("rwx") || line.contains("-wx")), "{maps}");
}
