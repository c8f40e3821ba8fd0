//! Term nodes as words, in both directions.
//!
//! A session sees the same terms again and again, so [`Sent`] remembers what the other side has,
//! and only new nodes cross. The other side answers with a table from node numbers to terms of its
//! own pool ([`Received`]); interning is exact, so both pools hold the same DAG.

use super::reader::{Reader, WireError, write_ty};
use super::values::{read_digits, write_digits};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use trellis_ivl::{Op, Scope, Span, Term, TermPool, Type, Var, VarData};
use trellis_plugin_abi::words as w;

/// The operations by their number on the wire.
pub const OPS: [Op; 41] = {
    use Op::*;
    [
        BoolConst, BvConst, Var, Not, And, Or, Eq, Ite, BvNot, BvNeg, BvAnd, BvOr, BvXor, BvAdd,
        BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr, BvUlt, BvUle,
        BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo, BvSsubo, BvUmulo, BvSmulo, Concat, Extract,
        ZeroExt, SignExt, Select, Store, ConstArray,
    ]
};

/// The number of an operation on the wire.
#[inline]
pub fn op_number(op: Op) -> u32 {
    // The table is in the order of the enumeration, which a test checks.
    op as u32
}

/// Terms of one pool that the other side has, each with its node number.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// Node number plus one; zero for a term that was not sent.
    numbers: SecondaryMap<Term, u32>,
    count: u32,
    stack: Vec<Term>,
}

impl Sent {
    /// Nothing sent yet.
    pub fn new() -> Sent {
        Sent::default()
    }

    /// The node number of `t`, if the other side has it.
    #[inline]
    pub fn get(&self, t: Term) -> Option<u32> {
        self.numbers[t].checked_sub(1)
    }

    /// Number of nodes sent.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether nothing was sent.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The node number of `t`; appends it and what it needs to `out` where not yet sent.
    #[inline]
    pub fn send(&mut self, pool: &TermPool, t: Term, out: &mut Vec<u32>) -> u32 {
        match self.get(t) {
            Some(number) => number,
            None => self.send_new(pool, t, out),
        }
    }

    fn send_new(&mut self, pool: &TermPool, t: Term, out: &mut Vec<u32>) -> u32 {
        self.send_with(pool, t, out, |v| v.as_u32())
    }

    /// As [`Sent::send`], with variables numbered by `number`.
    pub fn send_with(
        &mut self,
        pool: &TermPool,
        t: Term,
        out: &mut Vec<u32>,
        number: impl Fn(Var) -> u32,
    ) -> u32 {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(t);
        while let Some(&u) = stack.last() {
            if self.get(u).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(pool.args(u).filter(|&a| self.get(a).is_none()));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            self.write_node(pool, u, out, &number);
            self.count += 1;
            self.numbers[u] = self.count;
        }
        self.stack = stack;
        self.numbers[t] - 1
    }

    fn write_node(
        &self,
        pool: &TermPool,
        t: Term,
        out: &mut Vec<u32>,
        number: &impl Fn(Var) -> u32,
    ) {
        let op = pool.op(t);
        out.push(op_number(op));
        match op {
            Op::BoolConst => out.push(u32::from(pool.as_bool(t) == Some(true))),
            Op::BvConst => {
                let v = pool.as_bv(t).expect("a constant has a value");
                out.push(v.width());
                write_digits(out, &v);
            }
            Op::Var => {
                let v = pool.as_var(t).expect("a variable node");
                out.push(number(v));
                write_ty(out, pool.var_ty(v));
            }
            _ => {
                out.extend(pool.args(t).map(|a| self.numbers[a] - 1));
                match (op, pool.ty(t)) {
                    (Op::Extract, _) => {
                        let (hi, lo) = pool.extract_bounds(t).expect("an extract has bounds");
                        out.extend([hi, lo]);
                    }
                    (Op::ZeroExt | Op::SignExt, Type::Bv(width)) => out.push(width),
                    (Op::ConstArray, Type::Array { index, .. }) => out.push(index),
                    _ => {}
                }
            }
        }
    }
}

/// Where the variables of received nodes come from.
pub trait Vars {
    /// The variable of `pool` for the sender's variable `number` of type `ty`.
    fn var(&mut self, pool: &mut TermPool, number: u32, ty: Type) -> Result<Var, WireError>;
}

/// The variables are those of the pool itself: both sides number them alike.
pub struct SameVars;

impl Vars for SameVars {
    fn var(&mut self, pool: &mut TermPool, number: u32, ty: Type) -> Result<Var, WireError> {
        let v = Var::from_u32(number);
        match pool.vars().get(v) {
            Some(data) if data.ty == ty => Ok(v),
            Some(data) => Err(WireError::IllTyped(format!(
                "{v} has type {}, not {ty}",
                data.ty
            ))),
            None => Err(WireError::NoSuch {
                what: "variable",
                number,
            }),
        }
    }
}

/// Variables appear in the pool as they come.
#[derive(Clone, Debug, Default)]
pub struct NewVars {
    by_number: FxHashMap<u32, Var>,
    numbers: SecondaryMap<Var, u32>,
}

