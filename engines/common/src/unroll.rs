//! The incremental unrolling: all loops at once, one more round per step, nothing ever rebuilt.
//!
//! The idea of one formula that only grows is that of 2LS (Kroening, Malik, Schrammel, Vojnar, Sect. 4.3
//! and 5.4). 2LS unwinds each loop into copies of its body and merges the exits of all copies in one place,
//! which it must reopen with an assumption literal whenever a copy is added; nested loops multiply.
//! Here a round is instead one *segment* of every execution: from wherever it stands at its i-th visit of a
//! loop head to wherever it stands at the next visit. Layer `i` holds the guard and the values of each
//! head at that visit; the join at a head takes arrivals from one layer only, so it is complete when it is
//! made and there is no merge to reopen. What differs per query, which layer's errors are asked for, is an
//! assumption. The size is linear in the number of rounds for any nesting, every graph is handled (the
//! heads cut irreducible ones too), and k counts what the checker counts: visits of any loop head. The
//! price is that code behind a loop appears in every layer that can leave the loop; constants and false
//! guards cut much of it.
//!
//! An execution takes at most one edge to a plain location per location and layer: where guards overlap, fresh
//! selectors decide. So arrivals at a join exclude one another and its values are if-then-else terms over their guards.

pub(crate) mod round;

use crate::cfa::Cfa;
use crate::execution::Execution;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Loc, LocKind, Op, Term, TermPool, Trace, Type, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// Values of the live variables of a location.
pub type Env = FxHashMap<Var, Term>;

/// An execution is at some location when `guard` holds, with the values of `env`.
#[derive(Clone)]
pub struct State {
    /// When it is here.
    pub guard: Term,
    /// Values of the live variables.
    pub env: Env,
}

/// One edge in one layer.
pub(crate) struct Instance {
    pub(crate) edge: Edge,
    pub(crate) taken: Term,
    /// Stand for the inputs of the edge's transfer function, in its order.
    pub(crate) inputs: Vec<Term>,
}

/// What happens between one visit of a head and the next.
#[derive(Default)]
struct Layer {
    /// Where the segment begins.
    front: BTreeMap<Loc, State>,
    /// The edges of the segment by source.
    leaving: BTreeMap<Loc, Vec<Instance>>,
    /// When the segment ends in an error or incomplete location.
    targets: BTreeMap<Loc, Term>,
    /// Symbols that decide between edges with overlapping guards.
    selectors: Vec<Term>,
}

/// Figures of an unrolling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnrollStats {
    /// Edge instances encoded.
    pub instances: u64,
    /// Edge instances encoded again in a layer that had them: zero, or the unrolling is broken.
    pub re_encoded: u64,
    /// Edges not encoded because their guard is false by constants.
    pub cut: u64,
    /// Definitions given to the solver.
    pub definitions: u64,
}

impl UnrollStats {
    /// Adds the figures by name.
    pub fn report(&self, to: &mut BTreeMap<&'static str, u64>) {
        for (name, n) in [
            ("edge instances", self.instances),
            ("edge instances re-encoded", self.re_encoded),
            ("edge instances cut", self.cut),
            ("definitions", self.definitions),
        ] {
            *to.entry(name).or_default() += n;
        }
    }
}

/// The unrolling of a program from the entry, or from any visit of a loop head.
pub struct Unrolling {
    layers: Vec<Layer>,
    /// The number of layers in which each edge has been encoded.
    encoded: SecondaryMap<Edge, u32>,
    start: BTreeMap<Var, Term>,
    definitions: FxHashMap<Var, Term>,
    stats: UnrollStats,
}

impl Unrolling {
    /// Executions from the entry; the program's variables stand for their own initial values.
    pub fn from_entry(cfa: &mut Cfa) -> Unrolling {
        let entry = cfa.program.entry();
        let mut front = BTreeMap::new();
        let mut start = BTreeMap::new();
        if cfa.has_targets() {
            let mut env = Env::default();
            for v in cfa.live(entry).to_vec() {
                let own = cfa.program.pool.var(v);
                env.insert(v, own);
                start.insert(v, own);
            }
            let guard = cfa.program.pool.tru();
            front.insert(entry, State { guard, env });
        }
        Unrolling::with_front(front, start)
    }

