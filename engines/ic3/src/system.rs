//! From a program to the circuit, and back: paths to traces, clauses over latches to invariants.
//!
//! State bits and input bits are numbered; the circuit's latches and inputs refer to these numbers,
//! however much of the circuit is simplified away.
//!
//! The bad conditions have inputs of their own in the program. No query speaks of a bad condition
//! and a step at once, so they share the inputs of the step. Where a bad condition does not imply
//! that a step is possible (it does in programs made from hardware), the constraint becomes `step
//! possible or bad`: states it adds steps to are unsafe already, and a path is cut where it is bad.
//!
//! Initial states that are not a cube get a latch of their own, `first`, and a step before the
//! first that chooses one of them.

use crate::aig::{Aig, Node};
use crate::blast::{Blaster, TooLarge, bits_of};
use crate::lit::Lit;
use crate::model::{Input, Latch, Model};
use crate::words::Word;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl_passes::transition::{Path, ShapeError, TransitionSystem};
use trellis_plugin_sdk::ivl::{
    ArrayValue, Bv, Loc, LocKind, Op, Program, Term, TermPool, Trace, Type, Value, Var,
};

/// A bit of a variable.
pub type Bit = (Var, u32);

/// The program as a circuit.
pub struct System {
    ts: TransitionSystem,
    /// The circuit, as it comes.
    pub model: Model,
    /// State bits by number; the latch `first`, where there is one, has the number after them.
    state: Vec<Bit>,
    /// Input bits by number: of symbols of the step or the initial states; a state variable
    /// stands for its initial value.
    inputs: Vec<Bit>,
    /// Per bad condition: which input bits its own symbols take their values from.
    bad_inputs: Vec<BTreeMap<Var, Vec<u32>>>,
    /// Initial values that the circuit does not choose.
    fixed: FxHashMap<Var, Value>,
    /// Symbols of the initial states that equal state variables and occur nowhere else.
    aliases: Vec<(Var, Var)>,
    has_first: bool,
}

/// Why there is no circuit. (The user's pipeline or a limit.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSystem {
    /// The program has not the shape.
    Shape(ShapeError),
    /// It is too large.
    Size(TooLarge),
}

impl From<TooLarge> for NoSystem {
    fn from(e: TooLarge) -> Self {
        NoSystem::Size(e)
    }
}

/// The bits of values, numbered on.
struct Leaves<'a> {
    aig: &'a mut Aig,
    bits: Vec<Bit>,
}

impl Leaves<'_> {
    fn word(&mut self, pool: &TermPool, v: Var) -> Result<Word, TooLarge> {
        let bits = bits_of(pool.var_ty(v))?;
        self.bits.extend((0..bits as u32).map(|i| (v, i)));
        Ok((0..bits).map(|_| self.aig.leaf()).collect())
    }
}

