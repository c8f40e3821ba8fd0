//! `trellis check` without a file, where a project is; and `trellis init`.
//!
//! Each function is checked by a process of its own, `trellis check` with all that the project says. What it printed and
//! reported is kept by content, so that only what has changed is run again, and of that what has changed most recently first.

use crate::check::CheckArgs;
use crate::error::{EXIT_FALSE, EXIT_UNKNOWN};
use crate::out::{self, Kind, Output, write_atomically};
use crate::plain::plain;
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};
use trellis::Error;
use trellis::baseline::Baseline;
use trellis::files::read_text;
use trellis::html::{self, Tour};
use trellis::load::Source;
use trellis::project::cache::{Cache, Known, Outcome};
use trellis::project::{FILE, FOLDER, Project, Unit, proposed};
use trellis_frontend_c::program::{Options, check_files};
use trellis_input::{PROGRAM, text};
use trellis_witness::hash::sha256;

/// Formats that are kept of every check.
const FORMATS: [&str; 4] = ["html", "json", "junit", "sarif"];
/// Names of headers that are looked at in a folder.
const MOST_HEADERS: usize = 20_000;

/// Writes a trellis.toml from what it finds in this folder.
#[derive(Args)]
pub struct InitArgs {}

/// Runs `trellis init`.
pub fn init(_: &InitArgs) -> Result<ExitCode, Error> {
    let path = Path::new(FILE);
    if path.exists() {
        return Err(Error::Usage(format!("{FILE} is there already")));
    }
    let text = proposed(Path::new("."))?;
    write_atomically(path, &text)?;
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// What is to be checked of a unit.
struct Task<'a> {
    unit: &'a Unit,
    /// By what its result is found again.
    asked: String,
    known: Known,
}

/// What became of a unit.
struct Done<'a> {
    unit: &'a Unit,
    outcomes: Vec<Outcome>,
    cached: bool,
}

/// Checks the project in this folder.
pub fn main(args: &CheckArgs) -> Result<ExitCode, Error> {
    let began = Instant::now();
    let root = std::env::current_dir().map_err(|error| Error::Io {
        path: ".".into(),
        error,
    })?;
    let outputs = out::parse(&args.out)?;
    if let Some(output) = outputs.iter().find(|o| !FORMATS.contains(&o.kind.name())) {
        let (name, known) = (output.kind.name(), FORMATS.join(", "));
        let text = format!("--out {name}: of a project there are {known}");
        return Err(Error::Usage(text));
    }
    let project = Project::load(&root)?;
    let options = options(args, &project)?;
    let known = match args.baseline().or(project.config.baseline.as_ref()) {
        // A file that is no baseline is an error once, and not of each check.
        Some(path) => Baseline::read(path).and_then(|_| read_text(path))?,
        None => String::new(),
    };
    let known = sha256(known.as_bytes());
    let folder = root.join(FOLDER).join("results");
    let mut cache = Cache::at(folder.clone());
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for unit in &project.units {
        let asked = asked(unit, &options) + &known;
        let known = cache.known(&asked);
        tasks.push(Task { unit, asked, known });
    }
    // What somebody works on comes first.
    tasks.sort_by_key(|t| match &t.known {
        Known::Same(_) => (2, None),
        Known::Changed => (0, changed(t.unit)),
        Known::New => (1, changed(t.unit)),
    });
    let done = run(&tasks, &options, &folder)?;
    write(&outputs, &done)?;
    Ok(tell(&done, began, args.verbose > 0))
}

/// When a file was changed, the latest first.
fn changed(unit: &Unit) -> Option<std::cmp::Reverse<SystemTime>> {
    let modified = std::fs::metadata(&unit.file).and_then(|m| m.modified());
    modified.ok().map(std::cmp::Reverse)
}

