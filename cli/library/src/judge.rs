//! Certification: a claim goes back through the passes and is checked on the program that the
//! front end made.

use crate::proofs::Proving;
use crate::solvers::{Solver, Solvers, Theory, certifiers};
use crate::stop::Stop;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{
    Edge, FlattenOptions, Loc, LocKind, Modules, Op, Program, Script, Term, TermPool, Trace,
};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{
    ContractCertificate, Ghosts, LastSteps, Obligations, Rejection, SafetyCertificate, Scripted,
    Unwinding, at_heads, check_contracts, check_safe, check_script, check_unsafe, check_unwinding,
    contract_obligations, obligations, unwinding_obligations,
};
use trellis_ivl_passes::BackChain;
use trellis_plugin_host::{Backends, EngineSpec, Judge, Judgement};
use trellis_plugin_sdk::export::RawVerdict;
use trellis_plugin_sdk::solver::smt::{SmtBackend, SmtSession};
use trellis_plugin_sdk::solver::{Limits, SessionConfig, UnknownReason};
use trellis_plugin_sdk::wire::{contracts, verdict};
use trellis_solver_smtlib::print;

/// The number of a safe verdict on the wire.
const SAFE: u32 = 1;
/// The number of a complete unwinding on the wire.
const UNWOUND: u32 = 4;
/// The number of proofs of loops on the wire.
pub(crate) const TERMINATES: u32 = 10;
/// The number of an endless execution on the wire.
pub(crate) const DIVERGES: u32 = 11;
/// The number of contracts on the wire.
pub(crate) const CONTRACTS: u32 = 8;
/// The number of an error by a script on the wire.
const SCRIPTED: u32 = 9;

/// What the passes make of the program is what invariants are about.
const NO_INVARIANTS: &str = "an engine with `original = true` claims errors and contracts only";

/// How many times as many visits as claimed are tried: a location that the passes have made one may be several.
const MULTIPLES: [u32; 4] = [1, 2, 4, 8];

/// Wall time per query of an installed program before the embedded solvers are asked.
const TRY: Duration = Duration::from_millis(100);

/// Wall time per query while backends take turns: one that is stuck must not keep the next from a proof that is easy for
/// it. The last round has all the time there is.
const TURNS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// All queries of a turn together may take so many times what one may: where an independent program answers hundreds of
/// queries, none of them stuck but all slow, the embedded solver is often done in the time of the first few.
const QUERIES_OF_A_TURN: u32 = 5;

/// Checks a claim with a backend, within so much time per query.
type Attempt<'a> = dyn Fn(&dyn SmtBackend, Option<Duration>) -> Result<(), Rejection> + 'a;

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
                let backend = Solvers.smt(name, None);
                Ok(vec![backend.map_err(|e| e.to_string())?])
            }
            None => Ok(certifiers(engine_solver)),
        }
    }

    /// The backend that has accepted the certificate, or what became of it otherwise.
    pub(crate) fn in_turns<'b, A>(
        &self,
        backends: &'b [Box<dyn SmtBackend>],
        check: &Attempt<'_>,
    ) -> Result<&'b dyn SmtBackend, Judgement<A>> {
        let whole = self.wall;
        let turns = TURNS
            .into_iter()
            .filter(|&turn| whole.is_none_or(|w| turn < w));
        let mut turns: Vec<Option<Duration>> = turns.map(Some).chain([whole]).collect();
        let mut open: Vec<&dyn SmtBackend> = backends.iter().map(|b| &**b).collect();
        let first = open.first().map(|b| Solver::named(Theory::Smt, b.name()));
        let is_embedded = first.flatten().is_some_and(Solver::is_embedded);
        // Who is asked in the next turn; the others wait.
        let mut asked = open.len();
        if asked > 1 && whole.is_none_or(|w| TRY < w) && !is_embedded {
            turns.insert(0, Some(TRY));
            asked = 1;
        }
        let mut undecided = BTreeMap::new();
        for wall in turns {
            // Alone, it has all the time at once.
            let wall = if open.len() > 1 { wall } else { whole };
            let waiting = open.split_off(asked.min(open.len()));
            let mut still_open = Vec::new();
            for backend in open {
                match check(backend, wall) {
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
            open = waiting;
            open.extend(still_open);
            asked = open.len();
        }
        let why: Vec<String> = undecided.into_values().collect();
        Err(Judgement::Undecided(why.join("; ")))
    }

    /// Does `check` in a session that ends when it is time to stop.
    pub(crate) fn in_session<T>(
        &self,
        stop: &Stop,
        backend: &dyn SmtBackend,
        wall: Option<Duration>,
        check: impl FnOnce(&mut dyn SmtSession) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        let mut session = backend.session(&self.config)?;
        session.set_limits(Limits {
            wall,
            ..Limits::NONE
        });
        let interrupter = session.interrupter();
        let turn = wall.filter(|_| wall != self.wall);
        let turn = turn.map(|wall| stop.within(wall * QUERIES_OF_A_TURN));
        let checked = turn
            .as_ref()
            .unwrap_or(stop)
            .interrupting(interrupter, || check(&mut *session));
        match checked {
            // The turn is over, not the check.
            Err(Rejection::Undecided {
                obligation,
                reason: UnknownReason::Interrupted,
            }) if stop.why().is_none() => Err(Rejection::Undecided {
                obligation,
                reason: UnknownReason::Time,
            }),
            checked => checked,
        }
    }
}

