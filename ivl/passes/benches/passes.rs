//! Each pass and the default list on programs of growing size:
//! `cargo bench -p trellis-ivl-passes --bench passes`.

#[path = "../../core/benches/workload.rs"]
mod workload;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use trellis_ivl::Program;
use trellis_ivl_passes::{DEFAULT, PASSES, Property, parse_list};

fn run(list: &str, given: &[Property], mut program: Program) -> Program {
    let list = parse_list(list, given).unwrap_or_else(|e| panic!("{e}"));
    list.run(&mut program).unwrap_or_else(|e| panic!("{e}"));
    program
}

fn passes(c: &mut Criterion) {
    let given = [Property::Flat, Property::RegionBases];
    let mut group = c.benchmark_group("passes");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2));
    for edges in [10_000, 100_000] {
        let source = workload::program(edges);
        let flat = run("inline", &[Property::RegionBases], source.clone());
        group.throughput(Throughput::Elements(flat.edges.len() as u64));
        for &(name, _, _) in PASSES {
            let input = if name == "inline" { &source } else { &flat };
            group.bench_with_input(BenchmarkId::new(name, edges), input, |b, input| {
                b.iter_batched(
                    || input.clone(),
                    |p| run(name, &given, p),
                    BatchSize::PerIteration,
                );
            });
        }
        group.bench_with_input(BenchmarkId::new("default", edges), &source, |b, source| {
            b.iter_batched(
                || source.clone(),
                |p| run(DEFAULT, &[Property::RegionBases], p),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, passes);
criterion_main!(benches);
