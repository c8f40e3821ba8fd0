//! k-invariants against exhaustive exploration, and on the programs of the papers.

use trellis_engine_common::Outcome;
use trellis_engine_kiki::DomainName::{self, *};
use trellis_engine_kiki::{Options, run};
use trellis_engine_testing::{Tally, certified, compare, corpus, session};
use trellis_ivl::Program;
use trellis_ivl_testing::Shape;
use trellis_plugin_sdk::NoHost;

fn decide(p: &Program, options: &Options) -> Outcome {
    run(p, &mut *session(), options, &mut NoHost).unwrap_or_else(|e| panic!("{e}\n{p}"))
}

/// The certified verdict on a program of the corpus.
fn verdict(name: &str, options: &Options) -> &'static str {
    let program = corpus(name);
    let outcome = decide(&program, options);
    println!("{name}: {:?} {:?}", outcome.verdict, outcome.stats);
    certified(&program, &outcome.pool, &outcome.verdict).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn random(domains: &[DomainName], property_directed: bool) -> Tally {
    let options = Options {
        max_k: Some(12),
        property_directed,
        ..Options::with_domains(domains)
    };
    compare(1_000, Shape::TINY, |p| decide(p, &options))
}

#[test]
fn havoc_agrees_with_exploration() {
    random(&[Havoc], false);
}

#[test]
fn templates_agree_with_exploration() {
    random(&[Equalities, Affine, Mod, Guards, Intervals], false);
}

#[test]
fn octagons_agree_with_exploration() {
    random(&[Octagons], false);
}

#[test]
fn property_direction_agrees_with_exploration() {
    let tally = random(&[Havoc], true);
    assert!(tally.safe_found * 10 > tally.safe * 9, "{tally:?}");
}

const PDR: [&str; 7] = ["const", "eq1", "eq2", "even", "odd", "mod4", "bin-suffix-5"];

#[test]
fn programs_of_the_pdr_paper() {
    let templates = Options::default();
    let directed = Options {
        property_directed: true,
        ..Options::with_domains(&[Havoc])
    };
    let plain = Options {
        max_k: Some(8),
        ..Options::with_domains(&[Havoc])
    };
    for name in PDR {
        let name = format!("pdr/{name}");
        assert_eq!(verdict(&name, &templates), "safe");
        assert_eq!(verdict(&name, &directed), "safe");
        // As the paper says, induction alone does not do it.
        assert_eq!(verdict(&name, &plain), "unknown");
    }
}

/// Fig. 1: one round with havoc or intervals is not enough; zones, octagons or a larger k are.
#[test]
fn uri_of_the_2ls_paper() {
    let one = |domain| Options {
        max_k: Some(1),
        ..Options::with_domains(&[domain])
    };
    for (domain, expected) in [
        (Havoc, "unknown"),
        (Intervals, "unknown"),
        (Zones, "safe"),
        (Octagons, "safe"),
    ] {
        assert_eq!(verdict("2ls/uri", &one(domain)), expected, "{domain:?}");
    }
    let induction = Options::with_domains(&[Havoc]);
    assert_eq!(verdict("2ls/uri", &induction), "safe");
}

#[test]
fn overflow_of_the_2ls_paper() {
    let options = Options::with_domains(&[Zones]);
    assert_eq!(verdict("2ls/bubble-overflow", &options), "unsafe");
    assert_eq!(verdict("2ls/bubble-safe", &options), "safe");
}

/// Fig. 3: its bug is found, and its fix proved by the program's own comparisons.
#[test]
fn matrix_of_the_2ls_paper() {
    let options = Options::with_domains(&[Guards]);
    assert_eq!(verdict("2ls/matrix-bug", &options), "unsafe");
    assert_eq!(verdict("2ls/matrix-fixed", &options), "safe");
}

#[test]
fn loops() {
    let havoc = Options::with_domains(&[Havoc]);
    for options in [
        Options::default(),
        havoc.clone(),
        Options {
            property_directed: true,
            ..havoc
        },
    ] {
        // Induction alone never learns that only the incomplete location is left, and would go on for ever.
        let options = Options {
            max_k: Some(24),
            ..options
        };
        assert_eq!(verdict("loops/nested-trap", &options), "unsafe");
        assert_eq!(verdict("loops/nested-safe", &options), "safe");
        assert_eq!(verdict("loops/irreducible", &options), "unsafe");
        assert_eq!(verdict("loops/goto-into", &options), "safe");
        assert_eq!(verdict("loops/incomplete", &options), "unknown");
    }
}

