//! Random QF_ABV terms: every operation, arrays of several types, widths from 1 to 64 and some beyond.

use super::Rng;
use std::collections::BTreeMap;
use trellis_ivl::{ArrayValue, Bv, Op, Term, TermPool, Type, Value, Var};

/// What to generate.
#[derive(Clone, Debug)]
pub struct GenOptions {
    /// Types of the variables, one variable each.
    pub vars: Vec<Type>,
    /// Number of operations.
    pub size: usize,
    /// The widest bit-vector.
    pub max_width: u32,
    /// The widest product, quotient or remainder of two terms that are no constants.
    pub max_heavy_width: u32,
}

impl GenOptions {
    /// So few bits of variables that every assignment can be tried.
    pub fn tiny(rng: &mut Rng) -> GenOptions {
        let array = |index, elem| Type::Array { index, elem };
        let vars: &[Type] = match rng.below(6) {
            0 => &[
                Type::Bool,
                Type::Bv(1),
                Type::Bv(2),
                Type::Bv(3),
                Type::Bv(3),
            ],
            1 => &[Type::Bv(4), Type::Bv(4)],
            2 => &[
                Type::Bool,
                Type::Bv(1),
                Type::Bv(2),
                array(1, 2),
                array(1, 2),
            ],
            3 => &[Type::Bv(2), array(2, 1), array(2, 1)],
            4 => &[
                Type::Bool,
                Type::Bv(1),
                array(1, 1),
                array(1, 1),
                array(1, 1),
                array(1, 1),
            ],
            _ => &[
                Type::Bool,
                Type::Bv(2),
                Type::Bv(2),
                array(2, 1),
                Type::Bv(1),
            ],
        };
        GenOptions {
            vars: vars.to_vec(),
            size: rng.range(5, 40),
            max_width: 6,
            max_heavy_width: 6,
        }
    }

    /// Any widths; products and quotients stay narrow, so that queries end.
    pub fn wide(rng: &mut Rng) -> GenOptions {
        let width = |rng: &mut Rng| match rng.below(12) {
            0 => 1,
            1 => rng.range(65, 130) as u32,
            2..=5 => *rng.pick(&[8, 16, 32, 64]),
            _ => rng.range(1, 64) as u32,
        };
        let w = width(rng);
        let mut vars = vec![
            Type::Bool,
            Type::Bool,
            Type::Bv(w),
            Type::Bv(w),
            Type::Bv(width(rng)),
        ];
        if rng.one_in(2) {
            let index = *rng.pick(&[1, 2, 3, w, 32]);
            let elem = *rng.pick(&[1, 8, w]);
            vars.extend([Type::Array { index, elem }; 2]);
            vars.extend([Type::Bv(index), Type::Bv(elem)]);
        }
        GenOptions {
            vars,
            size: rng.range(5, 60),
            max_width: 200,
            max_heavy_width: 10,
        }
    }
}

/// Terms made so far, by type.
pub struct TermGen<'a> {
    /// The pool that holds them.
    pub pool: &'a mut TermPool,
    rng: &'a mut Rng,
    options: &'a GenOptions,
    by_type: BTreeMap<Type, Vec<Term>>,
    /// The variables.
    pub vars: Vec<Var>,
}

const OPS: [Op; 38] = {
    use Op::*;
    [
        Not, And, Or, Eq, Ite, BvNot, BvNeg, BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv,
        BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr, BvUlt, BvUle, BvSlt, BvSle, BvUaddo,
        BvSaddo, BvUsubo, BvSsubo, BvUmulo, BvSmulo, Concat, Extract, ZeroExt, SignExt, Select,
        Store, ConstArray,
    ]
};

/// What arrays are made for, to be chosen more often where there are arrays.
const ARRAY_OPS: [Op; 6] = [
    Op::Select,
    Op::Store,
    Op::Store,
    Op::ConstArray,
    Op::Eq,
    Op::Ite,
];

