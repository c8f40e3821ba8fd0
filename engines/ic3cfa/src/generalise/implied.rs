//! Literals that a cube implies and that say less: what invariants are made of.
//!
//! Over the bit-vector variables of the cube: relations between two variables (equality, order with and without sign,
//! constant difference and sum), between three (one is the sum of the others), one-sided bounds, slices; and the comparisons
//! in the program over these variables.
//! All candidates hold in the cube's witness; which are implied is found by few queries, because each counterexample rules out
//! many.

use crate::automaton::Automaton;
use crate::edge_query::Reply;
use crate::model::{Eval, Model};
use crate::run::Run;
use std::collections::BTreeSet;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Bv, Op, Program, Scope, Term, TermPool, Type, Value, Var};

/// How many variables of a cube are related to one another.
const MAX_VARS: usize = 6;

/// How many of these are added to one another.
const MAX_SUMMED: usize = 4;

/// How many constants of the program two variables are compared with together.
const MAX_OFFSETS: usize = 6;

/// How many atoms of the program are kept.
const MAX_ATOMS: usize = 500;

/// What the program itself compares, and with which constants.
pub struct Vocabulary {
    atoms: Vec<(Term, Vec<Var>)>,
    constants: Vec<Bv>,
    /// Those that occur, without their neighbours.
    occurring: Vec<Bv>,
}

impl Vocabulary {
    /// The vocabulary of the edges' guards and updates.
    pub fn new(program: &Program, cfa: &Automaton) -> Vocabulary {
        let pool = &program.pool;
        let locs = std::iter::once(&cfa.entry).chain(&cfa.locs);
        let edges = locs.flat_map(|&l| cfa.out(l));
        let roots = edges.flat_map(|&e| {
            let transfer = cfa.transfer(e);
            transfer.updates.values().copied().chain([transfer.guard])
        });
        let roots: BTreeSet<Term> = roots.collect();
        let mut atoms = Vec::new();
        let mut constants = BTreeSet::new();
        for t in pool.post_order(roots) {
            match pool.op(t) {
                Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                    let scalar = matches!(pool.ty(pool.arg(t, 0)), Type::Bv(_));
                    let vars = pool.free_vars([t]);
                    let own = |&v: &Var| pool.var_data(v).scope != Scope::Auxiliary;
                    if scalar && atoms.len() < MAX_ATOMS && vars.iter().all(own) {
                        atoms.push((t, vars));
                    }
                }
                Op::BvConst => {
                    constants.insert(t);
                }
                _ => {}
            }
        }
        let constants = constants.into_iter().filter_map(|t| pool.as_bv(t));
        let occurring: Vec<Bv> = constants.collect();
        let near = occurring.iter().flat_map(|c| {
            let one = Bv::one(c.width());
            [c.sub(&one), c.add(&one), c.clone()]
        });
        let mut constants: Vec<Bv> = near.collect();
        constants.sort_by(|a, b| (a.width().cmp(&b.width())).then_with(|| a.ucmp(b)));
        constants.dedup();
        Vocabulary {
            atoms,
            constants,
            occurring,
        }
    }

    /// The program's constants of a width, and their neighbours.
    pub fn constants(&self, width: u32) -> Vec<Bv> {
        let constants = self.constants.iter();
        constants.filter(|c| c.width() == width).cloned().collect()
    }
}

