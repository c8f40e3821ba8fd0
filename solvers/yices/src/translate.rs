//! IVL terms as terms of Yices.

use crate::ffi::{Functions, NULL, YTerm, YType};
use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Var};
use trellis_solver_support::Translated;

/// What was translated so far. Terms of Yices live until the tables are cleared.
#[derive(Default)]
pub(crate) struct Translation {
    terms: Translated<YTerm>,
    vars: FxHashMap<Var, YTerm>,
    /// Variables by their term.
    pub back: FxHashMap<YTerm, Var>,
}

impl Translation {
    /// The term of a variable, if it was met.
    pub fn var(&self, v: Var) -> Option<YTerm> {
        self.vars.get(&v).copied()
    }

    /// The height of the highest term.
    pub fn height(&self) -> u32 {
        self.terms.height()
    }

    /// The translation of `t`, or what Yices did not like.
    pub fn term(&mut self, f: &Functions, pool: &TermPool, t: Term) -> Result<YTerm, String> {
        let mut terms = std::mem::take(&mut self.terms);
        let result = terms.term(pool, t, |u, args| {
            let y = match pool.as_var(u) {
                Some(v) => self.declare(f, pool, v),
                None => node(f, pool, u, args)?,
            };
            match y {
                NULL => Err(format!("{:?}: {}", pool.op(u), last_error(f))),
                y => Ok(y),
            }
        });
        self.terms = terms;
        result
    }

    fn declare(&mut self, f: &Functions, pool: &TermPool, v: Var) -> YTerm {
        let ty = type_of(f, pool.var_ty(v));
        // SAFETY: a type that was just made, or `NULL`, which is refused.
        let y = unsafe { (f.new_uninterpreted_term)(ty) };
        self.vars.insert(v, y);
        self.back.insert(y, v);
        y
    }
}

/// The words of Yices for its last error.
pub(crate) fn last_error(f: &Functions) -> String {
    // SAFETY: returns a new string, which is freed here, or null.
    unsafe {
        let text = (f.error_string)();
        if text.is_null() {
            return "an error without a message".to_string();
        }
        let copy = std::ffi::CStr::from_ptr(text)
            .to_string_lossy()
            .into_owned();
        (f.free_string)(text);
        (f.clear_error)();
        copy
    }
}

fn type_of(f: &Functions, ty: Type) -> YType {
    // SAFETY: constructors take any number and any type made before, and refuse `NULL`.
    unsafe {
        match ty {
            Type::Bool => (f.bool_type)(),
            Type::Bv(w) => (f.bv_type)(w),
            Type::Array { index, elem } => {
                (f.function_type1)((f.bv_type)(index), (f.bv_type)(elem))
            }
        }
    }
}

pub(crate) fn constant(f: &Functions, v: &Bv) -> YTerm {
    let bits: Vec<i32> = (0..v.width()).map(|i| i32::from(v.bit(i))).collect();
    // SAFETY: an array of as many bits as it says.
    unsafe { (f.bvconst_from_array)(v.width(), bits.as_ptr()) }
}

