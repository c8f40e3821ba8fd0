//! Word-level operations as gates, with SMT-LIB's meaning at every width.
//!
//! Words are slices of literals, least significant bit first; operands of one operation have equal
//! lengths. Every output is a function of the inputs (no auxiliary inputs with side conditions), so that
//! any term can be evaluated in any model. Constants fold in the gate graph; the cases below are those
//! where folding alone would leave too many gates.

use crate::aig::{Aig, AigLit};

/// A word, least significant bit first.
pub type Word = Vec<AigLit>;

fn inverted(a: &[AigLit]) -> Word {
    a.iter().map(|&x| !x).collect()
}

fn zeros(width: usize) -> Word {
    vec![AigLit::FALSE; width]
}

/// Sum and carry out, by ripple-carry full adders.
pub fn add_carry(g: &mut Aig, a: &[AigLit], b: &[AigLit], carry: AigLit) -> (Word, AigLit) {
    debug_assert_eq!(a.len(), b.len());
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        sum.push(g.xor3(x, y, carry));
        carry = g.maj(x, y, carry);
    }
    (sum, carry)
}

/// The sum alone: saves the gate of the last carry.
fn sum(g: &mut Aig, a: &[AigLit], b: &[AigLit], carry: AigLit) -> Word {
    let Some(top) = a.len().checked_sub(1) else {
        return Word::new();
    };
    let (mut sum, carry) = add_carry(g, &a[..top], &b[..top], carry);
    sum.push(g.xor3(a[top], b[top], carry));
    sum
}

/// `a + b`.
pub fn add(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    sum(g, a, b, AigLit::FALSE)
}

/// `a - b`.
pub fn sub(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    sum(g, a, &inverted(b), AigLit::TRUE)
}

/// `-a`.
pub fn neg(g: &mut Aig, a: &[AigLit]) -> Word {
    sub(g, &zeros(a.len()), a)
}

/// `-a` where `c` holds, else `a`.
fn neg_if(g: &mut Aig, c: AigLit, a: &[AigLit]) -> Word {
    let flipped: Word = a.iter().map(|&x| g.xor(x, c)).collect();
    sum(g, &flipped, &zeros(a.len()), c)
}

/// `a` where `c` holds, else `b`.
pub fn ite(g: &mut Aig, c: AigLit, a: &[AigLit], b: &[AigLit]) -> Word {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&x, &y)| g.ite(c, x, y)).collect()
}

/// Bit by bit.
pub fn bitwise(
    g: &mut Aig,
    a: &[AigLit],
    b: &[AigLit],
    gate: fn(&mut Aig, AigLit, AigLit) -> AigLit,
) -> Word {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&x, &y)| gate(g, x, y)).collect()
}

/// `a = b`.
pub fn eq(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    debug_assert_eq!(a.len(), b.len());
    let mut all = AigLit::TRUE;
    for (&x, &y) in a.iter().zip(b) {
        let same = g.iff(x, y);
        all = g.and(all, same);
    }
    all
}

/// The borrow of `a - b` into the bit above, given the borrow into the lowest bit.
fn borrow(g: &mut Aig, a: &[AigLit], b: &[AigLit], start: AigLit) -> AigLit {
    a.iter()
        .zip(b)
        .fold(start, |borrow, (&x, &y)| g.maj(!x, y, borrow))
}

/// `a < b`, unsigned.
pub fn ult(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    borrow(g, a, b, AigLit::FALSE)
}

/// `a < b`, signed: unsigned with the sign bits exchanged.
pub fn slt(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    let top = a.len() - 1;
    let below = borrow(g, &a[..top], &b[..top], AigLit::FALSE);
    g.maj(a[top], !b[top], below)
}

// ---- shifts

/// Number of stages of a barrel shifter.
fn stages(width: usize) -> usize {
    width.next_power_of_two().trailing_zeros() as usize
}

/// Shifts towards bit 0 by the barrel method; `fill` comes in at the top.
fn shift_right(g: &mut Aig, a: &[AigLit], by: &[AigLit], fill: AigLit) -> Word {
    let width = a.len();
    let stages = stages(width).min(by.len());
    let mut word = a.to_vec();
    for (stage, &bit) in by[..stages].iter().enumerate() {
        let distance = 1 << stage;
        for i in 0..width {
            let from = if i + distance < width {
                word[i + distance]
            } else {
                fill
            };
            word[i] = g.ite(bit, from, word[i]);
        }
    }
    let beyond = g.or_all(by[stages..].iter().copied());
    word.iter().map(|&x| g.ite(beyond, fill, x)).collect()
}

/// `a >> b`, zeros come in.
pub fn lshr(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    shift_right(g, a, b, AigLit::FALSE)
}

