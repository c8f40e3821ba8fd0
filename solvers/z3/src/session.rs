//! One context and solver of Z3 as a [`ForeignSolver`].
//!
//! An assumption that is no literal gets a literal that implies it, because Z3's cores are made of literals.

use crate::ffi::{FALSE, Functions, TRUE, ZAst, ZContext, ZSolver};
use crate::library::{CAPABILITIES, NAME};
use crate::model::Model;
use crate::translate::Context;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::CStr;
use trellis_ivl::{Op, Term, TermPool, Value, Var};
use trellis_solver_api::{
    Answer, Capabilities, Limits, Result, SolverError, StopClock, UnknownReason,
};
use trellis_solver_support::{Aside, AssertionStack, ForeignSolver, Question, on_deep_stack};

/// What stops a query, from whatever thread.
struct Stoppable(&'static Functions, ZContext, ZSolver);
// SAFETY: `Z3_solver_interrupt` may be called from any thread; nothing else is done with them there.
unsafe impl Send for Stoppable {}

impl Stoppable {
    fn stop(&self) {
        // SAFETY: called during a query only, which the solver outlives.
        unsafe { (self.0.solver_interrupt)(self.1, self.2) };
    }
}

/// A query on its way to the thread that waits for it.
struct Query(&'static Functions, ZContext, ZSolver, Vec<ZAst>);
// SAFETY: a context may be used by any thread, by one at a time. While the query runs nothing is called but
// `Z3_solver_interrupt`, which may be called at any time, and a query that was left behind is waited for before
// anything else.
unsafe impl Send for Query {}

impl Query {
    fn ask(self) -> i32 {
        let Query(f, context, solver, assumed) = self;
        // SAFETY: a solver of this context and an array of as many literals as said.
        unsafe {
            (f.solver_check_assumptions)(context, solver, assumed.len() as u32, assumed.as_ptr())
        }
    }
}

/// A solver with a context of its own.
pub struct Z3Solver {
    // Fields are dropped in this order; the solver in `drop`, before all of them.
    aside: Aside,
    model: Option<Model>,
    context: Context,
    solver: ZSolver,
    seed: u64,
    rlimit: u32,
    conflicts: Option<u64>,
    /// Literals in force, with the number of levels they need.
    literals: FxHashMap<Term, (ZAst, usize)>,
    assumptions: Vec<(ZAst, Term)>,
    signature: String,
}

impl Z3Solver {
    pub(crate) fn new(
        f: &'static Functions,
        version: &str,
        seed: u64,
        rlimit: u32,
    ) -> Result<Z3Solver> {
        let context = Context::new(f)?;
        // SAFETY: a valid context; the solver is released in `drop`.
        let solver = unsafe {
            let logic = context.symbol("QF_ABV");
            let solver = logic.and_then(|logic| (f.mk_solver_for_logic)(context.raw, logic));
            let solver = solver.ok_or_else(|| backend_error("Z3 makes no solver".to_string()))?;
            (f.solver_inc_ref)(context.raw, solver);
            solver
        };
        let mut session = Z3Solver {
            aside: Aside::default(),
            model: None,
            context,
            solver,
            seed,
            rlimit,
            conflicts: None,
            literals: FxHashMap::default(),
            assumptions: Vec::new(),
            signature: format!("Z3 {version}"),
        };
        session.set_parameters()?;
        Ok(session)
    }

    fn set_parameters(&mut self) -> Result<()> {
        let (f, c) = (self.context.f, self.context.raw);
        // Z3 counts to 32 bits; a larger limit is none that could be reached.
        let conflicts = self
            .conflicts
            .map_or(u32::MAX, |n| u32::try_from(n).unwrap_or(u32::MAX));
        let numbers = [
            ("random_seed", (self.seed & 0x7fff_ffff) as u32),
            ("max_conflicts", conflicts),
            ("rlimit", self.rlimit),
            // Not to try again with another strategy after the first has reached a limit.
            ("solver2_unknown", 0),
        ];
        // SAFETY: a parameter set of this context, released here; Z3 copies it.
        unsafe {
            let Some(parameters) = (f.mk_params)(c) else {
                return self.context.check("make parameters");
            };
            (f.params_inc_ref)(c, parameters);
            for (name, value) in numbers {
                if let Some(key) = self.context.symbol(name) {
                    (f.params_set_uint)(c, parameters, key, value);
                }
            }
            (f.solver_set_params)(c, self.solver, parameters);
            (f.params_dec_ref)(c, parameters);
        }
        self.context.check("set parameters")
    }

    /// Makes the solver have what is wanted.
    fn sync(&mut self, pool: &TermPool, stack: &mut AssertionStack) -> Result<()> {
        let (f, c, solver) = (self.context.f, self.context.raw, self.solver);
        let superfluous = stack.superfluous();
        if superfluous > 0 {
            // SAFETY: a solver with as many open levels.
            unsafe { (f.solver_pop)(c, solver, superfluous as u32) };
            self.context.check("pop")?;
            stack.popped(superfluous);
            let levels = stack.had_level();
            self.literals.retain(|_, &mut (_, needs)| needs <= levels);
        }
        loop {
            while let Some(t) = stack.next_assertion() {
                let ast = self.context.term(pool, t)?;
                // SAFETY: a solver and a formula of this context.
                unsafe { (f.solver_assert)(c, solver, ast) };
                self.context.check("assert")?;
                stack.asserted();
            }
            if !stack.missing_level() {
                return Ok(());
            }
            // SAFETY: a solver of this context.
            unsafe { (f.solver_push)(c, solver) };
            self.context.check("push")?;
            stack.pushed();
        }
    }

    /// A literal that implies `t`.
    fn literal(&mut self, pool: &TermPool, stack: &AssertionStack, t: Term) -> Result<ZAst> {
        let ast = self.context.term(pool, t)?;
        let is_literal = pool.as_var(t).is_some()
            || (pool.op(t) == Op::Not && pool.as_var(pool.arg(t, 0)).is_some());
        if is_literal {
            return Ok(ast);
        }
        if let Some(&(literal, _)) = self.literals.get(&t) {
            return Ok(literal);
        }
        let (f, c) = (self.context.f, self.context.raw);
        // SAFETY: constructors of this context. The name is a string, those of variables are numbers.
        let literal = unsafe {
            let name = self.context.symbol(&format!("a{}", t.as_u32()));
            let sort = (f.mk_bool_sort)(c);
            let literal = name
                .zip(sort)
                .and_then(|(name, sort)| (f.mk_const)(c, name, sort));
            let literal = self.context.keep("make a literal", literal)?;
            let implies = (f.mk_implies)(c, literal, ast);
            let implies = self.context.keep("make a literal", implies)?;
            (f.solver_assert)(c, self.solver, implies);
            literal
        };
        self.context.check("assert")?;
        self.literals.insert(t, (literal, stack.had_level()));
        Ok(literal)
    }

    fn search(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer> {
        let Question {
            pool,
            assumptions,
            clock,
        } = *asked;
        self.sync(pool, stack)?;
        self.assumptions.clear();
        for &t in assumptions {
            let literal = self.literal(pool, stack, t)?;
            self.assumptions.push((literal, t));
        }
        let assumed = self.assumptions.iter().map(|&(ast, _)| ast).collect();
        let (f, c, solver) = (self.context.f, self.context.raw, self.solver);
        let height = self.context.height();
        let (query, stoppable) = (Query(f, c, solver, assumed), Stoppable(f, c, solver));
        let stop = move || stoppable.stop();
        let ask = move || on_deep_stack(height, || query.ask());
        match self.aside.run(clock, stop, ask) {
            Some(TRUE) => Ok(Answer::Sat),
            Some(FALSE) => Ok(Answer::Unsat),
            Some(_) => self.reason(clock).map(Answer::Unknown),
            None => Ok(Answer::Unknown(clock.why_stopped())),
        }
    }

    fn reason(&self, clock: &StopClock) -> Result<UnknownReason> {
        if let Some(reason) = clock.stop_reason() {
            return Ok(reason);
        }
        self.context.check("check")?;
        // SAFETY: a solver of this context; the string lives until the next call.
        let text = unsafe {
            let text = (self.context.f.solver_get_reason_unknown)(self.context.raw, self.solver);
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        Ok(if text.contains("max-conflicts") {
            UnknownReason::Conflicts
        } else if text.contains("memout") || text.contains("memory") {
            UnknownReason::Memory
        } else {
            UnknownReason::Incomplete(text)
        })
    }
}

fn backend_error(message: String) -> SolverError {
    SolverError::Backend {
        solver: NAME.to_string(),
        message,
    }
}

impl Drop for Z3Solver {
    fn drop(&mut self) {
        self.aside.settle();
        // SAFETY: owned, released once, before its context. No query is running.
        unsafe { (self.context.f.solver_dec_ref)(self.context.raw, self.solver) };
    }
}

impl ForeignSolver for Z3Solver {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn decide(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer> {
        self.aside.settle();
        self.model = None;
        for t in stack.pending().chain(asked.assumptions.iter().copied()) {
            self.context.term(asked.pool, t)?;
        }
        on_deep_stack(self.context.height(), || self.search(stack, asked))
    }

    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
        _: &StopClock,
    ) -> Result<Vec<Option<Value>>> {
        if self.model.is_none() {
            let (f, c, solver) = (self.context.f, self.context.raw, self.solver);
            let height = self.context.height();
            // SAFETY: a solver in state SAT, which no call has left since the query.
            let raw = on_deep_stack(height, || unsafe { (f.solver_get_model)(c, solver) });
            self.model = Some(Model::new(&self.context, raw)?);
        }
        let model = self.model.as_ref().expect("made above");
        let read = |&v| model.value(&self.context, v, pool.var_ty(v));
        vars.iter().map(read).collect()
    }

    fn read_core(&mut self, _: &StopClock) -> Result<Vec<Term>> {
        let (f, c) = (self.context.f, self.context.raw);
        let mut core = FxHashSet::default();
        // SAFETY: a solver in state UNSAT; the vector is released here and indexed within its size.
        unsafe {
            let Some(vector) = (f.solver_get_unsat_core)(c, self.solver) else {
                self.context.check("get the core")?;
                return Err(backend_error("there is no core".to_string()));
            };
            (f.ast_vector_inc_ref)(c, vector);
            for i in 0..(f.ast_vector_size)(c, vector) {
                core.extend((f.ast_vector_get)(c, vector, i));
            }
            (f.ast_vector_dec_ref)(c, vector);
        }
        let used = |&(ast, t): &(ZAst, Term)| core.remove(&ast).then_some(t);
        let out: Vec<Term> = self.assumptions.iter().filter_map(used).collect();
        match core.is_empty() {
            true => Ok(out),
            false => Err(backend_error(
                "a core has a literal that was not assumed".to_string(),
            )),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        if limits.conflicts != self.conflicts {
            self.conflicts = limits.conflicts;
            self.aside.settle();
            // The parameters were accepted once, with other numbers.
            let _ = self.set_parameters();
        }
    }
}
