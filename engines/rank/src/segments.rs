//! Segments: what happens between one head and the next, as formulas.
//!
//! Heads are those of all loops, so that what lies between them has no cycle. A segment is over the variables of the program where it
//! begins; inputs, and variables where ways join with different values, are fresh symbols.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::termination::Loop;
use trellis_ivl::walk::Substitution;
use trellis_ivl::{Cmd, Edge, Loc, LocKind, Program, Term, Transfer, Var};

/// What variables hold; one that is not listed holds what it did at the beginning.
pub type Env = FxHashMap<Var, Term>;

/// A part of an execution from one head, or the entry, to the next.
#[derive(Clone)]
pub struct Segment {
    /// Where it begins; none for the entry.
    pub from: Option<Loc>,
    /// Where it ends.
    pub to: Loc,
    /// When it is taken.
    pub taken: Term,
    /// What holds at its end.
    pub env: Env,
}

#[derive(Clone)]
struct State {
    taken: Term,
    env: Env,
}

/// The program, cut at the heads of its loops.
pub struct Segments {
    /// A copy whose pool grows.
    pub program: Program,
    /// The heads.
    pub heads: FxHashSet<Loc>,
    /// The loops.
    pub loops: Vec<Loop>,
    adjacency: Adjacency,
    /// Reachable locations; edges that do not end at a head go forwards in it.
    order: Vec<Loc>,
    /// What edges do. No segment has an edge twice, so its inputs may be the same symbols in all.
    transfers: FxHashMap<Edge, Transfer>,
}

impl Segments {
    /// Cuts the flat `program` at the heads of `loops`, which are all of them.
    pub fn new(program: &Program, loops: &[Loop]) -> Segments {
        let heads: FxHashSet<Loc> = loops.iter().map(|l| l.head).collect();
        let adjacency = Adjacency::new(program);
        let reached = DepthFirst::new(program, &adjacency, program.entry()).order;
        let cut = Adjacency::of(program, |e| !heads.contains(&program.edges[e].to));
        let mut order = Vec::with_capacity(reached.len());
        let mut seen = FxHashSet::default();
        for root in reached {
            // Post-orders of a graph without cycles, put together.
            if !seen.contains(&root) {
                let part = DepthFirst::new(program, &cut, root).order;
                let fresh: Vec<Loc> = part.into_iter().filter(|l| seen.insert(*l)).collect();
                order.splice(0..0, fresh);
            }
        }
        Segments {
            program: program.clone(),
            heads,
            loops: loops.to_vec(),
            adjacency,
            order,
            transfers: FxHashMap::default(),
        }
    }

    /// The segments from a head, or the entry, along edges that `keep` accepts; those to one place are one.
    pub fn from(
        &mut self,
        from: Option<Loc>,
        keep: &dyn Fn(&Program, Edge) -> bool,
    ) -> Vec<Segment> {
        let tru = self.program.pool.tru();
        let start = from.unwrap_or_else(|| self.program.entry());
        let first = State {
            taken: tru,
            env: Env::default(),
        };
        let mut ends: BTreeMap<Loc, Vec<State>> = BTreeMap::new();
        if from.is_none() && self.heads.contains(&start) {
            ends.insert(start, vec![first]);
        } else {
            self.follow(start, first, keep, &mut ends);
        }
        let mut found = Vec::with_capacity(ends.len());
        for (to, states) in ends {
            let State { taken, env } = self.join(states);
            found.push(Segment {
                from,
                to,
                taken,
                env,
            });
        }
        found
    }

    fn follow(
        &mut self,
        start: Loc,
        first: State,
        keep: &dyn Fn(&Program, Edge) -> bool,
        ends: &mut BTreeMap<Loc, Vec<State>>,
    ) {
        let mut pending: FxHashMap<Loc, Vec<State>> = FxHashMap::default();
        pending.insert(start, vec![first]);
        for l in self.order.clone() {
            let Some(states) = pending.remove(&l) else {
                continue;
            };
            if self.program.locs[l].kind != LocKind::Plain {
                continue;
            }
            let here = self.join(states);
            for e in self.adjacency.out(l).to_vec() {
                if !keep(&self.program, e) {
                    continue;
                }
                let Some(cmd) = self.program.edge_cmd(e) else {
                    continue;
                };
                let mut after = here.clone();
                let completes = self.execute(e, cmd, &mut after.env);
                after.taken = self.program.pool.and(after.taken, completes);
                if self.program.pool.as_bool(after.taken) == Some(false) {
                    continue;
                }
                let to = self.program.edges[e].to;
                match self.heads.contains(&to) {
                    true => ends.entry(to).or_default().push(after),
                    false => pending.entry(to).or_default().push(after),
                }
            }
        }
    }

    /// `t` where variables hold what `env` says.
    pub fn at(&mut self, env: &Env, t: Term) -> Term {
        self.program.pool.substitute(t, env)
    }

    fn fresh(&mut self, v: Var) -> Term {
        let data = self.program.pool.var_data(v);
        let (name, ty) = (data.name.clone(), data.ty);
        let symbol = self.program.pool.fresh(name, ty);
        self.program.pool.var(symbol)
    }

    /// When the command of an edge completes from `env`, which becomes the state after it.
    fn execute(&mut self, e: Edge, cmd: Cmd, env: &mut Env) -> Term {
        let Program { pool, cmds, .. } = &mut self.program;
        let transfer = self.transfers.entry(e);
        let transfer = transfer.or_insert_with(|| Transfer::deciding(pool, cmds, cmd));
        let mut at = Substitution::new(env);
        let completes = at.apply(pool, transfer.guard);
        let values: Vec<(Var, Term)> = (transfer.updates.iter())
            .map(|(&v, &t)| (v, at.apply(pool, t)))
            .collect();
        env.extend(values);
        completes
    }

    /// Several ways as one: what differs is a fresh symbol that each way binds.
    fn join(&mut self, mut states: Vec<State>) -> State {
        if states.len() == 1 {
            return states.remove(0);
        }
        let mut vars: Vec<Var> = states.iter().flat_map(|s| s.env.keys().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut env = Env::default();
        let mut parts: Vec<Vec<Term>> = states.iter().map(|s| vec![s.taken]).collect();
        for v in vars {
            let own = self.program.pool.var(v);
            let values: Vec<Term> = states
                .iter()
                .map(|s| s.env.get(&v).copied().unwrap_or(own))
                .collect();
            if values.iter().all(|&t| t == values[0]) {
                env.insert(v, values[0]);
                continue;
            }
            let symbol = self.fresh(v);
            env.insert(v, symbol);
            for (part, value) in parts.iter_mut().zip(values) {
                let same = self.program.pool.eq(symbol, value);
                part.push(same);
            }
        }
        let pool = &mut self.program.pool;
        let ways: Vec<Term> = parts.into_iter().map(|p| pool.and_all(p)).collect();
        let taken = pool.or_all(ways);
        State { taken, env }
    }
}
