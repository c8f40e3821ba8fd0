//! The conformance suite on Z3, where it is installed.

use trellis_backend_z3::Z3;
use trellis_solver_api::testing::{check_smt_backend, installed};

#[test]
fn conformance() {
    if let Some(z3) = installed(Z3::find()) {
        check_smt_backend(&z3);
    }
}
