//! Pipelines: where their texts come from, and whether what they name is there.

use crate::error::Error as CliError;
use crate::solvers::Solvers;
use crate::worker::Worker;
use std::path::{Path, PathBuf};
use trellis_ivl_passes::{Property, parse_list};
use trellis_pipeline::{Change, Pipeline, PipelineError, Place, Sources};
use trellis_plugin_host::{Backends, PluginInfo, PluginKind, SearchPath, probe};

/// What ships with Trellis.
pub const SHIPPED: &[(&str, &str)] = &[
    ("portfolio", include_str!("../pipelines/portfolio.toml")),
    ("bmc", include_str!("../pipelines/bmc.toml")),
    ("cegar", include_str!("../pipelines/cegar.toml")),
    ("ctigar", include_str!("../pipelines/ctigar.toml")),
    ("dataflow", include_str!("../pipelines/dataflow.toml")),
    ("falsify", include_str!("../pipelines/falsify.toml")),
    ("hardware", include_str!("../pipelines/hardware.toml")),
    ("ic3", include_str!("../pipelines/ic3.toml")),
    ("ic3cfa", include_str!("../pipelines/ic3cfa.toml")),
    ("ic3cfa-base", include_str!("../pipelines/ic3cfa-base.toml")),
    ("ic3cfa-race", include_str!("../pipelines/ic3cfa-race.toml")),
    ("ic3ia", include_str!("../pipelines/ic3ia.toml")),
    ("impact", include_str!("../pipelines/impact.toml")),
    ("kiki", include_str!("../pipelines/kiki.toml")),
    ("kiki-df", include_str!("../pipelines/kiki-df.toml")),
    (
        "kiki-df-kipdr",
        include_str!("../pipelines/kiki-df-kipdr.toml"),
    ),
    ("kiki-havoc", include_str!("../pipelines/kiki-havoc.toml")),
    (
        "kiki-intervals",
        include_str!("../pipelines/kiki-intervals.toml"),
    ),
    ("kiki-zones", include_str!("../pipelines/kiki-zones.toml")),
    ("kipdr", include_str!("../pipelines/kipdr.toml")),
    ("random", include_str!("../pipelines/random.toml")),
];

/// The pipeline when none is named.
pub const DEFAULT: &str = "portfolio";
/// The same for hardware models.
pub const DEFAULT_HARDWARE: &str = "hardware";

/// Shipped pipelines by name, others by path.
pub struct Texts;

impl Sources for Texts {
    fn text(&self, name: &str, from: Option<&str>) -> Option<(String, String)> {
        if let Some((name, text)) = SHIPPED.iter().find(|(n, _)| *n == name) {
            return Some((name.to_string(), text.to_string()));
        }
        let dir = from.and_then(|from| Path::new(from).parent());
        let path = dir.map_or_else(|| PathBuf::from(name), |dir| dir.join(name));
        let text = trellis_input::text(&path, trellis_input::TEXT).ok()?;
        Some((path.display().to_string(), text))
    }

    fn names(&self) -> Vec<String> {
        SHIPPED.iter().map(|(name, _)| name.to_string()).collect()
    }
}

/// The text of a pipeline: a shipped one by name, or a file.
pub fn text(name: &str) -> Result<String, CliError> {
    let found = Texts.text(name, None);
    found.map(|(_, text)| text).ok_or_else(|| no_such(name))
}

fn no_such(name: &str) -> CliError {
    let hint = trellis_ivl::nearest::nearest(name, SHIPPED.iter().map(|(n, _)| *n));
    let e = PipelineError::NoSuchPipeline {
        name: name.into(),
        hint: hint.map(str::to_string),
    };
    CliError::Usage(e.to_string())
}

/// Reads a pipeline.
pub fn load(name: &str, changes: &[Change], only: Option<&str>) -> Result<Pipeline, CliError> {
    Pipeline::load(&Texts, name, changes, only).map_err(|e| CliError::Usage(e.to_string()))
}

/// Whether something is written in a pipeline that ships with Trellis.
pub fn is_shipped(place: &Place) -> bool {
    SHIPPED.iter().any(|(name, _)| *name == &*place.source)
}

/// The library of each engine, in the order of the engines.
pub fn libraries(
    pipeline: &Pipeline,
    search: &SearchPath,
) -> Vec<(String, Result<PathBuf, String>)> {
    let find = |engine: &trellis_pipeline::EngineConfig| match &engine.path {
        Some(path) => {
            // Beside the pipeline that names it.
            let dir = Path::new(&*path.place.source).parent();
            let path = dir.map_or_else(|| PathBuf::from(&path.value), |d| d.join(&path.value));
            std::path::absolute(path).map_err(|e| e.to_string())
        }
        None => search
            .find(PluginKind::Engine, &engine.plugin)
            .map(|found| found.path)
            .map_err(|e| e.to_string()),
    };
    let engines = pipeline.engines.iter();
    engines
        .map(|(name, engine)| (name.clone(), find(engine)))
        .collect()
}

/// Checks the names that files of pipelines cannot know: of passes, plugins, their options, and solvers.
pub fn check(pipeline: &Pipeline, search: &SearchPath, worker: &Worker) -> Result<(), CliError> {
    if let Some(passes) = &pipeline.passes {
        // A list must fit a program with calls; one that needs a flat program begins with `inline`.
        parse_list(&passes.value, &[Property::RegionBases])
            .map_err(|e| CliError::Usage(format!("{}: `passes`: {e}", passes.place)))?;
    }
    let exe = worker.executable().to_path_buf();
    for (name, library) in libraries(pipeline, search) {
        let engine = &pipeline.engines[&name];
        let at = |e: String| CliError::Usage(format!("{}: `engines.{name}`: {e}", engine.place));
        let info = probe(&exe, &library.map_err(at)?).map_err(|e| at(e.to_string()))?;
        check_options(pipeline, &name, &info)?;
        let solvers = Solvers::with_plugins(std::env::var_os("TRELLIS_PLUGIN_PATH"));
        if let Some(solver) = &engine.solver {
            let smt = solvers.smt(&solver.value);
            smt.map_err(|e| CliError::Usage(format!("{}: {e}", solver.place)))?;
        }
        if let Some(solver) = &engine.sat {
            let sat = solvers.sat(&solver.value);
            sat.map_err(|e| CliError::Usage(format!("{}: {e}", solver.place)))?;
        }
    }
    if let Some(solver) = &pipeline.certification.solver {
        let smt = Solvers::built_in().smt(&solver.value);
        smt.map_err(|e| CliError::Usage(format!("{}: {e}", solver.place)))?;
    }
    Ok(())
}

/// Checks an engine's options against what its plugin states.
pub fn check_options(pipeline: &Pipeline, name: &str, info: &PluginInfo) -> Result<(), CliError> {
    let known: Vec<(&str, &str)> = info
        .options
        .iter()
        .map(|o| (o.name.as_str(), o.ty.as_str()))
        .collect();
    pipeline.engines[name]
        .check_options(name, &known)
        .map_err(|e| CliError::Usage(e.to_string()))
}
