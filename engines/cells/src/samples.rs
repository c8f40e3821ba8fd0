//! States that executions come to, and the candidates that do not hold there.
//!
//! Most candidates are wrong, and a state shows that at a fraction of what a query costs. So the interpreter runs the program
//! for a while before any solver is asked: limited in steps, so that what is dropped depends on the program alone.

use crate::rows::{Row, Rows};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_engine_common::{Cfa, go_on};
use trellis_ivl::rng::Rng;
use trellis_ivl::{
    ArrayValue, Bv, Evaluator, Input, Loc, Machine, Oracle, Program, Term, Type, Value, Var,
};
use trellis_plugin_sdk::{EngineError, Host};

/// Executions at most.
const EXECUTIONS: usize = 60;
/// Steps of one execution at most.
const STEPS: usize = 400;
/// States of one head that are looked at, in one execution and in all.
const STATES: (usize, usize) = (6, 60);
/// Values of a ghost in one state at most.
const VALUES: usize = 10;
/// Cells of an input that are chosen one by one.
const CELLS: u64 = 6;

/// What is left open: small numbers mostly, and now and then the same again.
struct Guess {
    rng: Rng,
    /// How often, of a hundred times, a number is zero: loops that go on while an input says so are long in some executions and short in
    /// others.
    zeros: usize,
}

impl Guess {
    fn word(&mut self, width: u32) -> Bv {
        let mask = if width < 64 {
            (1 << width) - 1
        } else {
            u64::MAX
        };
        let n = match self.rng.below(8) {
            _ if self.rng.chance(self.zeros) => 0,
            0..=5 => self.rng.below(8) as u64,
            6 => (self.rng.below(4) as u64).wrapping_neg(),
            _ => self.rng.bits(),
        };
        Bv::new(width, n & mask)
    }
}

impl Oracle for Guess {
    fn pick(&mut self, of: usize) -> usize {
        self.rng.below(of)
    }

    fn input(&mut self, _: Input, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.rng.bit()),
            Type::Bv(width) => Value::Bv(self.word(width)),
            Type::Array { index, elem } => {
                let mut array = ArrayValue::constant(index, self.word(elem));
                for i in 0..CELLS.min(1 << index.min(32)) {
                    array = array.store(Bv::new(index, i), self.word(elem));
                }
                Value::Array(array)
            }
        }
    }
}

struct Samples<'a> {
    program: &'a Program,
    ghosts: Vec<Var>,
    values: &'a BTreeMap<u32, Vec<Term>>,
    evaluator: Evaluator,
}

impl Samples<'_> {
    /// Values of the ghost of a width that are worth trying in a state.
    fn of_ghost(&mut self, machine: &mut Machine<'_>, width: u32) -> Vec<Bv> {
        let (zero, one) = (Bv::zero(width), Bv::one(width));
        let mut found = vec![zero, one.clone()];
        for &t in self.values.get(&width).into_iter().flatten() {
            if found.len() >= VALUES {
                break;
            }
            if let Value::Bv(here) = machine.eval(t) {
                for near in [here.sub(&one), here.clone(), here.add(&one)] {
                    if !found.contains(&near) {
                        found.push(near);
                    }
                }
            }
        }
        found
    }

    /// Marks the rows that do not hold in the state of the machine.
    fn try_rows(
        &mut self,
        machine: &mut Machine<'_>,
        rows: &mut [Row],
        host: &dyn Host,
    ) -> Result<(), EngineError> {
        let pool = &self.program.pool;
        let lists: Vec<(Var, Vec<Bv>)> = self
            .ghosts
            .clone()
            .into_iter()
            .map(|g| {
                (
                    g,
                    self.of_ghost(machine, pool.var_ty(g).width().unwrap_or(1)),
                )
            })
            .collect();
        let rounds = lists.iter().map(|(_, l)| l.len()).max().unwrap_or(1);
        for round in 0..rounds {
            go_on(host)?;
            let chosen: FxHashMap<Var, Value> = lists
                .iter()
                .map(|(g, l)| (*g, Value::Bv(l[round % l.len()].clone())))
                .collect();
            self.evaluator.new_round();
            let evaluator = &mut self.evaluator;
            let value = |v: Var| match chosen.get(&v) {
                Some(value) => value.clone(),
                None => machine.value(v).clone(),
            };
            for row in rows.iter_mut().filter(|r| r.stands) {
                row.stands = evaluator.eval(pool, row.fact, value) == Value::Bool(true);
            }
        }
        Ok(())
    }
}

/// Marks the candidates of `rows` that do not hold in some state which an execution comes to.
///
/// # Errors
/// When it is time to stop.
pub fn refute(cfa: &Cfa, rows: &mut Rows, host: &dyn Host) -> Result<(), EngineError> {
    let mut samples = Samples {
        program: &cfa.program,
        ghosts: rows.ghosts(),
        values: &rows.values,
        evaluator: Evaluator::new(),
    };
    let mut seen: BTreeMap<Loc, usize> = BTreeMap::new();
    for n in 0..EXECUTIONS {
        let mut guess = Guess {
            rng: Rng::new(n as u64),
            zeros: 10 * (n % 9),
        };
        let mut new: BTreeMap<Loc, usize> = BTreeMap::new();
        let any = Input::from_u32(0);
        let mut machine = Machine::new(&cfa.program, |_, ty| guess.input(any, ty));
        for _ in 0..STEPS {
            go_on(host)?;
            let at = machine.loc();
            if let Some(rows) = rows.by_head.get_mut(&at) {
                let (own, all) = (new.entry(at).or_default(), seen.entry(at).or_default());
                if *own < STATES.0 && *all < STATES.1 {
                    (*own, *all) = (*own + 1, *all + 1);
                    samples.try_rows(&mut machine, rows, host)?;
                }
            }
            if machine.is_final() || machine.step(&mut guess).is_none() {
                break;
            }
        }
    }
    Ok(())
}
