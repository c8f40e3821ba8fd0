//! The actions of the grammar: each records what was written in the tables of [`Ast`].

use super::MAX_NESTING;
use super::VERSION;
use super::ast::{
    Arg, Ast, Attr, Bin, Body, Cmd, CmdId, Declared, Do, EdgeDecl, ExprId, InputDecl, LocDecl,
    Named, Node, ProcDecl, RegionDecl, ScopeOf, SpanOf, Un, VarDecl,
};
use super::error::ErrorKind;
use super::syntax::unquote;
use crate::ty::Type;
use std::borrow::Cow;

impl<'s> Ast<'s> {
    pub fn range_error(&mut self, at: u32, message: String) {
        self.errors.push(at, ErrorKind::Range(message));
    }

    // ---- declarations

    pub fn version(&mut self, at: u32, n: &str) {
        if n != VERSION.to_string() {
            let message = format!("this is version {VERSION} of the text form, not {n}");
            self.errors.push(at, ErrorKind::Declaration(message));
        }
    }

    pub fn declared(&mut self, n: Named<'s>, label: Option<(u32, &'s str)>) -> Declared<'s> {
        let label = label.map(|(at, quoted)| self.string(at, quoted));
        Declared {
            at: n.at,
            text: n.text,
            label,
        }
    }

    /// The contents of a string token.
    pub fn string(&mut self, at: u32, quoted: &'s str) -> Cow<'s, str> {
        match unquote(quoted) {
            Ok(text) => text,
            Err(bad) => {
                let message = format!("`{bad}` is no escape sequence");
                self.errors.push(at, ErrorKind::Lexical(message));
                Cow::Borrowed("")
            }
        }
    }

    pub fn file(&mut self, name: Declared<'s>) {
        self.files.push(name);
    }

    pub fn var(
        &mut self,
        name: Declared<'s>,
        ty: Option<Type>,
        scope: Option<ScopeOf<'s>>,
        span: Option<SpanOf<'s>>,
    ) {
        let within = self.within;
        self.vars.push(VarDecl {
            name,
            ty,
            scope,
            within,
            span,
        });
    }

    pub fn input(&mut self, name: Declared<'s>, ty: Option<Type>, span: Option<SpanOf<'s>>) {
        self.inputs.push(InputDecl { name, ty, span });
    }

    pub fn region(
        &mut self,
        name: Declared<'s>,
        memory: Named<'s>,
        base: Named<'s>,
        size: Option<u64>,
        span: Option<SpanOf<'s>>,
    ) {
        self.regions.push(RegionDecl {
            name,
            memory,
            base,
            size,
            span,
        });
    }

    pub fn define(&mut self, at: u32, name: &'s str, e: ExprId) {
        self.bodies.push((self.within, Body::Let(at, name, e)));
    }

    pub fn begin_proc(
        &mut self,
        name: Declared<'s>,
        params: Vec<Named<'s>>,
        results: Vec<Named<'s>>,
        span: Option<SpanOf<'s>>,
    ) {
        self.within = Some(self.procs.len());
        self.procs.push(ProcDecl {
            name,
            params,
            results,
            span,
        });
    }

    pub fn end_proc(&mut self) {
        self.within = None;
    }

    pub fn loc(
        &mut self,
        name: Declared<'s>,
        attrs: Vec<(u32, Attr<'s>)>,
        span: Option<SpanOf<'s>>,
    ) {
        let proc = self.within.expect("locations stand in procedures only");
        self.locs.push(LocDecl {
            proc,
            name,
            attrs,
            span,
        });
    }

    pub fn edge(
        &mut self,
        at: u32,
        label: Option<Named<'s>>,
        from: Named<'s>,
        to: Named<'s>,
        action: Do<'s>,
        span: Option<SpanOf<'s>>,
    ) {
        self.bodies
            .push((self.within, Body::Edge(self.edges.len())));
        self.edges.push(EdgeDecl {
            at,
            label,
            from,
            to,
            action,
            span,
        });
    }

    pub fn main(&mut self, name: Named<'s>) {
        if self.main.is_some() {
            let message = "a program has one `main` line".to_string();
            self.errors.push(name.at, ErrorKind::Declaration(message));
        }
        self.main = Some(name);
    }

    // ---- numbers and types

    pub fn number(&mut self, at: u32, text: &str) -> u64 {
        let digits = text.replace('_', "");
        digits.parse().unwrap_or_else(|_| {
            self.range_error(at, format!("{text} is too large"));
            0
        })
    }

    pub fn number32(&mut self, at: u32, text: &str) -> u32 {
        let n = self.number(at, text);
        u32::try_from(n).unwrap_or_else(|_| {
            self.range_error(at, format!("{text} is too large"));
            0
        })
    }

    /// The width in a token `bvN`.
    pub fn width(&mut self, at: u32, text: &str) -> Option<u32> {
        match text.parse::<u32>() {
            Ok(w) if Type::Bv(w).is_valid() => Some(w),
            _ => {
                let max = Type::MAX_WIDTH;
                self.range_error(
                    at,
                    format!("bv{text} is no type: widths run from 1 to {max}"),
                );
                None
            }
        }
    }

    pub fn bv(&mut self, at: u32, token: &str) -> Option<Type> {
        self.width(at, &token[2..]).map(Type::Bv)
    }

    pub fn array(&mut self, at: u32, index: &str, at2: u32, elem: &str) -> Option<Type> {
        let index = self.width(at, &index[2..]);
        let elem = self.width(at2, &elem[2..]);
        Some(Type::Array {
            index: index?,
            elem: elem?,
        })
    }

    // ---- commands

    pub fn cmd(&mut self, at: u32, cmd: Cmd<'s>) -> CmdId {
        let depth = match &cmd {
            Cmd::Seq(items) | Cmd::Choice(items) => {
                let below = items.iter().map(|c| self.depth[c.0 as usize]).max();
                below.unwrap_or(0) + 1
            }
            _ => 0,
        };
        if depth == MAX_NESTING + 1 {
            self.range_error(
                at,
                format!("commands nest deeper than {MAX_NESTING} levels"),
            );
        }
        let id = CmdId(self.cmds.len() as u32);
        self.cmds.push((at, cmd));
        self.depth.push(depth);
        id
    }

    pub fn block(&mut self, at: u32, items: Vec<CmdId>) -> CmdId {
        self.cmd(at, Cmd::Seq(items))
    }

    pub fn choice(&mut self, at: u32, first: CmdId, mut rest: Vec<CmdId>) -> CmdId {
        rest.insert(0, first);
        self.cmd(at, Cmd::Choice(rest))
    }

    /// `x, y := e, f`.
    pub fn parallel(&mut self, at: u32, left: Vec<Named<'s>>, right: Vec<ExprId>) -> CmdId {
        if left.len() != right.len() {
            let message = format!(
                "{} variables on the left of `:=`, {} expressions on the right",
                left.len(),
                right.len()
            );
            self.errors.push(at, ErrorKind::Type(message));
        }
        let items = left.into_iter().zip(right).collect();
        self.cmd(at, Cmd::Assign(items))
    }

    // ---- expressions

    pub fn node(&mut self, at: u32, node: Node<'s>) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.node_at.push(at);
        id
    }

    pub fn unary(&mut self, at: u32, op: Un, e: ExprId) -> ExprId {
        if let (Un::Neg, Node::Const { negative, .. }) = (op, &mut self.nodes[e.0 as usize])
            && !*negative
        {
            *negative = true;
            self.node_at[e.0 as usize] = at;
            return e;
        }
        self.node(at, Node::Unary(op, e))
    }

    pub fn binary(&mut self, at: u32, op: Bin, a: ExprId, b: ExprId) -> ExprId {
        self.node(at, Node::Binary(op, a, b))
    }

    pub fn paren(&mut self, at: u32, e: ExprId) -> ExprId {
        match self.nodes[e.0 as usize] {
            Node::Const { .. } => self.node(at, Node::Paren(e)),
            _ => e,
        }
    }

    pub fn apply(&mut self, at: u32, name: &'s str, args: Vec<Arg>) -> ExprId {
        let (start, len) = (self.args.len() as u32, args.len() as u32);
        self.args.extend(args);
        self.node(at, Node::Apply { name, start, len })
    }
}
