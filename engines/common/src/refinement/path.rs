//! The formula of one path through the automaton, and the execution that a model of it is.
//!
//! Every assignment on the way makes a new symbol, so the parts of the formula (one per edge) share symbols only
//! where a value lives on. Symbols depend on how often a variable was assigned before, not on the path: paths with a
//! common beginning have the same terms there, which the solver has met already.

use crate::ask::ask;
use crate::cfa::Cfa;
use crate::execution::Execution;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Term, TermPool, Trace, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// The symbols of all paths of a run.
#[derive(Default)]
pub struct Ssa {
    symbols: FxHashMap<(Var, u32), Var>,
    /// The variable that a symbol is a value of, for symbols other than the variables themselves.
    origins: FxHashMap<Var, Var>,
}

impl Ssa {
    /// The symbol of the `n`-th value of `v`; the first is the variable itself.
    fn symbol(&mut self, pool: &mut TermPool, v: Var, n: u32) -> Var {
        if n == 0 {
            return v;
        }
        *self.symbols.entry((v, n)).or_insert_with(|| {
            let data = pool.var_data(v);
            let (name, ty) = (format!("{}#{n}", data.name), data.ty);
            let symbol = pool.fresh(name, ty);
            self.origins.insert(symbol, v);
            symbol
        })
    }

    /// The variable that `symbol` is a value of.
    pub fn origin(&self, symbol: Var) -> Var {
        self.origins.get(&symbol).copied().unwrap_or(symbol)
    }
}

/// A path from the entry and its formula.
pub struct Path {
    /// The edges in order.
    pub edges: Vec<Edge>,
    /// Per edge its guard and the definitions of new symbols, as conjuncts.
    pub parts: Vec<Vec<Term>>,
    /// Per edge what its new symbols are defined as.
    pub definitions: Vec<FxHashMap<Var, Term>>,
    /// Before each edge and after the last the symbols of variables that have been assigned.
    pub names: Vec<FxHashMap<Var, Term>>,
    inputs: Vec<FxHashMap<Var, Term>>,
}

/// Whether a path can be taken.
pub enum Checked {
    /// It can, by this execution.
    Feasible(Trace),
    /// It cannot, because of these conjuncts, sorted.
    Infeasible(Vec<Term>),
}

impl Path {
    /// The formula of `edges`, a path from the entry.
    pub fn new(cfa: &mut Cfa, ssa: &mut Ssa, edges: &[Edge]) -> Path {
        let mut path = Path {
            edges: edges.to_vec(),
            parts: Vec::new(),
            definitions: Vec::new(),
            names: vec![FxHashMap::default()],
            inputs: Vec::new(),
        };
        let mut assigned: FxHashMap<Var, u32> = FxHashMap::default();
        let mut taken: FxHashMap<Edge, u32> = FxHashMap::default();
        for &e in edges {
            let transfer = cfa.transfer(e).clone();
            let live = cfa.live(cfa.program.edges[e].to).to_vec();
            let pool = &mut cfa.program.pool;
            let turn = taken.entry(e).or_default();
            let mut inputs: FxHashMap<Var, Term> = FxHashMap::default();
            for &v in &transfer.inputs {
                let symbol = ssa.symbol(pool, v, *turn);
                inputs.insert(v, pool.var(symbol));
            }
            *turn += 1;
            let mut now = path.names[path.names.len() - 1].clone();
            let mut map = now.clone();
            map.extend(&inputs);
            let mut renaming = trellis_ivl::walk::Substitution::new(&map);
            let guard = renaming.apply(pool, transfer.guard);
            let mut part = pool.split_conjuncts(guard);
            let mut definitions = FxHashMap::default();
            for (&v, &t) in &transfer.updates {
                if live.binary_search(&v).is_err() {
                    continue;
                }
                let value = renaming.apply(pool, t);
                let n = assigned.entry(v).or_default();
                *n += 1;
                let symbol = ssa.symbol(pool, v, *n);
                let name = pool.var(symbol);
                part.push(pool.eq(name, value));
                definitions.insert(symbol, value);
                now.insert(v, name);
            }
            path.parts.push(part);
            path.definitions.push(definitions);
            path.names.push(now);
            path.inputs.push(inputs);
        }
        path
    }

    /// Whether the path can be taken.
    pub fn check(
        &self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
    ) -> Result<Checked, EngineError> {
        let mut core: Vec<Term> = self.parts.iter().flatten().copied().collect();
        core.sort_unstable();
        core.dedup();
        let pool = &cfa.program.pool;
        if let Some(&t) = core.iter().find(|&&t| pool.as_bool(t) == Some(false)) {
            return Ok(Checked::Infeasible(vec![t]));
        }
        // A core of a core is often smaller, and queries over fewer assumptions are cheap.
        for round in 0..3 {
            if ask(session, pool, &core)? {
                debug_assert_eq!(round, 0, "a core has no model");
                return Ok(Checked::Feasible(self.trace(cfa, session)?));
            }
            let before = core.len();
            core = session.unsat_core()?;
            if core.len() == before {
                break;
            }
        }
        core.sort_unstable();
        Ok(Checked::Infeasible(core))
    }

    /// The execution that the session's model is.
    fn trace(&self, cfa: &mut Cfa, session: &mut dyn SmtSession) -> Result<Trace, EngineError> {
        let mut initial = BTreeMap::new();
        for v in cfa.live(cfa.program.entry()).to_vec() {
            let t = cfa.program.pool.var(v);
            initial.insert(v, session.value(&cfa.program.pool, t)?);
        }
        let mut execution = Execution::new(initial);
        for (&edge, symbols) in self.edges.iter().zip(&self.inputs) {
            let mut inputs = Vec::new();
            for v in &cfa.transfer(edge).inputs {
                inputs.push(session.value(&cfa.program.pool, symbols[v])?);
            }
            execution.take(cfa, edge, inputs);
        }
        Ok(execution.into_trace())
    }
}
