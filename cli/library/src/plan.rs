//! From a pipeline to what the host runs: libraries found, options checked, engines placed.

use crate::error::Error;
use crate::events::{Event, Observer};
use crate::features::features;
use crate::load::Question;
use crate::pipelines::{check_options, is_shipped, libraries};
use crate::plugins::GRACE;
use crate::solvers::{self, Theory};
use crate::stop::Stop;
use crate::worker::Worker;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use trellis_ivl::{Program, Type, calls};
use trellis_pipeline::select::Class;
use trellis_pipeline::{EngineConfig, Located, Pipeline, Run, Selection, When, plain};
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{
    EngineSpec, Plan, PluginKind, SearchPath, SolverChoice, Stage, probe, run,
};
use trellis_plugin_sdk::wire::image;
use trellis_solver_api::SolverError;

/// What to run; `None` when no engine is there.
pub fn plan(
    (pipeline, question): (&Pipeline, Question),
    search: &SearchPath,
    worker: &Worker,
    (original, program): (&Program, &Program),
    seed: u64,
    stop: &Stop,
    observer: &dyn Observer,
) -> Result<Option<Plan>, Error> {
    let executable = worker.executable().to_path_buf();
    let mut engines = Vec::new();
    let mut written = None;
    for (name, library) in libraries(pipeline, search) {
        let config = &pipeline.engines[&name];
        if config.termination != (question == Question::Termination) {
            continue;
        }
        let subject = if config.original { original } else { program };
        if let Some(why) = config.when.and_then(|when| idle(when, subject)) {
            let text = format!("not started: {why}");
            observer.event(Event::Engine(&name, run::Event::Log(3, text)));
            continue;
        }
        let plugin = match library {
            Ok(plugin) => plugin,
            Err(e) if pipeline.engines.len() == 1 => return Err(Error::Usage(e)),
            Err(e) => {
                let text = format!("warning: engine {name} does not run: {e}");
                observer.event(Event::Warning(&text));
                continue;
            }
        };
        // Shipped options are tested; asking a plugin costs a process. A library that cannot be asked
        // cannot be run either, which is reported there.
        let foreign = config.options.values().any(|o| !is_shipped(&o.place));
        if foreign && let Ok(info) = probe(&executable, &plugin) {
            check_options(pipeline, &name, &info)?;
        }
        check_solvers(config, search)?;
        let image = config.original.then(|| {
            let image = written.get_or_insert_with(|| Arc::new(image::write(original)));
            image.clone()
        });
        engines.push(EngineSpec {
            image,
            ..spec(name, config, plugin, search)
        });
    }
    let class = match (&pipeline.select, engines.len()) {
        (Some(selection), 2..) => choose(selection, (original, program), observer),
        _ => None,
    };
    let stage = match (&pipeline.run, class) {
        (Run::Race(members), Some(class)) => {
            let order = class.order(members);
            let latest = order.iter().map(|(_, after)| *after).max();
            let shrink = shrink(latest.unwrap_or_default(), stop.left());
            for (member, after) in &order {
                let is = |e: &&mut EngineSpec| **member == Run::Engine(e.name.clone());
                if let Some(engine) = engines.iter_mut().find(is) {
                    engine.after = after.mul_f64(shrink);
                }
            }
            race(order.into_iter().map(|(member, _)| member), &engines)
        }
        (run, _) => stage(run, &engines),
    };
    let Some(stage) = stage else {
        return Ok(None);
    };
    let limits = &pipeline.limits;
    Ok(Some(Plan {
        executable,
        launcher: worker.launcher().to_vec(),
        stage,
        engines,
        image: Arc::new(image::write(program)),
        seed,
        wall: stop.left(),
        limits: Limits {
            cpu_seconds: limits.cpu.map_or(0, |cpu| cpu.as_secs().max(1)),
            memory: limits.memory.unwrap_or(0),
        },
        grace: limits.grace.unwrap_or(GRACE),
    }))
}

