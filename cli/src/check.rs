//! `trellis check`: from a file to a certified verdict.

use crate::error::{EXIT_FALSE, EXIT_UNKNOWN, exit_code};
use crate::guard::{Guard, signals};
use crate::out::{self, Kind, Output, write_atomically};
use crate::plain::{line, plain};
use crate::progress::Progress;
use crate::source::SourceArgs;
use crate::{distinct, elsewhere, modular, project, results, show};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use trellis::baseline::Baseline;
use trellis::html::Tour;
use trellis::instances::Status;
use trellis::load::{Language, Source};
use trellis::plugins::Plugins;
use trellis::project::Project;
use trellis::proofs::Evidence;
use trellis::report::Report;
use trellis::session::{Checked, Session, Verdict};
use trellis::stop::Stop;
use trellis::worker::Worker;
use trellis::{Error, assumptions, html, junit, pipelines, sarif};
use trellis_bench::cluster::Dispatcher;
use trellis_confine::last_words::prepare;
use trellis_ivl::nearest::nearest;
use trellis_pipeline::{CertificationMode, Change, Pipeline, units};
use trellis_witness::names::place;
use trellis_witness::steps::{Detail, render};

/// Violations that are looked for.
const MAX_ERRORS: usize = 20;
/// Violations whose steps are shown.
const STEPS_SHOWN: usize = 3;
/// Functions that are named where a check could begin.
const NAMES_SHOWN: usize = 8;
/// No engine starts with less.
const LEAST_MEMORY: u64 = 1 << 20;

/// Checks a program: is an error reachable?
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Pipeline: a shipped one by name, or a file [default: portfolio; hardware for AIGER and BTOR2,
    /// termination where that is asked]
    #[arg(short, long, value_name = "NAME|FILE")]
    pub(crate) pipeline: Option<String>,
    /// Run only this engine
    #[arg(short, long, value_name = "NAME")]
    pub(crate) engine: Option<String>,
    /// Solver of all engines
    #[arg(short, long, value_name = "NAME")]
    pub(crate) solver: Option<String>,
    /// Inputs for `run` to begin with, a file each, and a place for those that reach something new; fuzzers for C keep the same
    /// [none is kept when not given]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Change a key of the pipeline, such as `engines.bmc.options.bound=10`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Wall time, such as `90s` or `15min`
    #[arg(short, long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Have the engines of a race run on other machines, as jobs of `hyperqueue` or `slurm`
    #[arg(long, value_name = "ENGINE")]
    on: Option<Dispatcher>,
    /// With --on: further arguments for `hq submit` or `srun`, such as '--partition=short'
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, requires = "on")]
    on_args: Option<String>,
    /// Memory of each engine, such as `4GiB`
    #[arg(short, long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Whose word counts for a proof: a solver's, or that of a checker of proofs which the SAT solver has to write
    /// [default: solver]
    #[arg(long, value_name = "BY")]
    certify: Option<Certify>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Further output, any number: `json=FILE`, `sarif=FILE`, `junit=FILE`, `html=FILE`, `trace=FILE`, `harness=FILE`,
    /// `witness=FILE`, `certificate=FILE`, `vcd=FILE` (`-` is standard output), or `smt2=DIR` for every obligation of the
    /// proof, `proof=DIR` for its clauses and their refutation (with `--certify proof`)
    #[arg(short, long, value_name = "KIND=FILE")]
    pub(crate) out: Vec<String>,
    /// Report only what is new: the errors of this SARIF log, of an earlier `--out sarif`, are left alone, whatever
    /// their lines are now
    #[arg(long, value_name = "FILE", conflicts_with = "strict")]
    baseline: Option<PathBuf>,
    /// Go on after a violation until so many are found: every property at every place gets its own verdict [default: 20;
    /// 1 for task and property files, and where `--check` names one property]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_errors: Option<u32>,
    /// How much of the steps to an error is shown
    #[arg(long, value_name = "DETAIL", default_value = "short")]
    trace: TraceDetail,
    /// How the verdict is printed: in words, or for hardware as the competition does
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
    /// C: compile and run the steps to an error, and say whether it is reached
    #[arg(long)]
    confirm: bool,
    /// C: check every function on its own, by the contracts of what it calls; --timeout is for each of them
    #[arg(long, conflicts_with_all = ["function", "confirm"])]
    modular: bool,
    /// Only list what would be checked, with its place
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    show_properties: Option<show::Format>,
    /// Only list the loops, with their places
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    show_loops: Option<show::Format>,
    /// Further folders of plugins
    #[arg(long, value_name = "DIR")]
    pub(crate) plugins: Vec<PathBuf>,
    /// Show stages with times and sizes; twice: also messages of engines
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Show messages and progress of this engine of the pipeline, and with `-vv` of no other; any number
    #[arg(long, value_name = "ENGINE")]
    log: Vec<String>,
    /// No progress, even on a terminal
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Whose word counts for an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Certify {
    /// Another solver than the engine's, where there is one
    Solver,
    /// A small checker, of the SAT solver's proof
    Proof,
}

