//! The `trellis` command.
//!
//! The only crate that knows all others. Each subcommand has a file of its name; this one parses
//! the command line, dispatches and turns errors into exit codes: 0 true or done, 10 false, 20
//! unknown, 2 wrong use or input, 1 a bug of ours.

/// As in the standard library, but for a reader that is gone: `trellis check FILE | head` ends with its verdict and
/// not with a panic.
macro_rules! print {
    ($($arg:tt)*) => { $crate::out::print(format_args!($($arg)*)) };
}
macro_rules! println {
    ($($arg:tt)*) => { $crate::out::print(format_args!("{}\n", format_args!($($arg)*))) };
}
macro_rules! eprint {
    ($($arg:tt)*) => { $crate::out::eprint(format_args!($($arg)*)) };
}
macro_rules! eprintln {
    ($($arg:tt)*) => { $crate::out::eprint(format_args!("{}\n", format_args!($($arg)*))) };
}

mod assumptions;
mod bench;
mod check;
mod dialect;
mod distinct;
mod error;
mod files;
mod flags;
mod hardware;
mod html;
mod ivl;
mod judge;
mod lemmas;
mod load;
mod out;
mod pipelines;
mod plain;
mod plan;
mod plugin_new;
mod plugins;
mod progress;
mod proofs;
mod properties;
mod report;
mod round;
mod run;
mod sarif;
mod show;
mod solvers;
mod solvers_cmd;
mod stop;
mod survey;
mod task;
mod trace;
mod validate;
mod witness;
mod worker;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

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
    Check(check::CheckArgs),
    /// Print, verify, optimise, draw and run programs of the intermediate language
    Ivl(ivl::IvlArgs),
    /// List, show and check pipelines
    Pipelines(pipelines::PipelinesArgs),
    /// Write a new plugin
    Plugin(plugin_new::PluginArgs),
    /// List, describe and check plugins
    Plugins(plugins::PluginsArgs),
    /// List the solvers: which are present, what they can do, how to get the others
    Solvers,
    /// Tell what the C front end makes of many files
    Survey(survey::SurveyArgs),
    /// Check a witness of a verdict, ours or another tool's
    Validate(validate::ValidateArgs),
}

/// Room for the recursions of a whole check, whatever the shell's limit is; tried in this order.
const STACKS: [usize; 3] = [256 << 20, 32 << 20, 4 << 20];

fn main() -> ExitCode {
    if let Some(code) = worker::intercept() {
        return code;
    }
    let thread = || std::thread::Builder::new().name("trellis".into());
    let mut started = STACKS
        .iter()
        .map(|size| thread().stack_size(*size).spawn(run));
    let ended = started
        .find_map(Result::ok)
        .map(std::thread::JoinHandle::join);
    match ended {
        Some(Ok(code)) => code,
        // The panic has said what happened.
        Some(Err(_)) => ExitCode::from(1),
        None => {
            eprintln!("trellis: the system allows no thread: see `ulimit -u` and `ulimit -v`");
            ExitCode::from(2)
        }
    }
}

fn run() -> ExitCode {
    let result = flags::translate(std::env::args_os()).and_then(|args| {
        let cli = Cli::parse_from(args);
        match &cli.command {
            Command::Bench(args) => bench::main(args),
            Command::Check(args) => check::main(args),
            Command::Ivl(args) => ivl::main(args),
            Command::Pipelines(args) => pipelines::main(args),
            Command::Plugin(args) => plugin_new::main(args),
            Command::Plugins(args) => plugins::main(args),
            Command::Solvers => solvers_cmd::main(),
            Command::Survey(args) => survey::main(args),
            Command::Validate(args) => validate::main(args),
        }
    });
    result.unwrap_or_else(|e| {
        eprintln!("trellis: {e}");
        e.exit_code()
    })
}
