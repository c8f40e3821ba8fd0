//! A SAT session on the other side.

use super::error::{RemoteInterrupter, answer};
use super::session::{Opener, call, failed};
use super::smt::limit_numbers;
use std::ffi::c_void;
use std::time::Duration;
use trellis_plugin_abi::{self as abi, TrellisLiterals, TrellisSat};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatState, SatStats};
use trellis_solver_api::{Answer, Capabilities, Interrupter, Limits, SessionConfig, SolverError};

/// A session.
pub struct RemoteSat {
    table: TrellisSat,
    session: *mut c_void,
    signature: String,
    max_var: u32,
    state: SatState,
    interrupter: RemoteInterrupter,
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
) -> Result<Box<dyn SatSession>, SolverError> {
    let opener = Opener {
        context: table.context,
        open: table.open,
        signature: table.signature,
        interrupt: table.interrupt,
    };
    // SAFETY: the caller's promise.
    let (session, signature, interrupter) = unsafe { opener.open(solver, config) }?;
    Ok(Box::new(RemoteSat {
        table: *table,
        session,
        signature,
        max_var: 0,
        state: SatState::Input,
        interrupter,
        failed: None,
    }))
}

impl RemoteSat {
    #[inline]
    fn status(&self, status: i32, call: &'static str) -> Result<i32, SolverError> {
        if status >= 0 {
            return Ok(status);
        }
        let told = |error: &mut _| call!(self.last_error(error));
        Err(failed(&self.signature, call, status, told))
    }

    fn remember(&mut self, result: Result<i32, SolverError>) {
        if let Err(e) = result {
            self.failed.get_or_insert(e);
        }
    }
}

impl Drop for RemoteSat {
    fn drop(&mut self) {
        self.interrupter.close();
        call!(self.close());
    }
}

impl SatSession for RemoteSat {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(self.table.capabilities)
    }

    fn new_var(&mut self) -> Lit {
        self.state = SatState::Input;
        let var = call!(self.new_var());
        if let Some(lit) = Lit::positive(var) {
            self.max_var = self.max_var.max(var);
            return lit;
        }
        // The trait has no way to fail here; `solve` reports, and until then any variable does.
        let message = format!("it made variable {var}");
        self.failed.get_or_insert(SolverError::Backend {
            solver: self.signature.clone(),
            message,
        });
        self.max_var = (self.max_var + 1).min(Lit::MAX_VAR);
        Lit::positive(self.max_var).expect("between 1 and the largest variable")
    }

    fn max_var(&self) -> u32 {
        self.max_var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.state = SatState::Input;
        for lit in clause {
            self.max_var = self.max_var.max(lit.var());
        }
        // A `Lit` is a transparent non-zero `i32`.
        let literals = TrellisLiterals {
            data: clause.as_ptr().cast(),
            len: clause.len(),
        };
        let status = call!(self.add_clause(literals));
        let result = self.status(status, "add_clause");
        self.remember(result);
    }

    fn assume(&mut self, lit: Lit) {
        self.state = SatState::Input;
        self.max_var = self.max_var.max(lit.var());
        let status = call!(self.assume(lit.to_dimacs()));
        let result = self.status(status, "assume");
        self.remember(result);
    }

    fn solve(&mut self) -> Result<Answer, SolverError> {
        self.state = SatState::Input;
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        self.interrupter.before_query();
        let number = call!(self.solve());
        let number = self.status(number, "solve")?;
        let words = || "the solver gave no reason".to_string();
        let Some(answer) = answer(number, words) else {
            return Err(SolverError::Backend {
                solver: self.signature.clone(),
                message: format!("it answered {number}, which is no answer"),
            });
        };
        if number == abi::TRELLIS_ANSWER_INTERRUPTED {
            self.interrupter.after_interrupt();
        }
        self.state = SatState::after(&answer);
        Ok(answer)
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>, SolverError> {
        self.state.require_sat()?;
        let status = call!(self.value(lit.to_dimacs()));
        Ok(match self.status(status, "value")? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
    }

    fn failed(&self, lit: Lit) -> Result<bool, SolverError> {
        self.state.require_unsat()?;
        let status = call!(self.failed(lit.to_dimacs()));
        Ok(self.status(status, "failed")? != 0)
    }

    fn phase(&mut self, lit: Lit) {
        call!(self.phase(lit.to_dimacs()));
    }

    fn set_limits(&mut self, limits: Limits) {
        let (wall, conflicts) = limit_numbers(limits);
        call!(self.set_limits(wall, conflicts));
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.local.clone()
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
pub struct PluginSat {
    name: String,
    table: &'static TrellisSat,
}

impl PluginSat {
    /// The backend of a table that passed the handshake.
    ///
    /// # Safety
    /// The table obeys the ABI and stays for ever.
    pub unsafe fn new(name: &str, table: &'static TrellisSat) -> PluginSat {
        PluginSat {
            name: name.to_string(),
            table,
        }
    }
}

// SAFETY: the table is constant, and `open` may be called on any thread.
unsafe impl Send for PluginSat {}

impl SatBackend for PluginSat {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(self.table.capabilities)
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        // SAFETY: the promise of `new`.
        unsafe { open(self.table, &self.name, config) }
    }
}
