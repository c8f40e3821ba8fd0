//! Interpolants from refutations of a SAT solver (McMillan, "Interpolation and SAT-based model checking", CAV 2003; Pudlák, "Lower bounds for
//! resolution and cutting plane proofs and monotone computations", JSL 1997).
//!
//! 1. Every part becomes gates, and its gates clauses, with variables of its own: parts share nothing but the bits of their variables
//!    ([`Clauses`]).
//! 2. CaDiCaL refutes them, with a proof (LRAT) that our checker has accepted ([`refute`]).
//! 3. Each clause of the proof that the empty one rests on becomes a chain of resolutions, by repeating its propagations
//!    ([`Chains`]).
//! 4. For each cut, clauses get partial interpolants along the chains, by the rules of a [`System`]; that of the empty clause is
//!    the interpolant, as gates over common bits, and then as a term ([`Gates`]).
//!
//! With one proof and one system for all cuts the interpolants are a sequence. Where parts read arrays, or bits have no name that two parts
//! share, there is nothing to say here.

use crate::interpolator::gave_up;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};
use trellis_ivl::{Term, TermPool, Type, Var};
use trellis_solver_api::sat::{Lit, SatBackend};
use trellis_solver_api::{Answer, SessionConfig, SolverError, StopClock};
use trellis_solver_bitblast::aig::{Aig, AigLit, Gate};
use trellis_solver_bitblast::netlist::Netlist;
use trellis_solver_cadical::{ProvedCadical, Refutation};
use trellis_solver_lrat::{Formula, Rejection, Step, text};
use trellis_solver_support::Watchdog;

/// Gates of the interpolants of one refutation at most: what is larger is of no use to anybody.
const MAX_GATES: u32 = 1 << 22;

/// After so many steps of a proof it is asked whether to go on.
const PATIENCE: usize = 256;

/// How partial interpolants are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// McMillan's, whose interpolants are the stronger ones: common variables belong to what is to come.
    McMillan,
    /// Pudlák's, which treats both sides alike.
    Pudlak,
}

/// What was found.
pub(crate) enum Found {
    /// A sequence interpolant.
    Sequence(Vec<Term>),
    /// The parts have a model.
    Model,
    /// Nothing can be said by proofs of a SAT solver: there are arrays, or the proof or what it gives is too large.
    Nothing,
}

/// A sequence interpolant of `parts`.
pub(crate) fn sequence(
    pool: &mut TermPool,
    parts: &[Term],
    system: System,
    clock: &StopClock,
) -> Result<Found, SolverError> {
    let arrays = |v: &Var| matches!(pool.var_ty(*v), Type::Array { .. });
    if pool.free_vars(parts.iter().copied()).iter().any(arrays) {
        return Ok(Found::Nothing);
    }
    let mut clauses = Clauses::default();
    if !clauses.add_parts(pool, parts)? {
        return Ok(Found::Nothing);
    }
    let refutation = match refute(&clauses, clock)? {
        Ok(refutation) => refutation,
        Err(found) => return Ok(found),
    };
    let Some(proof) = refutation.proof else {
        return Ok(Found::Nothing);
    };
    let nothing = || match clock.stop_reason() {
        Some(reason) => Err(gave_up(reason)),
        None => Ok(Found::Nothing),
    };
    let Some(chains) = Chains::new(&refutation.formula, &proof, clock) else {
        return nothing();
    };
    let mut sequence = vec![pool.tru()];
    for cut in 1..parts.len() {
        let mut gates = Gates::new(&clauses, cut as u32, system);
        let Some(root) = gates.interpolant(&chains, clock) else {
            return nothing();
        };
        sequence.push(gates.term(pool, root));
    }
    sequence.push(pool.fls());
    Ok(Found::Sequence(sequence))
}

/// A bit of a variable that was asked about.
#[derive(Clone, Copy)]
struct Bit {
    var: Var,
    index: u32,
}

/// The clauses of all parts.
#[derive(Default)]
struct Clauses {
    /// Each ended by nothing: literals by clause.
    list: Vec<Vec<Lit>>,
    /// By clause: its part.
    part: Vec<u32>,
    /// By variable of the solver, from 1: the first and the last part it occurs in.
    range: Vec<(u32, u32)>,
    /// By variable of the solver: the bit it stands for.
    bits: FxHashMap<u32, Bit>,
}

