//! The interpreter step by step: what it refuses to replay and leaves as it was, where an oracle leads it, how calls keep
//! their locals. That it and the expansion of calls mean the same is tested on random programs in `ivl/testing`.

use std::collections::BTreeMap;
use trellis_ivl::interp::replay;
use trellis_ivl::{
    Bv, Edge, Input, Loc, Machine, Oracle, Program, ReplayError, Step, Trace, Type, Value, Var,
    text,
};

fn parse(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|e| panic!("{e}"))
}

fn word(n: u64) -> Value {
    Bv::new(8, n).into()
}

fn var(program: &Program, name: &str) -> Var {
    let vars = program.pool.vars().iter();
    let mut named = vars.filter(|(_, d)| d.name == name).map(|(v, _)| v);
    named.next().expect("declared")
}

/// Answers with the listed numbers, then with the last one.
struct Listed {
    picks: Vec<usize>,
    inputs: Vec<u64>,
}

impl Oracle for Listed {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        let next = match self.inputs.len() {
            1 => self.inputs[0],
            _ => self.inputs.remove(0),
        };
        assert_eq!(ty, Type::Bv(8));
        word(next)
    }

    fn pick(&mut self, _: usize) -> usize {
        match self.picks.len() {
            1 => self.picks[0],
            _ => self.picks.remove(0),
        }
    }
}

fn picking(picks: &[usize]) -> Listed {
    Listed {
        picks: picks.to_vec(),
        inputs: vec![0],
    }
}

/// Two inputs and a choice on one edge, a call on the next, and an error.
const STEPS: &str = "ivl 1;
    var x: bv8; var y: bv8; var b: bool; input i0 \"x\": bv8; input i1 \"y\": bv8; input i2 \"b\": bool;
    proc add(a) returns (r) {
      var a: bv8; var r: bv8; var own: bv8;
      loc l0 entry; loc l1 exit;
      l0 -> l1 { own := own + 1bv8; r := a + own };
    }
    proc main() {
      loc l2 entry; loc l3; loc l4; loc l5 error \"five\"; loc l6 exit;
      l2 -> l3 { { havoc x from i0; havoc b from i2 } [] { x := y } [] { assume false }; havoc y from i1; assume y <u 9bv8 };
      l3 -> l4 call add(x) -> (x);
      l4 -> l5 { assume x == 5bv8 };
      l4 -> l6 { assume x != 5bv8 };
    }
    main main;";

/// The edges of main: those of `add` come first.
const READ: u32 = 1;
const CALL: u32 = 2;
const FIVE: u32 = 3;

fn read(choices: &[u32], inputs: &[(u32, Value)]) -> Step {
    let inputs = inputs.iter().cloned();
    Step {
        edge: Edge::from_u32(READ),
        choices: choices.to_vec(),
        inputs: inputs.map(|(i, v)| (Input::from_u32(i), v)).collect(),
    }
}

