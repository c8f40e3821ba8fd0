//! States at loop heads, as executions are seen to have them.
//!
//! The interpreter runs the program with inputs that are mostly small or near numbers of the program. What is recorded depends on the
//! program alone: executions are limited in number and in steps.

use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Input, Loc, Machine, Op, Oracle, Program, Type, Value, Var};

/// Executions, and steps of each.
const EXECUTIONS: u64 = 80;
const STEPS: usize = 400;
/// States of one head, and of one execution at it.
const STATES: usize = 600;
const AT_ONCE: usize = 24;

/// The states of each head: the values of its variables, as signed or unsigned numbers.
pub type Samples = BTreeMap<Loc, BTreeSet<Vec<i128>>>;

struct Dice<'p> {
    random: Rng,
    numbers: &'p [u64],
    /// How far small numbers go in this execution.
    range: u64,
}

impl Dice<'_> {
    fn number(&mut self, width: u32) -> Bv {
        let small = (self.random.bits() % self.range).wrapping_sub(self.range / 4);
        let word = match self.random.below(8) {
            0 if !self.numbers.is_empty() => {
                let near = self.random.bits() % 3;
                self.random
                    .pick(self.numbers)
                    .wrapping_add(near)
                    .wrapping_sub(1)
            }
            1 => self.random.bits() % 2,
            _ => small,
        };
        Bv::new(width.min(64), word & (u64::MAX >> (64 - width.min(64)))).zext(width)
    }
}

impl Oracle for Dice<'_> {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.random.bit()),
            Type::Bv(w) => self.number(w).into(),
            Type::Array { .. } => Value::zero(ty),
        }
    }

    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
}

/// States of `program` at locations with variables to look at, each with whether it is a signed number.
pub fn samples(program: &Program, heads: &BTreeMap<Loc, Vec<(Var, bool)>>) -> Samples {
    let pool = &program.pool;
    let constants = pool.terms().filter(|&t| pool.op(t) == Op::BvConst);
    let mut numbers: Vec<u64> = constants.filter_map(|t| pool.as_bv(t)?.to_u64()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut found = Samples::new();
    for execution in 0..EXECUTIONS {
        let mut dice = Dice {
            random: Rng::new(execution),
            numbers: &numbers,
            range: 4 << (execution % 5),
        };
        let mut machine = Machine::new(program, |_, ty| match ty {
            Type::Array { .. } => Value::zero(ty),
            _ => dice.input(Input::from_u32(0), ty),
        });
        let mut new: BTreeMap<Loc, usize> = BTreeMap::new();
        for _ in 0..STEPS {
            if let Some(vars) = heads.get(&machine.loc()) {
                let states = found.entry(machine.loc()).or_default();
                let new = new.entry(machine.loc()).or_default();
                let value = |&(v, signed): &(Var, bool)| number(machine.value(v), signed);
                if states.len() < STATES
                    && *new < AT_ONCE
                    && let Some(state) = vars.iter().map(value).collect()
                {
                    *new += usize::from(states.insert(state));
                }
            }
            if machine.is_final() || machine.step(&mut dice).is_none() {
                break;
            }
        }
    }
    found
}

fn number(value: &Value, signed: bool) -> Option<i128> {
    let bv = value.as_bv()?;
    match signed {
        true => Some(crate::row::number(bv)),
        false => bv.to_u64().map(i128::from),
    }
}
