//! A backend with interpolation added. A session that interpolates by itself (Yices, where its option says so)
//! goes on doing that.
//!
//! How the others do is an option of ours besides those of the backend: from cores, or from proofs.

use crate::interpolator::Interpolator;
use crate::proof::{self, Found, System};
use std::sync::Arc;
use trellis_ivl::{Term, TermPool};
use trellis_solver_api::smt::{SmtBackend, SmtSession, require_formula};
use trellis_solver_api::{
    Capabilities, Limits, OptionSpec, Result, SessionConfig, StopClock, parse_options,
};

const NAME: &str = "interpolation";

/// What is ours besides the options of the backend.
pub const OPTIONS: &[OptionSpec] = &[OptionSpec::integer(
    "interpolants",
    "0",
    0,
    2,
    "0 from unsat cores, 1 from proofs of the SAT solver by McMillan's system, 2 the same by Pudlak's; from cores where there are arrays",
)];

/// A backend whose sessions interpolate by unsat cores.
#[derive(Clone)]
pub struct Interpolating(Arc<dyn SmtBackend>);

impl Interpolating {
    /// Adds interpolation to a backend, which needs models and unsat cores.
    pub fn new(backend: Box<dyn SmtBackend>) -> Interpolating {
        Interpolating(backend.into())
    }
}

impl SmtBackend for Interpolating {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn capabilities(&self) -> Capabilities {
        with_interpolation(self.0.capabilities())
    }

    fn options(&self) -> Vec<OptionSpec> {
        [&self.0.options()[..], OPTIONS].concat()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let (mut own, mut others) = (SessionConfig::default(), config.clone());
        others.options.retain(|name, value| {
            let is_own = OPTIONS.iter().any(|o| o.name == *name);
            if is_own {
                own.options.insert(name.clone(), value.clone());
            }
            !is_own
        });
        let config = &others;
        let values = parse_options(NAME, OPTIONS, &own)?;
        let by_proofs = match values[0] {
            Some(1) => Some(System::McMillan),
            Some(2) => Some(System::Pudlak),
            _ => None,
        };
        let inner = self.0.session(config)?;
        Ok(Box::new(InterpolatingSession {
            by_itself: inner.capabilities().contains(Capabilities::INTERPOLATION),
            by_proofs,
            inner,
            interpolator: Interpolator::new(self.0.clone(), config.clone()),
            limits: Limits::NONE,
        }))
    }
}

fn with_interpolation(inner: Capabilities) -> Capabilities {
    if inner.contains(Capabilities::MODELS | Capabilities::UNSAT_CORE) {
        inner | Capabilities::INTERPOLATION
    } else {
        inner
    }
}

struct InterpolatingSession {
    inner: Box<dyn SmtSession>,
    by_itself: bool,
    by_proofs: Option<System>,
    interpolator: Interpolator,
    limits: Limits,
}

impl SmtSession for InterpolatingSession {
    trellis_solver_api::delegate_smt!(inner: signature assert push pop level check value unsat_core generalize set_kind interrupter stats);

    fn capabilities(&self) -> Capabilities {
        with_interpolation(self.inner.capabilities())
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        if self.by_itself {
            return self.inner.interpolate(pool, a, b);
        }
        let sequence = self.interpolate_sequence(pool, &[a, b])?;
        Ok(sequence.map(|sequence| sequence[1]))
    }

    fn interpolate_sequence(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
    ) -> Result<Option<Vec<Term>>> {
        if self.by_itself {
            return self.inner.interpolate_sequence(pool, parts);
        }
        if !self.capabilities().contains(Capabilities::INTERPOLATION) {
            return Err(self.missing(Capabilities::INTERPOLATION, "interpolate"));
        }
        for &t in parts {
            require_formula(pool, t, "interpolate")?;
        }
        // The state after an interpolation is INPUT.
        self.inner.push()?;
        self.inner.pop(1)?;
        let interrupter = self.inner.interrupter();
        if let Some(system) = self.by_proofs {
            let clock = StopClock::start(interrupter.clone(), &self.limits);
            match proof::sequence(pool, parts, system, &clock)? {
                Found::Sequence(sequence) => return Ok(Some(sequence)),
                Found::Model => return Ok(None),
                Found::Nothing => {}
            }
        }
        self.interpolator
            .sequence(pool, parts, interrupter, &self.limits)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.inner.set_limits(limits);
    }
}
