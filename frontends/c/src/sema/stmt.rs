//! Statements: labels, jumps, switches.

use super::Sema;
use crate::ast::{self, BlockItem, DeclKind, ForInit, StmtKind as A};
use crate::hir::{self, CaseData, StmtKind as H};
use crate::lex::token::Symbol;
use crate::source::Span;
use crate::types::Ty;

/// A switch statement being analysed.
pub(super) struct SwitchState {
    ty: Ty,
    cases: Vec<hir::Case>,
    default: Option<hir::Case>,
}

impl Sema<'_> {
    pub(super) fn function_body(&mut self, body: ast::Stmt) -> hir::Stmt {
        let span = self.ast.stmts[body].span;
        let items = match &self.ast.stmts[body].kind {
            A::Block(items) => items.as_slice(),
            _ => &[],
        };
        // The parameters' scope is the body's own, so no new one is opened.
        let list = self.block_items(items);
        self.check_labels(&[]);
        self.push_stmt(H::Block(list), span)
    }

    /// Labels must be defined: those that a block declares, or all.
    fn check_labels(&mut self, items: &[BlockItem]) {
        let Some(f) = &self.function else { return };
        let own = |name: &Symbol| {
            let is = |item: &BlockItem| matches!(item, BlockItem::Label(n) if n == name);
            items.is_empty() || items.iter().any(is)
        };
        let mut missing: Vec<(Span, String)> = f
            .labels
            .iter()
            .filter(|(name, (_, defined))| !defined && own(name))
            .map(|(_, (label, _))| {
                (
                    self.hir.labels[*label].span,
                    self.hir.labels[*label].name.clone(),
                )
            })
            .collect();
        missing.sort();
        for (span, name) in missing {
            self.error(span, format!("label '{name}' used but not defined"));
        }
    }

    pub(super) fn block_items(&mut self, items: &[BlockItem]) -> Vec<hir::Stmt> {
        self.block_with_value(items, None).0
    }

    /// The statement of a block that may give it a value: an expression, perhaps behind labels.
    fn last_value(&mut self, last: ast::Stmt, out: &mut Vec<hir::Stmt>) -> Option<hir::Expr> {
        let ast = self.ast;
        let span = ast.stmts[last].span;
        match &ast.stmts[last].kind {
            A::Expr(Some(e)) => {
                let value = self.rvalue(*e);
                self.flush_vlas(out);
                Some(value)
            }
            A::Label {
                name,
                name_span,
                body,
            } => {
                let label = self.label(*name, *name_span, true);
                let empty = self.push_stmt(H::Empty, span);
                let stmt = self.push_stmt(H::Label(label, empty), span);
                out.push(stmt);
                self.last_value(*body, out)
            }
            _ => {
                let stmt = self.stmt(last);
                self.flush_vlas(out);
                out.push(stmt);
                None
            }
        }
    }

    /// A block, and the value of its last statement.
    pub(super) fn block_with_value(
        &mut self,
        items: &[BlockItem],
        last: Option<ast::Stmt>,
    ) -> (Vec<hir::Stmt>, Option<hir::Expr>) {
        let mut out = Vec::new();
        let hidden = self.hide_labels(items);
        for item in items {
            match item {
                BlockItem::Label(_) => {}
                BlockItem::Decl(decl) => self.local_decl(*decl, &mut out),
                BlockItem::Stmt(stmt) => {
                    let stmt = self.stmt(*stmt);
                    self.flush_vlas(&mut out);
                    out.push(stmt);
                }
            }
        }
        let value = last.and_then(|last| self.last_value(last, &mut out));
        if !hidden.is_empty() {
            self.check_labels(items);
        }
        if let Some(f) = &mut self.function {
            for (name, old) in hidden {
                match old {
                    Some(old) => f.labels.insert(name, old),
                    None => f.labels.remove(&name),
                };
            }
        }
        (out, value)
    }

    /// `__label__`: the names mean labels of this block until it ends.
    fn hide_labels(&mut self, items: &[BlockItem]) -> Vec<(Symbol, Option<(hir::Label, bool)>)> {
        let Some(f) = &mut self.function else {
            return Vec::new();
        };
        let names = items.iter().filter_map(|item| match item {
            BlockItem::Label(name) => Some(*name),
            _ => None,
        });
        names.map(|name| (name, f.labels.remove(&name))).collect()
    }

    /// Lengths of variable-length types named in expressions are evaluated where they stand.
    fn flush_vlas(&mut self, out: &mut Vec<hir::Stmt>) {
        for id in std::mem::take(&mut self.pending_vlas) {
            let span = self.hir.exprs[self.hir.vlas[id as usize]].span;
            let stmt = self.push_stmt(H::VlaLen(id), span);
            out.push(stmt);
        }
    }

    fn local_decl(&mut self, decl: ast::Decl, out: &mut Vec<hir::Stmt>) {
        let ast = self.ast;
        match &ast.decls[decl].kind {
            DeclKind::Group { specs, declarators } => self.group(*specs, declarators, out),
            DeclKind::StaticAssert { .. } => self.static_assert(decl),
            _ => {}
        }
        self.flush_vlas(out);
    }

    pub(super) fn stmt(&mut self, stmt: ast::Stmt) -> hir::Stmt {
        let span = self.ast.stmts[stmt].span;
        let result = if self.enter(span) {
            self.stmt_inner(stmt, span)
        } else {
            self.push_stmt(H::Empty, span)
        };
        self.leave();
        result
    }

    fn scoped(&mut self, stmt: ast::Stmt) -> hir::Stmt {
        self.scopes.open();
        let result = self.stmt(stmt);
        self.scopes.close();
        result
    }

    fn stmt_inner(&mut self, stmt: ast::Stmt, span: Span) -> hir::Stmt {
        let ast = self.ast;
        let kind = match &ast.stmts[stmt].kind {
            A::Expr(None) => H::Empty,
            A::Expr(Some(e)) => H::Expr(self.discarded(*e)),
            A::Block(items) => {
                self.scopes.open();
                let list = self.block_items(items);
                self.scopes.close();
                H::Block(list)
            }
            A::If { cond, then, other } => {
                let cond = self.condition(*cond);
                let then = self.scoped(*then);
                let other = other.map(|o| self.scoped(o));
                H::If { cond, then, other }
            }
            A::While { cond, body } => {
                let cond = self.condition(*cond);
                H::While {
                    cond,
                    body: self.loop_body(*body),
                }
            }
            A::DoWhile { body, cond } => {
                let body = self.loop_body(*body);
                H::DoWhile {
                    body,
                    cond: self.condition(*cond),
                }
            }
            A::For {
                init,
                cond,
                step,
                body,
            } => return self.for_stmt(*init, *cond, *step, *body, span),
            A::Switch { value, body } => self.switch(*value, *body),
            A::Case { low, high, body } => self.case(*low, *high, *body, span),
            A::Default(body) => self.default(*body, span),
            A::Label {
                name,
                name_span,
                body,
            } => {
                let label = self.label(*name, *name_span, true);
                let body = self.stmt(*body);
                // CBMC's way to start a thread.
                let thread = self.interner.text(*name).starts_with("__CPROVER_ASYNC_");
                let body = if thread {
                    self.refused("a thread", body, span)
                } else {
                    body
                };
                H::Label(label, body)
            }
            A::Goto(name, at) => H::Goto(self.label(*name, *at, false)),
            A::GotoComputed(e) => {
                let e = self.rvalue(*e);
                H::GotoComputed(e)
            }
            A::Continue => {
                if self.function.as_ref().is_some_and(|f| f.loops == 0) {
                    self.error(span, "continue statement not within a loop");
                }
                H::Continue
            }
            A::Break => {
                if self.function.as_ref().is_some_and(|f| f.breakable == 0) {
                    self.error(span, "break statement not within loop or switch");
                }
                H::Break
            }
            A::Return(value) => self.return_stmt(*value, span),
            A::Asm { barrier: true } => H::Empty,
            A::Asm { barrier: false } => H::Asm,
            A::Attributed(attrs, body) => {
                let body = self.stmt(*body);
                return match super::attribute::unknown(attrs) {
                    Some(reason) => self.refused(&format!("a statement with {reason}"), body, span),
                    None => body,
                };
            }
        };
        self.push_stmt(kind, span)
    }

    /// A statement that is not modelled.
    fn refused(&mut self, reason: &str, stmt: hir::Stmt, span: Span) -> hir::Stmt {
        let void = self.hir.types.void;
        let e = self.push_expr(hir::ExprKind::Unsupported(reason.to_owned()), void, span);
        let refusal = self.push_stmt(H::Expr(e), span);
        self.push_stmt(H::Block(vec![refusal, stmt]), span)
    }

    fn for_stmt(
        &mut self,
        init: ForInit,
        cond: Option<ast::Expr>,
        step: Option<ast::Expr>,
        body: ast::Stmt,
        span: Span,
    ) -> hir::Stmt {
        self.scopes.open();
        let mut list = Vec::new();
        match init {
            ForInit::Expr(None) => {}
            ForInit::Expr(Some(e)) => {
                let e = self.discarded(e);
                list.push(self.push_stmt(H::Expr(e), span));
            }
            ForInit::Decl(decl) => self.local_decl(decl, &mut list),
        }
        let cond = cond.map(|c| self.condition(c));
        let step = step.map(|s| self.discarded(s));
        let body = self.loop_body(body);
        self.scopes.close();
        self.push_stmt(
            H::For {
                init: list,
                cond,
                step,
                body,
            },
            span,
        )
    }

    fn loop_body(&mut self, body: ast::Stmt) -> hir::Stmt {
        if let Some(f) = &mut self.function {
            f.loops += 1;
            f.breakable += 1;
        }
        let body = self.scoped(body);
        if let Some(f) = &mut self.function {
            f.loops -= 1;
            f.breakable -= 1;
        }
        body
    }

    /// A scalar that decides.
    pub(super) fn condition(&mut self, e: ast::Expr) -> hir::Expr {
        let span = self.span_of(e);
        let value = self.rvalue(e);
        if !self.is_error(value) && !self.hir.types.is_scalar(self.hir.ty(value)) {
            let name = self.type_name(self.hir.ty(value));
            self.error(
                span,
                format!("used '{name}' value where scalar is required"),
            );
        }
        value
    }

    fn switch(&mut self, value: ast::Expr, body: ast::Stmt) -> H {
        let span = self.span_of(value);
        let mut value = self.rvalue(value);
        let ty = self.hir.ty(value);
        if self.hir.types.is_integer(ty) {
            value = self.promote(value);
        } else if !self.is_error(value) {
            self.error(span, "switch quantity not an integer");
        }
        let ty = self.hir.ty(value);
        if let Some(f) = &mut self.function {
            f.switches.push(SwitchState {
                ty,
                cases: Vec::new(),
                default: None,
            });
            f.breakable += 1;
        }
        let body = self.scoped(body);
        let state = self.function.as_mut().and_then(|f| {
            f.breakable -= 1;
            f.switches.pop()
        });
        let (cases, default) = state.map_or((Vec::new(), None), |s| (s.cases, s.default));
        self.check_cases(&cases, span);
        H::Switch {
            value,
            cases,
            default,
            body,
        }
    }

    fn check_cases(&mut self, cases: &[hir::Case], span: Span) {
        let mut ranges: Vec<(i128, i128)> = cases
            .iter()
            .map(|c| (self.hir.cases[*c].low, self.hir.cases[*c].high))
            .collect();
        ranges.sort_unstable();
        if ranges.windows(2).any(|w| w[1].0 <= w[0].1) {
            self.error(span, "duplicate case value");
        }
    }

    fn case(&mut self, low: ast::Expr, high: Option<ast::Expr>, body: ast::Stmt, span: Span) -> H {
        let ty = self
            .function
            .as_ref()
            .and_then(|f| f.switches.last())
            .map(|s| s.ty);
        let Some(ty) = ty else {
            self.error(span, "case label not within a switch statement");
            return H::Block(vec![self.stmt(body)]);
        };
        let value = |sema: &mut Self, e: ast::Expr| {
            let v = sema.constant(e);
            if v.is_none() {
                let span = sema.span_of(e);
                sema.error(span, "case label does not reduce to an integer constant");
            }
            sema.hir.types.wrap(v.unwrap_or(0), ty)
        };
        let low = value(self, low);
        let high = high.map_or(low, |h| value(self, h));
        let case = self.hir.cases.push(CaseData { low, high });
        // An empty range matches nothing.
        if low <= high
            && let Some(s) = self.function.as_mut().and_then(|f| f.switches.last_mut())
        {
            s.cases.push(case);
        }
        H::Case(case, self.stmt(body))
    }

    fn default(&mut self, body: ast::Stmt, span: Span) -> H {
        let case = self.hir.cases.push(CaseData { low: 0, high: 0 });
        let switch = self.function.as_mut().and_then(|f| f.switches.last_mut());
        match switch.map(|s| s.default.replace(case)) {
            Some(None) => {}
            Some(Some(_)) => self.error(span, "multiple default labels in one switch"),
            None => self.error(span, "'default' label not within a switch statement"),
        }
        H::Case(case, self.stmt(body))
    }

    pub(super) fn label(&mut self, name: Symbol, span: Span, define: bool) -> hir::Label {
        let known = self
            .function
            .as_ref()
            .and_then(|f| f.labels.get(&name))
            .copied();
        let label = match known {
            Some((label, defined)) => {
                if defined && define {
                    let text = self.text(name);
                    self.error(span, format!("duplicate label '{text}'"));
                }
                label
            }
            None => {
                let name = self.text(name);
                let owner = self.function.as_ref().map(|f| f.func);
                self.hir.labels.push(hir::LabelData {
                    name,
                    address_taken: false,
                    owner,
                    span,
                })
            }
        };
        if let Some(f) = &mut self.function {
            let defined = define || known.is_some_and(|(_, d)| d);
            f.labels.insert(name, (label, defined));
        }
        label
    }

    fn return_stmt(&mut self, value: Option<ast::Expr>, span: Span) -> H {
        let void = self.hir.types.void;
        let ret = self.function.as_ref().map_or(void, |f| f.ret.ty);
        let Some(value) = value else {
            return H::Return(None);
        };
        if ret == void {
            // GNU C lets a void function return a void expression; gcc warns about other values.
            let e = self.discarded(value);
            let e = self.push_stmt(H::Expr(e), span);
            let r = self.push_stmt(H::Return(None), span);
            return H::Block(vec![e, r]);
        }
        let at = self.span_of(value);
        let value = self.rvalue(value);
        H::Return(Some(self.assign_convert(value, ret, at, "returning")))
    }
}
