//! Certification: a claim goes back through the passes and is checked on the program that the
//! front end made.

use crate::proofs::Proving;
use crate::solvers::certifiers;
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{FlattenOptions, Loc, LocKind, Program, Term, Trace};
use trellis_ivl_certify::{
    Rejection, SafetyCertificate, at_heads, check_safe, check_unsafe, obligations,
};
use trellis_ivl_passes::BackChain;
use trellis_plugin_host::{Backends, EngineSpec, Judge, Judgement};
use trellis_plugin_sdk::export::RawVerdict;
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::solver::{Limits, SessionConfig, UnknownReason};
use trellis_plugin_sdk::wire::verdict;
use trellis_solver_smtlib::print;

/// The number of a safe verdict on the wire.
const SAFE: u32 = 1;

/// Wall time per query while backends take turns: one that is stuck must not keep the next from a proof that is easy for
/// it. The last round has all the time there is.
const TURNS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// Which backend checks, and for how long.
#[derive(Clone, Default)]
pub struct Checker {
    /// A backend by name; otherwise an independent one is chosen.
    pub solver: Option<String>,
    /// Obligations are proved to the checker of proofs.
    pub proving: Option<Proving>,
    /// Its options and seed.
    pub config: SessionConfig,
    /// Wall time per query.
    pub wall: Option<Duration>,
}

impl Checker {
    /// Backends to ask in turn, for a claim of an engine that used `engine_solver`.
    pub fn backends(&self, engine_solver: &str) -> Result<Vec<Box<dyn SmtBackend>>, String> {
        if let Some(proving) = &self.proving {
            return Ok(vec![Box::new(proving.clone())]);
        }
        match &self.solver {
            Some(name) => {
                let backend = crate::solvers::Solvers::built_in().smt(name);
                Ok(vec![backend.map_err(|e| e.to_string())?])
            }
            None => Ok(certifiers(engine_solver)),
        }
    }
}

/// A certified answer, on the program as the front end made it.
pub enum Answer {
    /// No error and no incomplete location is reachable.
    True {
        /// The invariants as text, by location of the expanded program.
        invariants: BTreeMap<String, String>,
        /// The same as terms of the judge's small program.
        certificate: BTreeMap<Loc, Term>,
        /// How many steps the induction takes.
        k: u32,
        /// The backend that checked it.
        checked_by: String,
    },
    /// An error is reachable.
    False {
        /// The property.
        property: String,
        /// Its error location.
        loc: Loc,
        /// How.
        trace: Trace,
    },
}

/// The judge of one program.
pub struct Certifier<'a> {
    /// As the front end made it.
    pub original: &'a Program,
    /// As the engines got it.
    pub small: Program,
    /// From the second to the first.
    pub back: BackChain,
    /// How calls were expanded.
    pub expansion: FlattenOptions,
    /// Who checks.
    pub checker: Checker,
    /// When to stop.
    pub stop: &'a Stop,
    /// Whether to keep the obligations of proofs.
    pub keep_obligations: bool,
    /// Scripts of the obligations of the last proof that was claimed, where they are kept.
    pub scripts: Vec<String>,
}

impl Judge for Certifier<'_> {
    type Accepted = Answer;

    fn judge(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        if claim.kind == SAFE {
            self.judge_safe(engine, claim)
        } else {
            self.judge_unsafe(claim)
        }
    }
}

