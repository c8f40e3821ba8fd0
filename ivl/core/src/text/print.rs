//! Prints terms: least parentheses, shared subterms by name, no recursion.

use super::constant;
use super::names::{Meaning, VarNames};
use super::share::Sharing;
use super::syntax::{Form, form, is_plain, prec};
use crate::entity::{Proc, Term, Var};
use crate::op::Op;
use crate::pool::TermPool;
use crate::ty::Type;
use std::fmt::Write;

/// What is left to write.
enum Piece {
    Text(&'static str),
    /// A term in a place that demands this binding strength.
    Term(Term, u8),
    Number(u32),
    Type(Type),
}

/// Prints terms of one pool.
pub struct TermPrinter<'a> {
    pool: &'a TermPool,
    names: VarNames<'a>,
    /// Whether the name can be written bare at all, by variable number.
    plain: Vec<bool>,
    stack: Vec<Piece>,
}

impl<'a> TermPrinter<'a> {
    /// A printer for `pool`; looks at the names of all variables once.
    pub fn new(pool: &'a TermPool) -> TermPrinter<'a> {
        TermPrinter {
            pool,
            names: VarNames::of_pool(pool),
            plain: pool
                .vars()
                .values()
                .map(|d| is_plain(&d.name, 'v'))
                .collect(),
            stack: Vec::new(),
        }
    }

    /// The term with the definitions it needs: `let $0 = ...; $0 + $0`. Linear in the DAG.
    pub fn print(&mut self, t: Term) -> String {
        let mut sharing = Sharing::new(self.pool, [t]);
        let mut out = String::new();
        for d in sharing.definitions(self.pool, t) {
            self.definition(&mut out, d, None, &sharing);
            out.push(' ');
        }
        self.term(&mut out, t, None, &sharing, usize::MAX);
        out
    }

    /// The beginning of the term as seen from `within`, for pictures and messages: at most about
    /// `limit` bytes, ending in dots where something is missing.
    pub fn short(&mut self, t: Term, within: Option<Proc>, limit: usize) -> String {
        let mut out = String::new();
        if !self.term(&mut out, t, within, &Sharing::none(), limit) {
            let end = out.floor_char_boundary(limit);
            out.truncate(end);
            out.push_str("...");
        }
        out
    }

    /// The name of `v` as seen from `within`.
    pub fn name(&self, v: Var, within: Option<Proc>) -> String {
        let mut out = String::new();
        self.var(&mut out, v, within);
        out
    }

    /// Appends `let $n = ...;` for a term that `sharing` has numbered.
    pub(super) fn definition(
        &mut self,
        out: &mut String,
        t: Term,
        within: Option<Proc>,
        sharing: &Sharing,
    ) {
        let n = sharing.number(t).expect("definitions are numbered");
        write!(out, "let ${n} = ").expect("writing to a string");
        self.open(out, t, prec::LOWEST, within, sharing);
        self.rest(out, within, sharing, usize::MAX);
        out.push(';');
    }

    /// Appends a term; gives up (and says false) once `out` is longer than `limit`.
    pub(super) fn term(
        &mut self,
        out: &mut String,
        t: Term,
        within: Option<Proc>,
        sharing: &Sharing,
        limit: usize,
    ) -> bool {
        self.stack.push(Piece::Term(t, prec::LOWEST));
        self.rest(out, within, sharing, limit)
    }

    /// Writes all that is left.
    fn rest(
        &mut self,
        out: &mut String,
        within: Option<Proc>,
        sharing: &Sharing,
        limit: usize,
    ) -> bool {
        while let Some(piece) = self.stack.pop() {
            match piece {
                Piece::Text(s) => out.push_str(s),
                Piece::Number(n) => write!(out, "{n}").expect("writing to a string"),
                Piece::Type(ty) => write!(out, "{ty}").expect("writing to a string"),
                Piece::Term(t, demand) => match sharing.number(t) {
                    Some(n) => write!(out, "${n}").expect("writing to a string"),
                    None => self.open(out, t, demand, within, sharing),
                },
            }
            // Every piece is a character at least.
            if out.len() > limit || self.stack.len() > limit {
                self.stack.clear();
                return false;
            }
        }
        true
    }

    /// Writes the first piece of `t` and leaves the others on the stack.
    fn open(
        &mut self,
        out: &mut String,
        t: Term,
        demand: u8,
        within: Option<Proc>,
        sharing: &Sharing,
    ) {
        let pool = self.pool;
        let op = pool.op(t);
        match form(op) {
            Form::Leaf => self.leaf(out, t, demand, within),
            Form::Prefix("!") if self.is_disequality(t, sharing) => {
                let eq = pool.arg(t, 0);
                self.infix(out, eq, " != ", prec::COMPARE, demand);
            }
            Form::Prefix(symbol) => {
                let a = pool.arg(t, 0);
                // A minus before a constant would become part of it.
                self.close(out, demand > prec::PREFIX);
                out.push_str(symbol);
                let glues = op == Op::BvNeg && pool.op(a) == Op::BvConst;
                self.close(out, glues);
                let demand = if glues { prec::LOWEST } else { prec::PREFIX };
                self.stack.push(Piece::Term(a, demand));
            }
            Form::Infix(symbol, strength) => self.infix(out, t, symbol, strength, demand),
            Form::Call(name) => self.call(out, t, name),
            Form::Bracket => self.bracket(t),
        }
    }

    /// `!(a == b)`, written `a != b`: both sides of the parser make the same two nodes of it.
    fn is_disequality(&self, t: Term, sharing: &Sharing) -> bool {
        let a = self.pool.arg(t, 0);
        self.pool.op(a) == Op::Eq && sharing.number(a).is_none()
    }

    /// Opens a parenthesis that closes after what is pushed next.
    fn close(&mut self, out: &mut String, needed: bool) {
        if needed {
            out.push('(');
            self.stack.push(Piece::Text(")"));
        }
    }

    fn infix(&mut self, out: &mut String, t: Term, symbol: &'static str, strength: u8, demand: u8) {
        self.close(out, demand > strength);
        // All but comparisons associate to the left.
        let left = strength + u8::from(strength == prec::COMPARE);
        self.stack
            .push(Piece::Term(self.pool.arg(t, 1), strength + 1));
        self.stack.push(Piece::Text(symbol));
        self.stack.push(Piece::Term(self.pool.arg(t, 0), left));
    }

    fn leaf(&mut self, out: &mut String, t: Term, demand: u8, within: Option<Proc>) {
        if let Some(v) = self.pool.as_var(t) {
            self.var(out, v, within);
        } else if let Some(b) = self.pool.as_bool(t) {
            out.push_str(if b { "true" } else { "false" });
        } else if let Some(v) = self.pool.as_bv(t) {
            let parentheses = demand > prec::PREFIX && constant::prints_negative(&v);
            out.push_str(if parentheses { "(" } else { "" });
            constant::print(out, &v);
            out.push_str(if parentheses { ")" } else { "" });
        }
    }

    fn call(&mut self, out: &mut String, t: Term, name: &'static str) {
        out.push_str(name);
        out.push('(');
        self.stack.push(Piece::Text(")"));
        if let (Op::ZeroExt | Op::SignExt, Type::Bv(w)) = (self.pool.op(t), self.pool.ty(t)) {
            self.stack.push(Piece::Number(w));
            self.stack.push(Piece::Text(", "));
        }
        for (i, a) in self.pool.args(t).enumerate().rev() {
            self.stack.push(Piece::Term(a, prec::LOWEST));
            if i > 0 {
                self.stack.push(Piece::Text(", "));
            }
        }
        if self.pool.op(t) == Op::ConstArray {
            self.stack.push(Piece::Text(", "));
            self.stack.push(Piece::Type(self.pool.ty(t)));
        }
    }

    fn bracket(&mut self, t: Term) {
        self.stack.push(Piece::Text("]"));
        if let Some((hi, lo)) = self.pool.extract_bounds(t) {
            self.stack.push(Piece::Number(lo));
            self.stack.push(Piece::Text(":"));
            self.stack.push(Piece::Number(hi));
        } else {
            for (i, a) in self.pool.args(t).enumerate().skip(1).rev() {
                self.stack.push(Piece::Term(a, prec::LOWEST));
                if i > 1 {
                    self.stack.push(Piece::Text(" := "));
                }
            }
        }
        self.stack.push(Piece::Text("["));
        self.stack
            .push(Piece::Term(self.pool.arg(t, 0), prec::POSTFIX));
    }

    /// Whether the declaration of `v` can use its bare name.
    pub(super) fn declared_plain(&self, v: Var) -> bool {
        let data = self.pool.var_data(v);
        let within = super::names::local(data.scope);
        self.plain[v.as_u32() as usize]
            && self.names.lookup(within, &data.name) == Some(Meaning::One(v))
    }

    /// Appends the name of `v` as seen from `within`, else its number.
    pub(super) fn var(&self, out: &mut String, v: Var, within: Option<Proc>) {
        match self.pool.vars().get(v) {
            Some(d)
                if self.plain[v.as_u32() as usize]
                    && self.names.lookup(within, &d.name) == Some(Meaning::One(v)) =>
            {
                out.push_str(&d.name);
            }
            _ => write!(out, "{v}").expect("writing to a string"),
        }
    }
}
