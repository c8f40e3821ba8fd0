//! Every backend that the test command installs, for tests and examples that compare them.

mod in_process;

pub use in_process::in_process;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::installed;
use trellis_solver_smtlib::{SmtLib, dialect};

/// Those at the other end of a pipe.
pub fn pipes() -> Vec<Box<dyn SmtBackend>> {
    let mut all: Vec<Box<dyn SmtBackend>> = Vec::new();
    for dialect in [&dialect::Z3, &dialect::YICES, &dialect::CVC5] {
        if let Some(found) = installed(SmtLib::find(dialect)) {
            all.push(Box::new(found));
        }
    }
    all
}
