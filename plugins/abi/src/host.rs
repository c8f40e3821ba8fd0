//! What an engine is given: a task, and a host to ask.

use crate::plugin::{TrellisStr, TrellisWords};
use std::ffi::{c_char, c_void};

/// Success.
pub const TRELLIS_OK: i32 = 0;
/// An argument is malformed: a wrong type, an unknown number, text that is not UTF-8.
pub const TRELLIS_ERROR_ARGUMENT: i32 = -1;
/// The call is not allowed in the present state.
pub const TRELLIS_ERROR_STATE: i32 = -2;
/// The solver lacks what the call needs; `number` has the missing capabilities.
pub const TRELLIS_ERROR_UNSUPPORTED: i32 = -3;
/// The query is too large; `number` is the limit.
pub const TRELLIS_ERROR_LIMIT: i32 = -4;
/// The solver is not there.
pub const TRELLIS_ERROR_UNAVAILABLE: i32 = -5;
/// An option of the solver is wrong.
pub const TRELLIS_ERROR_OPTION: i32 = -6;
/// The solver failed.
pub const TRELLIS_ERROR_BACKEND: i32 = -7;
/// The callee panicked.
pub const TRELLIS_ERROR_PANIC: i32 = -8;
/// The engine failed; it has said why in the log.
pub const TRELLIS_ERROR_ENGINE: i32 = -9;
/// A read had to solve again and the solver gave up; `number` is the answer.
pub const TRELLIS_ERROR_GAVE_UP: i32 = -10;

/// The program is safe; the words are a certificate.
pub const TRELLIS_VERDICT_SAFE: u32 = 1;
/// An error location is reachable; the words are a trace.
pub const TRELLIS_VERDICT_UNSAFE: u32 = 2;
/// The engine gave up; the text says why.
pub const TRELLIS_VERDICT_UNKNOWN: u32 = 3;
/// The program is safe, because all executions end; the words are an unwinding. Since ABI 1.1.
pub const TRELLIS_VERDICT_UNWOUND: u32 = 4;
/// An error location is reachable; the words are a script. Since ABI 1.3.
pub const TRELLIS_VERDICT_SCRIPTED: u32 = 9;
/// A program with procedures is safe; the words are contracts. Since ABI 1.3.
pub const TRELLIS_VERDICT_CONTRACTS: u32 = 8;
/// Executions leave the loops that are named; the words are their proofs. Since ABI 1.3.
pub const TRELLIS_VERDICT_TERMINATES: u32 = 10;
/// Some execution does not end; the words are a lasso or a recurrent set. Since ABI 1.3.
pub const TRELLIS_VERDICT_DIVERGES: u32 = 11;

/// A pass leaves the program as it is; no words. Since ABI 1.2.
pub const TRELLIS_REPORT_UNCHANGED: u32 = 5;
/// A pass has made another program, or a front end one; the words are a transformed program or an image. Since ABI 1.2.
pub const TRELLIS_REPORT_PROGRAM: u32 = 6;
/// A pass does not fit the program, or a front end does not understand its source; the text says why. Since ABI 1.2.
pub const TRELLIS_REPORT_REFUSED: u32 = 7;

/// Something is wrong.
pub const TRELLIS_LOG_ERROR: u32 = 1;
/// Something deserves attention.
pub const TRELLIS_LOG_WARN: u32 = 2;
/// Normal progress.
pub const TRELLIS_LOG_INFO: u32 = 3;
/// For the engine's author.
pub const TRELLIS_LOG_DEBUG: u32 = 4;

/// Name of the extension `TrellisSmt`.
pub const TRELLIS_EXTENSION_SMT: &str = "trellis.smt/1";
/// Name of the extension `TrellisSat`.
pub const TRELLIS_EXTENSION_SAT: &str = "trellis.sat/1";
/// Name of the extension `TrellisLemmas`.
pub const TRELLIS_EXTENSION_LEMMAS: &str = "trellis.lemmas/1";
/// Name of the extension `TrellisText`.
pub const TRELLIS_EXTENSION_TEXT: &str = "trellis.text/1";

/// Why a call failed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisError {
    /// `sizeof(TrellisError)`, set by the caller.
    pub size: u32,
    /// The status that was returned.
    pub code: i32,
    /// Further data as the status says, otherwise 0.
    pub number: u64,
    /// For people; valid until the next call on the same object.
    pub text: TrellisStr,
}