impl Certify {
    /// Has a pipeline certify so.
    pub fn apply(self, pipeline: &mut Pipeline) {
        match self {
            Certify::Solver => pipeline.certification.mode = CertificationMode::Solver,
            Certify::Proof => {
                pipeline.certification.mode = CertificationMode::Proof;
                pipeline.certification.solver = None;
            }
        }
    }
}

/// How much of the steps to an error is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum TraceDetail {
    /// Steps that read, change, call or return something; loops folded
    #[default]
    Short,
    /// Every step
    Full,
}

/// How a verdict is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Format {
    /// Steps to the error, and `VERDICT: ...` as the last line
    Plain,
    /// The hardware model checking competition's: AIGER 0, 1 or 2 with the stimulus; BTOR2 sat or unsat
    Hwmcc,
}

impl CheckArgs {
    /// What is said beyond the source, for each check of a project.
    pub(crate) fn of_project(&self) -> Result<Vec<OsString>, Error> {
        let alone = [
            ("--on", self.on.is_some()),
            ("--corpus", self.corpus.is_some()),
            ("--modular", self.modular),
            ("--show-properties", self.show_properties.is_some()),
            ("--show-loops", self.show_loops.is_some()),
            ("--format", self.format != Format::Plain),
        ];
        if let Some((option, _)) = alone.iter().find(|(_, given)| *given) {
            let text = format!("{option} is for the check of one source; name a FILE");
            return Err(Error::Usage(text));
        }
        let mut all = self.source.of_project()?;
        let name = |value: Option<PossibleValue>| value.map(|v| v.get_name().to_string());
        let certify = self.certify.and_then(|c| name(c.to_possible_value()));
        let trace = match self.trace {
            TraceDetail::Short => None,
            detail => name(detail.to_possible_value()),
        };
        let seed = (self.seed != 0).then(|| self.seed.to_string());
        for (option, value) in [("--certify", certify), ("--trace", trace), ("--seed", seed)] {
            all.extend(value.map(|v| format!("{option}={v}").into()));
        }
        all.extend(
            self.set
                .iter()
                .map(|change| format!("--set={change}").into()),
        );
        for folder in &self.plugins {
            all.extend(["--plugins".into(), folder.into()]);
        }
        all.extend(self.confirm.then(|| "--confirm".into()));
        Ok(all)
    }

    /// The errors that are known.
    pub(crate) fn baseline(&self) -> Option<&PathBuf> {
        self.baseline.as_ref()
    }
}

