//! SAT sessions: IPASIR as a table of functions, lent by the host as extension `trellis.sat/1`,
//! and offered by a solver plugin to the host.

use crate::host::TrellisError;
use crate::plugin::TrellisStr;
use crate::smt::TrellisSessionConfig;
use std::ffi::c_void;

/// Literals in the DIMACS convention.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisLiterals {
    /// The first literal; may be null when `len` is 0.
    pub data: *const i32,
    /// Number of literals.
    pub len: usize,
}

/// Figures of a SAT session.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisSatStats {
    /// `sizeof(TrellisSatStats)`, set by the caller.
    pub size: u32,
    /// The largest variable.
    pub variables: u32,
    /// Calls of `solve`.
    pub solves: u64,
    /// Clauses added.
    pub clauses: u64,
    /// Conflicts, or `TRELLIS_NO_LIMIT` when the solver does not tell.
    pub conflicts: u64,
    /// Decisions, or `TRELLIS_NO_LIMIT` when the solver does not tell.
    pub decisions: u64,
    /// Propagations, or `TRELLIS_NO_LIMIT` when the solver does not tell.
    pub propagations: u64,
    /// Wall time inside `solve`.
    pub time_ns: u64,
}

/// A table of SAT session functions; the threads are as for `TrellisSmt`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisSat {
    /// `sizeof(TrellisSat)`.
    pub size: u32,
    /// What its sessions can do: `TRELLIS_CAN_*`, added up.
    pub capabilities: u32,
    /// First argument of `open`; null for a solver plugin.
    pub context: *mut c_void,
    /// A new session, or null and `error` filled (its text is valid until the next `open`).
    /// The caller closes it. Ensures INPUT.
    pub open: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            config: *const TrellisSessionConfig,
            error: *mut TrellisError,
        ) -> *mut c_void,
    >,
    /// Ends a session.
    pub close: Option<unsafe extern "C" fn(session: *mut c_void)>,
    /// Name and version of the solver; valid until `close`.
    pub signature: Option<unsafe extern "C" fn(session: *mut c_void) -> TrellisStr>,
    /// A variable that did not exist before, or 0 on an error. Ensures INPUT.
    pub new_var: Option<unsafe extern "C" fn(session: *mut c_void) -> u32>,
    /// Adds one clause for ever. Ensures INPUT.
    pub add_clause:
        Option<unsafe extern "C" fn(session: *mut c_void, clause: TrellisLiterals) -> i32>,
    /// Assumes a literal in the next `solve`. Ensures INPUT.
    pub assume: Option<unsafe extern "C" fn(session: *mut c_void, literal: i32) -> i32>,
    /// One of `TRELLIS_ANSWER_*`, or a status below zero. Ensures SAT, UNSAT, or INPUT.
    pub solve: Option<unsafe extern "C" fn(session: *mut c_void) -> i32>,
    /// 1 when the literal is true in the model, 0 when false, 2 when both values do, or a status
    /// below zero. Requires SAT.
    pub value: Option<unsafe extern "C" fn(session: *mut c_void, literal: i32) -> i32>,
    /// 1 when the assumption was used to refute the clauses, 0 when not, or a status below zero.
    /// Requires UNSAT.
    pub failed: Option<unsafe extern "C" fn(session: *mut c_void, literal: i32) -> i32>,
    /// Hint: decide the variable to make the literal true.
    pub phase: Option<unsafe extern "C" fn(session: *mut c_void, literal: i32)>,
    /// Limits of each following `solve`, or `TRELLIS_NO_LIMIT`.
    pub set_limits:
        Option<unsafe extern "C" fn(session: *mut c_void, wall_ns: u64, conflicts: u64)>,
    /// From any thread: 1 stops the running query and every later one, 0 allows queries again.
    pub interrupt: Option<unsafe extern "C" fn(session: *mut c_void, set: u32)>,
    /// Figures since `open`.
    pub stats: Option<unsafe extern "C" fn(session: *mut c_void, stats: *mut TrellisSatStats)>,
    /// Why the last call on the session failed.
    pub last_error: Option<unsafe extern "C" fn(session: *mut c_void, error: *mut TrellisError)>,
}

// SAFETY: a table is constant data; its context is used by the thread rules of its functions.
unsafe impl Sync for TrellisSat {}