    /// Sequences of segments from any state at any head; fresh symbols stand for its values.
    pub fn from_heads(cfa: &mut Cfa) -> Unrolling {
        let heads = cfa.heads().to_vec();
        let mut start: BTreeMap<Var, Term> = BTreeMap::new();
        for &h in &heads {
            for &v in cfa.live(h).to_vec().iter() {
                let pool = &mut cfa.program.pool;
                start.entry(v).or_insert_with(|| fresh_like(pool, v));
            }
        }
        let mut front = BTreeMap::new();
        let pool = &mut cfa.program.pool;
        let guards = selectors(pool, heads.len(), &mut Vec::new());
        for (&h, guard) in heads.iter().zip(guards) {
            let live = cfa.live(h).to_vec();
            let env = live.into_iter().map(|v| (v, start[&v])).collect();
            front.insert(h, State { guard, env });
        }
        Unrolling::with_front(front, start)
    }

    pub(crate) fn with_front(front: BTreeMap<Loc, State>, start: BTreeMap<Var, Term>) -> Unrolling {
        let layer = Layer {
            front,
            ..Layer::default()
        };
        Unrolling {
            layers: vec![layer],
            encoded: SecondaryMap::new(),
            start,
            definitions: FxHashMap::default(),
            stats: UnrollStats::default(),
        }
    }

    /// Number of segments unrolled.
    pub fn segments(&self) -> usize {
        self.layers.len() - 1
    }

    /// The heads (or, at 0, the start) at visit `layer`, which may be 0 up to the number of segments.
    pub fn front(&self, layer: usize) -> &BTreeMap<Loc, State> {
        &self.layers[layer].front
    }

    /// When segment `segment`, counted from 1, ends in which error or incomplete location.
    pub fn targets(&self, segment: usize) -> &BTreeMap<Loc, Term> {
        &self.layers[segment - 1].targets
    }

    /// The symbols that stand for the values at the start.
    pub fn start(&self) -> &BTreeMap<Var, Term> {
        &self.start
    }

    /// Figures.
    pub fn stats(&self) -> UnrollStats {
        self.stats
    }

    /// The symbols of all that is open on the way through segment `segment`, counted from 1: inputs,
    /// choices, selectors of edges.
    pub fn inputs(&self, cfa: &Cfa, segment: usize) -> Vec<Term> {
        let layer = &self.layers[segment - 1];
        let mut symbols = layer.selectors.clone();
        for i in layer.leaving.values().flatten() {
            let open = i.inputs.iter();
            symbols.extend(open.filter(|&&t| cfa.program.pool.as_var(t).is_some()));
        }
        symbols
    }

    /// The substitution that puts an execution at `head` at the start, with the program's variables for
    /// the symbols of its values.
    pub fn start_at(&self, pool: &mut TermPool, head: Loc) -> FxHashMap<Var, Term> {
        let mut map = FxHashMap::default();
        for (&v, &symbol) in &self.start {
            let symbol = pool.as_var(symbol).expect("a start symbol is a variable");
            map.insert(symbol, pool.var(v));
        }
        // The guard of the head is a conjunction of selectors and their negations.
        let mut todo = vec![(self.layers[0].front[&head].guard, true)];
        while let Some((t, value)) = todo.pop() {
            match (pool.op(t), pool.as_var(t)) {
                (_, Some(v)) => {
                    let value = pool.bool(value);
                    map.insert(v, value);
                }
                (Op::Not, _) => todo.push((pool.arg(t, 0), !value)),
                _ => todo.extend(pool.args(t).map(|a| (a, value))),
            }
        }
        map
    }

