//! CBMC's quantifiers over a bounded range, as the loops that decide them.
//!
//! `__CPROVER_forall { T i; low <= i && i < high ==> P }` is
//! `({ _Bool r = 1; for (T i = low; i < high; i++) if (!P') { r = 0; break; } r; })` with the whole
//! body for P', and an existential one over `low <= i && i < high && P` the same the other way round. A
//! body without such bounds becomes a call that the analysis of types understands where one value is as good
//! as all, and that is incomplete elsewhere.

use super::state::State;
use crate::ast::*;
use crate::lex::literal::IntLit;
use crate::lex::token::Symbol;
use crate::library::ANY;
use crate::source::Span;

/// A call that stands for a universal quantifier without bounds, of the body for any value.
pub const UNBOUNDED_FORALL: &str = "__CPROVER_unbounded_forall";
/// The same of existential ones.
pub const UNBOUNDED_EXISTS: &str = "__CPROVER_unbounded_exists";

/// The range of a quantified variable: first value, and the condition under which the loop goes on.
#[derive(Default)]
struct Range {
    low: Option<Expr>,
    below: Option<Expr>,
    /// Whether what it is below of is a small number.
    literal: bool,
    /// Whether that fits any integer type.
    tiny: bool,
}

/// What restricts the variable of a quantifier.
struct Guard {
    /// A conjunction with the bounds.
    bounds: Expr,
    /// Whether the body is true where it does not hold, rather than false.
    implies: bool,
}

impl State {
    /// The expression of a quantifier over what `decl` declares.
    pub(super) fn quantified(&self, lo: u32, hi: u32, all: bool, decl: Decl, body: Expr) -> Expr {
        self.bounded(lo, hi, all, decl, body).unwrap_or_else(|| {
            let name = match all {
                true => UNBOUNDED_FORALL,
                false => UNBOUNDED_EXISTS,
            };
            let name = self.interner.borrow_mut().intern(name);
            let callee = self.expr(lo, hi, ExprKind::Ident(name));
            let body = self.of_any_value(lo, hi, decl, body);
            self.expr(lo, hi, ExprKind::Call(callee, vec![body]))
        })
    }

    /// `({ T any(); T i = any(); body; })`
    fn of_any_value(&self, lo: u32, hi: u32, decl: Decl, body: Expr) -> Expr {
        let group = match &self.ast.borrow().decls[decl].kind {
            DeclKind::Group { specs, declarators } => Some((*specs, declarators.clone())),
            _ => None,
        };
        let mut items = Vec::new();
        for (i, (declarator, init)) in group.iter().flat_map(|(_, d)| d.iter().enumerate()) {
            let Some((specs, _)) = &group else { continue };
            let name = format!("{ANY}{lo}_{i}");
            let any = self.interner.borrow_mut().intern(&name);
            let callee = self.expr(lo, hi, ExprKind::Ident(any));
            let call = self.expr(lo, hi, ExprKind::Call(callee, Vec::new()));
            let value = self.init(lo, hi, InitKind::Expr(call));
            let mut function = declarator.clone();
            function.name = Some(any);
            let params = Params::Names(Vec::new());
            function.chunks.insert(
                0,
                Chunk::Function {
                    params,
                    scope: Vec::new(),
                },
            );
            let group = |declarator, init| {
                let kind = DeclKind::Group {
                    specs: *specs,
                    declarators: vec![(declarator, init)],
                };
                BlockItem::Decl(self.decl(lo, hi, kind))
            };
            items.push(group(function, None));
            items.push(group(declarator.clone(), init.or(Some(value))));
        }
        let value = self.stmt(lo, hi, StmtKind::Expr(Some(body)));
        items.push(BlockItem::Stmt(value));
        let block = self.stmt(lo, hi, StmtKind::Block(items));
        self.expr(lo, hi, ExprKind::StmtExpr(block))
    }

