//! Loops that can always be left.
//!
//! Dropping a loop makes what follows it reachable, so it must be known that from every state
//! some execution leaves it. Two shapes are recognised in a loop with one head (a natural loop);
//! `x` is a location that every iteration passes, with an edge out of the loop:
//!
//! - *counting*: every edge from `x` that stays in the loop assumes a bound on a variable that
//!   changes by a constant step exactly once per iteration, such that it must cross the bound
//!   before it could wrap around, or hit it where the guard is a disequality;
//! - *free to go*: an edge from `x` leaves without a guard, or with a guard over one variable that
//!   the only edge into `x` has given an arbitrary value, and some value satisfies it. The way back
//!   of a trace takes that edge and that value.

use super::total::guard;
use crate::dominance::Dominators;
use crate::prune::Pruned;
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Bv, CmdView, Edge, Input, Loc, Op, Program, Term, Type, Value, Var};

/// What is known about loops.
#[derive(Default)]
pub(super) struct Loops {
    /// Heads of loops that can always be left.
    pub leavable: EntitySet<Loc>,
    /// Edges that leave such a loop and should be taken first.
    pub leave: EntitySet<Edge>,
    /// Values for the inputs of an edge after which a loop can be left.
    pub hints: BTreeMap<Edge, Vec<(Input, Value)>>,
}

/// Locations visited in all loop bodies together are at most this many times all locations.
const DEPTH_BUDGET: usize = 64;

/// One natural loop.
struct Natural<'a> {
    program: &'a Program,
    pruned: &'a Pruned,
    dominators: &'a Dominators,
    head: Loc,
    body: BTreeSet<Loc>,
    /// Edges back to the head.
    latches: Vec<Edge>,
    /// Edges of the body that modify a variable.
    modified: BTreeMap<Var, Vec<Edge>>,
}

impl Loops {
    /// Looks at the loops of `heads`; `position` numbers locations in reverse post-order.
    pub fn find(
        program: &Program,
        pruned: &Pruned,
        dominators: &Dominators,
        heads: &EntitySet<Loc>,
        order: &[Loc],
        position: impl Fn(Loc) -> u32,
    ) -> Loops {
        let mut loops = Loops::default();
        let mut budget = DEPTH_BUDGET * order.len();
        for &head in order.iter().filter(|&&l| heads.contains(l)) {
            let back = |e: &Edge| position(program.edges[*e].from) >= position(head);
            let latches: Vec<Edge> = pruned.inc(head).filter(back).collect();
            let Some(natural) =
                Natural::new(program, pruned, dominators, head, latches, &mut budget)
            else {
                continue;
            };
            if natural.counts() || natural.free_to_go(&mut loops) {
                loops.leavable.insert(head);
            }
        }
        loops
    }
}

