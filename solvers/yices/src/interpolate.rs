//! Interpolants of two formulas by MCSAT, the model-constructing solver of Yices (Graham-Lengrand, Jovanović,
//! Dutertre: "Solving bitvectors with MCSAT: explanations from bits and pieces", IJCAR 2020).
//!
//! Two contexts of their own, one per formula: Yices searches a model of the first that extends to one of the
//! second and learns an interpolant from each that does not. The contexts must be made without a logic:
//! with the default configuration of one they refuse.
//!
//! MCSAT is another solver than that of `check`, so that one confirms every answer here: an interpolant by its
//! two implications, a satisfiable pair by a check of both. It has no arrays, and on products, shifts and
//! divisions it may go on for very long, so limits and interrupts hold. For that, sessions only have this
//! where the option `interpolate` asks for it; else interpolants come from unsat cores, as over every backend.

use crate::export::Export;
use crate::ffi::{
    Functions, InterpolationContext, Pointer, STATUS_INTERRUPTED, STATUS_SAT, STATUS_UNKNOWN,
    STATUS_UNSAT, YTerm,
};
use crate::session::{Stoppable, YicesSolver};
use crate::translate::last_error;
use trellis_ivl::{Term, TermPool, Var};
use trellis_solver_api::{Answer, Capabilities, SolverError, StopClock, UnknownReason};
use trellis_solver_support::{Watchdog, on_deep_stack};

/// A context that lives as long as one query.
struct Context<'a> {
    functions: &'a Functions,
    raw: Pointer,
}

impl<'a> Context<'a> {
    /// A context for MCSAT or else for bit-blasting, in which `formulas` are asserted.
    fn new(
        functions: &'a Functions,
        mcsat: bool,
        formulas: &[YTerm],
    ) -> Result<Context<'a>, String> {
        let set = functions.set_config;
        // SAFETY: a configuration is made, used and freed; strings are C strings that outlive the calls.
        let raw = unsafe {
            let config = (functions.new_config)();
            if mcsat {
                set(config, c"solver-type".as_ptr(), c"mcsat".as_ptr());
                set(config, c"model-interpolation".as_ptr(), c"true".as_ptr());
            } else {
                (functions.default_config_for_logic)(config, c"QF_BV".as_ptr());
            }
            let raw = (functions.new_context)(config);
            (functions.free_config)(config);
            raw
        };
        if raw.is_null() {
            return Err(format!("no context: {}", last_error(functions)));
        }
        let context = Context { functions, raw };
        for &formula in formulas {
            // SAFETY: a valid context that is not searching, and a term of this library.
            if unsafe { (functions.assert_formula)(raw, formula) } < 0 {
                return Err(format!("assert: {}", last_error(functions)));
            }
        }
        Ok(context)
    }

    /// Whether an assertion was false by itself.
    fn is_refuted(&self) -> bool {
        // SAFETY: a valid context.
        unsafe { (self.functions.context_status)(self.raw) == STATUS_UNSAT }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, freed once; no query is running.
        unsafe { (self.functions.free_context)(self.raw) };
    }
}

