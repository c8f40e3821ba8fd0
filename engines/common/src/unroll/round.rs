//! One more layer of an unrolling.

use super::{Env, Instance, Layer, State, Unrolling, fresh_like, selectors};
use crate::ask::go_on;
use crate::cfa::Cfa;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::walk::Substitution;
use trellis_ivl::{Edge, Loc, LocKind, Op, Term, TermPool, Type, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// A state on its way along an edge.
pub(crate) struct Arrival {
    pub(crate) taken: Term,
    pub(crate) env: Env,
}

impl Unrolling {
    /// Adds one segment to every execution.
    ///
    /// # Errors
    /// When the solver fails. When it is time to stop, and then the unrolling is of no more use.
    pub fn extend(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        let layer = self.layers.len() - 1;
        let mut round = Round {
            unrolling: self,
            cfa,
            session,
            layer,
            pending: BTreeMap::new(),
            next: BTreeMap::new(),
            hits: BTreeMap::new(),
        };
        round.run(host)?;
        let (next, hits) = (round.next, round.hits);
        for (loc, arrivals) in hits {
            let state = self.merge(cfa, session, loc, arrivals)?;
            self.layers[layer].targets.insert(loc, state.guard);
        }
        let mut front = BTreeMap::new();
        for (loc, arrivals) in next {
            let state = self.merge(cfa, session, loc, arrivals)?;
            front.insert(loc, state);
        }
        self.layers.push(Layer {
            front,
            ..Layer::default()
        });
        Ok(())
    }

    /// The arrivals at a location as one state.
    pub(crate) fn merge(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        loc: Loc,
        arrivals: Vec<Arrival>,
    ) -> Result<State, EngineError> {
        let live = cfa.live(loc).to_vec();
        let pool = &mut cfa.program.pool;
        let guard = pool.or_all(arrivals.iter().map(|a| a.taken).collect::<Vec<_>>());
        let mut env = Env::default();
        for v in live {
            let mut rest = arrivals.iter().rev();
            let last = rest.next().expect("a location is reached by some arrival");
            let mut value = last.env[&v];
            for a in rest {
                value = pool.ite(a.taken, a.env[&v], value);
            }
            env.insert(v, value);
        }
        let guard = self.define(pool, session, guard)?;
        Ok(State { guard, env })
    }

    /// A short name for a guard: keeps terms shallow and assumptions literals.
    fn define(
        &mut self,
        pool: &mut TermPool,
        session: &mut dyn SmtSession,
        guard: Term,
    ) -> Result<Term, EngineError> {
        if pool.is_const(guard) || pool.as_var(guard).is_some() {
            return Ok(guard);
        }
        let symbol = pool.fresh("at", Type::Bool);
        let name = pool.var(symbol);
        let definition = pool.eq(name, guard);
        session.assert(pool, definition)?;
        self.definitions.insert(symbol, guard);
        self.stats.definitions += 1;
        Ok(name)
    }

    /// The edges that leave `loc` from `state`, with what they lead to; those that are closed by constants are left out. Appends symbols
    /// that decide between edges to `selectors`.
    pub(crate) fn leave(
        &mut self,
        cfa: &mut Cfa,
        loc: Loc,
        state: &State,
        symbols: &mut Vec<Term>,
    ) -> Vec<(Instance, Arrival)> {
        let edges = cfa.out(loc).to_vec();
        let mut choice: FxHashMap<Edge, Term> = FxHashMap::default();
        if !cfa.is_exclusive(loc) {
            let plain = |e: &Edge| cfa.is_plain(cfa.program.edges[*e].to);
            let competing: Vec<Edge> = edges.iter().copied().filter(plain).collect();
            let guards = selectors(&mut cfa.program.pool, competing.len(), symbols);
            choice.extend(competing.into_iter().zip(guards));
        }
        let mut taken = Vec::with_capacity(edges.len());
        for edge in edges {
            let next = follow(cfa, edge, state, choice.get(&edge).copied());
            self.stats.instances += 1;
            match cfa.program.pool.as_bool(next.0.taken) {
                Some(false) => self.stats.cut += 1,
                _ => taken.push(next),
            }
        }
        taken
    }
}

/// The making of one layer.
struct Round<'a> {
    unrolling: &'a mut Unrolling,
    cfa: &'a mut Cfa,
    session: &'a mut dyn SmtSession,
    layer: usize,
    /// Arrivals by position in the topological order.
    pending: BTreeMap<u32, Vec<Arrival>>,
    next: BTreeMap<Loc, Vec<Arrival>>,
    hits: BTreeMap<Loc, Vec<Arrival>>,
}