/// The options of every check.
fn options(args: &CheckArgs, project: &Project) -> Result<Vec<OsString>, Error> {
    let config = &project.config;
    let mut options: Vec<OsString> = Vec::new();
    let given = [
        (
            "--pipeline",
            args.pipeline.as_ref().or(config.pipeline.as_ref()),
        ),
        (
            "--timeout",
            args.timeout.as_ref().or(config.timeout.as_ref()),
        ),
        ("--check", args.source.check().or(config.check.as_ref())),
        ("--memory", args.memory.as_ref()),
        ("--engine", args.engine.as_ref()),
        ("--solver", args.solver.as_ref()),
    ];
    for (option, value) in given {
        options.extend(value.into_iter().flat_map(|v| [option.into(), v.into()]));
    }
    for name in &config.assume {
        options.extend(["--assume".into(), name.into()]);
    }
    if let Some(baseline) = args.baseline().or(config.baseline.as_ref()) {
        options.extend(["--baseline".into(), baseline.into()]);
    }
    options.extend(args.of_project()?);
    if let Some(most) = args.max_errors {
        options.extend(["--max-errors".into(), most.to_string().into()]);
    }
    for function in &config.functions {
        options.extend(["--begin".into(), function.into()]);
    }
    Ok(options)
}

/// All that a result depends on but the contents of files: the program itself, the unit, the options, and which headers there are, since a
/// new one may come before another.
fn asked(unit: &Unit, options: &[OsString]) -> String {
    let itself = std::env::current_exe().and_then(std::fs::metadata);
    let itself = itself.map(|m| (m.len(), m.modified().ok()));
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    folders.extend(unit.file.parent().map(Path::to_path_buf));
    let mut flags = unit.flags.iter();
    while let Some(flag) = flags.next() {
        if ["-I", "-isystem", "-iquote", "-idirafter"].contains(&flag.as_str()) {
            folders.extend(flags.next().map(PathBuf::from));
        } else if let Some(folder) = flag.strip_prefix("-I") {
            folders.insert(folder.into());
        }
    }
    let headers: Vec<Vec<PathBuf>> = folders.iter().map(|f| headers(f)).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} {itself:?} {unit:?} {options:?} {headers:?}")
}

/// The headers below a folder.
fn headers(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let (path, hidden) = (
                entry.path(),
                entry.file_name().to_string_lossy().starts_with('.'),
            );
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !hidden => todo.push(path),
                _ if path.extension().is_some_and(|e| e == "h") => found.push(path),
                _ => {}
            }
            if found.len() > MOST_HEADERS {
                return found;
            }
        }
    }
    found.sort();
    found
}

/// Checks what is not known, several units at once.
fn run<'a>(
    tasks: &[Task<'a>],
    options: &[OsString],
    folder: &Path,
) -> Result<Vec<Done<'a>>, Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Done<'a>>> = Mutex::default();
    let failed: Mutex<Option<Error>> = Mutex::default();
    let work = || {
        let mut cache = Cache::at(folder.into());
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::SeqCst)) {
            let (outcomes, cached) = match &task.known {
                Known::Same(entry) => (Ok(entry.outcomes.clone()), true),
                Known::Changed | Known::New => (unit(task, options, &mut cache), false),
            };
            match outcomes {
                Ok(outcomes) => {
                    let unit = task.unit;
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push(Done {
                        unit,
                        outcomes,
                        cached,
                    });
                }
                Err(e) => {
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    failed.get_or_insert(e);
                    return;
                }
            }
        }
    };
    // A check is a race of engines, which takes more than one core by itself.
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2));
    let left = tasks
        .iter()
        .filter(|t| !matches!(t.known, Known::Same(_)))
        .count();
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(left.max(1)) {
            // With fewer threads it takes longer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    if let Some(e) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(e);
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by(|a, b| a.unit.file.cmp(&b.unit.file));
    Ok(done)
}

/// Checks a unit, from `main` or from each of its functions, and keeps what became of it.
fn unit(task: &Task<'_>, options: &[OsString], cache: &mut Cache) -> Result<Vec<Outcome>, Error> {
    let began = SystemTime::now();
    let (begin, options): (Vec<_>, Vec<_>) = split(options);
    let mut read: BTreeSet<PathBuf> = BTreeSet::from([task.unit.file.clone()]);
    let mut outcomes = Vec::new();
    let functions = match functions(task.unit, &begin) {
        Ok(functions) => functions,
        // The check says what is wrong with the file.
        Err(_) => vec!["main".into()],
    };
    for function in functions {
        let outcome = check(task.unit, &function, &options)?;
        let report = outcome
            .reports
            .get("json")
            .map(|text| serde_json::from_str(text));
        if let Some(Ok(serde_json::Value::Object(report))) = report {
            let files = report.get("read").and_then(|f| f.as_array());
            let files = files.into_iter().flatten().filter_map(|f| f.as_str());
            read.extend(files.map(PathBuf::from));
        }
        outcomes.push(outcome);
    }
    // What was stopped, or could not be read, may go better the next time.
    let whole = |o: &Outcome| o.reports.contains_key("json") && [0, 10, 20].contains(&o.code);
    if outcomes.iter().all(whole) {
        let read: Vec<PathBuf> = read.into_iter().collect();
        cache.keep(&task.asked, &read, began, outcomes.clone())?;
    }
    Ok(outcomes)
}

