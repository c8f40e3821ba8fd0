//! Which C, and with which headers and macros: what compilers take from their command line, as far as it has a
//! meaning here. [`crate::flags`] reads the spellings that compilers have for it.

use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use trellis_frontend_c::compiler::{Direct, Runner};
use trellis_frontend_c::preprocess::{Macro, PreprocessOptions};
use trellis_witness::kept::Kept;

/// The standards that headers may be read for. The language itself is C11 with GNU extensions, which has all of
/// them; later ones mean other things by the same words.
const STANDARDS: [&str; 15] = [
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
#[derive(Args, Clone, Debug, Default)]
pub struct Dialect {
    /// C: the standard for the preprocessor; also spelt -std=NAME [default: gnu11]
    #[arg(long = "std", value_name = "NAME", value_parser = STANDARDS, hide_possible_values = true)]
    standard: Option<String>,
    /// C: folder of headers of the system; also spelt -isystem
    #[arg(long = "isystem", value_name = "DIR")]
    system_dirs: Vec<PathBuf>,
    /// C: folder of headers in quotes; also spelt -iquote
    #[arg(long = "iquote", value_name = "DIR")]
    quote_dirs: Vec<PathBuf>,
    /// C: folder of headers to look in at last; also spelt -idirafter
    #[arg(long = "idirafter", value_name = "DIR")]
    late_dirs: Vec<PathBuf>,
    /// C: header to include first; also spelt -include
    #[arg(long = "include", value_name = "FILE")]
    pub includes: Vec<PathBuf>,
}

impl Dialect {
    /// All that a preprocessor is told.
    pub fn preprocess(
        &self,
        include_dirs: &[PathBuf],
        defines: &[String],
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
            compiler: None,
            runner: runner(deadline),
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
fn runner(deadline: Option<Instant>) -> Arc<dyn Runner> {
    match std::env::current_exe() {
        Ok(keeper) => Arc::new(Kept { keeper, deadline }),
        Err(_) => Arc::new(Direct),
    }
}
