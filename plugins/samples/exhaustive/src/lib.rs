//! A sample solver backend: tries every assignment. A third party's backend is a crate like this one, and
//! any pipeline may name it (`solver = "exhaustive"`).
//!
//! The whole backend is this file. It is complete for formulas whose variables have few bits together and says
//! unknown to all others, which is what an incomplete backend does.
//!
//! Deliberately absent: arrays, and any idea better than enumeration.

use std::collections::BTreeMap;
use trellis_plugin_sdk::ivl::eval::Evaluator;
use trellis_plugin_sdk::ivl::{Bv, Term, TermPool, Type, Value, Var};
use trellis_plugin_sdk::solver::smt::{SmtBackend, SmtSession, require_levels};
use trellis_plugin_sdk::solver::{
    Answer, Capabilities, OptionSpec, Result, SessionConfig, SessionState, SmtBooks, StopClock,
    UnknownReason, delegate_smt, describe, parse_options,
};
use trellis_plugin_sdk::{Info, export_solver, info};

const NAME: &str = "exhaustive";

const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::PUSH_POP)
    .with(Capabilities::MODELS)
    .with(Capabilities::DETERMINISTIC);

const INFO: Info = info!(NAME => "tries every assignment of few bits");

export_solver!(INFO, smt: Exhaustive, CAPABILITIES, OPTIONS);

const OPTIONS: &[OptionSpec] = &[OptionSpec::integer(
    "bits",
    "20",
    0,
    40,
    "how many bits the variables of a query may have together",
)];

/// The backend.
#[derive(Default)]
pub struct Exhaustive;

impl SmtBackend for Exhaustive {
    describe!(NAME, CAPABILITIES, OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let options = parse_options(NAME, OPTIONS, config)?;
        Ok(Box::new(Session {
            bits: options[0].unwrap_or(0) as u32,
            levels: vec![Vec::new()],
            model: BTreeMap::new(),
            core: Vec::new(),
            books: SmtBooks::default(),
        }))
    }
}

struct Session {
    bits: u32,
    levels: Vec<Vec<Term>>,
    model: BTreeMap<Var, Value>,
    core: Vec<Term>,
    books: SmtBooks,
}

impl Session {
    fn search(&mut self, pool: &TermPool, assumptions: &[Term], clock: &StopClock) -> Answer {
        let mut formulas: Vec<Term> = self.levels.concat();
        formulas.extend(assumptions);
        let vars: Vec<(Var, u32)> = pool
            .free_vars(formulas.iter().copied())
            .into_iter()
            .map(|v| (v, bits(pool.var_data(v).ty)))
            .collect();
        let total = vars
            .iter()
            .fold(0u32, |n, (_, bits)| n.saturating_add(*bits));
        if total > self.bits {
            let why = format!("{total} bits are more than {} to try", self.bits);
            return Answer::Unknown(UnknownReason::Incomplete(why));
        }
        let mut evaluator = Evaluator::new();
        for n in 0..1u64 << total {
            if n % 256 == 0
                && let Some(reason) = clock.stop_reason()
            {
                return Answer::Unknown(reason);
            }
            self.model = assignment(pool, &vars, n);
            let model = &self.model;
            evaluator.new_round();
            let holds =
                |&f: &Term| evaluator.eval(pool, f, |v| model[&v].clone()) == Value::Bool(true);
            if formulas.iter().all(holds) {
                return Answer::Sat;
            }
        }
        Answer::Unsat
    }
}

/// The bits of a variable; an array has more than anybody would try.
fn bits(ty: Type) -> u32 {
    match ty {
        Type::Bool => 1,
        Type::Bv(width) => width,
        Type::Array { .. } => u32::MAX,
    }
}

/// The bits of `n` dealt out to the variables.
fn assignment(pool: &TermPool, vars: &[(Var, u32)], mut n: u64) -> BTreeMap<Var, Value> {
    let mut deal = |&(v, bits): &(Var, u32)| {
        let own = n & ((1 << bits) - 1);
        n >>= bits;
        let value = match pool.var_data(v).ty {
            Type::Bool => Value::Bool(own == 1),
            _ => Bv::new(bits, own).into(),
        };
        (v, value)
    };
    vars.iter().map(&mut deal).collect()
}

impl SmtSession for Session {
    delegate_smt!(books: set_kind set_limits interrupter stats);

    fn signature(&self) -> &str {
        concat!("exhaustive ", env!("CARGO_PKG_VERSION"))
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn assert(&mut self, _: &TermPool, t: Term) -> Result<()> {
        self.books.state = SessionState::Input;
        self.levels.last_mut().expect("level 0 stays").push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.books.state = SessionState::Input;
        self.levels.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        require_levels(self.level(), levels)?;
        self.books.state = SessionState::Input;
        self.levels.truncate(self.levels.len() - levels);
        Ok(())
    }

    fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let query = self.books.begin();
        let answer = self.search(pool, assumptions, &query.clock);
        self.books.end(&query, &answer);
        self.core = Vec::new();
        for &t in assumptions {
            if !self.core.contains(&t) {
                self.core.push(t);
            }
        }
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.books.state.require_sat("value")?;
        Ok(pool.eval(t, |v| match self.model.get(&v) {
            Some(value) => value.clone(),
            None => Value::zero(pool.var_data(v).ty),
        }))
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.books.state.require_unsat("unsat_core")?;
        Ok(self.core.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_there_is_and_says_when_it_is_too_much() {
        let mut session = Exhaustive
            .session(&SessionConfig::default())
            .expect("no options");
        let mut pool = TermPool::new();
        let (x, y) = (pool.fresh("x", Type::Bv(8)), pool.fresh("y", Type::Bv(16)));
        let (x, y) = (pool.var(x), pool.var(y));
        let (seven, square) = (pool.num(8, 49), pool.bvmul(x, x));
        let is = pool.eq(square, seven);
        session.assert(&pool, is).expect("any formula");
        assert_eq!(session.check(&pool, &[]), Ok(Answer::Sat));
        let found = session.value(&pool, square).expect("a model");
        assert_eq!(found, Bv::new(8, 49).into());
        let odd = pool.extract(0, 0, x);
        let zero = pool.num(1, 0);
        let even = pool.eq(odd, zero);
        assert_eq!(session.check(&pool, &[even, even]), Ok(Answer::Unsat));
        assert_eq!(session.unsat_core(), Ok(vec![even]));
        let large = pool.num(16, 3);
        let large = pool.bvult(y, large);
        let answer = session.check(&pool, &[large]);
        let why = UnknownReason::Incomplete("24 bits are more than 20 to try".into());
        assert_eq!(answer, Ok(Answer::Unknown(why)));
    }
}
