//! Termination of recursive programs: contracts and ranks against the enumeration of all activations, and endless recursion as a lasso.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::termination::{Lasso, Measure, loops, watch};
use trellis_ivl::{
    Action, Bv, Contract, FlattenOptions, Input, Loc, Machine, Modules, Oracle, Proc, Program,
    Scope, Step, Term, TermPool, Trace, Type, Value, Var, flatten_entering, replay, text,
};
use trellis_ivl_certify::{
    Calls, ContractCertificate, LoopProof, SafetyCertificate, SafetyProof, Termination, at_heads,
    check_lasso, check_terminates,
};
use trellis_ivl_testing::Rng;
use trellis_ivl_testing::explore::Enumerator;
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

fn session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Batsat);
    backend
        .session(&SessionConfig::default())
        .expect("embedded")
}

/// What is chosen of a program: who is called, conditions and values.
type Pieces = Vec<String>;

const CONDITIONS: [&str; 8] = [
    "true",
    "V != 0bv2",
    "V == 0bv2",
    "V <u 2bv2",
    "V >u 1bv2",
    "g != 0bv2",
    "g == V",
    "R != 1bv2",
];
const VALUES: [&str; 8] = [
    "V",
    "V - 1bv2",
    "V + 1bv2",
    "g",
    "0bv2",
    "R",
    "V >>u 1bv2",
    "g - 1bv2",
];

/// Two procedures that call themselves or each other, one of them in a loop.
fn pieces(rng: &mut Rng) -> Pieces {
    (0..17).map(|i| piece(rng, i)).collect()
}

fn piece(rng: &mut Rng, i: usize) -> String {
    match i {
        0 | 1 => rng.pick(&["f", "h", "f"]).to_string(),
        2..=8 => rng.pick(&CONDITIONS).to_string(),
        _ => rng.pick(&VALUES).to_string(),
    }
}

fn assemble(pieces: &Pieces) -> Program {
    let of =
        |i: usize, param: &str, result: &str| pieces[i].replace('V', param).replace('R', result);
    let (f, h) = (|i| of(i, "x", "t"), |i| of(i, "y", "u"));
    let source = format!(
        "ivl 1;
        var g: bv2; var n: bv2 in main; var m: bv2 in main;
        var x: bv2 in f; var r: bv2 in f; var t: bv2 in f; var y: bv2 in h; var s: bv2 in h; var u: bv2 in h;
        proc main() {{ loc l0 entry; loc l1; loc l2 exit;
          l0 -> l1 {{ havoc n; assume {} }}; l1 -> l2 call f(n) -> (m); }}
        proc f(x) returns (r) {{ loc l3 entry; loc l4; loc l5; loc l6 exit;
          l3 -> l6 {{ assume {}; r := {} }}; l3 -> l4 {{ assume {}; g := {} }};
          l4 -> l5 call {}({}) -> (t);
          l5 -> l6 {{ assume {}; r := {} }}; l5 -> l4 {{ assume {}; x := {} }}; }}
        proc h(y) returns (s) {{ loc l7 entry; loc l8; loc l9; loc l10 exit;
          l7 -> l10 {{ assume {}; s := {} }}; l7 -> l8 {{ assume {}; g := {} }};
          l8 -> l9 call {}({}) -> (u); l9 -> l10 {{ s := u }}; }}
        main main;",
        of(2, "n", "n"),
        f(3), f(9), f(4), f(10), pieces[0], f(11), f(5), f(12), f(6), f(13),
        h(7), h(14), h(8), h(15), pieces[1], h(16),
    );
    text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// An activation: procedure, and what its old values are.
type Activation = (Proc, Vec<(Var, Value)>);
/// A place in an execution of it.
type Node = (Activation, Loc, Box<[Value]>);

/// All that happens within activations, each call either stepped over or entered.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    next: Vec<BTreeSet<usize>>,
    index: FxHashMap<Node, usize>,
    /// Global variables and results at exits.
    outcomes: FxHashMap<Activation, BTreeSet<Vec<u64>>>,
}

fn number(value: &Value) -> u64 {
    let Value::Bv(bv) = value else {
        panic!("vectors only")
    };
    bv.to_u64().expect("small")
}

impl Graph {
    fn of(program: &Program) -> Graph {
        let vars: Vec<Var> = program.pool.vars().keys().collect();
        let mut graph = Graph::default();
        loop {
            let known: usize = graph.outcomes.values().map(BTreeSet::len).sum();
            let outcomes = std::mem::take(&mut graph.outcomes);
            graph = Graph {
                outcomes,
                ..Graph::default()
            };
            graph.explore(program, &vars);
            let found: usize = graph.outcomes.values().map(BTreeSet::len).sum();
            if found == known {
                return graph;
            }
        }
    }

