//! `trellis check --modular`: every function on its own, by the contracts of what it calls.

use crate::check::{CheckArgs, code_of, configure, verdict};
use crate::distinct;
use crate::guard::signals;
use crate::out::{self, Kind, Output, write_atomically};
use crate::plain::line;
use crate::progress::Progress;
use serde::Serialize;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use trellis::html::{self, Tour};
use trellis::report::Report;
use trellis::results::CheckResult;
use trellis::session::{Session, Verdict};
use trellis::worker::Worker;
use trellis::{Error, junit, sarif};
use trellis_frontend_c::acsl::harness::{FILE, Function, Written};
use trellis_frontend_c::program::Contracts;
use trellis_witness::steps::render;

/// Changes when a reader of the JSON has to.
const SCHEMA: &str = "trellis-modular/2";
/// What is written of such a check.
const FORMATS: [Kind; 4] = [Kind::Html, Kind::Json, Kind::Junit, Kind::Sarif];

/// All functions, for machines.
#[derive(Serialize)]
struct Whole<'a> {
    schema: &'static str,
    /// `false` if that of one is, `true` if that of all is.
    verdict: &'static str,
    functions: Vec<OfFunction<'a>>,
}

#[derive(Serialize)]
struct OfFunction<'a> {
    function: &'a str,
    /// Its contract, as it is written.
    contract: Option<Clauses<'a>>,
    check: &'a Report,
}

/// The clauses of a contract.
#[derive(Serialize)]
struct Clauses<'a> {
    requires: &'a [String],
    /// None where no clause says what it may change.
    assigns: Option<&'a [String]>,
    ensures: &'a [String],
}

impl<'a> Clauses<'a> {
    fn of(written: &'a Written) -> Clauses<'a> {
        Clauses {
            requires: &written.requires,
            assigns: written.assigns.as_deref(),
            ensures: &written.ensures,
        }
    }
}

/// The name for people.
fn named(function: &Function) -> String {
    match &function.contract {
        Some(_) => function.name.clone(),
        None => format!("{} (no contract)", function.name),
    }
}

/// Checks every function on its own.
pub fn main(args: &CheckArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let outputs = out::parse(&args.out)?;
    if let Some(output) = outputs.iter().find(|o| !FORMATS.contains(&o.kind)) {
        let known = FORMATS.map(Kind::name).join(", ");
        let text = format!(
            "--out {}: with --modular there are {known}",
            output.kind.name()
        );
        return Err(Error::Usage(text));
    }
    let mut source = args.source.source()?;
    distinct::check(&outputs, &source.inputs()?)?;
    source.contracts.get_or_insert(Contracts::Inline);
    let functions = args.source.functions(&source, worker)?;
    let flag = signals()?;
    // What is for machines is not mixed with what is for people.
    let quiet = outputs.iter().any(|o| o.path.as_os_str() == "-");
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    let (mut reports, mut tour) = (Vec::new(), Tour::default());
    for function in functions {
        source.function = Some(function.name.clone());
        let report = Report::new(source.names(), "", args.seed);
        let progress = Progress::new(args.verbose, args.quiet, Arc::new(Mutex::new(report)));
        let session = Session::new(configure(args, &source)?)
            .worker(worker.clone())
            .plugins(args.plugins.clone())
            .seed(args.seed)
            .stop_when(flag.clone());
        let session = session.observer(&progress);
        let checked = session.check(&source)?;
        progress.finish();
        let found = checked.verdict();
        let name = named(&function);
        if !quiet {
            let steps = render(checked.loaded.program(), &checked.steps, false);
            print!("{steps}function {name}: {}\n", line(&found.to_string()));
        }
        match found {
            Verdict::True => {}
            Verdict::False(_) => wrong.push(function.name.clone()),
            Verdict::Unknown(_) => open.push(function.name.clone()),
        }
        tour.add(&checked, &format!("{}: ", function.name));
        let mut report = checked.report;
        // What calls the function is ours, and of interest only where it goes wrong.
        let ours = |r: &CheckResult| r.place.as_ref().is_some_and(|p| p.file == FILE);
        report.results.retain(|r| !ours(r) || r.verdict == "false");
        reports.push((function, report));
    }
    let all = match (wrong.is_empty(), open.is_empty()) {
        (false, _) => Verdict::False(wrong.join(", ")),
        (true, false) => Verdict::Unknown(open.join(", ")),
        (true, true) => Verdict::True,
    };
    for output in &outputs {
        write(output, &all, &reports, &tour)?;
    }
    println!("{}", verdict(&all));
    Ok(code_of(&all))
}

/// Writes one report for all functions.
fn write(
    output: &Output,
    all: &Verdict,
    reports: &[(Function, Report)],
    tour: &Tour,
) -> Result<(), Error> {
    let each = |text: &dyn Fn(&Report) -> String| -> Vec<String> {
        reports.iter().map(|(_, report)| text(report)).collect()
    };
    let text = match output.kind {
        Kind::Html => {
            let functions = reports.iter().map(|(function, report)| html::Function {
                name: named(function),
                contract: function.contract.as_ref().map(Written::to_string),
                report,
            });
            html::modular(&all.to_string(), &functions.collect::<Vec<_>>(), tour)
        }
        Kind::Sarif => sarif::joined(&each(&sarif::log))?,
        Kind::Junit => junit::joined(&each(&junit::suites)),
        _ => {
            let functions = reports.iter().map(|(of, check)| OfFunction {
                function: &of.name,
                contract: of.contract.as_ref().map(Clauses::of),
                check,
            });
            let whole = Whole {
                schema: SCHEMA,
                verdict: all.word(),
                functions: functions.collect(),
            };
            let text = serde_json::to_string_pretty(&whole);
            text.map_err(|e| Error::Internal(e.to_string()))? + "\n"
        }
    };
    write_atomically(&output.path, text)
}
