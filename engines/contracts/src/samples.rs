//! What executions are seen to do with procedures: values at entries, loop heads and exits.
//!
//! The interpreter runs the program, calls on its stack, with inputs that are mostly small or numbers of the program. What is recorded
//! depends on the seed alone: executions are limited in steps, not in time.

use crate::repeats::{Key, Repeats};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use trellis_engine_common::go_on;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::rng::Rng;
use trellis_ivl::{
    Action, Bv, Edge, Input, Loc, Machine, Modules, Op, Oracle, Proc, Program, Scope, Type, Value,
    Var,
};
use trellis_plugin_sdk::{EngineError, Host};

/// States of one point at most, but for those with rare values.
const MAX_ROWS: usize = 400;
/// Variables of one point at most.
const MAX_VARS: usize = 16;
/// New states of one point in one execution at most: a long execution must not take the room of all others.
const MAX_NEW: usize = 80;
/// A variable that has this few values is one that the program tells cases by.
pub const FEW_VALUES: usize = 8;
/// A value of such a variable is rare as long as this few states have it.
const RARE: usize = 24;
/// Steps of one execution at most, once it has read something.
const MAX_STEPS: usize = 20_000;
/// Steps after which an execution is long.
const LONG: usize = 2_000;
/// Steps of all executions.
const ALL_STEPS: usize = 400_000;
/// Executions at most.
const EXECUTIONS: usize = 400;
/// Numbers of the program that are worth trying, at most.
const MAX_NUMBERS: usize = 24;

/// Where something is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The entry of a procedure.
    Entry(Proc),
    /// Its exit.
    Exit(Proc),
    /// A loop head in it.
    Head(Loc, Proc),
}

/// What was seen at one place.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Variables of the modules, of at most 64 bits: those whose values were fixed before come first.
    pub vars: Vec<Var>,
    /// How many of them were fixed before.
    pub given: usize,
    /// Their values, each row once, in the order of the first time.
    pub rows: Vec<Vec<u64>>,
    seen: FxHashSet<Vec<u64>>,
    /// How many are new in the execution under way.
    new: usize,
    /// How many states have a value, by variable.
    values: Vec<FxHashMap<u64, usize>>,
}

impl Point {
    /// Of rows that were seen elsewhere.
    pub fn of_rows(vars: Vec<Var>, given: usize, rows: impl Iterator<Item = Vec<u64>>) -> Point {
        let mut point = Point {
            vars,
            given,
            ..Point::default()
        };
        for row in rows {
            point.new = 0;
            point.add(row);
        }
        point
    }

    fn add(&mut self, row: Vec<u64>) {
        let is_full = self.rows.len() >= MAX_ROWS || self.new >= MAX_NEW;
        if is_full && !self.is_rare(&row) || !self.seen.insert(row.clone()) {
            return;
        }
        self.values.resize_with(row.len(), FxHashMap::default);
        for (of, &n) in self.values.iter_mut().zip(&row) {
            *of.entry(n).or_default() += 1;
        }
        self.new += 1;
        self.rows.push(row);
    }

    /// Whether a variable of few values has one that was seldom seen.
    fn is_rare(&self, row: &[u64]) -> bool {
        let mut all = self.values.iter().zip(row);
        all.any(|(of, n)| of.len() <= FEW_VALUES && of.get(n).is_none_or(|&count| count < RARE))
    }
}

/// All that was seen.
pub struct Samples {
    /// By place.
    pub points: BTreeMap<Place, Point>,
    /// Numbers that the program compares with, by width.
    pub numbers: BTreeMap<u32, Vec<u64>>,
    /// Steps taken.
    pub steps: usize,
}

/// A value of at most 64 bits as a number.
pub fn number(value: &Value) -> u64 {
    match value {
        Value::Bool(b) => u64::from(*b),
        Value::Bv(bv) => bv.to_u64().unwrap_or(0),
        Value::Array(_) => 0,
    }
}

/// Whether values of the type are numbers of at most 64 bits.
pub fn is_scalar(ty: Type) -> bool {
    matches!(ty, Type::Bool | Type::Bv(1..=64))
}

/// The numbers of the program by width, small ones first.
fn numbers(program: &Program) -> BTreeMap<u32, Vec<u64>> {
    let mut sets: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    let compares = |t| {
        matches!(
            program.pool.op(t),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
        )
    };
    for t in program.pool.terms().filter(|&t| compares(t)) {
        for a in program.pool.args(t) {
            if let Some(bv) = program.pool.as_bv(a)
                && let (w @ 2..=64, Some(n)) = (bv.width(), bv.to_u64())
            {
                sets.entry(w).or_default().insert(n);
            }
        }
    }
    let nearest = |(w, mut set): (u32, BTreeSet<u64>)| {
        set.extend([0, 1]);
        let mut list: Vec<u64> = set.into_iter().collect();
        // Negative numbers are near, too.
        list.sort_by_key(|&n| (n.min((!n) & (u64::MAX >> (64 - w))), n));
        list.truncate(MAX_NUMBERS);
        (w, list)
    };
    sets.into_iter().map(nearest).collect()
}

