//! Both modes on random circuits, word-level models and programs against exploration, with every verdict certified, under interpolants from
//! proofs by both systems and from cores.

use std::time::Duration;
use trellis_engine_imc::{Mode, Options, run};
use trellis_engine_testing::reference::{certified, truth};
use trellis_ivl::Program;
use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::{Rng, Shape, generate};
use trellis_plugin_sdk::NoHost;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Limits, SessionConfig};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_interpolate::Interpolating;

/// A session whose interpolants are of this kind.
fn session(interpolants: u64) -> Box<dyn SmtSession> {
    let backend = Interpolating::new(Box::new(Bitblast::new(Cadical)));
    let mut config = SessionConfig::default();
    let value = (interpolants % 3).to_string();
    config.options.insert("interpolants".into(), value);
    let mut session = backend.session(&config).expect("embedded");
    session.set_limits(Limits::wall(Duration::from_secs(10)));
    session
}

#[derive(Default, Debug)]
struct Seen {
    safe: usize,
    reached: usize,
    unknown: usize,
}

/// Decides `program` and compares with its reachable states, if there are few enough.
fn compare(program: &Program, seed: u64, seen: &mut Seen) {
    let Some(truth) = truth(program) else {
        return;
    };
    for mode in [Mode::Image, Mode::Sequence] {
        let what = format!("seed {seed}, {mode:?}");
        let options = Options {
            mode,
            bound: Some(40),
        };
        let mut session = session(seed);
        let outcome = run(program, &mut *session, &options, &mut NoHost);
        let outcome = outcome.unwrap_or_else(|e| panic!("{what}: {e}"));
        match certified(program, &outcome.pool, &outcome.verdict) {
            Ok("safe") => {
                assert!(truth.is_safe(), "{what}");
                seen.safe += 1;
            }
            Ok("unsafe") => {
                assert!(truth.error, "{what}");
                seen.reached += 1;
            }
            Ok(_) => seen.unknown += 1,
            Err(e) => panic!("{what}: {e}"),
        }
    }
}

#[test]
fn circuits() {
    let mut seen = Seen::default();
    for seed in 0..200 {
        let model = trellis_frontend_aiger::testing::random_model(&mut Rng::new(seed));
        let lowered = trellis_frontend_aiger::lower(&model, "random.aag");
        compare(&lowered.program, seed, &mut seen);
    }
    assert!(
        seen.safe > 60 && seen.reached > 60 && seen.unknown == 0,
        "{seen:?}"
    );
}

#[test]
fn word_level_models() {
    let mut seen = Seen::default();
    for seed in 0..120 {
        let model = trellis_frontend_btor2::testing::random_model(&mut Rng::new(seed));
        let lowered = trellis_frontend_btor2::lower(&model, "random.btor2");
        compare(&lowered.program, seed, &mut seen);
    }
    assert!(seen.safe > 2 && seen.reached > 2, "{seen:?}");
}

#[test]
fn programs_after_monolithic() {
    let mut seen = Seen::default();
    let passes = parse_list("monolithic", &[Property::Flat]).expect("a list");
    for seed in 0..100 {
        let mut program = generate::program(&mut Rng::new(seed), Shape::TINY);
        passes.run(&mut program).expect("it runs");
        compare(&program, seed, &mut seen);
    }
    assert!(seen.safe > 10 && seen.reached > 10, "{seen:?}");
}

#[test]
fn other_shapes_are_refused() {
    let program = generate::program(&mut Rng::new(1), Shape::TINY);
    let options = Options {
        mode: Mode::Image,
        bound: None,
    };
    let refused = run(&program, &mut *session(1), &options, &mut NoHost);
    let why = refused.err().expect("several locations").to_string();
    assert!(why.contains("monolithic"), "{why}");
}
