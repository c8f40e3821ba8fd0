//! What solvers do differently, as data.

/// How a solver tells which assumptions it used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// `check-sat-assuming` and `get-unsat-assumptions`.
    Assumptions,
    /// Named assertions in a level of their own, and `get-unsat-core`.
    Named,
    /// Not at all; assumptions are assertions in a level of their own.
    None,
}

/// One solver's way of speaking SMT-LIB 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name of the solver, as in configurations.
    pub name: &'static str,
    /// The program's file name.
    pub program: &'static str,
    /// The environment variable with the path of the program.
    pub variable: &'static str,
    /// Arguments that make it read commands from its standard input, one at a time.
    pub arguments: &'static [&'static str],
    /// Options to set before the logic.
    pub options: &'static [&'static str],
    /// The option that takes the seed, if there is one.
    pub seed: Option<&'static str>,
    /// The logic to set.
    pub logic: &'static str,
    /// How cores are asked for.
    pub cores: Cores,
    /// Whether `:global-declarations` works, so that a definition is sent once.
    pub global_declarations: bool,
    /// Whether it knows `bvuaddo` and its kin.
    pub overflow_predicates: bool,
    /// Whether it has `(as const ...)` with any element; otherwise they are instantiated for it.
    pub const_arrays: bool,
    /// Whether it forgets that its assertions are unsatisfiable when it finds that under assumptions (seen
    /// in Yices 2.6.5). Then the core is asked for at once, and an empty one is remembered for it; so is this
    /// error, which it gives instead of an empty core when it knew before.
    pub forgets_refutations: Option<&'static str>,
    /// Whether `get-info :reason-unknown` may be asked.
    pub reason_unknown: bool,
}

/// A program of which nothing is known: only what the standard demands, and no constant arrays.
pub const GENERIC: Dialect = Dialect {
    name: "smtlib",
    program: "smtlib",
    variable: "TRELLIS_SMTLIB",
    arguments: &[],
    options: &[],
    seed: None,
    logic: "QF_ABV",
    cores: Cores::Assumptions,
    global_declarations: false,
    overflow_predicates: false,
    const_arrays: false,
    forgets_refutations: None,
    reason_unknown: false,
};

/// Z3.
pub const Z3: Dialect = Dialect {
    name: "z3",
    program: "z3",
    variable: "TRELLIS_Z3_PROGRAM",
    arguments: &["-in"],
    seed: Some(":random-seed"),
    global_declarations: true,
    overflow_predicates: true,
    const_arrays: true,
    reason_unknown: true,
    ..GENERIC
};

/// cvc5. Its constant arrays take only values and must not be linked, so it gets none.
pub const CVC5: Dialect = Dialect {
    name: "cvc5",
    program: "cvc5",
    variable: "TRELLIS_CVC5_PROGRAM",
    arguments: &["--incremental", "--lang=smt2"],
    seed: Some(":seed"),
    global_declarations: true,
    reason_unknown: true,
    ..GENERIC
};

/// Yices 2. It has no constant arrays.
pub const YICES: Dialect = Dialect {
    name: "yices",
    program: "yices-smt2",
    variable: "TRELLIS_YICES_PROGRAM",
    arguments: &["--incremental", "--smt2-model-format"],
    global_declarations: true,
    forgets_refutations: Some("Call (check-sat-assuming) first"),
    ..GENERIC
};

/// Bitwuzla. No program of it comes from the registries, so the tests run it only where it is installed.
pub const BITWUZLA: Dialect = Dialect {
    name: "bitwuzla",
    program: "bitwuzla",
    variable: "TRELLIS_BITWUZLA_PROGRAM",
    arguments: &["--lang", "smt2", "--produce-models"],
    seed: Some(":seed"),
    overflow_predicates: true,
    const_arrays: true,
    ..GENERIC
};

/// MathSAT 5. Not free, so the tests run it only where it is installed.
pub const MATHSAT: Dialect = Dialect {
    name: "mathsat",
    program: "mathsat",
    variable: "TRELLIS_MATHSAT_PROGRAM",
    ..GENERIC
};

/// The solvers we know.
pub const KNOWN: [&Dialect; 5] = [&Z3, &CVC5, &YICES, &BITWUZLA, &MATHSAT];

/// The dialect of a program by its file name; [`GENERIC`] for one we do not know.
pub fn of_program(file_name: &str) -> &'static Dialect {
    KNOWN
        .into_iter()
        .find(|d| file_name.starts_with(d.program))
        .unwrap_or(&GENERIC)
}
