//! The program does what the model does, step by step through the interpreter.

use super::*;
use crate::testing::{Rng, random_model, vectors};
use crate::{Simulator, parse, witness};
use std::collections::BTreeSet;
use trellis_ivl::{Edge, Loc, LocKind};
use trellis_ivl_testing::{Script, along, explore, extend};

/// One random run of a model.
struct Run<'m> {
    simulator: Simulator<'m, bool>,
    /// Per step.
    inputs: Vec<Vec<bool>>,
}

impl Lowered {
    fn script(&self, inputs: &[bool], latches: &[bool]) -> Script {
        let inputs = self.inputs.iter().zip(inputs);
        let latches = self.initial.iter().zip(latches);
        let latches = latches.filter_map(|(input, &bit)| Some(((*input)?, bit)));
        let chosen = inputs
            .map(|(&(_, input), &bit)| (input, bit))
            .chain(latches);
        Script(
            chosen
                .map(|(input, bit)| (input, Value::Bool(bit)))
                .collect(),
        )
    }

    fn extend(&self, trace: &mut Trace, edge: Edge, script: Script) -> bool {
        extend(&self.program, trace, edge, script)
    }

    fn latches_after(&self, trace: &Trace) -> Vec<bool> {
        let machine = along(&self.program, trace);
        let value = |&var: &Var| machine.value(var).as_bool().unwrap();
        self.latches.iter().map(value).collect()
    }
}

/// Runs model and program side by side; how many bad states were seen.
fn compare(model: &Model, lowered: &Lowered, run: &mut Run<'_>, rng: &mut Rng) -> usize {
    let mut seen = 0;
    let mut trace = Trace::default();
    let simulator = &mut run.simulator;
    let legal = simulator.start(&run.inputs[0], |_| rng.chance(50));
    let script = lowered.script(&run.inputs[0], simulator.latches());
    assert_eq!(
        lowered.extend(&mut trace, lowered.graph.init, script),
        legal
    );
    if !legal {
        return 0;
    }
    for (step, inputs) in run.inputs.iter().enumerate() {
        if step > 0 {
            simulator.advance();
            simulator.step(inputs);
        }
        assert_eq!(lowered.latches_after(&trace), simulator.latches());
        let alive = simulator.constraints_hold();
        for (i, &bad) in model.properties().1.iter().enumerate() {
            let mut to_bad = trace.clone();
            let script = lowered.script(inputs, &[]);
            let reached = lowered.extend(&mut to_bad, lowered.graph.bads[i].1, script);
            assert_eq!(reached, alive && simulator.value(bad));
            if reached {
                seen += 1;
                let (property, stimulus) = lowered.stimulus(&to_bad).unwrap();
                assert_eq!(property, Property::Bad(i as u32));
                assert_eq!(stimulus.inputs.len(), step + 1);
                assert!(witness::check(model, &stimulus, &[property]).is_ok());
            }
        }
        let script = lowered.script(inputs, &[]);
        assert_eq!(
            lowered.extend(&mut trace, lowered.graph.step, script),
            alive
        );
        if !alive {
            break;
        }
    }
    seen
}

#[test]
fn programs_agree_with_their_models() {
    let mut rng = Rng::new(11);
    let (mut lowered_models, mut seen, mut with_flag) = (0, 0, 0);
    while lowered_models < 1000 {
        let model = random_model(&mut rng);
        let lowered = lower(&model, "random.aig");
        lowered_models += 1;
        with_flag += usize::from(!inputs_of_resets(&model).is_empty());
        let inputs = (0..5).map(|_| (0..model.inputs).map(|_| rng.chance(50)).collect());
        let mut run = Run {
            simulator: Simulator::new(&model),
            inputs: inputs.collect(),
        };
        seen += compare(&model, &lowered, &mut run, &mut rng);
    }
    assert!(seen > 1000 && with_flag > 100, "{seen} {with_flag}");
}

/// The properties that some run reaches, by trying all of them on the model.
fn reachable(model: &Model) -> BTreeSet<usize> {
    let inputs: Vec<Vec<bool>> = vectors(model.inputs as usize).collect();
    let mut simulator = Simulator::<bool>::new(model);
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut visit = |state: &[bool], inputs: &[bool], first: bool| {
        simulator.load(state);
        simulator.step(inputs);
        if !simulator.constraints_hold() || (first && !simulator.resets_hold()) {
            return None;
        }
        let bads = model.properties().1.iter().enumerate();
        found.extend(
            bads.filter(|(_, bad)| simulator.value(**bad))
                .map(|(i, _)| i),
        );
        simulator.advance();
        let next = simulator.latches().to_vec();
        seen.insert(next.clone()).then_some(next)
    };
    let mut waiting: Vec<Vec<bool>> = Vec::new();
    for state in vectors(model.latches.len()) {
        waiting.extend(inputs.iter().filter_map(|i| visit(&state, i, true)));
    }
    while let Some(state) = waiting.pop() {
        waiting.extend(inputs.iter().filter_map(|i| visit(&state, i, false)));
    }
    found
}

