//! The typed pipeline.

use crate::error::{PipelineError, Place};
use crate::keys;
use crate::read::{Table, join, wrong_type};
use crate::select::Selection;
use crate::tree::{self, Change, NOTHING_TO_ADD_TO, Node, Sources, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trellis_ivl::nearest::nearest;
use trellis_ivl::option::{Given, OptionSpec, find};

/// A value and where it was written, for checks that only the caller can make.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub place: Place,
}

/// Texts by key, with their places.
pub type Texts = BTreeMap<String, Located<String>>;

/// Texts without their places.
pub fn plain(texts: &Texts) -> BTreeMap<String, String> {
    let texts = texts.iter();
    texts
        .map(|(key, text)| (key.clone(), text.value.clone()))
        .collect()
}

/// A pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The name of its source.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// Folders of plugins.
    pub plugins: Vec<Located<String>>,
    /// The pass list.
    pub passes: Option<Located<String>>,
    /// Options of front ends.
    pub frontend: Frontend,
    /// The engines by name.
    pub engines: BTreeMap<String, EngineConfig>,
    /// How they run.
    pub run: Run,
    /// When members of the race begin, by classes of programs.
    pub select: Option<Selection>,
    /// Time and memory.
    pub limits: Limits,
    /// How answers are checked.
    pub certification: Certification,
}

/// Options of front ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frontend {
    /// For C.
    pub c: CFrontend,
    /// Front ends that are plugins, by name.
    pub plugins: BTreeMap<String, FrontendPlugin>,
}

/// A front end that is a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontendPlugin {
    /// Where it is configured.
    pub place: Place,
    /// Its library, where it is not in a usual place.
    pub path: Option<Located<String>>,
    /// Its options, as written.
    pub options: Texts,
}

/// Options for C, for what the command line and the task leave open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CFrontend {
    /// Properties to check, separated by commas.
    pub check: Option<Located<String>>,
    /// Whether longs and pointers have 64 bits.
    pub lp64: Option<bool>,
    /// Where the program begins.
    pub function: Option<Located<String>>,
    /// Whether nothing is assumed but what the next two say.
    pub strict: bool,
    /// Assumptions to make, separated by commas.
    pub assume: Option<Located<String>>,
    /// Assumptions not to make, separated by commas.
    pub no_assume: Option<Located<String>>,
}

/// An engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineConfig {
    /// Where it is configured.
    pub place: Place,
    /// The plugin's id.
    pub plugin: String,
    /// The library, where said.
    pub path: Option<Located<String>>,
    /// Backend of its SMT sessions; empty for the default.
    pub solver: Option<Located<String>>,
    /// Options of that backend.
    pub solver_options: Texts,
    /// Backend of its SAT sessions; empty for the default.
    pub sat: Option<Located<String>>,
    /// Options of that backend.
    pub sat_options: Texts,
    /// Its own options.
    pub options: BTreeMap<String, Located<Value>>,
    /// Whether it gets proved lemmas of others.
    pub lemmas: bool,
    /// Whether it is asked which loops end, and not which errors are reachable.
    pub termination: bool,
    /// Whether it gets the program as the front end made it, calls and all, instead of what the passes make of it.
    pub original: bool,
    /// Of which programs it has something to say, if not of all.
    pub when: Option<When>,
}

/// What a program has to have for an engine to be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// An array; memory is one.
    Arrays,
    /// Calls that multiply.
    Calls,
}

impl EngineConfig {
    /// Its options as one JSON object; empty text when there are none.
    pub fn options_json(&self) -> String {
        if self.options.is_empty() {
            return String::new();
        }
        let object: serde_json::Map<String, serde_json::Value> = self
            .options
            .iter()
            .map(|(key, node)| (key.clone(), node.value.to_json()))
            .collect();
        serde_json::Value::from(object).to_string()
    }

