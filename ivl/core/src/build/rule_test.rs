//! The rule test: every rule of the builder on arguments that nobody simplified, against the evaluator.
//!
//! The names of the rules are read from the sources of the builder. What is built is enumerated
//! ([`terms`]): every operation over arguments that are leaves or raw nodes, at all widths from 1 to 4,
//! compared for all values of the variables; then random terms, deeper and wider. A rule that nothing
//! fires fails the test, and so does a term that changed though no rule says that it fired.
//!
//! That the comparison is sharp is shown by breaking each rule ([`Fault`]) and asking the same cases.
//!
//! A rule that fires less often than it could keeps every meaning. So how often each fires on a fixed share of the cases is
//! recorded (the census): whoever changes when a rule applies sees it there.

mod compare;
mod terms;

use super::probe::Fault;
use compare::{Case, Comparison};
use std::collections::BTreeSet;
use terms::Universe;

/// The names of all rules, from the sources.
fn names() -> BTreeSet<&'static str> {
    let sources = [
        include_str!("../build.rs"),
        include_str!("arithmetic.rs"),
        include_str!("array.rs"),
        include_str!("boolean.rs"),
        include_str!("compare.rs"),
        include_str!("slice.rs"),
    ];
    let mut names = BTreeSet::new();
    for source in sources {
        // What precedes the first is no rule.
        for rule in source.split("rule!(").skip(1) {
            let name = rule.split('"').nth(1).expect("a rule has a name");
            assert!(names.insert(name), "two rules are named {name}");
        }
    }
    names
}

/// Cases with a given share of arguments that are nodes: one, or two where there are two arguments. Of so many
/// one is compared.
fn enumerated(universe: &mut Universe, comparison: &mut Comparison, stride: usize) {
    let mut turns = (0..stride).cycle();
    for ty in universe.results() {
        for signature in universe.signatures(ty) {
            universe.for_each_application(&signature, &mut |pool, args| {
                if turns.next() == Some(0) {
                    comparison.agree(pool, &Case::new(&signature, args));
                }
            });
        }
    }
}

fn random(universe: &mut Universe, comparison: &mut Comparison, count: usize) {
    for _ in 0..count {
        let (signature, args) = universe.random_application();
        comparison.agree(&mut universe.pool, &Case::new(&signature, &args));
    }
}

/// One case of so many is in the census.
const CENSUS: usize = 23;

#[test]
fn rules_fire_as_often_as_recorded() {
    let mut universe = Universe::new();
    let mut comparison = Comparison::new(9);
    enumerated(&mut universe, &mut comparison, CENSUS);
    random(&mut universe, &mut comparison, 40_000 / CENSUS);
    let mut census = format!(
        "applications: {}\nchanged by the builder: {}\nchanged by the plain constructor: {}\n",
        comparison.applications, comparison.rewritten, comparison.decided,
    );
    for (rule, firings) in &comparison.firings {
        census.push_str(&format!("{rule}: {firings}\n"));
    }
    insta::assert_snapshot!(census);
}

#[test]
fn every_rule_keeps_the_meaning_and_would_be_missed() {
    let mut universe = Universe::new();
    let mut comparison = Comparison::new(9);
    enumerated(&mut universe, &mut comparison, 1);
    random(&mut universe, &mut comparison, 40_000);
    // Mutation testing has sources in which each rule stands many times: it compares, and asks the census for the rest.
    if std::env::var_os("TRELLIS_RULES_COMPARE_ONLY").is_some() {
        return;
    }

    let names = names();
    let silent: Vec<_> = names
        .iter()
        .filter(|n| !comparison.firings.contains_key(*n))
        .collect();
    assert!(silent.is_empty(), "no case fires {silent:?}");
    assert!(comparison.decided > 0, "constants decided nothing");
    println!(
        "{} rules, {} firings; {} applications, {} changed by the builder, {} by the plain constructor; {} evaluations",
        names.len(),
        comparison.firings.values().sum::<u64>(),
        comparison.applications,
        comparison.rewritten,
        comparison.decided,
        comparison.evaluations,
    );

    let mut unnoticed = Vec::new();
    for &name in &names {
        for fault in [Fault::Everywhere, Fault::AtZero] {
            universe.pool.probe.broken = Some((name, fault));
            if !comparison.notices(&mut universe.pool, name) {
                unnoticed.push((name, fault));
            }
        }
    }
    assert!(unnoticed.is_empty(), "broken unnoticed: {unnoticed:?}");
    println!("{} broken rules, each noticed", 2 * names.len());
}