/// Runs the command.
pub fn main(args: &CheckArgs, worker: Worker) -> Result<ExitCode, Error> {
    if args.source.is_empty() && Project::is_at(Path::new(".")) {
        return project::main(args);
    }
    if args.show_properties.is_some() || args.show_loops.is_some() {
        return list(args, &worker);
    }
    let worker = match args.on {
        Some(on) => elsewhere::launched(worker, on, args.on_args.as_deref().unwrap_or_default()),
        None => worker,
    };
    if args.modular {
        return modular::main(args, &worker);
    }
    let outputs = out::parse(&args.out)?;
    let source = args.source.source()?;
    if source.contracts.is_some() {
        let by_compilers = |o: &Output| matches!(o.kind, Kind::Harness | Kind::Witness);
        if args.confirm || outputs.iter().any(by_compilers) {
            let text = "--contracts: what calls do by contract cannot be compiled or left to other tools: no --confirm, harness or witness";
            return Err(Error::Usage(text.into()));
        }
    }
    let pipeline = configure(args, &source)?;
    for name in &args.log {
        if !pipeline.engines.contains_key(name) {
            let near = nearest(name, pipeline.engines.keys().map(String::as_str));
            let hint = near.map_or(String::new(), |n| format!(", did you mean `{n}`?"));
            let text = format!("--log: the pipeline has no engine `{name}`{hint}");
            return Err(Error::Usage(text));
        }
    }
    let keep_proofs = outputs.iter().any(|o| o.kind == Kind::Proof);
    if keep_proofs && pipeline.certification.mode != CertificationMode::Proof {
        let text = "--out proof: there are proofs with `--certify proof` only";
        return Err(Error::Usage(text.into()));
    }
    let mut inputs = source.inputs()?;
    inputs.extend(args.pipeline.iter().map(PathBuf::from));
    inputs.extend(args.baseline.iter().cloned());
    distinct::check(&outputs, &inputs)?;
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    // Evidence for others knows of no baseline: it would claim more than was shown.
    let claims = |o: &&Output| matches!(o.kind, Kind::Witness | Kind::Certificate);
    if let Some(output) = outputs.iter().find(claims).filter(|_| baseline.is_some()) {
        let kind = output.kind.name();
        let text =
            format!("--out {kind}: not with --baseline, beside which it would claim too much");
        return Err(Error::Usage(text));
    }
    let memory = args.memory.as_ref().and(pipeline.limits.memory);
    let report = Report::new(source.names(), &pipeline.name, args.seed);
    let known = Arc::new(Mutex::new(report));
    let flag = signals()?;
    let limit = Stop::new(pipeline.limits.wall, flag.clone());
    let end = GiveUp {
        format: args.format,
        language: source.language(),
        known: known.clone(),
        outputs: outputs.clone(),
        concluded: Arc::default(),
    };
    let concluded = end.concluded.clone();
    let guard = Guard::new(&limit, memory, move |why| end.give_up(why))?;
    let aborted = "aborted, see the messages";
    let aborted = unknown_text(args.format, source.language(), aborted);
    prepare(aborted.into_bytes(), i32::from(EXIT_UNKNOWN))
        .map_err(|e| Error::Limit(e.to_string()))?;
    let progress = Progress::new(args.verbose, args.quiet, known.clone())
        .with_log(args.log.clone())
        .with_patience(guard.patience());
    let session = Session::new(pipeline)
        .worker(worker)
        .plugins(args.plugins.clone())
        .seed(args.seed)
        .baseline(baseline)
        .detail(match args.trace {
            TraceDetail::Short => Detail::Short,
            TraceDetail::Full => Detail::Full,
        })
        .keep_obligations(outputs.iter().any(|o| o.kind == Kind::Smt2))
        .keep_proofs(keep_proofs)
        .runs_programs(args.confirm)
        .max_errors(max_errors(args, &source))
        .stop_when(flag);
    let session = session.observer(&progress);
    let check = session.begin()?;
    let loaded = match check.load(&source) {
        Err(Error::Stopped(e)) => {
            eprintln!("trellis: {e}");
            // What was stopped is no error of the input; the guard ends the process and says so.
            loop {
                std::thread::park();
            }
        }
        loaded => loaded.map_err(|e| with_beginnings(e, &source))?,
    };
    distinct::check(&outputs, &loaded.read)?;
    if args.format == Format::Hwmcc && !loaded.is_hardware() {
        let text = "--format hwmcc is for AIGER and BTOR2 models";
        return Err(Error::Usage(text.into()));
    }
    let mut checked = check.decide(loaded)?;
    progress.finish();
    // From here on it is too late to give up: the answer is on its way.
    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    concluded.store(true, Ordering::SeqCst);
    drop(known);
    let word = args.confirm.then(|| checked.confirm()).flatten();
    let is_page = |o: &Output| o.kind == Kind::Html;
    let tour = outputs.iter().any(is_page).then(|| Tour::of(&checked));
    let mut lost = write(
        &checked.report,
        &checked.scripts,
        &checked.evidence,
        &outputs,
        tour.as_ref(),
    );
    let is_plain = args.format == Format::Plain;
    // What is for machines is not mixed with what is for people.
    let taken = |o: &Output| o.kind == Kind::Trace || o.path.as_os_str() == "-";
    if is_plain && !outputs.iter().any(taken) {
        print_steps(&checked, args.verbose > 0);
    }
    lost.extend(leave_evidence(&checked, &outputs));
    if let Some(word) = word {
        println!("{word}");
    }
    // An output that cannot be had costs that output, and not the verdict.
    for e in &lost {
        eprintln!("trellis: {e}");
    }
    let code = match lost.first() {
        Some(e) => exit_code(e),
        None => code_of(&checked.verdict()),
    };
    if !is_plain {
        print!("{}", checked.competition()?);
        return Ok(code);
    }
    let report = &checked.report;
    // A line on standard output of its own, unless machines read there.
    if !outputs.iter().any(|o| o.path.as_os_str() == "-") {
        let lines = assumptions::lines(&report.assumptions, args.verbose > 0);
        print!("{}", plain(&lines));
    }
    if args.verbose > 0 {
        for contract in &report.contracts {
            print!("{}", plain(&contract.to_string()));
        }
    }
    for of in &report.ending_loops {
        println!("ends: {} {}", of.place, plain(&of.measure));
    }
    if let Some(endless) = &report.endless_loop {
        println!("{}", plain(&endless.to_string()));
    }
    for just in &checked.justice {
        println!("{}: {}", plain(&just.property), plain(&just.words()));
    }
    if report.property_verdicts.len() > 1 {
        for (name, verdict) in &report.property_verdicts {
            println!("property {name}: {verdict}");
        }
    }
    // The properties of hardware have names of their own, which were told above.
    let has_table = max_errors(args, &source) > 1 && !checked.loaded.is_hardware();
    if has_table && !outputs.iter().any(|o| o.path.as_os_str() == "-") {
        print!("{}", results::table(report, args.verbose > 0));
    }
    let idle = match (checked.verdict(), &report.reason) {
        (Verdict::True, Some(idle)) => format!(" ({idle})"),
        _ => String::new(),
    };
    println!("{}{idle}", verdict(&checked.verdict()));
    Ok(code)
}

