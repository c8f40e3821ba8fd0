//! Terms of Yices as IVL terms: what generalised models are made of.
//!
//! The numbers of term constructors differ between versions of Yices, so they are learned from sample terms.

use crate::ffi::{Functions, NULL, YTerm};
use crate::translate::Translation;
use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Op, Term, TermPool, Type};

/// What a term is made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    BoolConst,
    BvConst,
    Uninterpreted,
    Ite,
    Select,
    Store,
    Eq,
    Distinct,
    Not,
    Or,
    Xor,
    BvArray,
    Binary(Op),
    /// `a >= b` as `b <= a`.
    Flipped(Op),
    Bit,
    Sum,
    Product,
}

pub(crate) struct Export<'a> {
    functions: &'a Functions,
    translation: &'a Translation,
    kinds: FxHashMap<i32, Kind>,
    done: FxHashMap<YTerm, Term>,
}

/// A bit-vector of Yices as bits, the lowest first.
fn bits(f: &Functions, t: YTerm, fill: impl FnOnce(*mut i32) -> i32) -> Option<Bv> {
    // SAFETY: a valid term of a bit-vector type.
    let width = unsafe { (f.term_bitsize)(t) };
    let mut buffer = vec![0; width as usize];
    if width == 0 || fill(buffer.as_mut_ptr()) == NULL {
        return None;
    }
    let bits: Vec<bool> = buffer.into_iter().map(|b| b != 0).collect();
    Some(Bv::from_bits(&bits))
}

impl<'a> Export<'a> {
    pub fn new(functions: &'a Functions, translation: &'a Translation) -> Export<'a> {
        Export {
            functions,
            translation,
            kinds: learn(functions),
            done: FxHashMap::default(),
        }
    }

    /// The IVL term for `root`.
    pub fn term(&mut self, pool: &mut TermPool, root: YTerm) -> Result<Term, String> {
        if root == NULL {
            return Err("there is none".to_string());
        }
        let mut stack = vec![root];
        while let Some(&y) = stack.last() {
            if self.done.contains_key(&y) {
                stack.pop();
                continue;
            }
            // SAFETY: a valid term.
            let code = unsafe { (self.functions.term_constructor)(y) };
            let Some(&kind) = self.kinds.get(&code) else {
                return Err(format!(
                    "a term of Yices with constructor {code} has no translation"
                ));
            };
            let children = self.children(kind, y)?;
            let waiting = stack.len();
            stack.extend(children.iter().filter(|c| !self.done.contains_key(c)));
            if stack.len() == waiting {
                stack.pop();
                let args: Vec<Term> = children.iter().map(|c| self.done[c]).collect();
                let t = self.make(pool, kind, y, &args)?;
                self.done.insert(y, t);
            }
        }
        Ok(self.done[&root])
    }

    /// The terms below `y`. Sums and products name theirs elsewhere.
    fn children(&self, kind: Kind, y: YTerm) -> Result<Vec<YTerm>, String> {
        let f = self.functions;
        // SAFETY: a valid term whose constructor allows the calls below; out parameters are locals.
        unsafe {
            let n = match kind {
                Kind::BoolConst | Kind::BvConst | Kind::Uninterpreted => 0,
                Kind::Bit => return Ok(vec![(f.proj_arg)(y)]),
                _ => (f.term_num_children)(y),
            };
            match kind {
                Kind::Sum => Ok((0..n)
                    .map(|i| self.summand(y, i).1)
                    .filter(|&t| t != NULL)
                    .collect()),
                Kind::Product => Ok((0..n).map(|i| self.factor(y, i).0).collect()),
                _ => Ok((0..n).map(|i| (f.term_child)(y, i)).collect()),
            }
        }
    }

    /// Coefficient and term of a summand; the constant has no term.
    fn summand(&self, y: YTerm, i: i32) -> (Option<Bv>, YTerm) {
        let mut t = NULL;
        // SAFETY: a bit-vector sum with more than `i` summands and a buffer for its width.
        let fill = |buffer| unsafe { (self.functions.bvsum_component)(y, i, buffer, &mut t) };
        let coefficient = bits(self.functions, y, fill);
        (coefficient, t)
    }

    /// Base and exponent of a factor.
    fn factor(&self, y: YTerm, i: i32) -> (YTerm, u32) {
        let (mut t, mut exponent) = (NULL, 0);
        // SAFETY: a power product with more than `i` factors.
        unsafe { (self.functions.product_component)(y, i, &mut t, &mut exponent) };
        (t, exponent)
    }

    fn make(
        &mut self,
        pool: &mut TermPool,
        kind: Kind,
        y: YTerm,
        args: &[Term],
    ) -> Result<Term, String> {
        let f = self.functions;
        Ok(match (kind, args) {
            (Kind::BoolConst, _) => {
                let mut value = 0;
                // SAFETY: a boolean constant.
                unsafe { (f.bool_const_value)(y, &mut value) };
                pool.bool(value != 0)
            }
            (Kind::BvConst, _) => {
                // SAFETY: a bit-vector constant and a buffer for its width.
                let v = bits(f, y, |buffer| unsafe { (f.bv_const_value)(y, buffer) });
                pool.bv(v.ok_or("a constant without bits")?)
            }
            (Kind::Uninterpreted, _) => match self.translation.back.get(&y) {
                Some(&v) => pool.var(v),
                None => return Err("a symbol that Yices made".to_string()),
            },
            (Kind::Ite, &[c, a, b]) => pool.ite(c, a, b),
            (Kind::Select, &[a, i]) => pool.select(a, i),
            (Kind::Store, &[a, i, e]) => pool.store(a, i, e),
            (Kind::Eq, &[a, b]) => pool.eq(a, b),
            (Kind::Distinct, _) => {
                let mut parts = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        parts.push(pool.ne(a, b));
                    }
                }
                pool.and_all(parts)
            }
            (Kind::Not, &[a]) => pool.not(a),
            (Kind::Or, _) => pool.or_all(args.iter().copied()),
            (Kind::Xor, &[first, ref rest @ ..]) => {
                rest.iter().fold(first, |acc, &t| pool.xor(acc, t))
            }
            (Kind::BvArray, &[low, ref rest @ ..]) => {
                let low = pool.bool_to_bv(low);
                rest.iter().fold(low, |low, &bit| {
                    let bit = pool.bool_to_bv(bit);
                    pool.concat(bit, low)
                })
            }
            (Kind::Binary(op), &[a, b]) => pool.make(op, &[a, b]),
            (Kind::Flipped(op), &[a, b]) => pool.make(op, &[b, a]),
            (Kind::Bit, &[a]) => {
                // SAFETY: a bit-select term.
                let index = unsafe { (f.proj_index)(y) };
                let bit = pool.extract(index as u32, index as u32, a);
                pool.bv_to_bool(bit)
            }
            (Kind::Sum, _) => self.sum(pool, y)?,
            (Kind::Product, _) => self.product(pool, y, args)?,
            _ => return Err(format!("{kind:?} with {} arguments", args.len())),
        })
    }

    fn sum(&self, pool: &mut TermPool, y: YTerm) -> Result<Term, String> {
        // SAFETY: a valid term.
        let n = unsafe { (self.functions.term_num_children)(y) };
        let mut sum = None;
        for i in 0..n {
            let (coefficient, t) = self.summand(y, i);
            let coefficient = pool.bv(coefficient.ok_or("a summand without a coefficient")?);
            let summand = match t {
                NULL => coefficient,
                _ => pool.bvmul(coefficient, self.done[&t]),
            };
            sum = Some(match sum {
                None => summand,
                Some(acc) => pool.bvadd(acc, summand),
            });
        }
        sum.ok_or_else(|| "an empty sum".to_string())
    }

    fn product(&self, pool: &mut TermPool, y: YTerm, args: &[Term]) -> Result<Term, String> {
        let mut product: Option<Term> = None;
        for (i, &base) in args.iter().enumerate() {
            let (_, exponent) = self.factor(y, i as i32);
            if !matches!(pool.ty(base), Type::Bv(_)) {
                return Err("a product of numbers".to_string());
            }
            for _ in 0..exponent {
                product = Some(match product {
                    None => base,
                    Some(acc) => pool.bvmul(acc, base),
                });
            }
        }
        product.ok_or_else(|| "an empty product".to_string())
    }
}

