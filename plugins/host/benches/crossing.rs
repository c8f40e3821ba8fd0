//! What it costs to get a large program into a worker: the process is started, the image is written,
//! sent, read and made a program again, and the engine answers at once.
//!
//! `cargo bench -p trellis-plugin-host` prints the best of ten runs for each size.

#[path = "../../sdk/benches/chain.rs"]
mod chain;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use trellis_ivl::Program;
use trellis_plugin_host::run::{Event, Observer};
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{EngineSpec, Judge, Judgement, Plan, SolverChoice, Stage, run};
use trellis_plugin_sdk::export::RawVerdict;
use trellis_plugin_sdk::wire::image;

struct Nobody;

impl Judge for Nobody {
    type Accepted = ();
    fn judge(&mut self, _: &EngineSpec, _: &RawVerdict) -> Judgement<()> {
        Judgement::Undecided("nobody asks".into())
    }
}

impl Observer for Nobody {
    fn event(&self, _: &str, _: Event) {}
}

/// The sample engine, told to take no walk.
fn idle() -> EngineSpec {
    let exe = std::env::current_exe().expect("a benchmark has a path");
    let dir = exe.parent().expect("a file is in a folder");
    EngineSpec {
        name: "idle".into(),
        id: "random-walk".into(),
        plugin: dir.join("libtrellis_engine_random_walk.so"),
        options: "{\"walks\": 0}".into(),
        smt: SolverChoice::default(),
        sat: SolverChoice::default(),
        reads_lemmas: false,
        image: None,
        after: Duration::ZERO,
    }
}

fn crossing(program: &Program) -> Duration {
    let start = Instant::now();
    let plan = Plan {
        executable: PathBuf::from(env!("CARGO_BIN_EXE_trellis-worker")),
        launcher: Vec::new(),
        engines: vec![idle()],
        stage: Stage::Engine(0),
        image: Arc::new(image::write(program)),
        seed: 0,
        wall: None,
        limits: Limits::default(),
        grace: Duration::from_secs(1),
    };
    let outcome = run(&plan, &mut Nobody, None, &Nobody, &AtomicBool::new(false));
    let took = start.elapsed();
    let said = outcome.reports[&0].outcome.to_string();
    assert_eq!(said, "gave up: no error in 0 walks of 1000 edges");
    took
}

fn main() {
    for edges in [1, 1_000, 10_000, 100_000] {
        let program = chain::program(edges);
        let best = (0..10).map(|_| crossing(&program)).min();
        let millis = best.expect("ten runs").as_secs_f64() * 1e3;
        println!("{edges:>7} edges into a worker and back: {millis:7.1} ms");
    }
}
