//! Bounds moved as far as a cube stays inductive.
//!
//! A literal `t < c` of a cube (signed or unsigned, in the width of `t`) blocks more the larger `c` is. The bounds tried are the
//! constants of the program in that width, the weakest first: what a loop compares with is where an
//! invariant has its bound.

use crate::run::Run;
use std::cmp::Ordering;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Bv, Loc, Op, Term};

/// How many bounds are tried per literal.
const TRIES: usize = 4;

/// A comparison of a term with a constant.
struct Bound {
    /// `BvUlt` or `BvSlt`.
    op: Op,
    term: Term,
    constant: Bv,
    /// Whether the constant is on the right: `term < constant`.
    upper: bool,
    /// Whether the comparison is negated.
    negated: bool,
}

impl Run<'_> {
    /// `cube`, inductive at `locs` up to `level`, with weaker bounds where it stays so.
    pub(super) fn relax_bounds(
        &mut self,
        level: u32,
        locs: &[Loc],
        mut cube: Vec<Term>,
    ) -> Result<Vec<Term>, EngineError> {
        for literal in cube.clone() {
            let Some(bound) = self.bound_of(literal) else {
                continue;
            };
            for weaker in self.weaker(&bound) {
                self.check_cancelled()?;
                let mut wider = cube.clone();
                wider.retain(|&t| t != literal);
                wider.push(weaker);
                wider.sort_unstable();
                if self.is_inductive(level, locs, &wider)? {
                    cube = wider;
                    break;
                }
            }
        }
        Ok(cube)
    }

    fn bound_of(&self, literal: Term) -> Option<Bound> {
        let pool = &self.program.pool;
        let (negated, atom) = match pool.op(literal) {
            Op::Not => (true, pool.arg(literal, 0)),
            _ => (false, literal),
        };
        let op = pool.op(atom);
        if !matches!(op, Op::BvUlt | Op::BvSlt | Op::BvUle | Op::BvSle) {
            return None;
        }
        let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
        let (term, constant, upper) = match (pool.as_bv(a), pool.as_bv(b)) {
            (None, Some(c)) => (a, c, true),
            (Some(c), None) => (b, c, false),
            _ => return None,
        };
        Some(Bound {
            op,
            term,
            constant,
            upper,
            negated,
        })
    }

    /// The same comparison with weaker constants, the weakest first.
    fn weaker(&mut self, bound: &Bound) -> Vec<Term> {
        let signed = matches!(bound.op, Op::BvSlt | Op::BvSle);
        let order = |a: &Bv, b: &Bv| if signed { a.scmp(b) } else { a.ucmp(b) };
        // `t < c` and `!(c < t)` grow with c, the other two shrink.
        let grows = bound.upper != bound.negated;
        let mut constants = self.vocabulary.constants(bound.constant.width());
        constants.sort_by(|a, b| if grows { order(b, a) } else { order(a, b) });
        let weaker = constants.into_iter().filter(|c| {
            let than = order(c, &bound.constant);
            than == if grows {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        });
        let pool = &mut self.program.pool;
        let literals = weaker.take(TRIES).filter_map(|c| {
            let c = pool.bv(c);
            let args = if bound.upper {
                [bound.term, c]
            } else {
                [c, bound.term]
            };
            let atom = pool.make(bound.op, &args);
            let literal = if bound.negated { pool.not(atom) } else { atom };
            (!pool.is_const(literal)).then_some(literal)
        });
        literals.collect()
    }
}