impl<'a> TermGen<'a> {
    /// Declares the variables and makes `options.size` random terms.
    pub fn new(pool: &'a mut TermPool, rng: &'a mut Rng, options: &'a GenOptions) -> TermGen<'a> {
        let vars: Vec<Var> = options
            .vars
            .iter()
            .enumerate()
            .map(|(i, &ty)| pool.fresh(format!("x{i}"), ty))
            .collect();
        let mut generator = TermGen {
            pool,
            rng,
            options,
            by_type: BTreeMap::new(),
            vars,
        };
        for v in generator.vars.clone() {
            let t = generator.pool.var(v);
            generator.add(t);
        }
        for _ in 0..options.size {
            generator.step();
        }
        generator
    }

    fn add(&mut self, t: Term) {
        self.by_type.entry(self.pool.ty(t)).or_default().push(t);
    }

    /// Some term of a type, recent ones more often.
    pub fn some(&mut self, ty: Type) -> Term {
        let known = self.by_type.get(&ty).map_or(0, Vec::len);
        if known == 0 || self.rng.one_in(12) {
            let value = random_value(self.rng, ty);
            return self.pool.value(&value);
        }
        let low = if self.rng.one_in(2) { known / 2 } else { 0 };
        self.by_type[&ty][self.rng.range(low, known - 1)]
    }

    /// Some boolean term.
    pub fn formula(&mut self) -> Term {
        self.some(Type::Bool)
    }

    /// A type among those that occur and satisfy `fits`.
    fn some_type(&mut self, fits: impl Fn(Type) -> bool) -> Option<Type> {
        let types: Vec<Type> = self
            .by_type
            .keys()
            .copied()
            .filter(|&ty| fits(ty))
            .collect();
        if types.is_empty() {
            None
        } else {
            Some(*self.rng.pick(&types))
        }
    }

    fn array_or_any_type(&mut self) -> Option<Type> {
        let array = self.some_type(Type::is_array);
        if array.is_some() && self.rng.one_in(2) {
            return array;
        }
        self.some_type(|_| true)
    }

    /// One more term.
    fn step(&mut self) {
        let op = if self.rng.one_in(3) {
            *self.rng.pick(&ARRAY_OPS)
        } else {
            *self.rng.pick(&OPS)
        };
        if let Some(t) = self.make(op) {
            self.add(t);
        }
    }

    /// Simplified by the builder, or exactly as given.
    fn node(&mut self, op: Op, args: &[Term]) -> Term {
        if self.rng.one_in(3) {
            self.pool.intern(op, args)
        } else {
            self.pool.make(op, args)
        }
    }

    fn make(&mut self, op: Op) -> Option<Term> {
        use Op::*;
        let is_bv = |ty: Type| ty.width().is_some();
        Some(match op {
            Not => {
                let a = self.some(Type::Bool);
                self.node(op, &[a])
            }
            And | Or => {
                let (a, b) = (self.some(Type::Bool), self.some(Type::Bool));
                self.node(op, &[a, b])
            }
            Eq => {
                let ty = self.array_or_any_type()?;
                let (a, b) = (self.some(ty), self.some(ty));
                self.node(op, &[a, b])
            }
            Ite => {
                let ty = self.array_or_any_type()?;
                let args = [self.some(Type::Bool), self.some(ty), self.some(ty)];
                self.node(op, &args)
            }
            BvNot | BvNeg => {
                let ty = self.some_type(is_bv)?;
                let a = self.some(ty);
                self.node(op, &[a])
            }
            Concat => {
                let (a, b) = (self.some_type(is_bv)?, self.some_type(is_bv)?);
                if a.width()? + b.width()? > self.options.max_width {
                    return None;
                }
                let (a, b) = (self.some(a), self.some(b));
                self.node(op, &[a, b])
            }
            Extract | ZeroExt | SignExt => return self.make_resized(op),
            Select | Store | ConstArray => return self.make_array(op),
            _ => {
                let ty = self.some_type(is_bv)?;
                let (a, b) = (self.some(ty), self.some(ty));
                let heavy = matches!(
                    op,
                    BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvUmulo | BvSmulo
                );
                if heavy && ty.width()? > self.options.max_heavy_width {
                    return None;
                }
                self.node(op, &[a, b])
            }
        })
    }

    fn make_resized(&mut self, op: Op) -> Option<Term> {
        let ty = self.some_type(|ty| ty.width().is_some())?;
        let (t, width) = (self.some(ty), ty.width()?);
        let raw = self.rng.one_in(3);
        if op == Op::Extract {
            let low = self.rng.below(width as usize) as u32;
            let high = self.rng.range(low as usize, width as usize - 1) as u32;
            let intern = if raw {
                TermPool::intern_extract
            } else {
                TermPool::extract
            };
            return Some(intern(self.pool, high, low, t));
        }
        let to = self
            .rng
            .range(width as usize, width.max(self.options.max_width) as usize)
            as u32;
        let to = if self.rng.one_in(2) {
            to.min(width + 3)
        } else {
            to
        };
        Some(match (raw, op) {
            (true, _) => self.pool.intern_extend(op, to, t),
            (false, Op::ZeroExt) => self.pool.zext(to, t),
            (false, _) => self.pool.sext(to, t),
        })
    }

    fn make_array(&mut self, op: Op) -> Option<Term> {
        let ty = self.some_type(Type::is_array)?;
        let Type::Array { index, elem } = ty else {
            return None;
        };
        if op == Op::ConstArray {
            // Rare, because it makes the arrays of a query too easy.
            let e = self.some(Type::Bv(elem));
            return self.rng.one_in(3).then(|| self.pool.const_array(index, e));
        }
        let (a, i) = (self.some(ty), self.some(Type::Bv(index)));
        if op == Op::Select {
            return Some(self.node(op, &[a, i]));
        }
        let e = self.some(Type::Bv(elem));
        Some(self.node(op, &[a, i, e]))
    }
}

/// A random value, often a corner of its type.
pub fn random_value(rng: &mut Rng, ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.one_in(2)),
        Type::Bv(width) => Value::Bv(random_bv(rng, width)),
        Type::Array { index, elem } => {
            let mut a = ArrayValue::constant(index, random_bv(rng, elem));
            for _ in 0..rng.below(4) {
                a = a.store(random_bv(rng, index), random_bv(rng, elem));
            }
            Value::Array(a)
        }
    }
}

fn random_bv(rng: &mut Rng, width: u32) -> Bv {
    match rng.below(8) {
        0 => Bv::zero(width),
        1 => Bv::one(width),
        2 => Bv::ones(width),
        3 => Bv::min_signed(width),
        4 => Bv::min_signed(width).not(),
        5 => Bv::new(width, rng.below(8) as u64),
        _ => {
            let bits: Vec<bool> = (0..width).map(|_| rng.one_in(2)).collect();
            Bv::from_bits(&bits)
        }
    }
}
