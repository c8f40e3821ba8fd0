//! What the operators mean on values.

use crate::op::Op;
use std::cmp::Ordering;
use trellis_ivl::{Bv, Value};

fn bits(value: &Value) -> &Bv {
    value
        .as_bv()
        .expect("the model is well-typed: a bit-vector")
}

/// The value of an operator on its operands; `numbers` as in [`crate::Node`].
pub(crate) fn eval(op: Op, numbers: [u32; 2], args: &[&Value]) -> Value {
    match op {
        Op::Eq => truth(args[0] == args[1]),
        Op::Neq => truth(args[0] != args[1]),
        Op::Ite => {
            let chosen = if bits(args[0]).is_zero() { 2 } else { 1 };
            args[chosen].clone()
        }
        Op::Read => {
            let array = args[0]
                .as_array()
                .expect("the model is well-typed: an array");
            array.select(bits(args[1])).clone().into()
        }
        Op::Write => {
            let array = args[0]
                .as_array()
                .expect("the model is well-typed: an array");
            let (index, elem) = (bits(args[1]).clone(), bits(args[2]).clone());
            array.store(index, elem).into()
        }
        _ => match args {
            [a] => unary(op, numbers, bits(a)),
            [a, b] => binary(op, bits(a), bits(b)),
            _ => unreachable!("every other operator has one or two operands"),
        },
    }
}

fn truth(b: bool) -> Value {
    Value::Bv(Bv::new(1, u64::from(b)))
}

fn unary(op: Op, numbers: [u32; 2], a: &Bv) -> Value {
    let width = a.width();
    let one = || Bv::one(width);
    let value = match op {
        Op::Slice => a.extract(numbers[0], numbers[1]),
        Op::Uext => a.zext(width + numbers[0]),
        Op::Sext => a.sext(width + numbers[0]),
        Op::Not => a.not(),
        Op::Inc => a.add(&one()),
        Op::Dec => a.sub(&one()),
        Op::Neg => a.neg(),
        Op::Redand => return truth(a.is_ones()),
        Op::Redor => return truth(!a.is_zero()),
        Op::Redxor => return truth(a.to_biguint().count_ones() % 2 == 1),
        _ => unreachable!("not an operator with one operand"),
    };
    Value::Bv(value)
}

fn binary(op: Op, a: &Bv, b: &Bv) -> Value {
    use Ordering::{Greater, Less};
    let value = match op {
        Op::Iff | Op::Xnor => a.xor(b).not(),
        Op::Implies => a.not().or(b),
        Op::Sgt => return truth(a.scmp(b) == Greater),
        Op::Ugt => return truth(a.ucmp(b) == Greater),
        Op::Sgte => return truth(a.scmp(b) != Less),
        Op::Ugte => return truth(a.ucmp(b) != Less),
        Op::Slt => return truth(a.scmp(b) == Less),
        Op::Ult => return truth(a.ucmp(b) == Less),
        Op::Slte => return truth(a.scmp(b) != Greater),
        Op::Ulte => return truth(a.ucmp(b) != Greater),
        Op::And => a.and(b),
        Op::Nand => a.and(b).not(),
        Op::Nor => a.or(b).not(),
        Op::Or => a.or(b),
        Op::Xor => a.xor(b),
        Op::Rol => rotate_left(a, b),
        Op::Ror => rotate_left(a, &complement_distance(b)),
        Op::Sll => a.shl(b),
        Op::Sra => a.ashr(b),
        Op::Srl => a.lshr(b),
        Op::Add => a.add(b),
        Op::Mul => a.mul(b),
        Op::Sdiv => a.sdiv(b),
        Op::Udiv => a.udiv(b),
        Op::Smod => a.smod(b),
        Op::Srem => a.srem(b),
        Op::Urem => a.urem(b),
        Op::Sub => a.sub(b),
        Op::Saddo => return truth(a.sadd_overflows(b)),
        Op::Uaddo => return truth(a.uadd_overflows(b)),
        Op::Sdivo => return truth(*a == Bv::min_signed(a.width()) && b.is_ones()),
        Op::Smulo => return truth(a.smul_overflows(b)),
        Op::Umulo => return truth(a.umul_overflows(b)),
        Op::Ssubo => return truth(a.ssub_overflows(b)),
        Op::Usubo => return truth(a.usub_overflows(b)),
        Op::Concat => a.concat(b),
        _ => unreachable!("not an operator with two bit-vector operands"),
    };
    Value::Bv(value)
}

/// The width as a value of that width; every width fits in itself.
fn width_of(a: &Bv) -> Bv {
    Bv::new(a.width(), u64::from(a.width()))
}

/// Rotates by a distance modulo the width.
fn rotate_left(a: &Bv, distance: &Bv) -> Bv {
    let left = distance.urem(&width_of(a));
    let right = width_of(a).sub(&left);
    a.shl(&left).or(&a.lshr(&right))
}

/// The distance that rotates left as far as `b` does right.
fn complement_distance(b: &Bv) -> Bv {
    let width = width_of(b);
    width.sub(&b.urem(&width))
}
