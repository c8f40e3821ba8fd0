//! SAT sessions as a table of C functions.

use super::error::{Failure, answer_number, guard, limits};
use super::session::{self, Kept, finish_open, read_config};
use std::ffi::c_void;
use trellis_plugin_abi::{self as abi, TrellisError, TrellisLiterals, TrellisSat};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession};

/// What a session of this kind has.
struct Inner {
    session: Box<dyn SatSession>,
    clause: Vec<Lit>,
}

/// Makes a session reachable from the other side, which closes it.
pub fn open(session: Box<dyn SatSession>) -> *mut c_void {
    let (signature, interrupter) = (session.signature().to_string(), session.interrupter());
    let clause = Vec::new();
    session::open(Inner { session, clause }, &signature, interrupter)
}

/// The table; `open` gets `context` as its first argument.
pub const fn table(
    capabilities: u32,
    context: *mut c_void,
    open: unsafe extern "C" fn(
        *mut c_void,
        *const abi::TrellisSessionConfig,
        *mut TrellisError,
    ) -> *mut c_void,
) -> TrellisSat {
    TrellisSat {
        size: size_of::<TrellisSat>() as u32,
        capabilities,
        context,
        open: Some(open),
        close: Some(session::close::<Inner>),
        signature: Some(session::signature::<Inner>),
        new_var: Some(new_var),
        add_clause: Some(add_clause),
        assume: Some(assume),
        solve: Some(solve),
        value: Some(value),
        failed: Some(failed),
        phase: Some(phase),
        set_limits: Some(set_limits),
        interrupt: Some(session::interrupt::<Inner>),
        stats: Some(stats),
        last_error: Some(session::last_error::<Inner>),
    }
}

/// The `open` of a solver plugin over `B`.
///
/// # Safety
/// As the table says.
pub unsafe extern "C" fn open_backend<B: SatBackend + Default>(
    _: *mut c_void,
    config: *const abi::TrellisSessionConfig,
    error: *mut TrellisError,
) -> *mut c_void {
    // SAFETY: the table's caller.
    let opened = guard(|| Ok(B::default().session(&unsafe { read_config(config) }?)?));
    // SAFETY: the table's caller.
    unsafe { finish_open(opened, error, open) }
}

/// Runs `call` on the session's thread.
///
/// # Safety
/// `session` comes from [`open`] and is not closed; this is its thread.
#[inline]
unsafe fn with(
    session: *mut c_void,
    call: impl FnOnce(&mut Kept<Inner>) -> Result<i32, Failure>,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { session::with(session, call) }
}

fn literal(number: i32) -> Result<Lit, Failure> {
    Lit::from_dimacs(number).ok_or_else(|| Failure::argument(format!("{number} is no literal")))
}

unsafe extern "C" fn new_var(session: *mut c_void) -> u32 {
    // SAFETY: the table's caller.
    let number = unsafe { with(session, |s| Ok(s.inner.session.new_var().to_dimacs())) };
    number.max(0) as u32
}

unsafe extern "C" fn add_clause(session: *mut c_void, clause: TrellisLiterals) -> i32 {
    // SAFETY: the table's caller, who lends the literals for the call.
    unsafe {
        with(session, |s| {
            s.inner.clause.clear();
            if clause.len > 0 {
                if clause.data.is_null() {
                    return Err(Failure::argument("the clause is null"));
                }
                for &number in std::slice::from_raw_parts(clause.data, clause.len) {
                    s.inner.clause.push(literal(number)?);
                }
            }
            s.inner.session.add_clause(&s.inner.clause);
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn assume(session: *mut c_void, number: i32) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.inner.session.assume(literal(number)?);
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn solve(session: *mut c_void) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let answer = s.inner.session.solve()?;
            Ok(answer_number(&answer, &mut s.failure.text))
        })
    }
}

unsafe extern "C" fn value(session: *mut c_void, number: i32) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let value = s.inner.session.value(literal(number)?)?;
            Ok(value.map_or(2, i32::from))
        })
    }
}

unsafe extern "C" fn failed(session: *mut c_void, number: i32) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            Ok(i32::from(s.inner.session.failed(literal(number)?)?))
        })
    }
}

unsafe extern "C" fn phase(session: *mut c_void, number: i32) {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.inner.session.phase(literal(number)?);
            Ok(abi::TRELLIS_OK)
        });
    }
}

unsafe extern "C" fn set_limits(session: *mut c_void, wall_ns: u64, conflicts: u64) {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.inner.session.set_limits(limits(wall_ns, conflicts));
            Ok(abi::TRELLIS_OK)
        });
    }
}

unsafe extern "C" fn stats(session: *mut c_void, out: *mut abi::TrellisSatStats) {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let Some(out) = out.as_mut() else {
                return Err(Failure::argument("`stats` is null"));
            };
            if (out.size as usize) < size_of::<abi::TrellisSatStats>() {
                return Err(Failure::argument("`stats` is too small"));
            }
            let stats = s.inner.session.stats();
            let tell = |n: Option<u64>| n.unwrap_or(abi::TRELLIS_NO_LIMIT);
            *out = abi::TrellisSatStats {
                size: out.size,
                variables: stats.variables,
                solves: stats.solves,
                clauses: stats.clauses,
                conflicts: tell(stats.conflicts),
                decisions: tell(stats.decisions),
                propagations: tell(stats.propagations),
                time_ns: u64::try_from(stats.time.as_nanos()).unwrap_or(u64::MAX),
            };
            Ok(abi::TRELLIS_OK)
        });
    }
}
