//! The options of CaDiCaL that change its speed on incremental queries, in one sorted table with
//! default, range and help. `config` is ours: it chooses one of CaDiCaL's predefined configurations,
//! and the other options are set after it.

use trellis_solver_api::OptionSpec;

const fn inherited(name: &'static str, high: i64, help: &'static str) -> OptionSpec {
    OptionSpec::integer(name, "none", 0, high, help).or_none()
}

/// The options, sorted by name. What is none has the value that `config` gives it.
pub const OPTIONS: &[OptionSpec] = &[
    inherited("bumpreason", 1, "bump the variables of reasons too"),
    inherited("chrono", 2, "chronological backtracking"),
    OptionSpec::integer(
        "config",
        "0",
        0,
        3,
        "0 default, 1 plain (no simplification), 2 sat, 3 unsat",
    ),
    inherited("elim", 1, "bounded variable elimination"),
    inherited(
        "ilb",
        1,
        "keep the trail between queries (incremental lazy backtracking)",
    ),
    inherited(
        "ilbassumptions",
        1,
        "keep the trail of equal leading assumptions",
    ),
    inherited("inprocessing", 1, "simplify between restarts"),
    inherited("lucky", 1, "try trivial assignments before the search"),
    inherited("phase", 1, "initial phase of decisions"),
    inherited("probe", 1, "failed literal probing"),
    inherited(
        "reduceint",
        1_000_000,
        "conflicts between reductions of learned clauses",
    ),
    inherited("restartint", 1_000_000, "conflicts between restarts"),
    inherited("shrink", 3, "shrink learned clauses"),
    inherited("stabilize", 1, "alternate with phases of few restarts"),
    inherited(
        "stabilizefactor",
        1_000_000,
        "growth of phases of few restarts in percent",
    ),
    inherited(
        "stabilizeint",
        1_000_000,
        "conflicts of the first phase of many restarts",
    ),
    inherited("stabilizeonly", 1, "few restarts only"),
    inherited("subsume", 1, "remove subsumed clauses"),
    inherited(
        "target",
        2,
        "best phases so far: 1 in phases of few restarts, 2 always",
    ),
    inherited("ternary", 1, "hyper ternary resolution"),
    inherited("vivify", 1, "shorten clauses by propagation"),
    inherited("walk", 1, "local search for phases"),
];

/// What [`ProvedCadical`](crate::ProvedCadical) has besides.
pub const PROOF_OPTIONS: &[OptionSpec] = &[
    OptionSpec::integer(
        "proof-fault",
        "0",
        0,
        i64::MAX,
        "the clause of every proof, counted from 1, that loses its reasons on the way to the check: for tests",
    ),
    OptionSpec::integer(
        "proof-memory",
        "4096",
        1,
        1 << 20,
        "MiB that the check of a proof may take, and as many that a proof to be kept may",
    ),
];

/// Names of CaDiCaL's configurations, by the value of `config`.
pub(crate) const CONFIGURATIONS: [&str; 4] = ["default", "plain", "sat", "unsat"];
