//! An engine that fails in the way it is told, for the fault tests of the host: what can go wrong
//! in an engine written in safe Rust.
//!
//! Deliberately absent: what safe Rust cannot do wrong (segmentation faults, a false handshake, noise on the
//! protocol); that is `hostile.c` in the host's tests.

use trellis_plugin_sdk::ivl::termination::{Lasso, Loop, Measure, loops};
use trellis_plugin_sdk::ivl::{Edge, Program, Step, Trace, Type};
use trellis_plugin_sdk::wire::termination::write_ending;
use trellis_plugin_sdk::{
    Certificate, ContractProof, Divergence, Ending, Engine, EngineError, Host, Info, Lemma,
    LemmaKind, Recurrent, Task, Verdict, Way, export_engine, info, option_enum, options,
};

option_enum! {
    /// How to fail.
    pub enum Mode {
        /// Panic.
        Panic = "panic",
        /// Panic with a value that is no text.
        PanicWithValue = "panic-with-value",
        /// Recurse until the stack is used up.
        Overflow = "overflow",
        /// Return an error.
        Error = "error",
        /// Publish lemmas that do not hold.
        Lie = "lie",
        /// Claim that all executions end within a few visits of loop heads.
        Unwound = "unwound",
        /// Claim that procedures need no contracts.
        Contracts = "contracts",
        /// Claim that every loop ends, because no head is visited twice.
        Terminates = "terminates",
        /// Claim that the first loop of one edge never ends.
        Diverges = "diverges",
        /// Claim that the first edge is a loop.
        Comes = "comes-back",
        /// Claim for all values of a variable what holds of one of them.
        Cells = "cells",
        /// Wait for the cancellation and obey it.
        Wait = "wait",
    }
}

options! {
    /// What to do.
    pub struct Options {
        /// How to fail.
        mode: Mode = Mode::Panic,
        /// How many visits `unwound` claims.
        visits: u32 = 0,
    }
}

/// The engine.
pub struct Misbehave;

impl Engine for Misbehave {
    const INFO: Info = info!("misbehave" => "fails in the way it is told");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        match options.mode {
            Mode::Panic => panic!("as it was told"),
            Mode::PanicWithValue => std::panic::panic_any(7),
            Mode::Overflow => Ok(Verdict::Unknown(deep(1).to_string())),
            Mode::Error => Err(EngineError::Internal("an error as it was told".into())),
            Mode::Lie => {
                let term = task.program.pool.fls();
                let lemmas: Vec<Lemma> = task
                    .program
                    .locs
                    .keys()
                    .map(|loc| Lemma {
                        loc,
                        term,
                        kind: LemmaKind::Proved,
                    })
                    .collect();
                host.publish(&task.program.pool, &lemmas);
                Ok(Verdict::Unknown("all is false".into()))
            }
            Mode::Unwound => Ok(Verdict::Unwound {
                visits: options.visits,
            }),
            Mode::Contracts => Ok(Verdict::Contracts(ContractProof::default())),
            Mode::Terminates => Ok(Verdict::Terminates(endings(&task.program))),
            Mode::Diverges => Ok(Verdict::Diverges(endless(&mut task.program))),
            Mode::Comes => Ok(Verdict::Diverges(Divergence::Lasso(Lasso {
                trace: first_step(),
                start: 0,
            }))),
            Mode::Cells => Ok(Verdict::Safe(all_are_zero(&mut task.program))),
            Mode::Wait => {
                host.progress("waiting", 0);
                while !host.cancelled() {
                    std::thread::yield_now();
                }
                Ok(Verdict::Unknown("cancelled".into()))
            }
        }
    }
}

export_engine!(Misbehave);

/// A snapshot of nothing, by which a second visit of a head is an error, and no reason why there is none.
fn endings(program: &Program) -> Vec<Ending> {
    let nothing = Measure::Snapshot(Vec::new());
    let ending = |of: &Loop| {
        let certificate = Certificate::default();
        write_ending(
            of.head,
            &program.pool,
            &nothing,
            &program.pool,
            &certificate,
        )
    };
    loops(program).iter().map(ending).collect()
}

fn first_step() -> Trace {
    Trace {
        steps: vec![Step::plain(Edge::from_u32(0))],
        ..Trace::default()
    }
}

/// Whatever the state, the first edge from a location to itself can be taken.
fn endless(program: &mut Program) -> Divergence {
    let round = program.edges.iter().find(|(_, d)| d.from == d.to);
    let round = round.map_or(Edge::from_u32(0), |(e, _)| e);
    let set = program.pool.tru();
    Divergence::Recurrent(Recurrent {
        stem: first_step(),
        set,
        cases: vec![Way {
            guard: set,
            steps: vec![(round, Vec::new())],
            inputs: Vec::new(),
        }],
    })
}

/// Every number is zero, so no error is reachable.
fn all_are_zero(program: &mut Program) -> Certificate {
    let k = program.pool.fresh("k", Type::Bv(8));
    let (own, zero) = (program.pool.var(k), program.pool.num(8, 0));
    let says = program.pool.eq(own, zero);
    let everywhere = program.locs.keys().map(|l| (l, says)).collect();
    let mut certificate = Certificate::inductive(1, everywhere).for_all(vec![k]);
    certificate.hints = vec![program.pool.num(8, 1)];
    certificate
}

/// Not a loop, whatever the optimiser thinks: every level has a buffer of its own.
fn deep(n: u64) -> u64 {
    let buffer = std::hint::black_box([n; 1024]);
    if buffer[n as usize % 1024] == 0 {
        return 0;
    }
    deep(n + 1) + buffer[0]
}
