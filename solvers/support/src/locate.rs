//! Finding a solver at run time.
//!
//! One order for libraries and programs: the environment variable the user set for it (then nothing
//! else is tried), the folder of the running executable, a folder `solvers/lib` or `solvers/bin` beside
//! or above it (where `tests/install-solvers.sh` puts what it installs), the system.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use trellis_solver_api::SolverError;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Locate<'a> {
    /// The environment variable with the path.
    pub variable: &'a str,
    /// File names, the best first.
    pub names: &'a [&'a str],
}

impl Locate<'_> {
    /// Paths at which a shared library may lie, in the order to try them. The last ones are bare names
    /// for the system's loader.
    pub fn libraries(&self) -> Vec<OsString> {
        if let Some(path) = env::var_os(self.variable) {
            return vec![path];
        }
        let mut found: Vec<OsString> = self.existing("lib").map(OsString::from).collect();
        found.extend(self.names.iter().map(OsString::from));
        found
    }

    /// The first library that `load` takes. Where there is none, why not the first, and what to do.
    pub fn load<T>(
        &self,
        solver: &str,
        load: impl Fn(OsString) -> Result<T, SolverError>,
    ) -> Result<T, SolverError> {
        let mut first = None;
        for path in self.libraries() {
            match load(path) {
                Err(SolverError::Unavailable { reason, .. }) => {
                    // The first was looked for where the user meant it to be.
                    first.get_or_insert(reason);
                }
                done => return done,
            }
        }
        Err(SolverError::Unavailable {
            solver: solver.to_string(),
            reason: format!("{}; {}", first.unwrap_or_default(), self.advice()),
        })
    }

    /// The path of the program, if there is one.
    pub fn program(&self) -> Option<PathBuf> {
        if let Some(path) = env::var_os(self.variable) {
            return Some(path.into());
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let system = env::split_paths(&path)
            .flat_map(|folder| self.names.iter().map(move |name| folder.join(name)))
            .filter(|file| file.is_file());
        self.existing("bin").chain(system).next()
    }

    fn existing(&self, kind: &str) -> impl Iterator<Item = PathBuf> {
        let executable = env::current_exe().unwrap_or_default();
        let mut folders: Vec<PathBuf> = executable.parent().map(Into::into).into_iter().collect();
        folders.extend(
            executable
                .ancestors()
                .skip(1)
                .map(|folder| folder.join("solvers").join(kind)),
        );
        folders
            .into_iter()
            .flat_map(|folder| self.names.iter().map(move |name| folder.join(name)))
            .filter(|file| file.is_file())
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// What to tell a user for whom nothing was found.
    pub fn advice(&self) -> String {
        format!(
            "run tests/install-solvers.sh, install {} where the system finds it, or set {} to its path",
            self.names[0], self.variable
        )
    }
}