/// Where checks begin, and the options of each.
fn split(options: &[OsString]) -> (Vec<String>, Vec<OsString>) {
    let (mut begin, mut rest) = (Vec::new(), Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option == "--begin" {
            true => begin.extend(options.next().map(|f| f.to_string_lossy().into_owned())),
            false => rest.push(option.clone()),
        }
    }
    (begin, rest)
}

/// The functions of a unit that are checked.
fn functions(unit: &Unit, wanted: &[String]) -> Result<Vec<String>, Error> {
    let args = arguments(unit, "main", &[])?;
    beginnings(&crate::check_args(args)?.source.source()?, wanted)
}

/// Where the checks of a C program begin: at `main`, or where it has none at those functions that are wanted, or at all that
/// other files may call.
pub(crate) fn beginnings(source: &Source, wanted: &[String]) -> Result<Vec<String>, Error> {
    let options = Options {
        preprocess: source
            .dialect
            .preprocess(&source.include_dirs, &source.defines, None, None),
        ..Options::default()
    };
    let checked = check_files(&source.files, &options).map_err(|e| Error::Input(e.to_string()))?;
    let here: Vec<String> = (source.files.iter())
        .map(|file| file.display().to_string())
        .collect();
    let own = |f: &trellis_frontend_c::hir::FuncData| {
        f.body.is_some() && here.contains(&checked.sources.place(f.span.lo).file)
    };
    let defined: Vec<&str> = (checked.hir.funcs.values())
        .filter(|f| own(f) && !f.internal)
        .map(|f| f.name.as_str())
        .collect();
    if defined.contains(&"main") {
        return Ok(vec!["main".into()]);
    }
    let chosen = defined
        .iter()
        .filter(|f| wanted.is_empty() || wanted.iter().any(|w| w == *f));
    Ok(chosen.map(ToString::to_string).collect())
}

/// The arguments of the check of a function.
fn arguments(unit: &Unit, function: &str, options: &[OsString]) -> Result<Vec<OsString>, Error> {
    let mut args: Vec<OsString> = vec!["trellis".into(), "check".into()];
    args.extend(unit.flags.iter().map(OsString::from));
    args.extend(options.iter().cloned());
    if function != "main" {
        args.extend(["--function".into(), function.into()]);
    }
    args.extend(["--".into(), unit.file.clone().into_os_string()]);
    Ok(args)
}

/// Has a process check a function.
fn check(unit: &Unit, function: &str, options: &[OsString]) -> Result<Outcome, Error> {
    let folder =
        tempfile::tempdir().map_err(|e| Error::Internal(format!("a temporary folder: {e}")))?;
    let mut args = arguments(unit, function, options)?;
    let at = args.len() - 2;
    for format in FORMATS {
        let mut out = OsString::from(format!("--out={format}="));
        out.push(folder.path().join(format));
        args.insert(at, out);
    }
    let itself = std::env::current_exe().map_err(|e| Error::Internal(e.to_string()))?;
    let output = Command::new(itself)
        .args(&args[1..])
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|e| Error::Limit(format!("cannot start a process: {e}")))?;
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(i32::from(EXIT_UNKNOWN));
    let reports = FORMATS.iter().filter_map(|&format| {
        let report = text(&folder.path().join(format), PROGRAM).ok()?;
        // Of a page its data; the rest is the same everywhere.
        let report = match format {
            "html" => html::data(&report)?.to_string(),
            _ => report,
        };
        Some((format.to_string(), report))
    });
    let said = match code {
        0 | 10 | 20 => words(&output.stdout),
        _ => words(&output.stdout) + &words(&output.stderr),
    };
    Ok(Outcome {
        function: function.into(),
        code,
        text: said,
        reports: reports.collect::<BTreeMap<_, _>>(),
    })
}