impl Round<'_> {
    fn run(&mut self, host: &mut dyn Host) -> Result<(), EngineError> {
        let starts: Vec<(Loc, State)> = self.unrolling.layers[self.layer]
            .front
            .iter()
            .map(|(&l, s)| (l, s.clone()))
            .collect();
        for (loc, state) in starts {
            if self.cfa.program.locs[loc].kind == LocKind::Plain {
                self.leave(loc, &state);
            } else {
                // Only the entry can be a target itself.
                let arrival = Arrival {
                    taken: state.guard,
                    env: state.env,
                };
                self.hits.entry(loc).or_default().push(arrival);
            }
        }
        while let Some((position, arrivals)) = self.pending.pop_first() {
            go_on(host)?;
            let loc = self.cfa.at(position);
            let state = self
                .unrolling
                .merge(self.cfa, self.session, loc, arrivals)?;
            self.leave(loc, &state);
        }
        Ok(())
    }

    fn leave(&mut self, loc: Loc, state: &State) {
        let mut symbols = Vec::new();
        let next = self.unrolling.leave(self.cfa, loc, state, &mut symbols);
        let layers = self.layer as u32 + 1;
        let mut instances = Vec::with_capacity(next.len());
        for (instance, arrival) in next {
            let edge = instance.edge;
            let encoded = &mut self.unrolling.encoded[edge];
            self.unrolling.stats.re_encoded += u64::from(*encoded >= layers);
            *encoded = layers;
            instances.push(instance);
            self.arrive(self.cfa.program.edges[edge].to, arrival);
        }
        let layer = &mut self.unrolling.layers[self.layer];
        layer.selectors.append(&mut symbols);
        layer.leaving.insert(loc, instances);
    }

    fn arrive(&mut self, loc: Loc, arrival: Arrival) {
        let list = if self.cfa.program.locs[loc].kind != LocKind::Plain {
            self.hits.entry(loc).or_default()
        } else if self.cfa.is_head(loc) {
            self.next.entry(loc).or_default()
        } else {
            self.pending.entry(self.cfa.position(loc)).or_default()
        };
        list.push(arrival);
    }
}

/// One edge from `state`, if `chosen`.
fn follow(cfa: &mut Cfa, edge: Edge, state: &State, chosen: Option<Term>) -> (Instance, Arrival) {
    let mut map = state.env.clone();
    let inputs = inputs(cfa, edge, &mut map);
    let guard = cfa.transfer(edge).guard;
    let pool = &mut cfa.program.pool;
    let mut substitution = Substitution::new(&map);
    let mut taken = state.guard;
    if let Some(chosen) = chosen {
        taken = pool.and(taken, chosen);
    }
    let passes = substitution.apply(pool, guard);
    taken = pool.and(taken, passes);
    let mut env = Env::default();
    if pool.as_bool(taken) != Some(false) {
        let to = cfa.program.edges[edge].to;
        for v in cfa.live(to).to_vec() {
            let value = match cfa.transfer(edge).updates.get(&v).copied() {
                Some(t) => substitution.apply(&mut cfa.program.pool, t),
                None => state.env[&v],
            };
            env.insert(v, value);
        }
    }
    let instance = Instance {
        edge,
        taken,
        inputs,
    };
    (instance, Arrival { taken, env })
}

/// Fresh symbols for the inputs of an edge, which `map` gets too.
fn inputs(cfa: &mut Cfa, edge: Edge, map: &mut Env) -> Vec<Term> {
    let symbols = cfa.transfer(edge).inputs.clone();
    for &v in &symbols {
        let symbol = fresh_like(&mut cfa.program.pool, v);
        map.insert(v, symbol);
    }
    let guard = cfa.transfer(edge).guard;
    let pool = &mut cfa.program.pool;
    if symbols.iter().any(|&v| pool.var_ty(v) == Type::Bool) {
        fix_forced(pool, guard, &symbols, map);
    }
    symbols.iter().map(|v| map[v]).collect()
}

/// Gives choices their value in `map` that `guard` forces, since the other branch is cut. Their symbols are of one
/// instance alone, and with any other value its edge is not taken.
fn fix_forced(pool: &mut TermPool, guard: Term, choices: &[Var], map: &mut Env) {
    loop {
        let passes = Substitution::new(map).apply(pool, guard);
        let values = forced(pool, passes);
        let mut fixed = false;
        for v in choices {
            if let Some(&value) = values.get(&map[v]) {
                map.insert(*v, pool.bool(value));
                fixed = true;
            }
        }
        if !fixed {
            return;
        }
    }
}

/// The boolean symbols whose value every model of `t` has to give, as far as its conjuncts tell.
fn forced(pool: &TermPool, t: Term) -> FxHashMap<Term, bool> {
    let mut found = FxHashMap::default();
    for t in pool.conjuncts(t) {
        match pool.op(t) {
            Op::Var => {
                found.insert(t, true);
            }
            Op::Not if pool.op(pool.arg(t, 0)) == Op::Var => {
                found.insert(pool.arg(t, 0), false);
            }
            _ => {}
        }
    }
    found
}
