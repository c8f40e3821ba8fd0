//! The way back: which terms are operations on floats.
//!
//! A term is an operation if building that operation gives that term. What it may be is guessed from its shape: the condition
//! under which a result is not a number names the operands, and the values for a few operands name the operation and a constant that was
//! folded into it. Then the guess is built and compared, in a pool of its own, into which terms are copied by the rewriting
//! constructors, so that arguments of commutative operations have one order. What is said is right whatever led to the guess;
//! a term that something has rewritten beyond that is no operation, and nothing is said of it.
//!
//! Only rounding to nearest even, except for integral floats; not the x87's format, and no fused operation.

use crate::shape::{self, Field};
use crate::{Floats, Format, Rounding};
use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Var};

/// The formats that are looked for.
pub const FORMATS: [Format; 4] = [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::QUAD];

const NEAREST: Rounding = Rounding::NearestEven;

/// What is computed, to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `-a`.
    Neg,
    /// `|a|`.
    Abs,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// The square root.
    Sqrt,
    /// From another format.
    Convert(Format),
    /// From a signed integer.
    FromSigned,
    /// From an unsigned integer.
    FromUnsigned,
    /// To an integer in this direction.
    Integral(Rounding),
}

/// An operand: a term of the program, or a constant, which need not occur there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A term.
    Term(Term),
    /// A constant.
    Constant(Bv),
    /// A result that is no term of the program, because its parts went into others at once.
    Result(Box<Application>),
}

/// An operation on operands, with a result of `format`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// What is computed.
    pub operation: Operation,
    /// The format of the result.
    pub format: Format,
    /// Of what.
    pub operands: Vec<Operand>,
}

/// Recognises terms of a pool one by one; operands before what is made of them.
pub struct Recogniser {
    scratch: TermPool,
    copies: FxHashMap<Term, Term>,
    originals: FxHashMap<Term, Term>,
    vars: FxHashMap<Var, Var>,
    /// Exponent and fraction of results that have no exponent and fraction as such.
    owners: FxHashMap<(Term, Term), Term>,
    /// Results that are no terms of the program.
    made: FxHashMap<Term, Application>,
}

impl Default for Recogniser {
    fn default() -> Self {
        Recogniser {
            scratch: TermPool::new(),
            copies: FxHashMap::default(),
            originals: FxHashMap::default(),
            vars: FxHashMap::default(),
            owners: FxHashMap::default(),
            made: FxHashMap::default(),
        }
    }
}

/// The operation over operands in `pool`.
pub fn apply(pool: &mut TermPool, operation: Operation, format: Format, args: &[Term]) -> Term {
    let mut floats = Floats::new(pool);
    match (operation, args) {
        (Operation::Neg, &[a]) => floats.neg(format, a),
        (Operation::Abs, &[a]) => floats.abs(format, a),
        (Operation::Add, &[a, b]) => floats.add(format, NEAREST, a, b),
        (Operation::Sub, &[a, b]) => floats.sub(format, NEAREST, a, b),
        (Operation::Mul, &[a, b]) => floats.mul(format, NEAREST, a, b),
        (Operation::Div, &[a, b]) => floats.div(format, NEAREST, a, b),
        (Operation::Sqrt, &[a]) => floats.sqrt(format, NEAREST, a),
        (Operation::Convert(from), &[a]) => floats.convert(from, format, NEAREST, a),
        (Operation::FromSigned, &[a]) => floats.from_signed(format, NEAREST, a),
        (Operation::FromUnsigned, &[a]) => floats.from_unsigned(format, NEAREST, a),
        (Operation::Integral(to), &[a]) => floats.round_to_integral(format, to, a),
        _ => unreachable!("{operation:?} of {} operands", args.len()),
    }
}

impl Recogniser {
    /// The operation that `t` is. Its subterms are looked at before it, once.
    pub fn recognise(&mut self, pool: &TermPool, t: Term) -> Option<Application> {
        let copy = self.copy(pool, t);
        let Type::Bv(width) = pool.ty(t) else {
            return None;
        };
        let format = FORMATS.into_iter().find(|f| f.width() == width)?;
        let (operation, args) = match self.scratch.op(copy) {
            Op::Ite => self.result(format, copy)?,
            Op::Concat | Op::ZeroExt => self.without_nan(format, copy)?,
            _ => return None,
        };
        let fields = shape::fields(&mut self.scratch, format, copy);
        self.owners.insert(fields, copy);
        self.application(operation, format, &args)
    }

    fn application(
        &self,
        operation: Operation,
        format: Format,
        args: &[Term],
    ) -> Option<Application> {
        let operand = |&a: &Term| {
            if let Some(c) = self.scratch.as_bv(a) {
                return Some(Operand::Constant(c));
            }
            let made = self.made.get(&a).cloned();
            let made = made.map(|a| Operand::Result(Box::new(a)));
            made.or_else(|| self.originals.get(&a).map(|&o| Operand::Term(o)))
        };
        let operands = args.iter().map(operand).collect::<Option<_>>()?;
        Some(Application {
            operation,
            format,
            operands,
        })
    }

