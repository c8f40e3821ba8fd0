//! A SAT solver that tries every assignment, and small families of formulas.

use super::Rng;
use crate::sat::Lit;

/// Clauses over at most 16 variables, decided by trying every assignment.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    /// The clauses.
    pub clauses: Vec<Vec<Lit>>,
}

impl Cnf {
    /// Whether an assignment, bit `i` for variable `i + 1`, makes `lit` true.
    fn holds(assignment: u32, lit: Lit) -> bool {
        (assignment >> (lit.var() - 1) & 1 == 1) != lit.is_negative()
    }

    /// Whether the clauses and `assumptions` have a model over `vars` variables.
    pub fn satisfiable(&self, vars: u32, assumptions: &[Lit]) -> bool {
        (0..1u32 << vars).any(|assignment| {
            assumptions.iter().all(|&lit| Cnf::holds(assignment, lit))
                && self
                    .clauses
                    .iter()
                    .all(|c| c.iter().any(|&lit| Cnf::holds(assignment, lit)))
        })
    }
}

/// A random literal over `vars` variables.
pub(super) fn random_lit(rng: &mut Rng, vars: u32) -> Lit {
    let lit = Lit::positive(1 + rng.below(vars as usize) as u32).expect("a small number from 1");
    if rng.one_in(2) { !lit } else { lit }
}

/// A random clause, mostly of three literals, with repeated and opposite literals at times.
pub fn random_clause(rng: &mut Rng, vars: u32) -> Vec<Lit> {
    let length = if rng.one_in(4) { rng.range(1, 5) } else { 3 };
    (0..length).map(|_| random_lit(rng, vars)).collect()
}

/// `holes + 1` pigeons do not fit into `holes` holes: exponentially hard for resolution (Haken 1985).
pub fn pigeonhole(holes: u32) -> Vec<Vec<Lit>> {
    let at = |pigeon: u32, hole: u32| Lit::positive(1 + pigeon * holes + hole).expect("small");
    let mut clauses: Vec<Vec<Lit>> = (0..=holes)
        .map(|p| (0..holes).map(|h| at(p, h)).collect())
        .collect();
    for hole in 0..holes {
        for p in 0..=holes {
            clauses.extend((0..p).map(|q| vec![!at(p, hole), !at(q, hole)]));
        }
    }
    clauses
}