/// `a >> b`, the sign comes in.
pub fn ashr(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    shift_right(g, a, b, a[a.len() - 1])
}

/// `a << b`: the mirror image of a right shift.
pub fn shl(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    let mirrored: Word = a.iter().rev().copied().collect();
    let mut word = shift_right(g, &mirrored, b, AigLit::FALSE);
    word.reverse();
    word
}

// ---- multiplication

/// The rows of a multiplier: bits that weigh plus their position, and at most one that weighs minus.
///
/// A run of one literal `s` at the top weighs `s * (2^w - 2^k)`, which is `-s * 2^k` modulo `2^w`: a
/// sign-extended factor has as many rows as it has bits before the extension.
struct Rows {
    plus: Vec<(usize, AigLit)>,
    minus: Vec<(usize, AigLit)>,
}

impl Rows {
    fn of(word: &[AigLit]) -> Rows {
        if word.iter().all(|bit| bit.as_constant().is_some()) {
            return Rows::of_constant(word);
        }
        let width = word.len();
        let top = word[width - 1];
        let run = word.iter().rev().take_while(|&&bit| bit == top).count();
        let split = if run >= 2 { width - run } else { width };
        let used = |&(_, bit): &(usize, AigLit)| bit != AigLit::FALSE;
        let plus = word[..split]
            .iter()
            .copied()
            .enumerate()
            .filter(used)
            .collect();
        let minus = word[split..]
            .iter()
            .take(1)
            .map(|&bit| (split, bit))
            .filter(used)
            .collect();
        Rows { plus, minus }
    }

    /// Canonical signed digits (Reitwiesner 1960): at most every second digit is not zero.
    fn of_constant(word: &[AigLit]) -> Rows {
        let bit = |i: usize| word.get(i) == Some(&AigLit::TRUE);
        let mut rows = Rows {
            plus: Vec::new(),
            minus: Vec::new(),
        };
        let mut carry = false;
        for i in 0..word.len() {
            if bit(i) == carry {
                continue; // 0 + 0 and 1 + 1 write 0 and keep the carry.
            }
            carry = bit(i + 1);
            let rows = if carry {
                &mut rows.minus
            } else {
                &mut rows.plus
            };
            rows.push((i, AigLit::TRUE));
        }
        rows
    }

    fn count(&self) -> usize {
        self.plus.len() + self.minus.len()
    }
}

/// `a * b` modulo `2^w`, by shift and add over the factor with fewer rows.
pub fn mul(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    debug_assert_eq!(a.len(), b.len());
    let (rows_a, rows_b) = (Rows::of(a), Rows::of(b));
    let (word, rows) = if rows_a.count() < rows_b.count() {
        (b, rows_a)
    } else {
        (a, rows_b)
    };
    let width = word.len();
    let mut product = zeros(width);
    let minus = rows.minus.iter().map(|&row| (row, true));
    for ((shift, bit), negative) in rows.plus.iter().map(|&row| (row, false)).chain(minus) {
        let row: Word = word[..width - shift]
            .iter()
            .map(|&x| g.and(x, bit).invert_if(negative))
            .collect();
        let carry = AigLit::constant(negative);
        let high = sum(g, &product[shift..], &row, carry);
        product.truncate(shift);
        product.extend(high);
    }
    product
}

// ---- division

/// The exponent, if the word is a constant power of two.
fn power_of_two(word: &[AigLit]) -> Option<usize> {
    let constant = word.iter().all(|bit| bit.as_constant().is_some());
    let mut ones = word
        .iter()
        .enumerate()
        .filter(|(_, bit)| **bit == AigLit::TRUE);
    match (ones.next(), ones.next()) {
        (Some((i, _)), None) if constant => Some(i),
        _ => None,
    }
}

