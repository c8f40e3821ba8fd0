//! Terms and text: `cargo bench -p trellis-ivl`.

mod terms;
mod workload;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use trellis_ivl::{FlattenOptions, flatten, text, verify};

const TERMS: usize = 5_000_000;

fn interning(c: &mut Criterion) {
    let pool = terms::intern(TERMS);
    println!(
        "{} terms in {:.1} MB: {:.1} bytes per term",
        pool.len(),
        pool.term_bytes() as f64 / 1e6,
        pool.term_bytes() as f64 / pool.len() as f64
    );
    drop(pool);
    let mut group = c.benchmark_group("terms");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .throughput(Throughput::Elements(TERMS as u64));
    group.bench_function("intern 5M", |b| {
        b.iter_with_large_drop(|| terms::intern(TERMS))
    });
    group.finish();
}

fn program_text(c: &mut Criterion) {
    let mut program = workload::program(100_000);
    flatten(&mut program, &FlattenOptions::default());
    let printed = program.to_string();
    println!(
        "{} edges, {} bytes of text",
        program.edges.len(),
        printed.len()
    );
    let mut group = c.benchmark_group("100k edges");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .throughput(Throughput::Bytes(printed.len() as u64));
    group.bench_function("print", |b| b.iter(|| black_box(program.to_string())));
    group.bench_function("parse", |b| {
        b.iter_with_large_drop(|| text::parse(&printed).expect("printed text parses"));
    });
    group.bench_function("verify", |b| {
        b.iter(|| assert!(verify::verify(&program).is_ok()));
    });
    let source = workload::program(100_000);
    group.bench_function("flatten", |b| {
        b.iter_batched(
            || source.clone(),
            |mut p| {
                flatten(&mut p, &FlattenOptions::default());
                p
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, interning, program_text);
criterion_main!(benches);
