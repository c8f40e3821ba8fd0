//! Runs the engine on AIGER files without a border: `ic3 [-t SECONDS] [-c] [-o KEY=VALUE].. FILE..`
//! prints a line each with verdict and seconds; `-c` certifies the verdict, `-v` tells more.

use std::time::{Duration, Instant};
use trellis_engine_ic3::{Ic3Engine, Options};
use trellis_ivl_certify::{SafetyCertificate, check_safe, check_unsafe};
use trellis_plugin_sdk::solver::SessionConfig;
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::{Engine, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

fn main() {
    let mut options = Options::default();
    let (mut seconds, mut certify, mut verbose) = (10.0, false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-t" => seconds = args.next().and_then(|t| t.parse().ok()).expect("seconds"),
            "-c" => certify = true,
            "-v" => verbose = true,
            "-o" => set(&mut options, &args.next().expect("KEY=VALUE")),
            file => check(file, &options, seconds, certify, verbose),
        }
    }
}

fn set(options: &mut Options, pair: &str) {
    let (key, value) = pair.split_once('=').expect("KEY=VALUE");
    let number = || value.parse().expect("a number");
    match key {
        "constants" => options.constants = value == "true",
        "equivalent" => options.equivalent = value == "true",
        "sweep" => options.sweep = value == "true",
        "eliminate" => options.eliminate = value == "true",
        "lift_rounds" => options.lift_rounds = number(),
        "predict" => options.predict = value == "true",
        "plain" => options.plain = number(),
        "dynamic" => options.dynamic = value == "true",
        "ctg_depth" => options.ctg_depth = number(),
        "ctgs" => options.ctgs = number(),
        _ => panic!("no option {key}"),
    }
}

fn check(file: &str, options: &Options, seconds: f64, certify: bool, verbose: bool) {
    let bytes = std::fs::read(file).expect("a readable file");
    let model = trellis_frontend_aiger::parse(&bytes).expect("an AIGER file");
    let start = Instant::now();
    let lowered = trellis_frontend_aiger::lower(&model, file);
    let mut host = LocalHost::without_solver();
    let canceller = host.canceller();
    let limit = cpu_seconds() + seconds;
    std::thread::spawn(move || {
        while cpu_seconds() < limit {
            std::thread::sleep(Duration::from_millis(20));
        }
        canceller.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let mut task = Task::new(lowered.program.clone());
    let verdict = Ic3Engine::run(options.clone(), &mut task, &mut host);
    let time = start.elapsed().as_secs_f64();
    let word = match &verdict {
        Ok(Verdict::Safe(_)) => "safe".into(),
        Ok(Verdict::Unsafe(trace)) => format!("unsafe({})", trace.steps.len()),
        Ok(Verdict::Unknown(why)) => format!("unknown ({why})"),
        Ok(other) => format!("{other:?}"),
        Err(e) => format!("error ({e})"),
    };
    let certified = match (certify, verdict) {
        (true, Ok(Verdict::Safe(certificate))) => {
            let backend = Bitblast::new(Cadical);
            let mut session = backend
                .session(&SessionConfig::default())
                .expect("a session");
            let certificate = SafetyCertificate::inductive(certificate.invariants);
            let checked = check_safe(
                &lowered.program,
                &task.program.pool,
                &certificate,
                &mut *session,
            );
            format!("{:?}", checked.map_err(|e| e.to_string()))
        }
        (true, Ok(Verdict::Unsafe(trace))) => {
            format!("{:?}", check_unsafe(&lowered.program, &trace))
        }
        _ => String::new(),
    };
    let total = start.elapsed().as_secs_f64();
    println!("{file} {word} {time:.2} {total:.2} {certified}");
    if verbose {
        for (_, message) in &host.messages {
            println!("    {message}");
        }
    }
}

/// CPU time of this process, by the system's clock ticks of 10 ms.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |i: usize| {
        fields
            .split_whitespace()
            .nth(i)
            .and_then(|f| f.parse::<f64>().ok())
    };
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
