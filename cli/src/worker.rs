//! The hidden subcommands under which this executable runs one engine, the other end of `check`, or
//! keeps one job, the other end of `bench`.

use crate::solvers::Solvers;
use std::process::ExitCode;
use trellis_confine::KEEPER_COMMAND;
use trellis_confine::keeper::keeper_main;
use trellis_plugin_host::{WORKER_COMMAND, worker_main};

/// Becomes a worker or a keeper when the arguments say so; before any thread is started.
pub fn intercept() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    match args.next()?.to_str()? {
        WORKER_COMMAND => {}
        KEEPER_COMMAND => return Some(keeper_main()),
        _ => return None,
    }
    let rest: Vec<String> = args.filter_map(|a| a.into_string().ok()).collect();
    let solvers = Solvers::with_plugins(std::env::var_os("TRELLIS_PLUGIN_PATH"));
    Some(worker_main(&rest, &solvers))
}
