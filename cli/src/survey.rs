//! `trellis survey`: what the C front end makes of many files, before anybody waits for an engine.

use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use trellis::Error;
use trellis::dialect::Dialect;
use trellis::files::read_text;
use trellis::load::{check_option, property_names};
use trellis::worker::Worker;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::Options;
use trellis_frontend_c::survey::{Outcome, survey};
use trellis_frontend_c::types::DataModel;

/// Tells for each C file: lowered, or which construct is incomplete and where; then totals.
#[derive(Args)]
pub struct SurveyArgs {
    /// A folder, searched for .c and .i files, or an index in CSV with columns `path` and, where
    /// there are any, `category`, `property` and `data_model`
    #[arg(value_name = "DIR|INDEX.csv")]
    input: PathBuf,
    /// 64-bit longs and pointers, where the index does not say
    #[arg(long = "64")]
    lp64: bool,
    /// Properties to lower for, where the index does not say
    #[arg(long, value_name = "LIST", default_value = "unreach-call")]
    check: String,
    /// Folder of headers
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// Macro definition
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Seconds per file
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Only the totals
    #[arg(short, long)]
    quiet: bool,
}

/// One file to look at.
struct Entry {
    path: PathBuf,
    category: String,
    properties: Properties,
    model: DataModel,
}

/// Counts of one category.
#[derive(Default)]
struct Totals {
    files: usize,
    lowered: usize,
    incomplete: usize,
    refused: usize,
    broken: usize,
    slowest: (f64, String),
}

/// Runs the command: exit code 0 unless the front end itself broke on a file.
pub fn main(args: &SurveyArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let entries = if args.input.is_dir() {
        folder(args)?
    } else {
        index(args)?
    };
    if entries.is_empty() {
        let path = args.input.display();
        return Err(Error::Input(format!("{path}: no C files here")));
    }
    let mut categories: BTreeMap<String, Totals> = BTreeMap::new();
    let mut constructs: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut errors: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for entry in &entries {
        let start = Instant::now();
        let outcome = look(entry, args, worker);
        let seconds = start.elapsed().as_secs_f64();
        let totals = categories.entry(entry.category.clone()).or_default();
        totals.files += 1;
        if seconds > totals.slowest.0 {
            totals.slowest = (seconds, entry.path.display().to_string());
        }
        if !args.quiet {
            println!(
                "{}: {} [{seconds:.2} s]",
                entry.path.display(),
                show(&outcome)
            );
        }
        match outcome {
            None | Some(Outcome::Crashed(_)) => totals.broken += 1,
            Some(Outcome::Refused(message)) => {
                totals.refused += 1;
                count(&mut errors, without_place(&message), &message);
            }
            Some(Outcome::Lowered {
                constructs: found, ..
            }) => {
                totals.lowered += 1;
                totals.incomplete += usize::from(!found.is_empty());
                for c in found {
                    count(&mut constructs, &c.what, &c.place);
                }
            }
        }
    }
    print_totals(&categories, &constructs, &errors);
    let broken = categories.values().any(|t| t.broken > 0);
    Ok(ExitCode::from(u8::from(broken)))
}

/// Surveys one file on a thread of its own; `None` when it takes too long.
fn look(entry: &Entry, args: &SurveyArgs, worker: &Worker) -> Option<Outcome> {
    let options = Options {
        model: entry.model,
        properties: entry.properties,
        preprocess: Dialect::default().preprocess(
            &args.include_dirs,
            &args.defines,
            Some(worker),
            Instant::now().checked_add(Duration::from_secs(args.limit)),
        ),
        ..Options::default()
    };
    let files = vec![entry.path.clone()];
    let (send, receive) = mpsc::channel();
    let thread = std::thread::Builder::new().spawn(move || {
        // Nobody listens any more after a time-out.
        let _ = send.send(survey(&files, &options));
    });
    if let Err(e) = thread {
        return Some(Outcome::Crashed(format!("no thread: {e}")));
    }
    receive.recv_timeout(Duration::from_secs(args.limit)).ok()
}

