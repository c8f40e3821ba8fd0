//! How variables change along the edges of a program.

use crate::cfa::Cfa;
use trellis_ivl::{Op, Term, TermPool, Var};

/// How a variable changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is set at the beginning, if ever.
    Never,
    /// By constants that are added, or to constants.
    ByConstants,
    /// In other ways.
    Otherwise,
}

/// How `v` changes on the edges that begin at loop heads.
pub fn change(cfa: &Cfa, v: Var) -> Change {
    let pool = &cfa.program.pool;
    let mut change = Change::Never;
    for e in cfa.edges() {
        let from = cfa.program.edges[e].from;
        let Some(&t) = cfa.transfer(e).updates.get(&v) else {
            continue;
        };
        if from == cfa.program.entry() || pool.as_var(t) == Some(v) {
            continue;
        }
        if !counts(pool, v, t) {
            return Change::Otherwise;
        }
        change = Change::ByConstants;
    }
    change
}

/// Whether all cases of `v := t` add a constant or set one.
fn counts(pool: &TermPool, v: Var, t: Term) -> bool {
    let mut open = vec![t];
    while let Some(t) = open.pop() {
        let holds = match pool.op(t) {
            Op::Ite => {
                open.extend([pool.arg(t, 1), pool.arg(t, 2)]);
                true
            }
            Op::BvAdd => {
                pool.args(t).any(|a| pool.as_var(a) == Some(v))
                    && pool.args(t).any(|a| pool.is_const(a))
            }
            _ => pool.as_var(t) == Some(v) || pool.is_const(t),
        };
        if !holds {
            return false;
        }
    }
    true
}
