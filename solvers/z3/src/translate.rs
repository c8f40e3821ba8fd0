//! A context of Z3, and IVL terms as its terms.

use super::ffi::{Z3_get_error_code, Z3_get_error_msg};
use super::library::NAME;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use trellis_ivl::{Op, Term, TermPool, Type, Var};
use trellis_solver_api::SolverError;
use trellis_solver_support::Translated;
use z3_sys::*;

/// A context and what was translated in it. Terms live until the context is deleted.
pub(crate) struct Context {
    pub raw: Z3_context,
    /// Everything with a reference of ours, parts before their users.
    kept: RefCell<Vec<Z3_ast>>,
    terms: Translated<Z3_ast>,
    vars: FxHashMap<Var, Z3_ast>,
}

impl Context {
    pub fn new() -> Result<Context, SolverError> {
        let failed = || SolverError::Backend {
            solver: NAME.to_string(),
            message: "Z3 makes no context".to_string(),
        };
        // SAFETY: a configuration is made, used once and deleted. Without a handler, errors are codes to read.
        let raw = unsafe {
            let config = Z3_mk_config().ok_or_else(failed)?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(failed)?;
            Z3_set_error_handler(raw, None);
            raw
        };
        Ok(Context {
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
            match Z3_get_error_code(self.raw) {
                0 => return Ok(()),
                code => CStr::from_ptr(Z3_get_error_msg(self.raw, code)).to_string_lossy(),
            }
        };
        Err(SolverError::Backend {
            solver: NAME.to_string(),
            message: format!("{doing}: {message}"),
        })
    }

    /// Keeps what a constructor returned as long as the context.
    pub fn keep(&self, doing: &str, ast: Option<Z3_ast>) -> Result<Z3_ast, SolverError> {
        if let Some(ast) = ast {
            // SAFETY: a term of this context that was just returned.
            unsafe { Z3_inc_ref(self.raw, ast) };
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
    pub fn symbol(&self, name: &str) -> Option<Z3_symbol> {
        let name = CString::new(name).ok()?;
        // SAFETY: a C string that Z3 copies.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }
    }

    /// The term of a variable, if it was met.
    pub fn var(&self, v: Var) -> Option<Z3_ast> {
        self.vars.get(&v).copied()
    }

    /// The height of the highest term.
    pub fn height(&self) -> u32 {
        self.terms.height()
    }

    /// The translation of `t`.
    pub fn term(&mut self, pool: &TermPool, t: Term) -> Result<Z3_ast, SolverError> {
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

    fn sort(&self, ty: Type) -> Option<Z3_sort> {
        let c = self.raw;
        // SAFETY: constructors of a valid context; widths are at least 1.
        unsafe {
            match ty {
                Type::Bool => Z3_mk_bool_sort(c),
                Type::Bv(w) => Z3_mk_bv_sort(c, w),
                Type::Array { index, elem } => {
                    Z3_mk_array_sort(c, Z3_mk_bv_sort(c, index)?, Z3_mk_bv_sort(c, elem)?)
                }
            }
        }
    }

    fn declare(&self, ty: Type, v: Var) -> Option<Z3_ast> {
        let sort = self.sort(ty)?;
        // SAFETY: a sort and a symbol of this context. Numbers of variables fit in 31 bits: each has a name.
        unsafe {
            let symbol = Z3_mk_int_symbol(self.raw, i32::try_from(v.as_u32()).ok()?)?;
            Z3_mk_const(self.raw, symbol, sort)
        }
    }

    fn node(&self, pool: &TermPool, t: Term, args: &[Z3_ast]) -> Option<Z3_ast> {
        use Op::*;
        let (c, op) = (self.raw, pool.op(t));
        // SAFETY: constructors take terms of their context, which the table keeps alive, and refuse
        // ill-typed ones; arrays are as long as said.
        unsafe {
            match (op, args) {
                (BoolConst, _) if pool.as_bool(t) == Some(true) => Z3_mk_true(c),
                (BoolConst, _) => Z3_mk_false(c),
                (BvConst, _) => {
                    let v = pool.as_bv(t)?;
                    let bits: Vec<bool> = (0..v.width()).map(|i| v.bit(i)).collect();
                    Z3_mk_bv_numeral(c, v.width(), bits.as_ptr())
                }
                (Not, &[a]) => Z3_mk_not(c, a),
                (And, _) => Z3_mk_and(c, args.len() as u32, args.as_ptr()),
                (Or, _) => Z3_mk_or(c, args.len() as u32, args.as_ptr()),
                (Eq, &[a, b]) => Z3_mk_eq(c, a, b),
                (Ite, &[p, a, b]) => Z3_mk_ite(c, p, a, b),
                (BvNot, &[a]) => Z3_mk_bvnot(c, a),
                (BvNeg, &[a]) => Z3_mk_bvneg(c, a),
                (BvAnd, &[a, b]) => Z3_mk_bvand(c, a, b),
                (BvOr, &[a, b]) => Z3_mk_bvor(c, a, b),
                (BvXor, &[a, b]) => Z3_mk_bvxor(c, a, b),
                (BvAdd, &[a, b]) => Z3_mk_bvadd(c, a, b),
                (BvSub, &[a, b]) => Z3_mk_bvsub(c, a, b),
                (BvMul, &[a, b]) => Z3_mk_bvmul(c, a, b),
                (BvUdiv, &[a, b]) => Z3_mk_bvudiv(c, a, b),
                (BvUrem, &[a, b]) => Z3_mk_bvurem(c, a, b),
                (BvSdiv, &[a, b]) => Z3_mk_bvsdiv(c, a, b),
                (BvSrem, &[a, b]) => Z3_mk_bvsrem(c, a, b),
                (BvSmod, &[a, b]) => Z3_mk_bvsmod(c, a, b),
                (BvShl, &[a, b]) => Z3_mk_bvshl(c, a, b),
                (BvLshr, &[a, b]) => Z3_mk_bvlshr(c, a, b),
                (BvAshr, &[a, b]) => Z3_mk_bvashr(c, a, b),
                (BvUlt, &[a, b]) => Z3_mk_bvult(c, a, b),
                (BvUle, &[a, b]) => Z3_mk_bvule(c, a, b),
                (BvSlt, &[a, b]) => Z3_mk_bvslt(c, a, b),
                (BvSle, &[a, b]) => Z3_mk_bvsle(c, a, b),
                (BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo | BvSmulo, &[a, b]) => {
                    self.overflow(op, a, b)
                }
                (Concat, &[a, b]) => Z3_mk_concat(c, a, b),
                (Extract, &[a]) => {
                    let (hi, lo) = pool.extract_bounds(t)?;
                    Z3_mk_extract(c, hi, lo, a)
                }
                (ZeroExt | SignExt, &[a]) => {
                    let by = pool.width(t) - pool.width(pool.arg(t, 0));
                    match op {
                        ZeroExt => Z3_mk_zero_ext(c, by, a),
                        _ => Z3_mk_sign_ext(c, by, a),
                    }
                }
                (Select, &[a, i]) => Z3_mk_select(c, a, i),
                (Store, &[a, i, e]) => Z3_mk_store(c, a, i, e),
                (ConstArray, &[e]) => {
                    let Type::Array { index, .. } = pool.ty(t) else {
                        return None;
                    };
                    Z3_mk_const_array(c, Z3_mk_bv_sort(c, index)?, e)
                }
                _ => None,
            }
        }
    }

    /// Z3 has the negations of the overflow predicates, those of signed numbers by direction.
    ///
    /// # Safety
    /// `a` and `b` are terms of this context, of the same width.
    unsafe fn overflow(&self, op: Op, a: Z3_ast, b: Z3_ast) -> Option<Z3_ast> {
        let c = self.raw;
        let hold = |ast: Option<Z3_ast>| {
            // Kept, because the next constructor may collect it.
            self.keep("make a term", ast).ok()
        };
        // SAFETY: as the caller promises, and as in `node`.
        unsafe {
            let parts = match op {
                Op::BvUaddo => vec![hold(Z3_mk_bvadd_no_overflow(c, a, b, false))?],
                Op::BvUsubo => vec![hold(Z3_mk_bvsub_no_underflow(c, a, b, false))?],
                Op::BvUmulo => vec![hold(Z3_mk_bvmul_no_overflow(c, a, b, false))?],
                Op::BvSaddo => vec![
                    hold(Z3_mk_bvadd_no_overflow(c, a, b, true))?,
                    hold(Z3_mk_bvadd_no_underflow(c, a, b))?,
                ],
                Op::BvSsubo => vec![
                    hold(Z3_mk_bvsub_no_overflow(c, a, b))?,
                    hold(Z3_mk_bvsub_no_underflow(c, a, b, true))?,
                ],
                _ => vec![
                    hold(Z3_mk_bvmul_no_overflow(c, a, b, true))?,
                    hold(Z3_mk_bvmul_no_underflow(c, a, b))?,
                ],
            };
            let fits = hold(Z3_mk_and(c, parts.len() as u32, parts.as_ptr()))?;
            Z3_mk_not(c, fits)
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Users first: Z3 takes quadratic time to delete a context with references left.
        for &ast in self.kept.borrow().iter().rev() {
            // SAFETY: a term that was referenced by us, once for each entry.
            unsafe { Z3_dec_ref(self.raw, ast) };
        }
        // SAFETY: owned, deleted once.
        unsafe { Z3_del_context(self.raw) };
    }
}