impl System {
    /// The circuit of a program; `wanted` chooses the locations that count as bad, and `hints` are conditions over
    /// the state that lemmas would like to mention.
    pub fn new(
        program: &mut Program,
        wanted: impl Fn(&LocKind) -> bool,
        hints: &[Term],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<System, NoSystem> {
        let ts = TransitionSystem::new(program).map_err(NoSystem::Shape)?;
        let pool = &program.pool;
        let mut aig = Aig::default();
        let mut words: FxHashMap<Var, Word> = FxHashMap::default();
        let mut leaves = Leaves {
            aig: &mut aig,
            bits: Vec::new(),
        };
        for &v in &ts.state {
            words.insert(v, leaves.word(pool, v)?);
        }
        let state = std::mem::take(&mut leaves.bits);
        for &v in &ts.inputs {
            words.insert(v, leaves.word(pool, v)?);
        }
        let inputs = std::mem::take(&mut leaves.bits);
        let state_words: Vec<Word> = ts.state.iter().map(|v| words[v].clone()).collect();
        let mut system = System {
            ts,
            model: Model::default(),
            state,
            inputs,
            bad_inputs: Vec::new(),
            fixed: FxHashMap::default(),
            aliases: Vec::new(),
            has_first: false,
        };
        let bads = system.bads(program, &mut aig, &words, wanted, stop)?;
        let mut blaster = Blaster::new(words);
        let constraint = blaster.literal(&mut aig, pool, system.ts.constraint, stop)?;
        let mut next: Vec<Lit> = Vec::with_capacity(system.state.len());
        for v in &system.ts.state {
            next.extend(blaster.word(&mut aig, pool, system.ts.next[v], stop)?);
        }
        for &hint in hints {
            let of_state = pool
                .free_vars([hint])
                .iter()
                .all(|v| system.ts.next.contains_key(v));
            if of_state {
                let lit = blaster.literal(&mut aig, pool, hint, stop)?;
                system.model.hints.push(lit);
            }
        }
        // It is as large as the circuit.
        drop(blaster);
        let bad = aig.or_all(&bads);
        let constraints = conjuncts(&aig, constraint);
        let implied = |b: &Lit| {
            let own: FxHashSet<Lit> = conjuncts(&aig, *b).into_iter().collect();
            own.contains(&Lit::FALSE) || constraints.iter().all(|c| own.contains(c))
        };
        let constraints = match bads.iter().all(implied) {
            true => constraints,
            false => vec![aig.or(constraint, bad)],
        };
        system.model.constraints = constraints;
        system.model.bad = bad;
        system.model.aig = aig;
        system.finish(program, &state_words, next, stop)?;
        Ok(system)
    }

    /// The bad conditions as literals, with inputs shared by position and type.
    fn bads(
        &mut self,
        program: &Program,
        aig: &mut Aig,
        words: &FxHashMap<Var, Word>,
        wanted: impl Fn(&LocKind) -> bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Lit>, TooLarge> {
        let pool = &program.pool;
        let mut number: FxHashMap<Lit, u32> = FxHashMap::default();
        let mut by_type: BTreeMap<Type, Vec<Word>> = BTreeMap::new();
        for v in &self.ts.inputs {
            let list = by_type.entry(pool.var_ty(*v)).or_default();
            list.push(words[v].clone());
            for &lit in &words[v] {
                number.insert(lit, number.len() as u32);
            }
        }
        let mut bads = Vec::new();
        for i in 0..self.ts.bads.len() {
            let bad = &self.ts.bads[i];
            let mut used: BTreeMap<Type, usize> = BTreeMap::new();
            let mut map = words.clone();
            let mut own = BTreeMap::new();
            for &v in &bad.condition.inputs {
                let ty = pool.var_ty(v);
                let at = used.entry(ty).or_default();
                let list = by_type.entry(ty).or_default();
                if *at == list.len() {
                    let mut leaves = Leaves {
                        aig,
                        bits: std::mem::take(&mut self.inputs),
                    };
                    let word = leaves.word(pool, v)?;
                    self.inputs = leaves.bits;
                    for &lit in &word {
                        number.insert(lit, number.len() as u32);
                    }
                    list.push(word);
                }
                let word = list[*at].clone();
                *at += 1;
                own.insert(v, word.iter().map(|l| number[l]).collect());
                map.insert(v, word);
            }
            self.bad_inputs.push(own);
            if wanted(&program.locs[bad.loc].kind) {
                let term = bad.condition.term;
                bads.push(Blaster::new(map).literal(aig, pool, term, stop)?);
            }
        }
        // Leaves that the step's inputs and the bad conditions made, in the order of their numbers.
        let mut leaves: Vec<(u32, Lit)> = number.into_iter().map(|(l, n)| (n, l)).collect();
        leaves.sort_unstable();
        self.model.inputs = leaves
            .into_iter()
            .map(|(bit, lit)| Input {
                var: lit.var(),
                bit,
            })
            .collect();
        Ok(bads)
    }

    /// The initial states, and the latches.
    fn finish(
        &mut self,
        program: &Program,
        words: &[Word],
        next: Vec<Lit>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), TooLarge> {
        let pool = &program.pool;
        let parts = Initial::new(pool, &self.ts);
        self.fixed = parts.values;
        self.aliases = parts.aliases;
        let vars: Vec<Lit> = words.iter().flatten().copied().collect();
        let constant: Vec<Option<bool>> = self
            .state
            .iter()
            .map(|&(v, i)| self.fixed.get(&v).map(|value| value_bit(value, i)))
            .collect();
        if parts.rest.is_empty() {
            self.model.latches = (0..vars.len())
                .map(|i| Latch {
                    var: vars[i].var(),
                    next: next[i],
                    init: constant[i],
                    bit: i as u32,
                })
                .collect();
            return Ok(());
        }
        self.has_first = true;
        let aig = &mut self.model.aig;
        let before = self.inputs.len() as u32;
        let mut leaves = Leaves {
            aig,
            bits: std::mem::take(&mut self.inputs),
        };
        let from = leaves.aig.len() as u32;
        let mut map = FxHashMap::default();
        for &v in &self.ts.state {
            let word = match self.fixed.get(&v) {
                None => leaves.word(pool, v)?,
                Some(value) => (0..bits_of(pool.var_ty(v))? as u32)
                    .map(|i| Lit::constant(value_bit(value, i)))
                    .collect(),
            };
            map.insert(v, word);
        }
        for &v in &self.ts.init.inputs {
            map.insert(v, leaves.word(pool, v)?);
        }
        self.inputs = leaves.bits;
        let made = (before..self.inputs.len() as u32).enumerate();
        let made = made.map(|(i, bit)| Input {
            var: from + i as u32,
            bit,
        });
        self.model.inputs.extend(made);
        let first = aig.leaf();
        let chosen: Vec<Lit> = self.ts.state.iter().flat_map(|v| map[v].clone()).collect();
        let mut blaster = Blaster::new(map);
        let mut constraints: Vec<Lit> = Vec::new();
        for &c in &self.model.constraints {
            constraints.push(aig.or(first, c));
        }
        for part in parts.rest {
            let lit = blaster.literal(aig, pool, part, stop)?;
            constraints.push(aig.or(!first, lit));
        }
        self.model.constraints = constraints;
        self.model.bad = aig.and(self.model.bad, !first);
        let mut latches: Vec<Latch> = Vec::with_capacity(vars.len() + 1);
        for i in 0..vars.len() {
            latches.push(Latch {
                var: vars[i].var(),
                next: aig.ite(first, chosen[i], next[i]),
                init: Some(false),
                bit: i as u32,
            });
        }
        latches.push(Latch {
            var: first.var(),
            next: Lit::FALSE,
            init: Some(true),
            bit: vars.len() as u32,
        });
        self.model.latches = latches;
        Ok(())
    }

    /// The number of the latch `first`, where there is one.
    pub fn first(&self) -> Option<u32> {
        self.has_first.then_some(self.state.len() as u32)
    }

    /// Number of state bits, `first` included.
    pub fn state_bits(&self) -> usize {
        self.state.len() + usize::from(self.has_first)
    }

    /// Number of input bits.
    pub fn input_bits(&self) -> usize {
        self.inputs.len()
    }

    /// A state bit as a term.
    pub fn bit_term(&self, pool: &mut TermPool, bit: u32) -> Term {
        let (v, i) = self.state[bit as usize];
        let var = pool.var(v);
        let (word, i) = match pool.var_ty(v) {
            Type::Bool => return var,
            Type::Bv(_) => (var, i),
            Type::Array { index, elem } => {
                let at = pool.num(index, u64::from(i / elem));
                (pool.select(var, at), i % elem)
            }
        };
        let bit = pool.extract(i, i, word);
        let one = pool.num(1, 1);
        pool.eq(bit, one)
    }

    /// The trace of a run of the circuit: the first state and the inputs of each step, of which
    /// the last one is bad. Which condition it is, is found by evaluating them.
    pub fn trace(
        &self,
        program: &Program,
        state: &[bool],
        steps: &[Vec<bool>],
    ) -> Option<(Loc, Trace)> {
        let mut path = Path::default();
        let mut steps = steps;
        let state_bits: Vec<bool> = match self.has_first {
            false => state.to_vec(),
            true => {
                let (first, rest) = steps.split_first()?;
                steps = rest;
                let mut chosen = FxHashMap::default();
                for (&bit, &value) in self.inputs.iter().zip(first) {
                    chosen.insert(bit, value);
                }
                for &v in &self.ts.init.inputs {
                    let ty = program.pool.var_ty(v);
                    let bit = |i| chosen.get(&(v, i)).copied().unwrap_or(false);
                    path.init.insert(v, value_of(ty, bit));
                }
                let bit = |&(v, i): &Bit| match self.fixed.get(&v) {
                    Some(value) => value_bit(value, i),
                    None => chosen.get(&(v, i)).copied().unwrap_or(false),
                };
                self.state.iter().map(bit).collect()
            }
        };
        let mut at = 0;
        for &v in &self.ts.state {
            let ty = program.pool.var_ty(v);
            let value = value_of(ty, |i| state_bits[at + i as usize]);
            at += bits_of(ty).ok()?;
            path.init.insert(v, value);
        }
        for &(symbol, v) in &self.aliases {
            let value = path.init.get(&v).cloned()?;
            path.init.insert(symbol, value);
        }
        let (last, steps) = steps.split_last()?;
        for inputs in steps {
            let bits: FxHashMap<Bit, bool> = self
                .inputs
                .iter()
                .copied()
                .zip(inputs.iter().copied())
                .collect();
            let step = self.ts.inputs.iter().map(|&v| {
                let bit = |i| bits.get(&(v, i)).copied().unwrap_or(false);
                (v, value_of(program.pool.var_ty(v), bit))
            });
            path.steps.push(step.collect());
        }
        self.end(program, path, last)
    }

    /// Tries the bad conditions in the last state, errors first.
    fn end(&self, program: &Program, mut path: Path, inputs: &[bool]) -> Option<(Loc, Trace)> {
        let is_error = |l: Loc| matches!(program.locs[l].kind, LocKind::Error(_));
        let mut order: Vec<usize> = (0..self.ts.bads.len()).collect();
        order.sort_by_key(|&i| !is_error(self.ts.bads[i].loc));
        for i in order {
            let own = self.bad_inputs[i].iter().map(|(&v, bits)| {
                let bit = |k: u32| inputs[bits[k as usize] as usize];
                (v, value_of(program.pool.var_ty(v), bit))
            });
            path.bad = Some((i, own.collect()));
            let trace = self.ts.trace(program, &path);
            if trellis_plugin_sdk::ivl::replay(program, &trace).is_ok() {
                return Some((self.ts.bads[i].loc, trace));
            }
        }
        None
    }
}

/// The literals whose conjunction a literal is, through gates with any number of users.
fn conjuncts(aig: &Aig, root: Lit) -> Vec<Lit> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![root]);
    while let Some(lit) = stack.pop() {
        if lit == Lit::TRUE || !seen.insert(lit) {
            continue;
        }
        match aig.nodes()[lit.at()] {
            Node::And(a, b) if lit.is_positive() => stack.extend([b, a]),
            _ => found.push(lit),
        }
    }
    found
}

