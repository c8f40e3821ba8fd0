//! Random programs through the text form and the verifier.

use trellis_ivl::verify::verify;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, check_random, round_trip};

#[test]
fn random_programs_are_well_formed_and_keep_their_text() {
    for (shape, count) in [
        (Shape::TINY, 1_000),
        (Shape::CALLS, 1_000),
        (Shape::WIDE, 300),
    ] {
        for seed in 0..count {
            let p = program(&mut Rng::new(seed), shape);
            if let Err(errors) = verify(&p) {
                panic!("seed {seed}: {errors}\n{p}");
            }
            round_trip(&p);
        }
    }
}

/// Calls on a stack (the interpreter, by replay) and by expansion agree.
#[test]
fn expansion_of_calls_keeps_meaning() {
    check_random("inline(recursion=2,max_edges=200)", Shape::CALLS, 1_000);
}
