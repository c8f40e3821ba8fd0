//! Data flow against exhaustive exploration: verdicts, and every published fact in every reachable state.

use trellis_engine_dataflow::{Options, run};
use trellis_engine_testing::{certified, compare, corpus, session};
use trellis_ivl::{Loc, TermPool, Value, text};
use trellis_ivl_testing::{Shape, explore};
use trellis_plugin_sdk::{Host, Lemma, NoHost};

/// Keeps what is published, as text.
#[derive(Default)]
struct Board(Vec<(Loc, String)>);

impl Host for Board {
    fn publish(&mut self, pool: &TermPool, lemmas: &[Lemma]) {
        let facts = lemmas
            .iter()
            .map(|l| (l.loc, text::print_term(pool, l.term)));
        self.0.extend(facts);
    }
}

#[test]
fn facts_hold_in_every_reachable_state() {
    let mut facts = 0;
    let tally = compare(1_000, Shape::TINY, |p| {
        let mut board = Board::default();
        let outcome = run(p, &mut *session(), &Options::default(), &mut board)
            .unwrap_or_else(|e| panic!("{e}\n{p}"));
        let mut own = p.clone();
        let lemmas: Vec<_> = board
            .0
            .iter()
            .map(|(l, t)| {
                (
                    *l,
                    text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{t}: {e}")),
                )
            })
            .collect();
        facts += lemmas.len();
        let reachable = explore(p, 4_000).expect("small");
        for (loc, values) in reachable.states() {
            let state: std::collections::BTreeMap<_, _> = values.collect();
            let value = |v| match state.get(&v) {
                Some(&value) => value.clone(),
                None => Value::zero(own.pool.var_ty(v)),
            };
            for (l, t) in &lemmas {
                if *l == loc {
                    let holds = own.pool.eval(*t, value) == Value::Bool(true);
                    assert!(holds, "{l}: {}\n{p}", text::print_term(&own.pool, *t));
                }
            }
        }
        outcome
    });
    println!("{facts} facts");
    assert!(facts > 300, "{facts}");
    assert!(tally.safe_found * 4 > tally.safe, "{tally:?}");
}

/// The programs whose invariants lie in the domains are proved; the others are not claimed.
#[test]
fn programs_of_the_pdr_paper() {
    for (name, expected) in [
        ("const", "safe"),
        ("eq1", "safe"),
        ("eq2", "safe"),
        ("even", "safe"),
        ("odd", "safe"),
        ("mod4", "safe"),
        ("bin-suffix-5", "safe"),
    ] {
        let program = corpus(&format!("pdr/{name}"));
        let outcome =
            run(&program, &mut *session(), &Options::default(), &mut NoHost).expect("runs");
        println!("{name}: {:?}", outcome.verdict);
        let verdict = certified(&program, &outcome.pool, &outcome.verdict);
        assert_eq!(verdict, Ok(expected), "{name}");
    }
}
