//! Errors and answers from the other side.

use trellis_plugin_abi::{self as abi, TrellisError, TrellisStr};
use trellis_solver_api::{Answer, Capabilities, Interrupter, SolverError, UnknownReason};

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

/// A structure for the other side to fill.
pub fn blank() -> TrellisError {
    TrellisError {
        size: size_of::<TrellisError>() as u32,
        code: abi::TRELLIS_OK,
        number: 0,
        text: TrellisStr::new(""),
    }
}

/// The error that the other side has filled in.
///
/// # Safety
/// The text of `error` is valid.
pub unsafe fn solver_error(solver: &str, call: &'static str, error: &TrellisError) -> SolverError {
    // SAFETY: the caller's promise.
    let text = String::from_utf8_lossy(unsafe { error.text.bytes() }).into_owned();
    let solver = solver.to_string();
    match error.code {
        abi::TRELLIS_ERROR_ARGUMENT | abi::TRELLIS_ERROR_STATE => SolverError::Term {
            call,
            message: text,
        },
        abi::TRELLIS_ERROR_UNSUPPORTED => SolverError::Unsupported {
            solver,
            missing: Capabilities::from_bits(error.number as u32),
            what: text,
        },
        abi::TRELLIS_ERROR_LIMIT => SolverError::TooLarge {
            solver,
            what: text,
            limit: error.number,
        },
        abi::TRELLIS_ERROR_GAVE_UP => SolverError::GaveUp {
            call,
            reason: match answer(error.number as i32, || text.clone()) {
                Some(Answer::Unknown(reason)) => reason,
                _ => UnknownReason::Incomplete(text),
            },
        },
        abi::TRELLIS_ERROR_UNAVAILABLE => SolverError::Unavailable {
            solver,
            reason: text,
        },
        abi::TRELLIS_ERROR_OPTION => {
            let (option, message) = text.split_once('\n').unwrap_or(("", &text));
            SolverError::Option {
                solver,
                option: option.into(),
                message: message.into(),
            }
        }
        abi::TRELLIS_ERROR_PANIC => SolverError::Backend {
            solver,
            message: format!("it panicked in `{call}`: {text}"),
        },
        _ => SolverError::Backend {
            solver,
            message: text,
        },
    }
}

/// The answer of a number, unless it is none.
pub fn answer(number: i32, words: impl FnOnce() -> String) -> Option<Answer> {
    Some(match number {
        abi::TRELLIS_ANSWER_SAT => Answer::Sat,
        abi::TRELLIS_ANSWER_UNSAT => Answer::Unsat,
        abi::TRELLIS_ANSWER_INTERRUPTED => Answer::Unknown(UnknownReason::Interrupted),
        abi::TRELLIS_ANSWER_TIME => Answer::Unknown(UnknownReason::Time),
        abi::TRELLIS_ANSWER_CONFLICTS => Answer::Unknown(UnknownReason::Conflicts),
        abi::TRELLIS_ANSWER_MEMORY => Answer::Unknown(UnknownReason::Memory),
        abi::TRELLIS_ANSWER_INCOMPLETE => Answer::Unknown(UnknownReason::Incomplete(words())),
        _ => return None,
    })
}

/// A session's address for other threads; gone as soon as the session is closed.
pub struct Remote {
    session: *mut c_void,
    interrupt: unsafe extern "C" fn(*mut c_void, u32),
}

// SAFETY: only `interrupt` is called from other threads, which the table allows.
unsafe impl Send for Remote {}

/// An interrupter that reaches the other side.
pub struct RemoteInterrupter {
    /// The handle for callers.
    pub local: Interrupter,
    remote: Arc<Mutex<Option<Remote>>>,
    /// Whether the other side may still be interrupted.
    sticky: bool,
}

impl RemoteInterrupter {
    /// For an open session.
    pub fn new(
        session: *mut c_void,
        interrupt: unsafe extern "C" fn(*mut c_void, u32),
    ) -> RemoteInterrupter {
        let remote = Arc::new(Mutex::new(Some(Remote { session, interrupt })));
        let wake = remote.clone();
        let local = Interrupter::with_wake(move || tell(&wake, 1));
        RemoteInterrupter {
            local,
            remote,
            sticky: false,
        }
    }

    /// Before a query: the other side forgets an interrupt that was cleared here.
    #[inline]
    pub fn before_query(&mut self) {
        let set = self.local.is_set();
        if set || self.sticky {
            tell(&self.remote, u32::from(set));
            self.sticky = set;
        }
    }

    /// After a query that was interrupted.
    pub fn after_interrupt(&mut self) {
        self.sticky = true;
    }

    /// Before the session is closed.
    pub fn close(&self) {
        if let Ok(mut remote) = self.remote.lock() {
            *remote = None;
        }
    }
}

fn tell(remote: &Mutex<Option<Remote>>, set: u32) {
    if let Ok(remote) = remote.lock()
        && let Some(remote) = &*remote
    {
        // SAFETY: the session is open as long as the option is filled.
        unsafe { (remote.interrupt)(remote.session, set) }
    }
}
