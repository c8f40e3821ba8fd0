//! The checker: obligations of a safety certificate, and replay of a trace.
//!
//! # What is checked
//! Let C be the annotated locations (and the entry), I the invariants, and a *segment* the part of
//! an execution from one location of C to the next, with everything it passes on the way; see
//! [`region`](crate::region) for loops without annotation and for lemmas at their heads. The
//! certificate is valid when
//!
//! - **base**: on every execution from the entry with at most k segments, no error or incomplete
//!   location is reached, I holds at every location of C it visits, and lemmas hold where it passes them;
//! - **step**: on every sequence of k segments in which I holds at the first k locations of C and lemmas
//!   hold where they were passed before, no error or incomplete location is reached in the last segment,
//!   lemmas hold where it passes them, and I holds at its end.
//!
//! The step does not assume that earlier segments could not have reached an error: where going on does not
//! already imply the property (an assertion's passing branch does), it belongs into I.
//!
//! By induction over the number of visits of C and of heads with a lemma, I then holds at every visit
//! of C, lemmas at theirs, and no execution reaches an error. With k = 1 this is ordinary inductiveness.
//!
//! Invariants may be about all values of variables that are none of the program's: see [`universal`](crate::universal).
//!
//! Where no execution has k segments, the base alone shows the same ([`check_exhausted`]).
//!
//! Equations of an invariant that follow by arithmetic modulo powers of two, and obligations with products that do, are shown by
//! [polynomials](trellis_ivl_ring), and no solver is asked about them.

use crate::certificate::SafetyCertificate;
use crate::region::{Arrival, Cut, Env, instantiate, open_edges};
use crate::universal::{Universal, declare};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::graph::DepthFirst;
use trellis_ivl::walk::Importer;
use trellis_ivl::{
    Loc, LocKind, Op, Program, ReplayError, Scope, Span, Term, TermPool, Trace, Type, Var, flatten,
};
use trellis_ivl_ring::refutes;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, SolverError, UnknownReason};

/// Why a claim is not accepted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Rejection {
    /// The certificate speaks of what the program does not have. (The engine's bug.)
    #[error("malformed certificate: {0}")]
    Malformed(String),
    /// An obligation has a counterexample. (The engine's bug.)
    #[error("not proved: {0}")]
    Refuted(String),
    /// An execution goes on after all visits of a complete unwinding. (The engine's bug, or a pass has changed
    /// how often loops are visited.)
    #[error("not proved: {0}")]
    NotOver(String),
    /// The solver gave up on an obligation. (A limit.)
    #[error("undecided: {obligation}: {reason}")]
    Undecided {
        /// The obligation.
        obligation: String,
        /// The solver's reason.
        reason: UnknownReason,
    },
    /// The trace does not replay. (The engine's or a pass's bug.)
    #[error("the trace does not replay: step {step}: {error}")]
    Replay {
        /// Which step, from 0.
        step: usize,
        /// Why.
        error: ReplayError,
    },
    /// The trace ends elsewhere than at an error location.
    #[error("the trace ends at {0}, which is no error location")]
    NoError(Loc),
    /// What is executed by a script does not end in an error. (The engine's bug.)
    #[error("the script does not lead to an error: {0}")]
    Script(String),
    /// The execution by a script takes longer than there is time. (A limit.)
    #[error("undecided: the execution is not over after {0} steps")]
    TooLong(u64),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// A formula that must be unsatisfiable.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it shows, e.g. `step: the invariant of l4 is preserved from l2`.
    pub name: String,
    /// The formula.
    pub formula: Term,
}

/// The obligations of a certificate, with the pool their formulas live in.
pub struct Obligations {
    /// The checker's own copy of the flat program; its pool holds the formulas.
    pub program: Program,
    /// What must be unsatisfiable.
    pub list: Vec<Obligation>,
}

/// The largest k the checker unrolls.
pub const MAX_K: u32 = 10_000;

/// The obligations of `certificate` for `program`.
pub fn obligations(
    program: &Program,
    pool: &TermPool,
    certificate: &SafetyCertificate,
) -> Result<Obligations, Rejection> {
    let mut builder = Builder::new(program, pool, certificate)?;
    builder.base(certificate.k);
    builder.step(certificate.k);
    Ok(builder.finish())
}

/// The locations with a way from the entry; invariants of others say nothing.
fn reachable(flat: &Program) -> EntitySet<Loc> {
    let adjacency = open_edges(flat);
    let mut reached = EntitySet::new();
    for l in DepthFirst::new(flat, &adjacency, flat.entry()).order {
        reached.insert(l);
    }
    reached
}