/// The constructor codes of this version, from terms that are known not to simplify.
fn learn(f: &Functions) -> FxHashMap<i32, Kind> {
    let mut kinds = FxHashMap::default();
    // SAFETY: terms are made of terms made here; each constructor gets what it demands.
    unsafe {
        let (bool_type, bv, big) = ((f.bool_type)(), (f.bv_type)(4), (f.bv_type)(80));
        let [p, q, r] = [0; 3].map(|_| (f.new_uninterpreted_term)(bool_type));
        let [x, y, z] = [0; 3].map(|_| (f.new_uninterpreted_term)(bv));
        let [v, w] = [0; 2].map(|_| (f.new_uninterpreted_term)(big));
        let a = (f.new_uninterpreted_term)((f.function_type1)(bv, bv));
        let or = (f.or2)(p, q);
        let mut three = [x, y, z];
        let samples = [
            ((f.r#true)(), Kind::BoolConst),
            ((f.bvconst_zero)(4), Kind::BvConst),
            ((f.bvconst_zero)(80), Kind::BvConst),
            (p, Kind::Uninterpreted),
            ((f.ite)(p, x, y), Kind::Ite),
            ((f.ite)(p, q, r), Kind::Ite),
            ((f.application1)(a, x), Kind::Select),
            ((f.update1)(a, x, y), Kind::Store),
            ((f.eq)(x, y), Kind::Eq),
            ((f.distinct)(3, three.as_mut_ptr()), Kind::Distinct),
            ((f.not)(p), Kind::Not),
            (or, Kind::Or),
            ((f.xor2)(p, q), Kind::Xor),
            ((f.bvarray)(3, [p, q, r].as_ptr()), Kind::BvArray),
            ((f.bvdiv)(x, y), Kind::Binary(Op::BvUdiv)),
            ((f.bvrem)(x, y), Kind::Binary(Op::BvUrem)),
            ((f.bvsdiv)(x, y), Kind::Binary(Op::BvSdiv)),
            ((f.bvsrem)(x, y), Kind::Binary(Op::BvSrem)),
            ((f.bvsmod)(x, y), Kind::Binary(Op::BvSmod)),
            ((f.bvshl)(x, y), Kind::Binary(Op::BvShl)),
            ((f.bvlshr)(x, y), Kind::Binary(Op::BvLshr)),
            ((f.bvashr)(x, y), Kind::Binary(Op::BvAshr)),
            ((f.bvge_atom)(x, y), Kind::Flipped(Op::BvUle)),
            ((f.bvsge_atom)(x, y), Kind::Flipped(Op::BvSle)),
            ((f.bitextract)(x, 1), Kind::Bit),
            ((f.bvadd)(x, y), Kind::Sum),
            ((f.bvadd)(v, w), Kind::Sum),
            ((f.bvmul)(x, y), Kind::Product),
            ((f.bvmul)(v, w), Kind::Product),
        ];
        for (t, kind) in samples {
            kinds.insert((f.term_constructor)(t), kind);
        }
    }
    kinds
}
