//! What is tested: a list of our passes by name, or any passes at all.

use trellis_ivl::Program;
use trellis_ivl_passes::{Pass, PassError, Property, Report, parse_list, run_passes};

/// A list such as `"inline, dce"`, a pass (`&dyn Pass`), or several in order (`&[&dyn Pass]`).
pub trait Passes {
    /// Runs them, their order checked first; a pass that fails is an error.
    fn run(&self, program: &mut Program) -> Result<Report, PassError>;
    /// Their names.
    fn describe(&self) -> String;
}

fn nothing_failed(mut report: Report) -> Result<Report, PassError> {
    match report.failed.pop() {
        None => Ok(report),
        Some(e) => Err(e),
    }
}

impl Passes for str {
    fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        let list = parse_list(self, &Property::of(program))?;
        nothing_failed(list.run(program)?)
    }

    fn describe(&self) -> String {
        self.to_string()
    }
}

impl Passes for String {
    fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        self.as_str().run(program)
    }

    fn describe(&self) -> String {
        self.clone()
    }
}

impl Passes for [&dyn Pass] {
    fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        nothing_failed(run_passes(self, &Property::of(program), program)?)
    }

    fn describe(&self) -> String {
        let names: Vec<&str> = self.iter().map(|p| p.name()).collect();
        names.join(", ")
    }
}

impl<const N: usize> Passes for [&dyn Pass; N] {
    fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        self.as_slice().run(program)
    }

    fn describe(&self) -> String {
        self.as_slice().describe()
    }
}

impl Passes for dyn Pass + '_ {
    fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        nothing_failed(run_passes(&[self], &Property::of(program), program)?)
    }

    fn describe(&self) -> String {
        self.name().to_string()
    }
}
