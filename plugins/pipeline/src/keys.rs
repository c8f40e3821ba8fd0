//! Every key of a pipeline, with its type and meaning: what readers accept and manuals print.

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its type, for people.
    pub ty: &'static str,
    /// What it does.
    pub doc: &'static str,
}

const fn key(name: &'static str, ty: &'static str, doc: &'static str) -> Key {
    Key { name, ty, doc }
}

/// Keys of the file itself.
pub const PIPELINE: &[Key] = &[
    key(
        "description",
        "text",
        "one line for `trellis pipelines list`",
    ),
    key(
        "extends",
        "name or path",
        "the pipeline that this one adds to",
    ),
    key(
        "override",
        "list",
        "inherited keys that this file changes, such as \"limits.wall\"",
    ),
    key(
        "plugins",
        "list of paths",
        "folders of plugins, from the folder of the pipeline, before the usual ones",
    ),
    key(
        "passes",
        "pass list",
        "what shrinks the program, as for `trellis ivl opt`",
    ),
    key(
        "frontend",
        "table",
        "options of front ends, for what the command line and the task leave open",
    ),
    key(
        "engines",
        "table",
        "the engines, each a table with a name of its own",
    ),
    key("run", "engine or table", "how the engines run together"),
    key("limits", "table", "time and memory"),
    key("certification", "table", "how answers are checked"),
];

/// Keys of `frontend.NAME`, for a front end that is a plugin.
pub const FRONTEND_PLUGIN: &[Key] = &[
    key(
        "path",
        "path",
        "the library, when it is not in a usual place",
    ),
    key("options", "table", "the front end's own options"),
];

/// Keys of `frontend.c`.
pub const FRONTEND_C: &[Key] = &[
    key(
        "check",
        "list",
        "properties to check, separated by commas, as for `--check`",
    ),
    key(
        "model",
        "name",
        "\"ILP32\" or \"LP64\"; that of the machine when missing",
    ),
    key("function", "name", "where the program begins"),
    key(
        "strict",
        "boolean",
        "whether nothing is assumed that the program does not promise, as for `--strict`",
    ),
    key(
        "assume",
        "list",
        "assumptions to make, separated by commas, as for `--assume`",
    ),
    key(
        "no-assume",
        "list",
        "assumptions not to make, separated by commas, as for `--no-assume`",
    ),
];

/// Keys of `engines.NAME`.
pub const ENGINE: &[Key] = &[
    key(
        "plugin",
        "id",
        "the plugin's id; the engine's name when missing",
    ),
    key(
        "path",
        "path",
        "the library, when it is not in a usual place",
    ),
    key("solver", "name", "backend of its SMT sessions"),
    key("solver-options", "table", "options of that backend"),
    key("sat", "name", "backend of its SAT sessions"),
    key("sat-options", "table", "options of that backend"),
    key("options", "table", "the engine's own options"),
    key(
        "lemmas",
        "boolean",
        "whether it gets proved lemmas of others (default true)",
    ),
    key(
        "termination",
        "boolean",
        "whether it is asked which loops end, and not which errors are reachable (default false)",
    ),
    key(
        "original",
        "boolean",
        "whether it gets the program of the front end, before all passes, with its procedures (default false); it claims errors and contracts",
    ),
];

/// Keys of `run` and of the members of a race or sequence; exactly one of the first three, or `add`.
pub const RUN: &[Key] = &[
    key("engine", "name", "one engine"),
    key(
        "race",
        "list",
        "all at once; the first certified answer wins",
    ),
    key(
        "sequence",
        "list",
        "one after the other, each with its share of the time",
    ),
    key(
        "add",
        "list",
        "engines to add to the inherited race or sequence",
    ),
    key(
        "share",
        "number",
        "share of the time, in a sequence (default 1)",
    ),
];

/// Keys of `limits`.
pub const LIMITS: &[Key] = &[
    key(
        "wall",
        "time",
        "wall time of the whole check, such as 900, \"15min\" or \"90s\"",
    ),
    key("cpu", "time", "CPU time of each engine"),
    key(
        "memory",
        "size",
        "resident memory of each engine, such as \"4GiB\"",
    ),
    key(
        "grace",
        "time",
        "time to stop in, before an engine is killed",
    ),
];

/// Keys of `certification`.
pub const CERTIFICATION: &[Key] = &[
    key(
        "mode",
        "solver or proof",
        "whose word counts: a solver's (default), or that of a checker of proofs, which a SAT solver has to write",
    ),
    key(
        "solver",
        "name",
        "backend of the checker; another than the engine's where there is one",
    ),
    key("solver-options", "table", "options of that backend"),
    key("wall", "time", "wall time of each check"),
];

/// All tables, for manuals: a heading and its keys.
pub const ALL: &[(&str, &[Key])] = &[
    ("", PIPELINE),
    ("frontend.c", FRONTEND_C),
    ("frontend.NAME", FRONTEND_PLUGIN),
    ("engines.NAME", ENGINE),
    ("run", RUN),
    ("limits", LIMITS),
    ("certification", CERTIFICATION),
];