impl Clauses {
    fn variable(&mut self, part: u32) -> Lit {
        self.range.push((part, part));
        let number = self.range.len() as u32;
        Lit::positive(number).expect("few enough variables")
    }

    fn touch(&mut self, lit: Lit, part: u32) {
        let range = &mut self.range[lit.var() as usize - 1];
        *range = (range.0.min(part), range.1.max(part));
    }

    fn clause(&mut self, part: u32, lits: &[Lit]) {
        self.list.push(lits.to_vec());
        self.part.push(part);
    }

    /// Adds the clauses of the parts; false if two of them share a bit that has no name.
    fn add_parts(&mut self, pool: &mut TermPool, parts: &[Term]) -> Result<bool, SolverError> {
        let mut netlist = Netlist::new();
        let mut bit_of: FxHashMap<u32, Bit> = FxHashMap::default();
        for var in pool.free_vars(parts.iter().copied()) {
            let term = pool.var(var);
            for (index, lit) in (0..).zip(netlist.bits(pool, term)?) {
                bit_of.insert(lit.node(), Bit { var, index });
            }
        }
        let mut inputs: FxHashMap<u32, Lit> = FxHashMap::default();
        for (part, &t) in (0..).zip(parts) {
            let root = netlist.bits(pool, t)?[0];
            let mut lits: FxHashMap<u32, Lit> = FxHashMap::default();
            for node in inputs_and_cone(&netlist, root) {
                if netlist.aig().gate(node) == Gate::Input {
                    let lit = match inputs.get(&node) {
                        Some(&lit) => lit,
                        None => self.variable(part),
                    };
                    self.touch(lit, part);
                    match bit_of.get(&node) {
                        Some(&bit) => _ = self.bits.insert(lit.var(), bit),
                        None if inputs.contains_key(&node) => return Ok(false),
                        None => {}
                    }
                    inputs.insert(node, lit);
                    lits.insert(node, lit);
                } else {
                    let lit = self.variable(part);
                    lits.insert(node, lit);
                    self.gate(part, netlist.aig().gate(node), lit, &lits);
                }
            }
            match root.as_constant() {
                Some(true) => {}
                Some(false) => self.clause(part, &[]),
                None => self.clause(part, &[literal(&lits, root)]),
            }
        }
        Ok(true)
    }

    /// What a gate computes.
    fn gate(&mut self, part: u32, gate: Gate, out: Lit, lits: &FxHashMap<u32, Lit>) {
        let args: Vec<Lit> = arguments(gate).iter().map(|&a| literal(lits, a)).collect();
        if let Gate::And(..) = gate {
            self.clause(part, &[!out, args[0]]);
            self.clause(part, &[!out, args[1]]);
            self.clause(part, &[out, !args[0], !args[1]]);
            return;
        }
        // One clause for each row of the table.
        for row in 0..1u32 << args.len() {
            let bit = |i: usize| row >> i & 1 == 1;
            let value = match gate {
                Gate::Xor(..) => bit(0) ^ bit(1),
                Gate::Xor3(..) => bit(0) ^ bit(1) ^ bit(2),
                Gate::Maj(..) => [bit(0), bit(1), bit(2)].iter().filter(|&&b| b).count() > 1,
                _ => bit(if bit(0) { 1 } else { 2 }),
            };
            let mut clause = vec![if value { out } else { !out }];
            let row = args.iter().enumerate();
            clause.extend(row.map(|(i, &a)| if bit(i) { !a } else { a }));
            self.clause(part, &clause);
        }
    }
}

fn literal(lits: &FxHashMap<u32, Lit>, lit: AigLit) -> Lit {
    let plain = lits[&lit.node()];
    match lit.is_inverted() {
        true => !plain,
        false => plain,
    }
}

fn arguments(gate: Gate) -> Vec<AigLit> {
    match gate {
        Gate::False | Gate::Input => Vec::new(),
        Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
        Gate::Xor3(a, b, c) | Gate::Maj(a, b, c) | Gate::Ite(a, b, c) => vec![a, b, c],
    }
}

