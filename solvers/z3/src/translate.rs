//! A context of Z3, and IVL terms as its terms.

use crate::ffi::{Functions, ZAst, ZContext, ZSort, ZSymbol};
use crate::library::NAME;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use trellis_ivl::{Op, Term, TermPool, Type, Var};
use trellis_solver_api::SolverError;
use trellis_solver_support::Translated;

/// A context and what was translated in it. Terms live until the context is deleted.
pub(crate) struct Context {
    pub f: &'static Functions,
    pub raw: ZContext,
    /// Everything with a reference of ours, parts before their users.
    kept: RefCell<Vec<ZAst>>,
    terms: Translated<ZAst>,
    vars: FxHashMap<Var, ZAst>,
}

impl Context {
    pub fn new(f: &'static Functions) -> Result<Context, SolverError> {
        let failed = || SolverError::Backend {
            solver: NAME.to_string(),
            message: "Z3 makes no context".to_string(),
        };
        // SAFETY: a configuration is made, used once and deleted. Without a handler, errors are codes to read.
        let raw = unsafe {
            let config = (f.mk_config)().ok_or_else(failed)?;
            let raw = (f.mk_context_rc)(config);
            (f.del_config)(config);
            let raw = raw.ok_or_else(failed)?;
            (f.set_error_handler)(raw, None);
            raw
        };
        Ok(Context {
            f,
            raw,
            kept: RefCell::new(Vec::new()),
            terms: Translated::default(),
            vars: FxHashMap::default(),
        })
    }

    /// The error that Z3 has noted, if any.
    pub fn check(&self, doing: &str) -> Result<(), SolverError> {
        // SAFETY: a valid context; the message is a C string until the next call.
        let message = unsafe {
            match (self.f.get_error_code)(self.raw) {
                0 => return Ok(()),
                code => CStr::from_ptr((self.f.get_error_msg)(self.raw, code)).to_string_lossy(),
            }
        };
        Err(SolverError::Backend {
            solver: NAME.to_string(),
            message: format!("{doing}: {message}"),
        })
    }

    /// Keeps what a constructor returned as long as the context.
    pub fn keep(&self, doing: &str, ast: Option<ZAst>) -> Result<ZAst, SolverError> {
        if let Some(ast) = ast {
            // SAFETY: a term of this context that was just returned.
            unsafe { (self.f.inc_ref)(self.raw, ast) };
            self.kept.borrow_mut().push(ast);
            return Ok(ast);
        }
        self.check(doing)?;
        Err(SolverError::Backend {
            solver: NAME.to_string(),
            message: format!("{doing}: no result and no error"),
        })
    }

    /// A symbol for names of logics and parameters.
    pub fn symbol(&self, name: &str) -> Option<ZSymbol> {
        let name = CString::new(name).ok()?;
        // SAFETY: a C string that Z3 copies.
        unsafe { (self.f.mk_string_symbol)(self.raw, name.as_ptr()) }
    }

    /// The term of a variable, if it was met.
    pub fn var(&self, v: Var) -> Option<ZAst> {
        self.vars.get(&v).copied()
    }

    /// The height of the highest term.
    pub fn height(&self) -> u32 {
        self.terms.height()
    }

    /// The translation of `t`.
    pub fn term(&mut self, pool: &TermPool, t: Term) -> Result<ZAst, SolverError> {
        let mut terms = std::mem::take(&mut self.terms);
        let result = terms.term(pool, t, |u, args| {
            let var = pool.as_var(u);
            let ast = match var {
                Some(v) => self.declare(pool.var_ty(v), v),
                None => self.node(pool, u, args),
            };
            let ast = self.keep("make a term", ast)?;
            if let Some(v) = var {
                self.vars.insert(v, ast);
            }
            Ok(ast)
        });
        self.terms = terms;
        result
    }

    fn sort(&self, ty: Type) -> Option<ZSort> {
        let (f, c) = (self.f, self.raw);
        // SAFETY: constructors of a valid context; widths are at least 1.
        unsafe {
            match ty {
                Type::Bool => (f.mk_bool_sort)(c),
                Type::Bv(w) => (f.mk_bv_sort)(c, w),
                Type::Array { index, elem } => {
                    (f.mk_array_sort)(c, (f.mk_bv_sort)(c, index)?, (f.mk_bv_sort)(c, elem)?)
                }
            }
        }
    }

    fn declare(&self, ty: Type, v: Var) -> Option<ZAst> {
        let sort = self.sort(ty)?;
        // SAFETY: a sort and a symbol of this context. Numbers of variables fit in 31 bits: each has a name.
        unsafe {
            let symbol = (self.f.mk_int_symbol)(self.raw, i32::try_from(v.as_u32()).ok()?)?;
            (self.f.mk_const)(self.raw, symbol, sort)
        }
    }

