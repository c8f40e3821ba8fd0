//! Sums and products as polynomials modulo `2^w`, so that equal ones get one word however they are written.
//!
//! The atoms of a polynomial are words of gates, told apart by their bits: terms that are alike on the level
//! of bits are alike here, and a variable that took the word of its definition is that definition. A
//! polynomial is multiplied out as long as it stays small, and a larger one is an atom itself, once its word
//! is there. So `x * (y + 1)` and `x * y + x` meet, and, because `x` is then one atom, so do longer
//! expressions made of them.
//!
//! Nothing here depends on what is asserted: equal polynomials are equal words in every query.

use crate::aig::AigLit;
use crate::arrays::Word;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The highest degree of a monomial.
const MAX_DEGREE: usize = 4;
/// The most monomials that a product is multiplied out to.
const MAX_TERMS: usize = 32;
/// The most monomials, and of those the most that are no single atom, of a word that is no atom.
const MAX_KEPT: usize = 8;
const MAX_KEPT_PRODUCTS: usize = 4;
/// The same of a word that is a sum without products: sums of arrays are as long as the arrays.
const MAX_KEPT_LINEAR: usize = 128;
/// Stands for no factor; no word begins there.
const NO_FACTOR: u32 = u32::MAX;

/// A product of atoms, each the start of its word, ascending; unused places at the end hold `NO_FACTOR`.
type Monomial = [u32; MAX_DEGREE];

/// A sum of monomials with coefficients, modulo `2^width`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Polynomial {
    pub width: u32,
    pub constant: u64,
    /// Ascending by monomial; no coefficient is 0.
    terms: Vec<(Monomial, u64)>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn degree(monomial: &Monomial) -> usize {
    monomial.iter().take_while(|&&f| f != NO_FACTOR).count()
}

fn product(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let (m, n) = (degree(a), degree(b));
    if m + n > MAX_DEGREE {
        return None;
    }
    let mut result = *a;
    result[m..m + n].copy_from_slice(&b[..n]);
    result[..m + n].sort_unstable();
    Some(result)
}

/// The inverse of an odd number modulo `2^64`, by Newton's method: each step doubles the correct bits.
pub(crate) fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

impl Polynomial {
    pub fn constant(width: u32, value: u64) -> Polynomial {
        Polynomial {
            width,
            constant: value & mask(width),
            terms: Vec::new(),
        }
    }

    fn atom(width: u32, start: u32) -> Polynomial {
        let mut monomial = [NO_FACTOR; MAX_DEGREE];
        monomial[0] = start;
        Polynomial {
            width,
            constant: 0,
            terms: vec![(monomial, 1)],
        }
    }

    /// `self + factor * other`.
    pub fn plus(&self, other: &Polynomial, factor: u64) -> Polynomial {
        let m = mask(self.width);
        let scaled = |c: u64| c.wrapping_mul(factor) & m;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (monomial, c) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let c = x.1.wrapping_add(scaled(y.1)) & m;
                    let monomial = x.0;
                    a.next();
                    b.next();
                    (monomial, c)
                }
                (Some(&&x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    a.next();
                    x
                }
                (_, Some(&&(monomial, c))) => {
                    b.next();
                    (monomial, scaled(c))
                }
                (Some(_), None) => unreachable!("the case before"),
            };
            if c != 0 {
                terms.push((monomial, c));
            }
        }
        Polynomial {
            width: self.width,
            constant: self.constant.wrapping_add(scaled(other.constant)) & m,
            terms,
        }
    }

    /// `factor * self`.
    pub fn times_constant(&self, factor: u64) -> Polynomial {
        Polynomial::constant(self.width, 0).plus(self, factor)
    }

    /// `self * other`, unless that is too large.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if (self.terms.len() + 1) * (other.terms.len() + 1) > MAX_TERMS {
            return None;
        }
        let mut sum = self.times_constant(other.constant);
        for (monomial, c) in &other.terms {
            let mut row = Polynomial::constant(self.width, 0);
            for (own, d) in &self.terms {
                row.terms.push((product(own, monomial)?, *d));
            }
            if self.constant != 0 {
                row.terms.push((*monomial, self.constant));
            }
            row.terms.sort_unstable();
            sum = sum.plus(&row, *c);
        }
        Some(sum)
    }

    /// The value, if there is no atom.
    pub fn as_constant(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The linear terms as atoms with their coefficients, if no term is a product.
    pub fn linear(&self) -> Option<impl Iterator<Item = (u32, u64)>> {
        let linear = self.terms.iter().all(|(m, _)| m[1] == NO_FACTOR);
        linear.then(|| self.terms.iter().map(|(m, c)| (m[0], *c)))
    }

    fn is_small(&self) -> bool {
        let products = self.terms.iter().filter(|(m, _)| m[1] != NO_FACTOR);
        match products.count() {
            0 => self.terms.len() <= MAX_KEPT_LINEAR,
            n => self.terms.len() <= MAX_KEPT && n <= MAX_KEPT_PRODUCTS,
        }
    }
}

