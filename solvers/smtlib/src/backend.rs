//! An SMT-LIB program as a backend.

use crate::dialect::{self, Cores, Dialect};
use crate::session::PipeSolver;
use std::path::{Path, PathBuf};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Capabilities, SessionConfig, SolverError, parse_options};
use trellis_solver_support::{ConstArrays, ForeignSession, Locate};

/// A program with its arguments and its dialect.
#[derive(Clone, Debug)]
pub struct SmtLib {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    dialect: Dialect,
}

impl SmtLib {
    /// A solver we know, looked for as [`Locate`] says.
    pub fn find(dialect: &Dialect) -> Result<SmtLib, SolverError> {
        let locate = Locate {
            variable: dialect.variable,
            names: &[dialect.program],
        };
        let program = locate.program().ok_or_else(|| SolverError::Unavailable {
            solver: format!("{}-pipe", dialect.name),
            reason: format!("the program was not found: {}", locate.advice()),
        })?;
        let arguments = dialect.arguments.iter().map(ToString::to_string).collect();
        Ok(SmtLib::new(&program, arguments, dialect.clone()))
    }

    /// All known solvers whose program is found.
    pub fn find_all() -> Vec<SmtLib> {
        let known = dialect::KNOWN.into_iter();
        known.filter_map(|d| SmtLib::find(d).ok()).collect()
    }

    /// A command line of the user; the dialect is known by the name of the program. Without arguments it
    /// gets those of the dialect.
    pub fn command(line: &str) -> Result<SmtLib, SolverError> {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else {
            return Err(SolverError::Unavailable {
                solver: "smtlib".to_string(),
                reason: "the command line is empty".to_string(),
            });
        };
        let path = Path::new(program);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let dialect = dialect::of_program(&file).clone();
        let mut arguments: Vec<String> = words.map(ToString::to_string).collect();
        if arguments.is_empty() {
            arguments = dialect.arguments.iter().map(ToString::to_string).collect();
        }
        Ok(SmtLib::new(path, arguments, dialect))
    }

    /// A program with its arguments and its dialect.
    pub fn new(program: &Path, arguments: Vec<String>, dialect: Dialect) -> SmtLib {
        SmtLib {
            name: format!("{}-pipe", dialect.name),
            program: program.to_path_buf(),
            arguments,
            dialect,
        }
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

pub(crate) fn capabilities(dialect: &Dialect) -> Capabilities {
    let mut all = Capabilities::INTERRUPT
        | Capabilities::TIME_LIMIT
        | Capabilities::PUSH_POP
        | Capabilities::MODELS
        | Capabilities::ARRAYS
        | Capabilities::ARRAY_EQUALITY
        | Capabilities::DETERMINISTIC;
    if dialect.cores != Cores::None {
        all |= Capabilities::UNSAT_CORE;
    }
    all
}

impl SmtBackend for SmtLib {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(&self.dialect)
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        parse_options(&self.name, &[], config)?;
        let solver = PipeSolver::new(
            self.name.clone(),
            self.program.clone(),
            self.arguments.clone(),
            self.dialect.clone(),
            config.seed,
        )?;
        let session = ForeignSession::new(solver);
        Ok(if self.dialect.const_arrays {
            Box::new(session)
        } else {
            Box::new(ConstArrays::new(Box::new(session)))
        })
    }
}