/// The nodes that a root is computed by, inputs included, arguments first.
fn inputs_and_cone(netlist: &Netlist, root: AigLit) -> Vec<u32> {
    let aig = netlist.aig();
    let cone = netlist.cone(&[root]);
    let mut nodes = Vec::with_capacity(cone.len());
    let mut seen = FxHashSet::default();
    let mut input = |lit: AigLit, nodes: &mut Vec<u32>| {
        if aig.gate(lit.node()) == Gate::Input && seen.insert(lit.node()) {
            nodes.push(lit.node());
        }
    };
    input(root, &mut nodes);
    for node in cone {
        for lit in arguments(aig.gate(node)) {
            input(lit, &mut nodes);
        }
        nodes.push(node);
    }
    nodes
}

/// Refutes all clauses, with a proof.
fn refute(clauses: &Clauses, clock: &StopClock) -> Result<Result<Refutation, Found>, SolverError> {
    let kept: Arc<Mutex<Option<Refutation>>> = Arc::default();
    let keeper = kept.clone();
    let keep = Arc::new(move |refutation| {
        *keeper.lock().unwrap_or_else(PoisonError::into_inner) = Some(refutation);
    });
    let mut session = ProvedCadical::keeping(keep).session(&SessionConfig::default())?;
    for clause in &clauses.list {
        session.add_clause(clause);
    }
    if let Some(reason) = clock.stop_reason() {
        return Err(gave_up(reason));
    }
    let inner = session.interrupter();
    let mut watchdog = Watchdog::new(move || inner.interrupt());
    let answer = watchdog.watch(clock, || session.solve())?;
    Ok(match answer {
        Answer::Sat => Err(Found::Model),
        Answer::Unknown(reason) => return Err(gave_up(clock.stop_reason().unwrap_or(reason))),
        Answer::Unsat => {
            let found = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
            found.ok_or(Found::Nothing)
        }
    })
}

/// Clauses to resolve with, each with the literal that it has and that is resolved on.
type Resolutions = Vec<(i32, u32)>;

/// How a clause follows: from the first, by resolution with the others.
struct Chain {
    clause: u32,
    first: u32,
    rest: Resolutions,
}

/// The resolutions that lead to the empty clause, in order. Clauses are numbers, from 0 those of the formula.
struct Chains {
    steps: Vec<Chain>,
    /// The empty clause.
    last: u32,
}

/// A clause of the proof: its literals and its hints.
struct Derived {
    clause: Vec<i32>,
    hints: Vec<u32>,
}

impl Chains {
    /// Nothing where the proof has steps that are no propagations, or it is time to stop.
    fn new(formula: &Formula, proof: &[u8], clock: &StopClock) -> Option<Chains> {
        let given: Vec<&[i32]> = formula.clauses().collect();
        if let Some(empty) = given.iter().position(|c| c.is_empty()) {
            let last = empty as u32;
            let steps = Vec::new();
            return Some(Chains { steps, last });
        }
        let text = std::str::from_utf8(proof).ok()?;
        let (mut derived, mut number) = (Vec::<Derived>::new(), FxHashMap::default());
        let mut empty = None;
        let read = text::read_proof(text, |step| -> Result<(), Rejection> {
            let Step::Add { id, clause, hints } = step else {
                return Ok(());
            };
            let of = |hint: &i64| -> Option<u32> {
                let id = u64::try_from(*hint).ok()?;
                match id <= given.len() as u64 {
                    true => u32::try_from(id - 1).ok(),
                    false => number.get(&id).copied(),
                }
            };
            let hints: Option<Vec<u32>> = hints.iter().map(of).collect();
            let hints = hints.ok_or(Rejection::Malformed("a step that is no propagation"))?;
            let at = (given.len() + derived.len()) as u32;
            number.insert(id, at);
            if clause.is_empty() {
                empty.get_or_insert(at);
            }
            let clause = clause.to_vec();
            derived.push(Derived { clause, hints });
            Ok(())
        });
        read.ok()?;
        let last = empty?;
        // What the empty clause rests on.
        let mut needed = vec![false; derived.len()];
        needed[last as usize - given.len()] = true;
        for at in (0..derived.len()).rev() {
            if needed[at] {
                for hint in &derived[at].hints {
                    if let Some(i) = (*hint as usize).checked_sub(given.len()) {
                        needed[i] = true;
                    }
                }
            }
        }
        let literals = |c: u32| -> &[i32] {
            match (c as usize).checked_sub(given.len()) {
                None => given[c as usize],
                Some(i) => &derived[i].clause,
            }
        };
        let mut replay = Replay::new(formula.variables());
        let mut steps = Vec::new();
        for at in (0..derived.len()).filter(|&at| needed[at]) {
            if at % PATIENCE == 0 && clock.stop_reason().is_some() {
                return None;
            }
            let Derived { clause, hints } = &derived[at];
            let (first, rest) = replay.chain(clause, hints, &literals)?;
            steps.push(Chain {
                clause: (given.len() + at) as u32,
                first,
                rest,
            });
        }
        Some(Chains { steps, last })
    }
}

