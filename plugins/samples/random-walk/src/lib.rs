//! A sample engine: random executions find shallow bugs, and nothing else. The whole engine is
//! this file; [`oracle`] chooses the values.
//!
//! The meaning of programs is the interpreter's, so a trace it reports replays by construction.
//!
//! Deliberately absent: solvers, coverage, any memory of where a walk has been.

pub mod oracle;

use oracle::Dice;
use trellis_plugin_sdk::ivl::{LocKind, Machine, Program, Trace};
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, info, options,
};

options! {
    /// How long to walk.
    pub struct Options {
        /// Number of executions to try.
        walks: u64 = 10_000,
        /// Edges per execution.
        depth: u64 = 1_000,
    }
}

/// The engine.
pub struct RandomWalk;

impl Engine for RandomWalk {
    const INFO: Info =
        info!("random-walk" => "random executions; finds shallow bugs, proves nothing");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let mut dice = Dice::new(task.seed, &task.program);
        for walk in 0..options.walks {
            if walk.is_power_of_two() {
                host.progress("walk", walk);
            }
            if let Some(trace) = execute(&task.program, &mut dice, options.depth, host) {
                return Ok(Verdict::Unsafe(trace));
            }
            if host.cancelled() {
                return Ok(Verdict::Unknown(format!("cancelled after {walk} walks")));
            }
        }
        let Options { walks, depth } = options;
        Ok(Verdict::Unknown(format!(
            "no error in {walks} walks of {depth} edges"
        )))
    }
}

export_engine!(RandomWalk);

/// One execution; its trace when it ends in an error.
fn execute(program: &Program, dice: &mut Dice, depth: u64, host: &dyn Host) -> Option<Trace> {
    let mut trace = Trace::default();
    let mut machine = Machine::new(program, |v, ty| {
        let value = dice.value(ty);
        trace.initial.insert(v, value.clone());
        value
    });
    for step in 0..depth {
        if machine.is_final() || step % 256 == 255 && host.cancelled() {
            break;
        }
        trace.steps.push(machine.step(dice)?);
    }
    matches!(program.locs[machine.loc()].kind, LocKind::Error(_)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl_testing::{Rng, Shape, explore, generate};
    use trellis_plugin_sdk::LocalHost;
    use trellis_plugin_sdk::ivl::replay;

    /// On random programs: every trace replays to an error location, and most reachable errors of
    /// small programs are found.
    #[test]
    fn finds_what_is_there() {
        let (mut reachable, mut found) = (0, 0);
        for seed in 0..200 {
            let program = generate::program(&mut Rng::new(seed), Shape::TINY);
            let Some(states) = program.is_flat().then(|| explore(&program, 2000)).flatten() else {
                continue;
            };
            let has_error = states
                .targets(&program)
                .keys()
                .any(|kind| kind.starts_with("error"));
            let mut task = Task::new(program);
            let options = Options {
                walks: 500,
                depth: 100,
            };
            let verdict = RandomWalk::run(options, &mut task, &mut LocalHost::without_solver());
            match verdict.expect("no solver is asked") {
                Verdict::Unsafe(trace) => {
                    let end = replay(&task.program, &trace).expect("the trace replays");
                    assert!(matches!(task.program.locs[end].kind, LocKind::Error(_)));
                    assert!(has_error, "the exploration missed an error, seed {seed}");
                    found += 1;
                }
                Verdict::Unknown(_) => {}
                other => panic!("a random walk proves nothing: {other:?}"),
            }
            reachable += usize::from(has_error);
        }
        assert!(reachable > 10, "{reachable} programs with errors");
        assert!(found * 10 >= reachable * 9, "{found} of {reachable} found");
    }
}