    /// Everything that is wrong with its options, given those that the plugin states.
    pub fn check_options(&self, name: &str, known: &[OptionSpec]) -> Vec<PipelineError> {
        let wrong = self.options.iter().filter_map(|(key, option)| {
            let list;
            let given = match &option.value {
                Value::Boolean(b) => Given::Boolean(*b),
                Value::Integer(n) => Given::Integer((*n).into()),
                Value::Float(x) => Given::Number(*x),
                Value::Text(text) => Given::Text(text),
                Value::List(items) => {
                    let texts = items.iter().map(|item| match &item.value {
                        Value::Text(text) => Some(text.as_str()),
                        _ => None,
                    });
                    match texts.collect::<Option<Vec<&str>>>() {
                        Some(texts) => {
                            list = texts;
                            Given::List(&list)
                        }
                        None => Given::Other("a list"),
                    }
                }
                Value::Table(_) => Given::Other("a table"),
            };
            let path = format!("engines.{name}.options.{key}");
            check_option(known, path, key, given, &option.place).err()
        });
        wrong.collect()
    }
}

/// Everything that is wrong with options of a solver, written below `path`.
pub fn check_texts(path: &str, texts: &Texts, known: &[OptionSpec]) -> Vec<PipelineError> {
    let wrong = texts.iter().filter_map(|(key, text)| {
        let given = match find(known, key) {
            Ok(spec) => spec.given(&text.value),
            Err(_) => Given::Text(&text.value),
        };
        check_option(known, join(path, key), key, given, &text.place).err()
    });
    wrong.collect()
}

/// Checks one option.
///
/// # Errors
/// An option that there is not, or a value that it cannot have.
fn check_option(
    known: &[OptionSpec],
    path: String,
    key: &str,
    given: Given<'_>,
    place: &Place,
) -> Result<(), PipelineError> {
    let place = place.clone();
    match find(known, key) {
        Err(hint) => Err(PipelineError::UnknownKey {
            place,
            key: path,
            hint: hint.map(str::to_string),
        }),
        Ok(spec) => spec.check(given).map_err(|message| PipelineError::Value {
            place,
            key: path,
            message,
        }),
    }
}

/// How engines run together.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// One engine.
    Engine(String),
    /// All at once.
    Race(Vec<Run>),
    /// One after the other with shares of the time.
    Sequence(Vec<(f64, Run)>),
}

/// Time and memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall time of the whole check.
    pub wall: Option<Duration>,
    /// CPU time of each engine.
    pub cpu: Option<Duration>,
    /// Resident memory of each engine.
    pub memory: Option<u64>,
    /// Time to stop in.
    pub grace: Option<Duration>,
}

/// Whose word counts for an obligation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CertificationMode {
    /// A solver's.
    #[default]
    Solver,
    /// A checker's, of the proof that a SAT solver has to write.
    Proof,
}

/// How answers are checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certification {
    /// Whose word counts.
    pub mode: CertificationMode,
    /// Backend of the checker.
    pub solver: Option<Located<String>>,
    /// Options of that backend.
    pub solver_options: Texts,
    /// Wall time of each check.
    pub wall: Option<Duration>,
}

impl Pipeline {
    /// Reads a pipeline with all it extends, then applies `changes`. `only` is an engine to run
    /// instead of what the pipeline says; it need not be in the pipeline.
    pub fn load(
        sources: &dyn Sources,
        name: &str,
        changes: &[Change],
        only: Option<&str>,
    ) -> Result<Pipeline, PipelineError> {
        let (mut tree, source) = tree::load(sources, name, changes)?;
        if let Some(engine) = only {
            run_only(&mut tree, engine);
        }
        read(sources, tree, source, only.is_some())
    }
}

fn run_only(tree: &mut Node, engine: &str) {
    let place = Place::command_line();
    let node = |value| Node {
        place: place.clone(),
        value,
    };
    if let Value::Table(items) = &mut tree.value {
        items.insert("run".into(), node(Value::Text(engine.into())));
        items.remove("select");
        let engines = items
            .entry("engines".into())
            .or_insert_with(|| node(Value::Table(BTreeMap::new())));
        if let Value::Table(engines) = &mut engines.value {
            engines
                .entry(engine.into())
                .or_insert_with(|| node(Value::Table(BTreeMap::new())));
        }
    }
}

