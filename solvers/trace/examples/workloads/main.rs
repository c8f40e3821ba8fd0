//! Recorded incremental workloads on several backends side by side, in CPU time and memory:
//! `cargo run --release -p trellis-solver-trace --example workloads [-- [NAME ...] [solvers=A,B] [seconds=N]]`.
//!
//! Each workload is recorded once, on the embedded default, as SMT-LIB 2 in `target/workloads`, and then
//! replayed by each backend in a process of its own; reading the text is not counted. `solvers=` may name
//! any of `bitblast-cadical`, `bitblast-batsat`, `z3` and `yices`, each with options: `bitblast-cadical+full=0`. `run:PROGRAM` is
//! any program that reads the file from its standard input (`run:target/solvers/bin/cvc5`), where reading is counted.
//! The last column says how many queries were answered where that is not all. A changed answer ends the run.

#[path = "../../tests/backends/mod.rs"]
mod backends;
mod families;
mod floats;

use families::FAMILIES;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Limits, SessionConfig};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_trace::{Recorded, Script};

fn main() {
    let mut names = Vec::new();
    let mut seconds = 60;
    let mut solvers = "bitblast-cadical,z3,yices".to_string();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.split_once('=') {
            Some(("solvers", list)) => solvers = list.to_string(),
            Some(("seconds", n)) => seconds = n.parse().expect("a number"),
            None if arg == "--replay" => {
                let file = args.next().expect("a file");
                let solver = args.next().expect("a solver");
                return replay(Path::new(&file), &solver, seconds);
            }
            None if FAMILIES.iter().any(|(name, ..)| *name == arg) => names.push(arg),
            _ => {
                eprintln!("no such workload or option: {arg}");
                std::process::exit(2);
            }
        }
    }
    let solvers: Vec<&str> = solvers.split(',').collect();
    print!("| workload | queries |");
    solvers.iter().for_each(|s| print!(" {s} |"));
    println!("\n|---|---|{}", "---|".repeat(solvers.len()));
    for (name, ..) in FAMILIES {
        if !names.is_empty() && !names.iter().any(|n| n == name) {
            continue;
        }
        let file = record(name);
        let text = std::fs::read_to_string(&file).expect("recorded");
        print!("| {name} | {} |", text.matches("(check-sat").count());
        for solver in &solvers {
            let program = std::env::current_exe().expect("this program");
            let output = Command::new(program)
                .arg(format!("seconds={seconds}"))
                .arg("--replay")
                .args([file.as_os_str(), solver.as_ref()])
                .output()
                .expect("this program starts");
            let out = String::from_utf8_lossy(&output.stdout);
            print!(" {} |", out.trim());
            if !output.status.success() {
                let error = String::from_utf8_lossy(&output.stderr);
                println!("\n{solver} on {name}: {error}");
                std::process::exit(1);
            }
        }
        println!();
    }
}

/// The recorded workload; recorded now where there is none of this version of the program.
fn record(name: &str) -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.ancestors().nth(3).expect("a target folder");
    let file = folder.join("workloads").join(format!("{name}.smt2"));
    let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    if modified(&file) > modified(&program) {
        return file;
    }
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
    let (_, about, family) = FAMILIES
        .into_iter()
        .find(|f| f.0 == name)
        .expect("a known family");
    eprintln!("recording {name}: {about}");
    let session = Bitblast::new(Cadical).session(&SessionConfig::default());
    let out = std::io::BufWriter::new(std::fs::File::create(&file).expect("writable"));
    let mut session = Recorded::new(session.expect("a session"), out).expect("writable");
    family(&mut session);
    file
}

/// Prints CPU seconds and peak memory of one replay.
fn replay(file: &Path, solver: &str, seconds: u64) {
    let text = std::fs::read_to_string(file).expect("a file");
    if let Some(command) = solver.strip_prefix("run:") {
        return run(command, file, &text, seconds);
    }
    let script = Script::read(&text).expect("a script");
    let (name, options) = solver.split_once('+').unwrap_or((solver, ""));
    let config = options
        .split('+')
        .filter_map(|option| option.split_once('='))
        .fold(SessionConfig::default(), |config, (key, value)| {
            config.with(key, value)
        });
    let backend: Box<dyn SmtBackend> = backends::in_process()
        .into_iter()
        .chain(backends::pipes())
        .find(|b| b.name() == name)
        .expect("a backend that is installed");
    let mut session = backend.session(&config).expect("a session");
    session.set_limits(Limits::wall(Duration::from_secs(seconds)));
    let start = usage(libc::RUSAGE_SELF).0;
    let within = || usage(libc::RUSAGE_SELF).0 - start < Duration::from_secs(seconds);
    let replay = script
        .replay(&mut *session, |_| within())
        .expect("no failure");
    let (end, kilobytes) = usage(libc::RUSAGE_SELF);
    assert_eq!(replay.differences, [0; 0], "other answers than recorded");
    let [sat, unsat, _] = replay.counts();
    print_result(end - start, kilobytes, sat + unsat, script.queries());
}

fn print_result(time: Duration, kilobytes: i64, answered: usize, queries: usize) {
    print!("{:.2} s, {} MB", time.as_secs_f64(), kilobytes / 1024);
    if answered < queries {
        print!(", {answered} answered");
    }
    println!();
}

/// Prints CPU seconds and peak memory of a program that reads the file, and compares its answers.
fn run(command: &str, file: &Path, text: &str, seconds: u64) {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -t {seconds}; exec {command} <\"$0\""))
        .arg(file)
        .output()
        .expect("a shell");
    let out = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<&str> = out
        .lines()
        .map(str::trim)
        .filter(|line| ["sat", "unsat"].contains(line))
        .collect();
    let recorded: Vec<&str> = text
        .split("(set-info :answer ")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    let differs = answers.iter().zip(&recorded).position(|(a, b)| a != b);
    assert_eq!(differs, None, "other answers than recorded");
    let (time, kilobytes) = usage(libc::RUSAGE_CHILDREN);
    print_result(time, kilobytes, answers.len(), recorded.len());
}

/// CPU time and peak memory of this process, or of what it ran.
#[allow(unsafe_code)]
fn usage(who: libc::c_int) -> (Duration, i64) {
    // SAFETY: a plain record of numbers, which the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &mut usage);
        usage
    };
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    (time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss)
}
