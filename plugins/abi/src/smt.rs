//! SMT sessions: a table of functions, lent by the host to an engine as extension
//! `trellis.smt/1`, and offered by a solver plugin to the host.
//!
//! The states INPUT, SAT and UNSAT are those of IPASIR: a model may be read in SAT, a core in
//! UNSAT; every other call leads to INPUT, but for `add_terms`, `signature`, `capabilities`,
//! `set_kind`, `set_limits`, `interrupt` and `last_error`, which leave the state as it is.

use crate::host::TrellisError;
use crate::plugin::{TrellisStr, TrellisWords};
use std::ffi::c_void;

/// There is a model.
pub const TRELLIS_ANSWER_SAT: i32 = 10;
/// There is none.
pub const TRELLIS_ANSWER_UNSAT: i32 = 20;
/// Interrupted.
pub const TRELLIS_ANSWER_INTERRUPTED: i32 = 30;
/// The wall time of the query is used up.
pub const TRELLIS_ANSWER_TIME: i32 = 31;
/// The conflicts of the query are used up.
pub const TRELLIS_ANSWER_CONFLICTS: i32 = 32;
/// A memory limit was reached.
pub const TRELLIS_ANSWER_MEMORY: i32 = 33;
/// The solver is incomplete for this query; `last_error` has its words.
pub const TRELLIS_ANSWER_INCOMPLETE: i32 = 34;

/// Unsat cores over assumptions.
pub const TRELLIS_CAN_UNSAT_CORE: u32 = 1;
/// Queries can be interrupted.
pub const TRELLIS_CAN_INTERRUPT: u32 = 2;
/// Queries keep to a wall limit.
pub const TRELLIS_CAN_TIME_LIMIT: u32 = 4;
/// Queries keep to a limit of conflicts.
pub const TRELLIS_CAN_CONFLICT_LIMIT: u32 = 8;
/// Phase hints have an effect.
pub const TRELLIS_CAN_PHASE_HINTS: u32 = 16;
/// Levels of assertions.
pub const TRELLIS_CAN_PUSH_POP: u32 = 32;
/// Values of terms in a model.
pub const TRELLIS_CAN_MODELS: u32 = 64;
/// Terms with arrays.
pub const TRELLIS_CAN_ARRAYS: u32 = 128;
/// Equality of arrays.
pub const TRELLIS_CAN_ARRAY_EQUALITY: u32 = 256;
/// Interpolants.
pub const TRELLIS_CAN_INTERPOLATION: u32 = 512;
/// Models that are generalised to a formula.
pub const TRELLIS_CAN_MODEL_GENERALIZATION: u32 = 1024;
/// One seed, one sequence of answers.
pub const TRELLIS_CAN_DETERMINISTIC: u32 = 2048;

/// A limit that is none.
pub const TRELLIS_NO_LIMIT: u64 = u64::MAX;

/// How to make a session.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisSessionConfig {
    /// `sizeof(TrellisSessionConfig)`.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Seed of every random choice of the solver. A host that lends sessions has its own.
    pub seed: u64,
    /// Options of the backend as one JSON object of strings; may be empty.
    pub options: TrellisStr,
}

/// A table of SMT session functions.
///
/// Threads: a session stays on the thread that opened it, but for `interrupt`, which any thread
/// may call between `open` and `close`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisSmt {
    /// `sizeof(TrellisSmt)`.
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
    /// Adds term nodes, arguments before users; see the word streams. Terms are numbered from 0
    /// in the order in which a session gets them. A variable's number is the caller's own. On an
    /// error no node of this call was added.
    pub add_terms: Option<unsafe extern "C" fn(session: *mut c_void, nodes: TrellisWords) -> i32>,
    /// Asserts a boolean term at the current level. Ensures INPUT.
    pub assert: Option<unsafe extern "C" fn(session: *mut c_void, term: u32) -> i32>,
    /// Opens a level. Ensures INPUT.
    pub push: Option<unsafe extern "C" fn(session: *mut c_void) -> i32>,
    /// Closes levels, of which so many must be open. Ensures INPUT.
    pub pop: Option<unsafe extern "C" fn(session: *mut c_void, levels: u32) -> i32>,
    /// One of `TRELLIS_ANSWER_*` for all that is asserted and the boolean terms given, or a status
    /// below zero. Ensures SAT, UNSAT, or INPUT after every other answer.
    pub check: Option<unsafe extern "C" fn(session: *mut c_void, assumptions: TrellisWords) -> i32>,
    /// The value of a term in the model, as a word stream. Requires SAT.
    pub value: Option<
        unsafe extern "C" fn(session: *mut c_void, term: u32, out: *mut TrellisWords) -> i32,
    >,
    /// The assumptions that suffice for the answer, as term numbers. Requires UNSAT.
    pub unsat_core:
        Option<unsafe extern "C" fn(session: *mut c_void, out: *mut TrellisWords) -> i32>,
    /// A formula over the variables `keep` that is true in the model and implies that the formulas
    /// have a model. `out` is a word stream of nodes of its own, numbered from 0, the last one
    /// being the formula. Requires SAT.
    pub generalize: Option<
        unsafe extern "C" fn(
            session: *mut c_void,
            formulas: TrellisWords,
            keep: TrellisWords,
            out: *mut TrellisWords,
        ) -> i32,
    >,
    /// An interpolant of two terms as for `generalize`, or an empty stream when they are
    /// satisfiable together. Ensures INPUT.
    pub interpolate: Option<
        unsafe extern "C" fn(session: *mut c_void, a: u32, b: u32, out: *mut TrellisWords) -> i32,
    >,
    /// Labels the following queries, for statistics; copied.
    pub set_kind: Option<unsafe extern "C" fn(session: *mut c_void, kind: TrellisStr)>,
    /// Limits of each following query, or `TRELLIS_NO_LIMIT`.
    pub set_limits:
        Option<unsafe extern "C" fn(session: *mut c_void, wall_ns: u64, conflicts: u64)>,
    /// From any thread: 1 stops the running query and every later one, 0 allows queries again.
    pub interrupt: Option<unsafe extern "C" fn(session: *mut c_void, set: u32)>,
    /// Why the last call on the session failed.
    pub last_error: Option<unsafe extern "C" fn(session: *mut c_void, error: *mut TrellisError)>,
}

// SAFETY: a table is constant data; its context is used by the thread rules of its functions.
unsafe impl Sync for TrellisSmt {}
