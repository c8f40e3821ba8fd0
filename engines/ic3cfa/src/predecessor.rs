//! The region before an edge: which states reach a cube through it (`wep`), as the model of a satisfiable query
//! goes.

use crate::edge_query::Surroundings;
use crate::model::{Eval, Model};
use crate::options::Regions;
use crate::project::eliminate;
use crate::run::Run;
use crate::split::Splitter;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::predicate::wep;
use trellis_plugin_sdk::ivl::{Edge, Term, Type, Var};

impl Run<'_> {
    /// Literals of a region whose every state reaches `cube` through `e`, and a state of it; `model` is a
    /// step from there.
    pub(crate) fn predecessor(
        &mut self,
        e: Edge,
        cube: &[Term],
        model: &Model,
    ) -> Result<(Vec<Term>, Model), EngineError> {
        let transfer = self.cfa.transfer(e);
        let (guard, inputs) = (transfer.guard, transfer.inputs.clone());
        let mut terms = vec![guard];
        for &literal in cube {
            let after = self.queries.after(self.program, &self.cfa, e, literal);
            terms.push(after);
        }
        let state = model.state(self.program);
        let region = match self.options.regions {
            Regions::Cube => self.path_region(&terms, &inputs, model),
            Regions::Formula => self.formula_region(e, cube, &state)?,
        };
        Ok((region, state))
    }

    /// The states that take the model's path with fitting inputs, as a cube.
    fn path_region(&mut self, terms: &[Term], inputs: &[Var], model: &Model) -> Vec<Term> {
        let pool = &mut self.program.pool;
        // Booleans first: they select the path.
        let mut chosen: FxHashMap<Var, Term> = FxHashMap::default();
        for &v in inputs {
            if pool.var_ty(v) == Type::Bool {
                let value = model.get(pool, v);
                chosen.insert(v, pool.value(&value));
            }
        }
        let terms: Vec<Term> = terms.iter().map(|&t| pool.substitute(t, &chosen)).collect();
        let mut eval = Eval::new(&mut self.evaluator, model);
        let mut literals = Splitter::new(&mut eval, self.options.split).split(pool, &terms);
        for &v in inputs.iter().filter(|&v| !chosen.contains_key(v)) {
            let value = model.get(pool, v);
            let by_terms = self.options.project;
            eliminate(pool, &mut eval, &mut literals, v, &value, by_terms);
        }
        Splitter::new(&mut eval, self.options.split).split(pool, &literals)
    }

    /// The states that reach the cube on any path, with the inputs of one of them.
    fn formula_region(
        &mut self,
        e: Edge,
        cube: &[Term],
        state: &Model,
    ) -> Result<Vec<Term>, EngineError> {
        let cmd = self
            .program
            .edge_cmd(e)
            .expect("a flat program has no calls");
        let pool = &mut self.program.pool;
        let post = pool.and_all(cube.iter().copied());
        let before = wep(pool, &self.program.cmds, cmd, post);
        let mut formula = before.formula;
        if !before.bound.is_empty() {
            // All of the state, so that values are found for the bound variables alone.
            let mut known = FxHashMap::default();
            for v in pool.free_vars([formula]) {
                if !before.bound.contains(&v) {
                    let value = state.get(pool, v);
                    known.insert(v, pool.value(&value));
                }
            }
            let open = pool.substitute(formula, &known);
            let (queries, mut on) = self.queries();
            let Some(values) = queries.satisfy(&mut on, &[open])? else {
                return Err(EngineError::Internal("a predecessor is none".into()));
            };
            let Surroundings { program, .. } = on;
            let bound = before.bound.iter().map(|&v| {
                let value = values.get(&program.pool, v);
                (v, program.pool.value(&value))
            });
            let bound: FxHashMap<Var, Term> = bound.collect();
            formula = program.pool.substitute(formula, &bound);
        }
        let mut eval = Eval::new(&mut self.evaluator, state);
        let pool = &mut self.program.pool;
        Ok(Splitter::new(&mut eval, 0).split(pool, &[formula]))
    }
}
