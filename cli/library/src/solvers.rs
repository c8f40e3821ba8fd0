//! The solver backends of this executable, by name.

use std::ffi::OsString;
use trellis_ivl::nearest::nearest;
use trellis_plugin_host::{Backends, PluginKind, SearchPath, library};
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Capabilities, SessionConfig, SolverError};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_interpolate::Interpolating;
use trellis_solver_ipasir::Ipasir;
use trellis_solver_smtlib::{SmtLib, dialect};
use trellis_solver_trace::Traced;

const SMT: [&str; 2] = ["bitblast-cadical", "bitblast-batsat"];
const SAT: [&str; 2] = ["cadical", "batsat"];

/// The backends, with solver plugins where a search path is given.
pub struct Solvers {
    plugins: Option<SearchPath>,
}

impl Solvers {
    /// For a worker, which may load plugins.
    pub fn with_plugins(variable: Option<OsString>) -> Solvers {
        Solvers {
            plugins: Some(SearchPath::new(&[], variable.as_deref())),
        }
    }

    /// For the host, which loads nothing into itself.
    pub fn built_in() -> Solvers {
        Solvers { plugins: None }
    }
}

/// Whether there is an SMT backend of this name at all; whether it works shows when it is used. Nothing is
/// loaded.
pub fn check_smt(name: &str, search: &SearchPath) -> Result<(), SolverError> {
    let pipe = name.strip_suffix("-pipe").unwrap_or(name);
    let known = ["", "bitblast"].contains(&name)
        || SMT.contains(&name)
        || dialect::KNOWN.into_iter().any(|d| d.name == pipe)
        || name.starts_with("smtlib:")
        || search.find(PluginKind::Backend, name).is_ok();
    match known {
        true => Ok(()),
        false => Err(unknown_smt(name)),
    }
}

/// The same for SAT.
pub fn check_sat(name: &str, search: &SearchPath) -> Result<(), SolverError> {
    let known = name.is_empty()
        || SAT.contains(&name)
        || name.starts_with("ipasir:")
        || search.find(PluginKind::Backend, name).is_ok();
    match known {
        true => Ok(()),
        false => Err(unknown(name, &SAT)),
    }
}

impl Solvers {
    /// The backend alone, without what every backend is given.
    fn plain_smt(&self, name: &str) -> Result<Box<dyn SmtBackend>, SolverError> {
        match name {
            "" | "bitblast" | "bitblast-cadical" => return Ok(Box::new(Bitblast::new(Cadical))),
            "bitblast-batsat" => return Ok(Box::new(Bitblast::new(Batsat))),
            _ => {}
        }
        // By its library where that is there, by its program otherwise.
        let mut no_library = None;
        if ["z3", "yices"].contains(&name)
            && let Some(plugins) = &self.plugins
        {
            match by_library(plugins, name) {
                Ok(backend) => return Ok(backend),
                Err(why) => no_library = Some(why),
            }
        }
        if let Some(line) = name.strip_prefix("smtlib:") {
            return Ok(Box::new(SmtLib::command(line)?));
        }
        let pipe = name.strip_suffix("-pipe").unwrap_or(name);
        if let Some(known) = dialect::KNOWN.into_iter().find(|d| d.name == pipe) {
            return match (SmtLib::find(known), no_library) {
                (Err(no_program), Some(no_library)) => {
                    let why = format!("{no_library}; over a pipe: {}", reason(no_program));
                    Err(unavailable(name, &why))
                }
                (found, _) => Ok(Box::new(found?)),
            };
        }
        if let Some(found) = self
            .plugins
            .as_ref()
            .and_then(|p| p.find(PluginKind::Backend, name).ok())
        {
            let backend = library::smt_backend(&found.path);
            return Ok(Box::new(
                backend.map_err(|e| unavailable(name, &e.to_string()))?,
            ));
        }
        Err(unknown_smt(name))
    }
}

impl Backends for Solvers {
    /// Every backend can be traced, and interpolates by unsat cores where it does not by itself.
    fn smt(&self, name: &str) -> Result<Box<dyn SmtBackend>, SolverError> {
        let plain = self.plain_smt(name)?;
        let interpolates = plain.capabilities().contains(Capabilities::INTERPOLATION);
        Ok(if interpolates {
            Box::new(Traced(plain))
        } else {
            Box::new(Traced(Interpolating::new(plain)))
        })
    }

    fn sat(&self, name: &str) -> Result<Box<dyn SatBackend>, SolverError> {
        match name {
            "" | "cadical" => return Ok(Box::new(Cadical)),
            "batsat" => return Ok(Box::new(Batsat)),
            _ => {}
        }
        if let Some(path) = name.strip_prefix("ipasir:") {
            return Ok(Box::new(Ipasir::load(path)?));
        }
        if let Some(found) = self
            .plugins
            .as_ref()
            .and_then(|p| p.find(PluginKind::Backend, name).ok())
        {
            let backend = library::sat_backend(&found.path);
            return Ok(Box::new(
                backend.map_err(|e| unavailable(name, &e.to_string()))?,
            ));
        }
        Err(unknown(name, &SAT))
    }
}

/// The solver plugin, if the library that it needs is there too.
fn by_library(plugins: &SearchPath, name: &str) -> Result<Box<dyn SmtBackend>, String> {
    let found = plugins.find(PluginKind::Backend, name);
    let found = found.map_err(|e| e.to_string())?;
    let backend = library::smt_backend(&found.path).map_err(|e| e.to_string())?;
    backend.session(&SessionConfig::default()).map_err(reason)?;
    Ok(Box::new(backend))
}

/// Why a solver is not there, without its name.
fn reason(error: SolverError) -> String {
    match error {
        SolverError::Unavailable { reason, .. } => reason,
        other => other.to_string(),
    }
}

fn unavailable(name: &str, reason: &str) -> SolverError {
    SolverError::Unavailable {
        solver: name.into(),
        reason: reason.into(),
    }
}

fn unknown_smt(name: &str) -> SolverError {
    let programs = dialect::KNOWN.into_iter().map(|d| d.name);
    let known: Vec<&str> = SMT.into_iter().chain(programs).collect();
    unknown(name, &known)
}

fn unknown(name: &str, known: &[&str]) -> SolverError {
    let hint = nearest(name, known.iter().copied());
    let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
    let known = known.join(", ");
    unavailable(
        name,
        &format!("there is no such solver{hint} (known are {known}, and plugins)"),
    )
}

/// Backends for the checker, first choice first, for a claim of an engine that used `engine`:
/// an independent program where one is found, then our bit-blaster on another SAT solver.
pub fn certifiers(engine: &str) -> Vec<Box<dyn SmtBackend>> {
    let needed = Capabilities::PUSH_POP;
    let mut all: Vec<Box<dyn SmtBackend>> = Vec::new();
    for found in SmtLib::find_all() {
        if found.capabilities().contains(needed) && !engine.starts_with(found.name()) {
            all.push(Box::new(found));
            break;
        }
    }
    if engine.ends_with("batsat") {
        all.push(Box::new(Bitblast::new(Cadical)));
    } else {
        all.push(Box::new(Bitblast::new(Batsat)));
    }
    all
}
