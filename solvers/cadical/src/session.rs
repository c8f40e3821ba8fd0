//! One CaDiCaL solver as a [`SatSession`].
//!
//! Interrupts and wall time go through the terminate callback, which CaDiCaL polls every ten
//! propagations or so; the conflict limit is CaDiCaL's own. The callback is connected once: its data
//! lives in a box that outlives the solver, so there is nothing to disconnect.

use crate::ffi;
use crate::options::{CONFIGURATIONS, OPTIONS, UNSET};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_int, c_void};
use std::time::{Duration, Instant};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatState, SatStats};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, SessionConfig, SolverError, StopClock,
    UnknownReason, parse_options,
};

const NAME: &str = "cadical";

const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::CONFLICT_LIMIT)
    .with(Capabilities::DETERMINISTIC);

/// Makes CaDiCaL sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cadical;

impl SatBackend for Cadical {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        Ok(Box::new(CadicalSession::new(config)?))
    }
}

/// What the terminate callback reads and writes. Only the solving thread touches it; other threads
/// reach the interrupter's own flag.
struct Control {
    clock: RefCell<Option<StopClock>>,
    stopped: Cell<Option<StopCause>>,
}

#[derive(Clone, Copy)]
enum StopCause {
    Interrupted,
    Time,
}

extern "C" fn terminate(state: *mut c_void) -> c_int {
    // SAFETY: `state` is the `Control` box of the session that is solving; it outlives the solver, and
    // all of its fields are cells that only this thread uses.
    let control = unsafe { &*state.cast::<Control>() };
    let clock = control.clock.borrow();
    let cause = match clock.as_ref().and_then(StopClock::stop_reason) {
        None => return 0,
        Some(UnknownReason::Interrupted) => StopCause::Interrupted,
        Some(_) => StopCause::Time,
    };
    control.stopped.set(Some(cause));
    1
}

/// A CaDiCaL solver.
pub struct CadicalSession {
    solver: *mut c_void,
    control: Box<Control>,
    interrupter: Interrupter,
    signature: String,
    limits: Limits,
    state: SatState,
    max_var: u32,
    solves: u64,
    clauses: u64,
    time: Duration,
}

impl CadicalSession {
    /// A new solver with the options of `config`.
    pub fn new(config: &SessionConfig) -> Result<CadicalSession, SolverError> {
        let values = parse_options(NAME, OPTIONS, config)?;
        // SAFETY: takes nothing and returns an owned solver, which `drop` releases.
        let solver = unsafe { ffi::ccadical_init() };
        // SAFETY: a static string of the library.
        let signature = unsafe { CStr::from_ptr(ffi::ccadical_signature()) };
        let session = CadicalSession {
            solver,
            control: Box::new(Control {
                clock: RefCell::new(None),
                stopped: Cell::new(None),
            }),
            interrupter: Interrupter::new(),
            signature: signature.to_string_lossy().into_owned(),
            limits: Limits::NONE,
            state: SatState::Input,
            max_var: 0,
            solves: 0,
            clauses: 0,
            time: Duration::ZERO,
        };
        session.configure(&values, config.seed)?;
        let state: *const Control = &*session.control;
        // SAFETY: the box does not move while the session lives, and `terminate` only reads through it.
        unsafe {
            ffi::ccadical_set_terminate(solver, state.cast_mut().cast(), Some(terminate));
        }
        Ok(session)
    }

    fn configure(&self, values: &[i64], seed: u64) -> Result<(), SolverError> {
        let index = OPTIONS
            .iter()
            .position(|o| o.name == "config")
            .expect("in the table");
        let name = CONFIGURATIONS[values[index] as usize];
        let c_name = CString::new(name).expect("no zero byte in the table");
        // SAFETY: a fresh solver is in its configuring state, and the name is a C string.
        if unsafe { ffi::ccadical_configure(self.solver, c_name.as_ptr()) } == 0 {
            let message = format!("CaDiCaL does not know its configuration `{name}`");
            return Err(SolverError::Backend {
                solver: NAME.into(),
                message,
            });
        }
        // CaDiCaL's seed ranges up to 2e9.
        let seed = ("seed", (seed % 2_000_000_000) as i64);
        let set = OPTIONS
            .iter()
            .zip(values)
            .filter(|(o, v)| o.name != "config" && **v != UNSET);
        for (name, value) in set.map(|(o, v)| (o.name, *v)).chain([seed]) {
            let c_name = CString::new(name).expect("no zero byte in the table");
            let c_value = value as c_int;
            // SAFETY: as above; an unknown name or a value out of range is ignored, hence the check.
            let taken = unsafe {
                ffi::ccadical_set_option(self.solver, c_name.as_ptr(), c_value);
                ffi::ccadical_get_option(self.solver, c_name.as_ptr())
            };
            if taken != c_value {
                let message = format!("CaDiCaL did not take option {name}={value}");
                return Err(SolverError::Backend {
                    solver: NAME.into(),
                    message,
                });
            }
        }
        Ok(())
    }