/// The conjuncts of the initial states, by what they say.
struct Initial {
    values: FxHashMap<Var, Value>,
    aliases: Vec<(Var, Var)>,
    rest: Vec<Term>,
}

impl Initial {
    fn new(pool: &TermPool, ts: &TransitionSystem) -> Initial {
        let is_open = |&t: &Term| pool.as_bool(t) != Some(true);
        let parts: Vec<Term> = pool.conjuncts(ts.init.term).filter(is_open).collect();
        let mut uses: FxHashMap<Var, u32> = FxHashMap::default();
        for &part in &parts {
            for v in pool.free_vars([part]) {
                *uses.entry(v).or_default() += 1;
            }
        }
        let is_state = |v: Var| ts.state.binary_search(&v).is_ok();
        let inputs: FxHashSet<Var> = ts.init.inputs.iter().copied().collect();
        let mut initial = Initial {
            values: FxHashMap::default(),
            aliases: Vec::new(),
            rest: Vec::new(),
        };
        for part in parts {
            let simple = equation(pool, part).filter(|e| is_state(e.0) && uses[&e.0] == 1);
            match simple {
                Some((v, Side::Value(value))) => {
                    initial.values.insert(v, value);
                }
                Some((v, Side::Var(u))) if inputs.contains(&u) && uses[&u] == 1 => {
                    initial.aliases.push((u, v));
                }
                _ => initial.rest.push(part),
            }
        }
        initial
    }
}