impl Run<'_> {
    /// `cube` and literals that it implies, sorted.
    pub(super) fn with_implied(
        &mut self,
        cube: &[Term],
        witness: &Model,
    ) -> Result<Vec<Term>, EngineError> {
        let mut candidates = self.candidates(cube, witness);
        candidates.retain(|t| !cube.contains(t));
        candidates.truncate(4 * self.options.implied as usize);
        while !candidates.is_empty() {
            let pool = &mut self.program.pool;
            let all = pool.and_all(candidates.iter().copied());
            let mut terms = cube.to_vec();
            terms.push(pool.not(all));
            let (queries, mut on) = self.queries();
            match queries.consistent(&mut on, &terms)? {
                Reply::Unsat(_) => break,
                Reply::Unknown => candidates.clear(),
                Reply::Sat(model) => {
                    let pool = &self.program.pool;
                    let mut eval = Eval::new(&mut self.evaluator, &model);
                    candidates.retain(|&t| eval.holds(pool, t));
                }
            }
        }
        candidates.truncate(self.options.implied as usize);
        candidates.extend(cube);
        candidates.sort_unstable();
        candidates.dedup();
        Ok(candidates)
    }

    /// Candidates that hold in the witness, the most promising first.
    fn candidates(&mut self, cube: &[Term], witness: &Model) -> Vec<Term> {
        let pool = &mut self.program.pool;
        let vars = pool.free_vars(cube.iter().copied());
        let mut eval = Eval::new(&mut self.evaluator, witness);
        let mut found = Vec::new();
        let scalar = |v: &Var| matches!(pool.var_ty(*v), Type::Bv(w) if w > 1);
        let scalars: Vec<Var> = vars.iter().copied().filter(scalar).collect();
        let related = &scalars[..scalars.len().min(MAX_VARS)];
        for (i, &v) in related.iter().enumerate() {
            for &w in &related[..i] {
                if pool.var_ty(v) == pool.var_ty(w) {
                    let (a, b) = (pool.var(v), pool.var(w));
                    relate(pool, &mut eval, a, b, &mut found);
                }
            }
        }
        sums(
            pool,
            &mut eval,
            &related[..related.len().min(MAX_SUMMED)],
            &mut found,
        );
        for (atom, mentioned) in &self.vocabulary.atoms {
            if !mentioned.is_empty() && mentioned.iter().all(|v| vars.contains(v)) {
                let literal = if eval.holds(pool, *atom) {
                    *atom
                } else {
                    pool.not(*atom)
                };
                found.push(literal);
            }
        }
        for (i, &v) in related.iter().enumerate() {
            for &w in &related[..i] {
                if pool.var_ty(v) == pool.var_ty(w) {
                    let (a, b) = (pool.var(v), pool.var(w));
                    offsets(
                        pool,
                        &mut eval,
                        a,
                        b,
                        &self.vocabulary.occurring,
                        &mut found,
                    );
                }
            }
        }
        for &v in related {
            let t = pool.var(v);
            let Value::Bv(value) = eval.value(pool, t) else {
                continue;
            };
            bounds(pool, t, &value, &mut found);
            if self.options.slices {
                slices(pool, t, &value, &mut found);
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|&t| !pool.is_const(t) && seen.insert(t));
        found
    }
}

/// Which of three variables of one width is the sum of the others in the model, and which is not.
fn sums(pool: &mut TermPool, eval: &mut Eval<'_>, vars: &[Var], found: &mut Vec<Term>) {
    for &sum in vars {
        let same = |v: &&Var| **v != sum && pool.var_ty(**v) == pool.var_ty(sum);
        let others: Vec<Var> = vars.iter().filter(same).copied().collect();
        for (i, &v) in others.iter().enumerate() {
            for &w in &others[..i] {
                let (a, b, c) = (pool.var(v), pool.var(w), pool.var(sum));
                let added = pool.bvadd(a, b);
                let equal = pool.eq(added, c);
                let holds = eval.holds(pool, equal);
                found.push(if holds { equal } else { pool.not(equal) });
            }
        }
    }
}

/// How two terms of one width are related in the model.
fn relate(pool: &mut TermPool, eval: &mut Eval<'_>, a: Term, b: Term, found: &mut Vec<Term>) {
    let equal = pool.eq(a, b);
    if eval.holds(pool, equal) {
        found.push(equal);
        return;
    }
    found.push(pool.not(equal));
    for op in [Op::BvSlt, Op::BvUlt] {
        let less = pool.make(op, &[a, b]);
        let more = pool.make(op, &[b, a]);
        let holds = if eval.holds(pool, less) { less } else { more };
        found.push(holds);
    }
    for op in [Op::BvSub, Op::BvAdd] {
        let combined = pool.make(op, &[a, b]);
        let value = eval.value(pool, combined);
        let value = pool.value(&value);
        found.push(pool.eq(combined, value));
    }
}

/// Which constants of the program the sum and the difference of two terms are not in the model.
fn offsets(
    pool: &mut TermPool,
    eval: &mut Eval<'_>,
    a: Term,
    b: Term,
    constants: &[Bv],
    found: &mut Vec<Term>,
) {
    let Type::Bv(width) = pool.ty(a) else {
        return;
    };
    let fitting = constants.iter().filter(|c| c.width() == width);
    for c in fitting.take(MAX_OFFSETS) {
        let c = pool.bv(c.clone());
        for op in [Op::BvAdd, Op::BvSub] {
            let combined = pool.make(op, &[a, b]);
            let equal = pool.eq(combined, c);
            if !eval.holds(pool, equal) {
                found.push(pool.not(equal));
            }
        }
    }
}

/// One-sided bounds at the value.
fn bounds(pool: &mut TermPool, t: Term, value: &Bv, found: &mut Vec<Term>) {
    let c = pool.bv(value.clone());
    found.push(pool.bvsle(c, t));
    found.push(pool.bvsle(t, c));
    found.push(pool.bvule(c, t));
    found.push(pool.bvule(t, c));
}

/// The lowest bits and the sign.
fn slices(pool: &mut TermPool, t: Term, value: &Bv, found: &mut Vec<Term>) {
    let top = value.width() - 1;
    for (hi, lo) in [(0, 0), (1.min(top), 0), (2.min(top), 0), (top, top)] {
        let slice = pool.extract(hi, lo, t);
        let bits = pool.bv(value.extract(hi, lo));
        found.push(pool.eq(slice, bits));
    }
}
