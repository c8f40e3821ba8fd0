//! The session: assertions on levels, assumptions, the loop of solving and array lemmas, values, cores.
//!
//! Level 0 is asserted for ever. Each further level has an activation literal that guards its clauses, is
//! assumed while the level is open, and is refuted for ever when it is popped. Terms are translated at
//! the next check, so that limits and interrupts hold for the translation too.
//!
//! Popped levels leave dead variables and clauses in the SAT solver, which every later model pays for.
//! When these outnumber the rest (or where it is wanted for every query, as proofs are about one query each), the session
//! goes on with a fresh SAT solver: the gates are still there, and only what is reached by open levels gets clauses
//! again.

use crate::aig::AigLit;
use crate::array_check::{ArrayCheck, ArrayModel};
use crate::arrays::{Access, Equality};
use crate::backoff::Backoff;
use crate::blast::{ArrayAtom, Blaster, Stop};
use crate::cnf::Cnf;
use crate::equations;
use crate::gate_model::{GateModel, Source};
use crate::lift::Lift;
use crate::options::{Options, When};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;
use trellis_ivl::{ArrayValue, Bv, Evaluator, Term, TermPool, Type, Value, Var};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatStats};
use trellis_solver_api::smt::{SmtSession, SmtStats, require_formula, require_levels};
use trellis_solver_api::{
    Answer, Capabilities, Limits, Relay, Result, SessionConfig, SessionState, SmtBooks,
    SolverError, StopClock, UnknownReason, delegate_smt,
};

pub(crate) const NAME: &str = "bitblast";

/// What is asserted on one level.
#[derive(Default)]
struct Level {
    /// Guards the clauses of the level; none on level 0 and on levels without clauses.
    guard: Option<Lit>,
    roots: Vec<Term>,
    /// Roots that have their clauses.
    encoded: usize,
    /// The array accesses below the first `scanned` roots that lower levels do not have.
    scanned: usize,
    scan: Scan,
}

/// The part of a query that involves arrays.
#[derive(Default)]
struct Scan {
    /// Terms visited, to be released when the level is popped.
    terms: Vec<Term>,
    reads: Vec<Access>,
    equalities: Vec<Equality>,
}

/// Popped levels before a fresh SAT solver is considered.
const MIN_RETIRED: u32 = 1000;
/// Growth of the number of variables that calls for a fresh SAT solver.
const MAX_GROWTH: u32 = 3;

/// Conflicts after which a query with products is hard enough for an attempt to lift a model.
const TRIAL_CONFLICTS: u64 = 100;
/// Conflicts after which a query is hard enough to be asked once more with its equations solved, and after which that is
/// given up.
const HARD_CONFLICTS: u64 = 1000;
const SOLVED_CONFLICTS: u64 = 2000;
/// Terms of a query for which looking at its polynomials costs next to nothing.
const CHEAP_RING: usize = 2_000;
/// Gates beyond which a single simulation would delay an interrupt.
const MAX_LIFTED_GATES: usize = 1 << 19;

/// One bit-blasting session on one SAT session at a time.
pub struct BitblastSession {
    sat: Box<dyn SatSession>,
    /// Makes fresh SAT sessions.
    backend: Arc<dyn SatBackend>,
    sat_config: SessionConfig,
    /// Levels popped since the SAT session was made, and its variables after its first query.
    retired: u32,
    first_vars: Option<u32>,
    /// Figures of earlier SAT sessions.
    past: SatStats,
    fresh_starts: u64,
    blaster: Blaster,
    cnf: Cnf,
    levels: Vec<Level>,
    /// By term: whether some level has visited it in its scan for arrays.
    visited: Vec<bool>,
    gates: GateModel,
    lift: Lift,
    arrays: ArrayModel,
    evaluator: Evaluator,
    /// Assumptions of the last check with their literals, in the order given.
    assumed: Vec<(Term, Lit)>,
    /// Assumptions of the last check that were refuted without the SAT solver.
    refuted: Option<Vec<Term>>,
    /// The session with solved equations that has the model of the last check, or was stopped in it.
    solved: Option<Box<BitblastSession>>,
    /// Whether it is worth to solve equations, and how often it was.
    solving: Backoff,
    solved_queries: u64,
    /// The same of refutation by equations of polynomials.
    ring: Backoff,
    ring_queries: u64,
    books: SmtBooks,
    /// Array lemmas, which hold in every query.
    lemmas: Vec<AigLit>,
    options: Options,
    signature: String,
    /// Passes interrupts on to the SAT session.
    relay: Relay,
}