    fn bounded(&self, lo: u32, hi: u32, all: bool, decl: Decl, body: Expr) -> Option<Expr> {
        let (specs, var, span) = {
            let ast = self.ast.borrow();
            let DeclKind::Group { specs, declarators } = &ast.decls[decl].kind else {
                return None;
            };
            let [(declarator, None)] = declarators.as_slice() else {
                return None;
            };
            (*specs, declarator.name?, declarator.span)
        };
        let mut range = Range::default();
        let guard = self.guard(body)?;
        self.collect(guard.bounds, var, &mut range);
        let TypeSpec::Basic(ty) = self.ast.borrow().specs[specs].ty.clone() else {
            return None;
        };
        // Counting must not wrap below the bound.
        let wide = !ty.char && !ty.short;
        if ty.float || ty.double || ty.bits.is_some() || !(wide || range.tiny) {
            return None;
        }
        let number = |value: u64| {
            let literal = IntLit {
                value,
                unsigned: false,
                longs: 0,
                decimal: true,
            };
            self.expr(lo, hi, ExprKind::Int(literal))
        };
        if guard.implies != all {
            // Some number lies outside of a constant range, and there an implication holds.
            let outside = !all && range.literal;
            return (outside && range.low.is_some()).then(|| number(1));
        }
        // The body says itself that a bound does not belong to the range.
        let low = match range.low {
            Some(low) => low,
            None if ty.unsigned => number(0),
            None => return None,
        };
        let below = range.below?;
        // The loop.
        let name = |text: &str| self.interner.borrow_mut().intern(text);
        let result = name("__CPROVER_holds");
        let ident = |symbol: Symbol| self.expr(lo, hi, ExprKind::Ident(symbol));
        let init = self.init(lo, hi, InitKind::Expr(low));
        let declarator = Declarator::named(var, span);
        let first = self.decl(
            lo,
            hi,
            DeclKind::Group {
                specs,
                declarators: vec![(declarator, Some(init))],
            },
        );
        let verdict = if all {
            self.expr(lo, hi, ExprKind::Unary(UnOp::Not, body))
        } else {
            body
        };
        let set = ExprKind::Assign(None, ident(result), number(u64::from(!all)));
        let set = self.expr(lo, hi, set);
        let set = self.stmt(lo, hi, StmtKind::Expr(Some(set)));
        let leave = self.stmt(lo, hi, StmtKind::Break);
        let both = vec![BlockItem::Stmt(set), BlockItem::Stmt(leave)];
        let then = self.stmt(lo, hi, StmtKind::Block(both));
        let decide = self.stmt(
            lo,
            hi,
            StmtKind::If {
                cond: verdict,
                then,
                other: None,
            },
        );
        let step = ExprKind::IncDec {
            increment: true,
            postfix: true,
            operand: ident(var),
        };
        let step = self.expr(lo, hi, step);
        let each = self.stmt(
            lo,
            hi,
            StmtKind::For {
                init: ForInit::Decl(first),
                cond: Some(below),
                step: Some(step),
                body: decide,
            },
        );
        let start = self.init(lo, hi, InitKind::Expr(number(u64::from(all))));
        let mut bool_specs = super::specs::empty_specs(Span::new(lo, hi));
        bool_specs.ty = TypeSpec::Bool;
        let bool_specs = self.specs(bool_specs);
        let holder = self.decl(
            lo,
            hi,
            DeclKind::Group {
                specs: bool_specs,
                declarators: vec![(Declarator::named(result, Span::new(lo, hi)), Some(start))],
            },
        );
        let value = self.stmt(lo, hi, StmtKind::Expr(Some(ident(result))));
        let block = vec![
            BlockItem::Decl(holder),
            BlockItem::Stmt(each),
            BlockItem::Stmt(value),
        ];
        let block = self.stmt(lo, hi, StmtKind::Block(block));
        Some(self.expr(lo, hi, ExprKind::StmtExpr(block)))
    }

    /// The left side of an implication, or a whole conjunction.
    fn guard(&self, body: Expr) -> Option<Guard> {
        let ast = self.ast.borrow();
        let (bounds, implies) = match &ast.exprs[body].kind {
            ExprKind::Binary(BinOp::Implies, guard, _) => (*guard, true),
            ExprKind::Binary(BinOp::Or, left, _) => match &ast.exprs[*left].kind {
                ExprKind::Unary(UnOp::Not, guard) => (*guard, true),
                _ => return None,
            },
            ExprKind::Binary(BinOp::And, ..) => (body, false),
            _ => return None,
        };
        Some(Guard { bounds, implies })
    }

    /// The bounds among the parts of a conjunction.
    fn collect(&self, e: Expr, var: Symbol, range: &mut Range) {
        let (op, a, b) = match self.ast.borrow().exprs[e].kind {
            ExprKind::Binary(op, a, b) => (op, a, b),
            _ => return,
        };
        if op == BinOp::And {
            self.collect(a, var, range);
            self.collect(b, var, range);
            return;
        }
        let is_var = |e: Expr| {
            let ast = self.ast.borrow();
            matches!(ast.exprs[e].kind, ExprKind::Ident(name) if name == var)
        };
        let (bound, var_first) = match (is_var(a), is_var(b)) {
            (true, false) => (b, true),
            (false, true) => (a, false),
            _ => return,
        };
        if !self.independent(bound, var) {
            return;
        }
        match (op, var_first) {
            (BinOp::Ge | BinOp::Gt, true) | (BinOp::Le | BinOp::Lt, false)
                if range.low.is_none() =>
            {
                range.low = Some(bound);
            }
            (BinOp::Lt | BinOp::Le, true) | (BinOp::Gt | BinOp::Ge, false) => {
                let kind = &self.ast.borrow().exprs[bound].kind;
                let literal = matches!(kind, ExprKind::Int(i) if i.value < 1 << 30);
                // What is counted up to must not be the largest number.
                if range.below.is_none() && (literal || matches!(op, BinOp::Lt | BinOp::Gt)) {
                    (range.below, range.literal) = (Some(e), literal);
                    range.tiny = matches!(kind, ExprKind::Int(i) if i.value < 127);
                }
            }
            _ => {}
        }
    }

    /// Whether an expression is simple enough to be evaluated anywhere, and does not mention the variable.
    fn independent(&self, e: Expr, var: Symbol) -> bool {
        let (a, b) = match &self.ast.borrow().exprs[e].kind {
            ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::SizeofType(_) => return true,
            ExprKind::Ident(name) => return *name != var,
            ExprKind::Cast(_, a) | ExprKind::Unary(UnOp::Plus | UnOp::Minus, a) => (*a, *a),
            ExprKind::Binary(_, a, b) => (*a, *b),
            _ => return false,
        };
        self.independent(a, var) && self.independent(b, var)
    }
}