/// The invariants at loop heads of the flat `program`: what counts of the claims of engines and
/// witnesses, who may annotate other locations too without meaning cutpoints.
pub fn at_heads(program: &Program, invariants: BTreeMap<Loc, Term>) -> BTreeMap<Loc, Term> {
    let heads = Cut::heads(program);
    let mut invariants = invariants;
    invariants.retain(|l, _| heads.contains(l));
    invariants
}

/// The checker's own variables for the ghosts of a certificate.
pub(crate) type OwnGhosts = FxHashMap<Var, Var>;

/// Copies invariants into the checker's pool; every variable must be one of the program, or a ghost.
pub(crate) fn import(
    flat: &mut Program,
    pool: &TermPool,
    invariants: &BTreeMap<Loc, Term>,
    ghosts: &OwnGhosts,
) -> Result<BTreeMap<Loc, Term>, Rejection> {
    for (&l, &t) in invariants {
        if flat.locs.get(l).is_none() {
            return Err(Rejection::Malformed(format!("the program has no {l}")));
        }
        if pool.ty(t) != Type::Bool {
            return Err(Rejection::Malformed(format!(
                "the invariant of {l} is not boolean"
            )));
        }
    }
    let terms: Vec<Term> = invariants.values().copied().collect();
    let copies = import_terms(flat, pool, &terms, ghosts)?;
    Ok(invariants.keys().copied().zip(copies).collect())
}

/// Copies terms into the checker's pool; every variable must be one of the program, or a ghost.
pub(crate) fn import_terms(
    flat: &mut Program,
    pool: &TermPool,
    terms: &[Term],
    ghosts: &OwnGhosts,
) -> Result<Vec<Term>, Rejection> {
    let mut foreign = None;
    let mut importer = Importer::default();
    let mut result = Vec::with_capacity(terms.len());
    for &t in terms {
        let copy = importer.import(&mut flat.pool, pool, t, &mut |own, v| {
            if let Some(&ghost) = ghosts.get(&v) {
                return own.var(ghost);
            }
            let known = own.vars().get(v).map(|d| (d.ty, d.scope));
            match known {
                Some((ty, scope)) if ty == pool.var_ty(v) && scope != Scope::Auxiliary => {
                    own.var(v)
                }
                _ => {
                    foreign = Some(v);
                    // The copy is abandoned below; any variable of the right type will do.
                    let stand_in = own.fresh("foreign", pool.var_ty(v));
                    own.var(stand_in)
                }
            }
        });
        result.push(copy);
    }
    match foreign {
        Some(v) => Err(Rejection::Malformed(format!(
            "{v} is no variable of the program"
        ))),
        None => Ok(result),
    }
}

struct Builder {
    program: Program,
    cut: Cut,
    annotated: BTreeMap<Loc, Term>,
    universal: Universal,
    list: Vec<Obligation>,
}

impl Builder {
    fn new(
        program: &Program,
        pool: &TermPool,
        certificate: &SafetyCertificate,
    ) -> Result<Builder, Rejection> {
        if certificate.k == 0 || certificate.k > MAX_K {
            let k = certificate.k;
            return Err(Rejection::Malformed(format!(
                "k is {k}, not in 1..={MAX_K}"
            )));
        }
        let mut flat = program.clone();
        if !flat.is_flat() {
            flatten(&mut flat, &certificate.expansion);
        }
        let ghosts = declare(&mut flat, pool, &certificate.ghosts)?;
        let invariants = import(&mut flat, pool, &certificate.invariants, &ghosts)?;
        let reached = reachable(&flat);
        let annotated: BTreeMap<Loc, Term> = invariants
            .into_iter()
            .filter(|&(l, _)| reached.contains(l) && flat.locs[l].kind == LocKind::Plain)
            .collect();
        let cutpoints: BTreeSet<Loc> = annotated.keys().copied().collect();
        let lemmas = import(&mut flat, pool, &certificate.lemmas, &ghosts)?;
        let hints = import_terms(&mut flat, pool, &certificate.ghosts.hints, &ghosts)?;
        let cut = Cut::new(&flat, &cutpoints, lemmas);
        let in_order = certificate.ghosts.vars.iter().map(|v| ghosts[v]).collect();
        Ok(Builder {
            program: flat,
            cut,
            annotated,
            universal: Universal::new(in_order, hints),
            list: Vec::new(),
        })
    }

