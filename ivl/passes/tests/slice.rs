//! `slice`: the cone of influence of errors.

use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::{Rng, Shape, check_list, check_random, optimised, structured};

#[test]
fn keeps_what_errors_depend_on() {
    let input = include_str!("data/cone.ivl");
    insta::assert_snapshot!("exact", optimised(input, "slice, dce"));
    insta::assert_snapshot!("loops_dropped", optimised(input, "slice(loops=drop), dce"));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, slice", Shape::TINY, 1000);
    check_random("inline, (propagate, slice, dce)*", Shape::TINY, 300);
}

#[test]
fn keeps_the_meaning_of_structured_programs() {
    let (mut done, mut smaller) = (0, 0);
    for seed in 0..1_200 {
        let p = structured(&mut Rng::new(seed));
        match check_list(&p, "inline, slice") {
            Ok(enumerated) => done += usize::from(enumerated),
            Err(why) => panic!("seed {seed}: {why}\n{p}"),
        }
        let branches = |list: &str| {
            let mut q = p.clone();
            let list = parse_list(list, &[Property::Flat]).expect("a correct list");
            list.run(&mut q).expect("a correct pass");
            q.edges.len() as i64 - q.locs.len() as i64
        };
        smaller += usize::from(branches("slice, dce") < branches("dce"));
    }
    assert!(done >= 1_000, "only {done} programs enumerated");
    assert!(smaller >= 300, "only {smaller} programs lost a branch");
}
