//! What engines that are asked about loops say of them, and what it is worth.
//!
//! They get the expanded program as it is: passes keep errors, not what runs for ever. The proof of some loops is
//! kept; the race goes on until all are proved or an execution is found that does not end.
//!
//! An engine with `original = true` gets the program with its calls, where incomplete locations are errors, and may show by contracts that none is
//! reachable: then the loops of the [modules](trellis_ivl::modular) that the contracts make of it can be asked about.

use super::Subject;
use crate::error::Error;
use crate::events::OfEngines;
use crate::judge::{CONTRACTS, Checker, DIVERGES, TERMINATES, claimed_contracts};
use crate::load::Question;
use crate::plan::plan;
use crate::plugins::all_folders;
use crate::round::{checker, warn};
use crate::session::Check;
use crate::stop::Stop;
use crate::worker::search_path;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::termination::{Lasso, Loop, Measure, gaps_only, loops};
use trellis_ivl::{Loc, Modules, Program, TermPool, calls};
use trellis_ivl_certify::{
    Case, ContractCertificate, LoopProof, Recurrent, Rejection, Repeat, SafetyCertificate,
    SafetyProof, check_entering, check_lasso, check_loop, check_recurrent,
};
use trellis_plugin_host::run::EngineReport;
use trellis_plugin_host::{EngineSpec, Judge, Judgement, run};
use trellis_plugin_sdk::Divergence;
use trellis_plugin_sdk::export::RawVerdict;
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::wire::termination::{read_divergence, read_endings};

/// Wall time per query of what is to be easy.
const BARE: Duration = Duration::from_secs(1);

/// What was certified of the engines' claims.
#[derive(Default)]
pub(crate) struct Claims {
    /// Loops that end, each with the measure and the pool of its terms.
    pub proved: BTreeMap<Loc, (Measure, TermPool)>,
    /// An execution that does not.
    pub endless: Option<Endless>,
    /// Who checked the last proof.
    pub checked_by: Option<String>,
    /// The modules that contracts make of the program, and who checked these. If no execution of them is infinite, none of the program is.
    pub modules: Option<(Program, String)>,
}

/// An execution that does not end.
pub(crate) enum Endless {
    /// It comes back to this.
    Lasso(Lasso, Repeat),
    /// It never leaves a set, at this place; terms are of the pool.
    Recurrent(Recurrent, TermPool),
}

impl Check<'_> {
    /// The modules of a program with calls, if no contract is needed to show that no incomplete location is reachable, and who checked that.
    pub(super) fn bare_modules(&self, subject: &Subject<'_>) -> Option<(Program, String)> {
        let program = subject.loaded.program();
        if !calls::multiply(program) {
            return None;
        }
        let certificate = ContractCertificate {
            k: 1,
            ..ContractCertificate::default()
        };
        let checker = checker(&self.session.pipeline, self.session.seed, false);
        for backend in checker.backends("").ok()? {
            let checked = checker.in_session(&self.stop, &*backend, Some(BARE), |session| {
                check_entering(program, &program.pool, &certificate, session)
            });
            if let Ok(flat) = checked {
                return Some((flat, backend.name().to_string()));
            }
        }
        None
    }

    /// Asks the engines of the pipeline that are for it, for one of `share` parts of the time that is left.
    pub(super) fn claims(
        &self,
        subject: &Subject<'_>,
        loops: &[Loop],
        share: u32,
    ) -> Result<Claims, Error> {
        let session = self.session;
        let (pipeline, seed) = (&session.pipeline, session.seed);
        let asked = pipeline.engines.values().any(|e| e.termination);
        let with_calls = !subject.modules && calls::multiply(subject.loaded.program());
        if !asked || loops.is_empty() && !with_calls || self.stop.why().is_some() {
            return Ok(Claims::default());
        }
        let search = search_path(&all_folders(pipeline, &session.plugins));
        // The rest of the time is for the other questions.
        let stop = match self.stop.left() {
            Some(left) => self.stop.within(left / share),
            None => self.stop.clone(),
        };
        let what = (pipeline, Question::Termination);
        let original = match subject.modules {
            true => subject.flat.clone(),
            false => gaps_only(subject.loaded.program()),
        };
        let programs = (&original, &subject.flat);
        let plan = plan(what, &search, self.worker, programs, seed, &stop, self)?;
        let Some(plan) = plan else {
            return Ok(Claims::default());
        };
        let mut judge = LoopJudge {
            subject,
            original: &original,
            is_cut: with_calls && subject.flat.incompletes().next().is_some(),
            loops,
            checker: checker(pipeline, seed, false),
            // What was claimed in time is checked.
            stop: &self.stop,
            claims: Claims::default(),
        };
        let outcome = run(&plan, &mut judge, None, &OfEngines(self), self.stop.flag());
        let engines: Vec<EngineReport> = outcome.reports.into_values().collect();
        for engine in &engines {
            warn(engine, self);
        }
        let mut report = self.report();
        report.engines = engines.iter().map(Into::into).collect();
        if let Some((by, ())) = outcome.answer {
            report.decided_by = Some(plan.engines[by].name.clone());
        }
        Ok(judge.claims)
    }
}

struct LoopJudge<'a> {
    subject: &'a Subject<'a>,
    /// What engines with `original = true` get.
    original: &'a Program,
    /// Whether the expanded program is not all of the program, so that its loops alone are no answer.
    is_cut: bool,
    loops: &'a [Loop],
    checker: Checker,
    stop: &'a Stop,
    claims: Claims,
}

