//! Polynomials modulo `2^w` over atoms, and what follows from equations between them.

use std::collections::BTreeMap;
use trellis_ivl::Term;

/// Monomials of a polynomial, and factors of a monomial, beyond which it is too large.
const MAX_TERMS: usize = 96;
const MAX_DEGREE: usize = 6;
/// Equations that are multiplied by atoms to find more, and rows in all.
const MAX_ROWS: usize = 160;

/// A product of atoms, ascending; the empty one is 1.
pub type Monomial = Vec<Term>;

/// A sum of monomials with coefficients, modulo `2^width`. An atom that is wider counts by its lowest bits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Poly {
    /// At most 64.
    pub width: u32,
    /// No coefficient is 0.
    terms: BTreeMap<Monomial, u64>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The inverse of an odd number modulo `2^64`: each step of Newton's method doubles the number of right bits.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
    })
}

impl Poly {
    /// A number.
    pub fn constant(width: u32, value: u64) -> Poly {
        let mut poly = Poly {
            width,
            terms: BTreeMap::new(),
        };
        poly.add_term(Vec::new(), value);
        poly
    }

    /// An atom.
    pub fn atom(width: u32, atom: Term) -> Poly {
        Poly {
            width,
            terms: BTreeMap::from([(vec![atom], 1)]),
        }
    }

    fn add_term(&mut self, monomial: Monomial, c: u64) {
        let sum = self.terms.get(&monomial).copied().unwrap_or(0);
        match sum.wrapping_add(c) & mask(self.width) {
            0 => self.terms.remove(&monomial),
            sum => self.terms.insert(monomial, sum),
        };
    }

    /// `self + factor * other`; `other` may be wider.
    pub fn plus(&self, other: &Poly, factor: u64) -> Poly {
        let mut sum = self.clone();
        for (monomial, c) in &other.terms {
            sum.add_term(monomial.clone(), c.wrapping_mul(factor));
        }
        sum
    }

    /// `factor * self`.
    pub fn scaled(&self, factor: u64) -> Poly {
        Poly::constant(self.width, 0).plus(self, factor)
    }

    /// `self * other`, unless that is too large.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::constant(self.width, 0);
        for (a, c) in &self.terms {
            for (b, d) in &other.terms {
                if a.len() + b.len() > MAX_DEGREE {
                    return None;
                }
                let mut monomial = [&a[..], &b[..]].concat();
                monomial.sort_unstable();
                product.add_term(monomial, c.wrapping_mul(*d));
            }
        }
        (product.terms.len() <= MAX_TERMS).then_some(product)
    }

    /// Modulo a smaller power of two.
    pub fn low(&self, width: u32) -> Poly {
        Poly::constant(width, 0).plus(self, 1)
    }

    /// What it costs to go through it.
    pub fn size(&self) -> usize {
        1 + self.terms.len()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number that it is, if it has no atoms.
    pub fn as_constant(&self) -> Option<u64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// All atoms.
    pub fn atoms(&self) -> impl Iterator<Item = Term> {
        self.terms.keys().flatten().copied()
    }

    fn has(&self, atom: Term) -> bool {
        self.atoms().any(|a| a == atom)
    }

    /// `self` where `value` stands for an atom, unless that is too large.
    fn with(&self, atom: Term, value: &Poly) -> Option<Poly> {
        let mut result = Poly::constant(self.width, 0);
        for (monomial, &c) in &self.terms {
            let others = monomial.iter().copied().filter(|&a| a != atom);
            let others: Monomial = others.collect();
            let mut term = Poly::constant(self.width, 0);
            let power = monomial.len() - others.len();
            term.add_term(others, c);
            for _ in 0..power {
                term = term.times(&value.low(self.width))?;
            }
            result = result.plus(&term, 1);
        }
        (result.terms.len() <= MAX_TERMS).then_some(result)
    }

    /// An atom that occurs once, as a summand with an odd coefficient, and what it is equal to where the polynomial is 0.
    fn solved(&self) -> Option<(Term, Poly)> {
        for (monomial, &c) in &self.terms {
            let &[atom] = &monomial[..] else { continue };
            let single = self.terms.keys().filter(|m| m.contains(&atom)).count() == 1;
            if c % 2 == 1 && single {
                let mut rest = self.clone();
                rest.terms.remove(monomial);
                return Some((atom, rest.scaled(inverse(c).wrapping_neg())));
            }
        }
        None
    }
}

/// What is known to be 0.
#[derive(Default)]
pub struct Ideal {
    /// Atoms that are replaced, in this order, with the width up to which that holds.
    solved: Vec<(Term, Poly)>,
    /// The other equations.
    rest: Vec<Poly>,
    /// Whether a number other than 0 is 0.
    pub contradiction: bool,
}

