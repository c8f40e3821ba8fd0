//! Statement nodes.

use super::{Attribute, Decl, Expr, Stmt};
use crate::lex::token::Symbol;
use crate::source::Span;

/// A piece of a block.
#[derive(Clone, Copy, Debug)]
pub enum BlockItem {
    /// A declaration.
    Decl(Decl),
    /// A statement.
    Stmt(Stmt),
    /// GNU `__label__`: the label is the block's own.
    Label(Symbol),
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
    /// Attributes on a statement.
    Attributed(Vec<Attribute>, Stmt),
    /// Whether it only keeps the compiler from moving code: an empty template that sets nothing.
    Asm {
        barrier: bool,
    },
}