impl Judge for LoopJudge<'_> {
    /// What was certified is in [`Claims`].
    type Accepted = ();

    fn judge(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<()> {
        match claim.kind {
            TERMINATES => self.judge_loops(engine, claim),
            DIVERGES if self.subject.modules => Judgement::Undecided(
                "an execution of modules need not be one of the program".into(),
            ),
            DIVERGES => self.judge_endless(engine, claim),
            CONTRACTS if engine.image.is_some() => self.judge_contracts(engine, claim),
            _ => Judgement::Rejected("the question is which loops end".into()),
        }
    }
}

impl LoopJudge<'_> {
    fn judge_loops(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<()> {
        let claimed = match read_endings(&self.subject.flat, &claim.words) {
            Ok(claimed) => claimed,
            Err(e) => return Judgement::Rejected(format!("malformed proof of a loop: {e}")),
        };
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let mut refused = None;
        for claim in claimed {
            let Some(of) = self.loops.iter().find(|l| l.head == claim.head) else {
                continue;
            };
            let proof = LoopProof {
                measure: claim.measure,
                pool: claim.watched.program.pool,
                proof: SafetyProof::Inductive(SafetyCertificate {
                    k: claim.certificate.k.unwrap_or(1),
                    ..SafetyCertificate::inductive(claim.certificate.invariants)
                }),
            };
            let stopped = || self.stop.why().is_some();
            let check = |backend: &dyn SmtBackend, wall| {
                self.checker
                    .in_session(self.stop, backend, wall, |session| {
                        check_loop(&self.subject.flat, of, &proof, session, &stopped)
                    })
            };
            match self.checker.in_turns(&backends, &check) {
                Ok(backend) => {
                    self.claims.checked_by = Some(backend.name().to_string());
                    let kept = (proof.measure, proof.pool);
                    self.claims.proved.insert(claim.head, kept);
                }
                Err(judgement) => refused = Some(judgement),
            }
        }
        let (done, all) = (self.claims.proved.len(), self.loops.len());
        match refused {
            None if done == all && (self.claims.modules.is_some() || !self.is_cut) => {
                Judgement::Accepted(())
            }
            Some(judgement) => judgement,
            None => Judgement::Undecided(format!("{done} of {all} loops are proved")),
        }
    }

    /// Contracts are worth the loops that they leave: where there are none, the question is answered.
    fn judge_contracts(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<()> {
        let mut modules = Modules::new(self.original).program;
        let certificate = match claimed_contracts(&mut modules, claim) {
            Ok(certificate) => certificate,
            Err(judgement) => return judgement,
        };
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let program = self.subject.loaded.program();
        let flat = RefCell::new(None);
        let check = |backend: &dyn SmtBackend, wall| {
            let flat = &flat;
            self.checker
                .in_session(self.stop, backend, wall, |session| {
                    let checked = check_entering(program, &modules.pool, &certificate, session);
                    checked.map(|modules| *flat.borrow_mut() = Some(modules))
                })
        };
        let by = match self.checker.in_turns(&backends, &check) {
            Ok(backend) => backend.name().to_string(),
            Err(judgement) => return judgement,
        };
        let Some(flat) = flat.into_inner() else {
            return Judgement::Undecided("the contracts have no modules".into());
        };
        let left = loops(&flat).len();
        self.claims.modules = Some((flat, by));
        // Where all loops of the expanded program end, nobody will find one that does not.
        let all_end = self.claims.proved.len() == self.loops.len();
        match left {
            left if all_end || left == 0 => Judgement::Accepted(()),
            left => Judgement::Undecided(format!("the contracts leave {left} loops")),
        }
    }

    fn judge_endless(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<()> {
        let (flat, expansion) = (&self.subject.flat, &self.subject.expansion);
        let mut own = flat.clone();
        let divergence = match read_divergence(&mut own, &claim.words) {
            Ok(divergence) => divergence,
            Err(e) => return Judgement::Rejected(format!("malformed endless execution: {e}")),
        };
        let recurrent = match divergence {
            Divergence::Lasso(lasso) => {
                return match check_lasso(flat, &lasso, expansion) {
                    Ok(repeat) => self.found(Endless::Lasso(lasso, repeat)),
                    Err(e) => Judgement::Rejected(e.to_string()),
                };
            }
            Divergence::Recurrent(r) => Recurrent {
                stem: r.stem,
                set: r.set,
                cases: (r.cases.into_iter())
                    .map(|way| Case {
                        guard: way.guard,
                        steps: way.steps,
                        inputs: way.inputs,
                    })
                    .collect(),
            },
        };
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let pool = own.pool;
        let check = |backend: &dyn SmtBackend, wall| -> Result<(), Rejection> {
            self.checker
                .in_session(self.stop, backend, wall, |session| {
                    check_recurrent(flat, &pool, &recurrent, expansion, session).map(|_| ())
                })
        };
        match self.checker.in_turns(&backends, &check) {
            Ok(backend) => {
                let by = backend.name().to_string();
                self.claims.checked_by = Some(by);
                self.found(Endless::Recurrent(recurrent, pool))
            }
            Err(judgement) => judgement,
        }
    }

    fn found(&mut self, endless: Endless) -> Judgement<()> {
        self.claims.endless = Some(endless);
        Judgement::Accepted(())
    }
}
