//! What the front end makes of a file: for people who want to know before they start.
//!
//! Two kinds of incomplete locations are told apart. A *construct* is something in the source that
//! this front end does not model; a *limit* is a guard of the model (slots of the address space,
//! pointers far outside of objects) that ordinary executions do not reach.

use crate::program::{Error, Options, compile_files};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use trellis_ivl::LocKind;

/// An incomplete construct and where it stands first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construct {
    /// What is not modelled.
    pub what: String,
    /// `file:line:column`
    pub place: String,
    /// How often it occurs.
    pub count: usize,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has an IVL program.
    Lowered {
        /// Locations of the IVL program.
        locations: usize,
        /// Edges of the IVL program.
        edges: usize,
        /// What is incomplete, in order of first occurrence.
        constructs: Vec<Construct>,
    },
    /// The front end refused it; the first error.
    Refused(String),
    /// The front end broke: a bug of ours.
    Crashed(String),
}

/// The model's guards; a program that stays within ordinary bounds never fails them.
const LIMITS: &[&str] = &[
    "an allocation larger than a slot of the address space",
    "an allocation larger than the address space",
    "more dynamic objects than the address space has slots",
    "more static objects than the address space has slots",
    "pointer arithmetic far outside of any object",
    "heap objects that variables may still track at the end of the program",
    "a call through a function pointer that holds no known function of its type",
];

/// Whether an incomplete location is a guard of the model rather than an unknown construct.
pub fn is_limit(reason: &str) -> bool {
    LIMITS.contains(&reason)
}

/// Reads and lowers files as one program and says what became of it.
pub fn survey(files: &[PathBuf], options: &Options) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| compile_files(files, options))) {
        Ok(Ok(compiled)) => {
            let program = &compiled.lowered.program;
            let mut constructs: Vec<Construct> = Vec::new();
            for data in program.locs.values() {
                let LocKind::Incomplete(reason) = &data.kind else {
                    continue;
                };
                if is_limit(reason) {
                    continue;
                }
                match constructs.iter_mut().find(|c| *c.what == **reason) {
                    Some(c) => c.count += 1,
                    None => constructs.push(Construct {
                        what: reason.to_string(),
                        place: place(program, data.span),
                        count: 1,
                    }),
                }
            }
            Outcome::Lowered {
                locations: program.locs.len(),
                edges: program.edges.len(),
                constructs,
            }
        }
        Ok(Err(e)) => Outcome::Refused(first_error(&e)),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Outcome::Crashed(text.unwrap_or_else(|| "panic".into()))
        }
    }
}

fn place(program: &trellis_ivl::Program, span: trellis_ivl::Span) -> String {
    match span.file().and_then(|f| program.files.get(f)) {
        Some(file) => format!("{file}:{}:{}", span.line, span.column),
        None => "?".into(),
    }
}

fn first_error(e: &Error) -> String {
    let text = e.to_string();
    let line = text.lines().find(|l| l.contains("error"));
    line.or(text.lines().next()).unwrap_or_default().to_owned()
}
