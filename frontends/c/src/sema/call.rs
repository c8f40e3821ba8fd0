//! Function calls.

use super::Sema;
use crate::ast;
use crate::hir::{self, ExprKind as H};
use crate::parse::{UNBOUNDED_EXISTS, UNBOUNDED_FORALL};
use crate::source::Span;
use crate::types::{FnTy, TyKind};

/// Whether a function takes a condition that it assumes, or asserts.
fn is_claim(name: &str) -> Option<bool> {
    match name {
        "__CPROVER_assume" | "__VERIFIER_assume" | "assume_abort_if_not" => Some(true),
        "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__VERIFIER_assert"
        | "assert" => Some(false),
        _ => None,
    }
}

impl Sema<'_> {
    /// Finds the quantifiers without bounds of which one value is as good as all: to assume that there is one is to
    /// assume it of some value, and to assert something of all is to assert it of any. `exists`: that is what holds
    /// of existential ones here, and otherwise of universal ones; a negation turns it round.
    fn free_quantifiers(&mut self, e: ast::Expr, exists: bool) {
        use ast::ExprKind as A;
        let ast = self.ast;
        match &ast.exprs[e].kind {
            A::Unary(ast::UnOp::Not, a) => self.free_quantifiers(*a, !exists),
            A::Binary(ast::BinOp::And | ast::BinOp::Or, a, b) => {
                self.free_quantifiers(*a, exists);
                self.free_quantifiers(*b, exists);
            }
            A::Binary(ast::BinOp::Implies, a, b) => {
                self.free_quantifiers(*a, !exists);
                self.free_quantifiers(*b, exists);
            }
            A::Call(callee, args) => {
                let (A::Ident(name), [body]) = (&ast.exprs[*callee].kind, args.as_slice()) else {
                    return;
                };
                let wanted = match exists {
                    true => UNBOUNDED_EXISTS,
                    false => UNBOUNDED_FORALL,
                };
                let A::StmtExpr(block) = ast.exprs[*body].kind else {
                    return;
                };
                let ast::StmtKind::Block(items) = &ast.stmts[block].kind else {
                    return;
                };
                if self.interner.text(*name) == wanted
                    && let Some(ast::BlockItem::Stmt(last)) = items.last()
                    && let ast::StmtKind::Expr(Some(inner)) = ast.stmts[*last].kind
                {
                    self.free.insert(*body);
                    self.free_quantifiers(inner, exists);
                }
            }
            _ => {}
        }
    }

    pub(super) fn call(&mut self, callee: ast::Expr, args: &[ast::Expr], span: Span) -> hir::Expr {
        if let ast::ExprKind::Ident(name) = self.ast.exprs[callee].kind {
            let text = self.text(name);
            if let (Some(assumed), Some(claim)) = (is_claim(&text), args.first()) {
                self.free_quantifiers(*claim, assumed);
            }
            if self.scopes.lookup(name).is_none() {
                if let Some(e) = self.special_builtin(&text, args, span) {
                    return e;
                }
                self.declare_implicitly(name, &text, self.ast.exprs[callee].span);
            }
        }
        let callee_span = self.span_of(callee);
        let designator = self.expr(callee);
        // A direct call takes no address.
        let callee = match self.hir.exprs[designator].kind {
            H::FuncRef(f) => {
                let ty = self.hir.exprs[designator].ty;
                let pointer = self.hir.types.pointer(ty);
                let data = &mut self.hir.exprs[designator];
                (data.kind, data.ty, data.span) = (H::FuncAddr(f), pointer.into(), callee_span);
                designator
            }
            _ => self.load(designator),
        };
        let values: Vec<hir::Expr> = args.iter().map(|a| self.rvalue(*a)).collect();
        if self.is_error(callee) {
            return callee;
        }
        let Some(f) = self.hir.types.function_of(self.hir.ty(callee)).cloned() else {
            self.error(span, "called object is not a function or function pointer");
            return self.error_expr(span);
        };
        let name = match self.hir.exprs[callee].kind {
            H::FuncAddr(f) => format!("function '{}'", self.hir.funcs[f].name),
            _ => "function pointer".to_owned(),
        };
        let args = self.arguments(&f, values, &name, span);
        self.push_expr(H::Call { callee, args }, f.ret.ty, span)
    }

    fn arguments(
        &mut self,
        f: &FnTy,
        values: Vec<hir::Expr>,
        name: &str,
        span: Span,
    ) -> Vec<hir::Expr> {
        if f.prototype && values.len() < f.params.len() {
            self.error(span, format!("too few arguments to {name}"));
        } else if f.prototype && values.len() > f.params.len() && !f.variadic {
            self.error(span, format!("too many arguments to {name}"));
        }
        let mut out = Vec::with_capacity(values.len());
        for (i, value) in values.into_iter().enumerate() {
            let at = self.hir.exprs[value].span;
            let ty = self.hir.ty(value);
            let converted = match f.params.get(i) {
                Some(to) if f.prototype => {
                    self.assign_convert(value, to.ty, at, "passing argument to parameter of")
                }
                _ if self.hir.types.is_arithmetic(ty) => {
                    let value = if self.hir.types.is_integer(ty) {
                        self.promote(value)
                    } else {
                        value
                    };
                    let ty = self.hir.ty(value);
                    let to = self.hir.types.default_promote(ty);
                    self.convert(value, to)
                }
                _ => {
                    if ty == self.hir.types.void {
                        self.error(at, "invalid use of void expression");
                    }
                    value
                }
            };
            out.push(converted);
        }
        out
    }

    /// A function that is called without a declaration: builtins have their own types, functions of
    /// the library those that the compiler knows, all others are C89's `int f()`.
    fn declare_implicitly(&mut self, name: crate::lex::Symbol, text: &str, span: Span) {
        if self.builtin_function(text, span).is_some() {
            return;
        }
        let known = self.library_type(text);
        let meant = match known {
            _ if text == "assert" => "; it is taken for the macro of assert.h",
            Some(_) => "; it is taken for the function of the C library",
            None => "",
        };
        self.diags.warning(
            span,
            format!("implicit declaration of function '{text}'{meant}"),
        );
        let int = self.hir.types.int;
        let ty = known.unwrap_or_else(|| {
            self.hir.types.intern(TyKind::Function(FnTy {
                ret: int.into(),
                params: Vec::new(),
                variadic: false,
                prototype: false,
            }))
        });
        let specs = crate::parse::empty_specs(span);
        let declarator = ast::Declarator {
            name: Some(name),
            span,
            ..ast::Declarator::default()
        };
        let f = self.declare_function(name, ty, &specs, &declarator);
        self.implicit.insert(f);
    }
}