#[test]
fn programs_reach_what_their_models_reach() {
    let mut rng = Rng::new(12);
    let (mut compared, mut some) = (0, 0);
    while compared < 300 {
        let model = random_model(&mut rng);
        let lowered = lower(&model, "random.aig");
        if lowered.program.pool.vars().len() > 7 {
            continue;
        }
        let explored = explore(&lowered.program, 100_000).expect("few enough states");
        let reached: BTreeSet<Loc> = explored.states().map(|(loc, _)| loc).collect();
        let reached: BTreeSet<usize> = (0..lowered.graph.bads.len())
            .filter(|&i| reached.contains(&lowered.graph.bads[i].0))
            .collect();
        assert_eq!(reached, reachable(&model), "{model:?}");
        compared += 1;
        some += usize::from(!reached.is_empty());
    }
    assert!((50..250).contains(&some), "{some}");
}

/// A latch whose reset reads an input must see the same input in the first step.
#[test]
fn the_first_step_uses_the_inputs_of_the_reset() {
    let model = parse(b"aag 3 1 1 0 1 1\n2\n4 4 2\n6\n6 5 2\n").unwrap();
    let lowered = lower(&model, "x.aag");
    for (at_reset, at_step) in [(false, false), (true, true), (true, false), (false, true)] {
        let mut trace = Trace::default();
        let script = lowered.script(&[at_reset], &[at_reset]);
        assert!(lowered.extend(&mut trace, lowered.graph.init, script));
        let script = lowered.script(&[at_step], &[]);
        let steps = lowered.extend(&mut trace, lowered.graph.step, script);
        assert_eq!(steps, at_reset == at_step);
        // From the second step on the input is free, and the latch keeps its reset.
        if steps {
            let script = lowered.script(&[!at_reset], &[]);
            let bad = lowered.extend(&mut trace, lowered.graph.bads[0].1, script);
            assert_eq!(bad, !at_reset);
        }
    }
}

#[test]
fn properties_keep_their_names_and_places() {
    let file = b"aag 2 1 1 2 0\n2\n4 2 1\n4\n3\nl0 busy\no1 stuck\n";
    let lowered = lower(&parse(file).unwrap(), "m.aag");
    let shown: Vec<String> = (lowered.graph.bads.iter())
        .map(|&(loc, _)| {
            let data = &lowered.program.locs[loc];
            let LocKind::Error(name) = &data.kind else {
                panic!("not an error location")
            };
            format!("{name} at {}", data.span)
        })
        .collect();
    assert_eq!(shown, ["b0 at f0:4:1", "stuck at f0:5:1"]);
    let busy = lowered.latches[0];
    assert_eq!(lowered.program.pool.var_data(busy).name, "busy");
    assert_eq!(lowered.latch(busy), Some(0));
    let live = parse(b"aag 1 1 0 1 0 0 0 1 1\n2\n2\n1\n2\n3\nj0 served\n").unwrap();
    let lowered = lower(&live, "live.aag");
    assert!(lowered.graph.bads.is_empty() && lowered.warnings.is_empty());
    let [justice] = &lowered.justice[..] else {
        panic!("{:?}", lowered.justice)
    };
    assert_eq!((&*justice.name, justice.conditions.len()), ("served", 2));
    assert_eq!(justice.span.to_string(), "f0:4:1");
}

/// A chain of gates far deeper than any stack, listed from its end.
#[test]
fn deep_graphs_need_no_stack() {
    let depth = 200_000;
    let mut file = format!(
        "aag {} 2 0 0 {depth} 1\n2\n4\n{}\n",
        depth + 2,
        2 * depth + 4
    );
    for gate in (3..depth + 3).rev() {
        let below = 2 * gate - 1;
        file.push_str(&format!("{} {below} {}\n", 2 * gate, 2 + 2 * (gate % 2)));
    }
    let model = parse(file.as_bytes()).unwrap();
    let lowered = lower(&model, "deep.aag");
    let mut simulator = Simulator::new(&model);
    assert!(simulator.start(&[true, true], |_| true));
    let mut trace = Trace::default();
    assert!(lowered.extend(&mut trace, lowered.graph.init, lowered.script(&[], &[])));
    let script = lowered.script(&[true, true], &[]);
    let bad = lowered.extend(&mut trace, lowered.graph.bads[0].1, script);
    assert_eq!(bad, simulator.value(model.bads[0]));
}
