//! What the border costs: the same terms and calls, made directly and through the C tables, on a
//! solver that does nothing, so that only the border is measured. Best CPU time of five runs each.

#![allow(unsafe_code)]

mod chain;
#[path = "../../../ivl/core/benches/cpu.rs"]
mod cpu;

use cpu::timed;
use std::hint::black_box;
use std::time::Duration;
use trellis_ivl::{TermPool, Type};
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

const ROUNDS: u64 = 250_000;
/// Three terms and an assertion in each round, a query and a value in every tenth.
const CALLS: u64 = ROUNDS * 4 + ROUNDS / 5;

/// More than a million calls; the terms are new to both sides.
fn new_terms(session: &mut dyn SmtSession) {
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Type::Bv(32));
    let x = pool.var(x);
    for n in 0..ROUNDS {
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

/// As many assertions of a term that both sides know.
fn known_term(session: &mut dyn SmtSession) {
    let mut pool = TermPool::new();
    let t = pool.tru();
    for _ in 0..CALLS {
        session.assert(&pool, t).expect("idle");
    }
}

fn best(work: impl Fn()) -> Duration {
    let runs = (0..5).map(|_| timed(&work).0);
    runs.min().expect("five runs")
}

fn calls(name: &str, work: fn(&mut dyn SmtSession)) {
    let [here, there] = [direct as fn() -> _, bordered].map(|open| best(|| work(&mut *open())));
    let each = |d: Duration| d.as_nanos() as f64 / CALLS as f64;
    println!(
        "{CALLS} calls, {name}: {:.0} ns each directly, {:.0} ns through the border, {:.0} ns more",
        each(here),
        each(there),
        each(there) - each(here)
    );
}

fn main() {
    calls("new terms", new_terms);
    calls("a known term", known_term);
    let program = chain::program(100_000);
    let words = image::write(&program);
    let text = trellis_ivl::text::print(&program);
    let row = |name: &str, took: Duration| println!("100000 edges, {name}: {took:.0?}");
    row("write image", best(|| drop(image::write(&program))));
    row(
        "read image",
        best(|| drop(image::read(&words).expect("readable"))),
    );
    row(
        "print text",
        best(|| drop(trellis_ivl::text::print(&program))),
    );
    row(
        "parse text",
        best(|| drop(trellis_ivl::text::parse(&text).expect("readable"))),
    );
}
