//! Equalities between variables, by value numbering.
//!
//! A state is a partition of the variables. After an edge two variables are equal when their new values are the
//! same term once every variable stands for its class. Copies, and the same operation on equal values, are
//! found; equalities that need arithmetic are not.

use crate::state::{AbstractState, Updates};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// The classes with more than one member, as variable to least member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equalities {
    least: BTreeMap<Var, Var>,
}

impl Equalities {
    fn of(&self, v: Var) -> Var {
        self.least.get(&v).copied().unwrap_or(v)
    }

    /// The substitution of every variable by the least member of its class.
    fn representatives(&self, pool: &mut TermPool) -> FxHashMap<Var, Term> {
        let others = self.least.iter().filter(|(v, least)| v != least);
        others.map(|(&v, &least)| (v, pool.var(least))).collect()
    }

    /// From a class key per variable.
    fn from_keys<K: Ord>(keys: impl IntoIterator<Item = (Var, K)>) -> Equalities {
        let mut classes: BTreeMap<K, Vec<Var>> = BTreeMap::new();
        for (v, key) in keys {
            classes.entry(key).or_default().push(v);
        }
        let mut least = BTreeMap::new();
        for members in classes.values().filter(|m| m.len() > 1) {
            let first = *members.iter().min().expect("not empty");
            least.extend(members.iter().map(|&v| (v, first)));
        }
        Equalities { least }
    }
}

impl AbstractState for Equalities {
    fn assume_atom(&mut self, pool: &mut TermPool, cond: Term, value: bool) -> bool {
        let map = self.representatives(pool);
        let known = pool.substitute(cond, &map);
        if let Some(known) = pool.as_bool(known) {
            return known == value;
        }
        if pool.op(cond) != Op::Eq || !value {
            return true;
        }
        let (a, b) = (pool.arg(cond, 0), pool.arg(cond, 1));
        if let (Some(a), Some(b)) = (pool.as_var(a), pool.as_var(b)) {
            let (x, y) = (self.of(a), self.of(b));
            let mut keys = self.least.clone();
            keys.entry(a).or_insert(a);
            keys.entry(b).or_insert(b);
            let keys = keys
                .into_iter()
                .map(|(v, k)| (v, if k == y { x } else { k }));
            *self = Equalities::from_keys(keys);
        }
        true
    }

    fn update(&self, pool: &mut TermPool, updates: Updates<'_>, live: &[Var]) -> Self {
        let map = self.representatives(pool);
        let mut keys = Vec::with_capacity(live.len());
        for &v in live {
            let value = match updates(v) {
                Some(t) => t,
                None => pool.var(v),
            };
            keys.push((v, pool.substitute(value, &map)));
        }
        Equalities::from_keys(keys)
    }

    fn join(&mut self, _: &TermPool, other: &Self) {
        let both = self.least.keys().filter(|v| other.least.contains_key(v));
        let keys: Vec<(Var, (Var, Var))> = both.map(|&v| (v, (self.of(v), other.of(v)))).collect();
        *self = Equalities::from_keys(keys);
    }

    fn widen(&mut self, pool: &TermPool, newer: &Self, _: &[u64]) {
        self.join(pool, newer);
    }

    fn facts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut facts = Vec::new();
        for (&v, &least) in &self.least {
            if v != least && !matches!(pool.var_ty(v), Type::Array { .. }) {
                let (a, b) = (pool.var(least), pool.var(v));
                facts.push(pool.eq(a, b));
            }
        }
        facts
    }
}