impl<'a> Natural<'a> {
    fn new(
        program: &'a Program,
        pruned: &'a Pruned,
        dominators: &'a Dominators,
        head: Loc,
        latches: Vec<Edge>,
        budget: &mut usize,
    ) -> Option<Natural<'a>> {
        let mut natural = Natural {
            program,
            pruned,
            dominators,
            head,
            body: BTreeSet::from([head]),
            latches,
            modified: BTreeMap::new(),
        };
        let sources = natural.latches.iter().map(|&e| program.edges[e].from);
        let mut stack: Vec<Loc> = sources.collect();
        if !stack.iter().all(|&l| natural.dominates(head, l)) {
            return None;
        }
        while let Some(l) = stack.pop() {
            *budget = budget.checked_sub(1)?;
            if natural.body.insert(l) {
                stack.extend(pruned.inc(l).map(|e| program.edges[e].from));
            }
        }
        for &l in &natural.body {
            for e in pruned.out(l) {
                if natural.body.contains(&program.edges[e].to) {
                    let cmd = program.edge_cmd(e).expect("flat");
                    for v in program.cmds.modified(cmd) {
                        natural.modified.entry(v).or_default().push(e);
                    }
                }
            }
        }
        Some(natural)
    }

    fn dominates(&self, a: Loc, b: Loc) -> bool {
        self.dominators.dominates(a.as_u32(), b.as_u32())
    }

    fn inside(&self, e: Edge) -> bool {
        self.body.contains(&self.program.edges[e].to)
    }

    fn guard(&self, e: Edge) -> Option<Term> {
        let cmd = self.program.edge_cmd(e).expect("flat");
        guard(&self.program.cmds, &cmd).0
    }

    /// Whether every iteration passes `l`.
    fn every_iteration(&self, l: Loc) -> bool {
        let mut sources = self.latches.iter().map(|&e| self.program.edges[e].from);
        sources.all(|s| self.dominates(l, s))
    }

    /// Locations with an edge out of the loop that every iteration passes.
    fn exits(&self) -> impl Iterator<Item = Loc> + '_ {
        let leaves = |l: Loc| self.pruned.out(l).any(|e| !self.inside(e));
        let body = self.body.iter().copied();
        body.filter(move |&l| leaves(l) && self.every_iteration(l))
    }

    // ---- counting

    fn counts(&self) -> bool {
        let conjuncts = |t| self.program.pool.conjuncts(t).collect::<Vec<Term>>();
        self.exits().any(|x| {
            let stay = self.pruned.out(x).filter(|&e| self.inside(e));
            let mut conditions = stay.map(|e| self.guard(e).map(conjuncts));
            let Some(Some(first)) = conditions.next() else {
                return false;
            };
            let rest: Option<Vec<Vec<Term>>> = conditions.collect();
            let Some(rest) = rest else { return false };
            let mut common = first.iter().filter(|t| rest.iter().all(|r| r.contains(t)));
            common.any(|&t| self.bounds(t))
        })
    }

    /// Whether `condition` can hold only finitely often in a row at a place of every iteration.
    fn bounds(&self, condition: Term) -> bool {
        let pool = &self.program.pool;
        let (t, negated) = match pool.op(condition) {
            Op::Not => (pool.arg(condition, 0), true),
            _ => (condition, false),
        };
        let op = pool.op(t);
        if !matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
            || (op == Op::Eq) != negated && op == Op::Eq
        {
            return false;
        }
        let (mut a, mut b) = (pool.arg(t, 0), pool.arg(t, 1));
        let mut op = op;
        if negated && op != Op::Eq {
            // !(a < b) is b <= a, and the other way round.
            (a, b) = (b, a);
            op = match op {
                Op::BvUlt => Op::BvUle,
                Op::BvUle => Op::BvUlt,
                Op::BvSlt => Op::BvSle,
                _ => Op::BvSlt,
            };
        }
        let below = self
            .counter(a, b)
            .is_some_and(|(k, n)| crosses_up(op, &k, n));
        let above = self
            .counter(b, a)
            .is_some_and(|(k, n)| crosses_down(op, &k, n));
        below || above
    }

    /// If `i` changes by a constant once per iteration and `n` not at all: the step, and `n` where
    /// it is a constant.
    fn counter(&self, i: Term, n: Term) -> Option<(Bv, Option<Bv>)> {
        let pool = &self.program.pool;
        let i = pool.as_var(i)?;
        let bound = pool.as_bv(n);
        if bound.is_none() {
            let n = pool.as_var(n)?;
            if !matches!(pool.var_ty(n), Type::Bv(_)) || self.modified.contains_key(&n) {
                return None;
            }
        }
        let [e] = self.modified.get(&i)?[..] else {
            return None;
        };
        let step = self.step(e, i)?;
        self.once(e).then_some((step, bound))
    }

    /// The constant that `e` adds to `i`, if that is all it does to `i`.
    fn step(&self, e: Edge, i: Var) -> Option<Bv> {
        let (pool, cmds) = (&self.program.pool, &self.program.cmds);
        let cmd = self.program.edge_cmd(e).expect("flat");
        let one = [cmd];
        let parts = match cmds.view(cmd) {
            CmdView::Seq(cs) => cs,
            _ => &one,
        };
        let mut touching = parts.iter().filter(|&&c| cmds.modified(c).contains(&i));
        let (Some(&c), None) = (touching.next(), touching.next()) else {
            return None;
        };
        let CmdView::Assign(items) = cmds.view(c) else {
            return None;
        };
        let (_, t) = *items.iter().find(|(v, _)| *v == i)?;
        if !matches!(pool.op(t), Op::BvAdd | Op::BvSub) {
            return None;
        }
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        match (
            pool.op(t),
            pool.as_var(a) == Some(i),
            pool.as_var(b) == Some(i),
        ) {
            (Op::BvAdd, true, _) => pool.as_bv(b),
            (Op::BvAdd, _, true) => pool.as_bv(a),
            (Op::BvSub, true, _) => pool.as_bv(b).map(|k| k.neg()),
            _ => None,
        }
    }

    /// Whether every iteration takes `e` exactly once.
    fn once(&self, e: Edge) -> bool {
        let (from, to) = (self.program.edges[e].from, self.program.edges[e].to);
        if !self.every_iteration(from) {
            return false;
        }
        let at_least = if to == self.head {
            self.latches[..] == [e]
        } else {
            self.pruned.inc(to).count() == 1 && self.every_iteration(to)
        };
        at_least && !self.returns(to, from)
    }

    /// Whether `to` is reachable from `from` inside the loop without passing its head.
    fn returns(&self, from: Loc, to: Loc) -> bool {
        let mut seen = BTreeSet::new();
        let mut stack = vec![from];
        while let Some(l) = stack.pop() {
            if l == self.head || !self.body.contains(&l) || !seen.insert(l) {
                continue;
            }
            if l == to {
                return true;
            }
            stack.extend(self.pruned.out(l).map(|e| self.program.edges[e].to));
        }
        false
    }

    // ---- free to go

    fn free_to_go(&self, loops: &mut Loops) -> bool {
        for x in self.exits() {
            for e in self.pruned.out(x).filter(|&e| !self.inside(e)) {
                let Some(g) = self.guard(e) else {
                    loops.leave.insert(e);
                    return true;
                };
                if let Some((into, input, value)) = self.chosen(x, g) {
                    loops.leave.insert(e);
                    let hints = loops.hints.entry(into).or_default();
                    hints.retain(|(i, _)| *i != input);
                    hints.push((input, value));
                    return true;
                }
            }
        }
        false
    }

    /// If `g` depends on one variable that the only edge into `x` leaves arbitrary: that edge, the
    /// input, and a value that satisfies `g`.
    fn chosen(&self, x: Loc, g: Term) -> Option<(Edge, Input, Value)> {
        let (pool, cmds) = (&self.program.pool, &self.program.cmds);
        let [v] = pool.free_vars([g])[..] else {
            return None;
        };
        let mut inc = self.pruned.inc(x);
        let (Some(into), None) = (inc.next(), inc.next()) else {
            return None;
        };
        let cmd = self.program.edge_cmd(into).expect("flat");
        let one = [cmd];
        let parts = match cmds.view(cmd) {
            CmdView::Seq(cs) => cs,
            _ => &one,
        };
        let mut writers = parts.iter().rev();
        let last = writers.find(|&&c| cmds.modified(c).contains(&v))?;
        let CmdView::Havoc(items) = cmds.view(*last) else {
            return None;
        };
        let (_, input) = *items.iter().find(|(w, _)| *w == v)?;
        let value = self
            .candidates(g, v)
            .into_iter()
            .find(|value| pool.eval(g, |_| value.clone()) == Value::Bool(true))?;
        Some((into, input, value))
    }

    /// Values of `v` worth trying in `g`: the constants it mentions, their neighbours, extremes.
    fn candidates(&self, g: Term, v: Var) -> Vec<Value> {
        let pool = &self.program.pool;
        let w = match pool.var_ty(v) {
            Type::Bool => return vec![false.into(), true.into()],
            Type::Array { .. } => return vec![Value::zero(pool.var_ty(v))],
            Type::Bv(w) => w,
        };
        let mut values = vec![Bv::zero(w), Bv::one(w), Bv::ones(w), Bv::min_signed(w)];
        for t in pool.post_order([g]) {
            if let Some(k) = pool.as_bv(t).filter(|k| k.width() == w) {
                let one = Bv::one(w);
                values.extend([k.add(&one), k.sub(&one), k]);
            }
        }
        values.into_iter().map(Value::Bv).collect()
    }
}

