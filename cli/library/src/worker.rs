//! Who becomes the processes that a check needs: *workers*, each with one plugin in it, and *keepers*, which end what
//! they start in time.
//!
//! Both are an executable that begins with [`intercept`]: the embedding program itself, or another one, such as
//! `trellis`.

use crate::error::Error;
use crate::solvers::Solvers;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trellis_confine::KEEPER_COMMAND;
use trellis_confine::keeper::keeper_main;
use trellis_plugin_host::elsewhere::{SERVE_COMMAND, serve};
use trellis_plugin_host::{SearchPath, WORKER_COMMAND, worker_main};

/// An executable that is a worker when it is asked to be.
#[derive(Clone, Debug)]
pub struct Worker {
    executable: PathBuf,
    launcher: Vec<String>,
}

/// Makes this process a worker or a keeper when its arguments say so; it is over then, with this code. Otherwise its
/// executable is known to be a worker from here on. To be called at the beginning of `main`, before any thread is started.
pub fn intercept() -> Result<Worker, ExitCode> {
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let host = || Worker {
        executable: std::env::current_exe().unwrap_or_else(|_| name.into()),
        launcher: Vec::new(),
    };
    match args.next().as_deref().and_then(|a| a.to_str()) {
        Some(WORKER_COMMAND) => {}
        Some(KEEPER_COMMAND) => return Err(keeper_main()),
        Some(SERVE_COMMAND) => return Err(serve(&words(args))),
        _ => return Ok(host()),
    }
    Err(worker_main(&words(args), &Solvers))
}

fn words(args: std::env::ArgsOs) -> Vec<String> {
    args.filter_map(|a| a.into_string().ok()).collect()
}

impl Worker {
    /// Another executable whose `main` begins with [`intercept`].
    pub fn at(executable: &Path) -> Result<Worker, Error> {
        let absolute = std::path::absolute(executable).map_err(|e| e.to_string());
        let there = absolute.and_then(|path| match path.is_file() {
            true => Ok(path),
            false => Err("there is no such file".into()),
        });
        let executable =
            there.map_err(|e| Error::Usage(format!("{}: no worker: {e}", executable.display())))?;
        let launcher = Vec::new();
        Ok(Worker {
            executable,
            launcher,
        })
    }

    /// Has this command start the engines of a race, perhaps on other machines, where the executable and the plugins are at the same
    /// places: it gets the command of a worker as further arguments, carries its standard streams, and ends with its exit code.
    /// `srun` and `ssh HOST` do so.
    pub fn launched_by(self, launcher: Vec<String>) -> Worker {
        Worker { launcher, ..self }
    }

    /// The command that starts the engines of a race; empty where that is done here.
    pub fn launcher(&self) -> &[String] {
        &self.launcher
    }

    /// The executable.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

/// The folders to look for plugins in: these, those of `TRELLIS_PLUGIN_PATH`, and the usual ones.
pub fn search_path(extra: &[PathBuf]) -> SearchPath {
    let variable = std::env::var_os("TRELLIS_PLUGIN_PATH");
    SearchPath::new(extra, variable.as_deref())
}
