//! Pipelines: where their texts come from, and whether what they name is there.

use crate::error::Error;
use crate::plugins::{Plugins, all_folders};
use crate::solvers::{self, Theory};
use crate::stop::Stop;
use crate::worker::{Worker, search_path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trellis_ivl::option::OptionSpec;
use trellis_ivl_passes::Property;
use trellis_pipeline::{
    Change, EngineConfig, Located, Pipeline, PipelineError, Place, Sources, check_texts, plain,
};
use trellis_plugin_host::options::written;
use trellis_plugin_host::{OptionInfo, PluginInfo, PluginKind, SearchPath, probe};

/// What ships with Trellis.
pub const SHIPPED: &[(&str, &str)] = &[
    ("portfolio", include_str!("../pipelines/portfolio.toml")),
    ("bmc", include_str!("../pipelines/bmc.toml")),
    ("cegar", include_str!("../pipelines/cegar.toml")),
    ("cells", include_str!("../pipelines/cells.toml")),
    ("ctigar", include_str!("../pipelines/ctigar.toml")),
    ("dataflow", include_str!("../pipelines/dataflow.toml")),
    ("falsify", include_str!("../pipelines/falsify.toml")),
    ("hardware", include_str!("../pipelines/hardware.toml")),
    ("ic3", include_str!("../pipelines/ic3.toml")),
    ("ic3cfa", include_str!("../pipelines/ic3cfa.toml")),
    ("ic3cfa-base", include_str!("../pipelines/ic3cfa-base.toml")),
    ("ic3cfa-race", include_str!("../pipelines/ic3cfa-race.toml")),
    ("ic3ia", include_str!("../pipelines/ic3ia.toml")),
    ("imc", include_str!("../pipelines/imc.toml")),
    ("impact", include_str!("../pipelines/impact.toml")),
    ("isb", include_str!("../pipelines/isb.toml")),
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
    ("termination", include_str!("../pipelines/termination.toml")),
];

/// Classes of programs that ship with Trellis.
pub const SELECTIONS: &[(&str, &str)] = &[("select", include_str!("../pipelines/select.toml"))];

/// The pipeline when none is named.
pub const DEFAULT: &str = "portfolio";
/// The same for hardware models.
pub const DEFAULT_HARDWARE: &str = "hardware";
/// The same where termination is asked.
pub const DEFAULT_TERMINATION: &str = "termination";

/// Shipped pipelines by name, others by path.
pub struct Texts;

impl Sources for Texts {
    fn text(&self, name: &str, from: Option<&str>) -> Option<(String, String)> {
        let mut shipped = SHIPPED.iter().chain(SELECTIONS);
        if let Some((name, text)) = shipped.find(|(n, _)| *n == name) {
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
pub fn text(name: &str) -> Result<String, Error> {
    let found = Texts.text(name, None);
    found.map(|(_, text)| text).ok_or_else(|| no_such(name))
}

fn no_such(name: &str) -> Error {
    let hint = trellis_ivl::nearest::nearest(name, SHIPPED.iter().map(|(n, _)| *n));
    let e = PipelineError::NoSuchPipeline {
        name: name.into(),
        hint: hint.map(str::to_string),
    };
    Error::Usage(e.to_string())
}

/// Reads a pipeline.
pub fn load(name: &str, changes: &[Change], only: Option<&str>) -> Result<Pipeline, Error> {
    Pipeline::load(&Texts, name, changes, only).map_err(|e| Error::Usage(e.to_string()))
}

/// Whether something is written in a pipeline that ships with Trellis.
pub fn is_shipped(place: &Place) -> bool {
    SHIPPED.iter().any(|(name, _)| *name == &*place.source)
}

/// A path that a pipeline names, from its own folder.
pub fn beside(path: &Located<String>) -> Result<PathBuf, String> {
    let dir = Path::new(&*path.place.source).parent();
    let path = dir.map_or_else(|| PathBuf::from(&path.value), |d| d.join(&path.value));
    std::path::absolute(path).map_err(|e| e.to_string())
}

/// The library of each engine, in the order of the engines.
pub fn libraries(
    pipeline: &Pipeline,
    search: &SearchPath,
) -> Vec<(String, Result<PathBuf, String>)> {
    let find = |engine: &EngineConfig| match &engine.path {
        Some(path) => beside(path),
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

/// Checks the names that files of pipelines cannot know: of passes, plugins, their options, and solvers. The mistakes are
/// told all at once.
pub fn check(pipeline: &Pipeline, folders: &[PathBuf], worker: &Worker) -> Result<(), Error> {
    let search = &search_path(&all_folders(pipeline, folders));
    let plugins = Plugins::of_pipeline(pipeline, folders, worker, &Stop::default(), 0);
    let exe = worker.executable();
    let mut wrong = Vec::new();
    if let Some(passes) = &pipeline.passes {
        // A list must fit a program with calls; one that needs a flat program begins with `inline`.
        let list = plugins.pass_list(&passes.value, &[Property::RegionBases]);
        wrong.extend(
            list.err()
                .map(|e| format!("{}: `passes`: {e}", passes.place)),
        );
    }
    for (name, config) in &pipeline.frontend.plugins {
        let options = plugins
            .frontend(name)
            .map_err(|e| e.to_string())
            .and_then(|f| written(&f.info, &plain(&config.options)));
        let at = |e| format!("{}: `frontend.{name}`: {e}", config.place);
        wrong.extend(options.err().map(at));
    }
    for (name, library) in libraries(pipeline, search) {
        let engine = &pipeline.engines[&name];
        let info = library.and_then(|library| probe(exe, &library).map_err(|e| e.to_string()));
        match info {
            Ok(info) => wrong.extend(wrong_options(pipeline, &name, &info)),
            Err(e) => wrong.push(format!("{}: `engines.{name}`: {e}", engine.place)),
        }
        wrong.extend(wrong_solvers(&name, engine, search, exe));
    }
    let certification = &pipeline.certification;
    if let Some(solver) = &certification.solver {
        let path = "certification.solver-options";
        let nowhere = SearchPath::default();
        let options = (path, &certification.solver_options);
        wrong.extend(wrong_solver(
            Theory::Smt,
            Some(solver),
            options,
            &nowhere,
            exe,
        ));
    }
    all_at_once(&wrong)
}

fn all_at_once(wrong: &[String]) -> Result<(), Error> {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Error::Usage(wrong.join("\n"))),
    }
}

/// Checks an engine's options against what its plugin states.
pub fn check_options(pipeline: &Pipeline, name: &str, info: &PluginInfo) -> Result<(), Error> {
    all_at_once(&wrong_options(pipeline, name, info))
}

fn wrong_options(pipeline: &Pipeline, name: &str, info: &PluginInfo) -> Vec<String> {
    let known: Vec<OptionSpec> = info.options.iter().map(OptionInfo::spec).collect();
    let wrong = pipeline.engines[name].check_options(name, &known);
    wrong.iter().map(ToString::to_string).collect()
}

/// What is wrong with the solvers of an engine: their names, and their options.
fn wrong_solvers(
    name: &str,
    engine: &EngineConfig,
    search: &SearchPath,
    exe: &Path,
) -> Vec<String> {
    let path = format!("engines.{name}.solver-options");
    let options = (path.as_str(), &engine.solver_options);
    let mut wrong = wrong_solver(Theory::Smt, engine.solver.as_ref(), options, search, exe);
    let path = format!("engines.{name}.sat-options");
    let options = (path.as_str(), &engine.sat_options);
    wrong.extend(wrong_solver(
        Theory::Sat,
        engine.sat.as_ref(),
        options,
        search,
        exe,
    ));
    wrong
}

fn wrong_solver(
    theory: Theory,
    named: Option<&Located<String>>,
    options: (&str, &BTreeMap<String, Located<String>>),
    search: &SearchPath,
    exe: &Path,
) -> Vec<String> {
    let name = named.map_or("", |named| &named.value);
    if let Err(e) = solvers::check(theory, name, search) {
        let place = named.map_or(String::new(), |named| format!("{}: ", named.place));
        return vec![format!("{place}{e}")];
    }
    // A solver that is not there says nothing about its options; where it is, it does.
    let (path, given) = options;
    if given.is_empty() {
        return Vec::new();
    }
    let known = solvers::options(theory, name, search, exe);
    let wrong = known.map(|known| check_texts(path, given, &known));
    wrong.iter().flatten().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_pipeline::Run;

    /// Nobody has to wait for those that a class forgets.
    #[test]
    fn classes_name_every_engine_of_the_portfolio() {
        let portfolio = load(DEFAULT, &[], None).expect("it ships");
        let selection = portfolio.select.expect("it has classes");
        assert!(!selection.classes.is_empty());
        let Run::Race(members) = &portfolio.run else {
            panic!("the portfolio is a race")
        };
        for class in &selection.classes {
            let is_named = |m: &Run| {
                class
                    .turns
                    .iter()
                    .any(|t| *m == Run::Engine(t.engine.clone()))
            };
            assert!(members.iter().all(is_named), "{}", class.why());
            assert!(class.turns[0].after.is_zero());
        }
    }
}
