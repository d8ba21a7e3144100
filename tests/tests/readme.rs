//! The README's first program is the example that is built and run here, and short enough to paste.

// Its own test, which runs it, comes with it.
#[path = "../../crates/oarlock/examples/first.rs"]
mod first;

const README: &str = include_str!("../../README.md");
const EXAMPLE: &str = include_str!("../../crates/oarlock/examples/first.rs");

/// The first fenced block of `language` in a page.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let open = format!("```{language}\n");
    let (_, rest) = page.split_once(&open).unwrap_or_else(|| panic!("the page has no {language} block"));
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_first_program_is_the_example() {
    let (_, program) = EXAMPLE.split_at(EXAMPLE.find("fn main").unwrap());
    assert_eq!(block(README, "rust"), program);
}

#[test]
fn the_first_program_is_short() {
    assert!(block(README, "rust").lines().count() < 40);
}

/// The crate that a reader depends on is where the README says.
#[test]
fn the_dependency_has_the_right_name_and_place() {
    let line = block(README, "toml").lines().find(|l| l.starts_with("oarlock")).expect("a dependency line");
    assert!(line.contains("crates/oarlock\""), "{line}");
    assert!(include_str!("../../crates/oarlock/Cargo.toml").contains("name = \"oarlock\""));
}