    fn node(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        *self.index.entry(node.clone()).or_insert_with(|| {
            self.nodes.push(node);
            self.next.push(BTreeSet::new());
            next
        })
    }

    fn explore(&mut self, program: &Program, vars: &[Var]) {
        let mut states = Enumerator::new(program, vars, 1 << 20);
        let slot = |v: Var| vars.iter().position(|&w| w == v).expect("a variable");
        let main = program.main;
        let begins = |&v: &Var| match program.pool.var_data(v).scope {
            Scope::Global => true,
            scope => scope == Scope::Local(main),
        };
        let first: Vec<Var> = vars.iter().copied().filter(begins).collect();
        for values in states.initial(&first).expect("few") {
            let mut all: Vec<Value> = vars
                .iter()
                .map(|&v| Value::zero(program.pool.var_ty(v)))
                .collect();
            for (&v, value) in first.iter().zip(values) {
                all[slot(v)] = value;
            }
            let activation = entered(program, main, vars, &all);
            self.node((activation, program.entry(), all.into()));
        }
        let mut at = 0;
        while let Some((activation, loc, values)) = self.nodes.get(at).cloned() {
            let proc = &program.procs[activation.0];
            if proc.exit == Some(loc) {
                let seen = globals(program, vars)
                    .into_iter()
                    .chain(proc.results.iter().copied());
                let row = seen.map(|v| number(&values[slot(v)])).collect();
                self.outcomes
                    .entry(activation.clone())
                    .or_default()
                    .insert(row);
            }
            for data in program.edges.values().filter(|d| d.from == loc) {
                let mut after = Vec::new();
                match &data.action {
                    Action::Cmd(c) => {
                        for end in states.ends(*c, &values).expect("few") {
                            after.push((activation.clone(), data.to, end));
                        }
                    }
                    Action::Call(call) => {
                        let callee = &program.procs[call.callee];
                        let mut inside = values.clone();
                        for (i, &v) in vars.iter().enumerate() {
                            if program.pool.var_data(v).scope != Scope::Global {
                                inside[i] = Value::zero(program.pool.var_ty(v));
                            }
                        }
                        for (&p, &arg) in callee.params.iter().zip(&call.args) {
                            inside[slot(p)] = states.eval(&values, arg);
                        }
                        let called = entered(program, call.callee, vars, &inside);
                        let shared = globals(program, vars);
                        for row in self.outcomes.get(&called).into_iter().flatten() {
                            let mut end = values.clone();
                            let targets = shared.iter().chain(&call.results);
                            for (&v, &n) in targets.zip(row) {
                                end[slot(v)] = Value::Bv(Bv::new(2, n));
                            }
                            after.push((activation.clone(), data.to, end));
                        }
                        after.push((called, callee.entry, inside));
                    }
                }
                for node in after {
                    let to = self.node(node);
                    self.next[at].insert(to);
                }
            }
            at += 1;
        }
    }

    /// The length of the longest execution from each node; `None` where there is an endless one.
    fn heights(&self) -> Option<Vec<u64>> {
        let n = self.nodes.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (i, next) in self.next.iter().enumerate() {
            next.iter().for_each(|&j| before[j].push(i));
        }
        let mut open: Vec<usize> = self.next.iter().map(BTreeSet::len).collect();
        let mut ready: Vec<usize> = (0..n).filter(|&i| open[i] == 0).collect();
        let mut heights = vec![0; n];
        let mut done = 0;
        while let Some(i) = ready.pop() {
            done += 1;
            for &j in &before[i] {
                heights[j] = heights[j].max(heights[i] + 1);
                open[j] -= 1;
                if open[j] == 0 {
                    ready.push(j);
                }
            }
        }
        (done == n).then_some(heights)
    }
}

fn globals(program: &Program, vars: &[Var]) -> Vec<Var> {
    let global = |v: &&Var| program.pool.var_data(**v).scope == Scope::Global;
    vars.iter().filter(global).copied().collect()
}

/// The activation of a procedure that is entered in this state.
fn entered(program: &Program, p: Proc, vars: &[Var], values: &[Value]) -> Activation {
    let slot = |v: Var| vars.iter().position(|&w| w == v).expect("a variable");
    let kept = globals(program, vars)
        .into_iter()
        .chain(program.procs[p].params.iter().copied());
    (p, kept.map(|v| (v, values[slot(v)].clone())).collect())
}

/// Terms over old and present values.
struct Words<'a> {
    program: &'a Program,
    graph: &'a Graph,
    old: &'a BTreeMap<Var, Var>,
    vars: Vec<Var>,
}

