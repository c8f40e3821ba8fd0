//! Random models with every feature of the format, scrambled files and mutants, all from a seed.

use crate::model::{And, Item, Latch, Lit, Model};
use crate::sim::Simulator;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
pub use trellis_ivl_testing::Rng;

fn below(rng: &mut Rng, bound: u32) -> u32 {
    rng.below(bound as usize) as u32
}

fn permutation(rng: &mut Rng, n: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// A random model of a few dozen gates that uses every feature now and then, reset functions that
/// depend on themselves included.
pub fn random_model(rng: &mut Rng) -> Model {
    let mut model = Model {
        inputs: below(rng, 6),
        ..Model::default()
    };
    let latches = below(rng, 7);
    let gates = if rng.chance(12) { 0 } else { below(rng, 40) };
    let first_and = model.inputs + latches + 1;
    let lit = |rng: &mut Rng, var: u32| Lit(below(rng, 2 * var));
    for var in first_and..first_and + gates {
        let (a, b) = (lit(rng, var), lit(rng, var));
        model.ands.push(And {
            left: a.max(b),
            right: a.min(b),
        });
    }
    let all = first_and + gates;
    for i in 0..latches {
        let next = lit(rng, all);
        let reset = match rng.below(6) {
            0 | 1 => Lit::FALSE,
            2 => Lit::TRUE,
            3 => Lit::positive(model.inputs + 1 + i),
            _ => lit(rng, all),
        };
        model.latches.push(Latch { next, reset });
    }
    let set = |rng: &mut Rng, up_to: u32| {
        let count = below(rng, up_to + 1);
        (0..count).map(|_| lit(rng, all)).collect::<Vec<Lit>>()
    };
    model.outputs = set(rng, 2);
    model.bads = set(rng, 3);
    if rng.chance(50) {
        model.constraints = set(rng, 2);
    }
    if rng.chance(25) {
        model.justice = (0..1 + rng.below(2)).map(|_| set(rng, 3)).collect();
        model.fairness = set(rng, 2);
    }
    for item in Item::ALL {
        for i in 0..model.count(item) as u32 {
            if rng.chance(25) {
                let name = format!("{}[{i}] of {}", item.letter(), rng.below(100));
                model.symbols.insert(item, i, &name);
            }
        }
    }
    if rng.chance(25) {
        model.comment = Some("made\nat random\n".into());
    }
    model
}

/// The model as an ASCII file with scrambled variables, gaps between them, gates in any order and
/// operands in either: the same circuit to anyone who reads it right.
pub fn scrambled_ascii(model: &Model, rng: &mut Rng) -> Vec<u8> {
    let used = model.max_var();
    let max = used + below(rng, 5);
    let mut variables = permutation(rng, max);
    variables.iter_mut().for_each(|var| *var += 1);
    let file = |lit: Lit| match lit.var() {
        0 => lit.0,
        var => variables[var as usize - 1] << 1 | (lit.0 & 1),
    };
    let mut out = format!(
        "aag {max} {} {} {} {} {} {} {} {}\n",
        model.inputs,
        model.latches.len(),
        model.outputs.len(),
        model.ands.len(),
        model.bads.len(),
        model.constraints.len(),
        model.justice.len(),
        model.fairness.len()
    );
    for i in 0..model.inputs {
        let _ = writeln!(out, "{}", file(model.input(i)));
    }
    for (i, latch) in model.latches.iter().enumerate() {
        let own = file(model.latch(i as u32));
        let _ = writeln!(out, "{own} {} {}", file(latch.next), file(latch.reset));
    }
    let properties = [&model.outputs, &model.bads, &model.constraints];
    for &lit in properties.into_iter().flatten() {
        let _ = writeln!(out, "{}", file(lit));
    }
    for set in &model.justice {
        let _ = writeln!(out, "{}", set.len());
    }
    for &lit in model.justice.iter().flatten().chain(&model.fairness) {
        let _ = writeln!(out, "{}", file(lit));
    }
    for i in permutation(rng, model.ands.len() as u32) {
        let gate = model.ands[i as usize];
        let (mut a, mut b) = (file(gate.left), file(gate.right));
        if rng.chance(50) {
            std::mem::swap(&mut a, &mut b);
        }
        let _ = writeln!(out, "{} {a} {b}", file(model.and(i)));
    }
    out.into_bytes()
}

/// A random model with justice properties, at most `inputs` inputs and `latches` latches.
pub fn random_just_model(rng: &mut Rng, inputs: u32, latches: usize) -> Model {
    loop {
        let mut model = random_model(rng);
        if model.inputs > inputs || model.latches.len() > latches || model.latches.is_empty() {
            continue;
        }
        if model.justice.is_empty() {
            let all = model.max_var() + 1;
            let mut set = || {
                let count = rng.below(4);
                let lits = (0..count).map(|_| Lit(below(rng, 2 * all)));
                lits.collect::<Vec<Lit>>()
            };
            model.justice = vec![set(), set()];
            model.fairness = set().into_iter().take(1).collect();
        }
        return model;
    }
}

/// All vectors of so many bits.
pub fn vectors(bits: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << bits).map(move |v| (0..bits).map(|i| v >> i & 1 == 1).collect())
}

