//! Prints what the compiler makes of a program: `show FILE [ir|asm|info]`.
use oarlock_codegen::{Compiler, Emit, Options};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).unwrap();
    let c = Compiler::new();
    let t = c.host_target();
    match args.get(2).map(String::as_str) {
        Some("asm") => println!("{}", c.emit(&bytes, &t, &Options::default(), Emit::Assembly).unwrap()),
        Some("info") => println!(
            "{:#?}\n{:#?}",
            c.inspect(&bytes),
            c.compile(&bytes, &t, &Options::default()).map(|i| i.metadata)
        ),
        _ => println!("{}", c.emit(&bytes, &t, &Options::default(), Emit::Ir).unwrap()),
    }
}
