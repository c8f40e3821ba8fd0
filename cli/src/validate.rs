//! `trellis validate`: does a witness, ours or another tool's, show what it claims?
//!
//! An invariant set is put to the checker, by induction on the program as the front end made it. A
//! violation sequence restricts the program to executions along it, and an error of the restricted
//! program is an error of the program. Neither depends on the engine that made the witness.

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::hardware;
use crate::load::{Language, Loaded, Source};
use crate::solvers::certifiers;
use clap::Args;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use trellis_ivl::{FlattenOptions, text};
use trellis_ivl_certify::{Rejection, SafetyCertificate, check_safe};
use trellis_pipeline::units;
use trellis_plugin_sdk::solver::{Limits, SessionConfig};
use trellis_witness::follow::{FollowError, Subject};
use trellis_witness::format::{Entry, Invariant, Metadata, SegmentItem, read};
use trellis_witness::{Sources, hash};

/// Witnesses do not say for which k their invariants are k-inductive.
const LARGEST_K: u32 = 8;

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

/// What a witness is worth, and why.
pub enum Outcome {
    /// It shows what it claims.
    Valid(String),
    /// It does not.
    Invalid(String),
    /// Nobody knows.
    Unknown(String),
}

/// Runs the command.
pub fn main(args: &ValidateArgs) -> Result<ExitCode, CliError> {
    let source = Source::for_file(args.program.clone(), false, None);
    let outcome = match source.language() {
        Some(Language::Aiger | Language::Btor2) => of_hardware(args, &source)?,
        _ => of_program(args)?,
    };
    Ok(match outcome {
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

/// A stimulus or a witness circuit.
fn of_hardware(args: &ValidateArgs, source: &Source) -> Result<Outcome, CliError> {
    let bytes = crate::load::read(&args.witness)?;
    let loaded = source.load_named()?;
    let Some(model) = &loaded.hardware else {
        return Err(CliError::Internal("the front end kept no model".into()));
    };
    let limits = Limits {
        wall: units::duration(&args.timeout),
        ..Limits::NONE
    };
    Ok(hardware::validate(model, &bytes, limits))
}

/// A witness of a C program.
fn of_program(args: &ValidateArgs) -> Result<Outcome, CliError> {
    let text = std::fs::read_to_string(&args.witness).map_err(|error| CliError::Io {
        path: args.witness.clone(),
        error,
    })?;
    match read(&text) {
        Err(e) => Ok(Outcome::Invalid(format!("malformed: {e}"))),
        Ok(entries) => judge(args, &entries),
    }
}

/// Every entry must be valid; there is one as a rule.
fn judge(args: &ValidateArgs, entries: &[Entry]) -> Result<Outcome, CliError> {
    let mut last = Outcome::Unknown("no entry".into());
    for entry in entries {
        let (Entry::InvariantSet { metadata, .. } | Entry::ViolationSequence { metadata, .. }) =
            entry;
        if let Some(why) = other_program(args, metadata)? {
            return Ok(Outcome::Invalid(why));
        }
        let lp64 = metadata.task.data_model == "LP64";
        let source = Source::for_file(args.program.clone(), lp64, args.check.clone());
        let loaded = source.load_named()?;
        last = match entry {
            Entry::InvariantSet { content, .. } => {
                let all: Vec<&Invariant> = content.iter().map(|i| &i.invariant).collect();
                invariants(args, &loaded, &all, lp64)?
            }
            Entry::ViolationSequence { content, .. } => violation(args, &loaded, content, lp64)?,
        };
        if !matches!(last, Outcome::Valid(_)) {
            break;
        }
    }
    Ok(last)
}

fn other_program(args: &ValidateArgs, metadata: &Metadata) -> Result<Option<String>, CliError> {
    let bytes = std::fs::read(&args.program).map_err(|error| CliError::Io {
        path: args.program.clone(),
        error,
    })?;
    let found = hash::sha256(&bytes);
    let known = metadata.task.input_file_hashes.values();
    let fits = known.clone().any(|h| h.eq_ignore_ascii_case(&found));
    Ok((!fits).then(|| "it is about another program: no hash fits".into()))
}

fn subject<'a>(loaded: &'a Loaded, lp64: bool) -> Subject<'a> {
    Subject {
        program: &loaded.program,
        names: &loaded.names,
        long_bits: if lp64 { 64 } else { 32 },
    }
}

fn unfit(e: &FollowError) -> Outcome {
    match e {
        FollowError::Unsupported(_) => Outcome::Unknown(e.to_string()),
        _ => Outcome::Invalid(e.to_string()),
    }
}

fn invariants(
    args: &ValidateArgs,
    loaded: &Loaded,
    all: &[&Invariant],
    lp64: bool,
) -> Result<Outcome, CliError> {
    let options = FlattenOptions::default();
    let mut sources = Sources::default();
    let subject = subject(loaded, lp64);
    let annotated = match subject.annotate(all.iter().copied(), &options, &mut sources) {
        Ok(annotated) => annotated,
        Err(e) => return Ok(unfit(&e)),
    };
    let wall = units::duration(&args.timeout);
    let backends = certifiers("");
    let Some(backend) = backends.last() else {
        return Ok(Outcome::Unknown("there is no solver".into()));
    };
    let mut why = String::new();
    for k in 1..=LARGEST_K {
        let certificate = SafetyCertificate {
            invariants: annotated.invariants.clone(),
            k,
            expansion: options,
        };
        let session = backend.session(&SessionConfig::default());
        let mut session = session.map_err(|e| CliError::Internal(e.to_string()))?;
        session.set_limits(Limits {
            wall,
            ..Limits::NONE
        });
        match check_safe(
            &annotated.program,
            &annotated.flat.pool,
            &certificate,
            &mut *session,
        ) {
            Ok(()) => {
                let how = match k {
                    1 => "the invariants are inductive and exclude the error".into(),
                    k => format!("the invariants are {k}-inductive and exclude the error"),
                };
                return Ok(Outcome::Valid(how));
            }
            Err(e @ (Rejection::Undecided { .. } | Rejection::Solver(_))) => {
                return Ok(Outcome::Unknown(e.to_string()));
            }
            Err(e) if k == 1 => why = e.to_string(),
            Err(_) => {}
        }
    }
    Ok(Outcome::Invalid(why))
}

fn violation(
    args: &ValidateArgs,
    loaded: &Loaded,
    segments: &[SegmentItem],
    lp64: bool,
) -> Result<Outcome, CliError> {
    let mut sources = Sources::default();
    let restricted = match subject(loaded, lp64).restrict(segments, &mut sources) {
        Ok(program) => program,
        Err(e) => return Ok(unfit(&e)),
    };
    let internal = |e: std::io::Error| CliError::Internal(e.to_string());
    let dir = tempfile::tempdir().map_err(internal)?;
    let file = dir.path().join("restricted.ivl");
    std::fs::write(&file, text::print(&restricted)).map_err(internal)?;
    let executable = std::env::current_exe().map_err(internal)?;
    let output = Command::new(executable)
        .args(["check", "--quiet", "--timeout", &args.timeout])
        .arg(&file)
        .output()
        .map_err(internal)?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = stdout.lines().last().unwrap_or_default();
    let verdict = verdict
        .strip_prefix("VERDICT: ")
        .unwrap_or("unknown (no verdict)");
    Ok(match verdict {
        "true" => Outcome::Invalid("no execution along it reaches the target".into()),
        v if v.starts_with("false") => {
            Outcome::Valid("an execution along it reaches the target".into())
        }
        v => Outcome::Unknown(v.trim_start_matches("unknown").trim().into()),
    })
}
