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

macro_rules! keys {
    ($($name:literal: $ty:literal => $doc:literal,)*) => {
        &[$(Key { name: $name, ty: $ty, doc: $doc }),*]
    };
}

/// Keys of the file itself.
pub const PIPELINE: &[Key] = keys! {
    "description": "text" => "one line for `trellis pipelines list`",
    "extends": "name or path" => "the pipeline that this one adds to",
    "override": "list" => "inherited keys that this file changes, such as \"limits.wall\"",
    "plugins": "list of paths" => "folders of plugins, from the folder of the pipeline, before the usual ones",
    "passes": "pass list" => "what shrinks the program, as for `trellis ivl opt`",
    "frontend": "table" => "options of front ends, for what the command line and the task leave open",
    "engines": "table" => "the engines, each a table with a name of its own",
    "run": "engine or table" => "how the engines run together",
    "select": "name or path" => "classes of programs, which say when engines of the race begin",
    "limits": "table" => "time and memory",
    "certification": "table" => "how answers are checked",
};

/// Keys of `frontend.NAME`, for a front end that is a plugin.
pub const FRONTEND_PLUGIN: &[Key] = keys! {
    "path": "path" => "the library, when it is not in a usual place",
    "options": "table" => "the front end's own options",
};

/// Keys of `frontend.c`.
pub const FRONTEND_C: &[Key] = keys! {
    "check": "list" => "properties to check, separated by commas, as for `--check`",
    "model": "name" => "\"ILP32\" or \"LP64\"; that of the machine when missing",
    "function": "name" => "where the program begins",
    "strict": "boolean" => "whether nothing is assumed that the program does not promise, as for `--strict`",
    "assume": "list" => "assumptions to make, separated by commas, as for `--assume`",
    "no-assume": "list" => "assumptions not to make, separated by commas, as for `--no-assume`",
};

/// Keys of `engines.NAME`.
pub const ENGINE: &[Key] = keys! {
    "plugin": "id" => "the plugin's id; the engine's name when missing",
    "path": "path" => "the library, when it is not in a usual place",
    "solver": "name" => "backend of its SMT sessions",
    "solver-options": "table" => "options of that backend",
    "sat": "name" => "backend of its SAT sessions",
    "sat-options": "table" => "options of that backend",
    "options": "table" => "the engine's own options",
    "lemmas": "boolean" => "whether it gets proved lemmas of others (default true)",
    "termination": "boolean" => "whether it is asked which loops end, and not which errors are reachable (default false)",
    "original": "boolean" => "whether it gets the program of the front end, before all passes, with its procedures (default false); it claims errors and contracts",
    "when": "arrays or calls" => "start it only for a program with arrays, or with calls that multiply: recursive ones, or many when expanded (default: always)",
};

/// Keys of `run` and of the members of a race or sequence; exactly one of the first three, or `add`.
pub const RUN: &[Key] = keys! {
    "engine": "name" => "one engine",
    "race": "list" => "all at once; the first certified answer wins",
    "sequence": "list" => "one after the other, each with its share of the time",
    "add": "list" => "engines to add to the inherited race or sequence",
    "share": "number" => "share of the time, in a sequence (default 1)",
};

/// Keys of `limits`.
pub const LIMITS: &[Key] = keys! {
    "wall": "time" => "wall time of the whole check, such as 900, \"15min\" or \"90s\"",
    "cpu": "time" => "CPU time of each engine",
    "memory": "size" => "resident memory of each engine, such as \"4GiB\"",
    "grace": "time" => "time to stop in, before an engine is killed",
};

/// Keys of `certification`.
pub const CERTIFICATION: &[Key] = keys! {
    "mode": "solver or proof" => "whose word counts: a solver's (default), or that of a checker of proofs, which a SAT solver has to write",
    "solver": "name" => "backend of the checker; another than the engine's where there is one",
    "solver-options": "table" => "options of that backend",
    "wall": "time" => "wall time of each check",
};

/// Keys of a file of classes.
pub const SELECTION: &[Key] = keys! {
    "class": "list of tables" => "classes of programs; the first that fits counts",
};

/// Keys of a class.
pub const CLASS: &[Key] = keys! {
    "when": "list" => "bounds that all hold, such as [\"loops >= 1\", \"arrays <= 0\"]",
    "turns": "list of tables" => "engines in the order in which they begin",
};

/// Keys of a turn.
pub const TURN: &[Key] = keys! {
    "engine": "name" => "an engine of the race",
    "after": "time" => "CPU time that others get before it begins, unless they all have ended",
};

/// What bounds of a class are about.
pub const FEATURES: &[Key] = keys! {
    "edges": "number" => "edges of the program as engines get it",
    "operations": "number" => "basic operations on them",
    "variables": "number" => "variables that they change",
    "loops": "number" => "loop heads",
    "arrays": "number" => "arrays that are read or written; memory is one",
    "heap": "number" => "objects whose size is not fixed",
    "inputs": "number" => "variables that may get any value, counted at each place",
    "products": "number" => "products and quotients of two variables",
    "widest": "number" => "bits of the widest word; floats have wide ones",
    "calls": "number" => "calls in the program as the front end made it",
    "recursive": "number" => "1 where calls multiply: recursive ones, or many when expanded",
    "errors": "number" => "places where something may be violated",
};

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

/// The same of files of classes.
pub const OF_CLASSES: &[(&str, &[Key])] = &[
    ("[class]", CLASS),
    ("class.turns", TURN),
    ("class.when", FEATURES),
];