/// How many violations are looked for. Whoever asks in the words of SV-COMP, or for one property, wants one answer.
fn max_errors(args: &CheckArgs, source: &Source) -> usize {
    let one = |check: &str| !check.contains(',') && check.trim() != "all";
    let default = match source.by_rules() || source.check.as_deref().is_some_and(one) {
        true => 1,
        false => MAX_ERRORS,
    };
    args.max_errors.map_or(default, |n| n as usize)
}

/// Prints the steps to the errors: to the first few, or to all.
fn print_steps(checked: &Checked, all: bool) {
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let program = checked.loaded.program();
    let violated: Vec<_> = (checked.instances.iter())
        .filter(|i| matches!(i.status, Status::False { .. }))
        .collect();
    if violated.len() < 2 {
        print!("{}", render(program, &checked.steps, colours));
        return;
    }
    let most = if all { usize::MAX } else { STEPS_SHOWN };
    for instance in violated.iter().take(most) {
        let (property, at) = (&instance.property, place(program, instance.span(program)));
        println!("{}", line(&format!("{at}: {property}")));
        print!("{}\n", render(program, &instance.steps, colours));
    }
    if violated.len() > most {
        let more = violated.len() - most;
        println!("the steps to {more} more are shown with -v, and in what --out writes\n");
    }
}

/// An error of reading, with where a check could begin if the program has no `main`.
fn with_beginnings(e: Error, source: &Source) -> Error {
    let is_library = source.function.is_none() && source.contracts.is_none();
    let Error::Input(text) = e else { return e };
    let known = match is_library {
        true => project::beginnings(source, &[]).unwrap_or_default(),
        false => Vec::new(),
    };
    if known.is_empty() || known.iter().any(|f| f == "main") {
        return Error::Input(text);
    }
    let first = known[..known.len().min(NAMES_SHOWN)].join(", ");
    let more = match known.len() > NAMES_SHOWN {
        true => ", ...",
        false => "",
    };
    Error::Input(format!(
        "{text}; --function NAME begins at one of {first}{more}, and --modular checks each of them"
    ))
}