fn read(
    sources: &dyn Sources,
    tree: Node,
    source: String,
    some_unused: bool,
) -> Result<Pipeline, PipelineError> {
    let mut t = Table::new(tree, "", keys::PIPELINE)?;
    let description = t.text("description")?.map(|(d, _)| d).unwrap_or_default();
    let plugins = read_folders(&mut t)?;
    let passes = t.text("passes")?.map(located);
    let frontend = read_frontend(&mut t)?;
    let mut engines = BTreeMap::new();
    for (name, node) in t.free_table("engines")? {
        let engine = read_engine(&name, node)?;
        engines.insert(name, engine);
    }
    let limits = read_limits(&mut t)?;
    let certification = read_certification(&mut t)?;
    let missing = |why: &str| PipelineError::Missing {
        source_name: source.clone(),
        key: "run".into(),
        why: why.into(),
    };
    let run_node = t.take("run");
    let run_place = run_node.as_ref().map(|node| node.place.source.clone());
    let run = match run_node {
        Some(node) => read_run(node, "run", &engines)?,
        None if engines.len() == 1 => {
            let only = engines.keys().next().expect("there is one");
            Run::Engine(only.clone())
        }
        None if engines.is_empty() => return Err(missing("there is no engine to run")),
        None => return Err(missing("several engines may race or take turns")),
    };
    let select = read_select(sources, &mut t, &run, run_place.as_deref())?;
    let mut used = BTreeSet::new();
    run.engines(&mut used);
    if let Some((name, engine)) = engines.iter().find(|(name, _)| !used.contains(*name))
        && !some_unused
    {
        return Err(PipelineError::NoEffect {
            place: engine.place.clone(),
            key: format!("engines.{name}"),
            why: "`run` does not name it".into(),
        });
    }
    engines.retain(|name, _| used.contains(name));
    Ok(Pipeline {
        name: source,
        description,
        plugins,
        passes,
        frontend,
        engines,
        run,
        select,
        limits,
        certification,
    })
}

fn read_select(
    sources: &dyn Sources,
    t: &mut Table,
    run: &Run,
    run_source: Option<&str>,
) -> Result<Option<Selection>, PipelineError> {
    let Some(named) = t.text("select")?.map(located) else {
        return Ok(None);
    };
    if let Run::Race(_) = run {
        return Selection::load(sources, &named).map(Some);
    }
    // Whoever replaces an inherited race need not know of its classes.
    if run_source != Some(&*named.place.source) {
        return Ok(None);
    }
    Err(PipelineError::NoEffect {
        place: named.place,
        key: "select".into(),
        why: "`run` is no race".into(),
    })
}

fn located<T>((value, place): (T, Place)) -> Located<T> {
    Located { value, place }
}

fn read_folders(t: &mut Table) -> Result<Vec<Located<String>>, PipelineError> {
    let nodes = match t.take("plugins") {
        None => return Ok(Vec::new()),
        Some(Node {
            value: Value::List(nodes),
            ..
        }) => nodes,
        Some(node) => return Err(wrong_type(&node, "plugins", "a list")),
    };
    let folder = |node: Node| match node.value {
        Value::Text(folder) => Ok(located((folder, node.place))),
        _ => Err(wrong_type(&node, "plugins", "a list of paths")),
    };
    nodes.into_iter().map(folder).collect()
}