/// A certified answer, on the program as the front end made it.
#[derive(Clone)]
pub enum Answer {
    /// No error and no incomplete location is reachable.
    True {
        /// The invariants as text, by location of the expanded program.
        invariants: BTreeMap<String, String>,
        /// The same as terms of the judge's small program, but for facts about all cells.
        certificate: BTreeMap<Loc, Term>,
        /// Whether the proof has facts about all cells of arrays, which `certificate` leaves out.
        about_cells: bool,
        /// How many steps the induction takes.
        k: u32,
        /// Where the proof is a complete unwinding, without invariants: the most visits of loop heads.
        visits: Option<u32>,
        /// The contracts, where the proof is by them.
        contracts: Option<Box<Contracted>>,
        /// The backend that checked it.
        checked_by: String,
    },
    /// An error is reachable.
    False {
        /// The property.
        property: String,
        /// Its error location.
        loc: Loc,
        /// How: all steps, or the first of a long execution.
        trace: Trace,
        /// How, where the execution is too long to be listed.
        long: Option<Long>,
    },
}

impl Answer {
    /// The way to an error; of a long execution the first steps.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Answer::False { trace, .. } => Some(trace),
            Answer::True { .. } => None,
        }
    }
}

/// A proof by contracts.
#[derive(Clone)]
pub struct Contracted {
    /// The program, with names for old values; its pool has the terms.
    pub modules: Modules,
    /// What procedures require and ensure, and the invariants of their loops.
    pub certificate: ContractCertificate,
}

/// An execution that is too long to be listed.
#[derive(Clone)]
pub struct Long {
    /// What it is given.
    pub script: Script,
    /// How many steps it has.
    pub steps: u64,
    /// The last ones.
    pub end: LastSteps,
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
    /// Edges of the small program on the way to the error that was claimed last; none where it was claimed of the original.
    pub way: BTreeSet<Edge>,
    /// Scripts of the obligations of the last proof that was claimed, where they are kept.
    pub scripts: Vec<String>,
}

impl Judge for Certifier<'_> {
    type Accepted = Answer;

    fn judge(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        match claim.kind {
            SAFE => self.judge_safe(engine, claim),
            UNWOUND => self.judge_unwound(engine, claim),
            TERMINATES | DIVERGES => Judgement::Rejected("nobody asked about termination".into()),
            CONTRACTS => self.judge_contracts(engine, claim),
            SCRIPTED => self.judge_scripted(engine, claim),
            _ => self.judge_unsafe(engine, claim),
        }
    }
}