/// The polynomials of words, and the words of polynomials.
#[derive(Default)]
pub(crate) struct Normal {
    /// Of words that are no atoms, by start and length.
    of_word: FxHashMap<(u32, u32), Rc<Polynomial>>,
    /// Where the word of a polynomial starts.
    starts: FxHashMap<Rc<Polynomial>, u32>,
    /// Atoms by their bits.
    atoms: HashTable<Word>,
}

fn hash(bits: &[AigLit]) -> u64 {
    let mut h = FxHasher::default();
    bits.hash(&mut h);
    h.finish()
}

impl Normal {
    /// The widest word with a polynomial.
    pub const MAX_WIDTH: u32 = 64;

    /// Whether a word has a polynomial that is not just the word.
    pub fn is_known(&self, word: Word) -> bool {
        self.of_word.contains_key(&(word.start, word.len))
    }

    /// The polynomial of a word of at most [`Normal::MAX_WIDTH`] bits.
    pub fn of(&mut self, arena: &[AigLit], word: Word) -> Rc<Polynomial> {
        if let Some(known) = self.of_word.get(&(word.start, word.len)) {
            return known.clone();
        }
        let bits = &arena[word.range()];
        let mut value = 0;
        for (i, bit) in bits.iter().enumerate() {
            match bit.as_constant() {
                Some(b) => value |= u64::from(b) << i,
                None => return Rc::new(Polynomial::atom(word.len, self.atom_of(arena, word))),
            }
        }
        Rc::new(Polynomial::constant(word.len, value))
    }

    /// The start of the first word with these bits.
    fn atom_of(&mut self, arena: &[AigLit], word: Word) -> u32 {
        let bits = &arena[word.range()];
        let h = hash(bits);
        let same = |known: &Word| &arena[known.range()] == bits;
        if let Some(known) = self.atoms.find(h, same) {
            return known.start;
        }
        let rehash = |known: &Word| hash(&arena[known.range()]);
        self.atoms.insert_unique(h, word, rehash);
        word.start
    }

    /// Where a word of this polynomial starts, if there is one.
    pub fn find(&self, polynomial: &Polynomial) -> Option<u32> {
        if let [(monomial, 1)] = polynomial.terms[..]
            && polynomial.constant == 0
            && monomial[1] == NO_FACTOR
        {
            return Some(monomial[0]);
        }
        self.starts.get(polynomial).copied()
    }

    /// `word` is the word of this polynomial, which had none.
    pub fn define(&mut self, polynomial: Polynomial, word: Word) {
        let polynomial = Rc::new(polynomial);
        if polynomial.is_small() {
            self.of_word
                .insert((word.start, word.len), polynomial.clone());
        }
        self.starts.insert(polynomial, word.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_solver_api::testing::Rng;

    fn value(p: &Polynomial, atoms: &[u64]) -> u64 {
        let m = mask(p.width);
        p.terms.iter().fold(p.constant, |sum, (monomial, c)| {
            let factors = monomial.iter().take_while(|&&f| f != NO_FACTOR);
            let product = factors.fold(*c, |v, &f| v.wrapping_mul(atoms[f as usize]));
            sum.wrapping_add(product) & m
        })
    }

    /// Random sums and products have the values of their operands' sums and products, and equal functions
    /// written differently are equal.
    #[test]
    fn arithmetic_keeps_values() {
        let mut rng = Rng::new(7);
        for _ in 0..2000 {
            let width = rng.range(1, 64) as u32;
            let m = mask(width);
            let mut known: Vec<Polynomial> = (0..4).map(|i| Polynomial::atom(width, i)).collect();
            known.push(Polynomial::constant(width, rng.bits()));
            let atoms: Vec<u64> = (0..4).map(|_| rng.bits() & m).collect();
            for _ in 0..12 {
                let (a, b) = (rng.below(known.len()), rng.below(known.len()));
                let (p, q) = (&known[a], &known[b]);
                let (x, y) = (value(p, &atoms), value(q, &atoms));
                let factor = rng.bits();
                let sum = p.plus(q, factor);
                assert_eq!(
                    value(&sum, &atoms),
                    x.wrapping_add(y.wrapping_mul(factor)) & m
                );
                assert_eq!(q.times_constant(factor).plus(p, 1), sum);
                if let Some(product) = p.times(q) {
                    assert_eq!(value(&product, &atoms), x.wrapping_mul(y) & m);
                    assert_eq!(q.times(p).as_ref(), Some(&product));
                    known.push(product);
                }
                if sum.is_small() {
                    known.push(sum);
                }
            }
        }
    }

    #[test]
    fn inverses() {
        for odd in (1..1000)
            .step_by(2)
            .chain([u64::MAX, 0x9e37_79b9_7f4a_7c15])
        {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