fn verdict_on(text: &str, options: &Options) -> &'static str {
    let program = trellis_ivl::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let outcome = decide(&program, options);
    println!("{:?} {:?}", outcome.verdict, outcome.stats);
    certified(&program, &outcome.pool, &outcome.verdict).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Invariants that take more than bounds of one or two variables that a comparison relates, each with the domain that has it.
#[test]
fn relations_of_many() {
    let with = |domains: &[DomainName]| Options {
        max_k: Some(3),
        ..Options::with_domains(domains)
    };
    // An equation that two ways keep, each by other numbers.
    let ways = "ivl 1; var a: bv32; var b: bv32; var i: bv32; var n: bv32; var c: bool; input i0 \"c\": bool; proc main() {
        loc l0 entry; loc h; loc m; loc e error \"e\";
        l0 -> h { assume n <=u 1000000bv32; a := 0bv32; b := 0bv32; i := 0bv32 };
        h -> m { assume i <u n; havoc c from i0; i := i + 1bv32 };
        m -> h { assume c; a := a + 1bv32; b := b + 2bv32 };
        m -> h { assume !c; a := a + 2bv32; b := b + 1bv32 };
        h -> e { assume n <=u i; assume a + b != n * 3bv32 }; } main main;";
    assert_eq!(verdict_on(ways, &with(&[Affine, Guards])), "safe");
    // A quadratic one, with the bound that makes it an equation of what is returned.
    let series = "ivl 1; var s: bv32; var i: bv32; var n: bv32; proc main() {
        loc l0 entry; loc h; loc e error \"e\";
        l0 -> h { assume 1bv32 <=s n; assume n <=s 1000bv32; s := 0bv32; i := 1bv32 };
        h -> h { assume i <=s n; s := s + i; i := i + 1bv32 };
        h -> e { assume n <s i; assume s * 2bv32 != n * (n + 1bv32) }; } main main;";
    assert_eq!(verdict_on(series, &with(&[Affine, Guards])), "safe");
    // Counters that nothing compares.
    let counters = "ivl 1; var k: bv32; var l: bv32; var n: bv32; var c: bool; input i0 \"c\": bool; proc main() {
        loc l0 entry; loc h; loc m; loc e error \"e\";
        l0 -> h { assume 0bv32 <s l; assume l <s 1000000bv32; assume n <s 1000000bv32; k := 1bv32 };
        h -> m { assume k <s n; k := k + 1bv32; havoc c from i0 };
        m -> h { assume c; l := l + 1bv32 };
        m -> h { assume !c };
        h -> e { assume l <=s 0bv32 }; } main main;";
    assert_eq!(verdict_on(counters, &with(&[Guards, Intervals])), "unknown");
    assert_eq!(
        verdict_on(counters, &with(&[Guards, Intervals, Counters])),
        "safe"
    );
}

/// The length of a text, kept where sizes are kept, and a walk along the text that stays below it.
#[test]
fn what_ends_a_loop_lies_in_memory() {
    let text = "ivl 1; var mem: [bv16]bv8; var size: [bv8]bv16; var n: bv16; var i: bv16; var j: bv16; proc main() {
        loc l0 entry; loc h; loc g; loc e error \"e\";
        l0 -> h { assume n <u 100bv16; mem := mem[n + 4096bv16 := 0bv8]; i := 0bv16 };
        h -> h { assume mem[i + 4096bv16] != 0bv8; i := i + 1bv16 };
        h -> e { assume n <u i };
        h -> g { assume mem[i + 4096bv16] == 0bv8; size := size[1bv8 := i + 1bv16]; j := 0bv16 };
        g -> g { assume mem[j + 4096bv16] != 0bv8; j := j + 1bv16 };
        g -> e { assume SIZE <=u j }; } main main;";
    let with = |domains: &[DomainName]| Options {
        max_k: Some(2),
        ..Options::with_domains(domains)
    };
    let right = text.replace("SIZE", "size[1bv8]");
    assert_eq!(verdict_on(&right, &with(&[Guards, Intervals])), "unknown");
    assert_eq!(verdict_on(&right, &with(&[Guards, Addresses])), "safe");
    let wrong = text.replace("SIZE", "size[1bv8] - 1bv16");
    assert_ne!(verdict_on(&wrong, &with(&[Guards, Addresses])), "safe");
}
