//! From a model of the instances to a model with constant arrays.
//!
//! At an index that no term denotes, the arrays of a class (linked in this model by stores, chosen
//! branches and true equations) may all be changed to one value at once: nothing reads there. So they
//! get the element of the class's constant array.

use super::lowering::Lowering;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{ArrayValue, Bv, Evaluator, Op, Term, Type, Value, Var};

/// What became of a model.
pub(super) enum Repair {
    /// Values of the array variables that changed.
    Done(Vec<(Var, Value)>),
    /// Two different constant arrays are linked; these indices separate them.
    Split(Vec<(Term, Bv)>),
}

/// A union-find over the array terms of one model.
#[derive(Default)]
struct Classes(FxHashMap<Term, Term>);

impl Classes {
    fn root(&mut self, mut t: Term) -> Term {
        while let Some(&parent) = self.0.get(&t) {
            if let Some(&next) = self.0.get(&parent) {
                self.0.insert(t, next);
            }
            t = parent;
        }
        t
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.0.insert(a, b);
        }
    }
}

/// Repairs the model `var` of `formulas`.
pub(super) fn repair(
    lowering: &mut Lowering,
    formulas: &[Term],
    var: impl Fn(Var) -> Value,
) -> Repair {
    let mut evaluator = Evaluator::new();
    let mut classes = Classes::default();
    let pool = &lowering.pool;
    let order = pool.post_order(formulas.iter().copied());
    for &t in &order {
        let is_array = pool.ty(t).is_array();
        match pool.op(t) {
            Op::Store => classes.join(t, pool.arg(t, 0)),
            Op::Ite if is_array => {
                let taken = evaluator.eval(pool, pool.arg(t, 0), &var) == Value::Bool(true);
                classes.join(t, pool.arg(t, if taken { 1 } else { 2 }));
            }
            Op::Eq
                if pool.ty(pool.arg(t, 0)).is_array()
                    && evaluator.eval(pool, t, &var) == Value::Bool(true) =>
            {
                classes.join(pool.arg(t, 0), pool.arg(t, 1));
            }
            _ => {}
        }
    }
    let met: FxHashSet<Term> = order.iter().copied().collect();
    // The elements of the constant arrays, by class.
    let mut elements: BTreeMap<Term, Vec<(Term, Bv)>> = BTreeMap::new();
    for base in &lowering.bases {
        if met.contains(&base.array) {
            let value = evaluator.eval(&lowering.pool, base.element, &var);
            let value = value.as_bv().expect("elements are bit-vectors").clone();
            let class = classes.root(base.array);
            elements.entry(class).or_default().push((base.array, value));
        }
    }
    let mut split = Vec::new();
    let mut changes = BTreeMap::new();
    for (class, members) in elements {
        let (array, element) = members[0].clone();
        let named: BTreeSet<Bv> = {
            let indices = lowering.component(array).indices.clone();
            let pool = &lowering.pool;
            let value = |i| evaluator.eval(pool, i, &var);
            let values = indices.into_iter().map(value);
            values
                .map(|v| v.as_bv().expect("a bit-vector").clone())
                .collect()
        };
        let Some(free) = unnamed(lowering.pool.ty(array), &named) else {
            continue; // Every index is named by a term and instantiated.
        };
        if members.iter().any(|(_, e)| *e != element) {
            split.extend(members.into_iter().map(|(a, _)| (a, free.clone())));
        } else {
            changes.insert(class, (named, element));
        }
    }
    if !split.is_empty() {
        return Repair::Split(split);
    }
    let mut values = Vec::new();
    for t in order {
        if let Some(v) = lowering.pool.as_var(t)
            && lowering.pool.ty(t).is_array()
            && let Some((named, element)) = changes.get(&classes.root(t))
        {
            values.push((v, restrict(&var(v), named, element)));
        }
    }
    Repair::Done(values)
}

/// The smallest index that is not in `named`, if there is one.
fn unnamed(ty: Type, named: &BTreeSet<Bv>) -> Option<Bv> {
    let Type::Array { index, .. } = ty else {
        return None;
    };
    let full = u32::try_from(named.len()).is_ok_and(|n| index < 32 && n >> index != 0);
    let mut candidates = (0..=named.len() as u64).map(|i| Bv::new(index, i));
    candidates.find(|i| !full && !named.contains(i))
}

/// `array` at the `named` indices and `element` elsewhere.
fn restrict(array: &Value, named: &BTreeSet<Bv>, element: &Bv) -> Value {
    let array = array
        .as_array()
        .expect("an array variable has an array value");
    let mut out = ArrayValue::constant(array.index_width(), element.clone());
    for i in named {
        out = out.store(i.clone(), array.select(i).clone());
    }
    out.into()
}
