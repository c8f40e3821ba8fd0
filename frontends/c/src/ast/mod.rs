//! The syntax tree: flat arenas of u32 entities, every node with its span.
//!
//! It says what was written; names are unresolved and nothing is typed. `expr`, `stmt` and `decl`
//! hold the node kinds.

pub mod decl;
pub mod expr;
pub mod stmt;

pub use decl::*;
pub use expr::*;
pub use stmt::*;

use crate::lex::literal::StrLit;
use crate::lex::token::StrId;
use crate::source::Span;
use cranelift_entity::PrimaryMap;

trellis_ivl::entities! {
    /// An expression.
    Expr "expr";
    /// A statement.
    Stmt "stmt";
    /// A declaration or function definition.
    Decl "decl";
    /// Declaration specifiers.
    Specs "specs";
    /// A type name, as in casts.
    TypeName "tyname";
    /// An initialiser.
    Init "init";
}

/// A node with its span.
#[derive(Clone, Debug)]
pub struct Node<K> {
    /// What.
    pub kind: K,
    /// Where.
    pub span: Span,
}

/// One translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    /// Expressions.
    pub exprs: PrimaryMap<Expr, Node<ExprKind>>,
    /// Statements.
    pub stmts: PrimaryMap<Stmt, Node<StmtKind>>,
    /// Declarations.
    pub decls: PrimaryMap<Decl, Node<DeclKind>>,
    /// Declaration specifiers.
    pub specs: PrimaryMap<Specs, SpecsData>,
    /// Type names.
    pub type_names: PrimaryMap<TypeName, TypeNameData>,
    /// Initialisers.
    pub inits: PrimaryMap<Init, Node<InitKind>>,
    /// String literals.
    pub strings: PrimaryMap<StrId, StrLit>,
    /// External declarations in order.
    pub unit: Vec<Decl>,
    /// `#pragma weak name` and `#pragma weak name = target`.
    pub weak: Vec<(String, Option<String>)>,
}
