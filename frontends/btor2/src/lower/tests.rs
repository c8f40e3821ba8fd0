//! The program does what the model does, step by step through the interpreter.

use super::*;
use crate::testing::{Rng, random_model, random_value};
use crate::witness::{self, Property as Claim};
use crate::{Simulator, parse};
use std::collections::BTreeMap;
use trellis_ivl::{Edge, LocKind};
use trellis_ivl_testing::{Script, along, extend};

fn lowered_value(value: &Value) -> Value {
    match value {
        Value::Bv(bits) if bits.width() == 1 => Value::Bool(bits.is_one()),
        other => other.clone(),
    }
}

impl Lowered {
    /// The script of one edge: the step's inputs, and per state the value to choose.
    fn script(&self, inputs: &[Value], states: &[Value]) -> Script {
        let mut script = BTreeMap::new();
        for (&(_, input), value) in self.inputs.iter().zip(inputs) {
            script.insert(input, lowered_value(value));
        }
        for (input, value) in self.open.iter().zip(states) {
            script.extend(input.map(|input| (input, lowered_value(value))));
        }
        Script(script)
    }

    fn extend(&self, trace: &mut Trace, edge: Edge, script: Script) -> bool {
        extend(&self.program, trace, edge, script)
    }
}

/// Runs model and program side by side; how many bad states were seen.
fn compare(model: &Model, lowered: &Lowered, run: &Run) -> usize {
    let mut seen = 0;
    let mut trace = Trace::default();
    let mut simulator = Simulator::new(model);
    let script = lowered.script(&run.inputs[0], &run.states[0]);
    assert!(lowered.extend(&mut trace, lowered.graph.init, script));
    for step in 0..run.inputs.len() - 1 {
        let choose = |i: usize| run.states[step][i].clone();
        match step {
            0 => simulator.start(&run.inputs[0], choose),
            _ => simulator.advance(&run.inputs[step], choose),
        }
        let machine = along(&lowered.program, &trace);
        for (i, &var) in lowered.states.iter().enumerate() {
            if !lowered.is_input[i] {
                assert_eq!(*machine.value(var), lowered_value(simulator.state(i)));
            }
        }
        // The step chooses the inputs of this step and open states of the next.
        let choices: Vec<Value> = (0..model.states.len())
            .map(|i| run.states[step + usize::from(!lowered.is_input[i])][i].clone())
            .collect();
        let alive = simulator.constraints_hold();
        for (i, bad) in model.bads.iter().enumerate() {
            let mut to_bad = trace.clone();
            let script = lowered.script(&run.inputs[step], &choices);
            let reached = lowered.extend(&mut to_bad, lowered.graph.bads[i].1, script);
            assert_eq!(reached, alive && simulator.holds(bad.value));
            if reached {
                seen += 1;
                witness_of_trace_is_right(model, lowered, &to_bad, i as u32);
            }
        }
        let script = lowered.script(&run.inputs[step], &choices);
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

fn witness_of_trace_is_right(model: &Model, lowered: &Lowered, trace: &Trace, bad: u32) {
    let (reached, run) = lowered.run(trace).unwrap();
    assert_eq!(reached, bad);
    let witness = witness::from_run(model, &run).unwrap();
    let last = witness::check(model, &witness).unwrap().reached.unwrap();
    // The witness stops at the first bad state, which may come before the trace's.
    assert!(last + 2 <= trace.steps.len());
    if last + 2 == trace.steps.len() {
        assert!(witness.properties.contains(&Claim::Bad(bad)));
    }
}

#[test]
fn programs_agree_with_their_models() {
    let mut rng = Rng::new(21);
    let (mut count, mut seen, mut as_inputs) = (0, 0, 0);
    while count < 1000 {
        let model = random_model(&mut rng);
        let lowered = lower(&model, "random.btor2");
        count += 1;
        as_inputs += lowered.is_input.iter().filter(|&&is| is).count();
        let mut run = Run::default();
        for _ in 0..6 {
            let mut value = |node: u32| random_value(&mut rng, model.nodes[node as usize].ty);
            let states = model.states.iter().map(|s| value(s.node)).collect();
            run.states.push(states);
            run.inputs
                .push(model.inputs.iter().map(|&n| value(n)).collect());
        }
        seen += compare(&model, &lowered, &run);
    }
    assert!(seen > 500 && as_inputs > 100, "{seen} {as_inputs}");
}

/// A free state that another's initial value reads keeps its first value through the first step.
#[test]
fn initial_values_tie_free_states() {
    let text = "1 sort bitvec 1\n2 state 1 seed\n3 state 1 copy\n4 init 1 3 2\n5 next 1 3 3\n\
        6 state 1 wire\n7 neq 1 2 3\n8 bad 7 differ\n";
    let lowered = lower(&parse(text.as_bytes()).unwrap(), "m.btor2");
    assert_eq!(lowered.is_input, [false, false, true]);
    let bit = |b: bool| Value::Bv(Bv::new(1, u64::from(b)));
    for seed in [false, true] {
        let mut trace = Trace::default();
        let states = [bit(seed), bit(false), bit(false)];
        assert!(lowered.extend(&mut trace, lowered.graph.init, lowered.script(&[], &states)));
        let bad = lowered.graph.bads[0].1;
        assert!(!lowered.extend(&mut trace.clone(), bad, lowered.script(&[], &states)));
        let states = [bit(!seed), bit(false), bit(false)];
        assert!(lowered.extend(&mut trace, lowered.graph.step, lowered.script(&[], &states)));
        assert!(lowered.extend(&mut trace, bad, lowered.script(&[], &states)));
    }
}

#[test]
fn properties_keep_their_names_and_places() {
    let text = "1 sort bitvec 1\n2 input 1 go\n3 bad 2 stuck\n4 bad -2\n5 fair 2\n";
    let lowered = lower(&parse(text.as_bytes()).unwrap(), "m.btor2");
    let shown: Vec<String> = (lowered.graph.bads.iter())
        .map(|&(loc, _)| {
            let data = &lowered.program.locs[loc];
            let LocKind::Error(name) = &data.kind else {
                panic!("not an error location")
            };
            format!("{name} at {}", data.span)
        })
        .collect();
    assert_eq!(shown, ["stuck at f0:3:3", "b1 at f0:4:3"]);
    assert_eq!(lowered.warnings.len(), 1);
    let live = parse(b"1 sort bitvec 1\n2 input 1\n3 justice 1 2 served\n4 fair -2\n").unwrap();
    let lowered = lower(&live, "l.btor2");
    assert!(lowered.graph.bads.is_empty() && lowered.warnings.is_empty());
    let [justice] = &lowered.justice[..] else {
        panic!("{:?}", lowered.justice)
    };
    assert_eq!((&*justice.name, justice.conditions.len()), ("served", 2));
}

/// A chain of operations far deeper than any stack.
#[test]
fn deep_graphs_need_no_stack() {
    let depth = 100_000;
    let mut text = "1 sort bitvec 1\n2 sort bitvec 16\n3 input 2\n4 input 2\n".to_string();
    for id in 5..5 + depth {
        let op = ["mul", "xor", "sub"][id % 3];
        text.push_str(&format!("{id} {op} 2 -{} {}\n", id - 1, 3 + id % 2));
    }
    let last = 4 + depth;
    text.push_str(&format!(
        "{} redxor 1 {last}\n{} bad {0}\n",
        last + 1,
        last + 2
    ));
    let model = parse(text.as_bytes()).unwrap();
    let lowered = lower(&model, "deep.btor2");
    let inputs = [Bv::new(16, 12345).into(), Bv::new(16, 54321).into()];
    let mut simulator = Simulator::new(&model);
    simulator.start(&inputs, |_| unreachable!("no states"));
    let mut trace = Trace::default();
    assert!(lowered.extend(&mut trace, lowered.graph.init, lowered.script(&[], &[])));
    let bad = lowered.graph.bads[0].1;
    let reached = lowered.extend(&mut trace, bad, lowered.script(&inputs, &[]));
    assert_eq!(reached, simulator.holds(model.bads[0].value));
}