/// Runs `query` with a watchdog that stops the searches of `contexts`.
fn watched<R>(contexts: &[&Context<'_>], clock: &StopClock, query: impl FnOnce() -> R) -> R {
    let stoppable = |c: &&Context<'_>| Stoppable::new(c.functions, c.raw);
    let stoppable: Vec<Stoppable> = contexts.iter().map(stoppable).collect();
    let mut watchdog = Watchdog::new(move || stoppable.iter().for_each(Stoppable::stop));
    watchdog.watch(clock, query)
}

fn answer(f: &Functions, status: i32, clock: &StopClock) -> Result<Answer, String> {
    match status {
        STATUS_SAT => Ok(Answer::Sat),
        STATUS_UNSAT => Ok(Answer::Unsat),
        STATUS_UNKNOWN => Ok(Answer::Unknown(UnknownReason::Incomplete(
            "Yices answered unknown".to_string(),
        ))),
        STATUS_INTERRUPTED => Ok(Answer::Unknown(clock.why_stopped())),
        _ => Err(format!("check: {}", last_error(f))),
    }
}

/// What MCSAT says of a pair, and the interpolant if it is unsatisfiable.
fn by_mcsat(
    f: &Functions,
    a: YTerm,
    b: YTerm,
    clock: &StopClock,
) -> Result<(Answer, YTerm), String> {
    let context_a = Context::new(f, true, &[a])?;
    let context_b = Context::new(f, true, &[b])?;
    // SAFETY: both take nothing.
    let (tru, fls) = unsafe { ((f.r#true)(), (f.r#false)()) };
    if context_a.is_refuted() {
        return Ok((Answer::Unsat, fls));
    }
    if context_b.is_refuted() {
        return Ok((Answer::Unsat, tru));
    }
    let mut pair = InterpolationContext {
        a: context_a.raw,
        b: context_b.raw,
        interpolant: tru,
        model: std::ptr::null_mut(),
    };
    let status = watched(&[&context_a, &context_b], clock, || {
        // SAFETY: two valid contexts that are not searching, default parameters, and no model asked for.
        unsafe { (f.check_context_with_interpolation)(&mut pair, std::ptr::null_mut(), 0) }
    });
    Ok((answer(f, status, clock)?, pair.interpolant))
}

/// What the solver of `check` says of formulas together.
fn by_blasting(f: &Functions, formulas: &[YTerm], clock: &StopClock) -> Result<Answer, String> {
    let context = Context::new(f, false, formulas)?;
    if context.is_refuted() {
        return Ok(Answer::Unsat);
    }
    let status = watched(&[&context], clock, || {
        // SAFETY: a valid context that is not searching, and default parameters.
        unsafe { (f.check_context)(context.raw, std::ptr::null_mut()) }
    });
    answer(f, status, clock)
}

/// The answers of both solvers, or why there is none: the interpolant, if the pair is unsatisfiable.
fn confirmed(
    f: &Functions,
    a: YTerm,
    b: YTerm,
    clock: &StopClock,
) -> Result<Result<Option<YTerm>, UnknownReason>, String> {
    let (found, interpolant) = by_mcsat(f, a, b, clock)?;
    // SAFETY: a term of this library.
    let negated = unsafe { (f.not)(interpolant) };
    let (checks, expected) = match &found {
        Answer::Unknown(reason) => return Ok(Err(reason.clone())),
        Answer::Sat => (vec![[a, b]], Answer::Sat),
        Answer::Unsat => (vec![[a, negated], [interpolant, b]], Answer::Unsat),
    };
    for formulas in checks {
        match by_blasting(f, &formulas, clock)? {
            Answer::Unknown(reason) => return Ok(Err(reason)),
            other if other != expected => {
                return Err(format!(
                    "MCSAT found the pair {found}, which does not stand"
                ));
            }
            _ => {}
        }
    }
    Ok(Ok((found == Answer::Unsat).then_some(interpolant)))
}

impl YicesSolver {
    pub(crate) fn interpolate_pair(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        b: Term,
        clock: &StopClock,
    ) -> Result<Option<Term>, SolverError> {
        let call = "interpolate";
        if let Some(reason) = clock.stop_reason() {
            return Err(SolverError::GaveUp { call, reason });
        }
        let has_array = |&t: &Term| pool.ty(t).is_array();
        if pool.post_order([a, b]).iter().any(has_array) {
            return Err(SolverError::Unsupported {
                solver: "Yices".to_string(),
                missing: Capabilities::ARRAYS,
                what: "interpolants by MCSAT over arrays".to_string(),
            });
        }
        let (ya, yb) = (self.term(pool, a)?, self.term(pool, b)?);
        let f = self.lease.functions();
        let found = on_deep_stack(self.translation.height(), || confirmed(f, ya, yb, clock));
        let interpolant = match found.map_err(|e| self.error(e))? {
            Err(reason) => return Err(SolverError::GaveUp { call, reason }),
            Ok(None) => return Ok(None),
            Ok(Some(interpolant)) => interpolant,
        };
        let t = Export::new(f, &self.translation).term(pool, interpolant);
        let t = t.map_err(|e| self.error(e))?;
        let (of_a, of_b) = (pool.free_vars([a]), pool.free_vars([b]));
        let is_common = |v: &Var| of_a.contains(v) && of_b.contains(v);
        if !pool.free_vars([t]).iter().all(is_common) {
            let message = "an interpolant has a variable that is not common".to_string();
            return Err(self.error(message));
        }
        Ok(Some(t))
    }
}