    /// The float with these fields: a term, a result that was recognised, or one of an integer, of which only the magnitude is left.
    fn owner(&mut self, format: Format, fields: (Term, Term)) -> Option<Term> {
        let owner = shape::owner(&self.scratch, format, fields);
        if let Some(owner) = owner.or_else(|| self.owners.get(&fields).copied()) {
            return Some(owner);
        }
        self.scratch.extract_bounds(fields.0)?;
        let magnitude = self.scratch.arg(fields.0, 0);
        for (operation, x) in self.integers(magnitude) {
            let made = apply(&mut self.scratch, operation, format, &[x]);
            let made = self.rebuilt(made, FxHashMap::from_iter([(x, x)]));
            if shape::fields(&mut self.scratch, format, made) == fields {
                let application = self.application(operation, format, &[x])?;
                self.owners.insert(fields, made);
                self.made.insert(made, application);
                return Some(made);
            }
        }
        None
    }

    /// The integers that a magnitude may be that of, and how they became floats.
    fn integers(&self, magnitude: Term) -> Vec<(Operation, Term)> {
        let pool = &self.scratch;
        if pool.op(magnitude) != Op::Ite || pool.op(pool.arg(magnitude, 0)) != Op::Eq {
            return Vec::new();
        }
        let integer = pool.arg(pool.arg(magnitude, 0), 0);
        if !matches!(pool.ty(integer), Type::Bv(_)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        if pool.op(integer) == Op::Ite {
            // The magnitude of a signed one is an unsigned one, too: the sign tells, where it is there.
            found.push((Operation::FromSigned, pool.arg(integer, 2)));
        }
        found.push((Operation::FromUnsigned, integer));
        found
    }

    fn copy(&mut self, pool: &TermPool, t: Term) -> Term {
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            let waiting = stack.len();
            let copied = |a: &Term| self.copies.get(a).copied();
            if copied(&u).is_some() {
                stack.pop();
                continue;
            }
            stack.extend(pool.args(u).filter(|a| copied(a).is_none()));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = pool.args(u).map(|a| self.copies[&a]).collect();
            let scratch = &mut self.scratch;
            let made = match pool.op(u) {
                Op::Var => {
                    let v = pool.as_var(u).expect("a variable");
                    let own = self.vars.entry(v);
                    let own = *own.or_insert_with(|| scratch.fresh("v", pool.var_ty(v)));
                    scratch.var(own)
                }
                _ => shape::remake(scratch, pool, u, &args),
            };
            self.copies.insert(u, made);
            self.originals.entry(made).or_insert(u);
        }
        self.copies[&t]
    }