/// Lists properties and loops instead of checking anything.
fn list(args: &CheckArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let loaded = args
        .source
        .load(worker, &Plugins::new(&args.plugins, worker))?;
    if let Some(format) = args.show_properties {
        let justice = loaded.justice().map_or(&[][..], |(_, all)| all);
        print!("{}", show::properties(loaded.program(), justice, format));
    }
    if let Some(format) = args.show_loops {
        print!("{}", show::loops(loaded.program(), format));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what other tools check; what could not be written.
fn leave_evidence(checked: &Checked, outputs: &[Output]) -> Vec<Error> {
    let mut lost = Vec::new();
    for output in outputs {
        let is_ascii = output.path.extension().is_some_and(|e| e == "aag");
        let is_hardware = checked.loaded.is_hardware();
        let evidence = match (output.kind, checked.verdict()) {
            (Kind::Harness, Verdict::False(_)) => checked.harness().map(|h| h.text.into()),
            (Kind::Witness, Verdict::False(_)) => checked.witness().map(Into::into),
            (Kind::Witness, Verdict::True) if !is_hardware => checked.witness().map(Into::into),
            (Kind::Vcd, Verdict::False(_)) => checked.vcd().map(Into::into),
            (Kind::Certificate, Verdict::True) => checked.circuit(is_ascii),
            _ => continue,
        };
        let evidence = evidence.map_err(|e| about(output.kind, e));
        let written = evidence.and_then(|bytes: Vec<u8>| write_atomically(&output.path, bytes));
        lost.extend(written.err());
    }
    lost
}

/// An error with the output that cannot be had because of it.
fn about(kind: Kind, e: Error) -> Error {
    let named = |text: String| format!("--out {}: {text}", kind.name());
    match e {
        Error::Input(text) => Error::Input(named(text)),
        Error::Usage(text) => Error::Usage(named(text)),
        other => other,
    }
}

/// What is known when the process has to end early: while the program is read and shrunk, and a proof put into terms,
/// which nothing can interrupt.
struct GiveUp {
    format: Format,
    language: Option<Language>,
    known: Arc<Mutex<Report>>,
    outputs: Vec<Output>,
    concluded: Arc<AtomicBool>,
}

impl GiveUp {
    fn give_up(&self, why: &str) {
        let mut report = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Too late: the answer is on its way.
        if self.concluded.load(Ordering::SeqCst) {
            return;
        }
        let stage = match (&report.program, &report.reduced) {
            (None, _) => "reading",
            (Some(_), None) => "the passes",
            (Some(_), Some(_)) => "the proof",
        };
        let reason = format!("{why} during {stage}");
        if report.property.is_none() {
            report.reason = Some(reason.clone());
        }
        let lost = write(&report, &[], &[], &self.outputs, None);
        for e in &lost {
            eprintln!("trellis: {e}");
        }
        // A violation that was found stands, whatever came of the search for more.
        let (text, code) = match (&report.property, self.format) {
            (Some(property), Format::Plain) => (
                verdict(&Verdict::False(property.clone())) + "\n",
                EXIT_FALSE,
            ),
            _ => (
                unknown_text(self.format, self.language, &reason),
                EXIT_UNKNOWN,
            ),
        };
        print!("{text}");
        let code = if lost.is_empty() { code } else { 2 };
        std::process::exit(i32::from(code));
    }
}

/// What is printed where nothing is known.
fn unknown_text(format: Format, language: Option<Language>, reason: &str) -> String {
    match (format, language) {
        (Format::Hwmcc, Some(Language::Btor2)) => "unknown\n".into(),
        (Format::Hwmcc, _) => "2\nb0\n.\n".into(),
        (Format::Plain, _) => verdict(&Verdict::Unknown(reason.into())) + "\n",
    }
}

/// The pipeline with all that the command line changes.
pub(crate) fn configure(args: &CheckArgs, source: &Source) -> Result<Pipeline, Error> {
    let mut changes = Vec::new();
    for set in &args.set {
        let (key, value) = set
            .split_once('=')
            .ok_or_else(|| Error::Usage(format!("--set {set}: KEY=VALUE is expected")))?;
        changes.push(Change {
            key: key.into(),
            value: value.into(),
        });
    }
    let hardware = matches!(source.language(), Some(Language::Aiger | Language::Btor2));
    let default = match hardware {
        true => pipelines::DEFAULT_HARDWARE,
        false if source.asks_termination() => pipelines::DEFAULT_TERMINATION,
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
    if let Some(corpus) = &args.corpus {
        keep_inputs(corpus, &mut pipeline)?;
    }
    if let Some(certify) = args.certify {
        certify.apply(&mut pipeline);
    }
    if let Some(time) = &args.timeout {
        let wall = units::duration(time);
        let wall = wall.filter(|w| !w.is_zero()).ok_or_else(|| {
            Error::Usage(format!(
                "--timeout {time}: not a time; `90s` and `15min` are"
            ))
        })?;
        pipeline.limits.wall = Some(wall);
    }
    if let Some(size) = &args.memory {
        let bytes = units::size(size);
        let bytes = bytes.filter(|b| *b >= LEAST_MEMORY).ok_or_else(|| {
            Error::Usage(format!(
                "--memory {size}: not a size of 1MiB or more; `500MiB` and `4GiB` are"
            ))
        })?;
        pipeline.limits.memory = Some(bytes);
    }
    Ok(pipeline)
}

/// Tells the engines that execute the program where inputs are kept.
fn keep_inputs(corpus: &Path, pipeline: &mut Pipeline) -> Result<(), Error> {
    let wrong =
        |why: &dyn std::fmt::Display| Error::Usage(format!("--corpus {}: {why}", corpus.display()));
    std::fs::create_dir_all(corpus).map_err(|e| wrong(&e))?;
    // Engines need not work in this folder.
    let corpus_path = corpus.canonicalize().map_err(|e| wrong(&e))?;
    let path = corpus_path
        .to_str()
        .ok_or_else(|| wrong(&"the name is not UTF-8"))?;
    let mut engines = pipeline
        .engines
        .values_mut()
        .filter(|e| e.plugin == "run")
        .peekable();
    if engines.peek().is_none() {
        return Err(wrong(
            &"no engine of the pipeline executes the program; `run` does",
        ));
    }
    for engine in engines {
        let value = trellis_pipeline::Located {
            value: trellis_pipeline::Value::Text(path.into()),
            place: trellis_pipeline::Place::command_line(),
        };
        engine.options.insert("corpus".into(), value);
    }
    Ok(())
}

/// Writes what `--out` asks for, as far as it needs nothing but the report; what could not be written.
fn write(
    report: &Report,
    scripts: &[String],
    evidence: &[Evidence],
    outputs: &[Output],
    tour: Option<&Tour>,
) -> Vec<Error> {
    let one = |output: &Output| {
        let path = &output.path;
        match output.kind {
            Kind::Html => write_atomically(path, html::page(report, tour)),
            Kind::Json => write_atomically(path, report.json()),
            Kind::Junit => write_atomically(path, junit::suites(report)),
            Kind::Sarif => write_atomically(path, sarif::log(report)),
            Kind::Trace => write_atomically(path, plain(&report.trace_text()).as_bytes()),
            Kind::Smt2 => out::write_scripts(path, scripts),
            Kind::Proof => out::write_proofs(path, evidence),
            Kind::Harness | Kind::Witness | Kind::Certificate | Kind::Vcd => Ok(()),
        }
    };
    outputs.iter().filter_map(|o| one(o).err()).collect()
}

/// The last line of every check.
pub(crate) fn verdict(verdict: &Verdict) -> String {
    format!("VERDICT: {}", line(&verdict.to_string()))
}

pub(crate) fn code_of(verdict: &Verdict) -> ExitCode {
    match verdict {
        Verdict::True => ExitCode::SUCCESS,
        Verdict::False(_) => ExitCode::from(EXIT_FALSE),
        Verdict::Unknown(_) => ExitCode::from(EXIT_UNKNOWN),
    }
}
