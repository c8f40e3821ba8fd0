//! The explicit program counter.

use trellis_ivl_testing::{Shape, check_random, optimised};

#[test]
fn makes_locations_a_counter() {
    insta::assert_snapshot!(optimised(
        include_str!("data/simple_add.ivl"),
        "inline, dce, lbe(limit=4), monolithic"
    ));
}

#[test]
fn leaves_hardware_as_it_is() {
    let hardware = include_str!("data/counter.ivl");
    assert_eq!(
        optimised(hardware, "inline, monolithic"),
        optimised(hardware, "")
    );
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, monolithic", Shape::TINY, 1000);
    check_random("inline, lbe, monolithic", Shape::TINY, 300);
}
