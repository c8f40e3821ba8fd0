//! Which assumptions a check of a C program may make, and how those it makes are told.

use crate::error::Error;
use crate::report::Assumed;
use trellis_frontend_c::assumptions::{Assumption, Entry, Granted};
use trellis_ivl::Program;
use trellis_pipeline::CFrontend;

/// What may be taken for granted.
#[derive(Clone, Debug, Default)]
pub struct Grants {
    /// Nothing that the program does not promise, but for `assume`.
    pub strict: bool,
    /// These assumptions, by their names.
    pub assume: Vec<String>,
    /// Not these.
    pub no_assume: Vec<String>,
    /// By the rules of tasks, whatever the file.
    pub task: bool,
}

impl Grants {
    /// The same by the rules of tasks.
    pub fn of_task(&self) -> Grants {
        Grants {
            task: true,
            ..self.clone()
        }
    }

    /// What is granted: by the rules of SV-COMP or for a plain file, then as the pipeline says, then as is said here. Where accesses are not checked, a program that uses what it was not given would go on in the model and
    /// never in reality; so allocation succeeds there.
    pub fn granted(
        &self,
        by_rules: bool,
        accesses: bool,
        defaults: &CFrontend,
    ) -> Result<Granted, Error> {
        let mut granted = match by_rules || self.task {
            true => Granted::task(),
            false => Granted::plain(),
        };
        if !accesses {
            granted.grant(Assumption::MallocSucceeds);
        }
        if self.strict || defaults.strict {
            granted = Granted::none();
        }
        for (key, names, grant) in [
            ("assume", &defaults.assume, true),
            ("no-assume", &defaults.no_assume, false),
        ] {
            for name in names.iter().flat_map(|n| n.value.split(',').map(str::trim)) {
                let place = names.as_ref().map(|n| n.place.to_string());
                let place = place.unwrap_or_default();
                let set = granted.set(name, grant);
                set.map_err(|e| Error::Usage(format!("{place}: `frontend.c.{key}`: {e}")))?;
            }
        }
        for (option, names, grant) in [
            ("--assume", &self.assume, true),
            ("--no-assume", &self.no_assume, false),
        ] {
            for name in names.iter().flat_map(|n| n.split(',').map(str::trim)) {
                let set = granted.set(name, grant);
                set.map_err(|e| Error::Usage(format!("{option}: {e}")))?;
            }
        }
        Ok(granted)
    }
}

/// The ledger of a program in the terms of reports.
pub fn told(program: &Program, entries: &[Entry]) -> Vec<Assumed> {
    let told = |entry: &Entry| Assumed {
        name: entry.assumption.name(),
        explanation: entry.assumption.explanation(),
        detail: entry.detail.clone(),
        places: entry
            .places
            .iter()
            .filter_map(|span| {
                let file = program.files.get(span.file()?)?;
                Some((file.to_string(), span.line, span.column))
            })
            .map(|(file, line, column)| crate::report::Place { file, line, column })
            .collect(),
    };
    entries.iter().map(told).collect()
}

/// The lines above a verdict: the number of assumptions, and all of them where they are wanted.
pub fn lines(assumptions: &[Assumed], all: bool) -> String {
    if assumptions.is_empty() {
        return String::new();
    }
    let count = match assumptions.len() {
        1 => "1 assumption".to_string(),
        n => format!("{n} assumptions"),
    };
    if !all {
        return format!("{count} (-v lists them)\n");
    }
    let mut out = format!("{count}:\n");
    for assumed in assumptions {
        let Assumed { name, detail, .. } = assumed;
        let place = assumed.places.first().map(|p| format!("{p}: "));
        let place = place.unwrap_or_default();
        let more = match assumed.places.len() {
            0 | 1 => String::new(),
            n => format!(" (and {} more places)", n - 1),
        };
        out += &format!("  {place}{name}: {detail}{more}: {}\n", assumed.explanation);
    }
    out
}
