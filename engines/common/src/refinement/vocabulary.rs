//! Predicates that the program itself suggests.
//!
//! Interpolants are looked for among few predicates first, those that programs decide by: the atoms of guards, and
//! equalities of a variable with the constants that flow into it or that it is compared with, also by way of copies
//! (`y := x; assume y == 3` suggests `x == 3`). What a path suggests, the weakest preconditions of its guards, and
//! templates over the variables in question come after these.

use super::atoms::atoms;
use crate::cfa::Cfa;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Bv, Evaluator, Op, Scope, Term, TermPool, Type, Value, Var};

/// Constants of one variable that are considered.
const MAX_CONSTANTS: usize = 64;
/// Pairs of variables that templates relate.
const MAX_PAIRS: usize = 60;
/// Elements of arrays whose values are considered.
const MAX_CELLS: usize = 400;

/// Where predicates come from, besides those in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Atoms of guards, and constants of variables.
    pub guards: bool,
    /// Weakest preconditions of the path's guards.
    pub wp: bool,
    /// Comparisons of two variables, and of a variable with its value.
    pub templates: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Sources {
            guards: true,
            wp: true,
            templates: true,
        }
    }
}

/// The predicates that the program suggests.
pub struct Vocabulary {
    /// Atoms of guards by number, with their variables.
    atoms: Vec<(Term, Vec<Var>)>,
    constants: BTreeMap<Var, Vec<Bv>>,
    /// Elements of arrays that the program reads, with their variables.
    cells: Vec<(Term, Vec<Var>)>,
}

impl Vocabulary {
    /// Reads all edges that matter.
    pub fn new(cfa: &mut Cfa) -> Vocabulary {
        let edges: Vec<_> = cfa.edges().collect();
        let mut found: Vec<Term> = Vec::new();
        let mut flow = Flow::default();
        let mut roots: BTreeSet<Term> = BTreeSet::new();
        for e in edges {
            let transfer = cfa.transfer(e).clone();
            let pool = &mut cfa.program.pool;
            roots.extend(transfer.updates.values().chain([&transfer.guard]));
            found.extend(atoms(pool, transfer.guard));
            for (&v, &t) in &transfer.updates {
                if pool.ty(t) == Type::Bool {
                    found.extend(atoms(pool, t));
                }
                let conditions = flow.assign(pool, v, t);
                for condition in conditions {
                    found.extend(atoms(pool, condition));
                }
            }
        }
        let cells = cells(&mut cfa.program.pool, roots);
        let pool = &cfa.program.pool;
        let mut seen = FxHashSet::default();
        found.retain(|&t| seen.insert(t));
        let mut listed = Vec::new();
        for t in found {
            let vars = pool.free_vars([t]);
            flow.compare(pool, t);
            let only_state = vars
                .iter()
                .all(|&v| pool.var_data(v).scope != Scope::Auxiliary);
            // Equalities with constants come from the constants.
            if only_state && !vars.is_empty() && compared(pool, t).is_none() {
                listed.push((t, vars));
            }
        }
        Vocabulary {
            atoms: listed,
            constants: flow.constants(),
            cells,
        }
    }

    /// Predicates about nothing but `vars` (sorted), weak ones first.
    pub fn about(&self, pool: &mut TermPool, vars: &[Var]) -> Vec<Term> {
        let within = |own: &Vec<Var>| own.iter().all(|v| vars.binary_search(v).is_ok());
        let mut all: Vec<Term> = Vec::new();
        for &v in vars {
            let t = pool.var(v);
            for k in self.constants.get(&v).into_iter().flatten() {
                let k = pool.bv(k.clone());
                all.push(pool.eq(t, k));
            }
        }
        all.extend(self.atoms.iter().filter(|a| within(&a.1)).map(|a| a.0));
        all
    }

    /// What the elements of arrays are that the program reads, as far as `vars` (sorted) with these values say it.
    pub fn cells_at(
        &self,
        pool: &mut TermPool,
        vars: &[Var],
        values: &FxHashMap<Var, Value>,
    ) -> Vec<Term> {
        let mut evaluator = Evaluator::new();
        let mut all = Vec::new();
        for (cell, own) in &self.cells {
            if own.iter().all(|v| vars.binary_search(v).is_ok()) {
                let value = evaluator.eval(pool, *cell, |v| values[&v].clone());
                let value = pool.value(&value);
                all.push(pool.eq(*cell, value));
            }
        }
        all
    }
}

