//! One run each on 10k, 100k and 1M edges in CPU time, as a table:
//! `cargo bench -p trellis-ivl-passes --bench scaling`. Sizes may be given after `--`.
//!
//! Then what operation limits make of the program, and what the default list does, pass by pass.

#[path = "../../core/benches/cpu.rs"]
mod cpu;
#[path = "../../core/benches/workload.rs"]
mod workload;

use std::time::Duration;
use trellis_ivl::Program;
use trellis_ivl_passes::{DEFAULT, PASSES, Property, Report, Size, parse_list};

fn run(list: &str, given: &[Property], program: &mut Program) -> (Duration, Report) {
    let list = parse_list(list, given).unwrap_or_else(|e| panic!("{e}"));
    cpu::timed(|| list.run(program).unwrap_or_else(|e| panic!("{e}")))
}

fn line(name: &str, edges: usize, time: Duration, after: Size) {
    println!(
        "| {name} | {edges} | {:.1} ms | {:.2} us | {} | {} | {} |",
        time.as_secs_f64() * 1e3,
        time.as_secs_f64() * 1e6 / edges as f64,
        after.locs,
        after.edges,
        after.operations,
    );
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let sizes = match (&sizes[..], std::env::args().any(|a| a == "--bench")) {
        ([], true) => vec![10_000, 100_000, 1_000_000],
        ([], false) => vec![1_000], // as a test: only that it runs
        (sizes, _) => sizes.to_vec(),
    };
    let given = [Property::Flat, Property::RegionBases];
    println!("| pass | edges before | CPU time | per edge | locations | edges | operations |");
    println!("|---|---|---|---|---|---|---|");
    for &size in &sizes {
        let source = workload::program(size);
        let mut flat = source.clone();
        let (time, _) = run("inline", &given[1..], &mut flat);
        let edges = flat.edges.len();
        line("inline", edges, time, Size::of(&flat));
        for &(name, _, _) in PASSES.iter().filter(|(n, _, _)| *n != "inline") {
            let mut p = flat.clone();
            let (time, _) = run(name, &given, &mut p);
            line(name, edges, time, Size::of(&p));
        }
        let mut p = source.clone();
        let (time, report) = run(DEFAULT, &given[1..], &mut p);
        line("default list", edges, time, Size::of(&p));
        for r in &report.runs {
            let name = format!("- {} (wall)", r.name);
            line(&name, r.before.edges.max(1), r.time, r.after);
        }
    }
    let mut flat = workload::program(sizes[0]);
    run("inline, bisim", &given[1..], &mut flat);
    for limit in [1, 2, 5, 10, 20, 50, 100, 200, 0] {
        let mut p = flat.clone();
        let name = format!("lbe(limit={limit})");
        let (time, _) = run(&name, &given, &mut p);
        line(&name, flat.edges.len(), time, Size::of(&p));
    }
}
