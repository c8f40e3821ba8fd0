//! `trellis validate`: does a witness, ours or another tool's, show what it claims?

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::guard::{Guard, signals};
use crate::source::Warnings;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use trellis::pipelines;
use trellis::session::Session;
use trellis::stop::Stop;
use trellis::validate::Outcome;
use trellis::worker::Worker;
use trellis_pipeline::units;

/// Checks a witness.
#[derive(Args)]
pub struct ValidateArgs {
    /// The program
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// The witness: SV-COMP format 2.0 for C; a stimulus or a witness circuit for AIGER and BTOR2
    #[arg(value_name = "WITNESS")]
    witness: PathBuf,
    /// The property; unreach-call when not given
    #[arg(long, value_name = "LIST")]
    check: Option<String>,
    /// Time for all of it
    #[arg(short, long, value_name = "TIME", default_value = "90s")]
    timeout: String,
}

/// Runs the command.
pub fn main(args: &ValidateArgs, worker: Worker) -> Result<ExitCode, CliError> {
    let time = units::duration(&args.timeout).filter(|t| !t.is_zero());
    if time.is_none() {
        let text = format!("--timeout {}: not a time; `90s` is", args.timeout);
        return Err(CliError::Usage(text));
    }
    let flag = signals()?;
    // Reading and encoding know of no interruption.
    let guard = Guard::new(&Stop::new(time, flag.clone()), None, |why| {
        println!("WITNESS: unknown ({why})");
        std::process::exit(i32::from(EXIT_UNKNOWN));
    })?;
    let mut pipeline = pipelines::load(pipelines::DEFAULT, &[], None)?;
    pipeline.limits.wall = time;
    let warnings = Warnings(guard.patience());
    let session = Session::new(pipeline).worker(worker).stop_when(flag);
    let session = session.observer(&warnings);
    let outcome = session.validate(&args.program, &args.witness, args.check.as_deref());
    drop(guard);
    Ok(match outcome? {
        Outcome::Valid(how) => {
            println!("WITNESS: valid ({how})");
            ExitCode::SUCCESS
        }
        Outcome::Invalid(why) => {
            println!("WITNESS: invalid ({})", why.replace('\n', " "));
            ExitCode::from(EXIT_FALSE)
        }
        Outcome::Unknown(why) => {
            println!("WITNESS: unknown ({})", why.replace('\n', " "));
            ExitCode::from(EXIT_UNKNOWN)
        }
    })
}
