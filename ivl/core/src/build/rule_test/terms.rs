//! The terms that the rule test asks the builder for: raw nodes over leaves, and random ones.

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::{Op, Params};
use crate::pool::TermPool;
use crate::rng::Rng;
use crate::ty::Type;
use crate::value::{ArrayValue, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The widths that are enumerated.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=4;
/// The widest at which nodes below an application have all of few leaves.
const FULL_WIDTH: u32 = 2;
/// How many nodes deep random arguments are.
const DEPTH: u32 = 3;

/// Random values.
pub struct Random(pub Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        self.0.pick(items).clone()
    }

    fn bv(&mut self, width: u32) -> Bv {
        match self.below(7) {
            0 => Bv::zero(width),
            1 => Bv::one(width),
            2 => Bv::ones(width),
            3 => Bv::min_signed(width),
            4 => Bv::min_signed(width).not(),
            _ => {
                let bits: Vec<bool> = (0..width).map(|_| self.below(2) == 1).collect();
                Bv::from_bits(&bits)
            }
        }
    }

    /// A random value, often a corner of its type.
    pub fn value(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Bv(w) => Value::Bv(self.bv(w)),
            Type::Array { index, elem } => {
                let mut a = ArrayValue::constant(index, self.bv(elem));
                for _ in 0..self.below(4) {
                    a = a.store(self.bv(index), self.bv(elem));
                }
                Value::Array(a)
            }
        }
    }
}

/// An operation with its parameters and the types of its arguments.
#[derive(Clone, Debug)]
pub struct Signature {
    pub op: Op,
    pub params: Params,
    pub args: Vec<Type>,
}

/// Which arguments an application gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    /// Variables and all constants.
    Leaves,
    /// Variables and two constants.
    Few,
    /// Nodes over few leaves, and those of one argument over each other.
    Nodes,
    /// A variable or two and a constant.
    Thin,
    /// Nodes over those.
    ThinNodes,
}

/// A pool with what has been made in it.
pub struct Universe {
    pub pool: TermPool,
    vars: BTreeMap<Type, Vec<Term>>,
    sets: BTreeMap<(Set, Type), Rc<[Term]>>,
    /// Random terms, to be met again.
    known: BTreeMap<Type, Vec<Term>>,
    rng: Random,
}

impl Universe {
    pub fn new() -> Universe {
        Universe {
            pool: TermPool::new(),
            vars: BTreeMap::new(),
            sets: BTreeMap::new(),
            known: BTreeMap::new(),
            rng: Random(Rng::new(1)),
        }
    }

    /// The types whose terms are enumerated.
    pub fn results(&self) -> Vec<Type> {
        let mut types = vec![Type::Bool];
        types.extend(WIDTHS.map(Type::Bv));
        for (index, elem) in [(1, 1), (2, 1), (1, 2), (2, 2), (4, 4)] {
            types.push(Type::Array { index, elem });
        }
        types
    }

    /// Two variables of the type.
    fn vars(&mut self, ty: Type) -> Vec<Term> {
        if let Some(vars) = self.vars.get(&ty) {
            return vars.clone();
        }
        let mut new = |name: &str| {
            let v = self.pool.fresh(format!("{name}_{ty}"), ty);
            self.pool.var(v)
        };
        let vars = vec![new("x"), new("y")];
        self.vars.insert(ty, vars.clone());
        vars
    }

