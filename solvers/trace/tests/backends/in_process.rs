//! Backends within the process.

use trellis_backend_yices::Yices;
use trellis_backend_z3::Z3;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::installed;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// A bit-blaster under a name of its own and with an option.
struct Named(&'static str, Bitblast, Option<(&'static str, i64)>);

impl SmtBackend for Named {
    fn name(&self) -> &str {
        self.0
    }
    fn capabilities(&self) -> trellis_solver_api::Capabilities {
        self.1.capabilities()
    }
    fn session(
        &self,
        config: &trellis_solver_api::SessionConfig,
    ) -> Result<Box<dyn trellis_solver_api::smt::SmtSession>, trellis_solver_api::SolverError> {
        match self.2 {
            Some((name, value)) => self.1.session(&config.clone().with(name, value)),
            None => self.1.session(config),
        }
    }
}

/// Those within this process. Yices allows one thread: callers use one.
pub fn in_process() -> Vec<Box<dyn SmtBackend>> {
    let mut all: Vec<Box<dyn SmtBackend>> = vec![
        Box::new(Named("bitblast-cadical", Bitblast::new(Cadical), None)),
        Box::new(Named("bitblast-batsat", Bitblast::new(Batsat), None)),
        Box::new(Named(
            "bitblast-lift",
            Bitblast::new(Cadical),
            Some(("lift", 2)),
        )),
        Box::new(Named(
            "bitblast-equations",
            Bitblast::new(Cadical),
            Some(("equations", 2)),
        )),
    ];
    if let Some(z3) = installed(Z3::find()) {
        all.push(Box::new(z3));
    }
    if let Some(yices) = installed(Yices::find()) {
        all.push(Box::new(yices));
    }
    all
}
