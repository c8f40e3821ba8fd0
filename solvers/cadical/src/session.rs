//! CaDiCaL's sessions: those of IPASIR, over CaDiCaL's own C interface, which has the functions of IPASIR under
//! other names, and options and a conflict limit besides. CaDiCaL polls the terminate callback every ten
//! propagations or so.

use crate::ffi;
use crate::options::{CONFIGURATIONS, OPTIONS};
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::Arc;
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::{
    Capabilities, Result, SessionConfig, SolverError, describe, parse_options,
};
use trellis_solver_ipasir::{Functions, IpasirSession};

pub(crate) const NAME: &str = "cadical";

pub(crate) const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::CONFLICT_LIMIT)
    .with(Capabilities::DETERMINISTIC);

/// Makes CaDiCaL sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cadical;

impl SatBackend for Cadical {
    describe!(NAME, CAPABILITIES, OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>> {
        Ok(Box::new(configured(config)?))
    }
}

/// A solver with the options of `config`, still without clauses.
pub(crate) fn configured(config: &SessionConfig) -> Result<IpasirSession> {
    let values = parse_options(NAME, OPTIONS, config)?;
    let session = IpasirSession::new(NAME, Arc::new(functions()))?;
    configure(&session, &values, config.seed)?;
    Ok(session)
}

unsafe extern "C" fn limit_conflicts(solver: *mut c_void, conflicts: c_int) {
    // SAFETY: the caller passes a valid solver that is not solving; the limit is one that CaDiCaL knows.
    unsafe { ffi::ccadical_limit(solver, c"conflicts".as_ptr(), conflicts) };
}

/// Name and version of the solver.
pub(crate) fn signature() -> String {
    // SAFETY: a static string of the library.
    let signature = unsafe { CStr::from_ptr(ffi::ccadical_signature()) };
    signature.to_string_lossy().into_owned()
}

fn functions() -> Functions {
    Functions {
        init: ffi::ccadical_init,
        release: ffi::ccadical_release,
        add: ffi::ccadical_add,
        assume: ffi::ccadical_assume,
        solve: ffi::ccadical_solve,
        val: ffi::ccadical_val,
        failed: ffi::ccadical_failed,
        set_terminate: ffi::ccadical_set_terminate,
        limit_conflicts: Some(limit_conflicts),
        capabilities: CAPABILITIES,
        signature: signature(),
        library: None,
    }
}

/// Sets the options of a fresh solver.
fn configure(session: &IpasirSession, values: &[Option<i64>], seed: u64) -> Result<()> {
    let index = OPTIONS
        .iter()
        .position(|o| o.name == "config")
        .expect("in the table");
    let name = CONFIGURATIONS[values[index].unwrap_or(0) as usize];
    let c_name = CString::new(name).expect("no zero byte in the table");
    // SAFETY: a fresh solver is in its configuring state, and the name is a C string.
    if unsafe { ffi::ccadical_configure(session.solver(), c_name.as_ptr()) } == 0 {
        let message = format!("CaDiCaL does not know its configuration `{name}`");
        return Err(SolverError::Backend {
            solver: NAME.into(),
            message,
        });
    }
    // CaDiCaL's seed ranges up to 2e9.
    let seed = ("seed", (seed % 2_000_000_000) as i64);
    let set = OPTIONS
        .iter()
        .zip(values)
        .filter_map(|(o, v)| Some((&*o.name, (*v)?)))
        .filter(|(name, _)| *name != "config");
    for (name, value) in set.chain([seed]) {
        set_option(session, name, value)?;
    }
    Ok(())
}

/// Sets an option of a solver without clauses.
pub(crate) fn set_option(session: &IpasirSession, name: &str, value: i64) -> Result<()> {
    let c_name = CString::new(name).expect("names of options have no zero byte");
    let c_value = value as c_int;
    // SAFETY: a solver without clauses is in its configuring state, and the name is a C string; an unknown name or a
    // value out of range is ignored, hence the check.
    let taken = unsafe {
        ffi::ccadical_set_option(session.solver(), c_name.as_ptr(), c_value);
        ffi::ccadical_get_option(session.solver(), c_name.as_ptr())
    };
    if taken != c_value {
        let message = format!("CaDiCaL did not take option {name}={value}");
        return Err(SolverError::Backend {
            solver: NAME.into(),
            message,
        });
    }
    Ok(())
}
