//! What sessions of both kinds have in common on the other side: how one is opened, and how its failures are read.

use super::error::{RemoteInterrupter, blank, solver_error};
use std::ffi::c_void;
use trellis_plugin_abi::{self as abi, TrellisError, TrellisStr};
use trellis_solver_api::{SessionConfig, SolverError};

/// Calls a function of a table that passed the handshake.
macro_rules! call {
    ($self:ident.$name:ident($($arg:expr),*)) => {{
        let function = $self.table.$name.expect("checked when the table was taken");
        // SAFETY: the session is open and this is its thread; what is lent lives for the call.
        unsafe { function($self.session $(, $arg)*) }
    }};
}
pub(super) use call;

/// Opens a session of a table.
type Open = unsafe extern "C" fn(
    *mut c_void,
    *const abi::TrellisSessionConfig,
    *mut TrellisError,
) -> *mut c_void;

/// The functions of a table that opening needs; they passed the handshake.
pub struct Opener {
    /// The table's context.
    pub context: *mut c_void,
    /// Its `open`.
    pub open: Option<Open>,
    /// Its `signature`.
    pub signature: Option<unsafe extern "C" fn(*mut c_void) -> TrellisStr>,
    /// Its `interrupt`.
    pub interrupt: Option<unsafe extern "C" fn(*mut c_void, u32)>,
}

impl Opener {
    /// Opens a session: its address, its signature, and how to interrupt it.
    ///
    /// # Safety
    /// The table obeys the ABI, and its functions and context outlive the session.
    pub unsafe fn open(
        &self,
        solver: &str,
        config: &SessionConfig,
    ) -> Result<(*mut c_void, String, RemoteInterrupter), SolverError> {
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
        let open = self.open.expect("checked when the table was taken");
        let mut error = blank();
        // SAFETY: the caller's promise.
        let session = unsafe { open(self.context, &config, &mut error) };
        if session.is_null() {
            // SAFETY: the text is valid until the next `open`.
            return Err(unsafe { solver_error(solver, "session", &error) });
        }
        let signature = self.signature.expect("checked when the table was taken");
        // SAFETY: the session is open; the text is valid until it is closed.
        let signature = unsafe { String::from_utf8_lossy(signature(session).bytes()).into_owned() };
        let interrupt = self.interrupt.expect("checked when the table was taken");
        Ok((
            session,
            signature,
            RemoteInterrupter::new(session, interrupt),
        ))
    }
}

/// The error of a call that returned `status`, filled in by the table's `last_error`.
#[cold]
pub fn failed(
    signature: &str,
    call: &'static str,
    status: i32,
    last_error: impl FnOnce(&mut TrellisError),
) -> SolverError {
    let mut error = blank();
    last_error(&mut error);
    error.code = status;
    // SAFETY: the text is valid until the next call on the session.
    unsafe { solver_error(signature, call, &error) }
}
