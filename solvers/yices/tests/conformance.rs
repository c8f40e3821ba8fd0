//! The conformance suite on Yices, where it is installed, and its rule of one thread.

use trellis_backend_yices::Yices;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::{check_smt_backend, installed};
use trellis_solver_api::{SessionConfig, SolverError};

/// One test, because tests run on threads of their own.
#[test]
fn conformance_and_leases() {
    let Some(yices) = installed(Yices::find()) else {
        return;
    };
    leases(&yices);
    check_smt_backend(&yices);
}

fn leases(yices: &Yices) {
    let config = SessionConfig::default();
    let first = yices.session(&config).expect("the first session");
    let second = yices.session(&config).expect("another on the same thread");
    std::thread::scope(|scope| {
        let other = scope.spawn(|| yices.session(&config).err());
        let error = other
            .join()
            .expect("no panic")
            .expect("refused on another thread");
        assert!(matches!(error, SolverError::Unavailable { .. }), "{error}");
    });
    drop((first, second));
    std::thread::scope(|scope| {
        let other = scope.spawn(|| yices.session(&config).map(drop));
        other
            .join()
            .expect("no panic")
            .expect("nobody else has a session");
    });
}

#[test]
fn absence_says_what_to_do() {
    let error = Yices::load("/nowhere/libyices.so")
        .err()
        .expect("no such library");
    assert!(
        error.to_string().contains("/nowhere/libyices.so"),
        "{error}"
    );
}
