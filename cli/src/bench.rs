//! `trellis bench`: sets of tasks over pipelines and other tools, and reports about it.

use crate::out::write_atomically;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use trellis::Error;
use trellis::worker::Worker;
use trellis_bench::cluster::{self, Cluster, Dispatcher};
use trellis_bench::machine::Machine;
use trellis_bench::runner::{self, Conduct, Observer, Plan};
use trellis_bench::score::Table;
use trellis_bench::set::{self, Filter};
use trellis_bench::spool::{self, Spool};
use trellis_bench::store::{Header, Record, Results, SCHEMA, Store, ToolLine};
use trellis_bench::tool::{Shown, Tool};
use trellis_bench::{BenchError, benchexec, compare, html, merge, text};
use trellis_pipeline::units;

/// Runs tools over sets of tasks and reports what they reach.
#[derive(Args)]
pub struct BenchArgs {
    /// Sets: folders, index.csv, .set and .yml files, lists of files, programs. None: report only
    #[arg(value_name = "SET")]
    sets: Vec<PathBuf>,
    /// A configuration: the name of a pipeline, or NAME=ARGUMENTS of `trellis check`
    #[arg(short, long = "config", value_name = "NAME[=ARGS]")]
    configs: Vec<String>,
    /// A TOML file of configurations and other tools
    #[arg(short, long, value_name = "FILE")]
    tools: Vec<PathBuf>,
    /// CPU time per task, over all its processes
    #[arg(long, value_name = "TIME", default_value = "60s")]
    cpu: String,
    /// Wall time per task; three times the CPU time when not given
    #[arg(long, value_name = "TIME")]
    wall: Option<String>,
    /// Memory per task, over all its processes
    #[arg(short, long, value_name = "SIZE", default_value = "4GiB")]
    memory: String,
    /// Runs at a time [default: 1; with --on, as many as there are workers]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Have the runs made on other machines, handed out by `hyperqueue` or `slurm`
    #[arg(long, value_name = "WHO")]
    on: Option<Dispatcher>,
    /// With --on: processors for each run
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    cores: usize,
    /// With --on: further arguments for `sbatch` or `hq submit`, such as '--partition=short'
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, requires = "on")]
    on_args: Option<String>,
    /// Only tasks whose name matches this regular expression
    #[arg(long = "match", value_name = "REGEX")]
    pattern: Option<String>,
    /// Only this category; may be repeated
    #[arg(long = "category", value_name = "NAME")]
    categories: Vec<String>,
    /// Only this property; may be repeated
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
    /// At most N tasks, spread evenly over the set
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The file of results; what it has already is not run again
    #[arg(short, long, value_name = "FILE", default_value = "bench.jsonl")]
    results: PathBuf,
    /// Begin the file of results anew
    #[arg(long)]
    fresh: bool,
    /// Further output, any number: `csv=FILE`, `md=FILE`, `html=FILE` (`-` is standard output), or `benchexec=DIR` for what
    /// BenchExec's table-generator reads
    #[arg(short, long, value_name = "KIND=FILE")]
    out: Vec<String>,
    /// Keep the output of each run in this folder
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Compare two files of results instead of running anything
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["sets", "configs", "tools"])]
    compare: Option<Vec<PathBuf>>,
    /// Make the file of results (-r) from several, such as those of several machines, instead of running anything
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["sets", "configs", "tools", "compare", "on"])]
    merge: Vec<PathBuf>,
    /// One line per finished run
    #[arg(short, long)]
    verbose: bool,
    /// No progress, even on a terminal
    #[arg(short, long)]
    quiet: bool,
}

fn bench(e: BenchError) -> Error {
    match e {
        BenchError::Keeper(_) => Error::Internal(e.to_string()),
        other => Error::Input(other.to_string()),
    }
}

/// A kind of report.
#[derive(Clone, Copy)]
enum Out {
    Csv,
    Markdown,
    Html,
    BenchExec,
}

