//! From the recorded text to a program, second half: expressions, commands, calls.
//!
//! Terms are interned as written; derived operators expand to plain nodes. A node with an error
//! below it has no term and causes no further errors.

use super::ast::{Bin, Body, Call, Cmd, CmdId, Do, ExprId, Named, Node, Un};
use super::constant;
use super::error::ErrorKind;
use super::reader::Reader;
use super::syntax::{demands, symbol};
use crate::entity::{Input, Proc, Term, Var};
use crate::op::Op;
use crate::program;
use crate::source::Span;
use crate::ty::Type;

impl<'a> Reader<'a> {
    /// Works off all bodies in textual order.
    pub fn elaborate(&mut self) {
        let ast = self.ast;
        for (within, body) in &ast.bodies {
            let within = within.map(|position| self.procs[position]);
            match *body {
                Body::Let(at, name, e) => self.define(at, name, e, within),
                Body::Edge(position) => self.edge(position, within),
            }
        }
    }

    pub fn type_error(&mut self, at: u32, message: impl Into<String>) {
        self.errors.push(at, ErrorKind::Type(message.into()));
    }

    pub fn define(&mut self, at: u32, name: &'a str, e: ExprId, within: Option<Proc>) {
        let t = self.term(e, within);
        if self.lets.insert(name, t).is_some() {
            self.declaration_error(at, format!("`{name}` is defined twice"));
        }
    }

    fn edge(&mut self, position: usize, within: Option<Proc>) {
        let ast = self.ast;
        let d = &ast.edges[position];
        let edge = self.edges[position];
        let span = self.program.edges[edge].span;
        let action = match &d.action {
            Do::Cmd(c) => program::Action::Cmd(self.command(*c, within, span)),
            Do::Call(call) => match self.call(call, within) {
                Some(call) => program::Action::Call(Box::new(call)),
                None => return,
            },
        };
        self.program.edges[edge].action = action;
    }

    fn call(&mut self, call: &'a Call<'a>, within: Option<Proc>) -> Option<program::Call> {
        let args: Vec<_> = call.args.iter().map(|&e| self.term(e, within)).collect();
        let results: Vec<_> = call.results.iter().map(|&n| self.var(n, within)).collect();
        let callee = self.proc(call.callee)?;
        let data = &self.program.procs[callee];
        let (params, returned) = (data.params.clone(), data.results.clone());
        let name = call.callee.text;
        let at = call.callee.at;
        if args.len() != params.len() {
            let message = format!(
                "`{name}` takes {}, found {}",
                count(params.len(), "argument"),
                args.len()
            );
            self.type_error(at, message);
        }
        if results.len() != returned.len() {
            let message = format!(
                "`{name}` returns {}, found {} for them",
                count(returned.len(), "result"),
                count(results.len(), "variable")
            );
            self.type_error(at, message);
        }
        for ((&p, &e), &t) in params.iter().zip(&call.args).zip(&args) {
            let Some(t) = t else { continue };
            let (want, found) = (self.program.pool.var_ty(p), self.program.pool.ty(t));
            if want != found {
                let parameter = &self.program.pool.var_data(p).name;
                let message = format!("parameter `{parameter}` is {want}, the argument {found}");
                self.type_error(self.ast.node_at[e.0 as usize], message);
            }
        }
        for ((&r, &n), &v) in returned.iter().zip(&call.results).zip(&results) {
            let Some(v) = v else { continue };
            let (found, want) = (self.program.pool.var_ty(r), self.program.pool.var_ty(v));
            if want != found {
                let message = format!("`{}` is {want}, the result {found}", n.text);
                self.type_error(n.at, message);
            }
        }
        Some(program::Call {
            callee,
            args: args.into_iter().collect::<Option<_>>()?,
            results: results.into_iter().collect::<Option<_>>()?,
        })
    }

    // ---- commands

