//! What sessions of both kinds have in common when they are lent: a handle, a signature, the last failure, an end.

use super::error::{Failure, guard};
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use trellis_plugin_abi::{self as abi, TrellisError, TrellisStr};
use trellis_solver_api::{Interrupter, SessionConfig};

/// A session on this side of the border. The interrupter is read by any thread, the rest by the
/// session's thread only.
pub struct Handle<I> {
    interrupter: Interrupter,
    kept: UnsafeCell<Kept<I>>,
}

/// What the session's thread has.
pub struct Kept<I> {
    /// What the kind of session needs.
    pub inner: I,
    /// Who answers.
    pub signature: String,
    /// The last failure.
    pub failure: Failure,
}

/// Makes a session reachable from the other side, which closes it.
pub fn open<I>(inner: I, signature: &str, interrupter: Interrupter) -> *mut c_void {
    let handle = Handle {
        interrupter,
        kept: UnsafeCell::new(Kept {
            inner,
            signature: signature.to_string(),
            failure: Failure::default(),
        }),
    };
    Box::into_raw(Box::new(handle)).cast()
}

/// The handle of an opened session, or null with the error.
///
/// # Safety
/// `error` is null or points to a structure whose `size` is set.
pub unsafe fn finish_open<S>(
    opened: Result<S, Failure>,
    error: *mut TrellisError,
    open: impl FnOnce(S) -> *mut c_void,
) -> *mut c_void {
    match opened {
        Ok(session) => open(session),
        Err(mut failure) => {
            // The text has to outlive this call and there is no session to keep it: a failed
            // `open` leaks its message, bounded because engines give up after one.
            let text: &'static str = std::mem::take(&mut failure.text).leak();
            // SAFETY: the caller's promise.
            unsafe {
                failure.lend(error);
                if let Some(error) = error.as_mut() {
                    error.text = TrellisStr::new(text);
                }
            }
            std::ptr::null_mut()
        }
    }
}

/// The configuration of a session as it crosses.
///
/// # Safety
/// `config` is null or valid.
pub unsafe fn read_config(
    config: *const abi::TrellisSessionConfig,
) -> Result<SessionConfig, Failure> {
    // SAFETY: the caller's promise.
    let Some(config) = (unsafe { config.as_ref() }) else {
        return Ok(SessionConfig::default());
    };
    // SAFETY: the caller's promise.
    let options = unsafe { config.options.bytes() };
    let options = if options.is_empty() {
        BTreeMap::new()
    } else {
        serde_json::from_slice(options).map_err(|e| Failure::argument(e.to_string()))?
    };
    Ok(SessionConfig {
        seed: config.seed,
        options,
    })
}

/// Runs `call` on the session's thread.
///
/// # Safety
/// `session` comes from [`open`] with the same `I` and is not closed; this is its thread.
#[inline]
pub unsafe fn with<I>(
    session: *mut c_void,
    call: impl FnOnce(&mut Kept<I>) -> Result<i32, Failure>,
) -> i32 {
    // SAFETY: only the session's thread makes references to what is kept.
    let kept = unsafe { &mut *(*session.cast::<Handle<I>>()).kept.get() };
    match guard(|| call(kept)) {
        Ok(status) => status,
        Err(failure) => {
            kept.failure = failure;
            kept.failure.code
        }
    }
}

/// The `close` of a table.
///
/// # Safety
/// As the table says, for sessions of [`open`] with the same `I`.
pub unsafe extern "C" fn close<I>(session: *mut c_void) {
    if session.is_null() {
        return;
    }
    // SAFETY: made by `open`, and the caller closes once.
    let handle = unsafe { Box::from_raw(session.cast::<Handle<I>>()) };
    if handle.interrupter.is_set() {
        // A solver that has been told to stop may take a while to, and an engine that waited for it here would be
        // said not to listen. Its process ends soon, and the solver with it.
        std::mem::forget(handle);
        return;
    }
    let _ = guard(|| {
        drop(handle);
        Ok(())
    });
}

/// The `signature` of a table.
///
/// # Safety
/// As of [`close`].
pub unsafe extern "C" fn signature<I>(session: *mut c_void) -> TrellisStr {
    // SAFETY: the signature never changes after `open`.
    let kept = unsafe { &*(*session.cast::<Handle<I>>()).kept.get() };
    TrellisStr::new(&kept.signature)
}

/// The `interrupt` of a table.
///
/// # Safety
/// As of [`close`].
pub unsafe extern "C" fn interrupt<I>(session: *mut c_void, set: u32) {
    // SAFETY: the interrupter is outside the part that the session's thread borrows.
    let interrupter = unsafe { &(*session.cast::<Handle<I>>()).interrupter };
    let _ = guard(|| {
        if set != 0 {
            interrupter.interrupt();
        } else {
            interrupter.clear();
        }
        Ok(())
    });
}

/// The `last_error` of a table.
///
/// # Safety
/// As of [`close`].
pub unsafe extern "C" fn last_error<I>(session: *mut c_void, error: *mut TrellisError) {
    // SAFETY: the session's thread, which holds no other reference now.
    unsafe {
        let kept = &*(*session.cast::<Handle<I>>()).kept.get();
        kept.failure.lend(error);
    }
}
