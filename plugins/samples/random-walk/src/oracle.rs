//! Values that find bugs: extreme ones, constants of the program and their neighbours, and some
//! at random.

use trellis_plugin_sdk::ivl::{ArrayValue, Bv, Input, Op, Oracle, Program, Type, Value};

/// Chooses with a generator whose sequence never changes (SplitMix64, Steele, Lea and Flood,
/// OOPSLA'14), so that a seed stays meaningful.
pub struct Dice {
    state: u64,
    /// Constants of the program.
    constants: Vec<Bv>,
}

impl Dice {
    /// Equal seeds and programs give equal choices.
    pub fn new(seed: u64, program: &Program) -> Dice {
        let pool = &program.pool;
        let constants = pool.terms().filter(|&t| pool.op(t) == Op::BvConst);
        Dice {
            state: seed,
            constants: constants.filter_map(|t| pool.as_bv(t)).collect(),
        }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn bv(&mut self, width: u32) -> Bv {
        match self.below(8) {
            0 => Bv::zero(width),
            1 => Bv::ones(width),
            2 => Bv::min_signed(width),
            3 | 4 => Bv::new(width, self.below(16) as u64),
            5 | 6 if !self.constants.is_empty() => {
                let at = self.below(self.constants.len());
                let constant = Bv::from_biguint(width, self.constants[at].to_biguint());
                match self.below(3) {
                    0 => constant.add(&Bv::one(width)),
                    1 => constant.sub(&Bv::one(width)),
                    _ => constant,
                }
            }
            _ => {
                let bits: Vec<bool> = (0..width).map(|_| self.bits() & 1 == 1).collect();
                Bv::from_bits(&bits)
            }
        }
    }

    /// A value of type `ty`.
    pub fn value(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.bits() & 1 == 1),
            Type::Bv(width) => Value::Bv(self.bv(width)),
            Type::Array { index, elem } => {
                let default = self.bv(elem);
                Value::Array(ArrayValue::constant(index, default))
            }
        }
    }
}

impl Oracle for Dice {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        self.value(ty)
    }

    fn pick(&mut self, n: usize) -> usize {
        self.below(n)
    }
}
