//! Functions that may return without a value although their type promises one, and uses of such a value: the property `uninit`.
//!
//! A function that may end so, by its statements alone, says in a variable of its own whether it has returned a value; a call
//! whose value is wanted checks that.

use super::Lowerer;
use super::escape::Walk;
use super::fault::Fault;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use rustc_hash::FxHashSet;
use trellis_ivl::{Type, Var};

/// The functions that may return without a value.
pub fn candidates(hir: &Hir) -> FxHashSet<hir::Func> {
    let may = |f: &hir::FuncData| {
        let returns = hir.types.function_of(f.ty).map(|t| t.ret.ty);
        let promises = returns.is_some_and(|ty| ty != hir.types.void) && f.name != "main";
        let body = f.body.filter(|_| promises);
        body.is_some_and(|body| ends(hir, body) || returns_nothing(hir, body))
    };
    let funcs = hir.funcs.iter();
    funcs
        .filter(|(_, data)| may(data))
        .map(|(f, _)| f)
        .collect()
}

/// Whether there is a `return` without a value.
fn returns_nothing(hir: &Hir, body: hir::Stmt) -> bool {
    Walk::statements(hir, body).any(|s| matches!(hir.stmts[s].kind, S::Return(None)))
}

/// Whether control may come behind a statement; where that is not plain, it may.
fn ends(hir: &Hir, stmt: hir::Stmt) -> bool {
    match &hir.stmts[stmt].kind {
        S::Return(_) | S::Goto(_) | S::GotoComputed(_) | S::Break | S::Continue => false,
        S::Block(list) => list.iter().fold(true, |live, s| {
            let target = matches!(hir.stmts[*s].kind, S::Label(..) | S::Case(..));
            (live || target) && ends(hir, *s)
        }),
        S::If { then, other, .. } => ends(hir, *then) || other.is_none_or(|other| ends(hir, other)),
        S::Label(_, body) | S::Case(_, body) => ends(hir, *body),
        S::While { cond, body } => !is_true(hir, *cond) || breaks(hir, *body),
        S::DoWhile { body, cond } => !is_true(hir, *cond) || breaks(hir, *body),
        S::For { cond, body, .. } => cond.is_some_and(|c| !is_true(hir, c)) || breaks(hir, *body),
        S::Switch { default, body, .. } => {
            default.is_none() || ends(hir, *body) || breaks(hir, *body)
        }
        S::Expr(e) => !never_returns(hir, *e),
        _ => true,
    }
}

fn is_true(hir: &Hir, e: hir::Expr) -> bool {
    matches!(hir.exprs[e].kind, H::Int(v) if v != 0)
}

/// Whether there is any `break`, be it of an inner statement.
fn breaks(hir: &Hir, body: hir::Stmt) -> bool {
    Walk::statements(hir, body).any(|s| matches!(hir.stmts[s].kind, S::Break))
}

fn never_returns(hir: &Hir, mut e: hir::Expr) -> bool {
    while let H::Cast(inner) = hir.exprs[e].kind {
        e = inner;
    }
    let H::Call { callee, .. } = hir.exprs[e].kind else {
        return false;
    };
    matches!(hir.exprs[callee].kind, H::FuncAddr(f) | H::FuncRef(f) if hir.funcs[f].noreturn)
}

impl Lowerer<'_> {
    /// Where a function says whether it has returned a value.
    fn returned(&mut self, f: hir::Func) -> Option<Var> {
        if !self.props.uninit || !self.facts.may_fall_off.contains(&f) {
            return None;
        }
        if let Some(var) = self.returned.get(&f) {
            return Some(*var);
        }
        let data = &self.hir.funcs[f];
        let (name, span) = (format!("{}.returns", data.name), self.span(data.span));
        let var = self.p.add_global(name, Type::Bool, span);
        self.returned.insert(f, var);
        Some(var)
    }

    /// The function at hand returns, with a value or without.
    pub(super) fn note_return(&mut self, with_value: bool) {
        if let Some(var) = self.f.func.and_then(|f| self.returned(f)) {
            let value = self.p.pool.bool(with_value);
            self.assign(var, value);
        }
    }

    /// The value of a call is used.
    pub(super) fn check_returned(&mut self, f: hir::Func) {
        if let Some(var) = self.returned(f) {
            let ok = self.p.pool.var(var);
            self.about(Fault::NoResult {
                function: self.hir.funcs[f].name.clone(),
            });
            self.check(ok, "uninit");
        }
    }
}