/// The latches.
type State = Vec<bool>;
/// Where steps lead, and the literals that they meet.
type Steps = Vec<(State, BTreeSet<u32>)>;

/// Per justice property: whether some run satisfies it, by enumeration of all states and inputs of the model.
pub fn satisfied(model: &Model) -> Vec<bool> {
    let inputs: Vec<Vec<bool>> = vectors(model.inputs as usize).collect();
    let mut simulator = Simulator::<bool>::new(model);
    // What a step leads to, and the literals that it meets.
    let lits: Vec<Lit> = (model.justice.iter().flatten())
        .chain(&model.fairness)
        .copied()
        .collect();
    let mut steps = |state: &[bool], first: bool| {
        let mut found = Vec::new();
        for inputs in &inputs {
            simulator.load(state);
            simulator.step(inputs);
            if simulator.constraints_hold() && (!first || simulator.resets_hold()) {
                let met = lits.iter().copied().filter(|&l| simulator.value(l));
                let met: BTreeSet<u32> = met.map(|l| l.0).collect();
                simulator.advance();
                found.push((simulator.latches().to_vec(), met));
            }
        }
        found
    };
    let mut waiting: Vec<Vec<bool>> = Vec::new();
    for state in vectors(model.latches.len()) {
        waiting.extend(steps(&state, true).into_iter().map(|(next, _)| next));
    }
    // After the first step resets do not matter.
    let mut graph: BTreeMap<State, Steps> = BTreeMap::new();
    while let Some(state) = waiting.pop() {
        if let Entry::Vacant(place) = graph.entry(state) {
            let out = steps(place.key(), false);
            waiting.extend(out.iter().map(|(next, _)| next.clone()));
            place.insert(out);
        }
    }
    let from = |start: &Vec<bool>| {
        let mut seen: BTreeSet<&Vec<bool>> = BTreeSet::new();
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            for (next, _) in &graph[state] {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&Vec<bool>, BTreeSet<&Vec<bool>>> =
        graph.keys().map(|s| (s, from(s))).collect();
    let met_around = |s: &Vec<bool>| {
        // Every step of the component, if there is one.
        let inside = reach[s].iter().filter(|t| reach[**t].contains(s));
        let inside: BTreeSet<&Vec<bool>> = inside.copied().collect();
        let mut met = BTreeSet::new();
        for t in &inside {
            let out = graph[*t].iter().filter(|(next, _)| inside.contains(next));
            met.extend(out.flat_map(|(_, met)| met.iter().copied()));
        }
        reach[s].contains(s).then_some(met)
    };
    let components: Vec<BTreeSet<u32>> = graph.keys().filter_map(met_around).collect();
    let satisfies = |set: &Vec<Lit>, met: &BTreeSet<u32>| {
        let mut all = set.iter().chain(&model.fairness);
        all.all(|l| met.contains(&l.0))
    };
    let all = model.justice.iter();
    all.map(|set| components.iter().any(|met| satisfies(set, met)))
        .collect()
}

/// A file with a few random changes.
pub fn mutate(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    const TOKENS: [&str; 9] = [
        "0",
        "1",
        "-",
        " ",
        "\n",
        "4294967295",
        "2147483647",
        "c\n",
        "x",
    ];
    trellis_ivl_testing::damaged(file, &TOKENS, rng)
}
