//! Interpolants from models and cores: as long as the past has a model that no cube covers, take its values of
//! the common variables, bit by bit; a core of them against the future is the next cube. The disjunction of
//! the cubes is implied by the past, and each refutes the future.

use crate::interpolator::{Helper, gave_up};
use trellis_ivl::{Term, TermPool, Type, Value, Var};
use trellis_solver_api::{SolverError, StopClock, UnknownReason, shorten};

/// Cubes before it gives up: a disjunction of more is of no use to anybody.
const MAX_CUBES: usize = 2_000;
/// Literals that are tried one by one when a core is made smaller.
const MAX_TRIALS: usize = 40;

pub(crate) struct Cubes<'a> {
    /// Has all that is so far asserted.
    pub past: Helper,
    /// Has all that is to come asserted.
    pub future: Helper,
    pub clock: &'a StopClock,
}

impl Cubes<'_> {
    pub fn interpolant(mut self, pool: &mut TermPool, common: &[Var]) -> Result<Term, SolverError> {
        let mut cubes = Vec::new();
        while self.past.satisfiable(pool, &[], self.clock)? {
            if cubes.len() == MAX_CUBES {
                let why = format!("more than {MAX_CUBES} cubes of bits");
                return Err(gave_up(UnknownReason::Incomplete(why)));
            }
            let literals = self.literals(pool, common)?;
            let core = self.blocking_core(pool, literals)?;
            let cube = pool.and_all(core);
            let blocked = pool.not(cube);
            self.past.assert(pool, blocked)?;
            cubes.push(cube);
        }
        Ok(pool.or_all(cubes))
    }

    /// The values of the common variables in the model of the past: bits, and for arrays the elements the model
    /// mentions and, last, the whole array.
    fn literals(&mut self, pool: &mut TermPool, common: &[Var]) -> Result<Vec<Term>, SolverError> {
        let (mut literals, mut arrays) = (Vec::new(), Vec::new());
        for &v in common {
            let t = pool.var(v);
            match self.past.session().value(pool, t)? {
                Value::Bool(true) => literals.push(t),
                Value::Bool(false) => literals.push(pool.not(t)),
                Value::Bv(value) => {
                    let Type::Bv(width) = pool.ty(t) else {
                        unreachable!("a value has the type of its term");
                    };
                    for i in (0..width).rev() {
                        let bit = pool.extract(i, i, t);
                        let bit = pool.bv_to_bool(bit);
                        literals.push(if value.bit(i) { bit } else { pool.not(bit) });
                    }
                }
                Value::Array(value) => {
                    for (i, e) in value.entries() {
                        let (i, e) = (pool.bv(i.clone()), pool.bv(e.clone()));
                        let element = pool.select(t, i);
                        literals.push(pool.eq(element, e));
                    }
                    let value = pool.value(&Value::Array(value));
                    arrays.push(pool.eq(t, value));
                }
            }
        }
        literals.extend(arrays);
        Ok(literals)
    }

    /// Few of the literals that refute the future.
    fn blocking_core(
        &mut self,
        pool: &TermPool,
        literals: Vec<Term>,
    ) -> Result<Vec<Term>, SolverError> {
        if self.future.satisfiable(pool, &literals, self.clock)? {
            return Err(SolverError::Backend {
                solver: self.future.session().signature().into(),
                message: "a model of the past was one of the future, after both were refuted"
                    .into(),
            });
        }
        let core = self.future.session().unsat_core()?;
        // The last literals first: low bits and whole arrays say least.
        shorten(core, MAX_TRIALS, |fewer| {
            if self.future.satisfiable(pool, fewer, self.clock)? {
                return Ok(None);
            }
            Ok(Some(self.future.session().unsat_core()?))
        })
    }
}
