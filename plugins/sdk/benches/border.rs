//! What the border costs: the same terms and calls, made directly and through the C tables, on a
//! solver that does nothing, so that only the border is measured.

#![allow(unsafe_code)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use trellis_ivl::{Program, Span, TermPool, Type};
use trellis_plugin_sdk::wire::image;
use trellis_plugin_sdk::{export, import};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::testing::IdleSession;
use trellis_solver_api::{Capabilities, SessionConfig, SolverError};

#[derive(Default)]
struct IdleBackend;

impl SmtBackend for IdleBackend {
    fn name(&self) -> &str {
        "idle"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::MODELS
    }
    fn session(&self, _: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        Ok(Box::new(IdleSession))
    }
}

fn direct() -> Box<dyn SmtSession> {
    Box::new(IdleSession)
}

fn bordered() -> Box<dyn SmtSession> {
    let open = export::smt::open_backend::<IdleBackend>;
    let table = export::smt::table(Capabilities::MODELS.bits(), std::ptr::null_mut(), open);
    // SAFETY: the table is ours.
    unsafe { import::smt::open(&table, "idle", &SessionConfig::default()) }.expect("it opens")
}

/// A new term, an assertion of it and, every tenth time, a query with one assumption and one
/// value: a third of a million rounds are more than a million calls.
fn rounds(session: &mut dyn SmtSession, count: u64) {
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Type::Bv(32));
    let x = pool.var(x);
    for n in 0..count {
        let constant = pool.num(32, n);
        let sum = pool.intern(trellis_ivl::Op::BvAdd, &[x, constant]);
        let less = pool.intern(trellis_ivl::Op::BvUlt, &[sum, x]);
        session.assert(&pool, less).expect("idle");
        if n % 10 == 0 {
            session.check(&pool, &[less]).expect("idle");
            black_box(session.value(&pool, sum).expect("idle"));
        }
    }
}

fn calls(c: &mut Criterion) {
    const ROUNDS: u64 = 1_000_000;
    let mut group = c.benchmark_group("million rounds of term and assert");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(ROUNDS));
    group.bench_function("direct", |b| b.iter(|| rounds(&mut *direct(), ROUNDS)));
    group.bench_function("bordered", |b| b.iter(|| rounds(&mut *bordered(), ROUNDS)));
    group.finish();

    let mut group = c.benchmark_group("million asserts of a known term");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(ROUNDS));
    for (name, open) in [("direct", direct as fn() -> _), ("bordered", bordered)] {
        group.bench_function(name, |b| {
            let (mut session, mut pool) = (open(), TermPool::new());
            let t = pool.tru();
            b.iter(|| {
                for _ in 0..ROUNDS {
                    session.assert(&pool, t).expect("idle");
                }
            });
        });
    }
    group.finish();
}

/// A program of many edges, each with an assumption and an assignment.
fn program(edges: u32) -> Program {
    let mut p = Program::new();
    let main = p.add_proc("main", Span::NONE);
    let vars: Vec<_> = (0..100)
        .map(|n| p.add_global(format!("x{n}"), Type::Bv(32), Span::NONE))
        .collect();
    let mut at = p.entry();
    for n in 0..edges {
        let (x, y) = (vars[n as usize % 100], vars[n as usize * 7 % 100]);
        let (tx, ty) = (p.pool.var(x), p.pool.var(y));
        let c = p.pool.num(32, u64::from(n));
        let (sum, less) = (p.pool.bvadd(tx, c), p.pool.bvult(ty, c));
        let (assume, assign) = (p.cmds.assume(less), p.cmds.assign(x, sum));
        let cmd = p.cmds.seq(&[assume, assign]);
        let next = p.add_loc(main, Span::NONE);
        p.add_edge(at, next, cmd, Span::NONE);
        at = next;
    }
    p
}

fn crossing(c: &mut Criterion) {
    let program = program(100_000);
    let words = image::write(&program);
    let text = trellis_ivl::text::print(&program);
    let mut group = c.benchmark_group("100000 edges");
    group.sample_size(10);
    group.bench_function("write image", |b| b.iter(|| image::write(&program)));
    group.bench_function("read image", |b| {
        b.iter(|| image::read(&words).expect("readable"))
    });
    group.bench_function("print text", |b| {
        b.iter(|| trellis_ivl::text::print(&program))
    });
    group.bench_function("parse text", |b| {
        b.iter(|| trellis_ivl::text::parse(&text).expect("readable"))
    });
    group.finish();
}

criterion_group!(benches, calls, crossing);
criterion_main!(benches);
