//! Terms and text: `cargo bench -p trellis-ivl`.

mod workload;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use trellis_ivl::{FlattenOptions, Op, Span, Term, TermPool, Type, VarData, flatten, text};
use trellis_ivl::{Scope, verify};

const TERMS: usize = 5_000_000;

/// A pool of `count` distinct terms, each over two of the latest ones.
fn intern(count: usize) -> TermPool {
    let mut pool = TermPool::new();
    let mut recent: Vec<Term> = (0..1024)
        .map(|i| {
            let v = pool.declare(VarData {
                name: format!("x{i}"),
                ty: Type::Bv(32),
                scope: Scope::Global,
                span: Span::NONE,
            });
            pool.var(v)
        })
        .collect();
    let ops = [Op::BvAdd, Op::BvXor, Op::BvMul, Op::BvAnd, Op::BvSub];
    let mut seed = 1u64;
    while pool.len() < count {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (i, j) = ((seed >> 33) as usize % 1024, (seed >> 45) as usize % 1024);
        let op = ops[(seed >> 60) as usize % ops.len()];
        let t = pool.intern(op, &[recent[i], recent[j]]);
        recent[j] = t;
    }
    pool
}

fn terms(c: &mut Criterion) {
    let pool = intern(TERMS);
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
    group.bench_function("intern 5M", |b| b.iter_with_large_drop(|| intern(TERMS)));
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

criterion_group!(benches, terms, program_text);
criterion_main!(benches);