impl Certifier<'_> {
    fn judge_safe(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        let claimed = match verdict::read_certificate(&mut self.small, &claim.words) {
            Ok(claimed) => claimed,
            Err(e) => return Judgement::Rejected(format!("malformed certificate: {e}")),
        };
        let claimed_heads = at_heads(&self.small, claimed.invariants);
        let proof = self.back.proof(&mut self.small, claimed_heads);
        let certificate = SafetyCertificate {
            invariants: proof.invariants,
            lemmas: proof.lemmas,
            k: claimed.k.unwrap_or(1),
            expansion: self.expansion,
        };
        if self.keep_obligations {
            self.scripts = self.obligations(&engine.name, &certificate);
        }
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        match self.check_in_turns(&backends, &certificate) {
            Ok(backend) => {
                let mut printer = TermPrinter::new(&self.small.pool);
                let invariants = certificate.invariants.iter();
                let mut text = |(l, &t): (&_, &_)| (format!("{l}"), printer.print(t));
                Judgement::Accepted(Answer::True {
                    invariants: invariants.map(&mut text).collect(),
                    certificate: certificate.invariants.clone(),
                    k: certificate.k,
                    checked_by: backend.name().to_string(),
                })
            }
            Err(judgement) => judgement,
        }
    }

    /// The backend that has accepted the certificate, or what became of it otherwise.
    fn check_in_turns<'b>(
        &self,
        backends: &'b [Box<dyn SmtBackend>],
        certificate: &SafetyCertificate,
    ) -> Result<&'b dyn SmtBackend, Judgement<Answer>> {
        let mut open: Vec<&dyn SmtBackend> = backends.iter().map(|b| &**b).collect();
        let mut undecided = BTreeMap::new();
        let whole = self.checker.wall;
        let turns = TURNS
            .into_iter()
            .filter(|&turn| whole.is_none_or(|w| turn < w));
        for wall in turns.map(Some).chain([whole]) {
            // Alone, it has all the time at once.
            let wall = if open.len() > 1 { wall } else { whole };
            let mut still_open = Vec::new();
            for backend in open {
                match self.check(backend, certificate, wall) {
                    Ok(()) => return Ok(backend),
                    Err(e @ (Rejection::Undecided { .. } | Rejection::Solver(_))) => {
                        let out_of_time = matches!(
                            e,
                            Rejection::Undecided {
                                reason: UnknownReason::Time,
                                ..
                            }
                        );
                        if out_of_time && wall != whole {
                            still_open.push(backend);
                        }
                        undecided.insert(backend.name(), format!("{}: {e}", backend.name()));
                    }
                    Err(e) => return Err(Judgement::Rejected(e.to_string())),
                }
            }
            open = still_open;
        }
        let why: Vec<String> = undecided.into_values().collect();
        Err(Judgement::Undecided(why.join("; ")))
    }

    fn check(
        &self,
        backend: &dyn SmtBackend,
        certificate: &SafetyCertificate,
        wall: Option<Duration>,
    ) -> Result<(), Rejection> {
        let mut session = backend.session(&self.checker.config)?;
        session.set_limits(Limits {
            wall,
            ..Limits::NONE
        });
        self.stop.interrupting(session.interrupter(), || {
            check_safe(self.original, &self.small.pool, certificate, &mut *session)
        })
    }

    /// What has to be shown for a proof, each a script whose answer must be unsat.
    fn obligations(&self, engine: &str, certificate: &SafetyCertificate) -> Vec<String> {
        let Ok(all) = obligations(self.original, &self.small.pool, certificate) else {
            // A malformed certificate, which the check itself will tell.
            return Vec::new();
        };
        let pool = &all.program.pool;
        let script = |o: &trellis_ivl_certify::Obligation| {
            format!(
                "; claimed by {engine}: {}\n(set-info :status unsat)\n{}",
                o.name.replace('\n', " "),
                print::script(pool, &[o.formula])
            )
        };
        all.list.iter().map(script).collect()
    }

    fn judge_unsafe(&mut self, claim: &RawVerdict) -> Judgement<Answer> {
        let trace = match verdict::read_trace(&claim.words) {
            Ok(trace) => trace,
            Err(e) => return Judgement::Rejected(format!("malformed trace: {e}")),
        };
        let trace = match self.back.trace(&mut self.small, trace) {
            Ok(trace) => trace,
            Err(e) => return Judgement::Rejected(e.to_string()),
        };
        match check_unsafe(self.original, &trace) {
            Ok(loc) => {
                let LocKind::Error(property) = &self.original.locs[loc].kind else {
                    return Judgement::Rejected("the trace ends at no error location".into());
                };
                Judgement::Accepted(Answer::False {
                    property: property.to_string(),
                    loc,
                    trace,
                })
            }
            Err(e) => Judgement::Rejected(e.to_string()),
        }
    }
}