    /// The command at `root`. Roots come in textual order; what lies before has been worked off.
    fn command(&mut self, root: CmdId, within: Option<Proc>, span: Span) -> crate::entity::Cmd {
        let ast = self.ast;
        let mut items = Vec::new();
        for i in self.cmds.len()..=root.0 as usize {
            let (_, cmd) = &ast.cmds[i];
            let done = match cmd {
                Cmd::Skip => self.program.cmds.skip(),
                Cmd::Assume(e) => self.assume(*e, within),
                Cmd::Assign(list) => self.assign(list, within),
                Cmd::Havoc(list) => self.havoc(list, within, span),
                Cmd::Seq(list) | Cmd::Choice(list) => {
                    items.clear();
                    items.extend(list.iter().map(|c| self.cmds[c.0 as usize]));
                    match cmd {
                        Cmd::Seq(_) => self.program.cmds.seq(&items),
                        _ => self.program.cmds.choice(&items),
                    }
                }
            };
            self.cmds.push(done);
        }
        self.cmds[root.0 as usize]
    }

    fn assume(&mut self, e: ExprId, within: Option<Proc>) -> crate::entity::Cmd {
        let Some(t) = self.term(e, within) else {
            return self.program.cmds.skip();
        };
        let ty = self.program.pool.ty(t);
        if ty != Type::Bool {
            let at = self.ast.node_at[e.0 as usize];
            self.type_error(at, format!("`assume` takes a boolean, found {ty}"));
        }
        self.program.cmds.assume(t)
    }

