//! Loading a library and checking its symbols.

use crate::functions::Functions;
use crate::session::IpasirSession;
use libloading::Library;
use std::ffi::{CStr, OsStr, c_char};
use std::sync::Arc;
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::{Capabilities, SessionConfig, SolverError, parse_options};

const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT);

/// One IPASIR library, which makes sessions.
#[derive(Clone)]
pub struct Ipasir {
    name: String,
    functions: Arc<Functions>,
}

impl Ipasir {
    /// Loads the library at `path` and checks that it exports IPASIR.
    ///
    /// A path without a slash is looked up by the system's loader.
    pub fn load(path: impl AsRef<OsStr>) -> Result<Ipasir, SolverError> {
        let path = path.as_ref();
        let name = format!("ipasir:{}", path.to_string_lossy());
        let unavailable = |reason: String| SolverError::Unavailable {
            solver: name.clone(),
            reason,
        };
        // SAFETY: runs the initialisers of a library that the user chose by name; that these do no harm
        // is the user's promise, as the crate documentation says.
        let library = unsafe { Library::new(path) }
            .map_err(|e| unavailable(format!("the library does not load: {e}")))?;
        let functions = find(library).map_err(unavailable)?;
        Ok(Ipasir {
            name,
            functions: Arc::new(functions),
        })
    }

    /// Name and version as the library states them.
    pub fn signature(&self) -> &str {
        &self.functions.signature
    }
}

/// Finds every function, or says which are missing.
fn find(library: Library) -> Result<Functions, String> {
    let mut missing = Vec::new();
    macro_rules! symbol {
        ($name:literal) => {
            // SAFETY: the type is the one of ipasir.h for this name, inferred from the field below.
            match unsafe { library.get($name) } {
                Ok(symbol) => Some(*symbol),
                Err(_) => {
                    missing.push(String::from_utf8_lossy($name).into_owned());
                    None
                }
            }
        };
    }
    let signature: Option<unsafe extern "C" fn() -> *const c_char> = symbol!(b"ipasir_signature");
    let init = symbol!(b"ipasir_init");
    let release = symbol!(b"ipasir_release");
    let add = symbol!(b"ipasir_add");
    let assume = symbol!(b"ipasir_assume");
    let solve = symbol!(b"ipasir_solve");
    let val = symbol!(b"ipasir_val");
    let failed = symbol!(b"ipasir_failed");
    let set_terminate = symbol!(b"ipasir_set_terminate");
    let all = (|| {
        // SAFETY: ipasir.h: takes nothing, returns a C string that lives as long as the library.
        let text = unsafe { signature?() };
        let signature = if text.is_null() {
            "unnamed".to_string()
        } else {
            // SAFETY: not null, see above.
            unsafe { CStr::from_ptr(text) }
                .to_string_lossy()
                .into_owned()
        };
        Some((
            signature,
            init?,
            release?,
            add?,
            assume?,
            solve?,
            val?,
            failed?,
            set_terminate?,
        ))
    })();
    let Some((signature, init, release, add, assume, solve, val, failed, set_terminate)) = all
    else {
        return Err(format!(
            "the library lacks the symbols {}",
            missing.join(", ")
        ));
    };
    Ok(Functions {
        init,
        release,
        add,
        assume,
        solve,
        val,
        failed,
        set_terminate,
        limit_conflicts: None,
        capabilities: CAPABILITIES,
        signature,
        library: Some(library),
    })
}

impl SatBackend for Ipasir {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        parse_options(&self.name, &[], config)?;
        Ok(Box::new(IpasirSession::new(
            &self.name,
            self.functions.clone(),
        )?))
    }
}
