//! The gates as clauses, with gates eliminated where that does not add clauses.
//!
//! Each clause belongs to the gate it helps to define. Substituting a gate into its users
//! (resolving its definition with theirs: Eén and Biere, "Effective preprocessing in SAT through
//! variable and clause elimination", SAT'05, restricted to definitions) keeps that: what
//! remains of a gate's clauses defines it by the variables in them. So the dependencies that
//! restrict the solver's domains survive elimination, and exclusive ors and choices, three gates
//! each, come out as their four ternary clauses.

use crate::aig::Node;
use crate::lit::{Lit, Var};
use crate::model::Model;
use crate::sat::{Dependencies, Solver};
use std::rc::Rc;

type Clause = Vec<Lit>;

/// Longest clause that elimination may make.
const MAX_LENGTH: usize = 12;

/// Gates beyond which none is eliminated: lists of clauses take ten times the memory of the gates.
const MAX_ELIMINATED: usize = 1 << 20;

/// Clauses by the gate they define.
pub struct Cnf {
    owned: Vec<Vec<Clause>>,
    /// Gates as they are, where none was eliminated.
    plain: Vec<Node>,
}

impl Cnf {
    /// The clauses of all gates of a model; `eliminate` removes gates that no latch, bad condition,
    /// constraint or signal names.
    pub fn new(model: &Model, eliminate: bool, stop: &mut dyn FnMut() -> bool) -> Cnf {
        let nodes = model.aig.nodes();
        if !eliminate || nodes.len() > MAX_ELIMINATED {
            return Cnf {
                owned: Vec::new(),
                plain: nodes.to_vec(),
            };
        }
        let mut owned: Vec<Vec<Clause>> = vec![Vec::new(); nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            if let Node::And(a, b) = *node {
                let g = Lit::of(i as Var);
                owned[i] = vec![vec![a, !g], vec![b, !g], vec![!a, !b, g]];
            }
        }
        let mut cnf = Cnf {
            owned,
            plain: Vec::new(),
        };
        let mut frozen = vec![false; nodes.len()];
        let roots = model.latches.iter().map(|l| l.next);
        let roots = roots.chain(model.constraints.iter().copied());
        let signals = model.signals.iter();
        let signals = signals.flat_map(|s| [Lit::of(s.var), s.next]);
        for lit in roots.chain([model.bad]).chain(signals) {
            frozen[lit.at()] = true;
        }
        for _ in 0..3 {
            if !cnf.eliminate(&frozen, stop) {
                break;
            }
        }
        cnf
    }

    /// One round over all gates; whether one was eliminated. It may end at any gate.
    fn eliminate(&mut self, frozen: &[bool], stop: &mut dyn FnMut() -> bool) -> bool {
        let mut users: Vec<Vec<Var>> = vec![Vec::new(); self.owned.len()];
        for (gate, clauses) in self.owned.iter().enumerate() {
            for lit in clauses.iter().flatten() {
                if lit.at() != gate && users[lit.at()].last() != Some(&(gate as Var)) {
                    users[lit.at()].push(gate as Var);
                }
            }
        }
        let mut changed = false;
        for gate in 1..self.owned.len() {
            if gate.is_multiple_of(1 << 10) && stop() {
                return false;
            }
            if frozen[gate] || self.owned[gate].is_empty() {
                continue;
            }
            users[gate].sort_unstable();
            users[gate].dedup();
            let using = std::mem::take(&mut users[gate]);
            if using.len() > 16 {
                continue;
            }
            let Some(rewritten) = self.substituted(gate as Var, &using) else {
                continue;
            };
            changed = true;
            self.owned[gate].clear();
            for (user, clauses) in using.iter().zip(rewritten) {
                for lit in clauses.iter().flatten() {
                    // Lists are only ever too long: elimination looks at the clauses themselves.
                    let list = &mut users[lit.at()];
                    if lit.var() != *user && list.last() != Some(user) {
                        list.push(*user);
                    }
                }
                self.owned[*user as usize] = clauses;
            }
        }
        changed
    }

    /// The clauses of the users without `gate`, if there are not more of them than now.
    fn substituted(&self, gate: Var, users: &[Var]) -> Option<Vec<Vec<Clause>>> {
        let (on, off) = (Lit::of(gate), Lit::new(gate, false));
        let definition = &self.owned[gate as usize];
        let with = |lit: Lit| definition.iter().filter(move |c| c.contains(&lit));
        let mut budget = definition.len();
        let mut made = 0;
        let mut result = Vec::with_capacity(users.len());
        for &user in users {
            let mut clauses: Vec<Clause> = Vec::new();
            let old = &self.owned[user as usize];
            for clause in old {
                let pivot = if clause.contains(&on) {
                    on
                } else if clause.contains(&off) {
                    off
                } else {
                    clauses.push(clause.clone());
                    continue;
                };
                budget += 1;
                for other in with(!pivot) {
                    let Some(resolvent) = resolve(clause, other, pivot) else {
                        continue;
                    };
                    if resolvent.len() > MAX_LENGTH {
                        return None;
                    }
                    made += 1;
                    // Without subsumption the count may pass the budget for a while.
                    if made > 2 * budget + 16 {
                        return None;
                    }
                    clauses.push(resolvent);
                }
            }
            let before = clauses.len();
            remove_subsumed(&mut clauses);
            made -= (before - clauses.len()).min(made);
            result.push(clauses);
        }
        (made <= budget).then_some(result)
    }

    /// Per variable: what its clauses mention.
    pub fn dependencies(&self) -> Dependencies {
        let gates = self.plain.iter().map(|node| match *node {
            Node::And(a, b) => vec![a.var(), b.var()],
            _ => Vec::new(),
        });
        let dependencies = self.owned.iter().enumerate().map(|(gate, clauses)| {
            let mut below: Vec<Var> = clauses.iter().flatten().map(|l| l.var()).collect();
            below.sort_unstable();
            below.dedup();
            below.retain(|&v| v as usize != gate);
            below
        });
        Dependencies::new(gates.chain(dependencies))
    }

    /// A solver with the clauses.
    pub fn solver(&self) -> Solver {
        let mut solver = Solver::new(Rc::new(self.dependencies()));
        for (i, node) in self.plain.iter().enumerate() {
            if let Node::And(a, b) = *node {
                let g = Lit::of(i as Var);
                solver.add_clause(&[a, !g]);
                solver.add_clause(&[b, !g]);
                solver.add_clause(&[!a, !b, g]);
            }
        }
        for clause in self.owned.iter().flatten() {
            solver.add_clause(clause);
        }
        solver
    }
}

/// The resolvent on `pivot`, which is in the first clause; `None` for a tautology. Sorted.
fn resolve(a: &[Lit], b: &[Lit], pivot: Lit) -> Option<Clause> {
    let mut lits: Clause = a.iter().copied().filter(|&l| l != pivot).collect();
    for &lit in b.iter().filter(|&&l| l != !pivot) {
        if lits.contains(&!lit) {
            return None;
        }
        if !lits.contains(&lit) {
            lits.push(lit);
        }
    }
    lits.sort_unstable();
    Some(lits)
}

/// Removes clauses that others of the list subsume.
fn remove_subsumed(clauses: &mut Vec<Clause>) {
    clauses.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut kept: Vec<Clause> = Vec::with_capacity(clauses.len());
    for clause in clauses.drain(..) {
        if !kept.iter().any(|k| k.iter().all(|l| clause.contains(l))) {
            kept.push(clause);
        }
    }
    *clauses = kept;
}
