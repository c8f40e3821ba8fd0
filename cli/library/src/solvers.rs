//! The table of solvers: names, how each is found, what it can do, its options. Whoever asks by a name asks here: the
//! list of `trellis solvers`, the checks of pipelines, workers, the checker.
//!
//! Plugins are in no table. The host finds their libraries and says so in the job; a worker, which may load them, looks for
//! nothing. What they can do and their options they say themselves, in a process of their own.

use std::path::Path;
use trellis_ivl::nearest::nearest;
use trellis_plugin_host::{Backends, OptionInfo, PluginKind, SearchPath, library, probe};
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Capabilities, OptionSpec, SessionConfig, SolverError};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_interpolate::Interpolating;
use trellis_solver_ipasir::Ipasir;
use trellis_solver_smtlib::{SmtLib, dialect};
use trellis_solver_trace::Traced;

/// What a solver decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    /// Formulas over terms.
    Smt,
    /// Clauses.
    Sat,
}

/// One solver that pipelines may name.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// Its name; what follows a colon is the user's.
    pub name: &'static str,
    /// Other names of it.
    pub also: &'static [&'static str],
    /// What it decides.
    pub theory: Theory,
    /// How it is found.
    pub found: &'static str,
}

const fn smt(name: &'static str, also: &'static [&'static str], found: &'static str) -> Solver {
    Solver {
        name,
        also,
        theory: Theory::Smt,
        found,
    }
}

const fn sat(name: &'static str, also: &'static [&'static str], found: &'static str) -> Solver {
    Solver {
        name,
        also,
        theory: Theory::Sat,
        found,
    }
}

const EMBEDDED: &str = "part of this executable";
const PROGRAM: &str = "a program in the PATH, over a pipe";
const LIBRARY: &str = "a plugin for its library, or else a program in the PATH";

/// Every solver but plugins, in the order of lists. The first of a theory is the default.
pub const SOLVERS: &[Solver] = &[
    smt("bitblast-cadical", &["", "bitblast"], EMBEDDED),
    smt("bitblast-batsat", &[], EMBEDDED),
    smt("z3", &[], LIBRARY),
    smt("yices", &[], LIBRARY),
    smt("z3-pipe", &[], PROGRAM),
    smt("yices-pipe", &[], PROGRAM),
    smt("cvc5-pipe", &["cvc5"], PROGRAM),
    smt("bitwuzla-pipe", &["bitwuzla"], PROGRAM),
    smt("mathsat-pipe", &["mathsat"], PROGRAM),
    smt(
        "smtlib:COMMAND",
        &[],
        "any SMT-LIB 2 program that reads commands from its standard input",
    ),
    sat("cadical", &[""], EMBEDDED),
    sat("batsat", &[], EMBEDDED),
    sat(
        "ipasir:LIBRARY",
        &[],
        "any IPASIR shared library, by its path",
    ),
];

impl Solver {
    /// The solver that a name means, unless it is a plugin.
    pub fn named(theory: Theory, name: &str) -> Option<&'static Solver> {
        let of_theory = |solver: &&Solver| solver.theory == theory;
        SOLVERS.iter().filter(of_theory).find(|solver| {
            let open = solver.is_open() && name.split_once(':').map(|n| n.0) == Some(solver.stem());
            open || solver.name == name || solver.also.contains(&name)
        })
    }

    /// Whether it is part of this executable.
    pub fn is_embedded(&self) -> bool {
        self.found == EMBEDDED
    }

    /// Whether the user says the rest of its name.
    pub fn is_open(&self) -> bool {
        self.name.contains(':')
    }

    fn stem(&self) -> &'static str {
        self.name.split(':').next().unwrap_or(self.name)
    }
}

/// The backends by name.
pub struct Solvers;

/// Whether there is a solver of this name at all; whether it works shows when it is used. Nothing is loaded.
///
/// # Errors
/// That there is none, with the nearest name.
pub fn check(theory: Theory, name: &str, search: &SearchPath) -> Result<(), SolverError> {
    if Solver::named(theory, name).is_some() || search.find(PluginKind::Backend, name).is_ok() {
        return Ok(());
    }
    let plugins = search.all().into_iter();
    let plugins = plugins.filter(|found| found.kind == PluginKind::Backend);
    let plugins: Vec<String> = plugins.map(|found| found.id).collect();
    Err(unknown(theory, name, &plugins))
}

/// The options of the sessions of a solver, as far as they can be known here. A plugin is asked by a worker, which is
/// `executable`.
pub fn options(
    theory: Theory,
    name: &str,
    search: &SearchPath,
    executable: &Path,
) -> Option<Vec<OptionSpec>> {
    let ours = Solver::named(theory, name);
    let is_embedded = ours.is_some_and(Solver::is_embedded);
    let plugin = search.find(PluginKind::Backend, name).ok();
    if let Some(found) = plugin.filter(|_| !is_embedded) {
        let info = probe(executable, &found.path).ok()?;
        let mut all: Vec<OptionSpec> = info.options.iter().map(OptionInfo::spec).collect();
        if theory == Theory::Smt {
            all.extend_from_slice(trellis_solver_trace::OPTIONS);
        }
        return Some(all);
    }
    match theory {
        Theory::Smt => Some(Solvers.smt(name, None).ok()?.options()),
        Theory::Sat => Some(Solvers.sat(name, None).ok()?.options()),
    }
}