/// Runs the command.
pub fn main(args: &BenchArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let outputs = outputs(&args.out)?;
    if let Some(files) = &args.compare {
        return compare_files(&files[0], &files[1], &outputs);
    }
    if !args.merge.is_empty() {
        return merge_files(&args.merge, &args.results, &outputs);
    }
    let all_done = if args.sets.is_empty() {
        true
    } else {
        run(args, worker)?
    };
    let results = Results::read(&args.results).map_err(bench)?;
    write_reports(&results, &outputs)?;
    print!("{}", text::summary(&Table::of(&results), None));
    if !all_done {
        eprintln!(
            "trellis: not all is done; the same command goes on from {}",
            args.results.display()
        );
        return Ok(ExitCode::from(crate::error::EXIT_UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}

fn outputs(specs: &[String]) -> Result<Vec<(Out, PathBuf)>, Error> {
    let parse = |spec: &String| {
        let (kind, path) = spec
            .split_once('=')
            .ok_or_else(|| Error::Usage(format!("--out {spec}: KIND=FILE is expected")))?;
        let kind = match kind {
            "csv" => Out::Csv,
            "md" => Out::Markdown,
            "html" => Out::Html,
            "benchexec" => Out::BenchExec,
            _ => {
                return Err(Error::Usage(format!(
                    "--out {kind}: known kinds are csv, md, html and benchexec"
                )));
            }
        };
        Ok((kind, PathBuf::from(path)))
    };
    specs.iter().map(parse).collect()
}

fn write_reports(results: &Results, outputs: &[(Out, PathBuf)]) -> Result<(), Error> {
    for (kind, path) in outputs {
        let text = match kind {
            Out::Csv => text::csv(results).map_err(bench)?,
            Out::Markdown => text::markdown(results),
            Out::Html => html::report(results),
            Out::BenchExec => {
                write_benchexec(results, path)?;
                continue;
            }
        };
        write_atomically(path, &text)?;
    }
    Ok(())
}

/// One file for each tool, in a folder.
fn write_benchexec(results: &Results, dir: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(dir).map_err(|error| Error::Io {
        path: dir.into(),
        error,
    })?;
    for (name, text) in benchexec::files(results) {
        write_atomically(&dir.join(name), text)?;
    }
    Ok(())
}

fn compare_files(old: &Path, new: &Path, outputs: &[(Out, PathBuf)]) -> Result<ExitCode, Error> {
    let read = |path| Results::read(path).map_err(bench);
    let (a, b) = (read(old)?, read(new)?);
    let labels = ("old", "new");
    write_reports(&compare::merge(&a, &b, labels), outputs)?;
    print!("{}", compare::markdown(&a, &b, labels));
    Ok(ExitCode::SUCCESS)
}

/// One file from several. A tool that says true once and false another time makes this fail, after all is written.
fn merge_files(
    files: &[PathBuf],
    to: &Path,
    outputs: &[(Out, PathBuf)],
) -> Result<ExitCode, Error> {
    let read = |path: &PathBuf| Results::read(path).map(|results| (path.clone(), results));
    let files: Result<Vec<_>, _> = files.iter().map(read).collect();
    let merged = merge::merge(&files.map_err(bench)?).map_err(bench)?;
    let text = merged.results.text();
    let text = text.map_err(|e| Error::Internal(e.to_string()))?;
    write_atomically(to, text)?;
    write_reports(&merged.results, outputs)?;
    let (mut differ, mut contradict) = (0, 0);
    for one in merged.duplicates.iter().filter(|d| !d.agrees()) {
        let word = if one.contradicts() {
            "CONTRADICTION "
        } else {
            ""
        };
        differ += 1;
        contradict += usize::from(one.contradicts());
        println!(
            "{word}{} [{}] {}: {} ({}) kept, {} ({}) in {}",
            one.kept.task,
            one.kept.property,
            one.kept.tool,
            one.kept.verdict,
            one.kept.status,
            one.other.verdict,
            one.other.status,
            one.path.display()
        );
    }
    println!(
        "{} runs; {} more were in several files, of which {differ} say something else",
        merged.results.records.len(),
        merged.duplicates.len()
    );
    print!("{}", text::summary(&Table::of(&merged.results), None));
    match contradict {
        0 => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::from(crate::error::EXIT_FALSE)),
    }
}

/// What a process does that a cluster started: makes runs, and leaves their records in the spool.
pub fn serve(args: &[String]) -> ExitCode {
    match cluster::serve(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("trellis: {e}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is done.
fn run(args: &BenchArgs, worker: &Worker) -> Result<bool, Error> {
    let plan = plan(args, worker)?;
    let header = header(args, &plan);
    let words = args.on_args.iter().flat_map(|text| text.split_whitespace());
    let cluster = args.on.map(|dispatcher| Cluster {
        dispatcher,
        cores: args.cores.max(1),
        jobs: args.jobs,
        args: words.map(str::to_string).collect(),
    });
    if args.on == Some(Dispatcher::HyperQueue) && args.jobs.is_some() {
        let text = "-j: with --on hyperqueue its workers say how many run at a time";
        return Err(Error::Usage(text.into()));
    }
    let mut store = Store::open(&args.results, &header, args.fresh).map_err(bench)?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())
            .map_err(|e| Error::Internal(e.to_string()))?;
    }
    let total = plan.tasks.len() * plan.tools.len();
    let mut progress = Progress::new(args, total);
    let done = match &cluster {
        None => runner::run(&plan, &mut store, &stop, &mut progress),
        Some(cluster) => {
            let (results, conduct) = (&args.results, &plan.conduct);
            Spool::open(results, &header, conduct, &plan.tools, args.fresh).and_then(|spool| {
                cluster::run(&plan, cluster, spool, &mut store, &stop, &mut progress)
            })
        }
    };
    let done = done.map_err(bench)?;
    progress.bar.finish_and_clear();
    Ok(done)
}

fn plan(args: &BenchArgs, worker: &Worker) -> Result<Plan, Error> {
    let keeper = worker.executable().to_path_buf();
    let mut tasks = Vec::new();
    for set in &args.sets {
        tasks.extend(set::read(set).map_err(bench)?);
    }
    let pattern = args.pattern.as_deref().map(trellis_bench::Regex::new);
    let pattern = pattern
        .transpose()
        .map_err(|e| Error::Usage(format!("--match: {e}")))?;
    let filter = Filter {
        pattern,
        categories: args.categories.clone(),
        properties: args.properties.clone(),
        sample: args.sample,
    };
    let tasks = set::filter(tasks, &filter);
    if tasks.is_empty() {
        return Err(Error::Usage("no task of the set passes the filters".into()));
    }
    if let Some(dir) = &args.logs {
        std::fs::create_dir_all(dir).map_err(|error| Error::Io {
            path: dir.clone(),
            error,
        })?;
    }
    let logs = args.logs.as_ref().map(std::path::absolute).transpose();
    Ok(Plan {
        tools: tools(args, &keeper)?,
        tasks,
        conduct: Conduct {
            keeper,
            limits: limits(args)?,
            env: match args.on {
                Some(_) => spool::environment(),
                None => Vec::new(),
            },
            logs: logs.map_err(|e| Error::Usage(format!("--logs: {e}")))?,
        },
        jobs: args.jobs.unwrap_or(1),
    })
}

fn limits(args: &BenchArgs) -> Result<Shown, Error> {
    let time = |option: &str, text: &str| {
        units::duration(text).ok_or_else(|| Error::Usage(format!("{option} {text}: not a time")))
    };
    let cpu = time("--cpu", &args.cpu)?;
    let memory = units::size(&args.memory)
        .ok_or_else(|| Error::Usage(format!("--memory {}: not a size", args.memory)))?;
    Ok(Shown {
        cpu,
        wall: args
            .wall
            .as_deref()
            .map_or(Ok(3 * cpu), |w| time("--wall", w))?,
        memory,
    })
}

fn tools(args: &BenchArgs, trellis: &Path) -> Result<Vec<Tool>, Error> {
    let mut tools = Vec::new();
    for config in &args.configs {
        let (name, list) = match config.split_once('=') {
            Some((name, list)) => {
                let list = list.split_whitespace().map(str::to_string);
                (name, list.collect())
            }
            None => (
                config.as_str(),
                vec!["--pipeline".to_string(), config.clone()],
            ),
        };
        tools.push(Tool::trellis(name, trellis, &list));
    }
    for file in &args.tools {
        tools.extend(Tool::read(file, trellis).map_err(bench)?);
    }
    if tools.is_empty() {
        tools.push(Tool::trellis("trellis", trellis, &[]));
    }
    let mut names = BTreeMap::new();
    for tool in &tools {
        if names.insert(&tool.name, ()).is_some() {
            return Err(Error::Usage(format!(
                "two configurations are named '{}'",
                tool.name
            )));
        }
    }
    Ok(tools)
}

fn header(args: &BenchArgs, plan: &Plan) -> Header {
    let tools = plan.tools.iter().map(|tool| ToolLine {
        name: tool.name.clone(),
        command: tool.command.clone(),
        version: tool.version(&plan.conduct.env),
    });
    Header {
        schema: SCHEMA.into(),
        sets: args.sets.iter().map(|s| s.display().to_string()).collect(),
        tools: tools.collect(),
        cpu_limit_seconds: plan.conduct.limits.cpu.as_secs_f64(),
        wall_limit_seconds: plan.conduct.limits.wall.as_secs_f64(),
        memory_limit_bytes: plan.conduct.limits.memory,
        jobs: plan.jobs,
        machine: Machine::this(),
        on: args.on.map(|on| on.name().to_string()),
    }
}

/// What a terminal shows: how far, what came out, and how long it will take.
struct Progress {
    bar: ProgressBar,
    verbose: bool,
    total: usize,
    jobs: usize,
    solved: usize,
    wrong: usize,
    /// Whether it was said already that nothing goes on.
    is_waiting: bool,
    /// Wall seconds and runs, by tool: tools differ more than tasks do.
    spent: BTreeMap<String, (f64, usize)>,
}

impl Progress {
    fn new(args: &BenchArgs, total: usize) -> Progress {
        let shown = std::io::stderr().is_terminal() && !args.quiet;
        let bar = match shown {
            true => ProgressBar::new(total as u64),
            false => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress {
            bar,
            verbose: args.verbose,
            total,
            jobs: args.jobs.unwrap_or(1).max(1),
            solved: 0,
            wrong: 0,
            is_waiting: false,
            spent: BTreeMap::new(),
        }
    }

    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            eprintln!("{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// Time for the rest: every tool goes on as it did.
    fn left(&self, runs: usize) -> Duration {
        let means = self.spent.values().map(|(s, n)| s / (*n).max(1) as f64);
        let mean = means.sum::<f64>() / self.spent.len().max(1) as f64;
        Duration::from_secs_f64(mean * runs as f64 / self.jobs as f64)
    }
}

impl Observer for Progress {
    fn waits(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_waiting, true) {
            self.line(&format!("trellis: {why}; waiting until it is back"));
        }
    }

    fn lost(&mut self, names: &[String]) {
        for name in names {
            let text =
                "was begun again and again and left no result; its worker dies with it, or before";
            self.line(&format!("trellis: {name} {text}"));
        }
    }

    fn finished(&mut self, record: &Record, left: usize) {
        self.is_waiting = false;
        let worth = record.worth();
        self.solved += usize::from(worth.solved());
        self.wrong += usize::from(worth.wrong());
        let (seconds, runs) = self.spent.entry(record.tool.clone()).or_default();
        *seconds += record.wall_seconds;
        *runs += 1;
        if self.verbose || worth.wrong() {
            let mark = if worth.wrong() { "WRONG " } else { "" };
            let (task, tool) = (&record.task, &record.tool);
            let (verdict, status) = (&record.verdict, &record.status);
            let seconds = record.cpu_seconds;
            self.line(&format!(
                "{mark}{task} {tool}: {verdict} ({status}) in {seconds:.2} s"
            ));
        }
        self.bar.set_position((self.total - left) as u64);
        let rest = self.left(left).as_secs();
        self.bar.set_message(format!(
            "{} solved, {} wrong, about {}:{:02}:{:02} left",
            self.solved,
            self.wrong,
            rest / 3600,
            rest / 60 % 60,
            rest % 60
        ));
    }
}
