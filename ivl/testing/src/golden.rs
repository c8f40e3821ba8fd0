//! Golden tests: IVL text in, passes, IVL text out.

use crate::passes::Passes;
use trellis_ivl::{Program, text};

/// Runs the passes on the program and renders the result for a snapshot:
///
/// ```
/// let text = trellis_ivl_testing::optimised("ivl 1; proc main { loc a entry; }", "inline");
/// assert!(text.contains("proc main"));
/// ```
///
/// In a test: `insta::assert_snapshot!(optimised(include_str!("x.ivl"), "propagate, dce"))`, or with a pass of your
/// own `optimised(include_str!("x.ivl"), &MyPass as &dyn Pass)`, and `cargo insta review` (or `INSTA_UPDATE=always cargo test`) accepts a changed result.
///
/// # Panics
/// When the text does not parse or verify, the list is wrong, or the result does not verify or breaks a round trip.
pub fn optimised(input: &str, passes: &(impl Passes + ?Sized)) -> String {
    let mut program = parse(input);
    passes.run(&mut program).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = trellis_ivl::verify::verify(&program) {
        panic!("{} made an ill-formed program: {errors}", passes.describe());
    }
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