/// What an engine has to decide, or a pass to transform.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisTask {
    /// `sizeof(TrellisTask)` of the host.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The program as a binary image; for an engine one flat automaton.
    pub image: TrellisWords,
    /// Options of the plugin as one JSON object.
    pub options: TrellisStr,
    /// Seed of every random choice.
    pub seed: u64,
    /// Wall time the engine is given, in milliseconds; 0 for no limit.
    pub time_limit_ms: u64,
}

/// What a front end has to read. Since ABI 1.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisSource {
    /// `sizeof(TrellisSource)` of the host.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// What messages call it, usually the path of a file. Nothing is to be opened: it may be standard input.
    pub name: TrellisStr,
    /// The bytes of the source; any, not only text.
    pub bytes: TrellisStr,
    /// Options of the front end as one JSON object.
    pub options: TrellisStr,
}

/// The services of the host that every engine, pass and front end has.
///
/// Thread: the functions marked `[engine]` are called on the thread that runs the engine only;
/// those marked `[any]` from any thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisHost {
    /// `sizeof(TrellisHost)` of the host.
    pub size: u32,
    /// `TRELLIS_ABI_MINOR` of the host.
    pub abi_minor: u32,
    /// First argument of every function here.
    pub context: *mut c_void,
    /// Not zero as soon as the engine should stop; may be read at any time from any thread. An
    /// engine that does not stop soon after is killed.
    pub cancelled: *const u32,
    /// `[engine]` Gives the answer, at most once: `TRELLIS_VERDICT_*` of an engine, `TRELLIS_REPORT_*` of a pass or
    /// front end; `words` and `text` are copied.
    pub report: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            verdict: u32,
            words: TrellisWords,
            text: TrellisStr,
        ) -> i32,
    >,
    /// `[any]` Writes one message; copied.
    pub log: Option<unsafe extern "C" fn(context: *mut c_void, level: u32, text: TrellisStr)>,
    /// `[any]` Tells how far the engine is: a stage and a number that grows, such as the bound.
    pub progress: Option<unsafe extern "C" fn(context: *mut c_void, stage: TrellisStr, at: u64)>,
    /// `[engine]` An extension by its name (terminated by a zero), or null when the host lacks it.
    /// The table is valid until `run` returns.
    pub extension:
        Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char) -> *const c_void>,
}

/// A lemma is claimed to hold whenever its location is reached; nobody has checked it.
pub const TRELLIS_LEMMA_CANDIDATE: u32 = 1;
/// A lemma is claimed to hold at its location in every execution of at most `bound` edges.
pub const TRELLIS_LEMMA_BOUNDED: u32 = 2;
/// The checker has shown that the lemma holds whenever its location is reached.
pub const TRELLIS_LEMMA_PROVED: u32 = 3;

/// Extension `trellis.lemmas/1`: facts shared between engines.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisLemmas {
    /// `sizeof(TrellisLemmas)` of the host.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// First argument of every function here.
    pub context: *mut c_void,
    /// `[engine]` Offers lemmas to the others. The words are copied; see the word streams.
    pub publish: Option<unsafe extern "C" fn(context: *mut c_void, lemmas: TrellisWords) -> i32>,
    /// `[any]` The number of lemmas on the board; grows.
    pub count: Option<unsafe extern "C" fn(context: *mut c_void) -> u64>,
    /// `[engine]` Lemmas from number `from` on, the first one being 0; perhaps not all there are.
    /// `from` is 0 or where an earlier call ended. `out` is valid until the next call of `read`.
    pub read: Option<
        unsafe extern "C" fn(context: *mut c_void, from: u64, out: *mut TrellisWords) -> i32,
    >,
}

/// Extension `trellis.text/1`: the program in the text form.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisText {
    /// `sizeof(TrellisText)` of the host.
    pub size: u32,
    /// `TRELLIS_TEXT_VERSION` of the host.
    pub version: u32,
    /// First argument of every function here.
    pub context: *mut c_void,
    /// `[engine]` The text; entities have the numbers they have in the image. `out` is valid
    /// until `run` returns.
    pub program: Option<unsafe extern "C" fn(context: *mut c_void, out: *mut TrellisStr) -> i32>,
}