struct Guess<'a> {
    rng: Rng,
    numbers: &'a BTreeMap<u32, Vec<u64>>,
    /// What is to be answered first.
    given: VecDeque<u64>,
    /// Whether something else was asked in the execution under way.
    asked: bool,
}

impl Oracle for Guess<'_> {
    fn pick(&mut self, of: usize) -> usize {
        self.rng.below(of)
    }

    fn input(&mut self, _: Input, ty: Type) -> Value {
        if let Some(n) = self.given.pop_front() {
            return match ty {
                Type::Bv(w) => Value::Bv(Bv::new(w, n)),
                _ => Value::Bool(n != 0),
            };
        }
        self.asked = true;
        match ty {
            Type::Bool => Value::Bool(self.rng.chance(50)),
            Type::Bv(w) if w <= 64 => {
                let mask = u64::MAX >> (64 - w);
                let known = self.numbers.get(&w).filter(|n| !n.is_empty());
                let n = match (self.rng.below(8), known) {
                    (0..=3, _) => self.rng.below(12) as u64,
                    (4, _) => (self.rng.below(12) as u64).wrapping_neg(),
                    (5 | 6, Some(list)) => {
                        let near = self.rng.below(3) as u64;
                        self.rng.pick(list).wrapping_add(near).wrapping_sub(1)
                    }
                    (7, _) if self.rng.chance(20) => self.rng.bits(),
                    _ => self.rng.below(120) as u64,
                };
                Value::Bv(Bv::new(w, n & mask))
            }
            ty => Value::zero(ty),
        }
    }
}

/// The places of a program, with the variables to look at there.
fn points(modules: &Modules) -> BTreeMap<Place, Point> {
    let program = &modules.program;
    let (called, modified) = (modules.called(), modules.modified());
    let scalar = |v: &Var| is_scalar(program.pool.var_ty(*v));
    let globals: Vec<Var> = modules
        .old
        .keys()
        .copied()
        .filter(|v| program.pool.var_data(*v).scope == Scope::Global && scalar(v))
        .collect();
    let adjacency = Adjacency::new(program);
    let mut points = BTreeMap::new();
    for &p in &called {
        let data = &program.procs[p];
        let changes = |v: &Var| modified.get(&p).is_some_and(|m| m.contains(v));
        let params: Vec<Var> = data.params.iter().copied().filter(scalar).collect();
        let point = |given: Vec<Var>, rest: Vec<Var>| {
            let mut vars = given.clone();
            vars.extend(rest);
            vars.truncate(MAX_VARS);
            Point {
                given: given.len().min(vars.len()),
                vars,
                ..Point::default()
            }
        };
        let entry: Vec<Var> = params.iter().chain(&globals).copied().collect();
        points.insert(Place::Entry(p), point(Vec::new(), entry));
        let old = |v: &Var| modules.old[v];
        let mut given: Vec<Var> = params.iter().map(old).collect();
        given.extend(globals.iter().map(|g| if changes(g) { old(g) } else { *g }));
        let mut outcome: Vec<Var> = data.results.iter().copied().filter(scalar).collect();
        outcome.extend(globals.iter().copied().filter(changes));
        points.insert(Place::Exit(p), point(given.clone(), outcome));
        let locals = program.pool.vars().iter();
        let locals: Vec<Var> = locals
            .filter(|(v, d)| d.scope == Scope::Local(p) && scalar(v) && !is_old(modules, *v))
            .map(|(v, _)| v)
            .collect();
        let search = DepthFirst::new(program, &adjacency, data.entry);
        for &l in &search.order {
            if search.heads.contains(l) {
                let here = locals.iter().chain(globals.iter().filter(|g| changes(g)));
                points.insert(
                    Place::Head(l, p),
                    point(given.clone(), here.copied().collect()),
                );
            }
        }
    }
    points
}

fn is_old(modules: &Modules, v: Var) -> bool {
    modules.old.values().any(|&o| o == v)
}

