//! `trellis check`: from a file to a certified verdict.

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::judge::Answer;
use crate::load::{Language, Loaded, Source};
use crate::out::{self, Kind, Output, write_atomically};
use crate::plain::{line, plain};
use crate::progress::Progress;
use crate::proofs::Evidence;
use crate::properties::Properties;
use crate::report::Report;
use crate::round::{Check, Round, show};
use crate::stop::{Guard, Stop};
use crate::{assumptions, distinct, hardware, html, pipelines, sarif, show, trace, witness};
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use trellis_confine::last_words::prepare;
use trellis_ivl::{LocKind, Program};
use trellis_ivl_passes::Size;
use trellis_pipeline::{CertificationMode, Change, Pipeline, units};
use trellis_witness::confirm::Confirmation;
use trellis_witness::steps::Shown;

/// No engine starts with less.
const LEAST_MEMORY: u64 = 1 << 20;

/// Checks a program: is an error reachable?
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    source: Source,
    /// Pipeline: a shipped one by name, or a file [default: portfolio; hardware for AIGER and BTOR2]
    #[arg(short, long, value_name = "NAME|FILE")]
    pipeline: Option<String>,
    /// Run only this engine
    #[arg(short, long, value_name = "NAME")]
    engine: Option<String>,
    /// Solver of all engines
    #[arg(short, long, value_name = "NAME")]
    solver: Option<String>,
    /// Change a key of the pipeline, such as `engines.bmc.options.bound=10`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Wall time, such as `90s` or `15min`
    #[arg(short, long, value_name = "TIME")]
    timeout: Option<String>,
    /// Memory of each engine, such as `4GiB`
    #[arg(short, long, value_name = "SIZE")]
    memory: Option<String>,
    /// Whose word counts for a proof: a solver's, or that of a checker of proofs which the SAT solver has to write
    /// [default: solver]
    #[arg(long, value_name = "BY")]
    certify: Option<Certify>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Further output, any number: `json=FILE`, `sarif=FILE`, `html=FILE`, `trace=FILE`, `harness=FILE`,
    /// `witness=FILE`, `certificate=FILE` (`-` is standard output), or `smt2=DIR` for every obligation of the
    /// proof, `proof=DIR` for its clauses and their refutation (with `--certify proof`)
    #[arg(short, long, value_name = "KIND=FILE")]
    out: Vec<String>,
    /// How much of the steps to an error is shown
    #[arg(long, value_name = "DETAIL", default_value = "short")]
    trace: trace::TraceDetail,
    /// How the verdict is printed: in words, or for hardware as the competition does
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
    /// C: compile and run the steps to an error, and say whether it is reached
    #[arg(long)]
    confirm: bool,
    /// Only list what would be checked, with its place
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    show_properties: Option<show::Format>,
    /// Only list the loops, with their places
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    show_loops: Option<show::Format>,
    /// Further folders of plugins
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Show stages with times and sizes; twice: also messages of engines
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// No progress, even on a terminal
    #[arg(short, long)]
    quiet: bool,
}

/// Whose word counts for an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Certify {
    /// Another solver than the engine's, where there is one
    Solver,
    /// A small checker, of the SAT solver's proof
    Proof,
}

/// How a verdict is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Format {
    /// Steps to the error, and `VERDICT: ...` as the last line
    Plain,
    /// The hardware model checking competition's: AIGER 0, 1 or 2 with the stimulus; BTOR2 sat or unsat
    Hwmcc,
}

