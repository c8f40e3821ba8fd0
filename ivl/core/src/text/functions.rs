//! The named operations: `ite`, extensions, constant arrays, overflow predicates, and the
//! derived ones, which expand as the builder's functions of the same names do but without
//! simplification.

use super::ast::{Arg, Named};
use super::error::ErrorKind;
use super::reader::Reader;
use crate::bv::Bv;
use crate::entity::Term;
use crate::op::Op;
use crate::ty::Type;

/// Names and signatures, for messages and suggestions.
const FUNCTIONS: &[(&str, &str)] = &[
    ("const", "`const([bvI]bvE, element)`"),
    ("ite", "`ite(condition, then, else)`"),
    ("nand", "`nand(a, b)`"),
    ("nego", "`nego(a)`"),
    ("nor", "`nor(a, b)`"),
    ("repeat", "`repeat(a, times)`"),
    ("rotl", "`rotl(a, distance)`"),
    ("rotr", "`rotr(a, distance)`"),
    ("saddo", "`saddo(a, b)`"),
    ("sdivo", "`sdivo(a, b)`"),
    ("sext", "`sext(a, width)`"),
    ("smulo", "`smulo(a, b)`"),
    ("ssubo", "`ssubo(a, b)`"),
    ("uaddo", "`uaddo(a, b)`"),
    ("umulo", "`umulo(a, b)`"),
    ("usubo", "`usubo(a, b)`"),
    ("xnor", "`xnor(a, b)`"),
    ("zext", "`zext(a, width)`"),
];

/// An argument with its term looked up.
#[derive(Clone, Copy)]
enum Value {
    Term(Term),
    Number(u32),
    Type(Type),
}

impl<'a> Reader<'a> {
    /// The term `name(args)`.
    pub fn apply(&mut self, at: u32, name: &'a str, args: &[Arg]) -> Option<Term> {
        use Value::{Number as N, Term as T, Type as Ty};
        let mut values = Vec::with_capacity(args.len());
        for a in args {
            values.push(match *a {
                Arg::Term(e) => T(self.terms[e.0 as usize]?),
                Arg::Number(n) => N(n),
                Arg::Type(ty) => Ty(ty?),
            });
        }
        match (name, &values[..]) {
            ("ite", &[T(c), T(a), T(b)]) => self.make(at, Op::Ite, &[c, a, b]),
            ("uaddo", &[T(a), T(b)]) => self.make(at, Op::BvUaddo, &[a, b]),
            ("saddo", &[T(a), T(b)]) => self.make(at, Op::BvSaddo, &[a, b]),
            ("usubo", &[T(a), T(b)]) => self.make(at, Op::BvUsubo, &[a, b]),
            ("ssubo", &[T(a), T(b)]) => self.make(at, Op::BvSsubo, &[a, b]),
            ("umulo", &[T(a), T(b)]) => self.make(at, Op::BvUmulo, &[a, b]),
            ("smulo", &[T(a), T(b)]) => self.make(at, Op::BvSmulo, &[a, b]),
            ("nand", &[T(a), T(b)]) => self.negated(at, Op::BvAnd, a, b),
            ("nor", &[T(a), T(b)]) => self.negated(at, Op::BvOr, a, b),
            ("xnor", &[T(a), T(b)]) => self.negated(at, Op::BvXor, a, b),
            ("nego", &[T(a)]) => self.nego(at, name, a),
            ("sdivo", &[T(a), T(b)]) => {
                self.make(at, Op::BvSdiv, &[a, b])?; // only for its type check
                let x = self.nego(at, name, a)?;
                let minus_one = Bv::ones(self.program.pool.width(b));
                let minus_one = self.program.pool.bv(minus_one);
                let y = self.make(at, Op::Eq, &[b, minus_one])?;
                self.make(at, Op::And, &[x, y])
            }
            ("zext", &[T(a), N(w)]) => self.extend(at, Op::ZeroExt, name, a, w),
            ("sext", &[T(a), N(w)]) => self.extend(at, Op::SignExt, name, a, w),
            ("rotl", &[T(a), N(n)]) => self.rotate(at, name, a, n, false),
            ("rotr", &[T(a), N(n)]) => self.rotate(at, name, a, n, true),
            ("repeat", &[T(a), N(n)]) => self.repeat(at, name, a, n),
            ("const", &[Ty(ty), T(e)]) => self.constant_array(at, ty, e),
            _ => self.no_such_function(at, name),
        }
    }

    fn no_such_function(&mut self, at: u32, name: &'a str) -> Option<Term> {
        match FUNCTIONS.iter().find(|(f, _)| *f == name) {
            Some((_, signature)) => {
                self.type_error(at, format!("`{name}` is used as in {signature}"));
            }
            None => {
                let n = Named { at, text: name };
                self.unknown(n, "operation", |_| {
                    FUNCTIONS.iter().map(|(f, _)| *f).collect()
                });
            }
        }
        None
    }

    fn negated(&mut self, at: u32, op: Op, a: Term, b: Term) -> Option<Term> {
        let t = self.make(at, op, &[a, b])?;
        self.make(at, Op::BvNot, &[t])
    }

    /// The width of an argument that has to be a bit-vector.
    fn width_of(&mut self, at: u32, name: &str, a: Term) -> Option<u32> {
        let ty = self.program.pool.ty(a);
        if ty.width().is_none() {
            self.type_error(at, format!("`{name}` takes a bit-vector, found {ty}"));
        }
        ty.width()
    }

    fn range(&mut self, at: u32, message: String) -> Option<Term> {
        self.errors.push(at, ErrorKind::Range(message));
        None
    }

    fn nego(&mut self, at: u32, name: &str, a: Term) -> Option<Term> {
        let w = self.width_of(at, name, a)?;
        let min = self.program.pool.bv(Bv::min_signed(w));
        self.make(at, Op::Eq, &[a, min])
    }

    fn extend(&mut self, at: u32, op: Op, name: &str, a: Term, width: u32) -> Option<Term> {
        let w = self.width_of(at, name, a)?;
        if width < w || width > Type::MAX_WIDTH {
            let message = format!("`{name}` of a bv{w} to {width} bits: it goes from {w} bits up");
            return self.range(at, message);
        }
        Some(self.program.pool.intern_extend(op, width, a))
    }

    fn rotate(&mut self, at: u32, name: &str, a: Term, n: u32, right: bool) -> Option<Term> {
        let w = self.width_of(at, name, a)?;
        let n = if right { w - n % w } else { n } % w;
        if n == 0 {
            return Some(a);
        }
        let hi = self.program.pool.intern_extract(w - n - 1, 0, a);
        let lo = self.program.pool.intern_extract(w - 1, w - n, a);
        self.make(at, Op::Concat, &[hi, lo])
    }

    fn repeat(&mut self, at: u32, name: &str, a: Term, n: u32) -> Option<Term> {
        let w = self.width_of(at, name, a)?;
        if n == 0 || u64::from(w) * u64::from(n) > u64::from(Type::MAX_WIDTH) {
            let message = format!("`{name}` of a bv{w} {n} times is no bit-vector");
            return self.range(at, message);
        }
        (1..n).try_fold(a, |t, _| self.make(at, Op::Concat, &[t, a]))
    }

    fn constant_array(&mut self, at: u32, ty: Type, e: Term) -> Option<Term> {
        let found = self.program.pool.ty(e);
        match ty {
            Type::Array { index, elem } if found == Type::Bv(elem) => {
                Some(self.program.pool.const_array(index, e))
            }
            _ => {
                let message = format!("`const` of type {ty} takes an element of it, found {found}");
                self.type_error(at, message);
                None
            }
        }
    }
}
