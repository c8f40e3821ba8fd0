//! Affine spaces modulo 2^w: what linear equations say about variables, and products of variables, of one width.
//!
//! After Müller-Olm and Seidl ("Analysis of modular arithmetic"): wrap-around makes equations modulo 2^w exact
//! where equations over the integers would be wrong. A space is kept as its equations, and joined with one
//! point at a time: a combination of equations holds at the point exactly if their errors there cancel.

use trellis_ivl::{Term, TermPool, Var};

/// Variables that are multiplied; mostly one.
pub type Product = Vec<Var>;

/// The sum of `coefficients` times the products is `constant`, modulo 2^width.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Equation {
    coefficients: Vec<u64>,
    constant: u64,
}

/// A set of points, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    width: u32,
    products: Vec<Product>,
    equations: Vec<Equation>,
}

impl Equation {
    /// This plus `factor` times `other`.
    fn add(&mut self, factor: u64, other: &Equation, mask: u64) {
        let sum = |a: u64, b: u64| a.wrapping_add(factor.wrapping_mul(b)) & mask;
        for (c, &d) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *c = sum(*c, d);
        }
        self.constant = sum(self.constant, other.constant);
    }

    fn times(&mut self, factor: u64, mask: u64) {
        for c in &mut self.coefficients {
            *c = c.wrapping_mul(factor) & mask;
        }
        self.constant = self.constant.wrapping_mul(factor) & mask;
    }

    /// By how much the left side exceeds the right one at a point.
    fn error(&self, point: &[u64], mask: u64) -> u64 {
        let terms = self.coefficients.iter().zip(point);
        let sum = terms.fold(0u64, |s, (&c, &x)| s.wrapping_add(c.wrapping_mul(x)));
        sum.wrapping_sub(self.constant) & mask
    }
}

/// The inverse of an odd number modulo 2^64; each step of Newton's method doubles the number of right bits.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
    })
}

/// `2^n`, or 0 where that is no number of 64 bits.
fn power(n: u32) -> u64 {
    1u64.checked_shl(n).unwrap_or(0)
}

impl Space {
    /// One point.
    pub fn point(width: u32, products: Vec<Product>, point: &[u64]) -> Space {
        let equation = |(i, &x): (usize, &u64)| Equation {
            coefficients: (0..products.len()).map(|j| u64::from(i == j)).collect(),
            constant: x,
        };
        Space {
            width,
            equations: point.iter().enumerate().map(equation).collect(),
            products,
        }
    }

    /// What the points are made of, in their order.
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// The least space with `point` as well.
    pub fn join(&mut self, point: &[u64]) {
        let mask = self.mask();
        let errors: Vec<u64> = self
            .equations
            .iter()
            .map(|e| e.error(point, mask))
            .collect();
        let wrong = |&i: &usize| errors[i] != 0;
        let Some(pivot) = (0..errors.len())
            .filter(wrong)
            .min_by_key(|&i| errors[i].trailing_zeros())
        else {
            return;
        };
        let shift = errors[pivot].trailing_zeros();
        let unit = inverse(errors[pivot] >> shift);
        let by = self.equations[pivot].clone();
        for (i, e) in self.equations.iter_mut().enumerate() {
            if i == pivot {
                // An odd error leaves nothing, an error of 2^s times odd the lowest s bits.
                e.times(power(self.width - shift), mask);
            } else {
                let quotient = (errors[i] >> shift).wrapping_mul(unit);
                e.add(quotient.wrapping_neg(), &by, mask);
            }
        }
        self.equations
            .retain(|e| e.coefficients.iter().any(|&c| c != 0));
    }

    /// The equations where the variables have the values `value` gives; together they are the space. Narrower variables count as signed numbers.
    pub fn equations(
        &self,
        pool: &mut TermPool,
        value: impl Fn(&mut TermPool, Var) -> Term,
    ) -> Vec<Term> {
        let (mask, half) = (self.mask(), power(self.width - 1));
        let mut list = Vec::with_capacity(self.equations.len());
        for e in &self.equations {
            let mut e = e.clone();
            let lead = e.coefficients.iter().filter(|&&c| c != 0);
            let lead = lead
                .min_by_key(|c| c.trailing_zeros())
                .copied()
                .unwrap_or(1);
            e.times(inverse(lead >> lead.trailing_zeros()), mask);
            let mut sides = [pool.num(self.width, 0), pool.num(self.width, e.constant)];
            for (vars, &c) in self.products.iter().zip(&e.coefficients) {
                let (side, c) = if c > half {
                    (1, c.wrapping_neg() & mask)
                } else {
                    (0, c)
                };
                if c != 0 {
                    let mut product = pool.num(self.width, c);
                    for &v in vars {
                        let x = value(pool, v);
                        let x = pool.sext(self.width, x);
                        product = pool.bvmul(product, x);
                    }
                    sides[side] = pool.bvadd(sides[side], product);
                }
            }
            list.push(pool.eq(sides[0], sides[1]));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::Type;

    fn space(width: u32, points: &[&[u64]]) -> Space {
        let mut pool = TermPool::new();
        let fresh = (0..points[0].len()).map(|_| vec![pool.fresh("x", Type::Bv(width))]);
        let mut space = Space::point(width, fresh.collect(), points[0]);
        for p in &points[1..] {
            space.join(p);
        }
        space
    }

    fn has(space: &Space, point: &[u64]) -> bool {
        let mask = space.mask();
        space.equations.iter().all(|e| e.error(point, mask) == 0)
    }

    /// The join is the least one: all affine combinations of the points, and nothing else.
    #[test]
    fn joins_are_exact() {
        for (p, q, r) in [
            ([1, 2], [3, 6], [1, 2]),
            ([0, 0], [2, 4], [4, 0]),
            ([7, 1], [7, 5], [3, 3]),
            ([0, 0], [1, 0], [0, 1]),
            ([5, 5], [5, 5], [5, 1]),
        ] {
            let joined = space(3, &[&p, &q, &r]);
            let combination = |i: usize, a: u64, b: u64| {
                let term = |k: u64, x: u64| k.wrapping_mul(x.wrapping_sub(p[i]));
                p[i].wrapping_add(term(a, q[i])).wrapping_add(term(b, r[i])) & 7
            };
            for x in 0..8 {
                for y in 0..8 {
                    let combined = (0..64).any(|n| {
                        let (a, b) = (n & 7, n >> 3);
                        combination(0, a, b) == x && combination(1, a, b) == y
                    });
                    assert_eq!(
                        has(&joined, &[x, y]),
                        combined,
                        "{p:?} {q:?} {r:?}: {x} {y}"
                    );
                }
            }
        }
    }

    #[test]
    fn wide_numbers_wrap() {
        let s = space(
            64,
            &[
                &[0, u64::MAX, 5],
                &[1, u64::MAX - 1, 5],
                &[9, u64::MAX - 9, 5],
            ],
        );
        assert!(has(&s, &[u64::MAX, 0, 5]));
        assert!(!has(&s, &[u64::MAX, 1, 5]));
        assert!(!has(&s, &[0, u64::MAX, 6]));
    }
}
