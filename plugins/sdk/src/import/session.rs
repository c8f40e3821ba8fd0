//! What sessions of both kinds have in common on the other side: how one is opened, asked and closed, and how its failures
//! are read.

use super::error::{RemoteInterrupter, answer, blank, solver_error};
use std::ffi::c_void;
use std::time::Duration;
use trellis_plugin_abi::{self as abi, TrellisError, TrellisSat, TrellisSmt, TrellisStr};
use trellis_solver_api::{Answer, Capabilities, Limits, Result, SessionConfig, SolverError};

/// Calls a function of the table of `self.remote`.
macro_rules! call {
    ($self:ident.$name:ident($($arg:expr),*)) => {{
        let function = $self.remote.table.$name.expect("checked when the table was taken");
        // SAFETY: the session is open and this is its thread; what is lent lives for the call.
        unsafe { function($self.remote.session $(, $arg)*) }
    }};
}
pub(super) use call;

/// Opens a session of a table.
type Open = unsafe extern "C" fn(
    *mut c_void,
    *const abi::TrellisSessionConfig,
    *mut TrellisError,
) -> *mut c_void;

/// A table that passed the handshake.
pub trait Table: Copy {
    /// What its sessions can do.
    fn capabilities(&self) -> Capabilities;
    /// The functions that tables of every kind have.
    fn functions(&self) -> Functions;
}

/// What tables of every kind have.
#[derive(Clone, Copy)]
pub struct Functions {
    context: *mut c_void,
    open: Open,
    close: unsafe extern "C" fn(*mut c_void),
    signature: unsafe extern "C" fn(*mut c_void) -> TrellisStr,
    interrupt: unsafe extern "C" fn(*mut c_void, u32),
    last_error: unsafe extern "C" fn(*mut c_void, *mut TrellisError),
}

macro_rules! tables {
    ($($Table:ty)*) => {$(
        impl Table for $Table {
            fn capabilities(&self) -> Capabilities {
                Capabilities::from_bits(self.capabilities)
            }

            fn functions(&self) -> Functions {
                let checked = "checked when the table was taken";
                Functions {
                    context: self.context,
                    open: self.open.expect(checked),
                    close: self.close.expect(checked),
                    signature: self.signature.expect(checked),
                    interrupt: self.interrupt.expect(checked),
                    last_error: self.last_error.expect(checked),
                }
            }
        }
    )*};
}
tables!(TrellisSat TrellisSmt);

/// An open session.
pub struct Remote<T> {
    /// Its table.
    pub table: T,
    /// What its functions get.
    pub session: *mut c_void,
    /// Name and version of the solver.
    pub signature: String,
    /// What stops it.
    pub interrupter: RemoteInterrupter,
    functions: Functions,
}

impl<T: Table> Remote<T> {
    /// Opens a session.
    ///
    /// # Safety
    /// The table obeys the ABI, and its functions and context outlive the session.
    pub unsafe fn open(table: &T, solver: &str, config: &SessionConfig) -> Result<Remote<T>> {
        let options = if config.options.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&config.options).expect("a map of strings is JSON")
        };
        let config = abi::TrellisSessionConfig {
            size: size_of::<abi::TrellisSessionConfig>() as u32,
            reserved: 0,
            seed: config.seed,
            options: TrellisStr::new(&options),
        };
        let functions = table.functions();
        let mut error = blank();
        // SAFETY: the caller's promise.
        let session = unsafe { (functions.open)(functions.context, &config, &mut error) };
        if session.is_null() {
            // SAFETY: the text is valid until the next `open`.
            return Err(unsafe { solver_error(solver, "session", &error) });
        }
        // SAFETY: the session is open; the text is valid until it is closed.
        let signature = unsafe { (functions.signature)(session).bytes() };
        Ok(Remote {
            table: *table,
            session,
            signature: String::from_utf8_lossy(signature).into_owned(),
            interrupter: RemoteInterrupter::new(session, functions.interrupt),
            functions,
        })
    }
}

impl<T> Remote<T> {
    /// The status of a call, unless it says that the call failed.
    #[inline]
    pub fn status(&self, status: i32, call: &'static str) -> Result<i32> {
        if status >= 0 {
            return Ok(status);
        }
        Err(self.error(status, call))
    }

    #[cold]
    fn error(&self, status: i32, call: &'static str) -> SolverError {
        let mut error = blank();
        // SAFETY: the session is open, and this is its thread.
        unsafe { (self.functions.last_error)(self.session, &mut error) };
        error.code = status;
        // SAFETY: the text is valid until the next call on the session.
        unsafe { solver_error(&self.signature, call, &error) }
    }

    /// The answer to a query.
    pub fn answer(&mut self, status: i32, call: &'static str) -> Result<Answer> {
        let status = self.status(status, call)?;
        let words = || match self.error(status, call) {
            SolverError::Backend { message, .. } if message.is_empty() => {
                "the solver gave no reason".to_string()
            }
            SolverError::Backend { message, .. } => message,
            other => other.to_string(),
        };
        let Some(answer) = answer(status, words) else {
            return Err(self.wrong(format!("it answered {status}, which is no answer")));
        };
        if status == abi::TRELLIS_ANSWER_INTERRUPTED {
            self.interrupter.after_interrupt();
        }
        Ok(answer)
    }

    /// The error of a solver that does not keep to the rules.
    pub fn wrong(&self, message: String) -> SolverError {
        SolverError::Backend {
            solver: self.signature.clone(),
            message,
        }
    }
}

impl<T> Drop for Remote<T> {
    fn drop(&mut self) {
        self.interrupter.close();
        // SAFETY: the session is open, this is its thread, and nobody uses it any more.
        unsafe { (self.functions.close)(self.session) };
    }
}

/// Limits as they cross.
pub fn limit_numbers(limits: Limits) -> (u64, u64) {
    // A wall limit of centuries is none.
    let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(abi::TRELLIS_NO_LIMIT);
    (
        limits.wall.map_or(abi::TRELLIS_NO_LIMIT, nanos),
        limits.conflicts.unwrap_or(abi::TRELLIS_NO_LIMIT),
    )
}

/// The backend of a solver plugin, over its table of SAT or of SMT sessions.
pub struct PluginSolver<T: 'static> {
    pub(super) name: String,
    pub(super) table: &'static T,
}

impl<T: Table> PluginSolver<T> {
    /// The backend of a table that passed the handshake.
    ///
    /// # Safety
    /// The table obeys the ABI and stays for ever.
    pub unsafe fn new(name: &str, table: &'static T) -> PluginSolver<T> {
        PluginSolver {
            name: name.to_string(),
            table,
        }
    }
}