impl Certifier<'_> {
    fn judge_safe(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        if engine.image.is_some() {
            return Judgement::Undecided(NO_INVARIANTS.into());
        }
        let claimed = match verdict::read_certificate(&mut self.small, &claim.words) {
            Ok(claimed) => claimed,
            Err(e) => return Judgement::Rejected(format!("malformed certificate: {e}")),
        };
        let claimed_heads = at_heads(&self.small, claimed.invariants);
        let hints = self.hints(&claimed_heads, &claimed.hints);
        let proof = self.back.proof(&mut self.small, claimed_heads);
        let certificate = SafetyCertificate {
            invariants: proof.invariants,
            lemmas: proof.lemmas,
            k: claimed.k.unwrap_or(1),
            expansion: self.expansion,
            ghosts: Ghosts {
                vars: claimed.ghosts,
                hints,
            },
        };
        if self.keep_obligations {
            let all = obligations(self.original, &self.small.pool, &certificate);
            self.scripts = scripts(&engine.name, all);
        }
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let check = |backend: &dyn SmtBackend, wall| self.check(backend, &certificate, wall);
        match self.checker.in_turns(&backends, &check) {
            Ok(backend) => {
                let invariants = texts(&self.small.pool, &certificate);
                Judgement::Accepted(Answer::True {
                    invariants,
                    certificate: without_ghosts(&mut self.small.pool, &certificate),
                    about_cells: !certificate.ghosts.vars.is_empty(),
                    k: certificate.k,
                    visits: None,
                    contracts: None,
                    checked_by: backend.name().to_string(),
                })
            }
            Err(judgement) => judgement,
        }
    }

    /// Hints on the program before the passes: each goes the way of an invariant that a variable equals it.
    fn hints(&mut self, heads: &BTreeMap<Loc, Term>, claimed: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for &hint in claimed {
            let pool = &mut self.small.pool;
            let stand_in = pool.fresh("hint", pool.ty(hint));
            let stand_in = pool.var(stand_in);
            let says = pool.eq(stand_in, hint);
            let everywhere = heads.keys().map(|&l| (l, says)).collect();
            let back = self.back.proof(&mut self.small, everywhere);
            let pool = &self.small.pool;
            let conjuncts = back.invariants.values().flat_map(|&t| pool.conjuncts(t));
            let equations = conjuncts.filter(|&t| pool.op(t) == Op::Eq);
            for t in equations {
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let hint = if a == stand_in { b } else { a };
                if (a == stand_in || b == stand_in) && !found.contains(&hint) {
                    found.push(hint);
                }
            }
        }
        found
    }

    /// Contracts speak of the procedures of the program before all passes, so they need no way back.
    fn judge_contracts(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        if engine.image.is_none() {
            let why = "contracts are about the program before the passes; give the engine that (`original = true`)";
            return Judgement::Undecided(why.into());
        }
        let mut modules = Modules::new(self.original);
        let certificate = match claimed_contracts(&mut modules.program, claim) {
            Ok(certificate) => certificate,
            Err(judgement) => return judgement,
        };
        if self.keep_obligations {
            let all = contract_obligations(self.original, &modules.program.pool, &certificate);
            self.scripts = scripts(&engine.name, all);
        }
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let check = |backend: &dyn SmtBackend, wall| {
            let pool = &modules.program.pool;
            self.checker
                .in_session(self.stop, backend, wall, |session| {
                    check_contracts(self.original, pool, &certificate, session)
                })
        };
        match self.checker.in_turns(&backends, &check) {
            Ok(backend) => Judgement::Accepted(Answer::True {
                invariants: loop_texts(&modules.program.pool, &certificate),
                certificate: BTreeMap::new(),
                about_cells: false,
                k: certificate.k,
                visits: None,
                contracts: Some(Box::new(Contracted {
                    modules,
                    certificate,
                })),
                checked_by: backend.name().to_string(),
            }),
            Err(judgement) => judgement,
        }
    }

    fn judge_unwound(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        if engine.image.is_some() {
            return Judgement::Undecided(NO_INVARIANTS.into());
        }
        let visits = match verdict::read_unwinding(&claim.words) {
            Ok(visits) => visits,
            Err(e) => return Judgement::Rejected(format!("malformed unwinding: {e}")),
        };
        let heads = Cut::heads(&self.small);
        let (heads, lemmas) = self.back.unwinding(&mut self.small, heads);
        let mut certificate = Unwinding {
            heads,
            lemmas,
            visits,
            expansion: self.expansion,
        };
        let backends = match self.checker.backends(&engine.smt.name) {
            Ok(backends) => backends,
            Err(e) => return Judgement::Undecided(e),
        };
        let accepted = Cell::new(visits);
        let check = |backend: &dyn SmtBackend, wall| {
            accepted.set(self.unwind(backend, &certificate, wall)?);
            Ok(())
        };
        let judged = match self.checker.in_turns(&backends, &check) {
            Ok(backend) => Judgement::Accepted(Answer::True {
                invariants: BTreeMap::new(),
                certificate: BTreeMap::new(),
                about_cells: false,
                k: 1,
                visits: Some(accepted.get()),
                contracts: None,
                checked_by: backend.name().to_string(),
            }),
            Err(judgement) => judgement,
        };
        if self.keep_obligations {
            certificate.visits = accepted.get();
            let pool = &self.small.pool;
            let all = unwinding_obligations(self.original, pool, &certificate, &self.stopped());
            self.scripts = scripts(&engine.name, all);
        }
        judged
    }

    /// The number of visits that has been accepted, which may be a few times what was claimed.
    fn unwind(
        &self,
        backend: &dyn SmtBackend,
        claimed: &Unwinding,
        wall: Option<Duration>,
    ) -> Result<u32, Rejection> {
        let mut certificate = claimed.clone();
        let mut refused = None;
        for multiple in MULTIPLES {
            certificate.visits = claimed.visits.saturating_mul(multiple);
            let checked = self
                .checker
                .in_session(self.stop, backend, wall, |session| {
                    let pool = &self.small.pool;
                    check_unwinding(self.original, pool, &certificate, session, &self.stopped())
                });
            match checked {
                Ok(()) => return Ok(certificate.visits),
                // What is told is how the claim itself fails.
                Err(e @ Rejection::NotOver(_)) => _ = refused.get_or_insert(e),
                Err(e) => return Err(refused.unwrap_or(e)),
            }
        }
        Err(refused.unwrap_or_else(|| Rejection::NotOver("no number of visits was tried".into())))
    }

    fn stopped(&self) -> impl Fn() -> bool {
        || self.stop.why().is_some()
    }

    fn check(
        &self,
        backend: &dyn SmtBackend,
        certificate: &SafetyCertificate,
        wall: Option<Duration>,
    ) -> Result<(), Rejection> {
        self.checker
            .in_session(self.stop, backend, wall, |session| {
                check_safe(self.original, &self.small.pool, certificate, session)
            })
    }

    fn judge_unsafe(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        self.way.clear();
        match verdict::read_trace(&claim.words) {
            Ok(trace) if engine.image.is_some() => self.judge_trace(trace),
            Ok(trace) => self.judge_small_trace(trace),
            Err(e) => Judgement::Rejected(format!("malformed trace: {e}")),
        }
    }

    /// Judges a trace of the program that the passes have made.
    fn judge_small_trace(&mut self, trace: Trace) -> Judgement<Answer> {
        self.way = trace.steps.iter().map(|step| step.edge).collect();
        match self.back.trace(&mut self.small, trace) {
            Ok(trace) => self.judge_trace(trace),
            Err(e) => Judgement::Rejected(e.to_string()),
        }
    }

    fn judge_trace(&self, trace: Trace) -> Judgement<Answer> {
        match check_unsafe(self.original, &trace) {
            Ok(loc) => self.reached(loc, trace, None),
            Err(e) => Judgement::Rejected(e.to_string()),
        }
    }

    fn reached(&self, loc: Loc, trace: Trace, long: Option<Long>) -> Judgement<Answer> {
        let LocKind::Error(property) = &self.original.locs[loc].kind else {
            return Judgement::Rejected("the trace ends at no error location".into());
        };
        Judgement::Accepted(Answer::False {
            property: property.to_string(),
            loc,
            trace,
            long,
        })
    }

    fn judge_scripted(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Answer> {
        self.way.clear();
        let script = match verdict::read_script(&claim.words) {
            Ok(script) => script,
            Err(e) => return Judgement::Rejected(format!("malformed script: {e}")),
        };
        let program = match engine.image.is_some() {
            true => self.original,
            false => &self.small,
        };
        let scripted = match check_script(program, &script, &self.stopped()) {
            Ok(scripted) => scripted,
            Err(e @ Rejection::TooLong(_)) => return Judgement::Undecided(e.to_string()),
            Err(e) => return Judgement::Rejected(e.to_string()),
        };
        let Scripted {
            loc, steps, trace, ..
        } = scripted;
        match (engine.image.is_some(), scripted.end) {
            (true, None) => self.judge_trace(trace),
            (true, Some(end)) => self.reached(loc, trace, Some(Long { script, steps, end })),
            (false, None) => self.judge_small_trace(trace),
            (false, Some(_)) => Judgement::Undecided(format!(
                "an execution of {steps} steps does not find its way back through the passes; give the engine the \
                 program before them (`original = true`)"
            )),
        }
    }
}

