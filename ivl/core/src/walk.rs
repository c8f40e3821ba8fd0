//! Walks over terms without recursion: post-order, free variables, operands, substitution, copying.
//!
//! Terms from hardware are hundreds of thousands of levels deep, so nothing here recurses.

use crate::entity::{Term, Var};
use crate::op::Op;
use crate::pool::TermPool;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

impl TermPool {
    /// The distinct terms reachable from `roots`, arguments before users.
    pub fn post_order(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut seen = EntitySet::new();
        let mut order = Vec::new();
        // A term is pushed once to be opened and once to be emitted.
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for root in roots {
            stack.push((root, false));
            while let Some((t, opened)) = stack.pop() {
                if opened {
                    order.push(t);
                } else if seen.insert(t) {
                    stack.push((t, true));
                    for a in self.args(t).rev() {
                        if !seen.contains(a) {
                            stack.push((a, false));
                        }
                    }
                }
            }
        }
        order
    }

    /// The variables in `roots`, by number, each once.
    pub fn free_vars(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Var> {
        let mut vars: Vec<Var> = self
            .post_order(roots)
            .into_iter()
            .filter_map(|t| self.as_var(t))
            .collect();
        vars.sort_unstable();
        vars
    }

    /// What nested `op`s below `roots` are applied to, from left to right, each once.
    pub fn operands(&self, op: Op, roots: impl IntoIterator<Item = Term>) -> Operands<'_> {
        let mut open: Vec<Term> = roots.into_iter().collect();
        open.reverse();
        Operands {
            pool: self,
            op,
            open,
            seen: FxHashSet::default(),
        }
    }

    /// The conjuncts of `t`, each once.
    pub fn conjuncts(&self, t: Term) -> Operands<'_> {
        self.operands(Op::And, [t])
    }

    /// The conjuncts of `t`, of which none is true or a negated disjunction.
    pub fn split_conjuncts(&mut self, t: Term) -> Vec<Term> {
        let (mut open, mut all) = (vec![t], Vec::new());
        while let Some(t) = open.pop() {
            match self.op(t) {
                Op::And => open.extend(self.args(t).rev()),
                Op::BoolConst if self.as_bool(t) == Some(true) => {}
                Op::Not if self.op(self.arg(t, 0)) == Op::Or => {
                    let args: Vec<Term> = self.args(self.arg(t, 0)).rev().collect();
                    for a in args {
                        open.push(self.not(a));
                    }
                }
                _ => all.push(t),
            }
        }
        all
    }

    /// `t` with variables replaced simultaneously, simplified on the way.
    pub fn substitute(&mut self, t: Term, map: &FxHashMap<Var, Term>) -> Term {
        Substitution::new(map).apply(self, t)
    }

    /// A copy of `t` from another pool, exactly as it is; `var` gives the variable for each of its variables.
    pub fn import(
        &mut self,
        from: &TermPool,
        t: Term,
        var: &mut impl FnMut(&mut TermPool, Var) -> Term,
    ) -> Term {
        Importer::default().import(self, from, t, var)
    }
}

/// See [`TermPool::operands`].
pub struct Operands<'a> {
    pool: &'a TermPool,
    op: Op,
    open: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Iterator for Operands<'_> {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        while let Some(t) = self.open.pop() {
            if !self.seen.insert(t) {
                continue;
            }
            if self.pool.op(t) != self.op {
                return Some(t);
            }
            self.open.extend(self.pool.args(t).rev());
        }
        None
    }
}

/// Copies terms between pools, remembering what it has copied.
#[derive(Default)]
pub struct Importer {
    done: SecondaryMap<Term, PackedOption<Term>>,
}

impl Importer {
    /// The copy of `t`, exactly as it is; `var` gives the term for each variable.
    pub fn import(
        &mut self,
        to: &mut TermPool,
        from: &TermPool,
        t: Term,
        var: &mut impl FnMut(&mut TermPool, Var) -> Term,
    ) -> Term {
        self.import_with(from, t, |u, args| match from.op(u) {
            Op::BoolConst => to.bool(from.as_bool(u) == Some(true)),
            Op::BvConst => to.bv(from.as_bv(u).expect("a constant has a value")),
            Op::Var => var(to, from.as_var(u).expect("a variable node")),
            op => to.intern_like(op, from.params(u), args),
        })
    }

    /// The copy of `t` where `copy` makes each node over the copies of its arguments.
    pub fn import_with(
        &mut self,
        from: &TermPool,
        t: Term,
        mut copy: impl FnMut(Term, &[Term]) -> Term,
    ) -> Term {
        let mut stack = vec![t];
        let mut args = Vec::with_capacity(3);
        while let Some(&u) = stack.last() {
            if self.done[u].is_some() {
                stack.pop();
                continue;
            }
            args.clear();
            let waiting = stack.len();
            for a in from.args(u) {
                match self.done[a].expand() {
                    Some(done) => args.push(done),
                    None => stack.push(a),
                }
            }
            if stack.len() == waiting {
                stack.pop();
                self.done[u] = copy(u, &args).into();
            }
        }
        self.done[t].expect("the root was copied last")
    }
}

/// A simultaneous substitution that remembers what it has rewritten, for many terms at once.
pub struct Substitution<'a> {
    map: &'a FxHashMap<Var, Term>,
    done: FxHashMap<Term, Term>,
    /// Makes a node over new arguments.
    rebuild: fn(&mut TermPool, Term, &[Term]) -> Term,
}

impl<'a> Substitution<'a> {
    /// The substitution of `map`'s variables by its terms, which simplifies on the way.
    pub fn new(map: &'a FxHashMap<Var, Term>) -> Self {
        Substitution {
            map,
            done: FxHashMap::default(),
            rebuild: TermPool::rebuild,
        }
    }

    /// The same without rewriting: nodes are made by the [plain](crate::plain) constructor.
    pub fn plain(map: &'a FxHashMap<Var, Term>) -> Self {
        Substitution {
            rebuild: TermPool::plain_like,
            ..Substitution::new(map)
        }
    }

    /// `t` under the substitution.
    pub fn apply(&mut self, pool: &mut TermPool, t: Term) -> Term {
        if self.map.is_empty() {
            return t;
        }
        let mut stack = vec![t];
        let mut args = Vec::with_capacity(3);
        while let Some(&u) = stack.last() {
            if self.done.contains_key(&u) {
                stack.pop();
                continue;
            }
            let result = match pool.op(u) {
                Op::BoolConst | Op::BvConst => u,
                Op::Var => {
                    let v = pool.as_var(u).expect("a variable node");
                    self.map.get(&v).copied().unwrap_or(u)
                }
                _ => {
                    args.clear();
                    let waiting = stack.len();
                    let mut changed = false;
                    for a in pool.args(u) {
                        match self.done.get(&a) {
                            Some(&done) => {
                                changed |= done != a;
                                args.push(done);
                            }
                            None => stack.push(a),
                        }
                    }
                    if stack.len() > waiting {
                        continue;
                    }
                    if changed {
                        (self.rebuild)(pool, u, &args)
                    } else {
                        u
                    }
                }
            };
            stack.pop();
            self.done.insert(u, result);
        }
        self.done[&t]
    }
}
