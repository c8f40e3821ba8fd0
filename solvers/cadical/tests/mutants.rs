//! Damaged proofs: steps and clauses that are dropped, swapped or changed. Whatever the checker still accepts is still a
//! proof: every one of its steps is shown again here by plain unit propagation over all clauses, without hints.

use std::sync::{Arc, Mutex};
use trellis_solver_api::sat::{Lit, SatBackend};
use trellis_solver_api::testing::{Rng, pigeonhole, random_clause};
use trellis_solver_api::{Answer, SessionConfig};
use trellis_solver_cadical::{ProvedCadical, Refutation};
use trellis_solver_lrat::{BinaryReader, Checker, Formula, Rejection, Step, step, text};

const MUTANTS: usize = 500;

/// One step, owned.
#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Add(u64, Vec<i32>, Vec<i64>),
    Delete(Vec<u64>),
}

impl Owned {
    fn borrowed(&self) -> Step<'_> {
        match self {
            Owned::Add(id, clause, hints) => Step::Add {
                id: *id,
                clause,
                hints,
            },
            Owned::Delete(ids) => Step::Delete { ids },
        }
    }
}

impl From<Step<'_>> for Owned {
    fn from(step: Step<'_>) -> Owned {
        match step {
            Step::Add { id, clause, hints } => Owned::Add(id, clause.into(), hints.into()),
            Step::Delete { ids } => Owned::Delete(ids.into()),
        }
    }
}

#[derive(Clone)]
struct Proof {
    formula: Formula,
    steps: Vec<Owned>,
}

impl Proof {
    fn of(refutation: &Refutation) -> Proof {
        let bytes = refutation.proof.as_deref().expect("it is short");
        let mut steps = Vec::new();
        let proof = std::str::from_utf8(bytes).expect("text");
        text::read_proof(proof, |step| {
            steps.push(step.into());
            Ok::<(), Rejection>(())
        })
        .expect("what we write we read");
        let formula = refutation.formula.clone();
        Proof { formula, steps }
    }

    /// What the checker says.
    fn check(&self) -> Result<(), Rejection> {
        let mut checker = Checker::new(&self.formula, 1 << 30)?;
        self.steps
            .iter()
            .try_for_each(|step| checker.take(step.borrowed()))?;
        checker.conclude()
    }

    /// Whether each step up to the empty clause follows by unit propagation, and there is one.
    fn is_a_proof(&self) -> bool {
        let mut clauses: Vec<Vec<i32>> = self.formula.clauses().map(<[i32]>::to_vec).collect();
        for step in &self.steps {
            if let Owned::Add(_, clause, _) = step {
                if !follows(&clauses, clause) {
                    return false;
                }
                clauses.push(clause.clone());
            }
            if clauses.last().is_some_and(Vec::is_empty) {
                return true;
            }
        }
        clauses.iter().any(Vec::is_empty)
    }
}

/// Reverse unit propagation by going through all clauses until nothing changes. Deleted clauses may be used: what
/// follows with them is true all the same.
fn follows(clauses: &[Vec<i32>], goal: &[i32]) -> bool {
    let mut truth = std::collections::BTreeSet::new();
    truth.extend(goal.iter().map(|lit| -lit));
    loop {
        let mut changed = false;
        for clause in clauses {
            if clause.iter().any(|lit| truth.contains(lit)) {
                continue;
            }
            let mut open: Vec<i32> = clause.clone();
            open.retain(|lit| !truth.contains(&-lit));
            open.dedup();
            match open[..] {
                [] => return true,
                [lit] => changed |= truth.insert(lit),
                _ => {}
            }
        }
        if !changed {
            return false;
        }
    }
}

