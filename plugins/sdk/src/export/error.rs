//! Errors as the border knows them: a status, a number and a text.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trellis_plugin_abi::{self as abi, TrellisError, TrellisStr};
use trellis_solver_api::{Answer, SolverError, UnknownReason};

use crate::wire::WireError;

/// A failed call.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The status.
    pub code: i32,
    /// Data that belongs to the status.
    pub number: u64,
    /// For people.
    pub text: String,
}

impl Failure {
    /// A malformed argument.
    pub fn argument(text: impl Into<String>) -> Failure {
        Failure {
            code: abi::TRELLIS_ERROR_ARGUMENT,
            number: 0,
            text: text.into(),
        }
    }

    /// Lends the failure to the other side, as far as its structure reaches.
    ///
    /// # Safety
    /// `error` is null or points to a structure whose `size` is set.
    pub unsafe fn lend(&self, error: *mut TrellisError) {
        // SAFETY: the caller's promise; the size is the first field.
        unsafe {
            if error.is_null() || ((*error).size as usize) < size_of::<TrellisError>() {
                return;
            }
            (*error).code = self.code;
            (*error).number = self.number;
            (*error).text = TrellisStr::new(&self.text);
        }
    }
}

impl From<WireError> for Failure {
    fn from(e: WireError) -> Failure {
        Failure::argument(e.to_string())
    }
}

impl From<SolverError> for Failure {
    fn from(e: SolverError) -> Failure {
        let (code, number, text) = match e {
            SolverError::Option {
                option, message, ..
            } => (abi::TRELLIS_ERROR_OPTION, 0, format!("{option}\n{message}")),
            SolverError::Unavailable { reason, .. } => (abi::TRELLIS_ERROR_UNAVAILABLE, 0, reason),
            SolverError::Unsupported { missing, what, .. } => (
                abi::TRELLIS_ERROR_UNSUPPORTED,
                u64::from(missing.bits()),
                what,
            ),
            SolverError::TooLarge { what, limit, .. } => (abi::TRELLIS_ERROR_LIMIT, limit, what),
            SolverError::GaveUp { reason, .. } => {
                let mut text = String::new();
                let number = answer_number(&Answer::Unknown(reason), &mut text);
                (abi::TRELLIS_ERROR_GAVE_UP, number as u64, text)
            }
            SolverError::Misuse { .. } => (abi::TRELLIS_ERROR_STATE, 0, e.to_string()),
            SolverError::Term { message, .. } => (abi::TRELLIS_ERROR_ARGUMENT, 0, message),
            SolverError::Backend { message, .. } => (abi::TRELLIS_ERROR_BACKEND, 0, message),
        };
        Failure { code, number, text }
    }
}

/// The text of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without text").to_string()
}

/// Runs `call` and turns a panic into a failure.
pub fn guard<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        Err(panic) => Err(Failure {
            code: abi::TRELLIS_ERROR_PANIC,
            number: 0,
            text: panic_text(panic.as_ref()),
        }),
    }
}

/// The number of an answer; the text of an incomplete one goes to `words`.
pub fn answer_number(answer: &Answer, words: &mut String) -> i32 {
    match answer {
        Answer::Sat => abi::TRELLIS_ANSWER_SAT,
        Answer::Unsat => abi::TRELLIS_ANSWER_UNSAT,
        Answer::Unknown(UnknownReason::Interrupted) => abi::TRELLIS_ANSWER_INTERRUPTED,
        Answer::Unknown(UnknownReason::Time) => abi::TRELLIS_ANSWER_TIME,
        Answer::Unknown(UnknownReason::Conflicts) => abi::TRELLIS_ANSWER_CONFLICTS,
        Answer::Unknown(UnknownReason::Memory) => abi::TRELLIS_ANSWER_MEMORY,
        Answer::Unknown(UnknownReason::Incomplete(why)) => {
            words.clone_from(why);
            abi::TRELLIS_ANSWER_INCOMPLETE
        }
    }
}

/// Limits as they cross.
pub fn limits(wall_ns: u64, conflicts: u64) -> trellis_solver_api::Limits {
    let some = |n: u64| (n != abi::TRELLIS_NO_LIMIT).then_some(n);
    trellis_solver_api::Limits {
        wall: some(wall_ns).map(std::time::Duration::from_nanos),
        conflicts: some(conflicts),
    }
}
