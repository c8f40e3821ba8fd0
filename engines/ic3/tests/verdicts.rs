//! The engine against explicit exploration: random circuits with every feature of AIGER, random
//! word-level models and random programs, under several options. Every verdict is certified.

use trellis_engine_ic3::{Ic3Engine, Options};
use trellis_ivl_certify::{SafetyCertificate, check_safe, check_unsafe};
use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::{Rng, Shape, explore, generate};
use trellis_plugin_sdk::ivl::Program;
use trellis_plugin_sdk::solver::SessionConfig;
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::{Engine, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// Counts of what was seen, so that a test can tell that it tested something.
#[derive(Default, Debug)]
struct Seen {
    safe: usize,
    reached: usize,
    incomplete: usize,
}

fn plain() -> Options {
    Options {
        constants: false,
        equivalent: false,
        sweep: false,
        eliminate: false,
        dynamic: false,
        ctg_depth: 0,
        ..Options::default()
    }
}

fn thorough() -> Options {
    Options {
        // Both runs of the search take part.
        plain: 20,
        ctg_depth: 2,
        ctgs: 3,
        ..Options::default()
    }
}

/// Decides `program` and compares with its reachable states, if there are few enough.
fn compare(program: &Program, options: Options, seen: &mut Seen, what: &str) {
    let Some(states) = explore(program, 3000) else {
        return;
    };
    let targets = states.targets(program);
    let has = |kind: &str| targets.keys().any(|k| k.starts_with(kind));
    let mut task = Task::new(program.clone());
    let verdict = Ic3Engine::run(options, &mut task, &mut LocalHost::without_solver());
    match verdict.unwrap_or_else(|e| panic!("{what}: {e}")) {
        Verdict::Safe(certificate) => {
            assert!(targets.is_empty(), "{what}: safe, but {:?}", targets.keys());
            let backend = Bitblast::new(Cadical);
            let session = backend.session(&SessionConfig::default());
            let certificate = SafetyCertificate::inductive(certificate.invariants);
            let pool = &task.program.pool;
            check_safe(
                program,
                pool,
                &certificate,
                &mut *session.expect("a session"),
            )
            .unwrap_or_else(|e| panic!("{what}: {e}"));
            seen.safe += 1;
        }
        Verdict::Unsafe(trace) => {
            assert!(has("error"), "{what}: unsafe, but no error is reachable");
            check_unsafe(program, &trace).unwrap_or_else(|e| panic!("{what}: {e}"));
            seen.reached += 1;
        }
        Verdict::Unknown(why) => {
            let fair = has("incomplete") && !has("error");
            assert!(fair && why.starts_with("incomplete"), "{what}: {why}");
            seen.incomplete += 1;
        }
        other => panic!("{what}: ic3 has no such proof: {other:?}"),
    }
}

fn each(seed: u64) -> [(Options, &'static str); 2] {
    // Two of the three ways each, to stay fast.
    let plain = (plain(), "plain");
    let usual = (Options::default(), "default");
    let thorough = (thorough(), "thorough");
    match seed % 3 {
        0 => [plain, usual],
        1 => [usual, thorough],
        _ => [plain, thorough],
    }
}

#[test]
fn circuits() {
    let mut seen = Seen::default();
    for seed in 0..240 {
        let model = trellis_frontend_aiger::testing::random_model(&mut Rng::new(seed));
        let lowered = trellis_frontend_aiger::lower(&model, "random.aag");
        for (options, name) in each(seed) {
            let what = format!("seed {seed}, {name}");
            compare(&lowered.program, options, &mut seen, &what);
        }
    }
    assert!(seen.safe > 20 && seen.reached > 20, "{seen:?}");
}

#[test]
fn word_level_models() {
    let mut seen = Seen::default();
    for seed in 0..120 {
        let model = trellis_frontend_btor2::testing::random_model(&mut Rng::new(seed));
        let lowered = trellis_frontend_btor2::lower(&model, "random.btor2");
        for (options, name) in each(seed) {
            let what = format!("seed {seed}, {name}");
            compare(&lowered.program, options, &mut seen, &what);
        }
    }
    assert!(seen.safe > 1 && seen.reached > 1, "{seen:?}");
}

#[test]
fn programs_after_monolithic() {
    let mut seen = Seen::default();
    for seed in 0..160 {
        let mut program = generate::program(&mut Rng::new(seed), Shape::TINY);
        let list = parse_list("inline, monolithic", &Property::of(&program)).expect("passes");
        list.run(&mut program).expect("passes run");
        for (options, name) in each(seed) {
            let what = format!("seed {seed}, {name}");
            compare(&program, options, &mut seen, &what);
        }
    }
    let enough = seen.safe > 10 && seen.reached > 10 && seen.incomplete > 0;
    assert!(enough, "{seen:?}");
}

#[test]
fn a_program_of_another_shape_is_refused() {
    let program = trellis_ivl_testing::parse(
        "ivl 1;\nproc main() {\n  loc a entry;\n  loc b;\n  loc c;\n  a -> b { skip };\n  b -> c { skip };\n}\nmain main;\n",
    );
    let mut task = Task::new(program);
    let options = Options::default();
    let error = Ic3Engine::run(options, &mut task, &mut LocalHost::without_solver());
    let message = error.expect_err("no transition system").to_string();
    assert!(message.contains("'monolithic'"), "{message}");
}