    fn assign(&mut self, list: &[(Named<'a>, ExprId)], within: Option<Proc>) -> crate::entity::Cmd {
        let mut items: Vec<(Var, Term)> = Vec::with_capacity(list.len());
        for &(n, e) in list {
            let (v, t) = (self.var(n, within), self.term(e, within));
            let (Some(v), Some(t)) = (v, t) else { continue };
            if self.untyped.contains(&v) {
                continue;
            }
            let (want, found) = (self.program.pool.var_ty(v), self.program.pool.ty(t));
            if want != found {
                let message = format!("`{}` is {want}, the expression {found}", n.text);
                self.type_error(self.ast.node_at[e.0 as usize], message);
            }
            items.push((v, t));
        }
        self.program.cmds.assign_all(&items)
    }

    fn havoc(
        &mut self,
        list: &[(Named<'a>, Option<Named<'a>>)],
        within: Option<Proc>,
        span: Span,
    ) -> crate::entity::Cmd {
        let mut items: Vec<(Var, Input)> = Vec::with_capacity(list.len());
        for &(n, from) in list {
            let Some(v) = self.var(n, within) else {
                continue;
            };
            let ty = self.program.pool.var_ty(v);
            let input = match from {
                Some(from) => {
                    let Some(i) = self.input(from) else { continue };
                    let found = self.program.inputs[i].ty;
                    if found != ty && !self.untyped.contains(&v) {
                        let message = format!("`{}` is {ty}, the input {found}", n.text);
                        self.type_error(from.at, message);
                    }
                    i
                }
                None => {
                    let name = self.program.pool.var_data(v).name.clone();
                    self.program.add_input(name, ty, span)
                }
            };
            items.push((v, input));
        }
        self.program.cmds.havoc(&items)
    }

    // ---- expressions

    /// The term at `root`. Roots come in textual order; what lies before has been worked off.
    pub fn term(&mut self, root: ExprId, within: Option<Proc>) -> Option<Term> {
        for i in self.terms.len()..=root.0 as usize {
            let t = self.node(i, within);
            self.terms.push(t);
        }
        self.terms[root.0 as usize]
    }

    fn node(&mut self, i: usize, within: Option<Proc>) -> Option<Term> {
        let at = self.ast.node_at[i];
        let done = |s: &Self, e: ExprId| s.terms[e.0 as usize];
        match self.ast.nodes[i] {
            Node::Name(text) => {
                let v = self.var(Named { at, text }, within)?;
                (!self.untyped.contains(&v)).then(|| self.program.pool.var(v))
            }
            Node::Shared(name) => match self.lets.get(name) {
                Some(&t) => t,
                None => {
                    let n = Named { at, text: name };
                    self.unknown(n, "subterm", |s| s.lets.keys().copied().collect());
                    None
                }
            },
            Node::Bool(b) => Some(self.program.pool.bool(b)),
            Node::Const { text, negative } => match constant::value(text, negative) {
                Ok(v) => Some(self.program.pool.bv(v)),
                Err(message) => {
                    self.errors.push(at, ErrorKind::Range(message));
                    None
                }
            },
            Node::Paren(e) => done(self, e),
            Node::Unary(op, a) => {
                let op = match op {
                    Un::Core(op) => op,
                    Un::Neg => Op::BvNeg,
                };
                let a = done(self, a)?;
                self.make(at, op, &[a])
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (done(self, a)?, done(self, b)?);
                self.binary(at, op, a, b)
            }
            Node::Select(a, i) => {
                let args = [done(self, a)?, done(self, i)?];
                self.make(at, Op::Select, &args)
            }
            Node::Store(a, i, e) => {
                let args = [done(self, a)?, done(self, i)?, done(self, e)?];
                self.make(at, Op::Store, &args)
            }
            Node::Extract(a, hi, lo) => {
                let a = done(self, a)?;
                self.extract(at, a, hi, lo)
            }
            Node::Apply { name, start, len } => {
                let args = &self.ast.args[start as usize..(start + len) as usize];
                self.apply(at, name, args)
            }
        }
    }

    fn binary(&mut self, at: u32, op: Bin, a: Term, b: Term) -> Option<Term> {
        match op {
            Bin::Core(op) => self.make(at, op, &[a, b]),
            Bin::Swapped(op) => self.make(at, op, &[b, a]),
            Bin::Ne => {
                let eq = self.make(at, Op::Eq, &[a, b])?;
                self.make(at, Op::Not, &[eq])
            }
            Bin::Implies | Bin::Iff if !self.booleans(a, b) => {
                let symbol = if matches!(op, Bin::Iff) {
                    "<==>"
                } else {
                    "==>"
                };
                let types = self.types(&[a, b]);
                self.type_error(at, format!("`{symbol}` takes booleans, found {types}"));
                None
            }
            Bin::Implies => {
                let na = self.make(at, Op::Not, &[a])?;
                self.make(at, Op::Or, &[na, b])
            }
            Bin::Iff => self.make(at, Op::Eq, &[a, b]),
        }
    }

    fn booleans(&self, a: Term, b: Term) -> bool {
        let pool = &self.program.pool;
        pool.ty(a) == Type::Bool && pool.ty(b) == Type::Bool
    }

    /// The node `op(args)` exactly as written, or a type error.
    pub fn make(&mut self, at: u32, op: Op, args: &[Term]) -> Option<Term> {
        if self.program.pool.check(op, args).is_ok() {
            return Some(self.program.pool.intern(op, args));
        }
        let what = match op {
            Op::Select => "a read".to_string(),
            Op::Store => "a write".to_string(),
            op => format!("`{}`", symbol(op)),
        };
        let types = self.types(args);
        self.type_error(at, format!("{what} takes {}, found {types}", demands(op)));
        None
    }

    /// The types of terms, in words.
    pub fn types(&self, args: &[Term]) -> String {
        let pool = &self.program.pool;
        let types: Vec<String> = args.iter().map(|&t| pool.ty(t).to_string()).collect();
        types.join(" and ")
    }

    fn extract(&mut self, at: u32, a: Term, hi: u32, lo: u32) -> Option<Term> {
        match self.program.pool.ty(a) {
            Type::Bv(w) if lo <= hi && hi < w => Some(self.program.pool.intern_extract(hi, lo, a)),
            Type::Bv(w) => {
                let message = format!(
                    "`[{hi}:{lo}]` of a bv{w}: the high bit comes first and lies below {w}"
                );
                self.errors.push(at, ErrorKind::Range(message));
                None
            }
            ty => {
                self.type_error(at, format!("`[{hi}:{lo}]` takes a bit-vector, found {ty}"));
                None
            }
        }
    }
}

/// `1 argument`, `2 arguments`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
