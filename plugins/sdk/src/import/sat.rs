//! A SAT session on the other side.

use super::session::{PluginSolver, Remote, Table, call, limit_numbers};
use std::time::Duration;
use trellis_plugin_abi::{self as abi, TrellisLiterals, TrellisSat};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatStats};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, Result, SessionConfig, SessionState, SolverError,
};

/// A session.
pub struct RemoteSat {
    remote: Remote<TrellisSat>,
    max_var: u32,
    state: SessionState,
    /// The first failure of a call that cannot report one; `solve` does.
    failed: Option<SolverError>,
}

/// Opens a session of `table`, which passed [`abi::handshake::check_sat`].
///
/// # Safety
/// The table obeys the ABI, and its functions and context outlive the session.
pub unsafe fn open(
    table: &TrellisSat,
    solver: &str,
    config: &SessionConfig,
) -> Result<Box<dyn SatSession>> {
    Ok(Box::new(RemoteSat {
        // SAFETY: the caller's promise.
        remote: unsafe { Remote::open(table, solver, config) }?,
        max_var: 0,
        state: SessionState::Input,
        failed: None,
    }))
}

impl RemoteSat {
    fn remember(&mut self, result: Result<i32>) {
        if let Err(e) = result {
            self.failed.get_or_insert(e);
        }
    }
}

impl SatSession for RemoteSat {
    fn signature(&self) -> &str {
        &self.remote.signature
    }

    fn capabilities(&self) -> Capabilities {
        Table::capabilities(&self.remote.table)
    }

    fn new_var(&mut self) -> Lit {
        self.state = SessionState::Input;
        let var = call!(self.new_var());
        if let Some(lit) = Lit::positive(var) {
            self.max_var = self.max_var.max(var);
            return lit;
        }
        // The trait has no way to fail here; `solve` reports, and until then any variable does.
        let wrong = self.remote.wrong(format!("it made variable {var}"));
        self.failed.get_or_insert(wrong);
        self.max_var = (self.max_var + 1).min(Lit::MAX_VAR);
        Lit::positive(self.max_var).expect("between 1 and the largest variable")
    }

    fn max_var(&self) -> u32 {
        self.max_var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.state = SessionState::Input;
        for lit in clause {
            self.max_var = self.max_var.max(lit.var());
        }
        // A `Lit` is a transparent non-zero `i32`.
        let literals = TrellisLiterals {
            data: clause.as_ptr().cast(),
            len: clause.len(),
        };
        let status = call!(self.add_clause(literals));
        let result = self.remote.status(status, "add_clause");
        self.remember(result);
    }

    fn assume(&mut self, lit: Lit) {
        self.state = SessionState::Input;
        self.max_var = self.max_var.max(lit.var());
        let status = call!(self.assume(lit.to_dimacs()));
        let result = self.remote.status(status, "assume");
        self.remember(result);
    }

    fn solve(&mut self) -> Result<Answer> {
        self.state = SessionState::Input;
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        self.remote.interrupter.before_query();
        let status = call!(self.solve());
        let answer = self.remote.answer(status, "solve")?;
        self.state = SessionState::after(&answer);
        Ok(answer)
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>> {
        self.state.require_sat("value")?;
        let status = call!(self.value(lit.to_dimacs()));
        Ok(match self.remote.status(status, "value")? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
    }

    fn failed(&self, lit: Lit) -> Result<bool> {
        self.state.require_unsat("failed")?;
        let status = call!(self.failed(lit.to_dimacs()));
        Ok(self.remote.status(status, "failed")? != 0)
    }

    fn phase(&mut self, lit: Lit) {
        call!(self.phase(lit.to_dimacs()));
    }

    fn set_limits(&mut self, limits: Limits) {
        let (wall, conflicts) = limit_numbers(limits);
        call!(self.set_limits(wall, conflicts));
    }

    fn interrupter(&self) -> Interrupter {
        self.remote.interrupter.local.clone()
    }

    fn stats(&self) -> SatStats {
        let mut stats = abi::TrellisSatStats {
            size: size_of::<abi::TrellisSatStats>() as u32,
            variables: 0,
            solves: 0,
            clauses: 0,
            conflicts: abi::TRELLIS_NO_LIMIT,
            decisions: abi::TRELLIS_NO_LIMIT,
            propagations: abi::TRELLIS_NO_LIMIT,
            time_ns: 0,
        };
        call!(self.stats(&mut stats));
        let told = |n: u64| (n != abi::TRELLIS_NO_LIMIT).then_some(n);
        SatStats {
            solves: stats.solves,
            clauses: stats.clauses,
            variables: stats.variables,
            conflicts: told(stats.conflicts),
            decisions: told(stats.decisions),
            propagations: told(stats.propagations),
            time: Duration::from_nanos(stats.time_ns),
        }
    }
}

/// The SAT backend of a solver plugin.
pub type PluginSat = PluginSolver<TrellisSat>;

impl SatBackend for PluginSat {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Table::capabilities(self.table)
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>> {
        // SAFETY: the promise of `new`.
        unsafe { open(self.table, &self.name, config) }
    }
}