    /// `t` with the definitions of guards unfolded and the symbols in `map` replaced, simplified on the
    /// way.
    pub fn unfold(&self, pool: &mut TermPool, t: Term, map: &FxHashMap<Var, Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![t];
        let mut args = Vec::with_capacity(3);
        while let Some(&u) = stack.last() {
            if done.contains_key(&u) {
                stack.pop();
                continue;
            }
            args.clear();
            let waiting = stack.len();
            let mut need = |a: Term, stack: &mut Vec<Term>| match done.get(&a) {
                Some(&d) => args.push(d),
                None => stack.push(a),
            };
            let var = pool.as_var(u);
            let defined = var
                .filter(|v| !map.contains_key(v))
                .and_then(|v| self.definitions.get(&v));
            match defined {
                Some(&definition) => need(definition, &mut stack),
                None => pool.args(u).for_each(|a| need(a, &mut stack)),
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let result = match var {
                Some(_) if defined.is_some() => args[0],
                Some(v) => map.get(&v).copied().unwrap_or(u),
                None if args.is_empty() => u,
                None => pool.rebuild(u, &args),
            };
            done.insert(u, result);
        }
        done[&t]
    }

    /// The execution that the session's model describes, up to the first error it can reach.
    ///
    /// # Errors
    /// When the model reaches no error within the unrolled segments.
    pub fn trace(&self, cfa: &Cfa, session: &mut dyn SmtSession) -> Result<Trace, EngineError> {
        let pool = &cfa.program.pool;
        let mut initial = BTreeMap::new();
        for (&v, &symbol) in &self.start {
            initial.insert(v, session.value(pool, symbol)?);
        }
        let mut execution = Execution::new(initial);
        let mut layer = 0;
        let mut at = None;
        for (&l, state) in &self.layers[0].front {
            if at.is_none() && is_true(session, pool, state.guard)? {
                at = Some(l);
            }
        }
        let mut at = at.ok_or_else(|| no_edge(cfa.program.entry()))?;
        while cfa.program.locs[at].kind == LocKind::Plain {
            let instances = self.layers[layer].leaving.get(&at);
            // An error if it can be reached here; the way to another one otherwise.
            let mut taken: Option<&Instance> = None;
            for i in instances.into_iter().flatten() {
                let kind = &cfa.program.locs[cfa.program.edges[i.edge].to].kind;
                let wanted = match kind {
                    LocKind::Error(_) => true,
                    LocKind::Plain => taken.is_none(),
                    LocKind::Incomplete(_) => false,
                };
                if wanted && is_true(session, pool, i.taken)? {
                    taken = Some(i);
                }
            }
            let instance = taken.ok_or_else(|| no_edge(at))?;
            let mut inputs = Vec::with_capacity(instance.inputs.len());
            for &symbol in &instance.inputs {
                inputs.push(session.value(pool, symbol)?);
            }
            execution.take(cfa, instance.edge, inputs);
            at = cfa.program.edges[instance.edge].to;
            if cfa.is_head(at) {
                layer += 1;
            }
        }
        Ok(execution.into_trace())
    }
}

/// `n` guards of which exactly one holds; appends their symbols.
fn selectors(pool: &mut TermPool, n: usize, symbols: &mut Vec<Term>) -> Vec<Term> {
    let mut guards = Vec::with_capacity(n);
    let mut rest = pool.tru();
    for i in 0..n {
        if i + 1 == n {
            guards.push(rest);
            break;
        }
        let v = pool.fresh("take", Type::Bool);
        let v = pool.var(v);
        symbols.push(v);
        guards.push(pool.and(rest, v));
        let other = pool.not(v);
        rest = pool.and(rest, other);
    }
    guards
}

fn fresh_like(pool: &mut TermPool, v: Var) -> Term {
    let data = pool.var_data(v);
    let (name, ty) = (data.name.clone(), data.ty);
    let symbol = pool.fresh(name, ty);
    pool.var(symbol)
}

/// A model that describes no execution: our bug.
pub(crate) fn no_edge(at: Loc) -> EngineError {
    let why = format!("a model of the solver describes no execution: no edge is taken at {at}");
    EngineError::Internal(why)
}

pub(crate) fn is_true(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    t: Term,
) -> Result<bool, EngineError> {
    Ok(session.value(pool, t)? == Value::Bool(true))
}
