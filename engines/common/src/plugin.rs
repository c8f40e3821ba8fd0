//! Between an algorithm and the plugin SDK.
//!
//! An engine of ours is a library with a `run(program, session, options, hooks)`, and a `plugin.rs`
//! of a few lines that declares its options for pipelines and calls [`decide`].

use crate as engine;
use trellis_ivl::{Program, TermPool};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Lemma, LemmaKind, Level, Task, Verdict};
use trellis_solver_api::smt::SmtSession;

/// The host, as an engine's surroundings.
struct HostHooks<'h> {
    host: &'h mut dyn Host,
    messages: u64,
}

impl engine::Hooks for HostHooks<'_> {
    fn cancelled(&mut self) -> bool {
        self.host.cancelled()
    }

    fn progress(&mut self, message: &str) {
        self.messages += 1;
        self.host.progress(message, self.messages);
    }

    fn session(&mut self) -> Result<Option<Box<dyn SmtSession>>, engine::EngineError> {
        Ok(Some(self.host.smt_session()?))
    }

    fn publish(&mut self, pool: &TermPool, lemmas: &[engine::Lemma]) {
        let lemmas: Vec<Lemma> = lemmas
            .iter()
            .map(|lemma| Lemma {
                loc: lemma.loc,
                term: lemma.fact,
                kind: LemmaKind::Candidate,
            })
            .collect();
        self.host.publish(pool, &lemmas);
    }

    fn lemmas(&mut self, pool: &mut TermPool) -> Vec<engine::Lemma> {
        let lemmas = self.host.new_lemmas(pool).into_iter();
        lemmas
            .map(|lemma| engine::Lemma {
                loc: lemma.loc,
                fact: lemma.term,
            })
            .collect()
    }
}

/// Runs an engine in a fresh session of the host.
pub fn decide(
    task: &mut Task,
    host: &mut dyn Host,
    run: impl FnOnce(
        &Program,
        &mut dyn SmtSession,
        &mut dyn engine::Hooks,
    ) -> Result<engine::Outcome, engine::EngineError>,
) -> Result<Verdict, EngineError> {
    let mut session = host.smt_session()?;
    let mut hooks = HostHooks { host, messages: 0 };
    let outcome = match run(&task.program, &mut *session, &mut hooks) {
        Ok(outcome) => outcome,
        // Before there was anything to say.
        Err(e) if e.is_limit() => return Ok(Verdict::Unknown(e.to_string())),
        Err(e) => {
            return Err(match e {
                engine::EngineError::Solver(e) => EngineError::Solver(e),
                engine::EngineError::Option { .. } => EngineError::Options(e.to_string()),
                engine::EngineError::NotFlat => EngineError::Program(e.to_string()),
                _ => EngineError::Internal(e.to_string()),
            });
        }
    };
    for (name, figure) in &outcome.stats {
        host.log(Level::Info, &format!("{name}: {figure}"));
    }
    // The terms of a proof are of the engine's pool, which is the task's, grown.
    task.program.pool = outcome.pool;
    Ok(match outcome.verdict {
        engine::Verdict::Safe(proof) => Verdict::Safe(Certificate {
            invariants: proof.invariants,
            k: Some(proof.k),
        }),
        engine::Verdict::Unwound { visits } => Verdict::Unwound { visits },
        engine::Verdict::Unsafe(trace) => Verdict::Unsafe(trace),
        engine::Verdict::Unknown(why) => Verdict::Unknown(why),
    })
}
