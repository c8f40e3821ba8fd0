//! Word-level operations as gates, with SMT-LIB's meaning.
//!
//! Words are slices of literals, least significant bit first.

use crate::aig::Aig;
use crate::lit::Lit;

/// A word, least significant bit first.
pub type Word = Vec<Lit>;

fn inverted(a: &[Lit]) -> Word {
    a.iter().map(|&x| !x).collect()
}

/// The constant 0.
pub fn zeros(width: usize) -> Word {
    vec![Lit::FALSE; width]
}

/// Sum and carry out.
fn add_carry(g: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = g.xor(x, y);
        sum.push(g.xor(half, carry));
        carry = g.maj(x, y, carry);
    }
    (sum, carry)
}

/// `a + b`.
pub fn add(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    add_carry(g, a, b, Lit::FALSE).0
}

/// `a - b`.
pub fn sub(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    add_carry(g, a, &inverted(b), Lit::TRUE).0
}

/// `-a`.
pub fn neg(g: &mut Aig, a: &[Lit]) -> Word {
    sub(g, &zeros(a.len()), a)
}

/// `-a` where `c` holds, else `a`.
fn neg_if(g: &mut Aig, c: Lit, a: &[Lit]) -> Word {
    let flipped: Word = a.iter().map(|&x| g.xor(x, c)).collect();
    add_carry(g, &flipped, &zeros(a.len()), c).0
}

/// `a` where `c` holds, else `b`.
pub fn ite(g: &mut Aig, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| g.ite(c, x, y)).collect()
}

/// Bit by bit.
pub fn bitwise(g: &mut Aig, a: &[Lit], b: &[Lit], gate: fn(&mut Aig, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&x, &y)| gate(g, x, y)).collect()
}

/// `a = b`.
pub fn eq(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let same: Word = a.iter().zip(b).map(|(&x, &y)| !g.xor(x, y)).collect();
    g.and_all(&same)
}

/// The borrow of `a - b` out of the highest bit.
fn borrow(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let pairs = a.iter().zip(b);
    pairs.fold(Lit::FALSE, |borrow, (&x, &y)| g.maj(!x, y, borrow))
}

/// `a < b`, unsigned.
pub fn ult(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    borrow(g, a, b)
}

/// `a < b`, signed: unsigned with the sign bits exchanged.
pub fn slt(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let top = a.len() - 1;
    let below = borrow(g, &a[..top], &b[..top]);
    g.maj(a[top], !b[top], below)
}

/// Shifts towards bit 0 by the barrel method; `fill` comes in at the top.
fn shift_right(g: &mut Aig, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
    let width = a.len();
    let stages = (width.next_power_of_two().trailing_zeros() as usize).min(by.len());
    let mut word = a.to_vec();
    for (stage, &bit) in by[..stages].iter().enumerate() {
        let distance = 1 << stage;
        for i in 0..width {
            let from = word.get(i + distance).copied().unwrap_or(fill);
            word[i] = g.ite(bit, from, word[i]);
        }
    }
    let beyond = g.or_all(&by[stages..]);
    word.iter().map(|&x| g.ite(beyond, fill, x)).collect()
}

/// `a >> b`, zeros come in.
pub fn lshr(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    shift_right(g, a, b, Lit::FALSE)
}

/// `a >> b`, the sign comes in.
pub fn ashr(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    shift_right(g, a, b, a[a.len() - 1])
}

/// `a << b`: the mirror image of a right shift.
pub fn shl(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let mirrored: Word = a.iter().rev().copied().collect();
    let mut word = shift_right(g, &mirrored, b, Lit::FALSE);
    word.reverse();
    word
}

/// `a * b` modulo `2^w`, by shift and add.
pub fn mul(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let width = a.len();
    let mut product = zeros(width);
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Word = a[..width - shift].iter().map(|&x| g.and(x, bit)).collect();
        let high = add(g, &product[shift..], &row);
        product.truncate(shift);
        product.extend(high);
    }
    product
}

/// Quotient and remainder by restoring division; by zero all ones and the dividend, which is what
/// the circuit computes without a special case.
pub fn udivrem(g: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    let mut divisor = b.to_vec();
    divisor.push(Lit::FALSE);
    let mut rest = zeros(width);
    let mut quotient = zeros(width);
    for i in (0..width).rev() {
        let mut shifted = vec![a[i]];
        shifted.extend_from_slice(&rest);
        let fits = !borrow(g, &shifted, &divisor);
        let difference = sub(g, &shifted, &divisor);
        quotient[i] = fits;
        rest = ite(g, fits, &difference[..width], &shifted[..width]);
    }
    (quotient, rest)
}

fn abs(g: &mut Aig, a: &[Lit]) -> Word {
    neg_if(g, a[a.len() - 1], a)
}

/// Signed division, truncating.
pub fn sdiv(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let (x, y) = (abs(g, a), abs(g, b));
    let (quotient, _) = udivrem(g, &x, &y);
    let negative = g.xor(a[a.len() - 1], b[b.len() - 1]);
    neg_if(g, negative, &quotient)
}

/// Signed remainder, the sign follows the dividend.
pub fn srem(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let (x, y) = (abs(g, a), abs(g, b));
    let (_, remainder) = udivrem(g, &x, &y);
    neg_if(g, a[a.len() - 1], &remainder)
}

/// Signed remainder, the sign follows the divisor.
pub fn smod(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let remainder = srem(g, a, b);
    let zero = eq(g, &remainder, &zeros(a.len()));
    let differ = g.xor(a[a.len() - 1], b[b.len() - 1]);
    let adjust = g.and(differ, !zero);
    let addend: Word = b.iter().map(|&bit| g.and(bit, adjust)).collect();
    add(g, &remainder, &addend)
}

fn extended(a: &[Lit], fill: Lit, by: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(a.len() + by, fill);
    word
}

/// Unsigned addition overflows.
pub fn uaddo(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    add_carry(g, a, b, Lit::FALSE).1
}

/// Signed: the result of an operation with one more bit does not fit.
fn overflows(g: &mut Aig, a: &[Lit], b: &[Lit], op: fn(&mut Aig, &[Lit], &[Lit]) -> Word) -> Lit {
    let top = a.len() - 1;
    let (x, y) = (extended(a, a[top], 1), extended(b, b[top], 1));
    let result = op(g, &x, &y);
    g.xor(result[top], result[top + 1])
}

/// Signed addition overflows.
pub fn saddo(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    overflows(g, a, b, add)
}

/// Signed subtraction overflows.
pub fn ssubo(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    overflows(g, a, b, sub)
}

/// Unsigned multiplication overflows: the product of double width has ones in its upper half.
pub fn umulo(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len();
    let (x, y) = (
        extended(a, Lit::FALSE, width),
        extended(b, Lit::FALSE, width),
    );
    let product = mul(g, &x, &y);
    g.or_all(&product[width..])
}

/// Signed multiplication overflows: the upper half of the double product is no sign extension.
pub fn smulo(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len();
    let (x, y) = (
        extended(a, a[width - 1], width),
        extended(b, b[width - 1], width),
    );
    let product = mul(g, &x, &y);
    let sign = product[width - 1];
    let differ: Word = product[width..].iter().map(|&x| g.xor(x, sign)).collect();
    g.or_all(&differ)
}
