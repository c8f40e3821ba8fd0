//! One run of a pipeline on a program: passes, engines, certification.

use crate::error::Error;
use crate::events::{Event, Observer, OfEngines};
use crate::judge::{Answer, Certifier, Checker};
use crate::lemmas::Houdini;
use crate::load::Question;
use crate::plan::plan;
use crate::plugins::{Plugins, all_folders};
use crate::proofs::{Evidence, Proving};
use crate::reasons::{joined, reasons};
use crate::report::{Lemmas, PassReport};
use crate::session::Check;
use crate::stop::Stop;
use crate::worker::search_path;
use std::collections::BTreeSet;
use trellis_ivl::{Edge, FlattenOptions, Program};
use trellis_ivl_passes::{PassError, Property, Report as PassRuns, Size, registry};
use trellis_pipeline::{CertificationMode, Pipeline};
use trellis_plugin_host::run::{EngineOutcome, Promoter};
use trellis_plugin_host::{EngineReport, Plan, run};
use trellis_plugin_sdk::solver::SessionConfig;

/// What one run of the pipeline gave.
pub struct Round {
    /// A certified answer, or why there is none.
    pub found: Result<Answer, String>,
    /// The program as engines got it, whose pool has the terms of a proof.
    pub small: Program,
    /// How calls were expanded in it.
    pub expansion: FlattenOptions,
    /// Its edges that lead to the error, where the engine worked on it.
    pub way: BTreeSet<Edge>,
    /// Scripts of the obligations of the last proof that was claimed, where they are kept.
    pub scripts: Vec<String>,
    /// What shows them, where it is kept.
    pub evidence: Vec<Evidence>,
}

impl Check<'_> {
    /// Runs the pipeline on a program.
    pub(crate) fn round(&self, original: &Program) -> Result<Round, Error> {
        self.round_until(original, &self.stop)
    }

    /// Runs the pipeline on a program, until it is time to stop.
    pub(crate) fn round_until(&self, original: &Program, stop: &Stop) -> Result<Round, Error> {
        let (pipeline, seed) = (&self.session.pipeline, self.session.seed);
        if let Some(why) = stop.why() {
            return Ok(Round::none(
                original.clone(),
                format!("{why} during reading"),
            ));
        }
        {
            let mut report = self.report();
            report.decided_by = None;
            report.reasons.clear();
        }
        let mut small = original.clone();
        let plugins =
            Plugins::of_pipeline(pipeline, &self.session.plugins, self.worker, stop, seed);
        let passes = shrink(pipeline, &mut small, &plugins, self)?;
        {
            let mut report = self.report();
            report.reduced = Some(Size::of(&small).into());
            report.passes = passes.runs.iter().map(pass_report).collect();
            self.event(Event::Known(&report));
        }
        if let Some(why) = stop.why() {
            return Ok(Round::none(small, format!("{why} during the passes")));
        }
        let search = search_path(&all_folders(pipeline, &self.session.plugins));
        let plan = plan(
            (pipeline, Question::Safety),
            &search,
            self.worker,
            (original, &small),
            seed,
            stop,
            self,
        )?;
        self.event(Event::Engines);
        let expansion = passes.back.expansion();
        let mut judge = Certifier {
            original,
            small,
            back: passes.back,
            expansion,
            checker: checker(pipeline, seed, self.session.keep_proofs),
            stop,
            keep_obligations: self.session.keep_obligations,
            way: BTreeSet::new(),
            scripts: Vec::new(),
        };
        let found = match plan {
            Some(plan) => decide(&plan, &mut judge, self),
            None => {
                Err("no engine could be loaded, or has something to say of such a program".into())
            }
        };
        let Certifier {
            small,
            way,
            scripts,
            checker,
            ..
        } = judge;
        Ok(Round {
            found,
            small,
            expansion,
            way,
            scripts,
            evidence: checker.proving.map_or_else(Vec::new, |p| p.take()),
        })
    }
}

impl Round {
    /// Nothing was found, before any engine ran.
    pub(crate) fn none(small: Program, why: String) -> Round {
        Round {
            found: Err(why),
            small,
            expansion: FlattenOptions::default(),
            way: BTreeSet::new(),
            scripts: Vec::new(),
            evidence: Vec::new(),
        }
    }
}

