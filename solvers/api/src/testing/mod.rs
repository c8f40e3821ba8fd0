//! What the tests of backends share: conformance suites, brute-force references, random input.
//!
//! Suites panic with the name of the backend and the seed, as tests do.

mod idle;
mod promptness;
mod sat_reference;
mod sat_suite;
mod skip;
mod smt_limits;
mod smt_script;
mod smt_suite;
mod term_gen;

pub use idle::IdleSession;
pub use sat_reference::{Cnf, pigeonhole, random_clause};
pub use sat_suite::{SAT_CHECKS, SatCheck, check_sat_backend};
pub use skip::installed;
pub use smt_script::{
    Agreement, ScriptKind, ScriptResult, SmtCommand, SmtScript, compare_backends, run_script,
};
pub use smt_suite::{SMT_CHECKS, SmtCheck, check_smt_backend, random_scripts};
pub use term_gen::{GenOptions, TermGen, random_value};
pub use trellis_ivl::rng::Rng;
