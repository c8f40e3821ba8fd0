//! A host within the process: the services of an engine over any backends, for tests, for
//! debugging an engine without a border, and inside the worker process.

use crate::engine::{Host, Level};
use crate::verdict::{Lemma, LemmaKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trellis_ivl::TermPool;
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{SessionConfig, SolverError};

/// A host that offers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

/// The host.
#[derive(Default)]
pub struct LocalHost {
    smt: Option<(Box<dyn SmtBackend>, SessionConfig)>,
    sat: Option<(Box<dyn SatBackend>, SessionConfig)>,
    cancelled: Arc<AtomicBool>,
    /// Messages so far.
    pub messages: Vec<(Level, String)>,
    /// The last progress told.
    pub progress: Option<(String, u64)>,
    /// What the engine has published; terms of the pool it published them from.
    pub published: Vec<Lemma>,
    proved: Vec<Lemma>,
}

impl LocalHost {
    /// A host without solvers.
    pub fn without_solver() -> LocalHost {
        LocalHost::default()
    }

    /// A host that lends sessions of `backend`.
    pub fn new(backend: impl SmtBackend + 'static) -> LocalHost {
        LocalHost::default().with_smt(Box::new(backend), SessionConfig::default())
    }

    /// Lends SMT sessions of `backend`.
    #[must_use]
    pub fn with_smt(mut self, backend: Box<dyn SmtBackend>, config: SessionConfig) -> LocalHost {
        self.smt = Some((backend, config));
        self
    }

    /// Lends SAT sessions of `backend`.
    #[must_use]
    pub fn with_sat(mut self, backend: Box<dyn SatBackend>, config: SessionConfig) -> LocalHost {
        self.sat = Some((backend, config));
        self
    }

    /// Facts that the engine may rely on; terms of the task's pool.
    #[must_use]
    pub fn with_proved(mut self, lemmas: impl IntoIterator<Item = Lemma>) -> LocalHost {
        let proved = lemmas.into_iter().map(|lemma| Lemma {
            kind: LemmaKind::Proved,
            ..lemma
        });
        self.proved.extend(proved);
        self
    }

    /// A flag that stops the engine when it is set.
    pub fn canceller(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }
}

/// The error for a solver that the host does not have.
pub fn no_solver(kind: &str) -> SolverError {
    SolverError::Unavailable {
        solver: kind.into(),
        reason: "this host lends no sessions of that kind".into(),
    }
}

impl Host for LocalHost {
    fn smt_session(&mut self) -> Result<Box<dyn SmtSession>, SolverError> {
        let (backend, config) = self.smt.as_ref().ok_or_else(|| no_solver("smt"))?;
        backend.session(config)
    }

    fn sat_session(&mut self) -> Result<Box<dyn SatSession>, SolverError> {
        let (backend, config) = self.sat.as_ref().ok_or_else(|| no_solver("sat"))?;
        backend.session(config)
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn log(&mut self, level: Level, message: &str) {
        self.messages.push((level, message.to_string()));
    }

    fn progress(&mut self, stage: &str, at: u64) {
        self.progress = Some((stage.to_string(), at));
    }

    fn publish(&mut self, _: &TermPool, lemmas: &[Lemma]) {
        self.published.extend_from_slice(lemmas);
    }

    fn new_lemmas(&mut self, _: &mut TermPool) -> Vec<Lemma> {
        std::mem::take(&mut self.proved)
    }
}