enum Side {
    Value(Value),
    Var(Var),
}

/// A term as `v = side`, the state variable having the smaller number.
fn equation(pool: &TermPool, t: Term) -> Option<(Var, Side)> {
    if let Some(v) = pool.as_var(t) {
        return Some((v, Side::Value(Value::Bool(true))));
    }
    match pool.op(t) {
        Op::Not => {
            let v = pool.as_var(pool.arg(t, 0))?;
            Some((v, Side::Value(Value::Bool(false))))
        }
        Op::Eq => {
            let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
            match (pool.as_var(a), pool.as_var(b)) {
                (Some(x), Some(y)) => Some((x.min(y), Side::Var(x.max(y)))),
                (Some(x), None) => Some((x, Side::Value(pool.const_value(b)?))),
                (None, Some(y)) => Some((y, Side::Value(pool.const_value(a)?))),
                (None, None) => None,
            }
        }
        _ => None,
    }
}

fn value_of(ty: Type, bit: impl Fn(u32) -> bool) -> Value {
    let word = |from: u32, width: u32| {
        let bits: Vec<bool> = (from..from + width).map(&bit).collect();
        Bv::from_bits(&bits)
    };
    match ty {
        Type::Bool => Value::Bool(bit(0)),
        Type::Bv(width) => Value::Bv(word(0, width)),
        Type::Array { index, elem } => {
            let mut array = ArrayValue::constant(index, Bv::zero(elem));
            for i in 0..1u32 << index {
                let value = word(i * elem, elem);
                if !value.is_zero() {
                    array = array.store(Bv::new(index, u64::from(i)), value);
                }
            }
            Value::from(array)
        }
    }
}

fn value_bit(value: &Value, i: u32) -> bool {
    match value {
        Value::Bool(bit) => *bit,
        Value::Bv(word) => word.bit(i),
        Value::Array(array) => {
            let elem = array.default().width();
            let at = Bv::new(array.index_width(), u64::from(i / elem));
            array.select(&at).bit(i % elem)
        }
    }
}
