//! `trellis validate`: does a witness, ours or another tool's, show what it claims?

use crate::check::Certify;
use crate::error::{EXIT_FALSE, EXIT_UNKNOWN};
use crate::guard::{Guard, signals};
use crate::plain::plain;
use crate::source::{AssumptionArgs, Warnings};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use trellis::session::Session;
use trellis::stop::Stop;
use trellis::validate::Outcome;
use trellis::worker::Worker;
use trellis::{Error, assumptions, pipelines};
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
    /// Whose word counts for a proof: a solver's, or that of a checker of proofs which the SAT solver has to write
    #[arg(long, value_name = "BY", default_value = "solver")]
    certify: Certify,
    #[command(flatten)]
    assumptions: AssumptionArgs,
    /// List the assumptions that the answer rests on
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the command.
pub fn main(args: &ValidateArgs, worker: Worker) -> Result<ExitCode, Error> {
    let time = units::duration(&args.timeout).filter(|t| !t.is_zero());
    if time.is_none() {
        let text = format!("--timeout {}: not a time; `90s` is", args.timeout);
        return Err(Error::Usage(text));
    }
    let flag = signals()?;
    // Reading and encoding know of no interruption.
    let guard = Guard::new(&Stop::new(time, flag.clone()), None, |why| {
        println!("WITNESS: unknown ({why})");
        std::process::exit(i32::from(EXIT_UNKNOWN));
    })?;
    let mut pipeline = pipelines::load(pipelines::DEFAULT, &[], None)?;
    pipeline.limits.wall = time;
    args.certify.apply(&mut pipeline);
    let warnings = Warnings(guard.patience());
    let session = Session::new(pipeline).worker(worker).stop_when(flag);
    let session = session.observer(&warnings);
    let grants = args.assumptions.grants();
    let check = args.check.as_deref();
    let validated = session.validate_with(&args.program, &args.witness, check, &grants);
    drop(guard);
    let validated = validated?;
    let told = assumptions::lines(&validated.assumptions, args.verbose);
    print!("{}", plain(&told));
    Ok(match validated.outcome {
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