/// Quotient and remainder by restoring division; by zero all ones and the dividend, which is what the
/// circuit computes without a special case.
///
/// After `k` steps the remainder is at most the `k` highest bits of the dividend, so step `k` works on
/// `k` bits and one test whether the divisor has higher ones. No step works on more bits than the divisor has before the
/// zeros at its top: the remainder is less than the divisor, and only a division by zero would need the rest.
pub fn udivrem(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> (Word, Word) {
    debug_assert_eq!(a.len(), b.len());
    let width = a.len();
    if let Some(k) = power_of_two(b) {
        let (mut quotient, mut remainder) = (a[k..].to_vec(), a[..k].to_vec());
        quotient.resize(width, AigLit::FALSE);
        remainder.resize(width, AigLit::FALSE);
        return (quotient, remainder);
    }
    let zeros_at_top = b.iter().rev().take_while(|&&x| x == AigLit::FALSE).count();
    let bits = width - zeros_at_top;
    // small[k]: the divisor has no one at position k or above.
    let mut small = vec![AigLit::TRUE; width + 1];
    for i in (0..bits).rev() {
        small[i] = g.and(small[i + 1], !b[i]);
    }
    let not_b = inverted(b);
    let mut quotient = zeros(width);
    let mut rest = Word::with_capacity(bits + 1);
    for i in (0..width).rev() {
        rest.insert(0, a[i]);
        let used = rest.len().min(bits);
        // A remainder that shifts a one out of the word is at least the divisor.
        let out = rest.get(bits).copied().unwrap_or(AigLit::FALSE);
        rest.truncate(used);
        let (difference, no_borrow) = add_carry(g, &rest, &not_b[..used], AigLit::TRUE);
        let fits = g.and(no_borrow, small[used]);
        let fits = g.or(fits, out);
        quotient[i] = fits;
        rest = ite(g, fits, &difference, &rest);
    }
    // Dividing by zero has kept the lowest bits of the dividend.
    for &x in &a[bits..] {
        let bit = g.and(x, small[0]);
        rest.push(bit);
    }
    (quotient, rest)
}

/// Absolute value.
fn abs(g: &mut Aig, a: &[AigLit]) -> Word {
    neg_if(g, a[a.len() - 1], a)
}

/// Signed division, truncating.
pub fn sdiv(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    let (x, y) = (abs(g, a), abs(g, b));
    let (quotient, _) = udivrem(g, &x, &y);
    let top = a.len() - 1;
    let negative = g.xor(a[top], b[top]);
    neg_if(g, negative, &quotient)
}

/// Signed remainder, the sign follows the dividend.
pub fn srem(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    let (x, y) = (abs(g, a), abs(g, b));
    let (_, remainder) = udivrem(g, &x, &y);
    neg_if(g, a[a.len() - 1], &remainder)
}

/// Signed remainder, the sign follows the divisor.
pub fn smod(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> Word {
    let remainder = srem(g, a, b);
    let zero = eq(g, &remainder, &zeros(a.len()));
    let top = a.len() - 1;
    let same_sign = g.iff(a[top], b[top]);
    let keep = g.or(zero, same_sign);
    let addend: Word = b.iter().map(|&bit| g.and(bit, !keep)).collect();
    add(g, &remainder, &addend)
}

// ---- overflow

/// Unsigned addition overflows.
pub fn uaddo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    borrow(g, &inverted(a), b, AigLit::FALSE)
}

/// Signed addition overflows: the carries into and out of the sign differ.
pub fn saddo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    let top = a.len() - 1;
    let into = borrow(g, &inverted(&a[..top]), &b[..top], AigLit::FALSE);
    let out = g.maj(a[top], b[top], into);
    g.xor(into, out)
}

/// Unsigned subtraction underflows.
pub fn usubo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    ult(g, a, b)
}

/// Signed subtraction overflows.
pub fn ssubo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    let top = a.len() - 1;
    let into = borrow(g, &a[..top], &b[..top], AigLit::FALSE);
    let out = g.maj(!a[top], b[top], into);
    g.xor(into, out)
}

/// Some `a[i]` and `b[j]` with `i + j >= limit` are both ones.
fn high_partial_product(g: &mut Aig, a: &[AigLit], b: &[AigLit], limit: usize) -> AigLit {
    let mut any = AigLit::FALSE;
    let mut above = AigLit::FALSE;
    let mut next = b.len();
    for (i, &x) in a.iter().enumerate() {
        while next > 0 && next + i > limit {
            next -= 1;
            above = g.or(above, b[next]);
        }
        let both = g.and(x, above);
        any = g.or(any, both);
    }
    any
}

/// Unsigned multiplication overflows: a partial product lies beyond the word, or the product with one
/// more bit reaches it (Schulte et al. 2000).
pub fn umulo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    let width = a.len();
    let beyond = high_partial_product(g, a, b, width);
    let extended = |word: &[AigLit]| [word, &[AigLit::FALSE]].concat();
    let product = mul(g, &extended(a), &extended(b));
    g.or(beyond, product[width])
}

/// Signed multiplication overflows: as for unsigned with the bits that differ from the sign.
pub fn smulo(g: &mut Aig, a: &[AigLit], b: &[AigLit]) -> AigLit {
    let top = a.len() - 1;
    let magnitude = |g: &mut Aig, word: &[AigLit]| -> Word {
        word[..top].iter().map(|&x| g.xor(x, word[top])).collect()
    };
    let (x, y) = (magnitude(g, a), magnitude(g, b));
    let beyond = high_partial_product(g, &x, &y, top);
    let extended = |word: &[AigLit]| [word, &[word[top]]].concat();
    let product = mul(g, &extended(a), &extended(b));
    let wrapped = g.xor(product[top], product[top + 1]);
    g.or(beyond, wrapped)
}

#[cfg(test)]
mod tests;