    fn finish(self) -> Obligations {
        Obligations {
            program: self.program,
            list: self.list,
        }
    }

    fn start(&mut self, loc: Loc, assumed: Term) -> Arrival {
        Arrival {
            loc,
            reached: assumed,
            env: Env::new(),
        }
    }

    /// Executions from the entry with at most k segments; where those with k end.
    fn base(&mut self, k: u32) -> Vec<Arrival> {
        let entry = self.program.entry();
        let tru = self.program.pool.tru();
        let start = self.start(entry, tru);
        if let Some(&inv) = self.annotated.get(&entry) {
            let formula = self.program.pool.plain(Op::Not, &[inv]);
            self.require(
                format!("base: the invariant of {entry} holds initially"),
                formula,
            );
        }
        let mut front = vec![start];
        for segment in 1..=k {
            let mut next = Vec::new();
            for from in front {
                next.extend(self.segment(&format!("base {segment}"), &from, true));
            }
            front = next;
        }
        front
    }

    /// Sequences of k segments from each annotated location.
    fn step(&mut self, k: u32) {
        let starts: Vec<(Loc, Term)> = self.annotated.iter().map(|(&l, &t)| (l, t)).collect();
        for (start, inv) in starts {
            let assumed = self.assume(&Env::new(), inv);
            let mut front = vec![self.start(start, assumed)];
            for segment in 1..=k {
                let last = segment == k;
                let mut next = Vec::new();
                for from in front {
                    next.extend(self.segment(&format!("step from {start}"), &from, last));
                }
                front = next;
            }
        }
    }

    /// One segment from `from`: requires (where `check`) that it is free of errors and ends in
    /// invariants, and returns its ends with their invariants assumed, one per location.
    fn segment(&mut self, name: &str, from: &Arrival, check: bool) -> Vec<Arrival> {
        let ends = self.cut.follow(&mut self.program, from);
        let mut joined: BTreeMap<Loc, Vec<Arrival>> = BTreeMap::new();
        for mut end in ends {
            if self.program.locs[end.loc].kind != LocKind::Plain {
                if check {
                    let what = describe(&self.program, end.loc);
                    self.require(
                        format!("{name}: {what} is not reached from {}", from.loc),
                        end.reached,
                    );
                }
                continue;
            }
            let cuts = self.annotated.get(&end.loc).copied();
            let Some(inv) = cuts.or_else(|| self.cut.lemma(end.loc)) else {
                continue;
            };
            let here = instantiate(&mut self.program, &end.env, inv);
            if check {
                let left = self.without_identities(&end, inv, here);
                let broken = self.program.pool.plain(Op::Not, &[left]);
                let formula = self.program.pool.plain(Op::And, &[end.reached, broken]);
                let (a, b) = (from.loc, end.loc);
                let what = if cuts.is_some() { "invariant" } else { "lemma" };
                self.require(
                    format!("{name}: the {what} of {b} holds after {a}"),
                    formula,
                );
            }
            if cuts.is_none() {
                continue;
            }
            let known = match self.universal.is_empty() {
                true => here,
                false => self.assume(&end.env, inv),
            };
            end.reached = self.program.pool.plain(Op::And, &[end.reached, known]);
            joined.entry(end.loc).or_default().push(end);
        }
        let program = &mut self.program;
        joined
            .into_iter()
            .map(|(loc, paths)| crate::region::merge(program, loc, &paths))
            .collect()
    }

    /// What is left to show of an invariant at the end of a segment, where it is `here`: without what follows by arithmetic alone.
    fn without_identities(&mut self, end: &Arrival, inv: Term, here: Term) -> Term {
        let pool = &self.program.pool;
        let parts: Vec<Term> = pool.conjuncts(inv).collect();
        // What an invariant says tells whether it is worth asking; at the end of a long segment everything is large.
        let worth: Vec<bool> = parts.iter().map(|&p| is_arithmetic(pool, p)).collect();
        if !self.universal.is_empty() || !worth.contains(&true) {
            return here;
        }
        let mut left = Vec::with_capacity(parts.len());
        for (part, worth) in parts.into_iter().zip(worth) {
            let part = instantiate(&mut self.program, &end.env, part);
            if !(worth && follows(&mut self.program.pool, &[end.reached], part)) {
                left.push(part);
            }
        }
        self.program.pool.plain_all(Op::And, left)
    }

    fn assume(&mut self, env: &Env, inv: Term) -> Term {
        self.universal.assume(&mut self.program, env, inv)
    }