/// What suits a program, which is told with the reason.
fn choose<'a>(
    selection: &'a Selection,
    (original, small): (&Program, &Program),
    observer: &dyn Observer,
) -> Option<&'a Class> {
    let features = features(original, small);
    let words = features.iter().map(|(name, n)| format!("{name} {n}"));
    let words: Vec<String> = words.collect();
    observer.event(Event::Chosen(&format!("features: {}", words.join(", "))));
    let class = selection.class(&features)?;
    let turns = class.turns.iter().map(|turn| match turn.after.is_zero() {
        true => turn.engine.clone(),
        false => format!("{} after {} s", turn.engine, turn.after.as_secs_f64()),
    });
    let turns: Vec<String> = turns.collect();
    let (source, why, turns) = (&selection.source, class.why(), turns.join(", "));
    observer.event(Event::Chosen(&format!("{source}: {why}: {turns}")));
    Some(class)
}

/// By how much turns have to come earlier, so that the last engine has half of the time that is left.
fn shrink(latest: Duration, left: Option<Duration>) -> f64 {
    let half = left.map_or(f64::INFINITY, |left| left.as_secs_f64() / 2.0);
    match latest.as_secs_f64() {
        latest if latest > half => half / latest,
        _ => 1.0,
    }
}

/// Why an engine would have nothing to do for this program, if so: then no process is started for it.
fn idle(when: When, program: &Program) -> Option<&'static str> {
    let is_array = |v| matches!(program.pool.var_ty(v), Type::Array { .. });
    match when {
        When::Arrays if !program.program_vars().any(is_array) => Some("there is no array"),
        When::Calls if !calls::multiply(program) => Some("calls do not multiply"),
        _ => None,
    }
}

/// A solver that does not exist is the user's mistake and no failure of the engine.
fn check_solvers(config: &EngineConfig, search: &SearchPath) -> Result<(), Error> {
    let at = |at: &Located<String>, e: SolverError| Error::Usage(format!("{}: {e}", at.place));
    let named = [(Theory::Smt, &config.solver), (Theory::Sat, &config.sat)];
    for (theory, solver) in named {
        if let Some(solver) = solver {
            solvers::check(theory, &solver.value, search).map_err(|e| at(solver, e))?;
        }
    }
    Ok(())
}

fn spec(name: String, config: &EngineConfig, plugin: PathBuf, search: &SearchPath) -> EngineSpec {
    let choice = |name: Option<&Located<String>>, options: &_| {
        let name = name.map(|n| n.value.clone()).unwrap_or_default();
        SolverChoice {
            // The worker gets the library that the host has found, as of the engine.
            // No name is the default, which is built in: nothing to search the folders for.
            library: (!name.is_empty())
                .then(|| search.find(PluginKind::Backend, &name).ok())
                .flatten()
                .map(|f| f.path),
            name,
            options: plain(options),
        }
    };
    EngineSpec {
        name,
        id: config.plugin.clone(),
        plugin,
        options: config.options_json(),
        smt: choice(config.solver.as_ref(), &config.solver_options),
        sat: choice(config.sat.as_ref(), &config.sat_options),
        reads_lemmas: config.lemmas,
        image: None,
        after: Duration::ZERO,
    }
}

/// The stage of those engines that are there.
fn stage(run: &Run, engines: &[EngineSpec]) -> Option<Stage> {
    match run {
        Run::Engine(name) => {
            let at = engines.iter().position(|e| e.name == *name)?;
            Some(Stage::Engine(at))
        }
        Run::Race(members) => race(members.iter(), engines),
        Run::Sequence(members) => {
            let members: Vec<_> = members
                .iter()
                .filter_map(|(share, m)| Some((*share, stage(m, engines)?)))
                .collect();
            (!members.is_empty()).then_some(Stage::Sequence(members))
        }
    }
}

fn race<'a>(members: impl Iterator<Item = &'a Run>, engines: &[EngineSpec]) -> Option<Stage> {
    let members: Vec<_> = members.filter_map(|m| stage(m, engines)).collect();
    (!members.is_empty()).then_some(Stage::Race(members))
}
