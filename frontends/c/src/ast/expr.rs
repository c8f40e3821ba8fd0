//! Expression nodes.

use super::{Expr, Init, Stmt, TypeName};
use crate::lex::literal::{CharLit, IntLit};
use crate::lex::token::{StrId, Symbol};
use crate::source::Span;

/// Binary operators, the logical ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    /// `==>` of CBMC.
    Implies,
}

impl BinOp {
    /// Binding strength; greater binds tighter (C11 6.5.5 to 6.5.14).
    pub fn precedence(self) -> u8 {
        use BinOp::*;
        match self {
            Mul | Div | Rem => 10,
            Add | Sub => 9,
            Shl | Shr => 8,
            Lt | Gt | Le | Ge => 7,
            Eq | Ne => 6,
            BitAnd => 5,
            BitXor => 4,
            BitOr => 3,
            And => 2,
            Or => 1,
            Implies => 0,
        }
    }

    /// The operator as written.
    pub fn text(self) -> &'static str {
        use BinOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
            Implies => "==>",
        }
    }
}

/// Unary operators that take a cast expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnOp {
    Addr,
    Deref,
    Plus,
    Minus,
    BitNot,
    Not,
    Real,
    Imag,
}

/// A step of `offsetof` or of a designator.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`
    Field(Symbol, Span),
    /// `[index]`
    Index(Expr),
    /// GNU `[first ... last]`
    Range(Expr, Expr),
}

/// What an expression is.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the variants are C's own constructs
pub enum ExprKind {
    Ident(Symbol),
    Int(IntLit),
    Float(Symbol),
    Char(CharLit),
    Str(StrId),
    Generic {
        control: Expr,
        arms: Vec<(Option<TypeName>, Expr)>,
    },
    StmtExpr(Stmt),
    Index(Expr, Expr),
    Call(Expr, Vec<Expr>),
    Member {
        base: Expr,
        field: Symbol,
        field_span: Span,
        arrow: bool,
    },
    IncDec {
        increment: bool,
        postfix: bool,
        operand: Expr,
    },
    CompoundLit(TypeName, Init),
    Unary(UnOp, Expr),
    LabelAddr(Symbol),
    SizeofExpr(Expr),
    SizeofType(TypeName),
    AlignofExpr(Expr),
    AlignofType(TypeName),
    Cast(TypeName, Expr),
    Binary(BinOp, Expr, Expr),
    /// The middle is missing in GNU `a ?: b`.
    Cond(Expr, Option<Expr>, Expr),
    Assign(Option<BinOp>, Expr, Expr),
    Comma(Expr, Expr),
    VaArg(Expr, TypeName),
    Offsetof(TypeName, Vec<Designator>),
    TypesCompatible(TypeName, TypeName),
    Choose(Expr, Expr, Expr),
}

/// What an initialiser is.
#[derive(Clone, Debug)]
pub enum InitKind {
    /// A single expression.
    Expr(Expr),
    /// `{ ... }`, each element with its designators.
    List(Vec<(Vec<Designator>, Init)>),
}