    fn node(&self, pool: &TermPool, t: Term, args: &[ZAst]) -> Option<ZAst> {
        use Op::*;
        let (f, c, op) = (self.f, self.raw, pool.op(t));
        // SAFETY: constructors take terms of their context, which the table keeps alive, and refuse
        // ill-typed ones; arrays are as long as said.
        unsafe {
            match (op, args) {
                (BoolConst, _) if pool.as_bool(t) == Some(true) => (f.mk_true)(c),
                (BoolConst, _) => (f.mk_false)(c),
                (BvConst, _) => {
                    let v = pool.as_bv(t)?;
                    let bits: Vec<bool> = (0..v.width()).map(|i| v.bit(i)).collect();
                    (f.mk_bv_numeral)(c, v.width(), bits.as_ptr())
                }
                (Not, &[a]) => (f.mk_not)(c, a),
                (And, _) => (f.mk_and)(c, args.len() as u32, args.as_ptr()),
                (Or, _) => (f.mk_or)(c, args.len() as u32, args.as_ptr()),
                (Eq, &[a, b]) => (f.mk_eq)(c, a, b),
                (Ite, &[p, a, b]) => (f.mk_ite)(c, p, a, b),
                (BvNot, &[a]) => (f.mk_bvnot)(c, a),
                (BvNeg, &[a]) => (f.mk_bvneg)(c, a),
                (BvAnd, &[a, b]) => (f.mk_bvand)(c, a, b),
                (BvOr, &[a, b]) => (f.mk_bvor)(c, a, b),
                (BvXor, &[a, b]) => (f.mk_bvxor)(c, a, b),
                (BvAdd, &[a, b]) => (f.mk_bvadd)(c, a, b),
                (BvSub, &[a, b]) => (f.mk_bvsub)(c, a, b),
                (BvMul, &[a, b]) => (f.mk_bvmul)(c, a, b),
                (BvUdiv, &[a, b]) => (f.mk_bvudiv)(c, a, b),
                (BvUrem, &[a, b]) => (f.mk_bvurem)(c, a, b),
                (BvSdiv, &[a, b]) => (f.mk_bvsdiv)(c, a, b),
                (BvSrem, &[a, b]) => (f.mk_bvsrem)(c, a, b),
                (BvSmod, &[a, b]) => (f.mk_bvsmod)(c, a, b),
                (BvShl, &[a, b]) => (f.mk_bvshl)(c, a, b),
                (BvLshr, &[a, b]) => (f.mk_bvlshr)(c, a, b),
                (BvAshr, &[a, b]) => (f.mk_bvashr)(c, a, b),
                (BvUlt, &[a, b]) => (f.mk_bvult)(c, a, b),
                (BvUle, &[a, b]) => (f.mk_bvule)(c, a, b),
                (BvSlt, &[a, b]) => (f.mk_bvslt)(c, a, b),
                (BvSle, &[a, b]) => (f.mk_bvsle)(c, a, b),
                (BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo | BvSmulo, &[a, b]) => {
                    self.overflow(op, a, b)
                }
                (Concat, &[a, b]) => (f.mk_concat)(c, a, b),
                (Extract, &[a]) => {
                    let (hi, lo) = pool.extract_bounds(t)?;
                    (f.mk_extract)(c, hi, lo, a)
                }
                (ZeroExt | SignExt, &[a]) => {
                    let by = pool.width(t) - pool.width(pool.arg(t, 0));
                    match op {
                        ZeroExt => (f.mk_zero_ext)(c, by, a),
                        _ => (f.mk_sign_ext)(c, by, a),
                    }
                }
                (Select, &[a, i]) => (f.mk_select)(c, a, i),
                (Store, &[a, i, e]) => (f.mk_store)(c, a, i, e),
                (ConstArray, &[e]) => {
                    let Type::Array { index, .. } = pool.ty(t) else {
                        return None;
                    };
                    (f.mk_const_array)(c, (f.mk_bv_sort)(c, index)?, e)
                }
                _ => None,
            }
        }
    }

    /// Z3 has the negations of the overflow predicates, those of signed numbers by direction.
    ///
    /// # Safety
    /// `a` and `b` are terms of this context, of the same width.
    unsafe fn overflow(&self, op: Op, a: ZAst, b: ZAst) -> Option<ZAst> {
        let (f, c) = (self.f, self.raw);
        let hold = |ast: Option<ZAst>| {
            // Kept, because the next constructor may collect it.
            self.keep("make a term", ast).ok()
        };
        // SAFETY: as the caller promises, and as in `node`.
        unsafe {
            let parts = match op {
                Op::BvUaddo => vec![hold((f.mk_bvadd_no_overflow)(c, a, b, false))?],
                Op::BvUsubo => vec![hold((f.mk_bvsub_no_underflow)(c, a, b, false))?],
                Op::BvUmulo => vec![hold((f.mk_bvmul_no_overflow)(c, a, b, false))?],
                Op::BvSaddo => vec![
                    hold((f.mk_bvadd_no_overflow)(c, a, b, true))?,
                    hold((f.mk_bvadd_no_underflow)(c, a, b))?,
                ],
                Op::BvSsubo => vec![
                    hold((f.mk_bvsub_no_overflow)(c, a, b))?,
                    hold((f.mk_bvsub_no_underflow)(c, a, b, true))?,
                ],
                _ => vec![
                    hold((f.mk_bvmul_no_overflow)(c, a, b, true))?,
                    hold((f.mk_bvmul_no_underflow)(c, a, b))?,
                ],
            };
            let fits = hold((f.mk_and)(c, parts.len() as u32, parts.as_ptr()))?;
            (f.mk_not)(c, fits)
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Users first: Z3 takes quadratic time to delete a context with references left.
        for &ast in self.kept.borrow().iter().rev() {
            // SAFETY: a term that was referenced by us, once for each entry.
            unsafe { (self.f.dec_ref)(self.raw, ast) };
        }
        // SAFETY: owned, deleted once.
        unsafe { (self.f.del_context)(self.raw) };
    }
}