/// Refutations by CaDiCaL of pigeons and of random clauses.
fn proofs() -> Vec<Proof> {
    let mut rng = Rng::new(7);
    let mut found: Vec<Proof> = (3..6).filter_map(|n| refute(&pigeonhole(n), n)).collect();
    for seed in 0..200 {
        let vars = 30 + seed % 30;
        let clauses = (0..5 * vars).map(|_| random_clause(&mut rng, vars));
        found.extend(refute(&clauses.collect::<Vec<_>>(), seed));
        if found.len() == 20 {
            break;
        }
    }
    assert_eq!(found.len(), 20, "enough random formulas are unsatisfiable");
    found
}

fn refute(clauses: &[Vec<Lit>], seed: u32) -> Option<Proof> {
    let kept: Arc<Mutex<Option<Proof>>> = Arc::default();
    let keep = kept.clone();
    let backend = ProvedCadical::keeping(Arc::new(move |refutation: Refutation| {
        *keep.lock().expect("nobody panics") = Some(Proof::of(&refutation));
    }));
    let config = SessionConfig {
        seed: seed.into(),
        ..SessionConfig::default()
    };
    let mut session = backend.session(&config).expect("a session");
    for clause in clauses {
        session.add_clause(clause);
    }
    if session.solve().expect("its proof is accepted") != Answer::Unsat {
        return None;
    }
    let proof = kept.lock().expect("nobody panics").take();
    let proof = proof.expect("a refutation is kept");
    let given = clauses.iter().map(|c| c.iter().map(|lit| lit.to_dimacs()));
    assert!(
        given
            .map(Iterator::collect::<Vec<i32>>)
            .eq(proof.formula.clauses().map(<[i32]>::to_vec)),
        "the formula is the caller's"
    );
    Some(proof)
}

/// Another formula, by a change of its clauses.
fn with_clauses(formula: &Formula, change: impl FnOnce(&mut Vec<Vec<i32>>)) -> Formula {
    let mut clauses: Vec<Vec<i32>> = formula.clauses().map(<[i32]>::to_vec).collect();
    change(&mut clauses);
    let mut changed = Formula::default();
    for clause in clauses {
        changed.add_clause(clause);
    }
    changed
}

/// A random damage, and its name.
fn damage(proof: &Proof, rng: &mut Rng) -> (&'static str, Proof) {
    let mut mutant = proof.clone();
    let vars = proof.formula.variables() as usize;
    let at = rng.below(mutant.steps.len());
    let name = match rng.below(11) {
        0 => {
            mutant.steps.remove(at);
            "a dropped step"
        }
        1 => {
            mutant.steps.truncate(at);
            "the end cut off"
        }
        2 => {
            let other = rng.below(mutant.steps.len());
            mutant.steps.swap(at, other);
            "two steps swapped"
        }
        3 => {
            mutant.formula = with_clauses(&proof.formula, |clauses| {
                clauses.remove(rng.below(clauses.len()));
            });
            "a dropped clause of the formula, with all numbers moved"
        }
        4 => {
            // A clause that says nothing keeps the numbers.
            mutant.formula = with_clauses(&proof.formula, |clauses| {
                let at = rng.below(clauses.len());
                clauses[at] = vec![1, -1];
            });
            "a clause of the formula made void"
        }
        5 => {
            mutant.formula = with_clauses(&proof.formula, |clauses| {
                let clause = rng.below(clauses.len());
                let lit = rng.below(clauses[clause].len());
                clauses[clause][lit] *= -1;
            });
            "a flipped literal of the formula"
        }
        kind => {
            let adds = mutant.steps.iter_mut().filter_map(|step| match step {
                Owned::Add(id, clause, hints) => Some((id, clause, hints)),
                Owned::Delete(_) => None,
            });
            let mut adds: Vec<_> = adds.collect();
            let at = rng.below(adds.len());
            let (id, clause, hints) = &mut adds[at];
            match kind {
                6 if !hints.is_empty() => {
                    hints.remove(rng.below(hints.len()));
                    "a dropped hint"
                }
                7 if !hints.is_empty() => {
                    let hint = rng.below(hints.len());
                    hints[hint] = rng.range(1, **id as usize) as i64;
                    "a changed hint"
                }
                8 if !clause.is_empty() => {
                    clause.remove(rng.below(clause.len()));
                    "a dropped literal"
                }
                9 if !clause.is_empty() => {
                    let lit = rng.below(clause.len());
                    let var = 1 + rng.below(vars) as i32;
                    clause[lit] = if rng.one_in(2) { -var } else { var };
                    "a changed literal"
                }
                _ => {
                    hints.clear();
                    "no hints"
                }
            }
        }
    };
    (name, mutant)
}

