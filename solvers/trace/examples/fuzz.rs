//! Compares all backends on random scripts, for longer than a test should:
//! `cargo run --release -p trellis-solver-trace --example fuzz -- KIND FIRST-SEED COUNT [pipes|NAME ...]`, where
//! `KIND` is `tiny`, `planted`, `wide`, `heavy` or `all`. Every model is evaluated, every core is checked alone;
//! the first difference ends the run with its seed.

#[path = "../tests/backends/mod.rs"]
mod backends;

use std::time::{Duration, Instant};
use trellis_solver_api::Limits;
use trellis_solver_api::testing::{Agreement, ScriptKind, SmtScript, compare_backends};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|n| n.parse::<u64>().ok());
    let wanted = args.first().map_or("", String::as_str);
    let kinds: Vec<ScriptKind> = SmtScript::KINDS
        .into_iter()
        .filter(|(name, _)| wanted == *name || wanted == "all")
        .collect();
    let (false, Some(first), Some(count)) = (kinds.is_empty(), number(1), number(2)) else {
        eprintln!("usage: fuzz tiny|planted|wide|heavy|all FIRST-SEED COUNT [pipes|NAME ...]");
        std::process::exit(2);
    };
    let mut all = backends::in_process();
    let names = &args[3.min(args.len())..];
    if names.iter().any(|n| n == "pipes" || n.ends_with("-pipe")) {
        all.extend(backends::pipes());
    }
    let is_wanted = |name: &str| names.iter().any(|n| n == name);
    if names.iter().any(|n| n != "pipes") {
        all.retain(|backend| is_wanted(backend.name()));
    }
    let list: Vec<&str> = all.iter().map(|b| b.name()).collect();
    println!("{}", list.join(", "));
    for (kind, script) in kinds {
        let start = Instant::now();
        let mut seen = Agreement::default();
        for seed in first..first + count {
            let limits = Limits::wall(Duration::from_secs(if kind == "heavy" { 1 } else { 5 }));
            let label = format!("{kind} script {seed}");
            compare_backends(&all, &script(seed), &label, limits, &mut seen);
        }
        let [sat, unsat] = seen.answered;
        println!(
            "{kind}: {count} scripts, {} queries ({sat} sat, {unsat} unsat), {} unknown answers, {:.0} s",
            seen.queries,
            seen.unknown,
            start.elapsed().as_secs_f64()
        );
    }
}
