//! A transition system, unrolled: its formulas over copies of its symbols for each step.
//!
//! Step 0 has the symbols of the system themselves, so that what is found about its state is said of the program.

use rustc_hash::FxHashMap;
use trellis_ivl::walk::Substitution;
use trellis_ivl::{Program, Term, Var};
use trellis_ivl_passes::transition::{Formula, Model, Path, TransitionSystem};
use trellis_solver_api::SolverError;
use trellis_solver_api::smt::SmtSession;

/// Symbols by those of the system.
type Copies = FxHashMap<Var, Term>;

/// The unrolling.
pub(crate) struct Unrolled<'a> {
    pub program: &'a mut Program,
    pub system: &'a TransitionSystem,
    /// The bad conditions that are looked for, by position.
    wanted: Vec<usize>,
    /// The state, by step.
    states: Vec<Copies>,
    /// The state before step 0.
    before: Copies,
    /// Inputs of steps and of bad conditions, by step; of the step to step 0.
    inputs: FxHashMap<(Var, i64), Term>,
}

impl<'a> Unrolled<'a> {
    pub fn new(
        program: &'a mut Program,
        system: &'a TransitionSystem,
        wanted: Vec<usize>,
    ) -> Unrolled<'a> {
        let mut unrolled = Unrolled {
            program,
            system,
            wanted,
            states: Vec::new(),
            before: Copies::default(),
            inputs: FxHashMap::default(),
        };
        let pool = &mut unrolled.program.pool;
        let own = system.state.iter().map(|&v| (v, pool.var(v)));
        unrolled.states.push(own.collect());
        unrolled.before = unrolled.copies("before");
        unrolled
    }

    fn copies(&mut self, of: &str) -> Copies {
        let pool = &mut self.program.pool;
        let mut copies = Copies::default();
        for &v in &self.system.state {
            let (name, ty) = (format!("{}@{of}", pool.var_data(v).name), pool.var_ty(v));
            let copy = pool.fresh(name, ty);
            copies.insert(v, pool.var(copy));
        }
        copies
    }

    fn state(&mut self, step: usize) -> &Copies {
        while self.states.len() <= step {
            let copies = self.copies(&self.states.len().to_string());
            self.states.push(copies);
        }
        &self.states[step]
    }

    fn input(&mut self, v: Var, step: i64) -> Term {
        if let Some(&known) = self.inputs.get(&(v, step)) {
            return known;
        }
        let pool = &mut self.program.pool;
        let (name, ty) = (format!("{}@{step}", pool.var_data(v).name), pool.var_ty(v));
        let copy = pool.fresh(name, ty);
        let term = pool.var(copy);
        self.inputs.insert((v, step), term);
        term
    }

    /// The initial states, over step 0.
    pub fn init(&self) -> Term {
        self.system.init.term
    }

    /// A formula over the state, told of the state before step 0.
    pub fn at_before(&mut self, t: Term) -> Term {
        let mut subst = Substitution::new(&self.before);
        subst.apply(&mut self.program.pool, t)
    }

    /// A formula over the copies of a step, told of the state.
    pub fn back(&mut self, t: Term, step: usize) -> Term {
        if step == 0 {
            return t;
        }
        let pool = &mut self.program.pool;
        let mut back: FxHashMap<Var, Term> = FxHashMap::default();
        for (&v, &copy) in &self.states[step] {
            let own = pool.var(v);
            back.extend(pool.as_var(copy).map(|copy| (copy, own)));
        }
        Substitution::new(&back).apply(pool, t)
    }

    /// From a step to the next.
    pub fn step(&mut self, step: usize) -> Term {
        self.state(step + 1);
        let (from, to) = (self.states[step].clone(), self.states[step + 1].clone());
        self.relation(from, &to, step as i64)
    }

    /// From the state before to step 0.
    pub fn step_before(&mut self) -> Term {
        let (from, to) = (self.before.clone(), self.states[0].clone());
        self.relation(from, &to, -1)
    }

    fn relation(&mut self, from: Copies, to: &Copies, step: i64) -> Term {
        let mut map = from;
        for &v in &self.system.inputs {
            let input = self.input(v, step);
            map.insert(v, input);
        }
        let pool = &mut self.program.pool;
        let mut subst = Substitution::new(&map);
        let mut parts = vec![subst.apply(pool, self.system.constraint)];
        for (v, &next) in &self.system.next {
            let next = subst.apply(pool, next);
            parts.push(pool.eq(to[v], next));
        }
        pool.and_all(parts)
    }

    /// The bad conditions in a step, one by one.
    pub fn bads(&mut self, step: usize) -> Vec<(usize, Term)> {
        self.state(step);
        let system = self.system;
        let mut found = Vec::new();
        for i in self.wanted.clone() {
            let Formula { term, inputs } = &system.bads[i].condition;
            let mut map = self.states[step].clone();
            for &v in inputs {
                let input = self.input(v, step as i64);
                map.insert(v, input);
            }
            let pool = &mut self.program.pool;
            found.push((i, Substitution::new(&map).apply(pool, *term)));
        }
        found
    }

    /// Some bad condition holds in a step.
    pub fn bad(&mut self, step: usize) -> Term {
        let bads = self.bads(step);
        let pool = &mut self.program.pool;
        pool.or_all(bads.into_iter().map(|(_, t)| t))
    }

    /// The path that a model of an unrolling describes, to the first bad condition that holds in it, within `last` steps.
    pub fn path(
        &mut self,
        session: &mut dyn SmtSession,
        last: usize,
    ) -> Result<Option<Path>, SolverError> {
        let mut path = Path::default();
        let own = self.system.init.inputs.iter().chain(&self.system.state);
        for &v in own {
            let term = self.program.pool.var(v);
            path.init
                .insert(v, session.value(&self.program.pool, term)?);
        }
        for step in 0..=last {
            for (i, bad) in self.bads(step) {
                let holds = session.value(&self.program.pool, bad)?;
                if holds.as_bool() == Some(true) {
                    let inputs = &self.system.bads[i].condition.inputs;
                    path.bad = Some((i, self.values(session, inputs, step)?));
                    return Ok(Some(path));
                }
            }
            let inputs = &self.system.inputs;
            let values = self.values(session, inputs, step)?;
            path.steps.push(values);
        }
        Ok(None)
    }

    fn values(
        &mut self,
        session: &mut dyn SmtSession,
        inputs: &[Var],
        step: usize,
    ) -> Result<Model, SolverError> {
        let mut values = Model::default();
        for &v in inputs {
            let input = self.input(v, step as i64);
            values.insert(v, session.value(&self.program.pool, input)?);
        }
        Ok(values)
    }
}
