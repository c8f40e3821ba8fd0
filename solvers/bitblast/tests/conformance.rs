//! The bit-blaster passes the SMT suite on both SAT solvers, in every encoding.

use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::testing::check_smt_backend;
use trellis_solver_api::{Capabilities, SessionConfig, SolverError};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// A backend with options of its own, and with its models checked.
struct With(Bitblast, &'static [(&'static str, i64)]);

impl SmtBackend for With {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        let config = config.clone().with("check-models", 1);
        let with = self
            .1
            .iter()
            .fold(config, |config, (name, value)| config.with(name, value));
        self.0.session(&with)
    }
}

#[test]
fn cadical() {
    check_smt_backend(&With(Bitblast::new(Cadical), &[]));
}

#[test]
fn cadical_by_polarity() {
    check_smt_backend(&With(Bitblast::new(Cadical), &[("full", 0)]));
}

#[test]
fn batsat_without_definitions() {
    check_smt_backend(&With(Bitblast::new(Batsat), &[("definitions", 0)]));
}

#[test]
fn cadical_after_lifting() {
    check_smt_backend(&With(Bitblast::new(Cadical), &[("lift", 2)]));
}

#[test]
fn cadical_with_solved_equations() {
    check_smt_backend(&With(Bitblast::new(Cadical), &[("equations", 2)]));
}

#[test]
fn options_go_to_their_owner() {
    let backend = Bitblast::new(Cadical);
    let error = |name: &str| {
        let config = SessionConfig::default().with(name, 1);
        backend
            .session(&config)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default()
    };
    assert_eq!(error("sat.elim"), "");
    assert_eq!(
        error("elim"),
        "solver bitblast: option `elim`: no such option"
    );
    assert_eq!(
        error("lifd"),
        "solver bitblast: option `lifd`: no such option, did you mean `lift`?"
    );
    assert!(error("sat.full").starts_with("solver cadical: option `full`"));
}
