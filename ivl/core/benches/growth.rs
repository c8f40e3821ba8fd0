//! Terms and text at growing sizes, one run each in CPU time, as a table:
//! `cargo bench -p trellis-ivl --bench growth`.

mod cpu;
mod terms;
mod workload;

use cpu::timed;
use std::time::Duration;
use trellis_ivl::{FlattenOptions, flatten, text, verify};

fn line(what: &str, size: usize, time: Duration, note: &str) {
    println!(
        "| {what} | {size} | {:.1} ms | {:.3} us | {note} |",
        time.as_secs_f64() * 1e3,
        time.as_secs_f64() * 1e6 / size as f64,
    );
}

fn main() {
    // As a test, only that it runs.
    let scale = if std::env::args().any(|a| a == "--bench") {
        1_000
    } else {
        1
    };
    println!("| what | size | CPU time | each | |");
    println!("|---|---|---|---|---|");
    for count in [50, 500, 5_000].map(|n| n * scale) {
        let (time, pool) = timed(|| terms::intern(count));
        let bytes = pool.term_bytes() as f64 / pool.len() as f64;
        line(
            "intern terms",
            count,
            time,
            &format!("{bytes:.1} bytes per term"),
        );
    }
    for edges in [10, 100, 1_000].map(|n| n * scale) {
        let mut program = workload::program(edges);
        let (time, _) = timed(|| flatten(&mut program, &FlattenOptions::default()));
        let edges = program.edges.len();
        line("flatten", edges, time, "");
        let (time, printed) = timed(|| program.to_string());
        let size = format!("{:.1} MB", printed.len() as f64 / 1e6);
        line("print", edges, time, &size);
        let (time, parsed) = timed(|| text::parse(&printed).expect("printed text parses"));
        line("parse", edges, time, &size);
        let (time, result) = timed(|| verify::verify(&parsed));
        assert!(result.is_ok(), "a printed program is well-formed");
        line("verify", edges, time, "");
    }
}
