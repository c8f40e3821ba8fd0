//! Golden tests: IVL text in, a pass list, IVL text out.

use trellis_ivl::{Program, text};
use trellis_ivl_passes::{Property, parse_list};

/// Runs the passes on the program and renders the result for a snapshot:
///
/// ```
/// let text = trellis_ivl_testing::optimised("ivl 1; proc main { loc a entry; }", "inline");
/// assert!(text.contains("proc main"));
/// ```
///
/// In a test: `insta::assert_snapshot!(optimised(include_str!("x.ivl"), "propagate, dce"))`, and
/// `cargo insta review` (or `INSTA_UPDATE=always cargo test`) accepts a changed result.
///
/// # Panics
/// When the text does not parse or verify, the list is wrong, or the result breaks a round trip.
pub fn optimised(input: &str, list: &str) -> String {
    let mut program = parse(input);
    let list = parse_list(list, &Property::of(&program)).unwrap_or_else(|e| panic!("{e}"));
    list.run(&mut program).unwrap_or_else(|e| panic!("{e}"));
    round_trip(&program);
    program.to_string()
}

/// Parses and verifies.
///
/// # Panics
/// With all errors when the text is not a well-formed program.
pub fn parse(input: &str) -> Program {
    let program = text::parse(input).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = trellis_ivl::verify::verify(&program) {
        panic!("{errors}");
    }
    program
}

/// Checks that printing, parsing and printing again gives the same text.
///
/// # Panics
/// With the difference when it does not.
pub fn round_trip(program: &Program) {
    let once = program.to_string();
    let again = text::parse(&once).unwrap_or_else(|e| panic!("{e}\nin\n{once}"));
    assert_eq!(once, again.to_string(), "printing is not stable");
}
