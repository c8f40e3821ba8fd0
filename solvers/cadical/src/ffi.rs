//! The part of CaDiCaL's C interface that we use: `ccadical.h`, and two functions that the crate
//! `cadical` adds to it. Misuse aborts the process, so every caller checks its state first.

use std::ffi::{c_char, c_int, c_void};

// Links the static library; its Rust items are not used.
use cadical as _;

unsafe extern "C" {
    pub fn ccadical_signature() -> *const c_char;
    pub fn ccadical_init() -> *mut c_void;
    pub fn ccadical_release(solver: *mut c_void);
    pub fn ccadical_add(solver: *mut c_void, lit: c_int);
    pub fn ccadical_assume(solver: *mut c_void, lit: c_int);
    pub fn ccadical_solve(solver: *mut c_void) -> c_int;
    pub fn ccadical_val(solver: *mut c_void, lit: c_int) -> c_int;
    pub fn ccadical_failed(solver: *mut c_void, lit: c_int) -> c_int;
    pub fn ccadical_set_terminate(
        solver: *mut c_void,
        state: *mut c_void,
        terminate: Option<extern "C" fn(*mut c_void) -> c_int>,
    );
    pub fn ccadical_set_option(solver: *mut c_void, name: *const c_char, value: c_int);
    pub fn ccadical_get_option(solver: *mut c_void, name: *const c_char) -> c_int;
    pub fn ccadical_limit(solver: *mut c_void, name: *const c_char, value: c_int);
    /// Writes the proof to `file`, which stays the caller's. Only for a solver without clauses.
    pub fn ccadical_trace_proof(
        solver: *mut c_void,
        file: *mut libc::FILE,
        name: *const c_char,
    ) -> c_int;
    /// Added by the crate `cadical`; returns 0 for an unknown name.
    pub fn ccadical_configure(solver: *mut c_void, name: *const c_char) -> c_int;
}
