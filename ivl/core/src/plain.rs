//! The plain constructor: nodes as they are asked for, but for what constants decide.
//!
//! The checker makes its obligations with it, and calls are expanded with it, so that the rules of the
//! simplifying builder ([`build`](mod@crate::build)) are no part of what a proof rests on. All that is done
//! here, because a checker that follows branches which constants exclude would be slow:
//!
//! - an operation on constants alone is the constant that the evaluator gives it;
//! - a conjunction or disjunction with a constant is its other argument or that constant;
//! - an if-then-else on a constant is one of its branches.

use crate::entity::Term;
use crate::op::{Op, Params};
use crate::pool::TermPool;

impl TermPool {
    /// `op(args)` for an operation without parameters.
    pub fn plain(&mut self, op: Op, args: &[Term]) -> Term {
        self.plain_with(op, Params { hi: 0, lo: 0 }, args)
    }

    /// The conjunction (`And`) or disjunction (`Or`) of all, as a balanced tree.
    pub fn plain_all(&mut self, op: Op, terms: impl IntoIterator<Item = Term>) -> Term {
        let unit = self.bool(op == Op::And);
        self.balanced(terms.into_iter().collect(), unit, |pool, a, b| {
            pool.plain(op, &[a, b])
        })
    }

    /// The node of `t` over other arguments.
    pub(crate) fn plain_like(&mut self, t: Term, args: &[Term]) -> Term {
        self.plain_with(self.op(t), self.params(t), args)
    }

    pub(crate) fn plain_with(&mut self, op: Op, params: Params, args: &[Term]) -> Term {
        if let Some(t) = self.decided(op, args) {
            return t;
        }
        match self.evaluated(op, params, args) {
            Some(value) => self.value(&value),
            None => self.intern_like(op, params, args),
        }
    }

    /// The argument that a constant among the others decides for.
    fn decided(&self, op: Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (Op::And | Op::Or, &[a, b]) => {
                let unit = op == Op::And;
                match (self.as_bool(a), self.as_bool(b)) {
                    (Some(c), _) => Some(if c == unit { b } else { a }),
                    (_, Some(c)) => Some(if c == unit { a } else { b }),
                    _ => None,
                }
            }
            (Op::Ite, &[c, a, b]) => self.as_bool(c).map(|c| if c { a } else { b }),
            _ => None,
        }
    }
}
