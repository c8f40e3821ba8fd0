//! `trellis validate`: does a witness, ours or another tool's, show what it claims?
//!
//! An invariant set is put to the checker, by induction on the program as the front end made it. A
//! violation sequence restricts the program to executions along it, and an error of the restricted
//! program is an error of the program. Neither depends on the engine that made the witness.

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::files::{read, read_text};
use crate::hardware;
use crate::load::{Language, Loaded, Source};
use crate::solvers::certifiers;
use crate::stop::{Guard, Stop};
use clap::Args;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use trellis_ivl::{FlattenOptions, Program, text};
use trellis_ivl_certify::{Rejection, SafetyCertificate, at_heads, check_exhausted, check_safe};
use trellis_pipeline::units;
use trellis_plugin_sdk::solver::{Limits, SessionConfig};
use trellis_witness::follow::{FollowError, Subject};
use trellis_witness::format::{self, Entry, Invariant, Metadata, SegmentItem};
use trellis_witness::hash;

/// Witnesses do not say for which k their invariants are k-inductive, nor that loops without an invariant
/// are few rounds long. So each k is tried in turn, first with what cannot be said about a loop left open, then with
/// every loop unwound.
const DEPTHS: [(u32, bool); 8] = [
    (1, false),
    (2, false),
    (2, true),
    (4, false),
    (4, true),
    (8, true),
    (16, true),
    (32, true),
];

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
    if time(args).is_none() {
        let text = format!("--timeout {}: not a time; `90s` is", args.timeout);
        return Err(CliError::Usage(text));
    }
    let source = Source::for_file(args.program.clone(), false, None);
    // Reading and encoding know of no interruption.
    let guard = Stop::new(time(args), None)?.guard(|why| {
        println!("WITNESS: unknown ({why})");
        std::process::exit(i32::from(EXIT_UNKNOWN));
    })?;
    let outcome = match source.language() {
        Some(Language::Aiger | Language::Btor2) => of_hardware(args, &source)?,
        _ => of_program(args, &guard)?,
    };
    drop(guard);
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
    let bytes = read(&args.witness)?;
    let loaded = source.load_named()?;
    let Some(model) = &loaded.hardware else {
        return Err(CliError::Internal("the front end kept no model".into()));
    };
    let limits = Limits {
        wall: time(args),
        ..Limits::NONE
    };
    Ok(hardware::validate(model, &bytes, limits))
}

/// A witness of a C program.
fn of_program(args: &ValidateArgs, guard: &Guard) -> Result<Outcome, CliError> {
    let text = read_text(&args.witness)?;
    match format::read(&text) {
        Err(e) => Ok(Outcome::Invalid(format!("malformed: {e}"))),
        Ok(entries) => judge(args, &entries, guard),
    }
}