#[test]
fn what_is_accepted_is_a_proof() {
    let proofs = proofs();
    for proof in &proofs {
        assert_eq!(proof.check(), Ok(()));
        assert!(proof.is_a_proof(), "the second opinion is right");
    }
    let mut rng = Rng::new(15);
    let (mut mutants, mut accepted) = (0, 0);
    let mut rejected = std::collections::BTreeMap::new();
    while mutants < MUTANTS {
        let original = &proofs[rng.below(proofs.len())];
        let (name, mutant) = damage(original, &mut rng);
        if mutant.steps == original.steps && mutant.formula == original.formula {
            continue;
        }
        mutants += 1;
        match mutant.check() {
            Ok(()) => {
                accepted += 1;
                assert!(mutant.is_a_proof(), "{name}: accepted, and no proof");
            }
            Err(_) => *rejected.entry(name).or_insert(0) += 1,
        }
    }
    eprintln!("{mutants} mutants, {accepted} accepted that are proofs, rejected: {rejected:#?}");
    assert_eq!(rejected.len(), 11, "every damage matters at times");
    assert!(accepted < MUTANTS / 2, "most damages matter");
}

/// Whatever bytes come, the reader gives steps or says what is wrong, and the checker does not accept them for a formula
/// that has models.
#[test]
fn any_bytes_are_read() {
    let mut satisfiable = Formula::default();
    for clause in [&[1, 2][..], &[-1, 2], &[3, -2], &[3, 4]] {
        satisfiable.add_clause(clause.iter().copied());
    }
    let mut bytes = Vec::new();
    for step in proofs().swap_remove(0).steps {
        step::write_binary(step.borrowed(), &mut bytes);
    }
    let mut rng = Rng::new(3);
    let (mut malformed, mut read) = (0, 0);
    for round in 0..3000 {
        let piece: Vec<u8> = if round % 2 == 0 {
            // Small numbers, so that some of it makes sense.
            let len = rng.below(60);
            let byte = |rng: &mut Rng| {
                *[b'a', b'd', 0, 0, 2, 3, 4, 6, 8, 10, 0xff]
                    .get(rng.below(12))
                    .unwrap_or(&5)
            };
            (0..len).map(|_| byte(&mut rng)).collect()
        } else {
            let mut damaged = bytes.clone();
            for _ in 0..rng.range(1, 4) {
                let at = rng.below(damaged.len());
                damaged[at] = rng.below(256) as u8;
            }
            damaged
        };
        let mut checker = Checker::new(&satisfiable, 1 << 20).expect("it is small");
        let mut reader = BinaryReader::default();
        let mut whole = Ok(());
        for part in piece.chunks(1 + round % 7) {
            whole = whole.and_then(|()| reader.read(part, |step| checker.take(step)));
        }
        assert!(!checker.is_refuted(), "{piece:?}");
        match whole {
            Err(Rejection::Malformed(_)) => malformed += 1,
            _ => read += 1,
        }
        // The same as text: it is read, or it is told why not.
        let _ = text::read_proof(&String::from_utf8_lossy(&piece), |step| checker.take(step));
        let _ = text::read_dimacs(&String::from_utf8_lossy(&piece));
        assert!(!checker.is_refuted(), "{piece:?}");
    }
    assert!(malformed > 100 && read > 100, "{malformed} {read}");
}