impl BitblastSession {
    /// A session on sessions of `backend`.
    pub(crate) fn new(
        backend: Arc<dyn SatBackend>,
        sat_config: SessionConfig,
        options: Options,
    ) -> Result<BitblastSession> {
        let sat = backend.session(&sat_config)?;
        let (relay, interrupter) = Relay::to(sat.interrupter());
        Ok(BitblastSession {
            backend,
            sat_config,
            retired: 0,
            first_vars: None,
            past: SatStats::default(),
            fresh_starts: 0,
            blaster: Blaster::new(options.max_gates),
            cnf: Cnf::new(options.full),
            levels: vec![Level::default()],
            visited: Vec::new(),
            gates: GateModel::default(),
            lift: Lift::default(),
            arrays: ArrayModel::default(),
            evaluator: Evaluator::new(),
            assumed: Vec::new(),
            refuted: None,
            solved: None,
            solving: Backoff::default(),
            solved_queries: 0,
            ring: Backoff::default(),
            ring_queries: 0,
            books: SmtBooks::new(interrupter),
            lemmas: Vec::new(),
            options,
            signature: format!("{NAME} on {}", sat.signature()),
            relay,
            sat,
        })
    }

    /// Goes on with a fresh SAT solver where the old one is mostly dead.
    fn renew(&mut self) -> Result<()> {
        let vars = self.sat.max_var();
        let first = *self.first_vars.get_or_insert(vars.max(MIN_RETIRED));
        let is_due = match self.options.renew {
            When::Never => false,
            When::Hard => self.retired >= MIN_RETIRED && vars >= MAX_GROWTH * first,
            When::Always => vars > 0,
        };
        if !is_due {
            return Ok(());
        }
        let fresh = self.backend.session(&self.sat_config)?;
        self.relay.turn_to(fresh.interrupter());
        let old = std::mem::replace(&mut self.sat, fresh);
        self.past.add(&old.stats());
        self.fresh_starts += 1;
        self.retired = 0;
        self.first_vars = None;
        self.cnf = Cnf::new(self.options.full);
        for level in &mut self.levels {
            level.guard = None;
            level.encoded = 0;
        }
        for &lemma in &self.lemmas {
            self.cnf
                .assert(&self.blaster.aig, lemma, None, &mut *self.sat);
        }
        Ok(())
    }

    /// Lets the SAT solver run, unless an interrupt came since: ours is set before it is passed on.
    fn clear_sat_interrupt(&self) -> bool {
        self.relay.inner().clear();
        !self.books.interrupter().is_set()
    }

    /// Adds the clauses of everything asserted.
    fn encode(&mut self, pool: &TermPool, clock: &StopClock) -> Result<(), Stop> {
        for depth in 0..self.levels.len() {
            while let Some(&root) = self.levels[depth].roots.get(self.levels[depth].encoded) {
                let lit = self.blaster.literal(pool, root, clock)?;
                let level = &mut self.levels[depth];
                if depth > 0 && level.guard.is_none() {
                    level.guard = Some(self.sat.new_var());
                }
                self.cnf
                    .assert(&self.blaster.aig, lit, level.guard, &mut *self.sat);
                level.encoded += 1;
                self.complete(clock)?;
            }
        }
        Ok(())
    }

    /// Adds the clauses of all gates reached, those of an earlier query that was stopped included.
    fn complete(&mut self, clock: &StopClock) -> Result<(), Stop> {
        let stopped = std::cell::OnceCell::new();
        let go_on = || match clock.stop_reason() {
            Some(reason) => stopped.set(reason).is_err(),
            None => true,
        };
        let is_done = self.cnf.complete(&self.blaster.aig, &mut *self.sat, go_on);
        match stopped.into_inner() {
            Some(reason) if !is_done => Err(Stop::Unknown(reason)),
            _ => Ok(()),
        }
    }

    /// Translates the assumptions; whether none of them is false by itself.
    fn encode_assumptions(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<bool, Stop> {
        // All become gates before the first has clauses, which may be far more than the answer needs.
        let mut lits = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            let lit = self.blaster.literal(pool, t, clock)?;
            if lit == AigLit::FALSE {
                self.refuted = Some(vec![t]);
                return Ok(false);
            }
            lits.push((t, lit));
        }
        for (t, lit) in lits.into_iter().filter(|&(_, lit)| lit != AigLit::TRUE) {
            let lit = self.cnf.literal(&self.blaster.aig, lit, &mut *self.sat);
            self.assumed.push((t, lit));
        }
        self.complete(clock)?;
        Ok(true)
    }