impl Solvers {
    /// The backend alone, without what every backend is given.
    fn plain_smt(
        &self,
        name: &str,
        library: Option<&Path>,
    ) -> Result<Box<dyn SmtBackend>, SolverError> {
        let plugin = || -> Result<Box<dyn SmtBackend>, SolverError> {
            let path = library.ok_or_else(|| unknown(Theory::Smt, name, &[]))?;
            let e = match library::smt_backend(path) {
                Ok(backend) => return Ok(Box::new(backend)),
                Err(e) => e,
            };
            // One that knows clauses only gets our bit-blaster on top.
            match library::sat_backend(path) {
                Ok(sat) => Ok(Box::new(Bitblast::new(sat))),
                Err(_) => Err(unavailable(name, &e.to_string())),
            }
        };
        let Some(solver) = Solver::named(Theory::Smt, name) else {
            return plugin();
        };
        let mut no_library = None;
        match solver.name {
            "bitblast-cadical" => return Ok(Box::new(Bitblast::new(Cadical))),
            "bitblast-batsat" => return Ok(Box::new(Bitblast::new(Batsat))),
            "smtlib:COMMAND" => {
                let (_, line) = name.split_once(':').unwrap_or_default();
                return Ok(Box::new(SmtLib::command(line)?));
            }
            // By its library where that is there, by its program otherwise.
            "z3" | "yices" => {
                let found = plugin().and_then(|backend| {
                    backend.session(&SessionConfig::default())?;
                    Ok(backend)
                });
                match (found, library) {
                    (Ok(backend), _) => return Ok(backend),
                    (Err(e), Some(_)) => no_library = Some(reason(e)),
                    (Err(_), None) => no_library = Some("its plugin is not there".to_string()),
                }
            }
            _ => {}
        }
        let program = solver.name.strip_suffix("-pipe").unwrap_or(solver.name);
        let known = dialect::KNOWN.into_iter().find(|d| d.name == program);
        let known = known.ok_or_else(|| unknown(Theory::Smt, name, &[]))?;
        match (SmtLib::find(known), no_library) {
            (Err(no_program), Some(no_library)) => {
                let why = format!("{no_library}; over a pipe: {}", reason(no_program));
                Err(unavailable(name, &why))
            }
            (found, _) => Ok(Box::new(found?)),
        }
    }
}

impl Backends for Solvers {
    /// Every backend can be traced, and interpolates by unsat cores where it does not by itself.
    fn smt(&self, name: &str, library: Option<&Path>) -> Result<Box<dyn SmtBackend>, SolverError> {
        let plain = self.plain_smt(name, library)?;
        let interpolates = plain.capabilities().contains(Capabilities::INTERPOLATION);
        Ok(if interpolates {
            Box::new(Traced(plain))
        } else {
            Box::new(Traced(Interpolating::new(plain)))
        })
    }

    fn sat(&self, name: &str, library: Option<&Path>) -> Result<Box<dyn SatBackend>, SolverError> {
        let Some(solver) = Solver::named(Theory::Sat, name) else {
            let path = library.ok_or_else(|| unknown(Theory::Sat, name, &[]))?;
            let backend = library::sat_backend(path);
            return Ok(Box::new(
                backend.map_err(|e| unavailable(name, &e.to_string()))?,
            ));
        };
        Ok(match solver.name {
            "cadical" => Box::new(Cadical),
            "batsat" => Box::new(Batsat),
            _ => {
                let (_, path) = name.split_once(':').unwrap_or_default();
                Box::new(Ipasir::load(path)?)
            }
        })
    }
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

fn unknown(theory: Theory, name: &str, plugins: &[String]) -> SolverError {
    let ours = SOLVERS.iter().filter(|solver| solver.theory == theory);
    let known: Vec<&str> = ours
        .map(|solver| solver.name)
        .chain(plugins.iter().map(String::as_str))
        .collect();
    let hint = nearest(name, known.iter().copied());
    let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
    let known = known.join(", ");
    unavailable(
        name,
        &format!("there is no such solver{hint} (known are {known}, and plugins)"),
    )
}

/// Backends for the checker, first choice first, for a claim of an engine that used `engine`:
/// an independent program where one is found, then our bit-blaster on another SAT solver. What is too hard for these is asked of the
/// other of the two SAT solvers as well: a session of its own, that knows nothing of the engine's.
pub fn certifiers(engine: &str) -> Vec<Box<dyn SmtBackend>> {
    let needed = Capabilities::PUSH_POP;
    let mut all: Vec<Box<dyn SmtBackend>> = Vec::new();
    for found in SmtLib::find_all() {
        if found.capabilities().contains(needed) && !engine.starts_with(found.name()) {
            all.push(Box::new(found));
            break;
        }
    }
    let ours = match engine.ends_with("batsat") {
        true => ["bitblast-cadical", "bitblast-batsat"],
        false => ["bitblast-batsat", "bitblast-cadical"],
    };
    for name in ours {
        all.extend(Solvers.plain_smt(name, None));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table names can be made, or says that it is absent; what it does not name is no solver.
    #[test]
    fn the_table_is_what_there_is() {
        for solver in SOLVERS.iter().filter(|solver| !solver.is_open()) {
            for name in solver.also.iter().chain([&solver.name]) {
                let made = match solver.theory {
                    Theory::Smt => Solvers.smt(name, None).map(drop),
                    Theory::Sat => Solvers.sat(name, None).map(drop),
                };
                match made {
                    Ok(()) => {}
                    Err(e) => {
                        let text = e.to_string();
                        assert!(solver.found != EMBEDDED, "{name}: {text}");
                        assert!(!text.contains("no such solver"), "{name}: {text}");
                    }
                }
            }
        }
        for d in dialect::KNOWN {
            assert!(Solver::named(Theory::Smt, d.name).is_some(), "{}", d.name);
        }
        let wrong = Solvers.smt("bitblast-cadcal", None).err();
        let text = wrong.map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("did you mean `bitblast-cadical`?"), "{text}");
    }
}
