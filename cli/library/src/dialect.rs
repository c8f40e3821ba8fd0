//! Which C, and with which headers and macros: what compilers take from their command line, as far as it has a
//! meaning here.

use crate::worker::Worker;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use trellis_frontend_c::compiler::{Direct, Runner};
use trellis_frontend_c::preprocess::{Macro, PreprocessOptions};
use trellis_witness::kept::Kept;

/// The standards that headers may be read for. The language itself is C11 with GNU extensions, which has all of
/// them; later ones mean other things by the same words.
pub const STANDARDS: [&str; 15] = [
    "c89",
    "c90",
    "c99",
    "c9x",
    "c11",
    "c17",
    "c18",
    "gnu89",
    "gnu90",
    "gnu99",
    "gnu9x",
    "gnu11",
    "gnu17",
    "gnu18",
    "iso9899:1999",
];

/// Options of compilers that have a meaning here.
#[derive(Clone, Debug, Default)]
pub struct Dialect {
    /// The standard for the preprocessor, one of [`STANDARDS`]; gnu11 when none.
    pub standard: Option<String>,
    /// Folders of headers of the system.
    pub system_dirs: Vec<PathBuf>,
    /// Folders of headers in quotes.
    pub quote_dirs: Vec<PathBuf>,
    /// Folders of headers to look in at last.
    pub late_dirs: Vec<PathBuf>,
    /// Headers to include first.
    pub includes: Vec<PathBuf>,
    /// Floats are evaluated in long double, where pointers have 32 bits.
    pub excess_precision: bool,
}

impl Dialect {
    /// All that a preprocessor is told.
    pub fn preprocess(
        &self,
        include_dirs: &[PathBuf],
        defines: &[String],
        worker: Option<&Worker>,
        deadline: Option<Instant>,
    ) -> PreprocessOptions {
        PreprocessOptions {
            include_dirs: include_dirs.to_vec(),
            system_dirs: self.system_dirs.clone(),
            quote_dirs: self.quote_dirs.clone(),
            late_dirs: self.late_dirs.clone(),
            macros: macros(defines),
            includes: self.includes.clone(),
            standard: self.standard.clone(),
            excess_precision: self.excess_precision,
            compiler: None,
            comments: false,
            runner: runner(worker, deadline),
        }
    }
}

/// Macros as `-D` gives them; `-U NAME` comes as one that no macro can be called, to keep the order of both.
fn macros(defines: &[String]) -> Vec<Macro> {
    let one = |text: &String| match text.strip_prefix("-U") {
        Some(name) => Macro::Undefine(name.into()),
        None => Macro::Define(text.clone()),
    };
    defines.iter().map(one).collect()
}

/// Who starts the preprocessor: a keeper, which ends it in time.
fn runner(worker: Option<&Worker>, deadline: Option<Instant>) -> Arc<dyn Runner> {
    match worker {
        Some(worker) => Arc::new(Kept {
            keeper: worker.executable().into(),
            deadline,
        }),
        None => Arc::new(Direct),
    }
}
