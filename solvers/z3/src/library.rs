//! Loading Z3: once per process, because the jumps of `delay` lead to one library.

use super::delay::{NAMES, set};
use super::session::Z3Solver;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, OsStr};
use std::sync::{Mutex, PoisonError};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Capabilities, OptionSpec, SessionConfig, SolverError, parse_options};
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
    names: &["libz3.so"],
};

/// The oldest version whose numbering of enumerations is the one of z3-sys.
const OLDEST: (u32, u32, u32) = (4, 13, 3);

/// Options of sessions.
pub(crate) const OPTIONS: [OptionSpec; 1] = [OptionSpec {
    name: "rlimit",
    default: 0,
    low: 0,
    high: u32::MAX as i64,
    help: "resource units per query, a deterministic limit; 0 is none",
}];

/// The version of the library that the jumps lead to, or why there is none at its path.
static LOADED: Mutex<Option<String>> = Mutex::new(None);

/// The backend.
#[derive(Clone)]
pub struct Z3 {
    version: String,
}

impl Z3 {
    /// Looks for the library as the crate's documentation says.
    pub fn find() -> Result<Z3, SolverError> {
        let mut failures = Vec::new();
        for path in LOCATE.libraries() {
            match Z3::load(&path) {
                Ok(z3) => return Ok(z3),
                Err(SolverError::Unavailable { reason, .. }) => failures.push(reason),
                Err(e) => return Err(e),
            }
        }
        // The first was looked for where the user meant it to be.
        let first = failures.into_iter().next().unwrap_or_default();
        Err(unavailable(format!("{first}; {}", LOCATE.advice())))
    }

    /// Loads the library at `path`; a path without a slash is looked up by the system's loader. A process has
    /// one Z3: when one is loaded already, it stays.
    pub fn load(path: impl AsRef<OsStr>) -> Result<Z3, SolverError> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(version) = &*loaded {
            return Ok(Z3 {
                version: version.clone(),
            });
        }
        let path = path.as_ref();
        let shown = path.to_string_lossy();
        // SAFETY: runs the initialisers of the library; that the file is Z3 is the user's promise.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|e| unavailable(format!("{shown} does not load: {e}")))?;
        let mut targets = Vec::with_capacity(NAMES.len());
        for name in NAMES {
            // SAFETY: only the address is taken; its type is what z3-sys declares.
            match unsafe { library.get::<*mut ()>(name.as_bytes()) } {
                Ok(symbol) => targets.push(symbol.as_raw_ptr().cast()),
                Err(_) => return Err(unavailable(format!("{shown} lacks {name}"))),
            }
        }
        for (slot, target) in targets.into_iter().enumerate() {
            // SAFETY: found by the name at this slot; the library is never closed.
            unsafe { set(slot, target) };
        }
        let _ = library.into_raw();
        let (mut major, mut minor, mut patch, mut revision) = (0, 0, 0, 0);
        // SAFETY: the jumps are set; the function writes four numbers.
        unsafe { z3_sys::Z3_get_version(&mut major, &mut minor, &mut patch, &mut revision) };
        if (major, minor, patch) < OLDEST {
            let (a, b, c) = OLDEST;
            return Err(unavailable(format!(
                "{shown} is Z3 {major}.{minor}.{patch}, and {a}.{b}.{c} is the oldest we know"
            )));
        }
        // SAFETY: returns a C string that lives as long as the library.
        let version = unsafe { CStr::from_ptr(z3_sys::Z3_get_full_version()) };
        let version = version.to_string_lossy().into_owned();
        *loaded = Some(version.clone());
        Ok(Z3 { version })
    }
}

fn unavailable(reason: String) -> SolverError {
    SolverError::Unavailable {
        solver: NAME.to_string(),
        reason,
    }
}

impl SmtBackend for Z3 {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        let options = parse_options(NAME, &OPTIONS, config)?;
        let solver = Z3Solver::new(&self.version, config.seed, options[0] as u32)?;
        Ok(Box::new(ForeignSession::new(solver)))
    }
}