/// Every entry must be valid; there is one as a rule.
fn judge(args: &ValidateArgs, entries: &[Entry], guard: &Guard) -> Result<Outcome, CliError> {
    let mut last = Outcome::Unknown("no entry".into());
    for entry in entries {
        let (Entry::InvariantSet { metadata, .. } | Entry::ViolationSequence { metadata, .. }) =
            entry;
        if let Some(why) = other_program(args, metadata)? {
            return Ok(Outcome::Invalid(why));
        }
        let lp64 = metadata.task.data_model == "LP64";
        let check = args.check.clone().or(Some("unreach-call".into()));
        let source = Source::for_file(args.program.clone(), lp64, check);
        let loaded = source.load_named()?;
        guard.be_patient();
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
    let bytes = read(&args.program)?;
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
    let subject = subject(loaded, lp64);
    let annotated = match subject.annotate(all.iter().copied(), &options, &loaded.sources) {
        Ok(annotated) => annotated,
        Err(e) => return Ok(unfit(&e)),
    };
    let deadline = time(args).and_then(|wall| Instant::now().checked_add(wall));
    let backends = certifiers("");
    let Some(backend) = backends.last() else {
        return Ok(Outcome::Unknown("there is no solver".into()));
    };
    let mut why = String::new();
    // A witness that says nothing of any loop leaves all to the pipeline, as a proof by unwinding does.
    let silent = all.is_empty() && !annotated.everywhere.is_empty();
    let depths = if silent { &[] } else { &DEPTHS[..] };
    for (k, everywhere) in depths.iter().copied() {
        let invariants = match everywhere {
            true => &annotated.everywhere,
            false => &annotated.invariants,
        };
        let certificate = SafetyCertificate {
            k,
            expansion: options,
            ..SafetyCertificate::inductive(at_heads(&annotated.flat, invariants.clone()))
        };
        let session = backend.session(&SessionConfig::default());
        let mut session = session.map_err(|e| CliError::Internal(e.to_string()))?;
        session.set_limits(Limits {
            wall: deadline.map(|end| end.saturating_duration_since(Instant::now())),
            ..Limits::NONE
        });
        let pool = &annotated.flat.pool;
        match check_safe(&annotated.program, pool, &certificate, &mut *session) {
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
            // With every loop unwound, a base case that fails is an execution.
            Err(Rejection::Refuted(e)) if everywhere && e.starts_with("base ") => {
                return Ok(Outcome::Invalid(format!("not proved: {e}")));
            }
            Err(e) if why.is_empty() => why = e.to_string(),
            Err(_) => {}
        }
        // What memory holds may be missing from invariants, and matter to the step alone.
        if everywhere
            && check_exhausted(&annotated.program, pool, &certificate, &mut *session).is_ok()
        {
            let how = format!(
                "the invariants hold on all executions, none of which visits loops {k} times"
            );
            return Ok(Outcome::Valid(how));
        }
    }
    if annotated.everywhere.len() == annotated.invariants.len() {
        return Ok(Outcome::Invalid(why));
    }
    // The witness leaves loops open, as it must where C has no words for their invariants.
    Ok(match decide(&annotated.asserted, deadline)? {
        Decided::Safe => Outcome::Valid(
            "the invariants hold, and the loops without one do not lead to the error".into(),
        ),
        Decided::Unsafe => Outcome::Invalid(why),
        Decided::Unknown(reason) => Outcome::Unknown(reason),
    })
}

enum Decided {
    Safe,
    Unsafe,
    Unknown(String),
}

/// Lets the default pipeline decide a program; its answer is certified as any other.
fn decide(program: &Program, deadline: Option<Instant>) -> Result<Decided, CliError> {
    let internal = |e: std::io::Error| CliError::Internal(e.to_string());
    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
    if left.is_some_and(|left| left.is_zero()) {
        return Ok(Decided::Unknown("out of time".into()));
    }
    let dir = tempfile::tempdir().map_err(internal)?;
    let file = dir.path().join("program.ivl");
    std::fs::write(&file, text::print(program)).map_err(internal)?;
    let mut command = Command::new(std::env::current_exe().map_err(internal)?);
    command.args(["check", "--quiet", "-o"]);
    command.arg(format!("trace={}", dir.path().join("trace").display()));
    if let Some(left) = left {
        command.args(["--timeout", &format!("{}ms", left.as_millis().max(1))]);
    }
    let output = command.arg(&file).output().map_err(internal)?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = stdout.lines().last().unwrap_or_default();
    let verdict = verdict
        .strip_prefix("VERDICT: ")
        .unwrap_or("unknown (no verdict)");
    Ok(match verdict {
        "true" => Decided::Safe,
        v if v.starts_with("false") => Decided::Unsafe,
        v => Decided::Unknown(v.trim_start_matches("unknown").trim().into()),
    })
}

/// The time for all of it.
fn time(args: &ValidateArgs) -> Option<Duration> {
    units::duration(&args.timeout).filter(|t| !t.is_zero())
}

fn violation(
    args: &ValidateArgs,
    loaded: &Loaded,
    segments: &[SegmentItem],
    lp64: bool,
) -> Result<Outcome, CliError> {
    let restricted = match subject(loaded, lp64).restrict(segments, &loaded.sources) {
        Ok(program) => program,
        Err(e) => return Ok(unfit(&e)),
    };
    let deadline = time(args).and_then(|wall| Instant::now().checked_add(wall));
    Ok(match decide(&restricted, deadline)? {
        Decided::Safe => Outcome::Invalid("no execution along it reaches the target".into()),
        Decided::Unsafe => Outcome::Valid("an execution along it reaches the target".into()),
        Decided::Unknown(reason) => Outcome::Unknown(reason),
    })
}