    /// Whether queries may be solved from the lowest bit up: arrays would need lemmas, and without products
    /// the SAT solver is fast.
    fn can_lift(&self) -> bool {
        let wanted = match self.options.lift {
            When::Never => false,
            When::Hard => self.blaster.has_products,
            When::Always => true,
        };
        wanted && self.blaster.arrays.is_empty() && self.blaster.aig.len() <= MAX_LIFTED_GATES
    }

    /// Looks for a model from the lowest bit up; whether there is one now.
    fn lift(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<bool, Stop> {
        let asserted = self.levels.iter().flat_map(|level| &level.roots);
        let mut roots = Vec::new();
        for &t in asserted.chain(assumptions) {
            roots.push(self.blaster.literal(pool, t, clock)?);
        }
        // Only now it is known what the query consists of.
        if !self.can_lift() {
            return Ok(false);
        }
        let (aig, words) = (&self.blaster.aig, &self.blaster.input_words);
        if !self.lift.find(aig, words, &roots, clock) {
            return Ok(false);
        }
        let inputs = words.iter().flat_map(|word| word.nodes());
        let values = inputs.map(|node| (node, self.lift.value(node)));
        self.gates.simulate(aig, values);
        self.arrays = ArrayModel::default();
        Ok(true)
    }

    /// Visits the terms below `roots` that no level has visited yet.
    fn scan(&mut self, pool: &TermPool, roots: &[Term], scan: &mut Scan) {
        self.visited.resize(pool.len(), false);
        let mut open = roots.to_vec();
        while let Some(t) = open.pop() {
            let seen = &mut self.visited[t.as_u32() as usize];
            if *seen {
                continue;
            }
            *seen = true;
            scan.terms.push(t);
            match self.blaster.atoms.get(&t) {
                Some(ArrayAtom::Read(read)) => scan.reads.push(*read),
                Some(ArrayAtom::Equality(equality)) => scan.equalities.push(*equality),
                None => {}
            }
            open.extend(pool.args(t));
        }
    }

    fn release(&mut self, scan: &Scan) {
        for t in &scan.terms {
            self.visited[t.as_u32() as usize] = false;
        }
    }

    /// Visits what is new on the levels; what is assumed goes to the scan returned, to be released.
    fn scan_arrays(&mut self, pool: &TermPool, assumptions: &[Term]) -> Scan {
        let mut assumed = Scan::default();
        if self.blaster.arrays.is_empty() {
            return assumed;
        }
        for depth in 0..self.levels.len() {
            let level = &mut self.levels[depth];
            let mut scan = std::mem::take(&mut level.scan);
            let new = level.roots[level.scanned..].to_vec();
            level.scanned = level.roots.len();
            self.scan(pool, &new, &mut scan);
            self.levels[depth].scan = scan;
        }
        self.scan(pool, assumptions, &mut assumed);
        assumed
    }

    /// Solves until the model is one of the arrays too, or there is none.
    fn solve(&mut self, clock: &StopClock, assumed: &Scan, limits: Limits) -> Result<Answer, Stop> {
        loop {
            for guard in self.levels.iter().filter_map(|level| level.guard) {
                self.sat.assume(guard);
            }
            for &(_, lit) in &self.assumed {
                self.sat.assume(lit);
            }
            self.sat.set_limits(clock.remaining(&limits));
            if !self.clear_sat_interrupt() {
                self.relay.inner().interrupt();
            }
            let answer = self.sat.solve()?;
            self.gates.new_round();
            if answer != Answer::Sat {
                return Ok(answer);
            }
            let scans = || self.levels.iter().map(|level| &level.scan).chain([assumed]);
            if scans().all(|scan| scan.reads.is_empty() && scan.equalities.is_empty()) {
                self.arrays = ArrayModel::default();
                return Ok(Answer::Sat);
            }
            let check = ArrayCheck::new(
                &mut self.blaster,
                &mut self.gates,
                &mut self.arrays,
                &self.cnf,
                &*self.sat,
            );
            let reads = scans().flat_map(|scan| scan.reads.iter().copied());
            let equalities = scans().flat_map(|scan| scan.equalities.iter().copied());
            let lemmas = check.run(reads, equalities)?;
            if self.blaster.aig.is_full() {
                return Ok(Answer::Unknown(UnknownReason::Memory));
            }
            if lemmas.is_empty() {
                return Ok(Answer::Sat);
            }
            for &lemma in &lemmas {
                self.cnf
                    .assert(&self.blaster.aig, lemma, None, &mut *self.sat);
            }
            self.lemmas.extend(lemmas);
            self.complete(clock)?;
            if let Some(reason) = clock.stop_reason() {
                return Ok(Answer::Unknown(reason));
            }
        }
    }

    fn query(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<Answer> {
        self.assumed.clear();
        self.refuted = None;
        self.solved = None;
        for &t in assumptions {
            require_formula(pool, t, "check")?;
        }
        if self.blaster.aig.is_full() {
            return Err(self.blaster.too_large("the formula's gates"));
        }
        if let Some(reason) = clock.stop_reason() {
            return Ok(Answer::Unknown(reason));
        }
        match self.search(pool, assumptions, clock) {
            Err(Stop::Unknown(reason)) => Ok(Answer::Unknown(reason)),
            Err(Stop::Error(error)) => Err(error),
            Ok(answer) => Ok(answer),
        }
    }

    /// Answers by lifting or by the SAT solver, whichever is likely to be faster.
    fn search(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<Answer, Stop> {
        if self.options.ring == When::Always && self.is_refuted(pool, assumptions) {
            return Ok(Answer::Unsat);
        }
        let first = self.lift.leads() || self.options.lift == When::Always;
        if first && self.can_lift() && self.lift(pool, assumptions, clock)? {
            return Ok(Answer::Sat);
        }
        if self.options.equations == When::Always
            && let Some(answer) = self.solve_equations(pool, assumptions, clock)?
        {
            return Ok(answer);
        }
        self.renew()?;
        self.encode(pool, clock)?;
        if !self.encode_assumptions(pool, assumptions, clock)? {
            return Ok(Answer::Unsat);
        }
        let scan = self.scan_arrays(pool, assumptions);
        let answer = self.solve_or_lift(pool, assumptions, clock, &scan);
        self.release(&scan);
        answer
    }

    /// Gives the SAT solver a short time where there are other ways, and all it needs if they do not help.
    fn solve_or_lift(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
        scan: &Scan,
    ) -> Result<Answer, Stop> {
        let may_ring = self.options.ring == When::Hard;
        if self.can_lift() && self.can_limit(TRIAL_CONFLICTS) {
            let answer = self.solve(clock, scan, self.limits_with(TRIAL_CONFLICTS))?;
            if answer != Answer::Unknown(UnknownReason::Conflicts) {
                return Ok(answer);
            }
            if may_ring && self.ring.is_due() && self.is_refuted(pool, assumptions) {
                return Ok(Answer::Unsat);
            }
            if self.lift.is_due() && self.lift(pool, assumptions, clock)? {
                return Ok(Answer::Sat);
            }
        }
        if self.options.equations == When::Hard && self.can_limit(HARD_CONFLICTS) {
            let answer = self.solve(clock, scan, self.limits_with(HARD_CONFLICTS))?;
            if answer != Answer::Unknown(UnknownReason::Conflicts) {
                return Ok(answer);
            }
            if may_ring && self.ring.is_due() && self.is_refuted(pool, assumptions) {
                return Ok(Answer::Unsat);
            }
            if self.solving.is_due()
                && let Some(answer) = self.solve_equations(pool, assumptions, clock)?
            {
                return Ok(answer);
            }
        }
        self.solve(clock, scan, self.books.limits)
    }

    /// Whether equations of polynomials refute the query.
    fn is_refuted(&mut self, pool: &TermPool, assumptions: &[Term]) -> bool {
        let asserted = self.levels.iter().flat_map(|level| &level.roots);
        let formulas: Vec<Term> = asserted.chain(assumptions).copied().collect();
        // In a large query each case costs as much as many conflicts.
        let is_cheap = pool.post_order(formulas.iter().copied()).len() <= CHEAP_RING;
        let is_refuted = is_cheap && trellis_ivl_ring::refutes(pool, &formulas);
        // A failure that cost little is none.
        self.ring.tried(is_cheap);
        if is_refuted {
            self.ring_queries += 1;
            self.refuted = Some(assumptions.to_vec());
        }
        is_refuted
    }

    /// Whether the SAT solver can be stopped after so many conflicts, before the query is.
    fn can_limit(&self, conflicts: u64) -> bool {
        let capabilities = self.sat.capabilities();
        capabilities.contains(Capabilities::CONFLICT_LIMIT)
            && self.books.limits.conflicts.is_none_or(|c| c > conflicts)
    }

    /// The limits of the query, with so many conflicts at most.
    fn limits_with(&self, conflicts: u64) -> Limits {
        let whole = self.books.limits.conflicts.unwrap_or(u64::MAX);
        Limits {
            conflicts: Some(conflicts.min(whole)),
            ..self.books.limits
        }
    }

    /// Asks the query in a session in which its equations hold for ever, if it has any that do not here; `None` where
    /// that gives no answer.
    fn solve_equations(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<Option<Answer>, Stop> {
        let (lowest, others) = self.levels.split_first().expect("level 0 is always there");
        let others = others.iter().flat_map(|level| &level.roots);
        let others: Vec<Term> = others.chain(assumptions).copied().collect();
        let definitions = equations::definitions(pool, &others);
        if definitions.is_empty() || !self.options.definitions {
            return Ok(None);
        }
        let options = Options {
            equations: When::Never,
            ring: When::Never,
            ..self.options
        };
        let (backend, config) = (self.backend.clone(), self.sat_config.clone());
        let mut session = BitblastSession::new(backend, config, options)?;
        for &t in definitions.iter().chain(&lowest.roots).chain(&others) {
            session.assert(pool, t)?;
        }
        session.set_limits(clock.remaining(&self.limits_with(SOLVED_CONFLICTS)));
        self.relay.turn_to(session.interrupter());
        // An interrupt that came before was passed on to the other.
        if self.books.interrupter().is_set() {
            session.interrupter().interrupt();
        }
        let answer = session.check(pool, &[]);
        self.relay.turn_to(self.sat.interrupter());
        let answer = answer?;
        self.past.add(&session.sat.stats());
        self.solving.tried(!matches!(answer, Answer::Unknown(_)));
        match answer {
            Answer::Unknown(_) => {
                // Its query may have been left behind. Dropped now, it would be waited for; the next query does that.
                if clock.stop_reason().is_some() {
                    self.solved = Some(Box::new(session));
                }
                return Ok(None);
            }
            Answer::Unsat => self.refuted = Some(assumptions.to_vec()),
            Answer::Sat => self.solved = Some(Box::new(session)),
        }
        self.solved_queries += 1;
        Ok(Some(answer))
    }

    // ---- values

    /// Checks that the model makes all that was asserted and assumed true.
    fn check_model(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<()> {
        let roots: Vec<Term> = self
            .levels
            .iter()
            .flat_map(|level| &level.roots)
            .copied()
            .collect();
        for t in roots.into_iter().chain(assumptions.iter().copied()) {
            if self.evaluate(pool, t)? != Value::Bool(true) {
                let message = format!("its model does not satisfy term {t}");
                return Err(SolverError::Backend {
                    solver: NAME.into(),
                    message,
                });
            }
        }
        Ok(())
    }

    /// The value of any term, from the values of the variables.
    fn evaluate(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        let failure = RefCell::new(None);
        let gates = RefCell::new(&mut self.gates);
        let arrays = RefCell::new(&mut self.arrays);
        let (blaster, cnf, sat) = (&self.blaster, &self.cnf, &*self.sat);
        let value = self.evaluator.eval(pool, t, |v| {
            let (mut gates, mut arrays) = (gates.borrow_mut(), arrays.borrow_mut());
            variable_value(pool, v, blaster, &mut gates, &mut arrays, cnf, sat).unwrap_or_else(
                |e| {
                    *failure.borrow_mut() = Some(e);
                    Value::zero(pool.var_ty(v))
                },
            )
        });
        match failure.into_inner() {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }
}

/// The value of a variable; zero for one that no query has met.
fn variable_value(
    pool: &TermPool,
    v: Var,
    blaster: &Blaster,
    gates: &mut GateModel,
    arrays: &mut ArrayModel,
    cnf: &Cnf,
    sat: &dyn SatSession,
) -> Result<Value> {
    let ty = pool.var_ty(v);
    if let Type::Array { index, elem } = ty {
        return Ok(Value::Array(match blaster.var_node(v) {
            Some(node) => arrays.node_value(blaster, gates, cnf, sat, node)?,
            None => ArrayValue::constant(index, Bv::zero(elem)),
        }));
    }
    let Some(word) = blaster.var_word(pool, v) else {
        return Ok(Value::zero(ty));
    };
    let source = Source {
        aig: &blaster.aig,
        cnf,
        sat,
    };
    let bits = &blaster.bits[word.range()];
    Ok(match ty {
        Type::Bool => Value::Bool(gates.value(source, bits[0])?),
        _ => Value::Bv(gates.word(source, bits)?),
    })
}

impl SmtSession for BitblastSession {
    delegate_smt!(books: set_kind set_limits interrupter);

    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        crate::backend::capabilities(self.sat.capabilities())
    }

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        require_formula(pool, t, "assert")?;
        self.books.state = SessionState::Input;
        if self.levels.len() == 1 && self.options.definitions {
            self.blaster.note_definitions(pool, t);
        }
        self.levels
            .last_mut()
            .expect("level 0 is always there")
            .roots
            .push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.books.state = SessionState::Input;
        self.levels.push(Level::default());
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        require_levels(self.level(), levels)?;
        self.books.state = SessionState::Input;
        for level in self.levels.split_off(self.levels.len() - levels) {
            if let Some(guard) = level.guard {
                self.sat.add_clause(&[!guard]);
                self.retired += 1;
            }
            self.release(&level.scan);
        }
        Ok(())
    }

    fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let query = self.books.begin();
        let answer = self.query(pool, assumptions, &query.clock)?;
        self.evaluator.new_round();
        self.books.end(&query, &answer);
        // A session that has solved the equations checks its models itself.
        if self.options.check_models && answer == Answer::Sat && self.solved.is_none() {
            self.check_model(pool, assumptions)?;
        }
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.books.state.require_sat("value")?;
        if let Some(solved) = &mut self.solved {
            return solved.value(pool, t);
        }
        if let Some(v) = pool.as_var(t) {
            return variable_value(
                pool,
                v,
                &self.blaster,
                &mut self.gates,
                &mut self.arrays,
                &self.cnf,
                &*self.sat,
            );
        }
        // Without arrays every word is a function of the variables, so its bits can be read.
        if self.blaster.arrays.is_empty()
            && !pool.ty(t).is_array()
            && let Some(bits) = self.blaster.term_bits(pool, t)
        {
            let source = Source {
                aig: &self.blaster.aig,
                cnf: &self.cnf,
                sat: &*self.sat,
            };
            return Ok(match pool.ty(t) {
                Type::Bool => Value::Bool(self.gates.value(source, bits[0])?),
                _ => Value::Bv(self.gates.word(source, bits)?),
            });
        }
        self.evaluate(pool, t)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.books.state.require_unsat("unsat_core")?;
        let mut seen = FxHashSet::default();
        if let Some(refuted) = &self.refuted {
            let each_once = refuted.iter().copied().filter(|&t| seen.insert(t));
            return Ok(each_once.collect());
        }
        let mut core: Vec<Term> = Vec::new();
        for &(t, lit) in &self.assumed {
            if self.sat.failed(lit)? && seen.insert(t) {
                core.push(t);
            }
        }
        Ok(core)
    }

    /// The formulas with every variable that is not kept replaced by its value: a projection that needs no
    /// search.
    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        self.books.state.require_sat("generalize")?;
        let mut values = FxHashMap::default();
        for v in pool.free_vars(formulas.iter().copied()) {
            if !keep.contains(&v) {
                let t = pool.var(v);
                let value = self.value(pool, t)?;
                let value = pool.value(&value);
                values.insert(v, value);
            }
        }
        let projected: Vec<Term> = formulas
            .iter()
            .map(|&t| pool.substitute(t, &values))
            .collect();
        Ok(pool.and_all(projected))
    }

    fn stats(&self) -> SmtStats {
        let mut stats = self.books.stats();
        let mut sat = self.sat.stats();
        sat.add(&self.past);
        let counters = [
            ("gates", self.blaster.aig.len() as u64),
            ("array lemmas", self.lemmas.len() as u64),
            ("fresh starts", self.fresh_starts),
            ("models lifted", self.lift.found),
            ("queries with solved equations", self.solved_queries),
            ("queries refuted by polynomials", self.ring_queries),
            ("sat calls", sat.solves),
            ("sat variables", u64::from(sat.variables)),
            ("sat clauses", sat.clauses),
            ("sat time in ms", sat.time.as_millis() as u64),
        ];
        stats.counters.extend(counters);
        let told = [
            ("sat conflicts", sat.conflicts),
            ("sat decisions", sat.decisions),
            ("sat propagations", sat.propagations),
        ];
        stats.counters.extend(
            told.into_iter()
                .filter_map(|(name, n)| n.map(|n| (name, n))),
        );
        stats
    }
}