impl Ideal {
    /// What follows from equations.
    pub fn new(mut equations: Vec<Poly>) -> Ideal {
        let mut ideal = Ideal::default();
        // Wide equations first: what they solve holds in narrow ones, too.
        equations.sort_by_key(|p| std::cmp::Reverse(p.width));
        while !equations.is_empty() {
            let p = equations.remove(0);
            let Some(p) = ideal.replace(&p) else { continue };
            match p.as_constant() {
                Some(0) => continue,
                Some(_) => {
                    ideal.contradiction = true;
                    return ideal;
                }
                None => {}
            }
            match p.solved() {
                Some((atom, value)) => {
                    // Those that were left may be solvable now, or say something about this one.
                    let (changed, kept) = ideal.rest.drain(..).partition(|r| r.has(atom));
                    let changed: Vec<Poly> = changed;
                    ideal.rest = kept;
                    ideal.solved.push((atom, value));
                    equations.splice(0..0, changed);
                }
                None => ideal.rest.push(p),
            }
        }
        ideal
    }

    /// A polynomial without the atoms that are solved, unless that is too large.
    fn replace(&self, p: &Poly) -> Option<Poly> {
        let mut p = p.clone();
        for (atom, value) in &self.solved {
            // Modulo a smaller power nothing is known of the higher bits.
            if p.width <= value.width && p.has(*atom) {
                p = p.with(*atom, value)?;
            }
        }
        Some(p)
    }

    /// What a polynomial is equal to, without atoms that are solved; none where that is too large.
    pub fn reduced(&self, p: &Poly) -> Option<Poly> {
        self.replace(p)
    }

    /// Whether `p` is shown to be 0.
    pub fn is_zero(&self, p: &Poly) -> bool {
        let Some(p) = self.replace(p) else {
            return false;
        };
        if p.is_zero() {
            return true;
        }
        let rows = self.rest.iter().filter(|r| r.width >= p.width);
        let rows: Vec<Poly> = rows.map(|r| r.low(p.width)).collect();
        !rows.is_empty() && Rows::new(p.width, rows, &p).reduce(p).is_zero()
    }
}

/// Equations as rows over monomials, each with a column of its own in which later rows have nothing that it could take away.
struct Rows {
    rows: Vec<(Monomial, Poly)>,
}

impl Rows {
    /// The rows, and the rows times atoms as far as they have monomials of `goal`.
    fn new(width: u32, equations: Vec<Poly>, goal: &Poly) -> Rows {
        let mut all = equations.clone();
        let mut atoms: Vec<Term> = goal.atoms().collect();
        atoms.sort_unstable();
        atoms.dedup();
        for p in &equations {
            for &atom in &atoms {
                if all.len() < MAX_ROWS
                    && let Some(product) = p.times(&Poly::atom(width, atom))
                {
                    all.push(product);
                }
            }
        }
        let mut rows = Vec::new();
        // Each row is added to what is there; what it leaves of itself and of another goes round again.
        while let Some(p) = all.pop() {
            if rows.len() < MAX_ROWS {
                Self::insert(&mut rows, p, &mut all);
            }
        }
        Rows { rows }
    }

    /// The monomial that a row is known by: the last one.
    fn column(p: &Poly) -> Option<(Monomial, u64)> {
        let (monomial, c) = p.terms.last_key_value()?;
        Some((monomial.clone(), *c))
    }

    fn insert(rows: &mut Vec<(Monomial, Poly)>, mut p: Poly, all: &mut Vec<Poly>) {
        while let Some((column, c)) = Self::column(&p) {
            let Some(at) = rows.iter().position(|(m, _)| *m == column) else {
                // What remains when the column is multiplied away.
                let by = c.trailing_zeros();
                if by > 0 {
                    all.push(p.scaled(1 << (p.width - by)));
                }
                rows.push((column, p));
                return;
            };
            let d = rows[at].1.terms[&column];
            if c.trailing_zeros() < d.trailing_zeros() {
                let old = std::mem::replace(&mut rows[at].1, p);
                let by = c.trailing_zeros();
                if by > 0 {
                    let new = &rows[at].1;
                    all.push(new.scaled(1 << (new.width - by)));
                }
                p = old;
                continue;
            }
            p = cancelled(&p, c, &rows[at].1, d);
        }
    }

    /// What is left of a polynomial.
    fn reduce(&self, p: Poly) -> Poly {
        let mut p = p;
        let mut done = Poly::constant(p.width, 0);
        while let Some((column, c)) = Self::column(&p) {
            let row = self.rows.iter().find(|(m, _)| *m == column);
            match row.map(|(_, r)| (r, r.terms[&column])) {
                Some((row, d)) if c.trailing_zeros() >= d.trailing_zeros() => {
                    p = cancelled(&p, c, row, d);
                }
                _ => {
                    p.terms.remove(&column);
                    done.add_term(column, c);
                }
            }
        }
        done
    }
}

/// `p` without the monomial that is `c` times in it and `d` times in `row`, where 2 divides `c` at least as often as `d`.
fn cancelled(p: &Poly, c: u64, row: &Poly, d: u64) -> Poly {
    let shift = d.trailing_zeros();
    let quotient = (c >> shift).wrapping_mul(inverse(d >> shift));
    p.plus(row, quotient.wrapping_neg())
}
