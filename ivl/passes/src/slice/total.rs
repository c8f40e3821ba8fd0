//! Whether the guards of a branch cover all states, as far as syntax shows.

use trellis_ivl::{Cmd, CmdPool, CmdView, Op, Term, TermPool};

/// The leading assumption of a command and the rest of it.
pub(super) fn guard(cmds: &CmdPool, cmd: &Cmd) -> (Option<Term>, Vec<Cmd>) {
    match cmds.view(*cmd) {
        CmdView::Assume(t) => (Some(t), Vec::new()),
        CmdView::Seq(cs) => match cmds.view(cs[0]) {
            CmdView::Assume(t) => (Some(t), cs[1..].to_vec()),
            _ => (None, cs.to_vec()),
        },
        _ => (None, vec![*cmd]),
    }
}

/// How many cases are split before the answer is no.
const BUDGET: usize = 256;

/// Whether the disjunction of `guards` is valid by the shape of its terms: `c` and `!c`, the cases
/// of a switch and its default, and what follows by splitting conjunctions.
pub(super) fn covers(pool: &mut TermPool, guards: &[Term]) -> bool {
    // Every list is a disjunction that must be valid.
    let mut todo = vec![guards.to_vec()];
    let mut budget = BUDGET;
    while let Some(list) = todo.pop() {
        if budget == 0 {
            return false;
        }
        budget -= 1;
        let list = flatten(pool, list);
        if valid(pool, &list) {
            continue;
        }
        let Some(at) = list.iter().position(|&t| pool.op(t) == Op::And) else {
            return false;
        };
        for part in pool.args(list[at]).collect::<Vec<_>>() {
            let mut case = list.clone();
            case[at] = part;
            todo.push(case);
        }
    }
    true
}

/// The disjuncts of a disjunction, with negations pushed in one level at a time.
fn flatten(pool: &mut TermPool, list: Vec<Term>) -> Vec<Term> {
    let mut todo = list;
    let mut flat = Vec::new();
    while let Some(t) = todo.pop() {
        match pool.op(t) {
            Op::Or => todo.extend(pool.args(t)),
            Op::Not => {
                let a = pool.arg(t, 0);
                match pool.op(a) {
                    Op::And => {
                        for x in pool.args(a).collect::<Vec<_>>() {
                            todo.push(pool.not(x));
                        }
                    }
                    Op::Or => {
                        let (x, y) = (pool.arg(a, 0), pool.arg(a, 1));
                        let (x, y) = (pool.not(x), pool.not(y));
                        flat.push(pool.intern(Op::And, &[x, y]));
                    }
                    _ => {
                        let t = pool.not(a);
                        flat.push(t);
                    }
                }
            }
            _ => flat.push(t),
        }
    }
    flat.sort_unstable();
    flat.dedup();
    flat
}

/// Whether a list contains `true` or a term and its negation.
fn valid(pool: &mut TermPool, list: &[Term]) -> bool {
    list.iter().any(|&t| {
        pool.as_bool(t) == Some(true) || {
            let not = pool.not(t);
            list.binary_search(&not).is_ok()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::Type;

    #[test]
    fn recognises_branches_and_switches() {
        let mut p = TermPool::new();
        let (x, c, d) = (
            p.fresh("x", Type::Bv(8)),
            p.fresh("c", Type::Bool),
            p.fresh("d", Type::Bool),
        );
        let (x, c, d) = (p.var(x), p.var(c), p.var(d));
        let nc = p.not(c);
        assert!(covers(&mut p, &[c, nc]));
        assert!(!covers(&mut p, &[c, d]));
        assert!(!covers(&mut p, &[c]));
        let cases: Vec<Term> = (0..5)
            .map(|k| {
                let k = p.num(8, k);
                p.eq(x, k)
            })
            .collect();
        let any = p.or_all(cases.iter().copied());
        let default = p.not(any);
        let mut all = cases.clone();
        all.push(default);
        assert!(covers(&mut p, &all));
        all.remove(2);
        assert!(!covers(&mut p, &all));
        let chained: Vec<Term> = cases.iter().map(|&t| p.not(t)).collect();
        let default = p.and_all(chained);
        let mut all = cases;
        all.push(default);
        assert!(covers(&mut p, &all));
        // As text is read: negated comparisons stay as written.
        let five = p.num(8, 5);
        let less = p.bvult(x, five);
        let written = p.intern(Op::Not, &[less]);
        assert!(covers(&mut p, &[less, written]));
    }
}