fn shrink(
    pipeline: &Pipeline,
    program: &mut Program,
    plugins: &Plugins,
    observer: &dyn Observer,
) -> Result<PassRuns, Error> {
    let (list, place) = match &pipeline.passes {
        Some(passes) => (passes.value.as_str(), format!("{}: ", passes.place)),
        None => (registry::DEFAULT, String::new()),
    };
    let list = plugins
        .pass_list(list, &Property::of(program))
        .map_err(|e| Error::Usage(format!("{place}`passes`: {e}")))?;
    let report = list.run(program).map_err(|e| match e {
        PassError::Foreign { .. } => Error::Input(e.to_string()),
        e => Error::Internal(e.to_string()),
    })?;
    plugins.tell(observer);
    for e in &report.failed {
        let text = format!("warning: {e}; the check goes on without it");
        observer.event(Event::Warning(&text));
    }
    for run in &report.runs {
        observer.event(Event::Pass {
            name: &run.name,
            after: run.after,
            time: run.time,
        });
    }
    if !program.is_flat() {
        return Err(Error::Usage(format!(
            "{place}`passes`: engines need a flat program, but `inline` is not in the list"
        )));
    }
    Ok(report)
}

fn pass_report(run: &trellis_ivl_passes::PassRun) -> PassReport {
    PassReport {
        name: run.name.clone(),
        after: run.after.into(),
        wall_seconds: run.time.as_secs_f64(),
    }
}

pub(crate) fn checker(pipeline: &Pipeline, seed: u64, keep_proofs: bool) -> Checker {
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
            options: trellis_pipeline::plain(&certification.solver_options),
        },
        wall: certification.wall,
    }
}

/// Runs the engines; a certified answer, or why there is none.
fn decide(plan: &Plan, judge: &mut Certifier<'_>, check: &Check<'_>) -> Result<Answer, String> {
    // Those with a program of their own have no lemmas about this one.
    let sharing = plan.engines.iter().filter(|e| e.image.is_none());
    let shares = sharing.clone().count() > 1 && sharing.clone().any(|e| e.reads_lemmas);
    let mut houdini = shares.then(|| {
        // Lemmas need no proof for strangers: what is claimed with them is checked without.
        let checker = match judge.checker.proving {
            Some(_) => Checker::default(),
            None => judge.checker.clone(),
        };
        Houdini::new(judge.small.clone(), checker)
    });
    let promoter = houdini.as_mut().map(|h| h as &mut dyn Promoter);
    let outcome = run(plan, judge, promoter, &OfEngines(check), check.stop.flag());
    let engines: Vec<EngineReport> = outcome.reports.into_values().collect();
    for engine in &engines {
        warn(engine, check);
    }
    let mut report = check.report();
    report.engines = engines.iter().map(Into::into).collect();
    let mut texts = houdini.map(|h| h.texts()).unwrap_or_default();
    for (engine, figures) in outcome.lemmas {
        let lemmas = Lemmas::new(figures, texts.remove(&engine).unwrap_or_default());
        report.lemmas.insert(engine, lemmas);
    }
    if let Some((by, answer)) = outcome.answer {
        report.decided_by = Some(plan.engines[by].name.clone());
        return Ok(answer);
    }
    if check.stop.flag().load(std::sync::atomic::Ordering::SeqCst) {
        return Err("interrupted".into());
    }
    report.reasons = reasons(&engines, &judge.small);
    Err(joined(&report.reasons))
}

/// What an engine did wrong is told in any case; it never changes the verdict.
pub(crate) fn warn(engine: &EngineReport, check: &Check<'_>) {
    if let EngineOutcome::Failed(_) | EngineOutcome::Rejected { .. } = engine.outcome {
        let (name, plugin) = (&engine.name, engine.plugin.display());
        let mut text = format!("warning: engine {name} ({plugin}): {}", engine.outcome);
        for line in engine.stderr.lines().take(20) {
            text += &format!("\n  {name}| {line}");
        }
        check.event(Event::Warning(&text));
    }
}