/// Repeats propagations. By variable: its value, and whether it is in the clause that is resolved.
struct Replay {
    value: Vec<i8>,
    inside: Vec<bool>,
}

impl Replay {
    fn new(variables: u32) -> Replay {
        Replay {
            value: vec![0; variables as usize + 1],
            inside: vec![false; variables as usize + 1],
        }
    }

    fn holds(&self, lit: i32) -> i8 {
        self.value[lit.unsigned_abs() as usize] * lit.signum() as i8
    }

    fn set(&mut self, lit: i32) {
        self.value[lit.unsigned_abs() as usize] = lit.signum() as i8;
    }

    /// The resolutions by which a clause, or one that is stronger, follows from its hints.
    fn chain<'a>(
        &mut self,
        clause: &[i32],
        hints: &[u32],
        literals: &impl Fn(u32) -> &'a [i32],
    ) -> Option<(u32, Resolutions)> {
        for &lit in clause {
            self.set(-lit);
        }
        let mut trail: Vec<(i32, u32)> = Vec::new();
        let mut conflict = None;
        for &hint in hints {
            let mut unit = None;
            let mut open = 0;
            for &lit in literals(hint) {
                match self.holds(lit) {
                    -1 => {}
                    _ if unit == Some(lit) => {}
                    _ => {
                        unit = Some(lit);
                        open += 1;
                    }
                }
            }
            match unit {
                None => {
                    conflict = Some(hint);
                    break;
                }
                Some(lit) if open == 1 => {
                    if self.holds(lit) == 0 {
                        self.set(lit);
                        trail.push((lit, hint));
                    }
                }
                Some(_) => break,
            }
        }
        let found = conflict.map(|first| {
            for &lit in literals(first) {
                self.inside[lit.unsigned_abs() as usize] = true;
            }
            let mut rest = Vec::new();
            for &(lit, reason) in trail.iter().rev() {
                let var = lit.unsigned_abs();
                if std::mem::take(&mut self.inside[var as usize]) {
                    rest.push((lit, reason));
                    for &other in literals(reason) {
                        if other != lit {
                            self.inside[other.unsigned_abs() as usize] = true;
                        }
                    }
                }
            }
            (first, rest)
        });
        // As before.
        for &lit in clause {
            self.value[lit.unsigned_abs() as usize] = 0;
            self.inside[lit.unsigned_abs() as usize] = false;
        }
        for (lit, _) in trail {
            self.value[lit.unsigned_abs() as usize] = 0;
        }
        found
    }
}

/// Where a variable occurs, by a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Both,
    After,
}

/// Partial interpolants of one cut.
struct Gates<'a> {
    clauses: &'a Clauses,
    cut: u32,
    system: System,
    aig: Aig,
    /// By variable of the solver: the input that stands for it.
    inputs: FxHashMap<u32, AigLit>,
    /// By input: the variable.
    variables: FxHashMap<u32, u32>,
}

