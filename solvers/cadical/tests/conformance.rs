//! CaDiCaL passes the SAT suite, in its default and in its plain configuration, and with checked proofs.

use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::testing::check_sat_backend;
use trellis_solver_api::{Capabilities, OptionKind, SessionConfig, SolverError};
use trellis_solver_cadical::{Cadical, OPTIONS, ProvedCadical};

#[test]
fn default_configuration() {
    check_sat_backend(&Cadical);
}

/// CaDiCaL without simplification.
struct Plain;

impl SatBackend for Plain {
    fn name(&self) -> &str {
        "cadical-plain"
    }
    fn capabilities(&self) -> Capabilities {
        Cadical.capabilities()
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        Cadical.session(&config.clone().with("config", 1))
    }
}

#[test]
fn plain_configuration() {
    check_sat_backend(&Plain);
}

#[test]
fn proved() {
    check_sat_backend(&ProvedCadical::default());
}

#[test]
fn every_option_is_known_to_cadical() {
    for option in OPTIONS {
        let config = SessionConfig {
            seed: u64::MAX,
            ..SessionConfig::default()
        };
        let OptionKind::Integer { max, .. } = option.kind else {
            panic!("{option:?}");
        };
        Cadical
            .session(&config.with(&option.name, max))
            .unwrap_or_else(|e| panic!("{e}"));
    }
    let wrong = Cadical
        .session(&SessionConfig::default().with("vivfy", 1))
        .err();
    assert!(
        wrong
            .expect("no such option")
            .to_string()
            .contains("`vivify`")
    );
}
