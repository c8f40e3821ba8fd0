//! Random operands, most of them where rounding is hard.

use crate::circuit::Case;
use trellis_ivl_float::Format;
use trellis_ivl_float::testing;
use trellis_solver_api::testing::Rng;

/// Makes cases for one format.
pub struct Operands {
    format: Format,
    edges: Vec<u128>,
    rng: Rng,
}

impl Operands {
    pub fn new(format: Format, seed: u64) -> Operands {
        let edges = testing::edges(format).into_iter();
        Operands {
            format,
            edges: edges
                .map(|x| u128::try_from(x).expect("128 bits"))
                .collect(),
            rng: Rng::new(seed),
        }
    }

    fn bits(&mut self) -> u128 {
        let bits = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
        bits & (u128::MAX >> (128 - self.format.width()))
    }

    /// A pattern whose exponent is near that of `other`.
    fn near(&mut self, other: u128) -> u128 {
        let f = self.format.fraction_bits();
        let e = self.format.exponent_bits();
        let mask = (1u128 << e) - 1;
        let spread = (self.format.precision() + 3) as usize;
        let distance = self.rng.below(2 * spread + 1) as u128;
        let exponent = ((other >> f) & mask)
            .wrapping_add(distance)
            .wrapping_sub(spread as u128);
        let bits = self.sparse();
        (bits & !(mask << f)) | ((exponent & mask) << f)
    }

    /// A random pattern with a fraction of which only some bits at either end differ from a run: ties and carries.
    fn sparse(&mut self) -> u128 {
        let f = self.format.fraction_bits();
        let bits = self.bits();
        let fraction = (1u128 << f) - 1;
        let cut = self.rng.below(f as usize + 1);
        let low = (1u128 << cut) - 1;
        match self.rng.below(5) {
            0 => bits,
            1 => bits & !low,
            2 => bits | low,
            3 => (bits & !fraction) | (bits & low),
            _ => (bits | fraction) & !(bits & low),
        }
    }

    pub fn one(&mut self) -> u128 {
        match self.rng.below(8) {
            0 => self.edges[self.rng.below(self.edges.len())],
            1 | 2 => self.bits(),
            3 => {
                // Near one, where integers and fractions meet.
                let one = (self.format.bias() as u128) << self.format.fraction_bits();
                self.near(one)
            }
            _ => self.sparse(),
        }
    }

    pub fn case(&mut self) -> Case {
        let a = self.one();
        let b = match self.rng.below(3) {
            0 => self.one(),
            _ => self.near(a),
        };
        let c = match self.rng.below(3) {
            0 => self.one(),
            1 => self.near(a),
            // Near the product.
            _ => {
                let f = self.format.fraction_bits();
                let bias = (self.format.bias() as u128) << f;
                let sum = a.wrapping_add(b).wrapping_sub(bias);
                self.near(sum)
            }
        };
        Case {
            operands: [a, b, c],
            direction: self.rng.below(5),
        }
    }

    /// A random integer of `width` bits, of any length.
    pub fn integer(&mut self, width: u32) -> u128 {
        let length = 1 + self.rng.below(width as usize) as u32;
        let bits = u128::from(self.rng.bits()) & (u128::MAX >> (128 - width));
        let value = bits >> (width - length);
        match self.rng.below(3) {
            0 => value,
            1 => (value << (width - length)) & (u128::MAX >> (128 - width)),
            _ => value.wrapping_neg() & (u128::MAX >> (128 - width)),
        }
    }
}