fn node(f: &Functions, pool: &TermPool, t: Term, args: &[YTerm]) -> Result<YTerm, String> {
    use Op::*;
    let op = pool.op(t);
    // SAFETY: constructors take terms made before by this library and refuse ill-typed ones.
    Ok(unsafe {
        match (op, args) {
            (BoolConst, _) if pool.as_bool(t) == Some(true) => (f.r#true)(),
            (BoolConst, _) => (f.r#false)(),
            (BvConst, _) => constant(f, &pool.as_bv(t).expect("a constant has a value")),
            (Not, &[a]) => (f.not)(a),
            (And, &[a, b]) => (f.and2)(a, b),
            (Or, &[a, b]) => (f.or2)(a, b),
            (Eq, &[a, b]) => (f.eq)(a, b),
            (Ite, &[c, a, b]) => (f.ite)(c, a, b),
            (BvNot, &[a]) => (f.bvnot)(a),
            (BvNeg, &[a]) => (f.bvneg)(a),
            (BvAnd, &[a, b]) => (f.bvand2)(a, b),
            (BvOr, &[a, b]) => (f.bvor2)(a, b),
            (BvXor, &[a, b]) => (f.bvxor2)(a, b),
            (BvAdd, &[a, b]) => (f.bvadd)(a, b),
            (BvSub, &[a, b]) => (f.bvsub)(a, b),
            (BvMul, &[a, b]) => (f.bvmul)(a, b),
            (BvUdiv, &[a, b]) => (f.bvdiv)(a, b),
            (BvUrem, &[a, b]) => (f.bvrem)(a, b),
            (BvSdiv, &[a, b]) => (f.bvsdiv)(a, b),
            (BvSrem, &[a, b]) => (f.bvsrem)(a, b),
            (BvSmod, &[a, b]) => (f.bvsmod)(a, b),
            (BvShl, &[a, b]) => (f.bvshl)(a, b),
            (BvLshr, &[a, b]) => (f.bvlshr)(a, b),
            (BvAshr, &[a, b]) => (f.bvashr)(a, b),
            (BvUlt, &[a, b]) => (f.bvlt_atom)(a, b),
            (BvUle, &[a, b]) => (f.bvle_atom)(a, b),
            (BvSlt, &[a, b]) => (f.bvslt_atom)(a, b),
            (BvSle, &[a, b]) => (f.bvsle_atom)(a, b),
            (BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo | BvSmulo, &[a, b]) => {
                overflow(f, op, a, b)
            }
            (Concat, &[a, b]) => (f.bvconcat2)(a, b),
            (Extract, &[a]) => {
                let (hi, lo) = pool.extract_bounds(t).expect("an extract node");
                (f.bvextract)(a, lo, hi)
            }
            (ZeroExt, &[a]) => (f.zero_extend)(a, pool.width(t) - (f.term_bitsize)(a)),
            (SignExt, &[a]) => (f.sign_extend)(a, pool.width(t) - (f.term_bitsize)(a)),
            (Select, &[a, i]) => (f.application1)(a, i),
            (Store, &[a, i, e]) => (f.update1)(a, i, e),
            (ConstArray, _) => return Err("constant arrays are instantiated before".to_string()),
            _ => return Err(format!("{op:?} with {} arguments", args.len())),
        }
    })
}

/// Overflow predicates over the exact result in enough bits.
///
/// # Safety
/// `a` and `b` are terms of the library, of the same width.
unsafe fn overflow(f: &Functions, op: Op, a: YTerm, b: YTerm) -> YTerm {
    // SAFETY: as the caller promises, and as in `node`.
    unsafe {
        let w = (f.term_bitsize)(a);
        match op {
            Op::BvUaddo => (f.bvlt_atom)((f.bvadd)(a, b), a),
            Op::BvUsubo => (f.bvlt_atom)(a, b),
            Op::BvUmulo => {
                let exact = (f.bvmul)((f.zero_extend)(a, w), (f.zero_extend)(b, w));
                (f.neq)((f.bvextract)(exact, w, 2 * w - 1), (f.bvconst_zero)(w))
            }
            Op::BvSmulo => {
                let exact = (f.bvmul)((f.sign_extend)(a, w), (f.sign_extend)(b, w));
                (f.neq)(exact, (f.sign_extend)((f.bvextract)(exact, 0, w - 1), w))
            }
            _ => {
                let (a, b) = ((f.sign_extend)(a, 1), (f.sign_extend)(b, 1));
                let exact = if op == Op::BvSaddo {
                    (f.bvadd)(a, b)
                } else {
                    (f.bvsub)(a, b)
                };
                (f.xor2)((f.bitextract)(exact, w), (f.bitextract)(exact, w - 1))
            }
        }
    }
}