impl Words<'_> {
    fn is(&self, pool: &mut TermPool, v: Var, value: &Value) -> Term {
        let (v, value) = (pool.var(v), pool.value(value));
        pool.eq(v, value)
    }

    fn activated(&self, pool: &mut TermPool, activation: &Activation) -> Vec<Term> {
        let kept = activation.1.iter();
        kept.map(|(v, value)| self.is(pool, self.old[v], value))
            .collect()
    }

    /// That an execution is at this node.
    fn at(&self, pool: &mut TermPool, i: usize) -> Term {
        let (activation, _, values) = &self.graph.nodes[i];
        let mut parts = self.activated(pool, activation);
        for (&v, value) in self.vars.iter().zip(values) {
            let scope = self.program.pool.var_data(v).scope;
            if scope == Scope::Global || scope == Scope::Local(activation.0) {
                parts.push(self.is(pool, v, value));
            }
        }
        pool.and_all(parts)
    }

    fn nodes_at(&self, loc: Loc) -> Vec<usize> {
        let nodes = self.graph.nodes.iter().enumerate();
        nodes.filter(|(_, n)| n.1 == loc).map(|(i, _)| i).collect()
    }

    fn reached(&self, pool: &mut TermPool, loc: Loc) -> Term {
        let nodes = self.nodes_at(loc);
        let any: Vec<Term> = nodes.into_iter().map(|i| self.at(pool, i)).collect();
        pool.or_all(any)
    }

    /// What is left to do where an execution is at a location.
    fn height(&self, pool: &mut TermPool, loc: Loc, heights: &[u64]) -> Term {
        let mut height = pool.num(12, 0);
        for i in self.nodes_at(loc) {
            let here = self.at(pool, i);
            let n = pool.num(12, heights[i]);
            height = pool.ite(here, n, height);
        }
        height
    }
}

/// The exact contracts of the program, and ranks by the longest executions that are left where all end; otherwise by nothing.
fn certificate(program: &Program, graph: &Graph) -> Termination {
    let mut modules = Modules::new(program);
    let old = modules.old.clone();
    let vars: Vec<Var> = program.pool.vars().keys().collect();
    let words = Words {
        program,
        graph,
        old: &old,
        vars,
    };
    let mut contracts: BTreeMap<Proc, Contract> = BTreeMap::new();
    let mut activations: Vec<&Activation> = Vec::new();
    for node in &graph.nodes {
        if node.1 == program.procs[node.0.0].entry && !activations.contains(&&node.0) {
            activations.push(&node.0);
        }
    }
    let pool = &mut modules.program.pool;
    for p in program.procs.keys().filter(|&p| p != program.main) {
        let own = activations.iter().filter(|a| a.0 == p);
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        for a in own {
            let now: Vec<Term> =
                a.1.iter()
                    .map(|(v, value)| words.is(pool, *v, value))
                    .collect();
            entered.push(pool.and_all(now));
            for row in graph.outcomes.get(*a).into_iter().flatten() {
                let mut parts = words.activated(pool, a);
                let shared = globals(program, &words.vars);
                for (&v, &n) in shared.iter().chain(&program.procs[p].results).zip(row) {
                    parts.push(words.is(pool, v, &Value::Bv(Bv::new(2, n))));
                }
                left.push(pool.and_all(parts));
            }
        }
        let contract = Contract {
            requires: vec![pool.or_all(entered)],
            ensures: vec![pool.or_all(left)],
        };
        contracts.insert(p, contract);
    }
    let mut invariants: BTreeMap<Loc, Term> = BTreeMap::new();
    for l in program.locs.keys() {
        invariants.insert(l, words.reached(pool, l));
    }
    let own = modules.program.pool.clone();
    let plain = modules.clone().expand(&contracts).expect("well-formed");
    let entering = modules.expand_entering(&contracts).expect("well-formed");
    trellis_ivl::verify::verify(&entering).expect("well-formed");
    let mut proofs = BTreeMap::new();
    let heights = graph.heights();
    for of in loops(&entering) {
        let mut flat = entering.clone();
        let tuple = match &heights {
            Some(heights) => vec![words.height(&mut flat.pool, of.head, heights)],
            None => Vec::new(),
        };
        let measure = Measure::Rank(tuple);
        let mut watched = watch(&flat, &of, &measure);
        let pool = &mut watched.program.pool;
        let seen = pool.var(watched.seen);
        let mut facts: BTreeMap<Loc, Term> = BTreeMap::new();
        for (&l, &known) in &invariants {
            let mut parts = vec![known];
            if !of.contains(l) {
                parts.push(pool.not(seen));
            } else if let (Some(heights), Some(&copy)) = (&heights, watched.copies.first()) {
                let (here, copy) = (words.height(pool, l, heights), pool.var(copy));
                let fallen = match l == of.head {
                    true => pool.eq(here, copy),
                    false => pool.bvult(here, copy),
                };
                parts.push(pool.implies(seen, fallen));
            }
            facts.insert(l, pool.and_all(parts));
        }
        let heads: BTreeSet<Loc> = loops(&entering).into_iter().map(|l| l.head).collect();
        facts.retain(|l, _| heads.contains(l));
        let proof = LoopProof {
            measure,
            pool: watched.program.pool,
            proof: SafetyProof::Inductive(SafetyCertificate::inductive(facts)),
        };
        proofs.insert(of.head, proof);
    }
    let contracts = ContractCertificate {
        contracts,
        invariants: at_heads(&plain, invariants),
        k: 1,
    };
    Termination {
        calls: Calls::Contracts(own, contracts),
        loops: proofs,
    }
}