/// Runs the command.
pub fn main(args: &CheckArgs) -> Result<ExitCode, CliError> {
    if args.show_properties.is_some() || args.show_loops.is_some() {
        return list(args);
    }
    let progress = Progress::new(args.verbose, args.quiet);
    let outputs = out::parse(&args.out)?;
    let pipeline = configure(args)?;
    let keep_proofs = outputs.iter().any(|o| o.kind == Kind::Proof);
    if keep_proofs && pipeline.certification.mode != CertificationMode::Proof {
        let text = "--out proof: there are proofs with `--certify proof` only";
        return Err(CliError::Usage(text.into()));
    }
    let mut inputs = args.source.inputs()?;
    inputs.extend(args.pipeline.iter().map(PathBuf::from));
    distinct::check(&outputs, &inputs)?;
    let memory = args.memory.as_ref().and(pipeline.limits.memory);
    let stop = Stop::new(pipeline.limits.wall, memory)?;
    let report = Report::new(args.source.names(), &pipeline.name, args.seed);
    let shared = Arc::new(Mutex::new(report));
    let concluded = Arc::new(AtomicBool::new(false));
    let guard = give_up_early(args, &stop, &shared, &outputs, concluded.clone())?;
    let aborted = unknown_text(
        args.format,
        args.source.language(),
        "aborted, see the messages",
    );
    prepare(aborted.into_bytes(), i32::from(EXIT_UNKNOWN))
        .map_err(|e| CliError::Limit(e.to_string()))?;
    let note = |change: &dyn Fn(&mut Report)| {
        change(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let mut source = args.source.clone();
    source.defaults = pipeline.frontend.c.clone();
    source.deadline = stop.deadline();
    let loaded = match source.load_named() {
        Err(e) if stop.why().is_some() => {
            eprintln!("trellis: {e}");
            // What was stopped is no error of the input; the guard ends the process and says so.
            loop {
                std::thread::park();
            }
        }
        loaded => loaded?,
    };
    distinct::check(&outputs, &loaded.read)?;
    if args.format == Format::Hwmcc && loaded.hardware.is_none() {
        return Err(hardware::not_hardware("--format hwmcc"));
    }
    let size = Size::of(&loaded.program);
    note(&|report| {
        report.program = Some(size.into());
        report.properties = properties_of(&loaded.program);
        report.checks = Some(loaded.program.errors().count());
        report.assumptions.clone_from(&loaded.assumptions);
    });
    progress.stage(&format!("read: {}", show(size)));
    let check = Check {
        plugins: &args.plugins,
        seed: args.seed,
        pipeline: &pipeline,
        progress: &progress,
        stop: &stop,
        report: &shared,
        keep_obligations: outputs.iter().any(|o| o.kind == Kind::Smt2),
        keep_proofs,
    };
    let mut first = check.round(&loaded.program, Some(&guard))?;
    let idle = nothing_to_check(args, &loaded, &first.found);
    let properties = check.properties(&loaded, &first)?;
    progress.finish();
    let mut report = shared.lock().unwrap_or_else(PoisonError::into_inner);
    concluded.store(true, Ordering::SeqCst);
    report.wall_seconds = progress.elapsed().as_secs_f64();
    if loaded.hardware.is_some() {
        report.property_verdicts = properties.verdicts(&loaded.program, &first.found);
    }
    let steps = match &first.found {
        Ok(Answer::False { trace, .. }) => trace::shown(&loaded, trace, args.trace),
        _ => Vec::new(),
    };
    let word = confirmation(args, &loaded, &mut first.found);
    report.conclude(&loaded.program, &first.found, &steps);
    if let Some(idle) = idle {
        report.reason = Some(idle.into());
    }
    let mut lost = write(&report, &first.scripts, &first.evidence, &outputs);
    let is_plain = args.format == Format::Plain;
    // What is for machines is not mixed with what is for people.
    let taken = |o: &Output| o.kind == Kind::Trace || o.path.as_os_str() == "-";
    if is_plain && !steps.is_empty() && !outputs.iter().any(taken) {
        print!("{}", trace::for_stdout(&loaded.program, &steps));
    }
    lost.extend(leave_evidence(args, &loaded, &first, &properties, &outputs));
    if let Some(word) = word {
        println!("{word}");
    }
    // An output that cannot be had costs that output, and not the verdict.
    for e in &lost {
        eprintln!("trellis: {e}");
    }
    let code = match lost.first() {
        Some(e) => e.exit_code(),
        None => exit_code(&first.found),
    };
    if !is_plain {
        let findings = properties.findings(args.source.name(), &loaded, &first.found);
        print!("{}", findings.competition()?);
        return Ok(code);
    }
    // A line on standard output of its own, unless machines read there.
    if !outputs.iter().any(|o| o.path.as_os_str() == "-") {
        let lines = assumptions::lines(&loaded.assumptions, args.verbose > 0);
        print!("{}", plain(&lines));
    }
    if report.property_verdicts.len() > 1 {
        for (name, verdict) in &report.property_verdicts {
            println!("property {name}: {verdict}");
        }
    }
    let idle = idle.map_or(String::new(), |idle| format!(" ({idle})"));
    println!("{}{idle}", verdict(&first.found));
    Ok(code)
}

/// Lists properties and loops instead of checking anything.
fn list(args: &CheckArgs) -> Result<ExitCode, CliError> {
    let program = args.source.load()?;
    if let Some(format) = args.show_properties {
        print!("{}", show::properties(&program, format));
    }
    if let Some(format) = args.show_loops {
        print!("{}", show::loops(&program, format));
    }
    Ok(ExitCode::SUCCESS)
}

/// A C program in which nothing could go wrong by what was asked: that nothing did is no news, and whoever forgot
/// the assertions should not read a bare `true`. Tasks and properties of SV-COMP mean what they ask.
fn nothing_to_check(
    args: &CheckArgs,
    loaded: &Loaded,
    found: &Result<Answer, String>,
) -> Option<&'static str> {
    let asked = args.source.is_c() && !args.source.by_rules();
    let none = loaded.program.errors().next().is_none();
    (asked && none && matches!(found, Ok(Answer::True { .. }))).then_some(
        "nothing to check: the program has no place where what is asked could be violated",
    )
}

/// What the program says may be violated.
fn properties_of(program: &Program) -> Vec<String> {
    let kinds = program.locs.values().map(|l| &l.kind);
    let all: BTreeSet<String> = kinds
        .filter_map(|kind| match kind {
            LocKind::Error(property) => Some(property.to_string()),
            _ => None,
        })
        .collect();
    all.into_iter().collect()
}

/// The compiler's word on an error, where it is wanted. Where it contradicts the error, nothing is decided.
fn confirmation(
    args: &CheckArgs,
    loaded: &Loaded,
    found: &mut Result<Answer, String>,
) -> Option<Confirmation> {
    let Ok(Answer::False {
        property, trace, ..
    }) = found
    else {
        return None;
    };
    let word = args.confirm.then(|| witness::confirmation(loaded, trace))?;
    if let Confirmation::Contradicted(why) = &word {
        let why = format!(
            "the model violates {property}, but the compiled program, run with the same values, does not: {why}"
        );
        *found = Err(why);
    }
    Some(word)
}

/// Writes what other tools check; what could not be written.
fn leave_evidence(
    args: &CheckArgs,
    loaded: &Loaded,
    first: &Round,
    properties: &Properties,
    outputs: &[Output],
) -> Vec<CliError> {
    let mut lost = Vec::new();
    let mut leave = |output: &Output, text: Result<Vec<u8>, CliError>| {
        let written = text.and_then(|text| write_atomically(&output.path, text));
        lost.extend(written.err());
    };
    let wanted = |kind| outputs.iter().filter(move |o| o.kind == kind);
    match &first.found {
        Ok(Answer::False {
            property, trace, ..
        }) => {
            for output in wanted(Kind::Harness) {
                let harness = witness::of_trace(loaded, trace);
                leave(output, harness.map(|h| h.text.into()));
            }
            for output in wanted(Kind::Witness) {
                let text = match loaded.hardware {
                    Some(_) => properties
                        .findings(args.source.name(), loaded, &first.found)
                        .witness(),
                    None => witness::violation(loaded, property, trace),
                };
                leave(output, text.map(Into::into));
            }
        }
        Ok(Answer::True {
            certificate,
            k,
            visits,
            ..
        }) => {
            let expansion = first.expansion;
            for output in wanted(Kind::Witness).filter(|_| loaded.hardware.is_none()) {
                let text = witness::correctness(loaded, &first.small, certificate, expansion);
                leave(output, text.map(Into::into));
            }
            for output in wanted(Kind::Certificate) {
                if let Some(visits) = visits {
                    let why = format!(
                        "--out certificate: the proof is that all executions end within {visits} steps, and witness \
                         circuits are made of inductive invariants; choose an engine that finds them, such as ic3"
                    );
                    leave(output, Err(CliError::Input(why)));
                    continue;
                }
                let proof = (certificate, *k);
                let name = args.source.name();
                let bytes = hardware::certificate(loaded, &name, &first.small, proof, &output.path);
                leave(output, bytes);
            }
        }
        Err(_) => {}
    }
    lost
}

/// While the program is read and shrunk, and a proof put into terms, which nothing can interrupt, a reason to stop ends
/// the process with what is known.
fn give_up_early(
    args: &CheckArgs,
    stop: &Stop,
    report: &Arc<Mutex<Report>>,
    outputs: &[Output],
    concluded: Arc<AtomicBool>,
) -> Result<Guard, CliError> {
    let (report, outputs) = (report.clone(), outputs.to_vec());
    let (format, language) = (args.format, args.source.language());
    stop.guard(move |why| {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        // Too late: the answer is on its way.
        if concluded.load(Ordering::SeqCst) {
            return;
        }
        let stage = match (&report.program, &report.reduced) {
            (None, _) => "reading",
            (Some(_), None) => "the passes",
            (Some(_), Some(_)) => "the proof",
        };
        let reason = format!("{why} during {stage}");
        report.reason = Some(reason.clone());
        let lost = write(&report, &[], &[], &outputs);
        for e in &lost {
            eprintln!("trellis: {e}");
        }
        print!("{}", unknown_text(format, language, &reason));
        let code = if lost.is_empty() { EXIT_UNKNOWN } else { 2 };
        std::process::exit(i32::from(code));
    })
}

/// What is printed where nothing is known.
fn unknown_text(format: Format, language: Option<Language>, reason: &str) -> String {
    match (format, language) {
        (Format::Hwmcc, Some(Language::Btor2)) => "unknown\n".into(),
        (Format::Hwmcc, _) => "2\nb0\n.\n".into(),
        (Format::Plain, _) => verdict(&Err(reason.into())) + "\n",
    }
}

/// The pipeline with all that the command line changes.
fn configure(args: &CheckArgs) -> Result<Pipeline, CliError> {
    let mut changes = Vec::new();
    for set in &args.set {
        let (key, value) = set
            .split_once('=')
            .ok_or_else(|| CliError::Usage(format!("--set {set}: KEY=VALUE is expected")))?;
        changes.push(Change {
            key: key.into(),
            value: value.into(),
        });
    }
    let hardware = matches!(
        args.source.language(),
        Some(Language::Aiger | Language::Btor2)
    );
    let default = match hardware {
        true => pipelines::DEFAULT_HARDWARE,
        false => pipelines::DEFAULT,
    };
    let name = args.pipeline.as_deref().unwrap_or(default);
    let mut pipeline = pipelines::load(name, &changes, args.engine.as_deref())?;
    if let Some(solver) = &args.solver {
        for engine in pipeline.engines.values_mut() {
            engine.solver = Some(trellis_pipeline::Located {
                value: solver.clone(),
                place: trellis_pipeline::Place::command_line(),
            });
        }
    }
    match args.certify {
        None => {}
        Some(Certify::Solver) => pipeline.certification.mode = CertificationMode::Solver,
        Some(Certify::Proof) => {
            pipeline.certification.mode = CertificationMode::Proof;
            pipeline.certification.solver = None;
        }
    }
    if let Some(time) = &args.timeout {
        let wall = units::duration(time);
        let wall = wall.filter(|w| !w.is_zero()).ok_or_else(|| {
            CliError::Usage(format!(
                "--timeout {time}: not a time; `90s` and `15min` are"
            ))
        })?;
        pipeline.limits.wall = Some(wall);
    }
    if let Some(size) = &args.memory {
        let bytes = units::size(size);
        let bytes = bytes.filter(|b| *b >= LEAST_MEMORY).ok_or_else(|| {
            CliError::Usage(format!(
                "--memory {size}: not a size of 1MiB or more; `500MiB` and `4GiB` are"
            ))
        })?;
        pipeline.limits.memory = Some(bytes);
    }
    Ok(pipeline)
}

impl Report {
    /// Adds the end of a check.
    fn conclude(&mut self, program: &Program, found: &Result<Answer, String>, steps: &[Shown]) {
        match found {
            Ok(Answer::True {
                invariants,
                visits,
                checked_by,
                ..
            }) => {
                self.verdict = "true";
                self.certified_by = Some(checked_by.clone());
                self.invariants = Some(invariants.clone());
                self.unwound_visits = *visits;
            }
            Ok(Answer::False { property, .. }) => {
                let text = trace::text(program, steps);
                self.verdict = "false";
                self.property = Some(property.clone());
                self.certified_by = Some("replay".into());
                self.trace = Some(text.lines().map(str::to_string).collect());
                self.steps = trace::lines(program, steps);
            }
            Err(reason) => self.reason = Some(reason.clone()),
        }
    }
}

/// Writes what `--out` asks for, as far as it needs nothing but the report; what could not be written.
fn write(
    report: &Report,
    scripts: &[String],
    evidence: &[Evidence],
    outputs: &[Output],
) -> Vec<CliError> {
    let one = |output: &Output| {
        let path = &output.path;
        match output.kind {
            Kind::Html => write_atomically(path, html::page(report)),
            Kind::Json => write_atomically(path, report.json()),
            Kind::Sarif => write_atomically(path, sarif::log(report)),
            Kind::Trace => write_atomically(path, plain(&report.trace_text()).as_bytes()),
            Kind::Smt2 => out::write_scripts(path, scripts),
            Kind::Proof => out::write_proofs(path, evidence),
            Kind::Harness | Kind::Witness | Kind::Certificate => Ok(()),
        }
    };
    outputs.iter().filter_map(|o| one(o).err()).collect()
}

/// The last line of every check.
fn verdict(found: &Result<Answer, String>) -> String {
    match found {
        Ok(Answer::True { .. }) => "VERDICT: true".into(),
        Ok(Answer::False { property, .. }) => format!("VERDICT: false({})", line(property)),
        Err(reason) => format!("VERDICT: unknown ({})", line(reason)),
    }
}

fn exit_code(found: &Result<Answer, String>) -> ExitCode {
    match found {
        Ok(Answer::True { .. }) => ExitCode::SUCCESS,
        Ok(Answer::False { .. }) => ExitCode::from(EXIT_FALSE),
        Err(_) => ExitCode::from(EXIT_UNKNOWN),
    }
}
