//! `trellis solvers`: which solvers are present, with version and capabilities, and how to get the others.

use crate::error::CliError;
use std::process::ExitCode;
use trellis::solvers::Solvers;
use trellis_plugin_host::Backends;
use trellis_solver_api::SessionConfig;

/// SMT solvers by the names that pipelines use.
const SMT: [&str; 10] = [
    "bitblast-cadical",
    "bitblast-batsat",
    "z3",
    "yices",
    "z3-pipe",
    "yices-pipe",
    "cvc5-pipe",
    "bitwuzla-pipe",
    "mathsat-pipe",
    "smtlib:COMMAND",
];
const SAT: [&str; 3] = ["cadical", "batsat", "ipasir:LIBRARY"];

/// Runs the command.
pub fn main() -> Result<ExitCode, CliError> {
    let solvers = Solvers::with_plugins(std::env::var_os("TRELLIS_PLUGIN_PATH"));
    let config = SessionConfig::default();
    println!("SMT solvers");
    for name in SMT {
        let session = solvers
            .smt(name)
            .and_then(|backend| backend.session(&config));
        let found = session.map(|s| (s.signature().to_string(), s.capabilities().to_string()));
        show(name, found.map_err(|e| e.to_string()));
    }
    println!("SAT solvers");
    for name in SAT {
        let session = solvers
            .sat(name)
            .and_then(|backend| backend.session(&config));
        let found = session.map(|s| (s.signature().to_string(), s.capabilities().to_string()));
        show(name, found.map_err(|e| e.to_string()));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(name: &str, found: Result<(String, String), String>) {
    match (name, found) {
        ("smtlib:COMMAND", _) => {
            println!(
                "  {name:<18} any SMT-LIB 2 program that reads commands from its standard input"
            );
        }
        ("ipasir:LIBRARY", _) => println!("  {name:<18} any IPASIR shared library, by its path"),
        (_, Ok((signature, capabilities))) => {
            println!("  {name:<18} {signature}");
            println!("  {:<18}   {capabilities}", "");
        }
        (_, Err(e)) => println!("  {name:<18} absent: {e}"),
    }
}