/// Writes one report for all.
fn write(outputs: &[Output], done: &[Done<'_>]) -> Result<(), Error> {
    let of = |format: &str| -> Vec<String> {
        let outcomes = done.iter().flat_map(|d| &d.outcomes);
        outcomes
            .filter_map(|o| o.reports.get(format).cloned())
            .collect()
    };
    let internal = |e: serde_json::Error| Error::Internal(e.to_string());
    for output in outputs {
        let text = match output.kind {
            Kind::Json => {
                let all: Result<Vec<serde_json::Value>, _> =
                    of("json").iter().map(|t| serde_json::from_str(t)).collect();
                format!("{:#}\n", serde_json::Value::from(all.map_err(internal)?))
            }
            Kind::Sarif => trellis::sarif::joined(&of("sarif"))?,
            Kind::Html => page(&of("html"), done),
            _ => trellis::junit::joined(&of("junit")),
        };
        write_atomically(&output.path, text)?;
    }
    Ok(())
}

/// One page for all.
fn page(tours: &[String], done: &[Done<'_>]) -> String {
    let mut tour = Tour::default();
    for more in tours.iter().filter_map(|t| Tour::from_json(t)) {
        tour.join(more);
    }
    let mut rows = Vec::new();
    for (unit, outcome) in done
        .iter()
        .flat_map(|d| d.outcomes.iter().map(|o| (d.unit, o)))
    {
        let mut lines = outcome.text.lines().rev();
        let verdict = lines.next().unwrap_or_default();
        let verdict = verdict.trim_start_matches("VERDICT: ").to_string();
        let checks = lines.next().filter(|l| l.contains(" check"));
        let name = format!("{} {}()", unit.file.display(), outcome.function);
        rows.push((
            outcome.code,
            [name, verdict, checks.unwrap_or_default().into()],
        ));
    }
    // What is wrong first.
    rows.sort_by_key(|(code, _)| match code {
        10 => 0,
        0 => 2,
        _ => 1,
    });
    let count = |codes: &[i32]| rows.iter().filter(|(c, _)| codes.contains(c)).count();
    let (wrong, right) = (count(&[10]), count(&[0]));
    let open = rows.len() - wrong - right;
    let whole = format!(
        "{} checked: {wrong} false, {open} unknown, {right} true",
        rows.len()
    );
    let rows: Vec<[String; 3]> = rows.into_iter().map(|(_, row)| row).collect();
    html::many(&whole, &rows, &tour)
}

/// Prints what became of everything, what is wrong first.
fn tell(done: &[Done<'_>], began: Instant, all: bool) -> ExitCode {
    let rank = |code: i32| match code {
        0 => 0,
        20 => 1,
        10 => 2,
        _ => 3,
    };
    let mut each: Vec<(&Done<'_>, &Outcome)> = (done.iter())
        .flat_map(|d| d.outcomes.iter().map(move |o| (d, o)))
        .collect();
    each.sort_by_key(|(_, o)| rank(o.code));
    for (done, outcome) in &each {
        let (file, function) = (done.unit.file.display(), &outcome.function);
        if outcome.code != 0 || all {
            println!("== {file}: {function}");
            print!("{}", plain(&outcome.text));
        }
    }
    let count = |code: i32| {
        each.iter()
            .filter(|(_, o)| rank(o.code) == rank(code))
            .count()
    };
    let parts = [
        (count(2), "not checked"),
        (count(10), "false"),
        (count(20), "unknown"),
        (count(0), "true"),
    ];
    let parts: Vec<String> = (parts.iter().filter(|(n, _)| *n > 0))
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
    let cached = done.iter().filter(|d| d.cached).count();
    println!(
        "{} files ({cached} as before), {} functions: {}; {:.2} s",
        done.len(),
        each.len(),
        parts.join(", "),
        began.elapsed().as_secs_f64()
    );
    let worst = each.last().map_or(0, |(_, o)| rank(o.code));
    let first = each.iter().find(|(_, o)| rank(o.code) == worst);
    let verdict =
        first.and_then(|(_, o)| o.text.lines().rev().find(|l| l.starts_with("VERDICT: ")));
    match (worst, verdict) {
        (0, _) => println!("VERDICT: true"),
        (_, Some(verdict)) => println!("{verdict}"),
        (_, None) => println!("VERDICT: unknown (some files could not be checked)"),
    }
    match worst {
        0 => ExitCode::SUCCESS,
        1 => ExitCode::from(EXIT_UNKNOWN),
        2 => ExitCode::from(EXIT_FALSE),
        _ => ExitCode::from(2),
    }
}