impl<'a> Gates<'a> {
    fn new(clauses: &'a Clauses, cut: u32, system: System) -> Gates<'a> {
        Gates {
            clauses,
            cut,
            system,
            aig: Aig::new(MAX_GATES),
            inputs: FxHashMap::default(),
            variables: FxHashMap::default(),
        }
    }

    fn side(&self, var: u32) -> Side {
        let (first, last) = self.clauses.range[var as usize - 1];
        match (first < self.cut, last >= self.cut) {
            (true, true) => Side::Both,
            (true, false) => Side::Before,
            _ => Side::After,
        }
    }

    fn input(&mut self, var: u32) -> AigLit {
        match self.inputs.get(&var) {
            Some(&lit) => lit,
            None => {
                let lit = self.aig.input();
                self.inputs.insert(var, lit);
                self.variables.insert(lit.node(), var);
                lit
            }
        }
    }

    /// The partial interpolant of a clause of a part.
    fn given(&mut self, clause: u32) -> AigLit {
        let clauses = self.clauses;
        let before = clauses.part[clause as usize] < self.cut;
        match (self.system, before) {
            (System::Pudlak, _) => AigLit::constant(!before),
            (System::McMillan, false) => AigLit::TRUE,
            (System::McMillan, true) => {
                let mut some = AigLit::FALSE;
                for &lit in &clauses.list[clause as usize] {
                    if self.side(lit.var()) == Side::Both {
                        let input = self.input(lit.var()).invert_if(lit.is_negative());
                        some = self.aig.or(some, input);
                    }
                }
                some
            }
        }
    }

    /// The interpolant: that of the empty clause. Nothing where it is too large, or it is time to stop.
    fn interpolant(&mut self, chains: &Chains, clock: &StopClock) -> Option<AigLit> {
        let mut partial: FxHashMap<u32, AigLit> = FxHashMap::default();
        let of = |gates: &mut Self, partial: &mut FxHashMap<u32, AigLit>, c: u32| {
            if let Some(&known) = partial.get(&c) {
                return known;
            }
            let lit = gates.given(c);
            partial.insert(c, lit);
            lit
        };
        for (i, chain) in chains.steps.iter().enumerate() {
            let stopped = i % PATIENCE == 0 && clock.stop_reason().is_some();
            if stopped || self.aig.is_full() {
                return None;
            }
            let mut lit = of(self, &mut partial, chain.first);
            for &(on, with) in &chain.rest {
                let other = of(self, &mut partial, with);
                let var = on.unsigned_abs();
                lit = match (self.side(var), self.system) {
                    (Side::Before, _) => self.aig.or(lit, other),
                    (Side::After, _) | (Side::Both, System::McMillan) => self.aig.and(lit, other),
                    (Side::Both, System::Pudlak) => {
                        // A clause says something where its literal is false.
                        let on = self.input(var).invert_if(on < 0);
                        self.aig.ite(on, lit, other)
                    }
                };
            }
            partial.insert(chain.clause, lit);
        }
        Some(of(self, &mut partial, chains.last))
    }

    /// Gates over common bits as a term.
    fn term(&self, pool: &mut TermPool, root: AigLit) -> Term {
        let mut terms: FxHashMap<u32, Term> = FxHashMap::default();
        terms.insert(0, pool.fls());
        let mut todo = vec![root.node()];
        while let Some(&node) = todo.last() {
            if terms.contains_key(&node) {
                todo.pop();
                continue;
            }
            let gate = self.aig.gate(node);
            let args = arguments(gate);
            let open = args.iter().map(|a| a.node());
            let open: Vec<u32> = open.filter(|n| !terms.contains_key(n)).collect();
            if !open.is_empty() {
                todo.extend(open);
                continue;
            }
            let args: Vec<Term> = args.iter().map(|&a| signed(pool, &terms, a)).collect();
            let term = match (gate, &args[..]) {
                (Gate::And(..), &[a, b]) => pool.and(a, b),
                (Gate::Xor(..), &[a, b]) => {
                    let same = pool.eq(a, b);
                    pool.not(same)
                }
                (Gate::Xor3(..), &[a, b, c]) => {
                    let same = pool.eq(a, b);
                    pool.eq(same, c)
                }
                (Gate::Maj(..), &[a, b, c]) => {
                    let (both, some) = (pool.and(a, b), pool.or(a, b));
                    pool.ite(c, some, both)
                }
                (Gate::Ite(..), &[a, b, c]) => pool.ite(a, b, c),
                _ => self.bit(pool, node),
            };
            terms.insert(node, term);
        }
        signed(pool, &terms, root)
    }

    /// The bit that an input stands for.
    fn bit(&self, pool: &mut TermPool, node: u32) -> Term {
        let bit = self.variables.get(&node);
        let Some(&Bit { var, index }) = bit.and_then(|v| self.clauses.bits.get(v)) else {
            return pool.fls();
        };
        let term = pool.var(var);
        match pool.ty(term) {
            Type::Bool => term,
            _ => {
                let bit = pool.extract(index, index, term);
                pool.bv_to_bool(bit)
            }
        }
    }
}

fn signed(pool: &mut TermPool, terms: &FxHashMap<u32, Term>, lit: AigLit) -> Term {
    let term = terms[&lit.node()];
    match lit.is_inverted() {
        true => pool.not(term),
        false => term,
    }
}
