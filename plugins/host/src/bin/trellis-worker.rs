//! A worker without solvers, and a host of one engine that prints what the engine does and
//! certifies nothing: for the tests of this crate, and for a first look at a plugin.
//!
//! The `trellis` command is the host that certifies.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use trellis_plugin_host::run::{Event, Observer};
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{
    Backends, EngineSpec, Judge, Judgement, Plan, SolverChoice, Stage, WORKER_COMMAND, run,
    worker_main,
};
use trellis_plugin_sdk::export::RawVerdict;
use trellis_solver_api::SolverError;
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::smt::SmtBackend;

struct NoSolvers;

fn none(name: &str) -> SolverError {
    SolverError::Unavailable {
        solver: name.into(),
        reason: "this worker has no solvers".into(),
    }
}

impl Backends for NoSolvers {
    fn smt(&self, name: &str, _: Option<&Path>) -> Result<Box<dyn SmtBackend>, SolverError> {
        Err(none(name))
    }
    fn sat(&self, name: &str, _: Option<&Path>) -> Result<Box<dyn SatBackend>, SolverError> {
        Err(none(name))
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((command, rest)) if command == WORKER_COMMAND => worker_main(rest, &NoSolvers),
        _ => match &args[..] {
            [id, plugin, program] => host(id, plugin, program).unwrap_or_else(|e| {
                eprintln!("trellis-worker: {e}");
                ExitCode::from(2)
            }),
            _ => {
                eprintln!("usage: trellis-worker ID PLUGIN PROGRAM.ivl");
                ExitCode::from(2)
            }
        },
    }
}

/// Believes nothing.
struct Sceptic;

impl Judge for Sceptic {
    type Accepted = ();
    fn judge(&mut self, _: &EngineSpec, claim: &RawVerdict) -> Judgement<()> {
        Judgement::Undecided(format!("{} words that nobody checks", claim.words.len()))
    }
}

/// Prints one line per event.
struct Printer;

impl Observer for Printer {
    fn event(&self, engine: &str, event: Event) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{engine}: {event:?}").and_then(|()| out.flush());
    }
}

fn host(id: &str, plugin: &str, program: &str) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(program)?;
    let program = trellis_ivl::text::parse(&text).map_err(|e| e.to_string())?;
    let plan = Plan {
        executable: std::env::current_exe()?,
        launcher: Vec::new(),
        engines: vec![EngineSpec {
            name: id.into(),
            id: id.into(),
            plugin: Path::new(plugin).into(),
            options: String::new(),
            smt: SolverChoice::default(),
            sat: SolverChoice::default(),
            reads_lemmas: false,
            image: None,
            after: Duration::ZERO,
        }],
        stage: Stage::Engine(0),
        image: Arc::new(trellis_plugin_sdk::wire::image::write(&program)),
        seed: 0,
        wall: None,
        limits: Limits::default(),
        grace: Duration::from_millis(500),
    };
    let outcome = run(&plan, &mut Sceptic, None, &Printer, &AtomicBool::new(false));
    for report in outcome.reports.values() {
        println!("{}: {} in {:?}", report.name, report.outcome, report.wall);
        print!("{}", report.stderr);
    }
    Ok(ExitCode::SUCCESS)
}
