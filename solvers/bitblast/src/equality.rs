//! Whether two words are equal, decided or made smaller by their polynomials before gates compare them.
//!
//! What occurs on both sides cancels: `x + y = x + z` compares `y` and `z`. An equation with one atom is
//! solved for it: `3 * x + 1 = 7` compares `x` with a number. Indices of arrays are compared with many others
//! that differ by numbers only (`p = q`, `p = q + 1`, ...), so they compare the difference of the atoms, one
//! word for all of them, with a number: the comparisons then exclude each other without search.

use crate::aig::AigLit;
use crate::arrays::Word;
use crate::blast::Blaster;
use crate::circuits;
use crate::normal::{Normal, Polynomial, inverse};
use trellis_ivl::Bv;

/// What is known about two words in every model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    Different,
    Open,
}

/// The factor that gives the first of two atoms the coefficient 1, if these are 1 and -1 and all there is but for
/// a constant: of `x - y` and `y - x` only one shall have a word.
fn sign_of_difference(p: &Polynomial) -> Option<u64> {
    let minus_one = u64::MAX >> (64 - p.width);
    let mut linear = p.linear()?;
    match (linear.next(), linear.next(), linear.next()) {
        (Some((_, 1)), Some((_, d)), None) if d == minus_one => Some(1),
        (Some((_, c)), Some((_, 1)), None) if c == minus_one => Some(minus_one),
        _ => None,
    }
}

impl Blaster {
    /// The gate that compares two words.
    pub fn equal(&mut self, a: Word, b: Word) -> AigLit {
        if self.has_same_bits(a, b) {
            return AigLit::TRUE;
        }
        match self.difference(a, b) {
            Some(difference) => self.is_zero(&difference, a, b),
            None => self.equal_bits(a, b),
        }
    }

    /// The gate that compares two indices.
    pub fn equal_indices(&mut self, a: Word, b: Word) -> AigLit {
        if a.len > Normal::MAX_WIDTH || self.has_same_bits(a, b) {
            return self.equal(a, b);
        }
        let difference = self.polynomial_difference(a, b);
        let Some(sign) = sign_of_difference(&difference) else {
            return self.equal(a, b);
        };
        let (minus_one, scaled) = (u64::MAX, difference.times_constant(sign));
        let number = scaled.constant.wrapping_neg();
        let atoms = scaled.plus(&Polynomial::constant(a.len, scaled.constant), minus_one);
        if scaled.constant == 0 && self.normal.find(&atoms).is_none() {
            return self.equal(a, b);
        }
        let word = self.word_of(&atoms);
        self.equals_number(word, number)
    }

    /// What bits and polynomials tell about two words.
    pub fn relation(&mut self, a: Word, b: Word) -> Relation {
        let (x, y) = (&self.bits[a.range()], &self.bits[b.range()]);
        if x == y {
            return Relation::Equal;
        }
        // `x` and `x + 1` differ in their lowest bits: one is the other inverted.
        if x.iter().zip(y).any(|(&x, &y)| x == !y) {
            return Relation::Different;
        }
        match self.difference(a, b).and_then(|d| d.as_constant()) {
            Some(0) => Relation::Equal,
            Some(_) => Relation::Different,
            None => Relation::Open,
        }
    }

    fn has_same_bits(&self, a: Word, b: Word) -> bool {
        self.bits[a.range()] == self.bits[b.range()]
    }

    fn equal_bits(&mut self, a: Word, b: Word) -> AigLit {
        circuits::eq(&mut self.aig, &self.bits[a.range()], &self.bits[b.range()])
    }

    /// `a - b` as a polynomial; none where at most the bits tell anything.
    fn difference(&mut self, a: Word, b: Word) -> Option<Polynomial> {
        let known = self.normal.is_known(a) || self.normal.is_known(b);
        (known && a.len <= Normal::MAX_WIDTH).then(|| self.polynomial_difference(a, b))
    }

    fn polynomial_difference(&mut self, a: Word, b: Word) -> Polynomial {
        let p = self.normal.of(&self.bits, a);
        let q = self.normal.of(&self.bits, b);
        p.plus(&q, u64::MAX)
    }

    /// Whether `difference`, which is `a - b`, is zero.
    fn is_zero(&mut self, difference: &Polynomial, a: Word, b: Word) -> AigLit {
        if let Some(value) = difference.as_constant() {
            return AigLit::constant(value == 0);
        }
        if let Some(equal) = self.equal_atoms(difference) {
            return equal;
        }
        // `p + 1 = 7` where `p` has a word.
        let (minus_one, constant) = (u64::MAX, difference.constant);
        let rest = difference.plus(&Polynomial::constant(a.len, constant), minus_one);
        for (rest, number) in [
            (rest.times_constant(minus_one), constant),
            (rest, constant.wrapping_neg()),
        ] {
            if constant != 0
                && let Some(start) = self.normal.find(&rest)
            {
                return self.equals_number(Word { start, len: a.len }, number);
            }
        }
        self.equal_bits(a, b)
    }

    /// Whether a polynomial of one atom, or a multiple of the difference of two, is zero.
    fn equal_atoms(&mut self, p: &Polynomial) -> Option<AigLit> {
        let word = |start: u32| Word {
            start,
            len: p.width,
        };
        let mut linear = p.linear()?;
        match (linear.next(), linear.next(), linear.next()) {
            (Some((x, c)), None, None) => {
                Some(self.solve_for(word(x), c, p.constant.wrapping_neg()))
            }
            (Some((x, c)), Some((y, d)), None)
                if p.constant == 0
                    && c % 2 == 1
                    && c.wrapping_add(d) & (u64::MAX >> (64 - p.width)) == 0 =>
            {
                Some(self.equal_bits(word(x), word(y)))
            }
            _ => None,
        }
    }

    /// `c * x = value`, where `c` is not 0 modulo `2^w`: the factors of 2 in `c` have to be in `value`, and what
    /// they shift out of `x` does not matter.
    fn solve_for(&mut self, x: Word, c: u64, value: u64) -> AigLit {
        let value = value & (u64::MAX >> (64 - x.len));
        let shift = c.trailing_zeros();
        if value.trailing_zeros() < shift && value != 0 {
            return AigLit::FALSE;
        }
        let low = Word {
            start: x.start,
            len: x.len - shift,
        };
        self.equals_number(low, (value >> shift).wrapping_mul(inverse(c >> shift)))
    }

    fn equals_number(&mut self, x: Word, value: u64) -> AigLit {
        let number = self.constant(&Bv::new(x.len, value));
        self.equal_bits(x, number)
    }

    /// The word of a sum of atoms with coefficients 1 and -1.
    fn word_of(&mut self, sum: &Polynomial) -> Word {
        let len = sum.width;
        if let Some(start) = self.normal.find(sum) {
            return Word { start, len };
        }
        let mut bits: Option<circuits::Word> = None;
        for (atom, c) in sum.linear().into_iter().flatten() {
            let atom = &self.bits[Word { start: atom, len }.range()];
            bits = Some(match bits {
                None if c == 1 => atom.to_vec(),
                None => circuits::neg(&mut self.aig, atom),
                Some(bits) if c == 1 => circuits::add(&mut self.aig, &bits, atom),
                Some(bits) => circuits::sub(&mut self.aig, &bits, atom),
            });
        }
        let start = self.push(&bits.unwrap_or_default());
        let word = Word { start, len };
        self.normal.define(sum.clone(), word);
        word
    }
}
