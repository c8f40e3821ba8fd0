//! A backend with interpolation added. A session that interpolates by itself (Yices, where its option says so)
//! goes on doing that.

use crate::interpolator::Interpolator;
use std::sync::Arc;
use trellis_ivl::{Term, TermPool};
use trellis_solver_api::smt::{SmtBackend, SmtSession, require_formula};
use trellis_solver_api::{Capabilities, Limits, OptionSpec, Result, SessionConfig};

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
        self.0.options()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let inner = self.0.session(config)?;
        Ok(Box::new(InterpolatingSession {
            by_itself: inner.capabilities().contains(Capabilities::INTERPOLATION),
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
        self.interpolator
            .sequence(pool, parts, interrupter, &self.limits)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.inner.set_limits(limits);
    }
}
