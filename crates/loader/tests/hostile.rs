//! Objects that are damaged or mean harm: errors, and the process lives.

mod common;

use common::{clang, load};
use oarlock_loader::{LoadError, LoadedObject};
use object::write::{Object, Relocation, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationFlags, SectionFlags, SectionKind, SymbolFlags,
    SymbolKind, SymbolScope, elf,
};

fn new() -> Object<'static> {
    Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little)
}

fn symbol(name: &str, value: u64, size: u64, section: SymbolSection) -> Symbol {
    Symbol {
        name: name.into(),
        value,
        size,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section,
        flags: SymbolFlags::None,
    }
}

/// Sixteen bytes of data with one relocation at `offset` against what `make` defines.
fn relocated(
    kind: elf::RelocationType,
    offset: u64,
    addend: i64,
    make: fn(&mut Object<'static>) -> SymbolId,
) -> Vec<u8> {
    let mut object = new();
    let data = object.add_section(Vec::new(), b".data".to_vec(), SectionKind::Data);
    object.append_section_data(data, &[0; 16], 8);
    let symbol = make(&mut object);
    let flags = RelocationFlags::Elf { r_type: kind };
    object.add_relocation(data, Relocation { offset, symbol, addend, flags }).unwrap();
    object.write().unwrap()
}

fn far(object: &mut Object<'static>) -> SymbolId {
    object.add_symbol(symbol("far", 1 << 60, 0, SymbolSection::Absolute))
}

/// A good object with a bit of everything, made without a compiler.
fn good() -> Vec<u8> {
    let mut object = new();
    let text = object.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    object.append_section_data(text, &[0xc3; 64], 16);
    let entry = object.add_symbol(symbol("entry", 0, 16, SymbolSection::Section(text)));
    let bss = object.add_section(Vec::new(), b".bss".to_vec(), SectionKind::UninitializedData);
    object.append_section_bss(bss, 100, 32);
    object.add_symbol(symbol("zeros", 0, 100, SymbolSection::Section(bss)));
    let common = object.add_common_symbol(symbol("common", 0, 0, SymbolSection::Common), 24, 8);
    let memcpy = object.add_symbol(symbol("memcpy", 0, 0, SymbolSection::Undefined));
    let list = object.add_section(Vec::new(), b".init_array.101".to_vec(), SectionKind::Data);
    object.append_section_data(list, &[0; 8], 8);
    let mut patch = |section, offset, symbol, kind, addend| {
        let flags = RelocationFlags::Elf { r_type: kind };
        object.add_relocation(section, Relocation { offset, symbol, addend, flags }).unwrap();
    };
    patch(list, 0, entry, elf::R_X86_64_64, 0);
    patch(text, 20, memcpy, elf::R_X86_64_PLT32, -4);
    patch(text, 28, memcpy, elf::R_X86_64_GOTPCREL, -4);
    patch(text, 36, common, elf::R_X86_64_PC32, -4);
    patch(text, 44, entry, elf::R_X86_64_GOT64, 0);
    object.write().unwrap()
}

fn objects() -> Vec<Vec<u8>> {
    let source = "int table[9] = {1}; extern double sin(double); static int z[40]; int *p = table; \
                  __attribute__((constructor)) static void start(void) { z[1] = 1; } \
                  double f(int i) { return sin(table[i]) + z[i] + *p; }";
    [Some(good()), clang("c", source, &["-fPIC"]), clang("c", source, &["-fno-pic", "-mcmodel=large"])]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn the_good_object_is_good() {
    let loaded = load(&good()).unwrap();
    assert!(loaded.symbol("entry").unwrap().executable);
    let (zeros, common) = (loaded.symbol("zeros").unwrap(), loaded.symbol("common").unwrap());
    assert!(zeros.writable && zeros.size == 100 && zeros.address % 32 == 0);
    assert!(common.writable && common.size == 24 && common.address % 8 == 0);
    assert_eq!(loaded.symbols().count(), 3);
}

#[test]
fn no_prefix_loads_or_crashes() {
    for object in objects() {
        for length in 0..object.len() {
            assert!(load(&object[..length]).is_err(), "{length} of {} bytes", object.len());
        }
    }
}

#[test]
fn an_object_loads_from_any_address() {
    let object = good();
    let mut shifted = vec![0; object.len() + 8];
    for shift in 0..8 {
        shifted[shift..shift + object.len()].copy_from_slice(&object);
        assert!(load(&shifted[shift..shift + object.len()]).is_ok());
    }
}

#[test]
fn no_flipped_bytes_crash() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for object in objects() {
        // Every byte of the headers and tables gets its turn, then several bytes at once.
        for at in 0..object.len() {
            for value in [0, 0x7f, 0xff, object[at] ^ 1 << random(8)] {
                let mut damaged = object.clone();
                damaged[at] = value;
                drop(load(&damaged));
            }
        }
        for _ in 0..3000 {
            let mut damaged = object.clone();
            for _ in 0..1 + random(8) {
                let at = random(damaged.len());
                damaged[at] = random(256) as u8;
            }
            drop(load(&damaged));
        }
    }
}

#[test]
fn relocations_are_kept_inside_their_section() {
    for offset in [9, 16, 1 << 40, u64::MAX - 7, u64::MAX] {
        let object = relocated(elf::R_X86_64_64, offset, 0, far);
        assert!(matches!(load(&object), Err(LoadError::Malformed { .. })), "offset {offset}");
    }
    assert!(load(&relocated(elf::R_X86_64_64, 8, i64::MIN, far)).is_ok());
}

#[test]
fn relocations_that_cannot_be_are_named() {
    let error = load(&relocated(elf::R_X86_64_PC32, 0, 0, far)).err();
    let place = ("far".to_owned(), ".data".to_owned());
    let (symbol, section) = place.clone();
    assert_eq!(error, Some(LoadError::OutOfReach { kind: 2, symbol, section }));
    let (symbol, section) = place;
    let error = load(&relocated(elf::R_X86_64_COPY, 0, 0, far)).err();
    assert_eq!(error, Some(LoadError::UnknownRelocation { kind: 5, symbol, section }));
    let error = load(&relocated(elf::RelocationType(12345), 0, 0, far)).err().unwrap();
    assert!(error.to_string().contains("12345"));
}

#[test]
fn calls_far_away_go_through_a_stub() {
    // call far; ret: `far` is a function of this process, out of the reach of 32 bits or not.
    extern "C" fn answer() -> i32 {
        42
    }
    let mut object = new();
    let text = object.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    let code = [0x48, 0x83, 0xec, 8, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 8, 0xc3];
    object.append_section_data(text, &code, 16);
    object.add_symbol(symbol("run", 0, 14, SymbolSection::Section(text)));
    let far = object.add_symbol(symbol("answer", 0, 0, SymbolSection::Undefined));
    let flags = RelocationFlags::Elf { r_type: elf::R_X86_64_PLT32 };
    object.add_relocation(text, Relocation { offset: 5, symbol: far, addend: -4, flags }).unwrap();
    let resolve = |name: &str| (name == "answer").then_some(answer as *const () as usize);
    let loaded = LoadedObject::load(&object.write().unwrap(), &resolve).unwrap();
    assert_eq!(common::call::<extern "C" fn() -> i32>(&loaded, "run")(), 42);
}

#[test]
fn memory_is_bounded() {
    for size in [(1 << 30) + 1, 1 << 40, u64::MAX - 4096] {
        let mut object = new();
        let bss = object.add_section(Vec::new(), b".bss".to_vec(), SectionKind::UninitializedData);
        object.append_section_bss(bss, size, 16);
        assert!(matches!(load(&object.write().unwrap()), Err(LoadError::TooLarge { .. })), "{size}");
        let mut object = new();
        object.add_common_symbol(symbol("c", 0, 0, SymbolSection::Common), size, 8);
        assert!(matches!(load(&object.write().unwrap()), Err(LoadError::TooLarge { .. })), "{size}");
    }
}

#[test]
fn alignments_are_kept_or_refused() {
    for (align, fits) in [(64, true), (1 << 16, true), (2 << 20, true), (4 << 20, false)] {
        let mut object = new();
        let data = object.add_section(Vec::new(), b".data".to_vec(), SectionKind::Data);
        object.append_section_data(data, &[1; 8], align);
        object.add_symbol(symbol("d", 0, 8, SymbolSection::Section(data)));
        match load(&object.write().unwrap()) {
            Ok(loaded) => assert!(fits && (loaded.symbol("d").unwrap().address as u64).is_multiple_of(align)),
            Err(error) => assert!(!fits && matches!(error, LoadError::Malformed { .. }), "{error}"),
        }
    }
    for align in [3, 48, 1 << 62, u64::MAX] {
        let mut object = new();
        object.add_common_symbol(symbol("c", 0, 0, SymbolSection::Common), 8, align);
        assert!(matches!(load(&object.write().unwrap()), Err(LoadError::Malformed { .. })), "{align}");
    }
}

#[test]
fn code_that_can_be_written_is_refused() {
    let mut object = new();
    let text = object.add_section(Vec::new(), b".both".to_vec(), SectionKind::Text);
    object.append_section_data(text, &[0xc3], 1);
    let sh_flags = elf::SHF_ALLOC | elf::SHF_WRITE | elf::SHF_EXECINSTR;
    object.section_mut(text).flags = SectionFlags::Elf { sh_type: elf::SHT_PROGBITS, sh_flags };
    let error = load(&object.write().unwrap()).err();
    assert_eq!(error, Some(LoadError::WritableCode { name: ".both".into() }));
}

#[test]
fn symbols_stay_inside_their_sections() {
    for (value, size) in [(9, 0), (0, 9), (8, 1), (u64::MAX, 8), (4, u64::MAX)] {
        let mut object = new();
        let data = object.add_section(Vec::new(), b".data".to_vec(), SectionKind::Data);
        object.append_section_data(data, &[1; 8], 8);
        object.add_symbol(symbol("d", value, size, SymbolSection::Section(data)));
        assert!(matches!(load(&object.write().unwrap()), Err(LoadError::Malformed { .. })));
    }
}

#[test]
fn constructors_lie_in_the_code() {
    let mut object = new();
    let list = object.add_section(Vec::new(), b".init_array".to_vec(), SectionKind::Data);
    object.append_section_data(list, &[0; 16], 8);
    object.append_section_data(list, &4096u64.to_le_bytes(), 8);
    let error = load(&object.write().unwrap()).err();
    assert_eq!(error, Some(LoadError::BadConstructor { section: ".init_array".into(), index: 2 }));
}

#[test]
fn what_is_no_object_is_told_from_what_is_damaged() {
    for bytes in [&b""[..], b"\x7fEL", b"BC\xc0\xde", b"!<arch>\n", &[0; 100]] {
        assert!(matches!(load(bytes), Err(LoadError::NotAnObject { .. })), "{bytes:?}");
    }
    for (machine, kind) in [(183, 1), (62, 2), (62, 3), (3, 1)] {
        let mut other = good();
        other[16..20].copy_from_slice(&[kind, 0, machine, 0]);
        assert!(matches!(load(&other), Err(LoadError::NotAnObject { .. })));
    }
    let own = std::fs::read("/proc/self/exe").unwrap();
    assert!(matches!(load(&own), Err(LoadError::NotAnObject { .. })), "a program is linked");
}
