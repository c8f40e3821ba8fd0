//! Loading Yices, and the lease that keeps its users on one thread.

use crate::ffi::Functions;
use crate::session::YicesSolver;
use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{
    Capabilities, OptionSpec, Result, SessionConfig, SolverError, StopClock, describe,
    parse_options,
};
use trellis_solver_support::{Aside, ConstArrays, ForeignSession, Locate};

pub(crate) const NAME: &str = "yices";

pub(crate) const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::PUSH_POP)
    .with(Capabilities::MODELS)
    .with(Capabilities::ARRAYS)
    .with(Capabilities::ARRAY_EQUALITY)
    .with(Capabilities::MODEL_GENERALIZATION)
    .with(Capabilities::DETERMINISTIC);

/// The options.
pub const OPTIONS: &[OptionSpec] = &[OptionSpec::flag(
    "interpolate",
    "false",
    "interpolate bit-vectors by MCSAT, not by unsat cores",
)];

const LOCATE: Locate<'static> = Locate {
    variable: "TRELLIS_YICES",
    names: &["libyices.so", "libyices.so.2.7", "libyices.so.2.6"],
};

/// One loaded library with its global tables.
pub(crate) struct Loaded {
    pub functions: Functions,
    pub version: String,
    /// The thread whose sessions use the tables, and how many they are.
    users: Mutex<Option<(ThreadId, usize)>>,
    /// Where queries run. It is the library's, because a query that was left behind uses the tables of all sessions.
    aside: Mutex<Aside>,
}

/// Libraries of this process that were initialised, by the address of `yices_init`: the tables of a library
/// belong to the process, so who has initialised them must be known to the process too.
static INITIALISED: Mutex<BTreeMap<usize, Arc<Loaded>>> = Mutex::new(BTreeMap::new());

/// The backend.
#[derive(Clone)]
pub struct Yices {
    library: Arc<Loaded>,
}

impl Yices {
    /// What its sessions can do.
    pub const CAPABILITIES: Capabilities = CAPABILITIES;

    /// Looks for the library as the crate's documentation says.
    pub fn find() -> Result<Yices> {
        LOCATE.load(NAME, Yices::load)
    }

    /// Loads the library at `path`; a path without a slash is looked up by the system's loader.
    pub fn load(path: impl AsRef<OsStr>) -> Result<Yices> {
        // SAFETY: runs the initialisers of the library, which for Yices do nothing; that the file is Yices is
        // the user's promise.
        let library = unsafe { Library::new(path.as_ref()) }.map_err(|e| {
            let path = path.as_ref().to_string_lossy();
            unavailable(format!("{path} does not load: {e}"))
        })?;
        // SAFETY: a data symbol of type `const char *`.
        let version = unsafe { library.get::<*const *const c_char>(b"yices_version") }
            .map(|v| {
                // SAFETY: the symbol points to a C string that lives as long as the library.
                unsafe { CStr::from_ptr(**v) }
                    .to_string_lossy()
                    .into_owned()
            })
            .map_err(|_| unavailable("the library has no yices_version".to_string()))?;
        let functions =
            Functions::find(library).map_err(|e| unavailable(format!("Yices {version}: {e}")))?;
        let mut initialised = INITIALISED.lock().unwrap_or_else(PoisonError::into_inner);
        let library = initialised
            .entry(functions.init as usize)
            .or_insert_with(|| {
                // SAFETY: called once for this library, under the lock, before any other function of it.
                unsafe { (functions.init)() };
                Arc::new(Loaded {
                    functions,
                    version,
                    users: Mutex::new(None),
                    aside: Mutex::default(),
                })
            });
        Ok(Yices {
            library: library.clone(),
        })
    }
}

pub(crate) fn unavailable(reason: String) -> SolverError {
    SolverError::Unavailable {
        solver: NAME.to_string(),
        reason,
    }
}

/// The right to call a library: held by a session, on one thread at a time.
pub(crate) struct Lease {
    library: Arc<Loaded>,
    /// Not to be sent to another thread.
    _here: std::marker::PhantomData<*const ()>,
}

impl Lease {
    pub fn new(library: &Arc<Loaded>) -> Result<Lease> {
        let mut users = library.users.lock().unwrap_or_else(PoisonError::into_inner);
        let here = std::thread::current().id();
        match &mut *users {
            Some((thread, n)) if *thread == here => *n += 1,
            Some(_) => {
                return Err(unavailable(
                    "another thread of this process has a session, and Yices allows one thread at a \
                     time; use a worker process"
                        .to_string(),
                ));
            }
            None => *users = Some((here, 1)),
        }
        Ok(Lease {
            library: library.clone(),
            _here: std::marker::PhantomData,
        })
    }

    /// The functions, when no query is running any more.
    pub fn functions(&self) -> &Functions {
        self.aside().settle();
        &self.library.functions
    }

    /// Runs a query as [`Aside::run`] does.
    pub fn run(
        &self,
        clock: &StopClock,
        stop: impl Fn() + Send + 'static,
        query: impl FnOnce() -> i32 + Send + 'static,
    ) -> Option<i32> {
        self.aside().run(clock, stop, query)
    }

    fn aside(&self) -> MutexGuard<'_, Aside> {
        // After a panic there is nothing to be settled.
        self.library
            .aside
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub fn version(&self) -> &str {
        &self.library.version
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut users = self
            .library
            .users
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, n)) = &mut *users {
            *n -= 1;
            if *n == 0 {
                // SAFETY: the last session of the only thread that may call has freed all it had.
                unsafe { (self.library.functions.reset)() };
                *users = None;
            }
        }
    }
}

impl SmtBackend for Yices {
    describe!(NAME, CAPABILITIES, OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let interpolates = parse_options(NAME, OPTIONS, config)? == [Some(1)];
        let lease = Lease::new(&self.library)?;
        let solver = YicesSolver::new(lease, config.seed, interpolates)?;
        let session = ForeignSession::new(solver);
        Ok(Box::new(ConstArrays::new(Box::new(session))))
    }
}