fn accepted(program: &Program, certificate: &Termination) -> Result<(), String> {
    let mut sessions = || Ok(session());
    let checked = check_terminates(program, certificate, &mut sessions, &|| false);
    checked.map_err(|e| e.to_string())
}

/// Exact certificates of random programs are accepted where every execution ends; and of no other program with one piece changed
/// in which one does not.
#[test]
fn random_recursion_ends_or_does_not() {
    let (mut ending, mut endless, mut mutants, mut refused) = (0, 0, 0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let own = pieces(&mut rng);
        let program = assemble(&own);
        let graph = Graph::of(&program);
        let ends = graph.heights().is_some();
        let proof = certificate(&program, &graph);
        let checked = accepted(&program, &proof);
        assert_eq!(checked.is_ok(), ends, "seed {seed}: {checked:?} {own:?}");
        match ends {
            true => ending += 1,
            false => {
                endless += 1;
                continue;
            }
        }
        for _ in 0..12 {
            let mut other = own.clone();
            let i = rng.below(other.len());
            other[i] = piece(&mut rng, i);
            if other[i] == own[i] {
                continue;
            }
            let other = assemble(&other);
            mutants += 1;
            if accepted(&other, &proof).is_ok() {
                let truth = Graph::of(&other).heights();
                assert!(truth.is_some(), "seed {seed}, piece {i}");
            } else {
                refused += 1;
            }
        }
    }
    println!("{ending} end, {endless} do not; {refused} of {mutants} mutants refused");
    assert!(
        ending >= 30 && endless >= 30,
        "{ending} end, {endless} do not"
    );
    assert!(mutants >= 300 && refused >= 100, "{refused} of {mutants}");
}

/// Inputs and branches at random.
struct Random(Rng);

impl Oracle for Random {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        let Type::Bv(w) = ty else {
            panic!("vectors only")
        };
        Value::Bv(Bv::new(w, self.0.bits()))
    }

    fn pick(&mut self, n: usize) -> usize {
        self.0.below(n)
    }
}

/// Executions of the expansion in which calls may be entered are executions of the program, and those that come back do not end.
#[test]
fn endless_recursion_is_a_loop() {
    let (mut found, mut endless) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let program = assemble(&pieces(&mut rng));
        let ends = Graph::of(&program).heights().is_some();
        endless += usize::from(!ends);
        let mut flat = program.clone();
        let options = FlattenOptions {
            recursion: 3,
            ..FlattenOptions::default()
        };
        let map = flatten_entering(&mut flat, &options);
        trellis_ivl::verify::verify(&flat).expect("well-formed");
        let vars: Vec<Var> = flat.program_vars().collect();
        let mut came_back = false;
        for walk in 0..20 {
            let mut oracle = Random(Rng::new(1_000 * seed + walk));
            let mut trace = Trace::default();
            let mut machine = Machine::new(&flat, |v, ty| {
                let value = oracle.input(Input::from_u32(0), ty);
                trace.initial.insert(v, value.clone());
                value
            });
            let mut seen: FxHashMap<(Loc, Vec<Value>), usize> = FxHashMap::default();
            for n in 0..200 {
                let state = vars.iter().map(|&v| machine.value(v).clone()).collect();
                if let Some(start) = seen.insert((machine.loc(), state), n) {
                    let trace = trace.clone();
                    check_lasso(&flat, &Lasso { trace, start }, &options).expect("it comes back");
                    assert!(!ends, "seed {seed}");
                    came_back = true;
                    break;
                }
                match machine.step(&mut oracle) {
                    Some(step) => trace.steps.push(step),
                    None => break,
                }
            }
            let of_program = |s: &Step| {
                Some(Step {
                    edge: map.edges[s.edge]?,
                    ..s.clone()
                })
            };
            let steps: Vec<Step> = trace.steps.iter().filter_map(of_program).collect();
            let own = program.pool.vars();
            let initial = trace
                .initial
                .into_iter()
                .filter(|(v, _)| own.is_valid(*v))
                .collect();
            // A call that is not expanded leads to an incomplete location; the program takes it.
            replay(&program, &Trace { initial, steps })
                .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
        found += usize::from(came_back);
    }
    println!("{found} of {endless} come back");
    assert!(found >= 30, "{found} of {endless}");
}
