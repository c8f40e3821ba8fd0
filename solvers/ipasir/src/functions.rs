//! The functions of IPASIR as a table, which a loaded library or a linked solver fills.

use libloading::Library;
use std::ffi::{c_int, c_void};
use trellis_solver_api::Capabilities;

/// The callback that ends a search.
pub type Terminate = extern "C" fn(*mut c_void) -> c_int;

/// The functions of IPASIR that we call. Whoever makes a table promises that they behave as `ipasir.h` says.
pub struct Functions {
    /// Makes a solver, or null.
    pub init: unsafe extern "C" fn() -> *mut c_void,
    /// Frees a solver.
    pub release: unsafe extern "C" fn(*mut c_void),
    /// Adds a literal to the open clause; 0 closes it.
    pub add: unsafe extern "C" fn(*mut c_void, c_int),
    /// Assumes a literal in the next `solve`.
    pub assume: unsafe extern "C" fn(*mut c_void, c_int),
    /// 10 satisfiable, 20 unsatisfiable, 0 stopped.
    pub solve: unsafe extern "C" fn(*mut c_void) -> c_int,
    /// The value of a variable: itself, its negation or 0.
    pub val: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    /// Whether an assumption was used.
    pub failed: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    /// Connects the callback.
    pub set_terminate: unsafe extern "C" fn(*mut c_void, *mut c_void, Option<Terminate>),
    /// Beyond IPASIR: limits the conflicts of the next `solve`.
    pub limit_conflicts: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    /// What sessions can do.
    pub capabilities: Capabilities,
    /// Name and version.
    pub signature: String,
    /// Keeps the code mapped as long as a session may call it.
    pub library: Option<Library>,
}