fn read_frontend(t: &mut Table) -> Result<Frontend, PipelineError> {
    let mut frontend = Frontend::default();
    let mut all = t.free_table("frontend")?;
    let ours = all.remove("c");
    for (name, node) in all {
        let mut t = Table::new(node, &join("frontend", &name), keys::FRONTEND_PLUGIN)?;
        let plugin = FrontendPlugin {
            place: t.place.clone(),
            path: t.text("path")?.map(located),
            options: t.located_texts("options")?,
        };
        frontend.plugins.insert(name, plugin);
    }
    if let Some(node) = ours {
        let mut c = Table::new(node, "frontend.c", keys::FRONTEND_C)?;
        frontend.c.check = c.text("check")?.map(located);
        frontend.c.function = c.text("function")?.map(located);
        frontend.c.strict = c.boolean("strict")?.is_some_and(|(strict, _)| strict);
        frontend.c.assume = c.text("assume")?.map(located);
        frontend.c.no_assume = c.text("no-assume")?.map(located);
        frontend.c.lp64 = match c.text("model")? {
            None => None,
            Some((model, _)) if model == "LP64" => Some(true),
            Some((model, _)) if model == "ILP32" => Some(false),
            Some((_, place)) => {
                return Err(PipelineError::Value {
                    place,
                    key: "frontend.c.model".into(),
                    message: "must be ILP32 or LP64".into(),
                });
            }
        };
    }
    Ok(frontend)
}

fn read_engine(name: &str, node: Node) -> Result<EngineConfig, PipelineError> {
    let mut t = Table::new(node, &join("engines", name), keys::ENGINE)?;
    let place = t.place.clone();
    let plugin = t
        .text("plugin")?
        .map_or_else(|| name.to_string(), |(p, _)| p);
    let path = t.text("path")?.map(located);
    let solver = t.text("solver")?.map(located);
    let solver_options = t.located_texts("solver-options")?;
    let sat = t.text("sat")?.map(located);
    let sat_options = t.located_texts("sat-options")?;
    let options = t.free_table("options")?;
    let options = options
        .into_iter()
        .map(|(key, node)| (key, located((node.value, node.place))));
    let lemmas = t.boolean("lemmas")?.is_none_or(|(b, _)| b);
    let termination = t.boolean("termination")?.is_some_and(|(b, _)| b);
    let original = t.boolean("original")?.is_some_and(|(b, _)| b);
    let when = match t.text("when")? {
        None => None,
        Some((what, _)) if what == "arrays" => Some(When::Arrays),
        Some((what, _)) if what == "calls" => Some(When::Calls),
        Some((_, place)) => {
            return Err(PipelineError::Value {
                place,
                key: join(&join("engines", name), "when"),
                message: "must be arrays or calls".into(),
            });
        }
    };
    Ok(EngineConfig {
        place,
        plugin,
        path,
        solver,
        solver_options,
        sat,
        sat_options,
        options: options.collect(),
        lemmas,
        termination,
        original,
        when,
    })
}

fn read_limits(t: &mut Table) -> Result<Limits, PipelineError> {
    let Some(node) = t.take("limits") else {
        return Ok(Limits::default());
    };
    let mut t = Table::new(node, "limits", keys::LIMITS)?;
    Ok(Limits {
        wall: t.duration("wall")?,
        cpu: t.duration("cpu")?,
        memory: t.size("memory")?,
        grace: t.duration("grace")?,
    })
}

fn read_certification(t: &mut Table) -> Result<Certification, PipelineError> {
    let Some(node) = t.take("certification") else {
        return Ok(Certification::default());
    };
    let mut t = Table::new(node, "certification", keys::CERTIFICATION)?;
    let mode = match t.text("mode")? {
        None => CertificationMode::Solver,
        Some((mode, _)) if mode == "solver" => CertificationMode::Solver,
        Some((mode, _)) if mode == "proof" => CertificationMode::Proof,
        Some((_, place)) => {
            return Err(PipelineError::Value {
                place,
                key: "certification.mode".into(),
                message: "must be solver or proof".into(),
            });
        }
    };
    let solver = t.text("solver")?.map(located);
    if let (CertificationMode::Proof, Some(solver)) = (mode, &solver) {
        return Err(PipelineError::NoEffect {
            place: solver.place.clone(),
            key: "certification.solver".into(),
            why: "with `mode = \"proof\"` it is the bit-blaster on CaDiCaL".into(),
        });
    }
    Ok(Certification {
        mode,
        solver,
        solver_options: t.located_texts("solver-options")?,
        wall: t.duration("wall")?,
    })
}