    /// All operations with results of the type; where there are too many widths, some.
    pub fn signatures(&self, ty: Type) -> Vec<Signature> {
        use Op::*;
        let mut all = Vec::new();
        let mut add = |op, (hi, lo), args: &[Type]| {
            all.push(Signature {
                op,
                params: Params { hi, lo },
                args: args.to_vec(),
            });
        };
        add(Ite, (0, 0), &[Type::Bool, ty, ty]);
        match ty {
            Type::Bool => {
                add(Not, (0, 0), &[ty]);
                for op in [And, Or, Eq] {
                    add(op, (0, 0), &[ty, ty]);
                }
                for w in WIDTHS {
                    for op in [
                        Eq, BvUlt, BvUle, BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo, BvSsubo,
                        BvUmulo, BvSmulo,
                    ] {
                        add(op, (0, 0), &[Type::Bv(w), Type::Bv(w)]);
                    }
                }
                let array = Type::Array { index: 1, elem: 1 };
                add(Eq, (0, 0), &[array, array]);
            }
            Type::Bv(w) => {
                for op in [BvNot, BvNeg] {
                    add(op, (0, 0), &[ty]);
                }
                for op in [
                    BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem,
                    BvSmod, BvShl, BvLshr, BvAshr,
                ] {
                    add(op, (0, 0), &[ty, ty]);
                }
                for high in parts(w) {
                    if high < w {
                        add(Concat, (0, 0), &[Type::Bv(high), Type::Bv(w - high)]);
                    }
                    add(ZeroExt, (w, 0), &[Type::Bv(high)]);
                    add(SignExt, (w, 0), &[Type::Bv(high)]);
                }
                for above in 0..=2 {
                    for lo in 0..=above {
                        add(Extract, (lo + w - 1, lo), &[Type::Bv(w + above)]);
                    }
                }
                for index in [1, 2] {
                    add(
                        Select,
                        (0, 0),
                        &[Type::Array { index, elem: w }, Type::Bv(index)],
                    );
                }
            }
            Type::Array { index, elem } => {
                add(Store, (0, 0), &[ty, Type::Bv(index), Type::Bv(elem)]);
                add(ConstArray, (index, 0), &[Type::Bv(elem)]);
            }
        }
        all
    }

    fn set(&mut self, set: Set, ty: Type) -> Rc<[Term]> {
        if let Some(terms) = self.sets.get(&(set, ty)) {
            return terms.clone();
        }
        let terms = match set {
            Set::Leaves | Set::Few | Set::Thin => {
                let mut terms = self.vars(ty);
                let is_wide = ty.width().is_some_and(|w| w > FULL_WIDTH);
                if set == Set::Thin && ty != Type::Bool || set == Set::Few && is_wide {
                    terms.truncate(1);
                }
                terms.extend(self.constants(set, ty));
                terms
            }
            Set::Nodes => {
                let mut nodes = self.nodes(Set::Few, ty);
                nodes.extend(self.towers(ty));
                nodes
            }
            Set::ThinNodes => self.nodes(Set::Thin, ty),
        };
        let terms: Rc<[Term]> = terms.into();
        self.sets.insert((set, ty), terms.clone());
        terms
    }

    fn constants(&mut self, set: Set, ty: Type) -> Vec<Term> {
        let mut terms: Vec<Term> = match (ty, set) {
            (Type::Bool, Set::Leaves) => vec![self.pool.fls(), self.pool.tru()],
            (Type::Bool, Set::Few) => vec![self.pool.fls()],
            (Type::Bv(w), Set::Leaves) => (0..1 << w).map(|k| self.pool.num(w, k)).collect(),
            (Type::Bv(w), Set::Few) if w > FULL_WIDTH => vec![self.pool.bv(Bv::ones(w))],
            (Type::Bv(w), Set::Few) => vec![self.pool.num(w, 1), self.pool.bv(Bv::ones(w))],
            (Type::Bv(w), _) => vec![self.pool.num(w, 1)],
            _ => Vec::new(),
        };
        terms.dedup();
        terms
    }

    /// Nodes of one argument over such nodes over a variable, all of one type.
    fn towers(&mut self, ty: Type) -> Vec<Term> {
        let mut unary = self.signatures(ty);
        unary.retain(|s| s.args == [ty]);
        let x = self.vars(ty)[0];
        let mut nodes = Vec::new();
        for inner in &unary {
            let t = self.pool.intern_like(inner.op, inner.params, &[x]);
            let over = |s: &Signature| self.pool.intern_like(s.op, s.params, &[t]);
            nodes.extend(unary.iter().map(over));
        }
        nodes
    }

    /// All nodes of the type over leaves of a set, as they are.
    fn nodes(&mut self, leaves: Set, ty: Type) -> Vec<Term> {
        let mut nodes = Vec::new();
        let mut signatures = self.signatures(ty);
        if ty == Type::Bool {
            // Comparisons at more widths are alike to what looks at them.
            let is_wide = |ty: &Type| ty.width().is_some_and(|w| w > FULL_WIDTH);
            signatures.retain(|s| !s.args.iter().any(is_wide));
        }
        for s in signatures {
            let sets: Vec<_> = s.args.iter().map(|&ty| self.set(leaves, ty)).collect();
            for_each(&sets, &mut |args| {
                nodes.push(self.pool.intern_like(s.op, s.params, args));
            });
        }
        nodes
    }