/// The elements of array variables that `roots` read, at indices that are terms over the state.
fn cells(pool: &mut TermPool, roots: BTreeSet<Term>) -> Vec<(Term, Vec<Var>)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for t in pool.post_order(roots) {
        if pool.op(t) != Op::Select {
            continue;
        }
        let index = pool.arg(t, 1);
        // The element may be one of the array before some assignments.
        let mut open = vec![pool.arg(t, 0)];
        let mut met = FxHashSet::default();
        while let Some(array) = open.pop() {
            if !met.insert(array) {
                continue;
            }
            match pool.op(array) {
                Op::Store => open.push(pool.arg(array, 0)),
                Op::Ite => open.extend([pool.arg(array, 1), pool.arg(array, 2)]),
                Op::Var => {
                    let cell = pool.select(array, index);
                    let vars = pool.free_vars([cell]);
                    let state = |&v: &Var| pool.var_data(v).scope != Scope::Auxiliary;
                    if vars.iter().all(state) && found.len() < MAX_CELLS && seen.insert(cell) {
                        found.push((cell, vars));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// `v == k` or the like, as variable and constant.
fn compared(pool: &TermPool, t: Term) -> Option<(Var, Bv)> {
    if pool.op(t) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
    Some((pool.as_var(a)?, pool.as_bv(b)?))
}

/// Which constants reach which variables.
#[derive(Default)]
struct Flow {
    /// Constants that a variable is assigned, and those it is compared with.
    has: BTreeMap<Var, BTreeSet<Bv>>,
    needs: BTreeMap<Var, BTreeSet<Bv>>,
    /// Copies: target and source.
    copies: BTreeSet<(Var, Var)>,
}

impl Flow {
    /// Reads `v := t`; the conditions on the way to its leaves.
    fn assign(&mut self, pool: &TermPool, v: Var, t: Term) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut open = vec![t];
        let mut seen = FxHashSet::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            match pool.op(t) {
                Op::Ite => {
                    conditions.push(pool.arg(t, 0));
                    open.extend([pool.arg(t, 1), pool.arg(t, 2)]);
                }
                Op::BvConst => {
                    let k = pool.as_bv(t).expect("a constant");
                    self.has.entry(v).or_default().insert(k);
                }
                Op::Var => {
                    let source = pool.as_var(t).expect("a variable");
                    if source != v {
                        self.copies.insert((v, source));
                    }
                }
                _ => {}
            }
        }
        conditions
    }

    fn compare(&mut self, pool: &TermPool, t: Term) {
        if let Some((v, k)) = compared(pool, t) {
            self.needs.entry(v).or_default().insert(k);
        }
    }

    /// Assigned constants flow forwards through copies, compared ones backwards.
    fn constants(mut self) -> BTreeMap<Var, Vec<Bv>> {
        loop {
            let mut changed = false;
            for &(to, from) in &self.copies {
                changed |= join(&mut self.has, from, to);
                changed |= join(&mut self.needs, to, from);
            }
            if !changed {
                break;
            }
        }
        let mut all = self.has;
        for (v, ks) in self.needs {
            all.entry(v).or_default().extend(ks);
        }
        let few = |ks: BTreeSet<Bv>| ks.into_iter().take(MAX_CONSTANTS).collect();
        all.into_iter().map(|(v, ks)| (v, few(ks))).collect()
    }
}

fn join(sets: &mut BTreeMap<Var, BTreeSet<Bv>>, from: Var, to: Var) -> bool {
    let Some(new) = sets.get(&from).cloned() else {
        return false;
    };
    let set = sets.entry(to).or_default();
    let before = set.len();
    if before < MAX_CONSTANTS {
        set.extend(new);
    }
    set.len() > before
}

/// Literals over `vars` that hold for `values`: order and equality between two, then the value of each.
pub fn templates(
    pool: &mut TermPool,
    vars: &[Var],
    values: &FxHashMap<Var, Value>,
) -> (Vec<Term>, Vec<Term>) {
    let (mut relations, mut exact) = (Vec::new(), Vec::new());
    for (i, &v) in vars.iter().enumerate() {
        let a = pool.var(v);
        let value = &values[&v];
        match value {
            Value::Bv(_) => {}
            Value::Bool(true) => {
                exact.push(a);
                continue;
            }
            Value::Bool(false) => {
                exact.push(pool.not(a));
                continue;
            }
            Value::Array(_) => continue,
        }
        let constant = pool.value(value);
        exact.push(pool.eq(a, constant));
        for &w in &vars[..i] {
            if relations.len() > MAX_PAIRS || pool.var_ty(w) != pool.var_ty(v) {
                continue;
            }
            let b = pool.var(w);
            relations.push(pool.eq(a, b));
            relations.push(pool.bvult(a, b));
            relations.push(pool.bvult(b, a));
            relations.push(pool.bvslt(a, b));
            relations.push(pool.bvslt(b, a));
        }
    }
    (relations, exact)
}
