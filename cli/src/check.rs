//! `trellis check`: from a file to a certified verdict.

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::judge::{Answer, Certifier, Checker};
use crate::lemmas::Houdini;
use crate::load::{Loaded, Source};
use crate::out::{self, Kind, Output, write_atomically};
use crate::plan::plan;
use crate::plugins::search_path;
use crate::progress::Progress;
use crate::report::{PassReport, Report};
use crate::stop::Stop;
use crate::{pipelines, show, trace, witness};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use trellis_ivl::{FlattenOptions, Program};
use trellis_ivl_passes::{Property, Report as PassRuns, Size, parse_list, registry};
use trellis_pipeline::{Change, Pipeline, units};
use trellis_plugin_host::run::{EngineOutcome, Promoter};
use trellis_plugin_host::{EngineReport, Plan, run};
use trellis_plugin_sdk::solver::SessionConfig;

/// Checks a program: is an error reachable?
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    source: Source,
    /// Pipeline: a shipped one by name, or a file
    #[arg(short, long, value_name = "NAME|FILE", default_value = pipelines::DEFAULT)]
    pipeline: String,
    /// Run only this engine
    #[arg(short, long, value_name = "NAME")]
    engine: Option<String>,
    /// Solver of all engines
    #[arg(short, long, value_name = "NAME")]
    solver: Option<String>,
    /// Change a key of the pipeline, such as `engines.bmc.options.depth=10`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Wall time, such as `90s` or `15min`
    #[arg(short, long, value_name = "TIME")]
    timeout: Option<String>,
    /// Memory of each engine, such as `4GiB`
    #[arg(short, long, value_name = "SIZE")]
    memory: Option<String>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Further output, any number: `json=FILE`, `trace=FILE`, `harness=FILE`, `witness=FILE` (`-` is
    /// standard output), or `smt2=DIR` for every obligation of the proof
    #[arg(short, long, value_name = "KIND=FILE")]
    out: Vec<String>,
    /// How much of the steps to an error is shown
    #[arg(long, value_name = "DETAIL", default_value = "short")]
    trace: trace::TraceDetail,
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

/// Runs the command.
pub fn main(args: &CheckArgs) -> Result<ExitCode, CliError> {
    if args.show_properties.is_some() || args.show_loops.is_some() {
        return list(args);
    }
    let progress = Progress::new(args.verbose, args.quiet);
    let outputs = out::parse(&args.out)?;
    let pipeline = configure(args)?;
    let stop = Stop::new(pipeline.limits.wall)?;
    let report = Report::new(args.source.names(), &pipeline.name, args.seed);
    let shared = Arc::new(Mutex::new(report));
    let guard = give_up_early(&stop, &shared, &outputs);
    let note = |change: &dyn Fn(&mut Report)| {
        change(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let loaded = args.source.load_named()?;
    let original = &loaded.program;
    let size = Size::of(original);
    note(&|report| report.program = Some(size.into()));
    progress.stage(&format!("read: {}", show(size)));
    let mut small = original.clone();
    let passes = shrink(&pipeline, &mut small, &progress)?;
    note(&|report| {
        report.reduced = Some(Size::of(&small).into());
        report.passes = passes.runs.iter().map(pass_report).collect();
    });
    let search = search_path(&args.plugins);
    let plan = plan(&pipeline, &search, &small, args.seed, &stop, &progress)?;
    drop(guard);
    let checker = checker(&pipeline, args.seed);
    let mut judge = Certifier {
        original,
        small,
        back: passes.back,
        expansion: FlattenOptions::default(),
        checker,
        stop: &stop,
        keep_obligations: outputs.iter().any(|o| o.kind == Kind::Smt2),
        scripts: Vec::new(),
    };
    let found = match plan {
        Some(plan) => decide(&plan, &mut judge, &progress, &stop, &shared),
        None => Err("no engine could be loaded".into()),
    };
    progress.finish();
    let mut report = shared.lock().unwrap_or_else(PoisonError::into_inner);
    report.wall_seconds = progress.elapsed().as_secs_f64();
    let steps = report.conclude(&loaded, &found, args.trace);
    write(&report, steps.as_deref(), &judge.scripts, &outputs)?;
    leave_evidence(args, &loaded, &judge, &found, &outputs)?;
    Ok(verdict(&found))
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

/// Shows the steps to an error where nobody asks for them elsewhere, writes what other tools
/// check, and lets the compiler confirm an error.
fn leave_evidence(
    args: &CheckArgs,
    loaded: &Loaded,
    judge: &Certifier<'_>,
    found: &Result<Answer, String>,
    outputs: &[Output],
) -> Result<(), CliError> {
    let wanted = |kind| outputs.iter().filter(move |o| o.kind == kind);
    match found {
        Ok(Answer::False { property, trace }) => {
            if wanted(Kind::Trace).next().is_none() {
                let steps = trace::for_stdout(&loaded.program, trace, &loaded.names, args.trace);
                print!("{steps}");
            }
            for output in wanted(Kind::Harness) {
                write_atomically(&output.path, &witness::of_trace(loaded, trace)?.text)?;
            }
            for output in wanted(Kind::Witness) {
                let text = witness::violation(loaded, property, trace)?;
                write_atomically(&output.path, &text)?;
            }
            if args.confirm {
                println!("{}", witness::confirmation(loaded, trace));
            }
        }
        Ok(Answer::True { certificate, .. }) => {
            for output in wanted(Kind::Witness) {
                let text =
                    witness::correctness(loaded, &judge.small, certificate, judge.expansion)?;
                write_atomically(&output.path, &text)?;
            }
        }
        Err(_) => {}
    }
    Ok(())
}

/// While the program is read and shrunk, which nothing can interrupt, a reason to stop ends the
/// process with what is known.
fn give_up_early(
    stop: &Stop,
    report: &Arc<Mutex<Report>>,
    outputs: &[Output],
) -> crate::stop::Guard {
    let (report, outputs) = (report.clone(), outputs.to_vec());
    stop.guard(move |why| {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        let stage = match report.program {
            None => "reading",
            Some(_) => "the passes",
        };
        let reason = format!("{why} during {stage}");
        report.reason = Some(reason.clone());
        // Nothing is left to do about a report that cannot be written.
        let _ = write(&report, None, &[], &outputs);
        verdict(&Err(reason));
        std::process::exit(i32::from(EXIT_UNKNOWN));
    })
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
    let mut pipeline = pipelines::load(&args.pipeline, &changes, args.engine.as_deref())?;
    if let Some(solver) = &args.solver {
        for engine in pipeline.engines.values_mut() {
            engine.solver = Some(trellis_pipeline::Located {
                value: solver.clone(),
                place: trellis_pipeline::Place::command_line(),
            });
        }
    }
    if let Some(time) = &args.timeout {
        let wall = units::duration(time);
        let wall = wall.ok_or_else(|| CliError::Usage(format!("--timeout {time}: not a time")))?;
        pipeline.limits.wall = Some(wall);
    }
    if let Some(size) = &args.memory {
        let bytes = units::size(size);
        let bytes = bytes.ok_or_else(|| CliError::Usage(format!("--memory {size}: not a size")))?;
        pipeline.limits.memory = Some(bytes);
    }
    Ok(pipeline)
}

fn show(size: Size) -> String {
    let Size {
        locs, edges, vars, ..
    } = size;
    format!("{locs} locations, {edges} edges, {vars} variables")
}

fn shrink(
    pipeline: &Pipeline,
    program: &mut Program,
    progress: &Progress,
) -> Result<PassRuns, CliError> {
    let (list, place) = match &pipeline.passes {
        Some(passes) => (passes.value.as_str(), format!("{}: ", passes.place)),
        None => (registry::DEFAULT, String::new()),
    };
    let list = parse_list(list, &Property::of(program))
        .map_err(|e| CliError::Usage(format!("{place}`passes`: {e}")))?;
    let report = list
        .run(program)
        .map_err(|e| CliError::Internal(e.to_string()))?;
    for run in &report.runs {
        let millis = run.time.as_secs_f64() * 1e3;
        progress.stage(&format!(
            "pass {}: {}, {millis:.1} ms",
            run.name,
            show(run.after)
        ));
    }
    if !program.is_flat() {
        return Err(CliError::Usage(format!(
            "{place}`passes`: engines need a flat program, but `inline` is not in the list"
        )));
    }
    Ok(report)
}

fn pass_report(run: &trellis_ivl_passes::PassRun) -> PassReport {
    PassReport {
        name: run.name,
        after: run.after.into(),
        wall_seconds: run.time.as_secs_f64(),
    }
}

fn checker(pipeline: &Pipeline, seed: u64) -> Checker {
    let certification = &pipeline.certification;
    Checker {
        solver: certification.solver.as_ref().map(|s| s.value.clone()),
        config: SessionConfig {
            seed,
            options: certification.solver_options.clone(),
        },
        wall: certification.wall,
    }
}

/// Runs the engines; a certified answer, or why there is none.
fn decide(
    plan: &Plan,
    judge: &mut Certifier<'_>,
    progress: &Progress,
    stop: &Stop,
    report: &Mutex<Report>,
) -> Result<Answer, String> {
    let readers = plan.engines.iter().filter(|e| e.reads_lemmas).count();
    let shares = plan.engines.len() > 1 && readers > 0;
    let mut houdini = shares.then(|| Houdini::new(judge.small.clone(), judge.checker.clone()));
    let promoter = houdini.as_mut().map(|h| h as &mut dyn Promoter);
    let outcome = run(plan, judge, promoter, progress, stop.flag());
    let engines: Vec<EngineReport> = outcome.reports.into_values().collect();
    for engine in &engines {
        warn(engine, progress);
    }
    let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
    report.engines = engines.iter().map(Into::into).collect();
    let lemmas = outcome.lemmas.into_iter();
    report.lemmas = lemmas.map(|(name, of)| (name, of.into())).collect();
    if let Some((by, answer)) = outcome.answer {
        report.decided_by = Some(plan.engines[by].name.clone());
        return Ok(answer);
    }
    if stop.flag().load(std::sync::atomic::Ordering::SeqCst) {
        return Err("interrupted".into());
    }
    let why = engines.iter().map(|e| format!("{}: {}", e.name, e.outcome));
    Err(why.collect::<Vec<_>>().join("; "))
}

/// What an engine did wrong is told in any case; it never changes the verdict.
fn warn(engine: &EngineReport, progress: &Progress) {
    if let EngineOutcome::Failed(_) | EngineOutcome::Rejected { .. } = engine.outcome {
        let plugin = engine.plugin.display();
        progress.line(&format!(
            "warning: engine {} ({plugin}): {}",
            engine.name, engine.outcome
        ));
        for line in engine.stderr.lines().take(20) {
            progress.line(&format!("  {}| {line}", engine.name));
        }
    }
}

impl Report {
    /// Adds the end of a check; the steps to the error, where there is one.
    fn conclude(
        &mut self,
        loaded: &Loaded,
        found: &Result<Answer, String>,
        detail: trace::TraceDetail,
    ) -> Option<String> {
        match found {
            Ok(Answer::True {
                invariants,
                checked_by,
                ..
            }) => {
                self.verdict = "true";
                self.certified_by = Some(checked_by.clone());
                self.invariants = Some(invariants.clone());
                None
            }
            Ok(Answer::False { property, trace }) => {
                let steps = trace::text(&loaded.program, trace, &loaded.names, detail);
                self.verdict = "false";
                self.property = Some(property.clone());
                self.certified_by = Some("replay".into());
                self.trace = Some(steps.lines().map(str::to_string).collect());
                Some(steps)
            }
            Err(reason) => {
                self.reason = Some(reason.clone());
                None
            }
        }
    }
}

/// Writes what `--out` asks for, as far as it needs nothing but the report.
fn write(
    report: &Report,
    steps: Option<&str>,
    scripts: &[String],
    outputs: &[Output],
) -> Result<(), CliError> {
    for output in outputs {
        match output.kind {
            Kind::Json => write_atomically(&output.path, &report.json())?,
            Kind::Trace => write_atomically(&output.path, steps.unwrap_or_default())?,
            Kind::Smt2 => out::write_scripts(&output.path, scripts)?,
            Kind::Harness | Kind::Witness => {}
        }
    }
    Ok(())
}

/// Prints the last line of every check.
fn verdict(found: &Result<Answer, String>) -> ExitCode {
    match found {
        Ok(Answer::True { .. }) => {
            println!("VERDICT: true");
            ExitCode::SUCCESS
        }
        Ok(Answer::False { property, .. }) => {
            println!("VERDICT: false({property})");
            ExitCode::from(EXIT_FALSE)
        }
        Err(reason) => {
            println!("VERDICT: unknown ({})", reason.replace('\n', " "));
            ExitCode::from(EXIT_UNKNOWN)
        }
    }
}
