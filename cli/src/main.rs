//! The `trellis` command.
//!
//! Arguments, and what is printed; what is decided and how is the library's (`cli/library`). Each subcommand has a file of
//! its name; this one parses the command line, dispatches and turns errors into exit codes: 0 true or done, 10 false, 20
//! unknown, 2 wrong use or input, 1 a bug of ours.

/// As in the standard library, but for a reader that is gone: `trellis check FILE | head` ends with its verdict and
/// not with a panic.
macro_rules! print {
    ($($arg:tt)*) => { $crate::out::print(format_args!($($arg)*)) };
}
macro_rules! println {
    ($($arg:tt)*) => { $crate::out::print(format_args!("{}\n", format_args!($($arg)*))) };
}
macro_rules! eprintln {
    ($($arg:tt)*) => { $crate::out::eprint(format_args!("{}\n", format_args!($($arg)*))) };
}

mod bench;
mod check;
mod distinct;
mod elsewhere;
mod error;
mod explain;
mod flags;
mod guard;
mod ivl;
mod lsp;
mod manual;
mod modular;
mod out;
mod pipelines;
mod plain;
mod plugin_new;
mod plugins;
mod progress;
mod project;
mod results;
mod run;
mod show;
mod solvers;
mod source;
mod survey;
mod validate;

use clap::{Parser, Subcommand};
use elsewhere::RELAY_COMMAND;
use std::process::ExitCode;
use trellis::room::with_room;
use trellis::worker::{Worker, intercept};
use trellis_bench::cluster::RUN_COMMAND;

/// Certified verification of C programs and hardware models
#[derive(Parser)]
#[command(name = "trellis", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run sets of tasks over pipelines and other tools, and compare what they reach
    Bench(bench::BenchArgs),
    /// Check a program: can an error be reached?
    Check(Box<check::CheckArgs>),
    /// Print what a shell needs to complete arguments
    Completions(manual::CompletionsArgs),
    /// Explain a kind of error, or an assumption
    Explain(explain::ExplainArgs),
    /// Print, verify, optimise, draw and run programs of the intermediate language
    Ivl(ivl::IvlArgs),
    /// Write a trellis.toml for what is in this folder
    Init(project::InitArgs),
    /// Serve an editor, by the language server protocol
    Lsp(lsp::LspArgs),
    /// Write the manual, one page for each command
    Man(manual::ManArgs),
    /// List, show and check pipelines
    Pipelines(pipelines::PipelinesArgs),
    /// Write a new plugin
    Plugin(plugin_new::PluginArgs),
    /// List, describe and check plugins
    Plugins(plugins::PluginsArgs),
    /// List the solvers: which are present, what they can do, how to get the others
    Solvers(solvers::SolversArgs),
    /// Tell what the C front end makes of many files
    Survey(survey::SurveyArgs),
    /// Check a witness of a verdict, ours or another tool's
    Validate(validate::ValidateArgs),
}

fn main() -> ExitCode {
    let worker = match intercept() {
        Ok(worker) => worker,
        Err(code) => return code,
    };
    let args: Vec<String> = std::env::args_os()
        .skip(1)
        .filter_map(|a| a.into_string().ok())
        .collect();
    match args.first().map(String::as_str) {
        Some(RUN_COMMAND) => return bench::serve(&args[1..]),
        Some(RELAY_COMMAND) => return elsewhere::relay(&args[1..]),
        _ => {}
    }
    let ended = std::panic::catch_unwind(|| with_room(|| run(worker.clone())));
    match ended {
        Ok(Ok(code)) => code,
        Ok(Err(e)) => {
            eprintln!("trellis: {e}");
            error::exit_code(&e)
        }
        // The panic has said what happened.
        Err(_) => ExitCode::from(1),
    }
}

/// The arguments of a check, as on the command line.
fn check_args(args: Vec<std::ffi::OsString>) -> Result<check::CheckArgs, trellis::Error> {
    let args = flags::translate(args.into_iter())?;
    let cli = Cli::try_parse_from(args).map_err(|e| trellis::Error::Usage(e.to_string()))?;
    match cli.command {
        Command::Check(args) => Ok(*args),
        _ => Err(trellis::Error::Internal("no arguments of a check".into())),
    }
}

fn run(worker: Worker) -> ExitCode {
    let result = flags::translate(std::env::args_os()).and_then(|args| {
        let cli = Cli::parse_from(args);
        match &cli.command {
            Command::Bench(args) => bench::main(args, &worker),
            Command::Check(args) => check::main(args, worker),
            Command::Completions(args) => manual::completions(args),
            Command::Explain(args) => explain::main(args),
            Command::Ivl(args) => ivl::main(args, &worker),
            Command::Init(args) => project::init(args),
            Command::Lsp(args) => lsp::main(args, worker),
            Command::Man(args) => manual::man(args),
            Command::Pipelines(args) => pipelines::main(args, &worker),
            Command::Plugin(args) => plugin_new::main(args),
            Command::Plugins(args) => plugins::main(args, &worker),
            Command::Solvers(args) => solvers::main(args, &worker),
            Command::Survey(args) => survey::main(args, &worker),
            Command::Validate(args) => validate::main(args, worker),
        }
    });
    result.unwrap_or_else(|e| {
        eprintln!("trellis: {e}");
        error::exit_code(&e)
    })
}
