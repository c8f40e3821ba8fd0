//! Statement nodes.

use super::{Decl, Expr, Stmt};
use crate::lex::token::{AsideId, Symbol};
use crate::source::Span;

/// A piece of a block.
#[derive(Clone, Copy, Debug)]
pub enum BlockItem {
    /// A declaration.
    Decl(Decl),
    /// A statement.
    Stmt(Stmt),
}

/// The first clause of `for`.
#[derive(Clone, Copy, Debug)]
pub enum ForInit {
    /// Nothing or an expression.
    Expr(Option<Expr>),
    /// A declaration.
    Decl(Decl),
}

/// What a statement is.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the variants are C's own constructs
pub enum StmtKind {
    Expr(Option<Expr>),
    Block(Vec<BlockItem>),
    If {
        cond: Expr,
        then: Stmt,
        other: Option<Stmt>,
    },
    While {
        cond: Expr,
        body: Stmt,
    },
    DoWhile {
        body: Stmt,
        cond: Expr,
    },
    For {
        init: ForInit,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Stmt,
    },
    Switch {
        value: Expr,
        body: Stmt,
    },
    /// GNU ranges have a second bound.
    Case {
        low: Expr,
        high: Option<Expr>,
        body: Stmt,
    },
    Default(Stmt),
    Label {
        name: Symbol,
        name_span: Span,
        body: Stmt,
    },
    Goto(Symbol, Span),
    GotoComputed(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    Asm(AsideId),
}
