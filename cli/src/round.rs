//! One run of a pipeline on a program: passes, engines, certification.

use crate::error::CliError;
use crate::judge::{Answer, Certifier, Checker};
use crate::lemmas::Houdini;
use crate::plan::plan;
use crate::plugins::search_path;
use crate::progress::Progress;
use crate::proofs::{Evidence, Proving};
use crate::report::{PassReport, Report};
use crate::stop::{Guard, Stop};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use trellis_ivl::{FlattenOptions, Program};
use trellis_ivl_passes::{Property, Report as PassRuns, Size, parse_list, registry};
use trellis_pipeline::{CertificationMode, Pipeline};
use trellis_plugin_host::run::{EngineOutcome, Promoter};
use trellis_plugin_host::{EngineReport, Plan, run};
use trellis_plugin_sdk::solver::SessionConfig;

/// All that a check works with.
pub struct Check<'a> {
    /// Further folders of plugins.
    pub plugins: &'a [PathBuf],
    /// Seed of every random choice.
    pub seed: u64,
    /// What to run.
    pub pipeline: &'a Pipeline,
    /// Who is told.
    pub progress: &'a Progress,
    /// When to stop.
    pub stop: &'a Stop,
    /// What is known so far.
    pub report: &'a Mutex<Report>,
    /// Whether to keep the obligations of proofs.
    pub keep_obligations: bool,
    /// Whether to keep what shows them, where they are proved.
    pub keep_proofs: bool,
}

/// What one run of the pipeline gave.
pub struct Round {
    /// A certified answer, or why there is none.
    pub found: Result<Answer, String>,
    /// The program as engines got it, whose pool has the terms of a proof.
    pub small: Program,
    /// How calls were expanded in it.
    pub expansion: FlattenOptions,
    /// Scripts of the obligations of the last proof that was claimed, where they are kept.
    pub scripts: Vec<String>,
    /// What shows them, where it is kept.
    pub evidence: Vec<Evidence>,
}

impl Check<'_> {
    /// Runs the pipeline on a program; `guard` watches what cannot be interrupted.
    pub fn round(&self, original: &Program, guard: Option<&Guard>) -> Result<Round, CliError> {
        let (pipeline, seed) = (self.pipeline, self.seed);
        let mut small = original.clone();
        let passes = shrink(pipeline, &mut small, self.progress)?;
        {
            let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
            report.reduced = Some(Size::of(&small).into());
            report.passes = passes.runs.iter().map(pass_report).collect();
        }
        let search = search_path(self.plugins);
        let plan = plan(pipeline, &search, &small, seed, self.stop, self.progress)?;
        if let Some(guard) = guard {
            guard.be_patient();
        }
        let expansion = passes.back.expansion();
        let mut judge = Certifier {
            original,
            small,
            back: passes.back,
            expansion,
            checker: checker(pipeline, seed, self.keep_proofs),
            stop: self.stop,
            keep_obligations: self.keep_obligations,
            scripts: Vec::new(),
        };
        let found = match plan {
            Some(plan) => decide(&plan, &mut judge, self.progress, self.stop, self.report),
            None => Err("no engine could be loaded".into()),
        };
        let Certifier {
            small,
            scripts,
            checker,
            ..
        } = judge;
        Ok(Round {
            found,
            small,
            expansion,
            scripts,
            evidence: checker.proving.map_or_else(Vec::new, |p| p.take()),
        })
    }
}

/// A size in words.
pub fn show(size: Size) -> String {
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

fn checker(pipeline: &Pipeline, seed: u64, keep_proofs: bool) -> Checker {
    let certification = &pipeline.certification;
    let proving = match (certification.mode, keep_proofs) {
        (CertificationMode::Solver, _) => None,
        (CertificationMode::Proof, false) => Some(Proving::default()),
        (CertificationMode::Proof, true) => Some(Proving::keeping()),
    };
    Checker {
        proving,
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
    let mut houdini = shares.then(|| {
        // Lemmas need no proof for strangers: what is claimed with them is checked without.
        let checker = match judge.checker.proving {
            Some(_) => Checker::default(),
            None => judge.checker.clone(),
        };
        Houdini::new(judge.small.clone(), checker)
    });
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