    fn require(&mut self, name: String, formula: Term) {
        let formula = self.universal.close(&mut self.program, formula);
        let pool = &self.program.pool;
        let is_shown = pool.as_bool(formula) == Some(false)
            || has_product(pool, formula) && refutes(pool, &[formula]);
        if !is_shown {
            self.list.push(Obligation { name, formula });
        }
    }
}

/// Whether it is worth asking if arithmetic alone shows a formula: solvers of bits are fast where two variables are equal, and slow
/// where three are related by an equation or variables are multiplied.
pub(crate) fn is_arithmetic(pool: &TermPool, t: Term) -> bool {
    let is_equation = pool.op(t) == Op::Eq && matches!(pool.ty(pool.arg(t, 0)), Type::Bv(_));
    let is_square = |u: Term| pool.op(u) == Op::BvMul && pool.args(u).all(|a| !pool.is_const(a));
    let relates_many = pool.free_vars([t]).len() >= 3;
    relates_many && (is_equation || has_product(pool, t))
        || pool.post_order([t]).into_iter().any(is_square)
}

/// Whether arithmetic alone shows that `claim` follows.
pub(crate) fn follows(pool: &mut TermPool, assumed: &[Term], claim: Term) -> bool {
    let broken = pool.plain(Op::Not, &[claim]);
    let formulas: Vec<Term> = assumed.iter().copied().chain([broken]).collect();
    refutes(pool, &formulas)
}

/// Whether anything is multiplied, which is what makes equations hard for solvers of bits.
fn has_product(pool: &TermPool, t: Term) -> bool {
    let terms = pool.post_order([t]);
    terms.iter().any(|&u| pool.op(u) == Op::BvMul)
}

/// A location in words, with its place in the source.
pub(crate) fn describe(program: &Program, loc: Loc) -> String {
    let data = &program.locs[loc];
    let what = match &data.kind {
        LocKind::Plain => format!("{loc}"),
        LocKind::Error(p) => format!("{loc} (error {p})"),
        LocKind::Incomplete(r) => format!("{loc} (incomplete: {r})"),
    };
    match data.span {
        Span::NONE => what,
        span => match span.file().and_then(|f| program.files.get(f)) {
            Some(file) => format!("{what} at {file}:{}:{}", span.line, span.column),
            None => what,
        },
    }
}

/// Accepts a safety certificate, or says what is wrong with it.
pub fn check_safe(
    program: &Program,
    pool: &TermPool,
    certificate: &SafetyCertificate,
    session: &mut dyn SmtSession,
) -> Result<(), Rejection> {
    discharge(&obligations(program, pool, certificate)?, session)
}

/// Accepts a certificate if no execution has k segments and all keep the invariants and reach no error:
/// nothing is left for an induction then.
pub fn check_exhausted(
    program: &Program,
    pool: &TermPool,
    certificate: &SafetyCertificate,
    session: &mut dyn SmtSession,
) -> Result<(), Rejection> {
    let mut builder = Builder::new(program, pool, certificate)?;
    for end in builder.base(certificate.k) {
        let name = format!("base: no execution is at {} after all visits", end.loc);
        builder.require(name, end.reached);
    }
    discharge(&builder.finish(), session)
}

pub(crate) fn discharge(
    obligations: &Obligations,
    session: &mut dyn SmtSession,
) -> Result<(), Rejection> {
    session.set_kind("certify");
    for o in &obligations.list {
        match session.check(&obligations.program.pool, &[o.formula])? {
            Answer::Unsat => {}
            Answer::Sat => return Err(Rejection::Refuted(o.name.clone())),
            Answer::Unknown(reason) => {
                return Err(Rejection::Undecided {
                    obligation: o.name.clone(),
                    reason,
                });
            }
        }
    }
    Ok(())
}

/// Accepts a trace to an error location of `program`, and names it.
pub fn check_unsafe(program: &Program, trace: &Trace) -> Result<Loc, Rejection> {
    let mut machine = trellis_ivl::Machine::for_trace(program, trace)
        .map_err(|error| Rejection::Replay { step: 0, error })?;
    for (step, s) in trace.steps.iter().enumerate() {
        machine
            .replay(s)
            .map_err(|error| Rejection::Replay { step, error })?;
    }
    let end = machine.loc();
    match program.locs[end].kind {
        LocKind::Error(_) => Ok(end),
        _ => Err(Rejection::NoError(end)),
    }
}
