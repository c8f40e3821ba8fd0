//! Loading Z3, once per process.

use crate::ffi::Functions;
use crate::session::Z3Solver;
use libloading::Library;
use std::ffi::{CStr, OsStr};
use std::sync::{Mutex, PoisonError};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{
    Capabilities, OptionSpec, Result, SessionConfig, SolverError, describe, parse_options,
};
use trellis_solver_support::{ForeignSession, Locate};

pub(crate) const NAME: &str = "z3";

pub(crate) const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::CONFLICT_LIMIT)
    .with(Capabilities::PUSH_POP)
    .with(Capabilities::MODELS)
    .with(Capabilities::ARRAYS)
    .with(Capabilities::ARRAY_EQUALITY)
    .with(Capabilities::DETERMINISTIC);

const LOCATE: Locate<'static> = Locate {
    variable: "TRELLIS_Z3",
    names: &["libz3.so", "libz3.dylib", "libz3.dll"],
};

/// The oldest version whose numbers of enumerations are the ones of `ffi`.
const OLDEST: (u32, u32, u32) = (4, 13, 3);

/// Options of sessions.
pub const OPTIONS: &[OptionSpec] = &[OptionSpec::integer(
    "rlimit",
    "none",
    1,
    u32::MAX as i64,
    "resource units per query, a deterministic limit",
)
.or_none()];

/// The library of this process: one, because nothing is gained by a second.
static LOADED: Mutex<Option<Z3>> = Mutex::new(None);

/// The backend.
#[derive(Clone)]
pub struct Z3 {
    functions: &'static Functions,
    version: String,
}

impl Z3 {
    /// What its sessions can do.
    pub const CAPABILITIES: Capabilities = CAPABILITIES;

    /// Looks for the library as the crate's documentation says.
    pub fn find() -> Result<Z3> {
        LOCATE.load(NAME, Z3::load)
    }

    /// Loads the library at `path`; a path without a slash is looked up by the system's loader. A process has
    /// one Z3: when one is loaded already, it stays.
    pub fn load(path: impl AsRef<OsStr>) -> Result<Z3> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(z3) = &*loaded {
            return Ok(z3.clone());
        }
        let path = path.as_ref();
        let shown = path.to_string_lossy();
        // SAFETY: runs the initialisers of the library; that the file is Z3 is the user's promise.
        let library = unsafe { Library::new(path) }
            .map_err(|e| unavailable(format!("{shown} does not load: {e}")))?;
        let functions =
            Functions::find(library).map_err(|e| unavailable(format!("{shown}: {e}")))?;
        let (mut major, mut minor, mut patch, mut revision) = (0, 0, 0, 0);
        // SAFETY: the function writes four numbers.
        unsafe { (functions.get_version)(&mut major, &mut minor, &mut patch, &mut revision) };
        if (major, minor, patch) < OLDEST {
            let (a, b, c) = OLDEST;
            return Err(unavailable(format!(
                "{shown} is Z3 {major}.{minor}.{patch}, and {a}.{b}.{c} is the oldest we know"
            )));
        }
        // SAFETY: returns a C string that lives as long as the library.
        let version = unsafe { CStr::from_ptr((functions.get_full_version)()) };
        let version = version.to_string_lossy().into_owned();
        // Never unloaded: a query that was left behind may still run in it.
        let functions = Box::leak(Box::new(functions));
        let z3 = Z3 { functions, version };
        *loaded = Some(z3.clone());
        Ok(z3)
    }
}

fn unavailable(reason: String) -> SolverError {
    SolverError::Unavailable {
        solver: NAME.to_string(),
        reason,
    }
}

impl SmtBackend for Z3 {
    describe!(NAME, CAPABILITIES, OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let options = parse_options(NAME, OPTIONS, config)?;
        let solver = Z3Solver::new(
            self.functions,
            &self.version,
            config.seed,
            options[0].unwrap_or(0) as u32,
        )?;
        Ok(Box::new(ForeignSession::new(solver)))
    }
}
