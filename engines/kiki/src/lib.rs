//! kIkI: k-induction and k-invariants.
//!
//! After 2LS (Kroening, Malik, Schrammel, Vojnar, Sect. 5) and, with `property_directed`, KIPDR (Beyer, Dangl, Alg. 1).
//! In round k: look for an error in the k-th segment of executions from the entry (base case); see if no
//! execution is longer (forward condition); compute a k-inductive invariant from templates; see if with it,
//! and with what others have proved, no error follows in the k-th segment from anywhere (step). Plain k-induction
//! is the configuration with the domain `havoc` alone.
//!
//! Open first: [`run`], then [`infer`] for invariants, [`trellis_engine_common::affine`] for equations and [`obligation`] for property direction. k counts visits of
//! loop heads as the checker does; see `trellis_engine_common::induction`.
//!
//! Deliberately absent: unrolling (that is `trellis_engine_common`), frames (that is IC3).

pub mod addresses;
pub mod domain;
pub mod facts;
pub mod guards;
pub mod infer;
pub mod obligation;
pub mod plugin;
pub mod related;
pub mod row;
pub mod search;

pub use domain::DomainName;
pub use plugin::Options;

use crate::domain::Domain;
use crate::facts::Facts;
use crate::infer::Template;
use crate::obligation::Context;
use crate::related::Related;
use trellis_engine_common::induction::conjunctions;
use trellis_engine_common::{
    Base, Cfa, Figures, Induction, Outcome, Targets, affine, complete, go_on, trim,
};
use trellis_ivl::{Program, TermPool};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Lemma, LemmaKind, Verdict};
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtSession;

/// Rounds of induction in which late rows are tried.
const LATE: u32 = 2;

/// The largest k for which template values are computed.
const MAX_TEMPLATE: usize = 16;

struct Run<'a> {
    cfa: Cfa,
    session: &'a mut dyn SmtSession,
    host: &'a mut dyn Host,
    options: &'a Options,
    base: Base,
    step: Induction,
    template: Template,
    /// Domains whose rows come in later, and how many there were.
    late: Vec<Box<dyn Domain>>,
    late_rows: usize,
    related: Related,
    /// Whether equations are still to be found.
    equations: bool,
    /// Rounds of induction so far.
    inductions: u32,
    facts: Facts,
    published: usize,
    /// The depth of the base case from which obligations are tried again.
    next_directed: usize,
}

/// Decides the flat `program` as far as `options` allow; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    let named = options.domains.iter().copied();
    let domains: Vec<Box<dyn Domain>> = named.map(DomainName::domain).collect();
    let mut cfa = Cfa::new(program, session, host)?;
    let related = Related::new(&cfa, options.all_pairs, host)?;
    let equations = domains.iter().any(|d| d.wants_equations());
    let (late, domains): (Vec<_>, Vec<_>) = domains.into_iter().partition(|d| d.is_late());
    let template = Template::new(
        &mut cfa,
        &related,
        &domains,
        options.max_rows as usize,
        host,
    )?;
    let mut run = Run {
        base: Base::new(&mut cfa),
        step: Induction::new(&mut cfa),
        cfa,
        session,
        host,
        options,
        template,
        late_rows: 0,
        late,
        related,
        equations,
        inductions: 0,
        facts: Facts::default(),
        published: 0,
        next_directed: 1,
    };
    let result = run.rounds();
    let mut stats = Figures::from([
        ("k", run.base.unrolling.segments() as u64),
        ("template rows", run.template.rows() as u64),
        ("template rows omitted", run.template.omitted as u64),
        ("late template rows", run.late_rows as u64),
        ("facts", run.facts.count() as u64),
    ]);
    run.base.unrolling.stats().report(&mut stats);
    run.step.unrolling.stats().report(&mut stats);
    Outcome::new(result, run.base.incomplete.as_deref(), run.cfa, stats)
}