#[test]
fn exactly_what_is_recorded_is_replayed() {
    let program = parse(STEPS);
    let step = |edge: u32| Step::plain(Edge::from_u32(edge));
    let yes = Value::Bool(true);
    let good = read(&[0], &[(0, word(4)), (2, yes.clone()), (1, word(8))]);
    let steps = vec![good.clone(), step(CALL), step(0), step(FIVE)];
    let trace = |steps: &[Step]| Trace {
        initial: BTreeMap::new(),
        steps: steps.to_vec(),
    };
    let end = replay(&program, &trace(&steps)).expect("it was recorded so");
    assert_eq!(end, Loc::from_u32(5));
    assert_eq!(replay(&program, &trace(&steps[..2])), Ok(Loc::from_u32(0)));
    assert_eq!(replay(&program, &trace(&steps[..3])), Ok(Loc::from_u32(4)));

    let e = Edge::from_u32(READ);
    let (four, eight) = ((0, word(4)), (1, word(8)));
    let b = (2, yes.clone());
    let all = |more: &[(u32, Value)]| [&[four.clone(), b.clone(), eight.clone()], more].concat();
    let wide: Value = Bv::new(9, 4).into();
    for (wrong, why) in [
        (read(&[], &all(&[])), ReplayError::Choices(e)),
        (read(&[0, 0], &all(&[])), ReplayError::Choices(e)),
        (read(&[3], &all(&[])), ReplayError::Choices(e)),
        (read(&[u32::MAX], &all(&[])), ReplayError::Choices(e)),
        (read(&[0], &[]), ReplayError::Inputs(e)),
        (
            read(&[0], &[four.clone(), b.clone()]),
            ReplayError::Inputs(e),
        ),
        (read(&[0], &all(&[(1, word(8))])), ReplayError::Inputs(e)),
        (
            read(&[0], &[(1, word(4)), b.clone(), eight.clone()]),
            ReplayError::Inputs(e),
        ),
        (
            read(&[0], &[(0, wide), b.clone(), eight.clone()]),
            ReplayError::Inputs(e),
        ),
        (
            read(&[0], &[(0, yes), b.clone(), eight.clone()]),
            ReplayError::Inputs(e),
        ),
        (read(&[1], &all(&[])), ReplayError::Inputs(e)),
        (read(&[2], &[(1, word(8))]), ReplayError::Blocked(e)),
        (
            read(&[0], &[four.clone(), b.clone(), (1, word(9))]),
            ReplayError::Blocked(e),
        ),
        (step(99), ReplayError::NoSuchEdge(Edge::from_u32(99))),
        (
            step(FIVE),
            ReplayError::WrongLocation {
                edge: Edge::from_u32(FIVE),
                at: Loc::from_u32(2),
            },
        ),
    ] {
        let initial = |_, ty| match ty {
            Type::Bv(8) => word(7),
            ty => Value::zero(ty),
        };
        let mut machine = Machine::new(&program, initial);
        assert_eq!(machine.replay(&wrong), Err(why), "{wrong:?}");
        // The state is as before, and the right step can still be taken.
        assert_eq!(machine.loc(), program.entry());
        for name in ["x", "y"] {
            assert_eq!(machine.value(var(&program, name)), &word(7), "{wrong:?}");
        }
        machine.replay(&good).expect("nothing has happened");
        assert_eq!(machine.value(var(&program, "x")), &word(4));
        assert_eq!(machine.value(var(&program, "y")), &word(8));
        assert_eq!(machine.value(var(&program, "b")), &Value::Bool(true));
    }
    // A call decides nothing.
    let mut machine = Machine::new(&program, |_, ty| Value::zero(ty));
    machine.replay(&good).expect("as above");
    let call = Edge::from_u32(CALL);
    let chosen = Step {
        choices: vec![0],
        ..step(CALL)
    };
    assert_eq!(machine.replay(&chosen), Err(ReplayError::Choices(call)));
    let given = Step {
        inputs: vec![(Input::from_u32(0), word(0))],
        ..step(CALL)
    };
    assert_eq!(machine.replay(&given), Err(ReplayError::Inputs(call)));
    assert_eq!(machine.call_stack().count(), 0);
    machine.replay(&step(CALL)).expect("as above");
    assert_eq!(machine.call_stack().collect::<Vec<_>>(), [call]);
    assert_eq!(machine.value(var(&program, "a")), &word(4));
}

#[test]
fn initial_values_fit_the_program() {
    let mut program = parse(STEPS);
    let x = var(&program, "x");
    let symbol = program.pool.fresh("symbol", Type::Bv(8));
    let trace = |v: Var, value: Value| Trace {
        initial: BTreeMap::from([(v, value)]),
        steps: Vec::new(),
    };
    let machine = Machine::for_trace(&program, &trace(x, word(3)));
    let mut machine = machine.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(machine.value(x), &word(3));
    assert_eq!(machine.value(var(&program, "y")), &word(0));
    let term = program.pool.clone().var(x);
    assert_eq!(machine.eval(term), word(3));
    let missing = Var::from_u32(99);
    for (v, value) in [
        (x, Value::Bool(true)),
        (x, Bv::new(9, 3).into()),
        (symbol, word(3)),
        (missing, word(3)),
    ] {
        let refused = Machine::for_trace(&program, &trace(v, value));
        assert_eq!(refused.err(), Some(ReplayError::Initial(v)));
    }
}

/// Locals of a call are zero when it begins and those of the caller when it ends, however deep.
#[test]
fn calls_keep_their_locals() {
    let program = parse(
        "ivl 1;
         var sum: bv8;
         proc down(n) returns (r) {
           var n: bv8; var r: bv8; var own: bv8;
           loc l0 entry; loc l1; loc l2; loc l3 exit;
           l0 -> l3 { assume n == 0bv8; assume own == 0bv8; r := 1bv8 };
           l0 -> l1 { assume n != 0bv8; assume own == 0bv8; own := n };
           l1 -> l2 call down(n - 1bv8) -> (r);
           l2 -> l3 { assume own == n; sum := sum + own; r := r + r };
         }
         proc nothing() { loc l4 entry exit; }
         proc main() {
           var result: bv8;
           loc l5 entry; loc l6; loc l7; loc l8 exit;
           l5 -> l6 { sum := 0bv8 };
           l6 -> l7 call down(4bv8) -> (result);
           l7 -> l8 call nothing() -> ();
         }
         main main;",
    );
    let mut machine = Machine::new(&program, |_, ty| match ty {
        Type::Bv(8) => word(200),
        ty => Value::zero(ty),
    });
    let (mut deepest, mut steps) = (0, 0);
    let oracle = &mut picking(&[0]);
    while !machine.is_final() {
        assert!(machine.step(oracle).is_some(), "stuck at {}", machine.loc());
        deepest = deepest.max(machine.call_stack().count());
        steps += 1;
    }
    // One to begin with, five calls, five ends of calls with what they begin with, and nothing.
    assert_eq!((deepest, steps), (5, 1 + 5 + 4 + 1 + 4 + 1));
    assert_eq!(machine.loc(), Loc::from_u32(8));
    assert_eq!(machine.value(var(&program, "sum")), &word(4 + 3 + 2 + 1));
    assert_eq!(machine.value(var(&program, "result")), &word(16));
    assert!(machine.step(oracle).is_none());
}

