//! One solver behind the functions of IPASIR as a [`SatSession`]. We keep the state ourselves, because IPASIR
//! leaves misuse undefined.
//!
//! Interrupts and wall time go through the terminate callback. It is connected once: its data lives in a
//! box that outlives the solver, so there is nothing to disconnect.
//!
//! Solvers that go through all clauses at once, as CaDiCaL does when it simplifies, do not look at the callback
//! meanwhile. So large formulas are solved on a thread that can be left behind.

use crate::functions::Functions;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trellis_solver_api::sat::{Lit, SatSession};
use trellis_solver_api::{
    Answer, Capabilities, Result, SatBooks, SolverError, StopClock, UnknownReason, delegate_sat,
};
use trellis_solver_support::Aside;

/// Literals of clauses from which on a formula is large. CaDiCaL needs some 10 ms to go through as many.
const LARGE: u64 = 250_000;

/// What the terminate callback uses; only the solving thread touches it while it solves.
#[derive(Default)]
struct Control {
    clock: RefCell<Option<StopClock>>,
    stopped: RefCell<Option<UnknownReason>>,
    /// The query may have been left behind: whatever the clock says now, it has to stop.
    left: Arc<AtomicBool>,
}

extern "C" fn terminate(state: *mut c_void) -> c_int {
    // SAFETY: `state` is the `Control` box of the session that is solving; it outlives the solver, and
    // its fields are cells that only this thread uses.
    let control = unsafe { &*state.cast::<Control>() };
    let clock = control.clock.borrow();
    let left = || (control.left.load(Ordering::Relaxed)).then_some(UnknownReason::Interrupted);
    let reason = clock.as_ref().and_then(StopClock::stop_reason);
    match reason.or_else(left) {
        None => 0,
        Some(reason) => {
            *control.stopped.borrow_mut() = Some(reason);
            1
        }
    }
}

/// A query on its way to the thread that waits for it.
struct Query {
    solve: unsafe extern "C" fn(*mut c_void) -> c_int,
    solver: *mut c_void,
}
// SAFETY: IPASIR solvers belong to no thread. Nothing touches the solver or what its callback uses before the query
// has returned, also if it was left behind.
unsafe impl Send for Query {}

impl Query {
    fn ask(self) -> c_int {
        // SAFETY: a valid solver with no open clause.
        unsafe { (self.solve)(self.solver) }
    }
}

/// One solver.
pub struct IpasirSession {
    name: String,
    functions: Arc<Functions>,
    solver: *mut c_void,
    aside: Aside,
    control: Box<Control>,
    books: SatBooks,
    literals: u64,
}

impl IpasirSession {
    /// A new solver.
    pub fn new(name: &str, functions: Arc<Functions>) -> Result<IpasirSession> {
        // SAFETY: takes nothing, returns an owned solver that `drop` releases.
        let solver = unsafe { (functions.init)() };
        if solver.is_null() {
            let message = "there is no solver: init returned null".to_string();
            return Err(SolverError::Backend {
                solver: name.to_string(),
                message,
            });
        }
        let control = Box::<Control>::default();
        let state: *const Control = &*control;
        // SAFETY: the box does not move while the session lives, and the callback only reads through it.
        unsafe { (functions.set_terminate)(solver, state.cast_mut().cast(), Some(terminate)) };
        Ok(IpasirSession {
            name: name.to_string(),
            functions,
            solver,
            aside: Aside::default(),
            control,
            books: SatBooks::default(),
            literals: 0,
        })
    }

    /// The solver behind the session, for what IPASIR has no function for.
    pub fn solver(&self) -> *mut c_void {
        self.solver
    }

    /// Runs the solver.
    fn run(&mut self, clock: StopClock) -> Result<Answer> {
        self.control.left.store(false, Ordering::Relaxed);
        *self.control.stopped.borrow_mut() = None;
        *self.control.clock.borrow_mut() = Some(clock.clone());
        let mut gave_up = UnknownReason::Incomplete("the solver gave up on its own".to_string());
        if let (Some(limit), Some(conflicts)) =
            (self.functions.limit_conflicts, self.books.limits.conflicts)
        {
            let conflicts = c_int::try_from(conflicts).unwrap_or(c_int::MAX);
            // SAFETY: a valid solver that is not solving. The limit holds for one solve.
            unsafe { limit(self.solver, conflicts) };
            gave_up = UnknownReason::Conflicts;
        }
        let query = Query {
            solve: self.functions.solve,
            solver: self.solver,
        };
        let code = if self.literals < LARGE {
            Some(query.ask())
        } else {
            let left = self.control.left.clone();
            let stop = move || left.store(true, Ordering::Relaxed);
            self.aside.run(&clock, stop, move || query.ask())
        };
        let Some(code) = code else {
            return Ok(Answer::Unknown(clock.why_stopped()));
        };
        match code {
            10 => Ok(Answer::Sat),
            20 => Ok(Answer::Unsat),
            0 => Ok(Answer::Unknown(
                self.control.stopped.take().unwrap_or(gave_up),
            )),
            code => Err(SolverError::Backend {
                solver: self.name.clone(),
                message: format!("solve returned {code}"),
            }),
        }
    }
}

impl Drop for IpasirSession {
    fn drop(&mut self) {
        self.aside.settle();
        // SAFETY: owned, released once; `control` and the library are dropped after this.
        unsafe { (self.functions.release)(self.solver) };
    }
}

impl SatSession for IpasirSession {
    delegate_sat!(books: new_var max_var set_limits interrupter stats);

    fn signature(&self) -> &str {
        &self.functions.signature
    }

    fn capabilities(&self) -> Capabilities {
        self.functions.capabilities
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.aside.settle();
        self.books.add_clause(clause);
        for &lit in clause {
            // SAFETY: a valid solver that is not solving, and a literal that is not 0 nor `i32::MIN`.
            unsafe { (self.functions.add)(self.solver, lit.to_dimacs()) };
        }
        // SAFETY: as above; 0 ends the clause.
        unsafe { (self.functions.add)(self.solver, 0) };
        self.literals += clause.len() as u64;
    }

    fn assume(&mut self, lit: Lit) {
        self.aside.settle();
        self.books.assume(lit);
        // SAFETY: as in `add_clause`.
        unsafe { (self.functions.assume)(self.solver, lit.to_dimacs()) };
    }

    fn solve(&mut self) -> Result<Answer> {
        let query = self.books.begin();
        // Solved even when it is to stop at once: only the solver can forget its assumptions, and it may decide an
        // easy query before its first poll.
        let early = query.clock.stop_reason();
        self.aside.settle();
        let answer = self.run(query.clock.clone());
        let answer = match early {
            Some(reason) => answer.map(|_| Answer::Unknown(reason)),
            None => answer,
        };
        self.books.end(&query, &answer);
        answer
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>> {
        self.books.state.require_sat("value")?;
        if lit.var() > self.books.max_var() {
            return Ok(None);
        }
        // Asked for the variable: libraries differ in the sign they return for a negative literal.
        let var = lit.var() as c_int;
        // SAFETY: in state SAT, which no call since the solve has left, and a valid literal.
        let value = unsafe { (self.functions.val)(self.solver, var) };
        Ok((value != 0).then_some((value > 0) != lit.is_negative()))
    }

    fn failed(&self, lit: Lit) -> Result<bool> {
        self.books.state.require_unsat("failed")?;
        if lit.var() > self.books.max_var() {
            return Ok(false);
        }
        // SAFETY: in state UNSAT, which no call since the solve has left, and a valid literal.
        Ok(unsafe { (self.functions.failed)(self.solver, lit.to_dimacs()) } != 0)
    }
}