/// Whether `i` counting by `k` makes `i op n` fail (for `Eq`: `i != n`) before it wraps around.
fn crosses_up(op: Op, k: &Bv, n: Option<Bv>) -> bool {
    let one = Bv::one(k.width());
    let positive = !k.is_zero() && !k.is_negative();
    match (op, n) {
        (Op::Eq, _) => k.bit(0),
        (Op::BvUlt, None) => k.is_one(),
        (Op::BvUlt, Some(n)) => n.is_zero() || !k.is_zero() && !n.sub(&one).uadd_overflows(k),
        (Op::BvUle, Some(n)) => !k.is_zero() && !n.uadd_overflows(k),
        (Op::BvSlt, None) => positive && k.is_one(),
        (Op::BvSlt, Some(n)) => {
            n == Bv::min_signed(n.width()) || positive && !n.sub(&one).sadd_overflows(k)
        }
        (Op::BvSle, Some(n)) => positive && !n.sadd_overflows(k),
        _ => false,
    }
}

/// Whether `i` counting by `k` makes `n op i` fail (for `Eq`: `i != n`) before it wraps around.
fn crosses_down(op: Op, k: &Bv, n: Option<Bv>) -> bool {
    let one = Bv::one(k.width());
    let down = k.neg();
    let positive = !down.is_zero() && !down.is_negative();
    match (op, n) {
        (Op::Eq, _) => k.bit(0),
        (Op::BvUlt, None) => down.is_one(),
        (Op::BvUlt, Some(n)) => {
            n.is_ones() || !down.is_zero() && !n.add(&one).usub_overflows(&down)
        }
        (Op::BvUle, Some(n)) => !down.is_zero() && !n.usub_overflows(&down),
        (Op::BvSlt, None) => positive && down.is_one(),
        (Op::BvSlt, Some(n)) => {
            n == Bv::min_signed(n.width()).not() || positive && !n.add(&one).ssub_overflows(&down)
        }
        (Op::BvSle, Some(n)) => positive && !n.ssub_overflows(&down),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bound, step and start in three bits: where we say it ends, it does.
    #[test]
    fn counters_that_cross_do_end() {
        let holds = |op: Op, a: &Bv, b: &Bv| match op {
            Op::Eq => a != b,
            Op::BvUlt => a.ucmp(b).is_lt(),
            Op::BvUle => a.ucmp(b).is_le(),
            Op::BvSlt => a.scmp(b).is_lt(),
            _ => a.scmp(b).is_le(),
        };
        let mut ends = 0;
        for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            for (k, n) in (0..64).map(|c| (Bv::new(3, c / 8), Bv::new(3, c % 8))) {
                for up in [true, false] {
                    let known = [Some(n.clone()), None].map(|bound| {
                        if up {
                            crosses_up(op, &k, bound)
                        } else {
                            crosses_down(op, &k, bound)
                        }
                    });
                    let forever = (0..8).any(|start| {
                        let mut i = Bv::new(3, start);
                        (0..9).all(|_| {
                            let (a, b) = if up { (&i, &n) } else { (&n, &i) };
                            let go = holds(op, a, b);
                            i = i.add(&k);
                            go
                        })
                    });
                    assert!(!forever || known == [false, false], "{op:?} {k} {n} {up}");
                    ends += usize::from(known[0]);
                }
            }
        }
        assert!(ends > 200, "only {ends} recognised");
    }
}
