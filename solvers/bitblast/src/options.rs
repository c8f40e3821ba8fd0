//! The options of the bit-blaster, in one sorted table. Options that begin with `sat.` go to the SAT
//! solver without that prefix.

use crate::aig::Aig;
use crate::session::NAME;
use trellis_solver_api::{OptionSpec, SessionConfig, SolverError, parse_options};

/// The options, sorted by name.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::flag(
        "check-models",
        "false",
        "evaluate all assertions in every model, and fail if one is false",
    ),
    OptionSpec::flag(
        "definitions",
        "true",
        "variables asserted equal to a term take its bits",
    ),
    OptionSpec::integer(
        "equations",
        "1",
        0,
        2,
        "solve equations of a query: 1 once more where it keeps the SAT solver busy, 2 always and first",
    ),
    OptionSpec::flag("full", "true", "encode gates in both directions at once"),
    OptionSpec::integer(
        "lift",
        "1",
        0,
        2,
        "look for models from the lowest bit up: 1 where products keep the SAT solver busy, 2 always and first",
    ),
    OptionSpec::integer(
        "max-gates",
        "134217728",
        1 << 10,
        Aig::MAX_NODES as i64,
        "gates before a query is refused",
    ),
    OptionSpec::integer(
        "renew",
        "1",
        0,
        2,
        "go on with a fresh SAT solver: 1 when popped levels outnumber the rest, 2 for every query",
    ),
    OptionSpec::integer(
        "ring",
        "1",
        0,
        2,
        "refute queries by equations of polynomials: 1 where they keep the SAT solver busy, 2 always and first",
    ),
];

/// Our options, and those of the SAT solver under our prefix.
pub(crate) fn all(sat: Vec<OptionSpec>) -> Vec<OptionSpec> {
    let sat = sat.into_iter().map(|spec| OptionSpec {
        name: format!("{SAT_PREFIX}{}", spec.name).into(),
        ..spec
    });
    OPTIONS.iter().cloned().chain(sat).collect()
}

const SAT_PREFIX: &str = "sat.";

/// When something else is tried than the SAT solver as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Never,
    Hard,
    Always,
}

impl When {
    const ALL: [When; 3] = [When::Never, When::Hard, When::Always];
}

/// Their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub check_models: bool,
    pub definitions: bool,
    pub equations: When,
    pub full: bool,
    pub lift: When,
    pub max_gates: u32,
    pub renew: When,
    pub ring: When,
}

impl Options {
    /// Our options, and the configuration of the SAT solver.
    pub fn parse(config: &SessionConfig) -> Result<(Options, SessionConfig), SolverError> {
        let mut own = SessionConfig {
            seed: config.seed,
            ..SessionConfig::default()
        };
        let mut sat = own.clone();
        for (name, value) in &config.options {
            match name.strip_prefix(SAT_PREFIX) {
                Some(name) => sat.options.insert(name.to_string(), value.clone()),
                None => own.options.insert(name.clone(), value.clone()),
            };
        }
        let values = parse_options(NAME, OPTIONS, &own)?;
        let values: Vec<i64> = values.into_iter().flatten().collect();
        let &[
            check_models,
            definitions,
            equations,
            full,
            lift,
            max_gates,
            renew,
            ring,
        ] = values.as_slice()
        else {
            unreachable!("one value per option");
        };
        let options = Options {
            check_models: check_models == 1,
            definitions: definitions == 1,
            equations: When::ALL[equations as usize],
            full: full == 1,
            lift: When::ALL[lift as usize],
            max_gates: max_gates as u32,
            renew: When::ALL[renew as usize],
            ring: When::ALL[ring as usize],
        };
        Ok((options, sat))
    }
}