fn show(outcome: &Option<Outcome>) -> String {
    match outcome {
        None => "time-out".into(),
        Some(Outcome::Crashed(why)) => format!("crashed: {why}"),
        Some(Outcome::Refused(why)) => format!("error: {why}"),
        Some(Outcome::Lowered {
            locations,
            edges,
            constructs,
        }) if constructs.is_empty() => {
            format!("lowered, {locations} locations, {edges} edges")
        }
        Some(Outcome::Lowered { constructs, .. }) => {
            let each = constructs
                .iter()
                .map(|c| format!("{} at {} ({}x)", c.what, c.place, c.count));
            format!("incomplete: {}", each.collect::<Vec<_>>().join("; "))
        }
    }
}

fn count(map: &mut BTreeMap<String, (usize, String)>, key: &str, example: &str) {
    let slot = map.entry(key.to_owned()).or_insert((0, example.to_owned()));
    slot.0 += 1;
}

/// A message without its file, line and column, so that equal ones are counted together.
fn without_place(message: &str) -> &str {
    message.split_once("error: ").map_or(message, |(_, m)| m)
}

fn print_totals(
    categories: &BTreeMap<String, Totals>,
    constructs: &BTreeMap<String, (usize, String)>,
    errors: &BTreeMap<String, (usize, String)>,
) {
    println!(
        "{:<45} {:>5} {:>7} {:>10} {:>6} {:>6}  slowest",
        "category", "files", "lowered", "incomplete", "errors", "broken"
    );
    for (name, t) in categories {
        println!(
            "{name:<45} {:>5} {:>7} {:>10} {:>6} {:>6}  {:.2} s {}",
            t.files, t.lowered, t.incomplete, t.refused, t.broken, t.slowest.0, t.slowest.1
        );
    }
    let sum = |f: fn(&Totals) -> usize| categories.values().map(f).sum::<usize>();
    println!(
        "{:<45} {:>5} {:>7} {:>10} {:>6} {:>6}",
        "total",
        sum(|t| t.files),
        sum(|t| t.lowered),
        sum(|t| t.incomplete),
        sum(|t| t.refused),
        sum(|t| t.broken)
    );
    for (title, map) in [("incomplete constructs", constructs), ("errors", errors)] {
        if map.is_empty() {
            continue;
        }
        println!("{title}, by number of files:");
        let mut rows: Vec<_> = map.iter().collect();
        rows.sort_by_key(|(what, (n, _))| (std::cmp::Reverse(*n), (*what).clone()));
        for (what, (n, example)) in rows {
            println!("{n:>6}  {what} (first: {example})");
        }
    }
}

fn default_model(args: &SurveyArgs) -> DataModel {
    if args.lp64 {
        DataModel::Lp64
    } else {
        DataModel::Ilp32
    }
}

/// All C files below a folder, in order of their names; the category is the file's folder.
fn folder(args: &SurveyArgs) -> Result<Vec<Entry>, Error> {
    let properties = check_option(&args.check)?;
    let mut entries = Vec::new();
    let mut todo = vec![args.input.clone()];
    while let Some(dir) = todo.pop() {
        let io = |error| Error::Io {
            path: dir.clone(),
            error,
        };
        for item in std::fs::read_dir(&dir).map_err(io)? {
            let item = item.map_err(io)?;
            let path = item.path();
            if item.file_type().map_err(io)?.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
                entries.push(Entry {
                    category: dir.display().to_string(),
                    path,
                    properties,
                    model: default_model(args),
                });
            }
        }
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// The files of an index, relative to its folder.
fn index(args: &SurveyArgs) -> Result<Vec<Entry>, Error> {
    let path = &args.input;
    let input = |e: String| Error::Input(format!("{}: {e}", path.display()));
    let fallback = check_option(&args.check)?;
    let text = read_text(path)?;
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| input(e.to_string()))?.clone();
    let column = |name: &str| header.iter().position(|h| h.trim() == name);
    let file = column("path").ok_or_else(|| input("there is no column 'path'".into()))?;
    let (category, property, model) =
        (column("category"), column("property"), column("data_model"));
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut entries = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|e| input(e.to_string()))?;
        let get = |i: Option<usize>| i.and_then(|i| row.get(i)).map_or("", str::trim);
        let properties = match get(property) {
            "" => fallback,
            name => property_names(name).unwrap_or(Properties::REACH),
        };
        let model = match get(model) {
            "LP64" => DataModel::Lp64,
            "ILP32" => DataModel::Ilp32,
            _ => default_model(args),
        };
        entries.push(Entry {
            path: folder.join(get(Some(file))),
            category: get(category).to_owned(),
            properties,
            model,
        });
    }
    Ok(entries)
}
