//! `trellis solvers`: which solvers are present, with version and capabilities, and how to get the others.

use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trellis::Error;
use trellis::solvers::{self, SOLVERS, Solvers, Theory};
use trellis::worker::{Worker, search_path};
use trellis_plugin_host::{Backends, PluginKind, SearchPath};
use trellis_solver_api::{SessionConfig, SolverError};

/// Lists the solvers that engines can use.
#[derive(Args)]
pub struct SolversArgs {
    /// Further folders of plugins
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Say which options each takes
    #[arg(long)]
    options: bool,
}

/// Runs the command.
pub fn main(args: &SolversArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let search = search_path(&args.plugins);
    let exe = worker.executable();
    let mut plugins = search.all();
    plugins.retain(|found| {
        let ours = |theory| solvers::Solver::named(theory, &found.id).is_some();
        found.kind == PluginKind::Backend && !ours(Theory::Smt) && !ours(Theory::Sat)
    });
    for (theory, title) in [(Theory::Smt, "SMT solvers"), (Theory::Sat, "SAT solvers")] {
        println!("{title}");
        for solver in SOLVERS.iter().filter(|solver| solver.theory == theory) {
            if solver.is_open() {
                println!("  {:<18} {}", solver.name, solver.found);
                continue;
            }
            show(solver.name, open(theory, solver.name, &search));
            if args.options {
                show_options(theory, solver.name, &search, exe);
            }
        }
        for found in &plugins {
            // One that is for the other theory says so itself, there.
            if let Ok(said) = open(theory, &found.id, &search) {
                show(&found.id, Ok(said));
                if args.options {
                    show_options(theory, &found.id, &search, exe);
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Signature and capabilities of a session.
fn open(theory: Theory, name: &str, search: &SearchPath) -> Result<(String, String), SolverError> {
    let config = SessionConfig::default();
    let library = search.find(PluginKind::Backend, name).ok().map(|f| f.path);
    match theory {
        Theory::Smt => {
            let session = Solvers.smt(name, library.as_deref())?.session(&config)?;
            let capabilities = session.capabilities().to_string();
            Ok((session.signature().to_string(), capabilities))
        }
        Theory::Sat => {
            let session = Solvers.sat(name, library.as_deref())?.session(&config)?;
            let capabilities = session.capabilities().to_string();
            Ok((session.signature().to_string(), capabilities))
        }
    }
}

fn show(name: &str, found: Result<(String, String), SolverError>) {
    match found {
        Ok((signature, capabilities)) => {
            println!("  {name:<18} {signature}");
            println!("  {:<18}   {capabilities}", "");
        }
        Err(e) => println!("  {name:<18} absent: {e}"),
    }
}

fn show_options(theory: Theory, name: &str, search: &SearchPath, exe: &Path) {
    for option in solvers::options(theory, name, search, exe).unwrap_or_default() {
        let values = option.values();
        println!(
            "  {:<18}   {} = {} ({values})",
            "", option.name, option.default
        );
        println!("  {:<18}       {}", "", option.doc);
    }
}
