//! From a formula that holds in a model to a cube that does and implies it.
//!
//! Conjunctions fall apart by themselves. Disjunctions and conditional terms are resolved as the model
//! resolves them, up to a bound; beyond it they stay literals, which keeps the region larger and the cube coarser.

use crate::model::Eval;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::{Op, Term, TermPool, Type};

/// Splits formulas into literals.
pub struct Splitter<'a, 'm> {
    eval: &'a mut Eval<'m>,
    /// How many more disjunctions may be resolved.
    budget: u32,
    todo: Vec<Term>,
}

impl<'a, 'm> Splitter<'a, 'm> {
    /// A splitter for formulas that hold in the model of `eval`.
    pub fn new(eval: &'a mut Eval<'m>, budget: u32) -> Self {
        Splitter {
            eval,
            budget,
            todo: Vec::new(),
        }
    }

    /// Literals that hold in the model and imply `terms`, sorted.
    pub fn split(&mut self, pool: &mut TermPool, terms: &[Term]) -> Vec<Term> {
        let mut literals = Vec::new();
        self.todo.extend(terms);
        while let Some(t) = self.todo.pop() {
            debug_assert!(self.eval.holds(pool, t), "only what holds is split");
            if pool.as_bool(t) == Some(true) || self.positive(pool, t) {
                continue;
            }
            let t = self.without_conditionals(pool, t);
            match pool.op(t) {
                Op::BoolConst => {}
                // Simplification may have brought a connective to the top.
                Op::And => self.todo.push(t),
                _ => literals.push(t),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    fn may_resolve(&mut self) -> bool {
        let left = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        left
    }

    /// Takes `t` apart if it is a connective.
    fn positive(&mut self, pool: &mut TermPool, t: Term) -> bool {
        match pool.op(t) {
            Op::And => self.todo.extend(pool.args(t)),
            Op::Or => {
                if !self.may_resolve() {
                    return false;
                }
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let first = self.eval.holds(pool, a);
                self.todo.push(if first { a } else { b });
            }
            Op::Eq if pool.ty(pool.arg(t, 0)) == Type::Bool => {
                if !self.may_resolve() {
                    return false;
                }
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let holds = self.eval.holds(pool, a);
                for side in [a, b] {
                    let literal = if holds { side } else { pool.not(side) };
                    self.todo.push(literal);
                }
            }
            Op::Ite => {
                if !self.may_resolve() {
                    return false;
                }
                self.conditional(pool, t, false);
            }
            Op::Not => return self.negative(pool, pool.arg(t, 0)),
            _ => return false,
        }
        true
    }

    /// Takes the negation of `t` apart if it is a connective.
    fn negative(&mut self, pool: &mut TermPool, t: Term) -> bool {
        match pool.op(t) {
            Op::Or => {
                for a in pool.args(t) {
                    let literal = pool.not(a);
                    self.todo.push(literal);
                }
            }
            Op::And => {
                if !self.may_resolve() {
                    return false;
                }
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let first = !self.eval.holds(pool, a);
                let literal = pool.not(if first { a } else { b });
                self.todo.push(literal);
            }
            Op::Eq if pool.ty(pool.arg(t, 0)) == Type::Bool => {
                if !self.may_resolve() {
                    return false;
                }
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let (yes, no) = if self.eval.holds(pool, a) {
                    (a, b)
                } else {
                    (b, a)
                };
                let no = pool.not(no);
                self.todo.extend([yes, no]);
            }
            Op::Ite => {
                if !self.may_resolve() {
                    return false;
                }
                self.conditional(pool, t, true);
            }
            _ => return false,
        }
        true
    }

    /// The condition of a boolean conditional and the branch it selects.
    fn conditional(&mut self, pool: &mut TermPool, t: Term, negated: bool) {
        let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
        let (condition, branch) = if self.eval.holds(pool, c) {
            (c, a)
        } else {
            (pool.not(c), b)
        };
        let branch = if negated { pool.not(branch) } else { branch };
        self.todo.extend([condition, branch]);
    }

    /// A literal with the conditional terms inside replaced by the branches that the model selects; the conditions
    /// are split too.
    fn without_conditionals(&mut self, pool: &mut TermPool, literal: Term) -> Term {
        let order = pool.post_order([literal]);
        if !order.iter().any(|&t| pool.op(t) == Op::Ite) || !self.may_resolve() {
            return literal;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for t in order {
            let args: Vec<Term> = pool.args(t).map(|a| done[&a]).collect();
            let new = if pool.op(t) == Op::Ite {
                let holds = self.eval.holds(pool, args[0]);
                let condition = if holds { args[0] } else { pool.not(args[0]) };
                self.todo.push(condition);
                args[if holds { 1 } else { 2 }]
            } else if args.is_empty() {
                t
            } else {
                pool.rebuild(t, &args)
            };
            done.insert(t, new);
        }
        done[&literal]
    }
}