/// The contracts that an engine claims, with terms in the pool of `program`, which has old values.
pub(crate) fn claimed_contracts<T>(
    program: &mut Program,
    claim: &RawVerdict,
) -> Result<ContractCertificate, Judgement<T>> {
    match contracts::read_contracts(program, &claim.words) {
        Ok(proof) => Ok(ContractCertificate {
            contracts: proof.contracts,
            invariants: proof.invariants,
            k: 1,
        }),
        Err(e) => Err(Judgement::Rejected(format!("malformed contracts: {e}"))),
    }
}

/// Invariants for people, by location.
fn texts(pool: &TermPool, certificate: &SafetyCertificate) -> BTreeMap<String, String> {
    let mut printer = TermPrinter::new(pool);
    let text = |(l, &t): (&Loc, &Term)| {
        let vars = pool.free_vars([t]);
        let ghosts = certificate.ghosts.vars.iter().filter(|g| vars.contains(g));
        let ghosts: Vec<String> = ghosts
            .map(|&g| format!("{}: {}", pool.var_data(g).name, pool.var_ty(g)))
            .collect();
        let text = printer.print(t);
        let text = match ghosts.is_empty() {
            true => text,
            false => format!("forall {}. {text}", ghosts.join(", ")),
        };
        (format!("{l}"), text)
    };
    certificate.invariants.iter().map(text).collect()
}

/// What the invariants say without facts about all cells, which witnesses and circuits have no words for.
fn without_ghosts(pool: &mut TermPool, certificate: &SafetyCertificate) -> BTreeMap<Loc, Term> {
    let ghosts = &certificate.ghosts.vars;
    if ghosts.is_empty() {
        return certificate.invariants.clone();
    }
    let mut plain = BTreeMap::new();
    for (&l, &t) in &certificate.invariants {
        let mut conjuncts: Vec<Term> = pool.conjuncts(t).collect();
        conjuncts.retain(|&c| !pool.free_vars([c]).iter().any(|v| ghosts.contains(v)));
        plain.insert(l, pool.and_all(conjuncts));
    }
    plain
}

/// The invariants of loops beside contracts, by location.
fn loop_texts(pool: &TermPool, certificate: &ContractCertificate) -> BTreeMap<String, String> {
    let mut printer = TermPrinter::new(pool);
    let invariants = certificate.invariants.iter();
    invariants
        .map(|(l, &t)| (l.to_string(), printer.print(t)))
        .collect()
}

/// What has to be shown for a proof, each a script whose answer must be unsat.
fn scripts(engine: &str, all: Result<Obligations, Rejection>) -> Vec<String> {
    let Ok(all) = all else {
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
