//! The operations of terms and their meaning on values.
//!
//! The set is QF_ABV with a core small enough that every consumer handles all of it; the derived
//! operations (`nand`, `rotate`, `repeat`, `bvcomp`, implication, ...) are functions of the
//! builder that expand into these.

use crate::bv::Bv;
use crate::value::{ArrayValue, Value};
use std::cmp::Ordering;

/// What a term node does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Op {
    /// `true` or `false`.
    BoolConst,
    /// A bit-vector constant.
    BvConst,
    /// A variable.
    Var,
    /// Negation of a boolean.
    Not,
    /// Conjunction of two booleans.
    And,
    /// Disjunction of two booleans.
    Or,
    /// Equality at any type; on booleans this is equivalence.
    Eq,
    /// If-then-else at any type.
    Ite,
    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Addition modulo `2^w`.
    BvAdd,
    /// Subtraction modulo `2^w`.
    BvSub,
    /// Multiplication modulo `2^w`.
    BvMul,
    /// Unsigned division; all ones when dividing by zero.
    BvUdiv,
    /// Unsigned remainder; the dividend when dividing by zero.
    BvUrem,
    /// Signed division, truncating.
    BvSdiv,
    /// Signed remainder with the dividend's sign.
    BvSrem,
    /// Signed remainder with the divisor's sign.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Logical shift right.
    BvLshr,
    /// Arithmetic shift right.
    BvAshr,
    /// Unsigned less-than.
    BvUlt,
    /// Unsigned at-most.
    BvUle,
    /// Signed less-than.
    BvSlt,
    /// Signed at-most.
    BvSle,
    /// Unsigned addition overflows.
    BvUaddo,
    /// Signed addition overflows.
    BvSaddo,
    /// Unsigned subtraction underflows.
    BvUsubo,
    /// Signed subtraction overflows.
    BvSsubo,
    /// Unsigned multiplication overflows.
    BvUmulo,
    /// Signed multiplication overflows.
    BvSmulo,
    /// Concatenation; the first argument is the high part.
    Concat,
    /// Bits `hi` down to `lo`; see [`TermPool::extract_bounds`](crate::TermPool::extract_bounds).
    Extract,
    /// Zero extension to the node's type.
    ZeroExt,
    /// Sign extension to the node's type.
    SignExt,
    /// Array read.
    Select,
    /// Array write.
    Store,
    /// The array that holds its argument everywhere.
    ConstArray,
}

impl Op {
    /// How many argument terms a node with this operation has.
    pub fn arity(self) -> usize {
        use Op::*;
        match self {
            BoolConst | BvConst | Var => 0,
            Not | BvNot | BvNeg | Extract | ZeroExt | SignExt | ConstArray => 1,
            Ite | Store => 3,
            _ => 2,
        }
    }

    /// Whether the two arguments may be swapped.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or
                | Eq
                | BvAnd
                | BvOr
                | BvXor
                | BvAdd
                | BvMul
                | BvUaddo
                | BvSaddo
                | BvUmulo
                | BvSmulo
        )
    }
}

/// The parameters of a node beside its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Params {
    /// `extract`: the high bit; extensions: the target width; `const_array`: the index width.
    pub hi: u32,
    /// `extract`: the low bit.
    pub lo: u32,
}

fn bv(v: &Value) -> &Bv {
    v.as_bv().expect("type-checked term: bit-vector argument")
}

fn boolean(v: &Value) -> bool {
    v.as_bool().expect("type-checked term: boolean argument")
}

fn array(v: &Value) -> &ArrayValue {
    v.as_array().expect("type-checked term: array argument")
}

/// The meaning of an operation: the value of a node from the values of its arguments.
///
/// Constants and variables have no arguments to apply to and are the caller's business.
pub(crate) fn apply(op: Op, params: Params, args: &[&Value]) -> Value {
    use Op::*;
    let b = |i: usize| bv(args[i]);
    match op {
        BoolConst | BvConst | Var => unreachable!("leaves are not applied"),
        Not => (!boolean(args[0])).into(),
        And => (boolean(args[0]) && boolean(args[1])).into(),
        Or => (boolean(args[0]) || boolean(args[1])).into(),
        Eq => (args[0] == args[1]).into(),
        Ite => if boolean(args[0]) { args[1] } else { args[2] }.clone(),
        BvNot => b(0).not().into(),
        BvNeg => b(0).neg().into(),
        BvAnd => b(0).and(b(1)).into(),
        BvOr => b(0).or(b(1)).into(),
        BvXor => b(0).xor(b(1)).into(),
        BvAdd => b(0).add(b(1)).into(),
        BvSub => b(0).sub(b(1)).into(),
        BvMul => b(0).mul(b(1)).into(),
        BvUdiv => b(0).udiv(b(1)).into(),
        BvUrem => b(0).urem(b(1)).into(),
        BvSdiv => b(0).sdiv(b(1)).into(),
        BvSrem => b(0).srem(b(1)).into(),
        BvSmod => b(0).smod(b(1)).into(),
        BvShl => b(0).shl(b(1)).into(),
        BvLshr => b(0).lshr(b(1)).into(),
        BvAshr => b(0).ashr(b(1)).into(),
        BvUlt => (b(0).ucmp(b(1)) == Ordering::Less).into(),
        BvUle => (b(0).ucmp(b(1)) != Ordering::Greater).into(),
        BvSlt => (b(0).scmp(b(1)) == Ordering::Less).into(),
        BvSle => (b(0).scmp(b(1)) != Ordering::Greater).into(),
        BvUaddo => b(0).uadd_overflows(b(1)).into(),
        BvSaddo => b(0).sadd_overflows(b(1)).into(),
        BvUsubo => b(0).usub_overflows(b(1)).into(),
        BvSsubo => b(0).ssub_overflows(b(1)).into(),
        BvUmulo => b(0).umul_overflows(b(1)).into(),
        BvSmulo => b(0).smul_overflows(b(1)).into(),
        Concat => b(0).concat(b(1)).into(),
        Extract => b(0).extract(params.hi, params.lo).into(),
        ZeroExt => b(0).zext(params.hi).into(),
        SignExt => b(0).sext(params.hi).into(),
        Select => array(args[0]).select(b(1)).clone().into(),
        Store => array(args[0]).store(b(1).clone(), b(2).clone()).into(),
        ConstArray => ArrayValue::constant(params.hi, b(0).clone()).into(),
    }
}
