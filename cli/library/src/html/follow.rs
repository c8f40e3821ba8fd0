//! The way of an execution through the program that the passes have made.
//!
//! Whoever found the error on that program has told the way. Who found it on the program as it was read has not; but passes keep
//! the names of inputs, so that the same values lead there again, mostly. What is found so is an execution of that program which
//! reaches the error, and nothing rests on it but a drawing.

use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::graph::Adjacency;
use trellis_ivl::interp::Oracle;
use trellis_ivl::{Edge, Input, LocKind, Machine, Program, Step, Trace, Type, Value};

/// Steps that are tried.
const MOST_STEPS: usize = 200_000;

/// The values that the inputs had, one after the other.
struct Given<'a> {
    program: &'a Program,
    values: BTreeMap<Input, Vec<&'a Value>>,
    /// How many of them were read.
    read: BTreeMap<Input, usize>,
}

impl Oracle for Given<'_> {
    fn input(&mut self, input: Input, ty: Type) -> Value {
        let read = self.read.entry(input).or_default();
        let value = self.values.get(&input).and_then(|all| all.get(*read));
        *read += 1;
        let value = value.filter(|v| v.ty() == ty);
        value.map_or_else(|| Value::zero(ty), |v| (*v).clone())
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

impl Given<'_> {
    /// Whether a step has read what comes next, each value once: branches that were tried in vain may have read, too.
    fn accept(&mut self, before: BTreeMap<Input, usize>, step: &Step) -> bool {
        self.read = before;
        step.inputs.iter().all(|(input, value)| {
            let ty = self.program.inputs[*input].ty;
            self.input(*input, ty) == *value
        })
    }
}

/// The edges that lead to an error of this property, with the inputs of the trace.
pub fn follow(program: &Program, trace: &Trace, property: &str) -> Option<BTreeSet<Edge>> {
    let mut given = Given {
        program,
        values: BTreeMap::new(),
        read: BTreeMap::new(),
    };
    for (input, value) in trace.steps.iter().flat_map(|s| &s.inputs) {
        given.values.entry(*input).or_default().push(value);
    }
    let mut machine = Machine::new(program, |v, ty| {
        let value = trace.initial.get(&v).filter(|v| v.ty() == ty);
        value.cloned().unwrap_or_else(|| Value::zero(ty))
    });
    let adjacency = Adjacency::new(program);
    let mut passed = BTreeSet::new();
    for _ in 0..MOST_STEPS {
        if machine.is_final() {
            let kind = &program.locs[machine.loc()].kind;
            let is_it = matches!(kind, LocKind::Error(name) if **name == *property);
            return is_it.then_some(passed);
        }
        let out = adjacency.out(machine.loc());
        let step = out.iter().find_map(|&edge| {
            let before = given.read.clone();
            let step = machine.try_edge(edge, &mut given);
            match step {
                Some(step) => Some(given.accept(before, &step).then_some(step)),
                None => {
                    given.read = before;
                    None
                }
            }
        });
        passed.insert(step.flatten()?.edge);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::{Bv, text};

    /// What the second program forgets, it does not need; what it has merged, it decides by the same values.
    #[test]
    fn the_same_inputs_lead_there_again() {
        let before = text::parse(
            "ivl 1;
            var x: bv8; var y: bv8;
            input i0: bv8; input i1: bv8;
            proc main() {
              loc l0 entry; loc l1; loc l2; loc l3 error \"unreach-call\"; loc l4;
              l0 -> l1 { havoc y from i1 };
              l1 -> l2 { havoc x from i0 };
              l2 -> l1 { assume x <u 7bv8 };
              l2 -> l3 { assume x == 7bv8 };
              l2 -> l4 { assume x >u 7bv8 };
            }
            main main;",
        );
        let after = text::parse(
            "ivl 1;
            var x: bv8; var y: bv8;
            input i0: bv8; input i1: bv8;
            proc main() {
              loc l0 entry; loc l1 error \"unreach-call\"; loc l2;
              l0 -> l2 { havoc x from i0; assume x >u 7bv8 };
              l0 -> l0 { havoc x from i0; assume x <u 7bv8 };
              l0 -> l1 { havoc x from i0; assume x == 7bv8 };
            }
            main main;",
        );
        let (before, after) = (before.expect("right"), after.expect("right"));
        let inputs: Vec<Input> = before.inputs.keys().collect();
        let edges: Vec<Edge> = before.edges.keys().collect();
        let step = |edge: usize, given: Option<(usize, u64)>| Step {
            edge: edges[edge],
            choices: Vec::new(),
            inputs: (given.into_iter())
                .map(|(input, value)| (inputs[input], Value::Bv(Bv::new(8, value))))
                .collect(),
        };
        let mut trace = Trace::default();
        trace.steps.push(step(0, Some((1, 99))));
        for value in [3, 5] {
            trace
                .steps
                .extend([step(1, Some((0, value))), step(2, None)]);
        }
        trace.steps.extend([step(1, Some((0, 7))), step(3, None)]);
        trellis_ivl::interp::replay(&before, &trace).expect("an execution");
        let way = follow(&after, &trace, "unreach-call").expect("a way");
        let names: Vec<String> = way.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["e1", "e2"]);
        assert_eq!(follow(&after, &trace, "no-overflow"), None);
        trace.steps.truncate(4);
        assert_eq!(follow(&after, &trace, "unreach-call"), None);
    }
}