    /// Every application to leaves, to one node and leaves, and, over fewer leaves, to two nodes.
    pub fn for_each_application(
        &mut self,
        s: &Signature,
        f: &mut dyn FnMut(&mut TermPool, &[Term]),
    ) {
        let n = s.args.len();
        self.apply(s, &|_| Set::Leaves, f);
        for deep in 0..n {
            let set = |i| if i == deep { Set::Nodes } else { Set::Leaves };
            self.apply(s, &set, f);
        }
        for deep in 0..n {
            for other in deep + 1..n {
                let set = |i| {
                    if i == deep || i == other {
                        Set::ThinNodes
                    } else {
                        Set::Thin
                    }
                };
                self.apply(s, &set, f);
            }
        }
    }

    fn apply(
        &mut self,
        s: &Signature,
        set: &dyn Fn(usize) -> Set,
        f: &mut dyn FnMut(&mut TermPool, &[Term]),
    ) {
        let types = s.args.iter().enumerate();
        let sets: Vec<_> = types.map(|(i, &ty)| self.set(set(i), ty)).collect();
        for_each(&sets, &mut |args| f(&mut self.pool, args));
    }

    /// A random operation on random terms.
    pub fn random_application(&mut self) -> (Signature, Vec<Term>) {
        let ty = match self.rng.below(8) {
            0 | 1 => Type::Bool,
            2 => Type::Array {
                index: self.rng.pick(&[1, 3, 8, 33]),
                elem: self.rng.pick(&[1, 4, 8, 65]),
            },
            3 | 4 => Type::Bv(1 + self.rng.below(4) as u32),
            _ => Type::Bv(
                self.rng
                    .pick(&[5, 8, 16, 31, 32, 33, 63, 64, 65, 66, 100, 128]),
            ),
        };
        self.application(ty, DEPTH)
    }

    fn application(&mut self, ty: Type, depth: u32) -> (Signature, Vec<Term>) {
        let mut s = self.rng.pick(&self.signatures(ty));
        // Comparisons of any width and type.
        if ty == Type::Bool && s.op != Op::Ite && s.args[0] != Type::Bool && self.rng.below(2) == 0
        {
            let wide = match s.op {
                Op::Eq if self.rng.below(3) == 0 => Type::Array { index: 3, elem: 8 },
                _ => Type::Bv(self.rng.pick(&[7, 32, 64, 65, 90])),
            };
            s.args.fill(wide);
        }
        let args = s.args.clone();
        let args = args
            .into_iter()
            .map(|ty| self.random_term(ty, depth))
            .collect();
        (s, args)
    }

    fn random_term(&mut self, ty: Type, depth: u32) -> Term {
        if self.rng.below(3) == 0
            && let Some(known) = self.known.get(&ty)
        {
            // Recent ones, so that terms have parts in common.
            let recent = known.len().saturating_sub(6);
            return self.rng.pick(&known[recent..]);
        }
        let t = match (ty, self.rng.below(6)) {
            (Type::Bool | Type::Bv(_), 0) => {
                let value = self.rng.value(ty);
                self.pool.value(&value)
            }
            (_, n) if n == 1 || depth == 0 => {
                let vars = self.vars(ty);
                self.rng.pick(&vars)
            }
            _ => {
                let (s, args) = self.application(ty, depth - 1);
                self.pool.intern_like(s.op, s.params, &args)
            }
        };
        self.known.entry(ty).or_default().push(t);
        t
    }
}

/// Widths of a part of `w` bits, `w` included.
fn parts(w: u32) -> Vec<u32> {
    if WIDTHS.contains(&w) {
        return (1..=w).collect();
    }
    vec![1, w / 2, w - 1, w]
}

/// Every choice of one term from each set.
fn for_each(sets: &[Rc<[Term]>], f: &mut dyn FnMut(&[Term])) {
    let mut chosen = Vec::with_capacity(sets.len());
    choose(sets, &mut chosen, f);
}

fn choose(sets: &[Rc<[Term]>], chosen: &mut Vec<Term>, f: &mut dyn FnMut(&[Term])) {
    let Some((first, rest)) = sets.split_first() else {
        return f(chosen);
    };
    for &t in first.iter() {
        chosen.push(t);
        choose(rest, chosen, f);
        chosen.pop();
    }
}