impl NewVars {
    /// The sender's number of a variable.
    pub fn number(&self, v: Var) -> u32 {
        self.numbers[v]
    }

    /// The variable for the sender's number, if it has come.
    pub fn get(&self, number: u32) -> Option<Var> {
        self.by_number.get(&number).copied()
    }
}

impl Vars for NewVars {
    fn var(&mut self, pool: &mut TermPool, number: u32, ty: Type) -> Result<Var, WireError> {
        if let Some(&v) = self.by_number.get(&number) {
            return if pool.var_ty(v) == ty {
                Ok(v)
            } else {
                Err(WireError::IllTyped(format!(
                    "v{number} has type {}, not {ty}",
                    pool.var_ty(v)
                )))
            };
        }
        let v = pool.declare(VarData {
            name: format!("v{number}"),
            ty,
            scope: Scope::Global,
            span: Span::NONE,
        });
        self.by_number.insert(number, v);
        self.numbers[v] = number;
        Ok(v)
    }
}

/// Terms received, by node number.
#[derive(Clone, Debug, Default)]
pub struct Received {
    terms: Vec<Term>,
}

impl Received {
    /// The term of a node.
    #[inline]
    pub fn term(&self, number: u32) -> Result<Term, WireError> {
        let term = self.terms.get(number as usize).copied();
        term.ok_or(WireError::NoSuch {
            what: "term",
            number,
        })
    }

    /// All terms, in the order of their numbers.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Interns all nodes of a stream into `pool`. On an error no node of the stream counts as
    /// received.
    pub fn receive(
        &mut self,
        pool: &mut TermPool,
        vars: &mut impl Vars,
        words: &[u32],
    ) -> Result<(), WireError> {
        let before = self.terms.len();
        let mut r = Reader::new(words);
        while r.left() > 0 {
            match self.node(pool, vars, &mut r) {
                Ok(t) => self.terms.push(t),
                Err(e) => {
                    self.terms.truncate(before);
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    fn node(
        &self,
        pool: &mut TermPool,
        vars: &mut impl Vars,
        r: &mut Reader<'_>,
    ) -> Result<Term, WireError> {
        let number = r.word("a term")?;
        match number {
            w::TRELLIS_OP_BOOL_CONST => {
                let b = r.word("a constant")?;
                return Ok(pool.bool(b != 0));
            }
            w::TRELLIS_OP_BV_CONST => {
                let width = r.word("a constant")?;
                let v = read_digits(r, width)?;
                return Ok(pool.bv(v));
            }
            w::TRELLIS_OP_VAR => {
                let var = r.entity("a variable")?;
                let ty = r.ty()?;
                let v = vars.var(pool, var, ty)?;
                return Ok(pool.var(v));
            }
            _ => {}
        }
        let op = OPS.get(number as usize).copied();
        let op = op.ok_or(WireError::NoSuch {
            what: "operation",
            number,
        })?;
        let mut args = [Term::from_u32(0); 3];
        let args = &mut args[..op.arity()];
        for a in args.iter_mut() {
            *a = self.term(r.word("a term")?)?;
        }
        match op {
            Op::Extract | Op::ZeroExt | Op::SignExt | Op::ConstArray => {
                indexed(pool, op, args[0], r)
            }
            _ => {
                pool.check(op, args).map_err(WireError::IllTyped)?;
                Ok(pool.intern(op, args))
            }
        }
    }
}

/// Operations with parameters.
fn indexed(pool: &mut TermPool, op: Op, a: Term, r: &mut Reader<'_>) -> Result<Term, WireError> {
    let p = r.word("a parameter")?;
    let Type::Bv(width) = pool.ty(a) else {
        return Err(WireError::IllTyped(format!(
            "{op:?} expects a bit-vector, found {}",
            pool.ty(a)
        )));
    };
    let ill = |message: String| Err(WireError::IllTyped(message));
    match op {
        Op::Extract => {
            let lo = r.word("a parameter")?;
            if lo > p || p >= width {
                return ill(format!("extract [{p}:{lo}] of a bv{width}"));
            }
            Ok(pool.intern_extract(p, lo, a))
        }
        Op::ConstArray => {
            let ty = Type::Array {
                index: p,
                elem: width,
            };
            if !ty.is_valid() || p == 0 {
                return Err(WireError::Type(ty));
            }
            Ok(pool.const_array(p, a))
        }
        _ => {
            if p < width || !Type::Bv(p).is_valid() {
                return ill(format!("{op:?} of a bv{width} to {p} bits"));
            }
            Ok(pool.intern_extend(op, p, a))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_their_numbers() {
        for (number, op) in OPS.into_iter().enumerate() {
            assert_eq!(op_number(op), number as u32, "{op:?}");
        }
        assert_eq!(op_number(Op::ConstArray), w::TRELLIS_OP_CONST_ARRAY);
        assert_eq!(op_number(Op::Extract), w::TRELLIS_OP_EXTRACT);
        assert_eq!(op_number(Op::BvUlt), w::TRELLIS_OP_BV_ULT);
    }
}