type Engines = BTreeMap<String, EngineConfig>;

fn read_run(node: Node, path: &str, engines: &Engines) -> Result<Run, PipelineError> {
    let place = node.place.clone();
    match node.value {
        Value::Text(name) => engine(name, &place, path, engines),
        Value::Table(_) => {
            let mut t = Table::new(node, path, keys::RUN)?;
            if let Some(share) = t.take("share") {
                return Err(PipelineError::NoEffect {
                    place: share.place,
                    key: join(path, "share"),
                    why: "only members of a sequence have shares".into(),
                });
            }
            read_members(&mut t, path, engines)
        }
        _ => Err(wrong_type(&node, path, "an engine, a race or a sequence")),
    }
}

fn engine(name: String, place: &Place, path: &str, all: &Engines) -> Result<Run, PipelineError> {
    if all.contains_key(&name) {
        return Ok(Run::Engine(name));
    }
    let hint = nearest(&name, all.keys().map(String::as_str));
    let hint = hint.map(|h| format!(", did you mean `{h}`?"));
    Err(PipelineError::Value {
        place: place.clone(),
        key: path.into(),
        message: format!(
            "names `{name}`, which is no engine of this pipeline{}",
            hint.unwrap_or_default()
        ),
    })
}

/// Exactly one of `engine`, `race` and `sequence`.
fn read_members(t: &mut Table, path: &str, engines: &Engines) -> Result<Run, PipelineError> {
    let place = t.place.clone();
    if let Some(add) = t.take("add") {
        return Err(PipelineError::NoEffect {
            place: add.place,
            key: join(path, "add"),
            why: NOTHING_TO_ADD_TO.into(),
        });
    }
    let (one, race, sequence) = (t.text("engine")?, t.take("race"), t.take("sequence"));
    let given =
        usize::from(one.is_some()) + usize::from(race.is_some()) + usize::from(sequence.is_some());
    if given != 1 {
        return Err(PipelineError::Value {
            place,
            key: path.into(),
            message: "needs exactly one of `engine`, `race` and `sequence`".into(),
        });
    }
    if let Some((name, place)) = one {
        return engine(name, &place, path, engines);
    }
    let (key, list) = match (race, sequence) {
        (Some(list), _) => ("race", list),
        (_, Some(list)) => ("sequence", list),
        (None, None) => unreachable!("one of three was given"),
    };
    let path = join(path, key);
    let Value::List(items) = list.value else {
        return Err(wrong_type(&list, &path, "a list"));
    };
    if items.is_empty() {
        return Err(PipelineError::Value {
            place: list.place,
            key: path,
            message: "is empty".into(),
        });
    }
    let mut members = Vec::new();
    for (i, node) in items.into_iter().enumerate() {
        let path = format!("{path}[{i}]");
        let member = match node.value {
            Value::Table(_) if key == "sequence" => {
                let mut t = Table::new(node, &path, keys::RUN)?;
                let share = t.positive("share")?.map_or(1.0, |(share, _)| share);
                (share, read_members(&mut t, &path, engines)?)
            }
            _ => (1.0, read_run(node, &path, engines)?),
        };
        members.push(member);
    }
    Ok(match key {
        "sequence" => Run::Sequence(members),
        _ => Run::Race(members.into_iter().map(|(_, run)| run).collect()),
    })
}

impl Run {
    /// The engines that run.
    pub fn engines(&self, used: &mut BTreeSet<String>) {
        match self {
            Run::Engine(name) => {
                used.insert(name.clone());
            }
            Run::Race(members) => members.iter().for_each(|m| m.engines(used)),
            Run::Sequence(members) => members.iter().for_each(|(_, m)| m.engines(used)),
        }
    }
}
