//! batsat passes the SAT suite.

use trellis_solver_api::testing::check_sat_backend;
use trellis_solver_batsat::Batsat;

#[test]
fn conformance() {
    check_sat_backend(&Batsat);
}