impl Run<'_> {
    fn rounds(&mut self) -> Result<Verdict, EngineError> {
        // Steps get rarer with k, so that they never cost much more than the base case.
        let mut next_step = 1;
        loop {
            let k = self.base.unrolling.segments() + 1;
            if self.options.max_k.is_some_and(|max| k > max as usize) {
                return Ok(self.unknown(format!("no proof with k up to {}", k - 1)));
            }
            go_on(self.host)?;
            self.host.progress("k =", k as u64);
            if let Some(trace) = self.base.deepen(&mut self.cfa, self.session, self.host)? {
                return Ok(Verdict::Unsafe(trace));
            }
            if self.base.find_complete(&mut self.cfa, self.session)? {
                return self.complete();
            }
            if k < next_step {
                continue;
            }
            next_step = k + 1 + k / 8;
            let verdict = self.induct(k.min(self.options.max_step as usize))?;
            self.session.set_limits(Limits::NONE);
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
        }
    }

    fn unknown(&self, why: String) -> Verdict {
        Verdict::Unknown(match &self.base.incomplete {
            Some(reason) => format!("incomplete: {reason}"),
            None => why,
        })
    }

    /// The verdict on a program whose executions all end.
    fn complete(&mut self) -> Result<Verdict, EngineError> {
        if self.base.incomplete.is_some() {
            return Ok(self.unknown(String::new()));
        }
        // In fresh symbols: those of the step are under the facts, which this certificate lacks.
        let mut fresh = Induction::new(&mut self.cfa);
        let base = &self.base.unrolling;
        complete::verdict(&mut self.cfa, self.session, self.host, base, &mut fresh)
    }

    /// One round of induction.
    fn induct(&mut self, k: usize) -> Result<Option<Verdict>, EngineError> {
        self.step
            .extend_to(&mut self.cfa, self.session, self.host, k)?;
        for Lemma { loc, term, kind } in self.host.new_lemmas(&mut self.cfa.program.pool) {
            let usable = kind == LemmaKind::Proved && self.cfa.is_head(loc);
            if usable && self.cfa.can_say(loc, term) {
                self.facts.add(&self.cfa, loc, term);
            }
        }
        self.facts
            .assert(&mut self.cfa, self.session, &mut self.step, k)?;
        if self.equations {
            self.find_equations()?;
        }
        // Values get better with k only by what k adds; beyond small k that is rare.
        if k.is_power_of_two() && k <= MAX_TEMPLATE {
            let limits = self.effort(self.options.template_conflicts);
            self.session.set_limits(Limits::conflicts(limits));
            self.template
                .infer(&mut self.cfa, self.session, &self.base, &self.step, k)?;
            self.facts.add_values(&mut self.cfa, &self.template);
        }
        let attempts = self.effort(u64::from(self.options.max_obligations)) as u32;
        let depth = self.base.unrolling.segments();
        let directed = self.options.property_directed && depth >= self.next_directed;
        let mut safe = false;
        if !self.late.is_empty() && self.inductions < LATE {
            safe = self.context(k).is_safe()?;
            if !safe {
                self.find_late(k)?;
            }
        }
        let mut context = self.context(k);
        safe = safe || context.is_safe()?;
        if !safe && directed {
            safe = context.strengthen(attempts)?;
            // An obligation looks at the whole base case: attempts that double keep that linear.
            self.next_directed = if depth < 4 { depth + 1 } else { 2 * depth };
        }
        self.inductions += 1;
        self.publish();
        if !safe {
            return Ok(None);
        }
        if self.base.incomplete.is_some() {
            return Ok(Some(self.unknown(String::new())));
        }
        Ok(Some(Verdict::Safe(self.proof(k)?)))
    }

    /// What a step is about, with the effort of this round.
    fn context(&mut self, k: usize) -> Context<'_> {
        let limits = self.effort(self.options.step_conflicts);
        self.session.set_limits(Limits::conflicts(limits));
        let targets = match self.base.incomplete {
            // No proof is left to be had but that the only way out is the incomplete location.
            Some(_) => Targets::Errors,
            None => Targets::All,
        };
        Context {
            cfa: &mut self.cfa,
            session: self.session,
            base: &self.base,
            step: &mut self.step,
            template: &self.template,
            facts: &mut self.facts,
            k,
            targets,
            has_model: false,
        }
    }

    /// Values of the rows that come in when a step has failed, domain by domain.
    fn find_late(&mut self, k: usize) -> Result<(), EngineError> {
        let rows = self.options.max_rows as usize;
        self.late_rows = 0;
        for domain in &self.late {
            let domain = std::slice::from_ref(domain);
            let mut template =
                Template::new(&mut self.cfa, &self.related, domain, rows, self.host)?;
            if template.rows() == 0 {
                continue;
            }
            self.late_rows += template.rows();
            // Bounds are searched for, with many queries; whether facts hold is asked a few times.
            let limits = match template.has_bounds() {
                true => self.effort(self.options.template_conflicts),
                false => self.options.step_conflicts,
            };
            self.session.set_limits(Limits::conflicts(limits));
            template.infer(&mut self.cfa, self.session, &self.base, &self.step, k)?;
            self.facts.add_values(&mut self.cfa, &template);
            self.facts
                .assert(&mut self.cfa, self.session, &mut self.step, k)?;
        }
        Ok(())
    }

    /// Linear equations, as facts.
    fn find_equations(&mut self) -> Result<(), EngineError> {
        let limits = self.effort(self.options.template_conflicts);
        self.session.set_limits(Limits::conflicts(limits));
        let base = &self.base.unrolling;
        let found = affine::infer(&mut self.cfa, self.session, base, &self.step, &[], false)?;
        let Some(found) = found else {
            return Ok(());
        };
        self.equations = false;
        for (head, fact) in found {
            self.facts.add(&self.cfa, head, fact);
        }
        let k = self.step.unrolling.segments();
        self.facts
            .assert(&mut self.cfa, self.session, &mut self.step, k)
    }

    /// How much of a limit is spent in this round of induction: little at first, so that an error that is not deep
    /// is not kept waiting by a proof that does not exist; all of it in the last round, which nothing waits for.
    fn effort(&self, limit: u64) -> u64 {
        let depth = self.base.unrolling.segments();
        if self.options.max_k.is_some_and(|max| depth >= max as usize) {
            return limit;
        }
        limit.div_ceil(16 >> (2 * self.inductions.min(2)))
    }

    /// Offers facts that are new.
    fn publish(&mut self) {
        let new: Vec<Lemma> = self
            .facts
            .iter()
            .skip(self.published)
            .map(|(loc, fact)| Lemma::candidate(loc, fact))
            .collect();
        self.published = self.facts.count();
        if !new.is_empty() {
            let pool: &TermPool = &self.cfa.program.pool;
            self.host.publish(pool, &new);
        }
    }

    /// The facts that the proof needs as a certificate, with k = 1 where that suffices.
    fn proof(&mut self, k: usize) -> Result<Certificate, EngineError> {
        let facts = self.facts.by_head();
        self.session.set_kind("certificate");
        // In fresh symbols: the session knows the facts at every visit of the step.
        let least = if k > 1 { vec![1, k] } else { vec![1] };
        for k in least {
            if let Some(proof) = trim::proof(&mut self.cfa, self.session, self.host, &facts, k)? {
                return Ok(proof);
            }
        }
        let invariants = conjunctions(&mut self.cfa, &facts);
        Ok(Certificate::inductive(k as u32, invariants))
    }
}
