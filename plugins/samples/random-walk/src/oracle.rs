//! Values that find bugs: extreme ones, constants of the program and their neighbours, and some
//! at random.

use trellis_plugin_sdk::ivl::rng::Rng;
use trellis_plugin_sdk::ivl::{ArrayValue, Bv, Input, Op, Oracle, Program, Type, Value};

/// Chooses.
pub struct Dice {
    random: Rng,
    /// Constants of the program.
    constants: Vec<Bv>,
}

impl Dice {
    /// Equal seeds and programs give equal choices.
    pub fn new(seed: u64, program: &Program) -> Dice {
        let pool = &program.pool;
        let constants = pool.terms().filter(|&t| pool.op(t) == Op::BvConst);
        Dice {
            random: Rng::new(seed),
            constants: constants.filter_map(|t| pool.as_bv(t)).collect(),
        }
    }

    fn bv(&mut self, width: u32) -> Bv {
        match self.random.below(8) {
            0 => Bv::zero(width),
            1 => Bv::ones(width),
            2 => Bv::min_signed(width),
            3 | 4 => Bv::new(width, self.random.below(16) as u64),
            5 | 6 if !self.constants.is_empty() => {
                let at = self.random.below(self.constants.len());
                let constant = Bv::from_biguint(width, self.constants[at].to_biguint());
                match self.random.below(3) {
                    0 => constant.add(&Bv::one(width)),
                    1 => constant.sub(&Bv::one(width)),
                    _ => constant,
                }
            }
            _ => {
                let bits: Vec<bool> = (0..width).map(|_| self.random.bit()).collect();
                Bv::from_bits(&bits)
            }
        }
    }

    /// A value of type `ty`.
    pub fn value(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.random.bit()),
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
        self.random.below(n)
    }
}