/// Runs the program and records.
///
/// # Errors
/// When it is time to stop.
pub fn record(modules: &Modules, seed: u64, host: &dyn Host) -> Result<Samples, EngineError> {
    let numbers = numbers(&modules.program);
    // A step of its own between the exit and the return, where results can be read.
    let mut program = modules.program.clone();
    let mut exits: BTreeMap<Loc, Proc> = BTreeMap::new();
    for p in program.procs.keys().collect::<Vec<_>>() {
        if let Some(exit) = program.procs[p].exit {
            let gone = program.add_loc(p, program.procs[p].span);
            let skip = program.cmds.skip();
            program.add_edge(exit, gone, skip, program.procs[p].span);
            program.procs[p].exit = Some(gone);
            exits.insert(exit, p);
        }
    }
    let adjacency = Adjacency::new(&program);
    let mut recorder = Recorder {
        samples: Samples {
            points: points(modules),
            numbers: numbers.clone(),
            steps: 0,
        },
        guess: Guess {
            rng: Rng::new(seed),
            numbers: &numbers,
            given: VecDeque::new(),
            asked: false,
        },
        repeats: Repeats::new(modules, &mut program),
        adjacency,
        exits,
        modules,
    };
    for _ in 0..EXECUTIONS {
        if recorder.samples.steps >= ALL_STEPS {
            break;
        }
        go_on(host)?;
        recorder.execute(&program);
    }
    Ok(recorder.samples)
}

/// An activation under way: what old values were when it began, and what decides how it ends.
struct Open {
    old: BTreeMap<Var, u64>,
    key: Option<Key>,
}

/// What all executions share.
struct Recorder<'a> {
    modules: &'a Modules,
    /// Of the edges that the program has itself.
    adjacency: Adjacency,
    exits: BTreeMap<Loc, Proc>,
    repeats: Repeats,
    guess: Guess<'a>,
    samples: Samples,
}

impl Recorder<'_> {
    /// What the old values of an activation of `p` are, which has just begun.
    fn open(&self, program: &Program, machine: &Machine<'_>, p: Proc) -> Open {
        let params = &program.procs[p].params;
        let is_seen = |v: Var| {
            let is_global = program.pool.var_data(v).scope == Scope::Global;
            is_scalar(program.pool.var_ty(v)) && (is_global || params.contains(&v))
        };
        let seen = self.modules.old.iter().filter(|(now, _)| is_seen(**now));
        let value = |(&now, &old): (&Var, &Var)| (old, number(machine.value(now)));
        Open {
            old: seen.map(value).collect(),
            key: self.repeats.key(machine, p),
        }
    }

    fn see(&mut self, place: Place, machine: &Machine<'_>, open: &Open) {
        if let Some(point) = self.samples.points.get_mut(&place) {
            let value = |v: &Var| match open.old.get(v) {
                Some(&n) => n,
                None => number(machine.value(*v)),
            };
            let row = point.vars.iter().map(value).collect();
            point.add(row);
        }
    }

    /// Takes an edge: round a call where it is known how that ends.
    fn step(
        &mut self,
        program: &Program,
        machine: &mut Machine<'_>,
        is_long: bool,
    ) -> Option<Edge> {
        let out = self.adjacency.out(machine.loc());
        let first = match out.len() {
            0 | 1 => 0,
            n => self.guess.pick(n),
        };
        for k in 0..out.len() {
            let mut edge = out[(first + k) % out.len()];
            if let Action::Call(call) = &program.edges[edge].action
                && let Some((detour, outcome)) = self.repeats.round(machine, edge, call, is_long)
            {
                self.guess.given.extend(outcome);
                edge = detour;
            }
            if machine.try_edge(edge, &mut self.guess).is_some() {
                return Some(edge);
            }
        }
        None
    }

    /// One execution. One that reads nothing is the only one, and may be long.
    fn execute(&mut self, program: &Program) {
        let guess = &mut self.guess;
        let mut machine = Machine::new(program, |_, ty| guess.input(Input::from_u32(0), ty));
        guess.asked = false;
        for point in self.samples.points.values_mut() {
            point.new = 0;
        }
        let mut stack = vec![self.open(program, &machine, program.main)];
        let mut steps = 0;
        while let Some(open) = stack.last() {
            let loc = machine.loc();
            let exit = self.exits.get(&loc).copied();
            let place = match exit {
                Some(p) => Place::Exit(p),
                None => Place::Head(loc, program.locs[loc].proc),
            };
            self.see(place, &machine, open);
            if let (Some(_), Some(key)) = (exit, &open.key) {
                self.repeats.remember(key.clone(), &machine);
            }
            let is_over = steps >= MAX_STEPS && self.guess.asked || self.samples.steps >= ALL_STEPS;
            if machine.is_final() || is_over {
                break;
            }
            let Some(edge) = self.step(program, &mut machine, steps > LONG) else {
                break;
            };
            steps += 1;
            self.samples.steps += 1;
            if exit.is_some() {
                stack.pop();
            } else if let Action::Call(call) = &program.edges[edge].action {
                let open = self.open(program, &machine, call.callee);
                self.see(Place::Entry(call.callee), &machine, &open);
                stack.push(open);
            }
        }
    }
}