/// Whatever an oracle picks first, what can be done is done, and what was tried before leaves nothing behind.
#[test]
fn an_oracle_leads_and_the_rest_is_tried() {
    let program = parse(
        "ivl 1;
         var x: bv8; var y: bv8; input i0 \"y\": bv8;
         proc main() {
           loc l0 entry; loc l1; loc l2; loc l3 exit; loc l4;
           l0 -> l1 { assume x == 1bv8 };
           l0 -> l2 { assume x == 2bv8 };
           l0 -> l3 { assume x == 3bv8 };
           l1 -> l3 { { y := 5bv8 } [] { havoc y from i0; assume y == 1bv8 } [] { y := 7bv8; { x := 4bv8 } [] { x := 6bv8 } };
                      assume x == 6bv8; assume y == 7bv8 };
           l2 -> l3 { { x := 3bv8 } [] { x := 4bv8 }; assume x == 5bv8 };
           l2 -> l4 { assume false };
         }
         main main;",
    );
    let machine = |x: u64| {
        Machine::new(&program, move |v, _| {
            word(if v.as_u32() == 0 { x } else { 9 })
        })
    };
    let (x, y) = (var(&program, "x"), var(&program, "y"));
    for first in 0..7 {
        for (value, to) in [(1, 1), (2, 2), (3, 3)] {
            let mut m = machine(value);
            let step = m.step(&mut picking(&[first % 3])).expect("one is open");
            assert_eq!(step, Step::plain(Edge::from_u32(to - 1)));
            assert_eq!(m.loc(), Loc::from_u32(to));
        }
        assert!(machine(4).step(&mut picking(&[first % 3])).is_none());
        // All branches are tried, from the one that is picked on; numbers beyond the last begin anew.
        let mut m = machine(1);
        m.step(&mut picking(&[0])).expect("one is open");
        let mut oracle = picking(&[0, first, first / 2]);
        let step = m.step(&mut oracle).expect("one way leads on");
        assert_eq!((step.choices, step.inputs), (vec![2, 1], vec![]));
        assert_eq!((m.value(x), m.value(y)), (&word(6), &word(7)));
        // Nothing leads on, and nothing has changed.
        let mut m = machine(2);
        m.step(&mut picking(&[0])).expect("one is open");
        assert!(!m.is_final());
        assert!(m.step(&mut picking(&[0, first])).is_none());
        assert_eq!((m.loc(), m.value(x)), (Loc::from_u32(2), &word(2)));
    }
    // Inputs that were read on a way that leads nowhere are forgotten, and read anew on the next.
    let mut m = machine(1);
    m.step(&mut picking(&[0])).expect("one is open");
    let mut oracle = Listed {
        picks: vec![0, 1, 0],
        inputs: vec![1],
    };
    let step = m.step(&mut oracle).expect("one way leads on");
    assert_eq!((step.choices, step.inputs), (vec![2, 1], vec![]));
}

/// An edge is given up after ten thousand ways, not before.
#[test]
fn trying_ends() {
    for (branches, found) in [(10_001, true), (10_002, false)] {
        let dead = "{ assume x == 1bv8 } [] ".repeat(branches - 1);
        let program = parse(&format!(
            "ivl 1; var x: bv8; proc main() {{ loc l0 entry; loc l1 exit; l0 -> l1 {{ {dead} {{ x := 9bv8 }} }}; }} main main;"
        ));
        let mut machine = Machine::new(&program, |_, ty| Value::zero(ty));
        let step = machine.step(&mut picking(&[0]));
        assert_eq!(step.is_some(), found, "{branches}");
    }
}

#[test]
fn executions_end_at_errors_and_where_nothing_leads_on() {
    let program = parse(
        "ivl 1;
         proc main() {
           loc l0 entry; loc l1 error \"e\"; loc l2 incomplete \"i\"; loc l3; loc l4 exit;
           l0 -> l1 { }; l0 -> l2 { }; l0 -> l3 { }; l3 -> l4 { };
         }
         main main;",
    );
    for (edge, is_final) in [(0, true), (1, true), (2, false)] {
        let mut machine = Machine::new(&program, |_, ty| Value::zero(ty));
        assert!(!machine.is_final());
        let edge = Edge::from_u32(edge);
        assert!(machine.try_edge(edge, &mut picking(&[0])).is_some());
        assert_eq!(machine.is_final(), is_final);
    }
}
