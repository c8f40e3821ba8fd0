//! What the grammar records: flat tables in textual order, children before parents.
//!
//! An LR parser reduces bottom-up, so a node is pushed after its arguments and every table can
//! be worked off front to back: nothing here or later recurses, however deep the text nests.

use super::error::Errors;
use crate::op::Op;
use crate::ty::Type;
use std::borrow::Cow;

/// An expression node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// A command node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CmdId(pub u32);

/// A name as used, with its byte offset.
#[derive(Clone, Copy, Debug)]
pub struct Named<'s> {
    pub at: u32,
    pub text: &'s str,
}

/// A name as declared, with the label that may follow it.
#[derive(Clone, Debug)]
pub struct Declared<'s> {
    pub at: u32,
    pub text: &'s str,
    pub label: Option<Cow<'s, str>>,
}

/// `at f0:1:5`.
#[derive(Clone, Copy, Debug)]
pub struct SpanOf<'s> {
    pub file: Named<'s>,
    pub line: u32,
    pub column: u32,
}

/// A unary operator.
#[derive(Clone, Copy, Debug)]
pub enum Un {
    Core(Op),
    /// Minus: part of the constant, where one follows directly.
    Neg,
}

/// A binary operator.
#[derive(Clone, Copy, Debug)]
pub enum Bin {
    Core(Op),
    /// The core operator with its arguments exchanged.
    Swapped(Op),
    Ne,
    Implies,
    Iff,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Node<'s> {
    Name(&'s str),
    Shared(&'s str),
    Bool(bool),
    Const {
        text: &'s str,
        negative: bool,
    },
    /// Parentheses around a constant: `-(1bv8)` negates, `-1bv8` is a constant.
    Paren(ExprId),
    Unary(Un, ExprId),
    Binary(Bin, ExprId, ExprId),
    Select(ExprId, ExprId),
    Store(ExprId, ExprId, ExprId),
    Extract(ExprId, u32, u32),
    /// A named operation on `len` arguments from `start` on in [`Ast::args`].
    Apply {
        name: &'s str,
        start: u32,
        len: u32,
    },
}

/// An argument of a named operation.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    Term(ExprId),
    Number(u32),
    Type(Option<Type>),
}

/// A command.
#[derive(Clone, Debug)]
pub enum Cmd<'s> {
    Skip,
    Assume(ExprId),
    Assign(Vec<(Named<'s>, ExprId)>),
    Havoc(Vec<(Named<'s>, Option<Named<'s>>)>),
    Seq(Vec<CmdId>),
    Choice(Vec<CmdId>),
}

/// A call as an edge's action.
#[derive(Clone, Debug)]
pub struct Call<'s> {
    pub callee: Named<'s>,
    pub args: Vec<ExprId>,
    pub results: Vec<Named<'s>>,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Do<'s> {
    Cmd(CmdId),
    Call(Box<Call<'s>>),
}

/// An attribute of a location.
#[derive(Clone, Copy, Debug)]
pub enum Attr<'s> {
    Entry,
    Exit,
    Error(&'s str),
    Incomplete(&'s str),
}

/// Who may mention a variable.
#[derive(Clone, Copy, Debug)]
pub enum ScopeOf<'s> {
    Proc(Named<'s>),
    Auxiliary,
}

/// A variable's declaration.
pub struct VarDecl<'s> {
    pub name: Declared<'s>,
    pub ty: Option<Type>,
    pub scope: Option<ScopeOf<'s>>,
    /// The procedure, by position, in whose body it is declared.
    pub within: Option<usize>,
    pub span: Option<SpanOf<'s>>,
}

/// An input's declaration.
pub struct InputDecl<'s> {
    pub name: Declared<'s>,
    pub ty: Option<Type>,
    pub span: Option<SpanOf<'s>>,
}

/// A region's declaration.
pub struct RegionDecl<'s> {
    pub name: Declared<'s>,
    pub memory: Named<'s>,
    pub base: Named<'s>,
    pub size: Option<u64>,
    pub span: Option<SpanOf<'s>>,
}

/// A procedure's head.
pub struct ProcDecl<'s> {
    pub name: Declared<'s>,
    pub params: Vec<Named<'s>>,
    pub results: Vec<Named<'s>>,
    pub span: Option<SpanOf<'s>>,
}

/// A location's declaration; `proc` is the position of its procedure.
pub struct LocDecl<'s> {
    pub proc: usize,
    pub name: Declared<'s>,
    pub attrs: Vec<(u32, Attr<'s>)>,
    pub span: Option<SpanOf<'s>>,
}

/// An edge.
pub struct EdgeDecl<'s> {
    pub at: u32,
    pub label: Option<Named<'s>>,
    pub from: Named<'s>,
    pub to: Named<'s>,
    pub action: Do<'s>,
    pub span: Option<SpanOf<'s>>,
}

/// What is elaborated in textual order once all declarations are known.
pub enum Body<'s> {
    /// `let`: offset, name, definition.
    Let(u32, &'s str, ExprId),
    /// The edge at this position of [`Ast::edges`].
    Edge(usize),
}

/// Everything a text says.
#[derive(Default)]
pub struct Ast<'s> {
    pub errors: Errors,
    pub nodes: Vec<Node<'s>>,
    /// Byte offset per node.
    pub node_at: Vec<u32>,
    pub args: Vec<Arg>,
    pub cmds: Vec<(u32, Cmd<'s>)>,
    /// Nesting depth per command.
    pub depth: Vec<u32>,
    pub files: Vec<Declared<'s>>,
    pub vars: Vec<VarDecl<'s>>,
    pub inputs: Vec<InputDecl<'s>>,
    pub regions: Vec<RegionDecl<'s>>,
    pub procs: Vec<ProcDecl<'s>>,
    pub locs: Vec<LocDecl<'s>>,
    pub edges: Vec<EdgeDecl<'s>>,
    /// Lets and edges, with the position of the procedure they stand in.
    pub bodies: Vec<(Option<usize>, Body<'s>)>,
    pub main: Option<Named<'s>>,
    /// The procedure, by position, that is being read.
    pub within: Option<usize>,
}