    #[inline]
    fn mention(&mut self, lit: Lit) -> c_int {
        self.max_var = self.max_var.max(lit.var());
        lit.to_dimacs()
    }

    /// Runs the solver; the clock is in `control`.
    fn run(&mut self) -> Result<Answer, SolverError> {
        if let Some(conflicts) = self.limits.conflicts {
            let conflicts = c_int::try_from(conflicts).unwrap_or(c_int::MAX);
            // SAFETY: a valid solver that is not solving, and a known limit. It holds for one solve.
            unsafe { ffi::ccadical_limit(self.solver, c"conflicts".as_ptr(), conflicts) };
        }
        // SAFETY: a valid solver with no open clause.
        match unsafe { ffi::ccadical_solve(self.solver) } {
            10 => Ok(Answer::Sat),
            20 => Ok(Answer::Unsat),
            0 => Ok(Answer::Unknown(match self.control.stopped.get() {
                Some(StopCause::Interrupted) => UnknownReason::Interrupted,
                Some(StopCause::Time) => UnknownReason::Time,
                None => UnknownReason::Conflicts,
            })),
            code => Err(SolverError::Backend {
                solver: NAME.into(),
                message: format!("solve returned {code}"),
            }),
        }
    }
}

impl Drop for CadicalSession {
    fn drop(&mut self) {
        // SAFETY: owned, released once; `control` is dropped after this.
        unsafe { ffi::ccadical_release(self.solver) };
    }
}

impl SatSession for CadicalSession {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn new_var(&mut self) -> Lit {
        self.state = SatState::Input;
        self.max_var += 1;
        Lit::positive(self.max_var).expect("half a billion variables do not fit into memory")
    }

    fn max_var(&self) -> u32 {
        self.max_var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        for &lit in clause {
            let lit = self.mention(lit);
            // SAFETY: a valid solver that is not solving, and a literal that is not 0 nor `i32::MIN`.
            unsafe { ffi::ccadical_add(self.solver, lit) };
        }
        // SAFETY: as above; 0 ends the clause.
        unsafe { ffi::ccadical_add(self.solver, 0) };
        self.clauses += 1;
        self.state = SatState::Input;
    }

    fn assume(&mut self, lit: Lit) {
        let lit = self.mention(lit);
        // SAFETY: as in `add_clause`.
        unsafe { ffi::ccadical_assume(self.solver, lit) };
        self.state = SatState::Input;
    }

    fn solve(&mut self) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.solves += 1;
        let clock = StopClock::start(self.interrupter.clone(), &self.limits);
        // CaDiCaL decides easy queries before its first poll, and only its own solve forgets assumptions.
        let early = clock.stop_reason();
        self.control.stopped.set(None);
        *self.control.clock.borrow_mut() = Some(clock);
        let answer = self.run();
        *self.control.clock.borrow_mut() = None;
        let answer = match early {
            Some(reason) => answer.map(|_| Answer::Unknown(reason)),
            None => answer,
        };
        self.state = answer.as_ref().map_or(SatState::Input, SatState::after);
        self.time += start.elapsed();
        answer
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>, SolverError> {
        self.state.require_sat()?;
        if lit.var() > self.max_var {
            return Ok(None);
        }
        // Asked for the variable: versions differ in the sign they return for a negative literal.
        let var = lit.var() as c_int;
        // SAFETY: in state SAT, which no call since the solve has left, and a valid literal.
        let value = unsafe { ffi::ccadical_val(self.solver, var) };
        Ok((value.abs() == var).then_some((value > 0) != lit.is_negative()))
    }

    fn failed(&self, lit: Lit) -> Result<bool, SolverError> {
        self.state.require_unsat()?;
        // SAFETY: in state UNSAT, which no call since the solve has left, and a valid literal.
        Ok(unsafe { ffi::ccadical_failed(self.solver, lit.to_dimacs()) } != 0)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn stats(&self) -> SatStats {
        SatStats {
            solves: self.solves,
            clauses: self.clauses,
            variables: self.max_var,
            time: self.time,
            ..SatStats::default()
        }
    }
}
