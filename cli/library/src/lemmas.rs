//! The lemma board's checker: candidates of all engines become proved lemmas by Houdini, on the
//! program that the engines got.

use crate::judge::Checker;
use crate::stop::interrupting;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{Loc, Program, Term};
use trellis_ivl_certify::houdini;
use trellis_plugin_host::run::{Promoter, Promotion, Stopped};
use trellis_plugin_sdk::solver::Limits;
use trellis_plugin_sdk::wire::verdict;
use trellis_plugin_sdk::{Lemma, LemmaKind};

/// Wall time per query: a lemma that takes longer helps nobody.
const PATIENCE: Duration = Duration::from_secs(5);
/// Candidates that are kept; beyond, publishing has no effect.
const MOST: usize = 10_000;
/// Lemmas that are told in words.
const MOST_TOLD: usize = 1_000;

/// Candidates and what became of them.
pub struct Houdini {
    program: Program,
    checker: Checker,
    candidates: BTreeMap<Loc, Vec<Term>>,
    /// Who published a candidate first.
    publisher: BTreeMap<(Loc, Term), String>,
    proved: BTreeSet<(Loc, Term)>,
}

impl Houdini {
    /// Nothing published yet.
    pub fn new(program: Program, checker: Checker) -> Houdini {
        Houdini {
            program,
            checker,
            candidates: BTreeMap::new(),
            publisher: BTreeMap::new(),
            proved: BTreeSet::new(),
        }
    }

    /// What was proved of each engine's lemmas, as text by location of the program that the engines got.
    pub fn texts(&self) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
        let mut printer = TermPrinter::new(&self.program.pool);
        let mut texts: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for (loc, term) in self.proved.iter().take(MOST_TOLD) {
            let of_engine = texts.entry(self.publisher[&(*loc, *term)].clone());
            let at = of_engine.or_default().entry(loc.to_string());
            at.or_default().push(printer.print(*term));
        }
        texts
    }
}

impl Promoter for Houdini {
    fn publish(&mut self, engine: &str, words: &[u32]) -> Result<u64, String> {
        let lemmas = verdict::read_lemmas(&mut self.program, words).map_err(|e| e.to_string())?;
        for lemma in &lemmas {
            let key = (lemma.loc, lemma.term);
            // What an engine calls proved is a candidate here, too, and so is a bounded fact: it may
            // hold beyond its bound, and counts only when that is shown.
            if self.publisher.len() < MOST && !self.publisher.contains_key(&key) {
                self.publisher.insert(key, engine.to_string());
                self.candidates
                    .entry(lemma.loc)
                    .or_default()
                    .push(lemma.term);
            }
        }
        Ok(lemmas.len() as u64)
    }

    fn prove(&mut self, stopped: Stopped<'_>) -> Result<Vec<Promotion>, String> {
        let backends = self.checker.backends("")?;
        let backend = backends.last().ok_or("there is no solver")?;
        let session = backend.session(&self.checker.config);
        let mut session = session.map_err(|e| e.to_string())?;
        session.set_limits(Limits::wall(PATIENCE));
        let (program, candidates) = (&mut self.program, &self.candidates);
        let holds = interrupting(session.interrupter(), stopped, || {
            houdini(program, candidates, &mut *session).map_err(|e| e.to_string())
        })?;
        let mut new: BTreeMap<String, Vec<Lemma>> = BTreeMap::new();
        for (loc, terms) in holds {
            for term in terms {
                if self.proved.insert((loc, term)) {
                    let publisher = self.publisher[&(loc, term)].clone();
                    new.entry(publisher).or_default().push(Lemma {
                        loc,
                        term,
                        kind: LemmaKind::Proved,
                    });
                }
            }
        }
        let promotion = |(engine, lemmas): (String, Vec<Lemma>)| Promotion {
            engine,
            count: lemmas.len() as u64,
            words: verdict::write_lemmas(&self.program.pool, &lemmas),
        };
        Ok(new.into_iter().map(promotion).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::text;

    const COUNTER: &str = "ivl 1;
        var x: bv8;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"unreach-call\";
          l0 -> l1 { x := 0bv8 };
          l1 -> l1 { assume x <u 10bv8; x := x + 2bv8 };
          l1 -> l2 { assume x == 7bv8 };
        }
        main main;";

    /// A false lemma, one that holds but is not inductive, and two that are so only together.
    #[test]
    fn only_what_is_inductive_together_is_proved() {
        let mut program = text::parse(COUNTER).expect("the text is right");
        let head = program.locs.keys().nth(1).expect("three locations");
        let mut term = |t: &str| Lemma {
            loc: head,
            term: text::parse_term(&mut program, t).expect("a term"),
            kind: LemmaKind::Proved,
        };
        let liar = [term("x == 0bv8"), term("x != 11bv8")];
        let honest = [term("x[0:0] == 0bv1"), term("x <=u 10bv8")];
        let mut houdini = Houdini::new(program.clone(), Checker::default());
        let mut publish = |engine: &str, lemmas: &[Lemma]| {
            let words = verdict::write_lemmas(&program.pool, lemmas);
            houdini.publish(engine, &words).expect("readable");
            let new = houdini.prove(&|| false).expect("a solver");
            let new = new.into_iter().map(|p| (p.engine, p.count));
            new.collect::<Vec<_>>()
        };
        assert_eq!(publish("liar", &liar[..1]), []);
        assert_eq!(publish("liar", &liar[1..]), []);
        assert_eq!(publish("honest", &honest[1..]), []);
        let all = [("honest".to_string(), 2), ("liar".to_string(), 1)];
        assert_eq!(publish("honest", &honest), all);
        assert_eq!(publish("honest", &honest), [], "nothing is told twice");
        assert!(houdini.publish("liar", &[7, 7, 7]).is_err());
        let texts = houdini.texts();
        let at = head.to_string();
        assert_eq!(texts["honest"][&at].len(), 2);
        assert_eq!(texts["liar"][&at], ["x != 11bv8"]);
    }
}