    /// The value of `t` where these floats have these values, if nothing else matters.
    fn probe(&mut self, t: Term, values: &[(Format, Term, Term)]) -> Option<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for &(format, x, value) in values {
            for field in Field::ALL {
                let of_x = shape::field(&mut self.scratch, format, x, field);
                let known = shape::field(&mut self.scratch, format, value, field);
                done.insert(of_x, known);
                if field == Field::Sign {
                    let of_x = self.scratch.bv_to_bool(of_x);
                    let known = self.scratch.bv_to_bool(known);
                    done.insert(of_x, known);
                }
            }
        }
        let value = self.rebuilt(t, done);
        self.scratch.as_bv(value).map(|_| value)
    }

    /// `t` made again where some terms are already `done`.
    fn rebuilt(&mut self, t: Term, mut done: FxHashMap<Term, Term>) -> Term {
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            let waiting = stack.len();
            if done.contains_key(&u) {
                stack.pop();
                continue;
            }
            if self.scratch.op(u) == Op::Var || self.scratch.is_const(u) {
                done.insert(u, u);
                continue;
            }
            stack.extend(self.scratch.args(u).filter(|a| !done.contains_key(a)));
            if stack.len() == waiting {
                stack.pop();
                let args: Vec<Term> = self.scratch.args(u).map(|a| done[&a]).collect();
                let made = self.scratch.rebuild(u, &args);
                done.insert(u, made);
            }
        }
        done[&t]
    }

    /// `t` where it is an if-then-else between NaN and a number.
    fn result(&mut self, format: Format, t: Term) -> Option<(Operation, Vec<Term>)> {
        let nan = Floats::new(&mut self.scratch).nan(format);
        if self.scratch.arg(t, 1) != nan {
            return None;
        }
        let mut operands: Vec<(Format, Term)> = Vec::new();
        let condition = self.scratch.arg(t, 0);
        let parts: Vec<Term> = self.scratch.operands(Op::Or, [condition]).collect();
        for part in parts {
            if let Some((format, fields)) = shape::is_nan(&self.scratch, part) {
                let owner = self.owner(format, fields)?;
                if !operands.contains(&(format, owner)) {
                    operands.push((format, owner));
                }
            }
        }
        match operands[..] {
            [(f, a)] if f != format => self.tried(format, t, Operation::Convert(f), &[a]),
            [(_, a)] => self.unary(format, t, a),
            [(f, a), (g, b)] if f == format && g == format => self.binary(format, t, a, b),
            _ => None,
        }
    }

    /// The operation on `args`, if that is `t`.
    fn tried(
        &mut self,
        format: Format,
        t: Term,
        operation: Operation,
        args: &[Term],
    ) -> Option<(Operation, Vec<Term>)> {
        let made = apply(&mut self.scratch, operation, format, args);
        // As `t` was when it was copied: what is made at once need not have met all rules.
        let own = args.iter().map(|&a| (a, a)).collect();
        let made = self.rebuilt(made, own);
        (made == t).then(|| (operation, args.to_vec()))
    }

    /// A small number as a constant.
    fn number(&mut self, format: Format, value: u64) -> Term {
        let value = self.scratch.num(8, value);
        Floats::new(&mut self.scratch).from_unsigned(format, NEAREST, value)
    }

    fn binary(
        &mut self,
        format: Format,
        t: Term,
        a: Term,
        b: Term,
    ) -> Option<(Operation, Vec<Term>)> {
        let (three, two) = (self.number(format, 3), self.number(format, 2));
        let value = self.probe(t, &[(format, a, three), (format, b, two)])?;
        for operation in [
            Operation::Add,
            Operation::Sub,
            Operation::Mul,
            Operation::Div,
        ] {
            for (args, values) in [([a, b], [three, two]), ([b, a], [two, three])] {
                if apply(&mut self.scratch, operation, format, &values) == value
                    && let Some(found) = self.tried(format, t, operation, &args)
                {
                    return Some(found);
                }
            }
        }
        None
    }

    /// An operation on one term: alone, twice, or with a constant.
    fn unary(&mut self, format: Format, t: Term, a: Term) -> Option<(Operation, Vec<Term>)> {
        let zero = self.number(format, 0);
        let one = self.number(format, 1);
        let three = self.number(format, 3);
        let at_zero = self.probe(t, &[(format, a, zero)])?;
        let at_one = self.probe(t, &[(format, a, one)])?;
        let at_three = self.probe(t, &[(format, a, three)])?;
        let mut guesses = vec![
            (Operation::Add, vec![a, at_zero]),
            (Operation::Add, vec![at_zero, a]),
            (Operation::Sub, vec![at_zero, a]),
            (Operation::Mul, vec![a, at_one]),
            (Operation::Mul, vec![at_one, a]),
            (Operation::Div, vec![at_one, a]),
            (Operation::Add, vec![a, a]),
            (Operation::Mul, vec![a, a]),
        ];
        for divisor in self.divisors(format, t, at_one) {
            guesses.push((Operation::Div, vec![a, divisor]));
        }
        let directions = Rounding::ALL.map(|to| (Operation::Integral(to), vec![a]));
        guesses.extend(directions);
        guesses.push((Operation::Sqrt, vec![a]));
        for (operation, args) in guesses {
            let values: Vec<Term> = args
                .iter()
                .map(|&x| if x == a { three } else { x })
                .collect();
            if apply(&mut self.scratch, operation, format, &values) == at_three
                && let Some(found) = self.tried(format, t, operation, &args)
            {
                return Some(found);
            }
        }
        None
    }

    /// What `t` may divide by, given that it is `quotient` for 1: its inverse, or a number with a significand that `t` divides by.
    fn divisors(&mut self, format: Format, t: Term, quotient: Term) -> Vec<Term> {
        let one = self.number(format, 1);
        let inverse = apply(&mut self.scratch, Operation::Div, format, &[one, quotient]);
        let mut found = vec![inverse];
        let nodes = self.scratch.post_order([t]);
        let constant = nodes.into_iter().rev().find_map(|u| {
            let divides = self.scratch.op(u) == Op::BvUdiv;
            divides.then(|| self.scratch.as_bv(self.scratch.arg(u, 1)))?
        });
        let f = format.fraction_bits();
        if let Some(k) = constant.filter(|k| k.width() > f) {
            let fraction = self.scratch.bv(k.extract(f - 1, 0));
            let high = self.scratch.extract(format.width() - 1, f, inverse);
            // The inverse of a rounded quotient is off by a little, perhaps over a power of two.
            for off in [0, 1, -1] {
                let high = Floats::new(&mut self.scratch).plus(high, off);
                found.push(self.scratch.concat(high, fraction));
            }
        }
        found
    }

    /// `t` where it is a sign before a magnitude, which is never that of a NaN of its own making.
    fn without_nan(&mut self, format: Format, t: Term) -> Option<(Operation, Vec<Term>)> {
        let zero_extended = self.scratch.op(t) == Op::ZeroExt;
        let magnitude = self.scratch.arg(t, if zero_extended { 0 } else { 1 });
        let w = format.width();
        if let Some((hi, 0)) = self.scratch.extract_bounds(magnitude) {
            let x = self.scratch.arg(magnitude, 0);
            if hi + 2 != w || self.scratch.width(x) != w {
                return None;
            }
            let operation = match zero_extended {
                true => Operation::Abs,
                false => Operation::Neg,
            };
            return self.tried(format, t, operation, &[x]);
        }
        self.integers(magnitude)
            .into_iter()
            .find_map(|(operation, x)| self.tried(format, t, operation, &[x]))
    }
}
