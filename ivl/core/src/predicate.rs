//! Predicate transformers: wp, wep and sp on commands.
//!
//! Quantifiers do not exist in the language, so each transformer returns its bound variables as
//! fresh symbols: universal for [`wp`], existential for [`wep`] (Leino, "Efficient weakest
//! preconditions", IPL 2005, gives the command cases) and for [`sp`]. They expand paths: the result can be
//! exponential in the number of consecutive choices, where [`Transfer`](crate::Transfer) is linear.

use crate::cmd::{CmdPool, CmdView};
use crate::entity::{Cmd, Term, Var};
use crate::pool::TermPool;
use rustc_hash::FxHashMap;

/// A formula with the fresh symbols it binds.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The formula.
    pub formula: Term,
    /// The fresh symbols, bound as the transformer says.
    pub bound: Vec<Var>,
}

/// The states from which every execution of `cmd` that completes ends in `post` (weakest liberal
/// precondition); the bound symbols are universal.
pub fn wp(pool: &mut TermPool, cmds: &CmdPool, cmd: Cmd, post: Term) -> Transformed {
    let mut bound = Vec::new();
    let formula = backwards(pool, cmds, cmd, post, Mode::All, &mut bound);
    Transformed { formula, bound }
}

/// The states from which some execution of `cmd` completes in `post`; the bound symbols are
/// existential.
pub fn wep(pool: &mut TermPool, cmds: &CmdPool, cmd: Cmd, post: Term) -> Transformed {
    let mut bound = Vec::new();
    let formula = backwards(pool, cmds, cmd, post, Mode::Some, &mut bound);
    Transformed { formula, bound }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    All,
    Some,
}

fn backwards(
    pool: &mut TermPool,
    cmds: &CmdPool,
    cmd: Cmd,
    post: Term,
    mode: Mode,
    bound: &mut Vec<Var>,
) -> Term {
    match cmds.view(cmd) {
        CmdView::Skip => post,
        CmdView::Assume(t) => match mode {
            Mode::All => pool.implies(t, post),
            Mode::Some => pool.and(t, post),
        },
        CmdView::Assign(items) => {
            let map: FxHashMap<Var, Term> = items.iter().copied().collect();
            pool.substitute(post, &map)
        }
        CmdView::Havoc(items) => {
            let map = renamed(pool, items.iter().map(|&(v, _)| v), bound);
            pool.substitute(post, &map)
        }
        CmdView::Seq(cs) => cs
            .iter()
            .rev()
            .fold(post, |post, &c| backwards(pool, cmds, c, post, mode, bound)),
        CmdView::Choice(cs) => {
            let parts: Vec<Term> = cs
                .iter()
                .map(|&c| backwards(pool, cmds, c, post, mode, bound))
                .collect();
            match mode {
                Mode::All => pool.and_all(parts),
                Mode::Some => pool.or_all(parts),
            }
        }
    }
}

/// The states in which some execution of `cmd` from `pre` completes; the bound symbols (old
/// values) are existential.
pub fn sp(pool: &mut TermPool, cmds: &CmdPool, cmd: Cmd, pre: Term) -> Transformed {
    let mut bound = Vec::new();
    let formula = forwards(pool, cmds, cmd, pre, &mut bound);
    Transformed { formula, bound }
}

fn forwards(
    pool: &mut TermPool,
    cmds: &CmdPool,
    cmd: Cmd,
    pre: Term,
    bound: &mut Vec<Var>,
) -> Term {
    match cmds.view(cmd) {
        CmdView::Skip => pre,
        CmdView::Assume(t) => pool.and(pre, t),
        CmdView::Assign(items) => {
            let old = renamed(pool, items.iter().map(|&(v, _)| v), bound);
            let mut parts = vec![pool.substitute(pre, &old)];
            for &(v, t) in items {
                let (v, t) = (pool.var(v), pool.substitute(t, &old));
                parts.push(pool.eq(v, t));
            }
            pool.and_all(parts)
        }
        CmdView::Havoc(items) => {
            let old = renamed(pool, items.iter().map(|&(v, _)| v), bound);
            pool.substitute(pre, &old)
        }
        CmdView::Seq(cs) => cs
            .iter()
            .fold(pre, |pre, &c| forwards(pool, cmds, c, pre, bound)),
        CmdView::Choice(cs) => {
            let parts: Vec<Term> = cs
                .iter()
                .map(|&c| forwards(pool, cmds, c, pre, bound))
                .collect();
            pool.or_all(parts)
        }
    }
}

/// A fresh symbol for each variable.
fn renamed(
    pool: &mut TermPool,
    vars: impl Iterator<Item = Var>,
    bound: &mut Vec<Var>,
) -> FxHashMap<Var, Term> {
    vars.map(|v| {
        let data = pool.var_data(v);
        let (name, ty) = (format!("{}!", data.name), data.ty);
        let fresh = pool.fresh(name, ty);
        bound.push(fresh);
        (v, pool.var(fresh))
    })
    .collect()
}
