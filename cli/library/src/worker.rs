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
use trellis_plugin_host::{SearchPath, WORKER_COMMAND, worker_main};

/// An executable that is a worker when it is asked to be.
#[derive(Clone, Debug)]
pub struct Worker {
    executable: PathBuf,
}

/// Makes this process a worker or a keeper when its arguments say so; it is over then, with this code. Otherwise its
/// executable is known to be a worker from here on. To be called at the beginning of `main`, before any thread is started.
pub fn intercept() -> Result<Worker, ExitCode> {
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let host = || Worker {
        executable: std::env::current_exe().unwrap_or_else(|_| name.into()),
    };
    match args.next().as_deref().and_then(|a| a.to_str()) {
        Some(WORKER_COMMAND) => {}
        Some(KEEPER_COMMAND) => return Err(keeper_main()),
        _ => return Ok(host()),
    }
    let rest: Vec<String> = args.filter_map(|a| a.into_string().ok()).collect();
    Err(worker_main(&rest, &Solvers))
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
        Ok(Worker { executable })
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
