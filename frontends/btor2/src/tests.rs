//! Reading, writing and simulating agree with each other and with plain integer arithmetic; wrong
//! files are refused at their place.

use crate::eval::eval;
use crate::testing::{Rng, mutate, random_model, random_value};
use crate::witness::{self, Run, Witness};
use crate::*;
use trellis_ivl::{Bv, Type, Value};

/// A counter with enable that must not reach 3, in the style of a synthesis tool.
const COUNTER: &str = "\
; a counter
1 sort bitvec 1
2 sort bitvec 2
3 input 1 enable ; top.v:3
4 zero 2
5 state 2 count
6 init 2 5 4
7 one 2
8 add 2 5 7
9 ite 2 3 8 5
10 next 2 5 9
11 ones 2
12 eq 1 5 11
13 bad 12 overflow
14 uext 2 5 0 alias ; names only
15 output 14
";

#[test]
fn reads_and_writes_the_example() {
    let model = parse(COUNTER.as_bytes()).unwrap();
    assert_eq!(model.name(model.states[0].node), Some("count"));
    assert_eq!(
        model.origin.bads[0],
        Place {
            line: 14,
            column: 4
        }
    );
    let expected = "\
1 sort bitvec 1
2 input 1 enable
3 sort bitvec 2
4 zero 3
5 state 3 count
6 one 3
7 add 3 5 6
8 ite 3 2 7 5
9 zero 3
10 eq 1 5 -9
11 uext 3 5 0 alias
12 init 3 5 4
13 next 3 5 8
14 bad 10 overflow
15 output 11
";
    assert_eq!(write(&model), expected);
    assert_eq!(parse(expected.as_bytes()).unwrap(), model);
}

#[test]
fn writing_keeps_random_models() {
    let mut rng = Rng::new(1);
    let mut used = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let model = random_model(&mut rng);
        let text = write(&model);
        let read = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(read, model);
        assert_eq!(write(&read), text);
        used.extend(model.nodes.iter().map(|node| node.op.name()));
    }
    assert_eq!(used.len(), Op::all().count() + 3, "{used:?}");
}

/// The operators by their definitions on integers.
fn by_definition(op: Op, w: u32, a: i64, b: i64) -> Option<i64> {
    let size = 1i64 << w;
    let signed = |x: i64| if x >= size / 2 { x - size } else { x };
    let (sa, sb) = (signed(a), signed(b));
    let fits = |x: i64| -size / 2 <= x && x < size / 2;
    let truncated = |x: i64, y: i64| (x.abs() / y.abs()) * x.signum() * y.signum();
    let bit = |c: bool| Some(i64::from(c));
    let all = size - 1;
    let power = |n: i64| 1i64 << n.min(30);
    let rotate = |n: i64| ((a << n) | (a >> (i64::from(w) - n))).rem_euclid(size);
    let result = match op {
        Op::Not => all - a,
        Op::Inc => a + 1,
        Op::Dec => a - 1,
        Op::Neg => -a,
        Op::Redand => return bit(a == all),
        Op::Redor => return bit(a != 0),
        Op::Redxor => return bit(a.count_ones() % 2 == 1),
        Op::Iff if w == 1 => return bit(a == b),
        Op::Implies if w == 1 => return bit(a <= b),
        Op::Eq => return bit(a == b),
        Op::Neq => return bit(a != b),
        Op::Sgt => return bit(sa > sb),
        Op::Ugt => return bit(a > b),
        Op::Sgte => return bit(sa >= sb),
        Op::Ugte => return bit(a >= b),
        Op::Slt => return bit(sa < sb),
        Op::Ult => return bit(a < b),
        Op::Slte => return bit(sa <= sb),
        Op::Ulte => return bit(a <= b),
        Op::And => a & b,
        Op::Nand => all - (a & b),
        Op::Nor => all - (a | b),
        Op::Or => a | b,
        Op::Xnor => all - (a ^ b),
        Op::Xor => a ^ b,
        Op::Rol => rotate(b % i64::from(w)),
        Op::Ror => rotate((i64::from(w) - b % i64::from(w)) % i64::from(w)),
        Op::Sll => a * power(b),
        Op::Sra => sa.div_euclid(power(b)),
        Op::Srl => a / power(b),
        Op::Add => a + b,
        Op::Mul => a * b,
        Op::Sdiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                all
            }
        }
        Op::Sdiv => truncated(sa, sb),
        Op::Udiv => {
            if b == 0 {
                all
            } else {
                a / b
            }
        }
        Op::Smod if b == 0 => a,
        Op::Smod => sa - sb * (sa as f64 / sb as f64).floor() as i64,
        Op::Srem if b == 0 => a,
        Op::Srem => sa - sb * truncated(sa, sb),
        Op::Urem => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        Op::Sub => a - b,
        Op::Saddo => return bit(!fits(sa + sb)),
        Op::Uaddo => return bit(a + b > all),
        Op::Sdivo => return bit(b != 0 && !fits(truncated(sa, sb))),
        Op::Smulo => return bit(!fits(sa * sb)),
        Op::Umulo => return bit(a * b > all),
        Op::Ssubo => return bit(!fits(sa - sb)),
        Op::Usubo => return bit(a < b),
        _ => return None,
    };
    Some(result.rem_euclid(size))
}

#[test]
fn operators_follow_their_definitions() {
    let mut checked = std::collections::BTreeSet::new();
    for w in 1..=4 {
        for op in Op::all() {
            for (a, b) in (0..1 << w).flat_map(|a| (0..1 << w).map(move |b| (a, b))) {
                let Some(expected) = by_definition(op, w, a, b) else {
                    continue;
                };
                checked.insert(op.name());
                let (a, b) = (Bv::new(w, a as u64).into(), Bv::new(w, b as u64).into());
                let got = eval(op, [0, 0], &[&a, &b][..op.operands()]);
                let got = got.as_bv().unwrap().to_u64().unwrap();
                assert_eq!(got, expected as u64, "{} {a} {b}", op.name());
            }
        }
    }
    // All but slice, uext, sext, concat, read, ite and write.
    assert_eq!(checked.len(), Op::all().count() - 7);
    let byte: Value = Bv::new(8, 0xa5).into();
    let check = |op, numbers, args: &[&Value], width, value| {
        assert_eq!(eval(op, numbers, args), Bv::new(width, value).into());
    };
    check(Op::Slice, [7, 4], &[&byte], 4, 0xa);
    check(Op::Slice, [2, 1], &[&byte], 2, 2);
    check(Op::Uext, [4, 0], &[&byte], 12, 0x0a5);
    check(Op::Sext, [4, 0], &[&byte], 12, 0xfa5);
    check(
        Op::Concat,
        [0, 0],
        &[&byte, &Bv::new(4, 3).into()],
        12,
        0xa53,
    );
    check(
        Op::Ite,
        [0, 0],
        &[&Bv::one(1).into(), &byte, &Bv::zero(8).into()],
        8,
        0xa5,
    );
    check(
        Op::Ite,
        [0, 0],
        &[&Bv::zero(1).into(), &byte, &Bv::zero(8).into()],
        8,
        0,
    );
    let array = Value::zero(Type::Array { index: 2, elem: 8 });
    let (here, there): (Value, Value) = (Bv::new(2, 1).into(), Bv::new(2, 2).into());
    let written = eval(Op::Write, [0, 0], &[&array, &here, &byte]);
    check(Op::Read, [0, 0], &[&written, &here], 8, 0xa5);
    check(Op::Read, [0, 0], &[&written, &there], 8, 0);
    check(Op::Neq, [0, 0], &[&written, &array], 1, 1);
}

#[test]
fn wide_arithmetic_holds_its_laws() {
    let text = "1 sort bitvec 4097\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 udiv 1 3 4\n\
        6 urem 1 3 4\n7 mul 1 5 4\n8 add 1 7 6\n9 eq 2 8 3\n10 redor 2 4\n11 implies 2 10 9\n\
        12 rol 1 3 4\n13 ror 1 12 4\n14 eq 2 13 3\n15 neg 1 4\n16 sub 1 3 4\n17 add 1 3 15\n\
        18 eq 2 16 17\n19 and 2 11 14\n20 and 2 19 18\n21 bad -20\n";
    let model = parse(text.as_bytes()).unwrap();
    let mut rng = Rng::new(7);
    for _ in 0..50 {
        let inputs: Vec<Value> = (0..2)
            .map(|_| random_value(&mut rng, Type::Bv(4097)))
            .collect();
        let mut simulator = Simulator::new(&model);
        simulator.start(&inputs, |_| unreachable!("no states"));
        assert!(!simulator.holds(model.bads[0].value));
    }
}

fn random_run(model: &Model, steps: usize, rng: &mut Rng) -> Run {
    let nodes: Vec<u32> = model.states.iter().map(|s| s.node).collect();
    let mut values = |nodes: &[u32]| -> Vec<Value> {
        let ty = |node: &u32| model.nodes[*node as usize].ty;
        nodes
            .iter()
            .map(|node| random_value(rng, ty(node)))
            .collect()
    };
    let mut run = Run::default();
    for _ in 0..steps {
        run.states.push(values(&nodes));
        run.inputs.push(values(&model.inputs));
    }
    run
}

/// The first step in which a bad state shows while all constraints held, by simulation.
fn first_bad(model: &Model, run: &Run) -> Option<usize> {
    let mut simulator = Simulator::new(model);
    for (step, (inputs, states)) in run.inputs.iter().zip(&run.states).enumerate() {
        let choose = |i: usize| states[i].clone();
        match step {
            0 => simulator.start(inputs, choose),
            _ => simulator.advance(inputs, choose),
        }
        if !simulator.constraints_hold() {
            return None;
        }
        if model.bads.iter().any(|bad| simulator.holds(bad.value)) {
            return Some(step);
        }
    }
    None
}

#[test]
fn witnesses_of_runs_pass_and_changed_ones_are_noticed() {
    let mut rng = Rng::new(2);
    let (mut written, mut refused, mut noticed) = (0, 0, 0);
    for _ in 0..1000 {
        let model = random_model(&mut rng);
        let steps = 1 + rng.below(5);
        let run = random_run(&model, steps, &mut rng);
        let result = witness::from_run(&model, &run);
        let Some(step) = first_bad(&model, &run) else {
            assert!(matches!(result, Err(Error::Refuted(_))), "{result:?}");
            refused += 1;
            continue;
        };
        let witness = result.unwrap();
        let shown = witness::check(&model, &witness);
        assert_eq!(shown.map(|s| s.reached), Ok(Some(step)));
        let text = witness.to_string();
        assert_eq!(
            witness::parse(text.as_bytes()),
            Ok(witness.clone()),
            "{text}"
        );
        written += 1;
        noticed += usize::from(wrong_initial_value_is_noticed(&model, &run, witness));
    }
    assert!(
        written > 200 && refused > 200 && noticed > 50,
        "{written} {refused} {noticed}"
    );
}

/// Claims another initial value for a state that has one.
fn wrong_initial_value_is_noticed(model: &Model, run: &Run, mut witness: Witness) -> bool {
    let bits = |s: &&State| s.init.is_some() && !model.ty(Ref::new(s.node, false)).is_array();
    let Some(state) = model.states.iter().find(bits) else {
        return false;
    };
    let position = model.nodes[state.node as usize].numbers[0];
    let mut simulator = Simulator::new(model);
    simulator.start(&run.inputs[0], |i| run.states[0][i].clone());
    let right = simulator.state(position as usize).as_bv().unwrap().clone();
    let assignment = |value| witness::Assignment {
        position,
        index: None,
        value,
        symbol: None,
    };
    witness.frames[0].states.push(assignment(right.clone()));
    assert!(witness::check(model, &witness).is_ok());
    witness.frames[0].states.push(assignment(right.not()));
    assert!(witness::check(model, &witness).is_err());
    true
}

#[test]
fn mutants_never_panic() {
    let mut rng = Rng::new(3);
    let mut accepted = 0;
    for i in 0..20_000 {
        let model = random_model(&mut rng);
        let mutant = mutate(write(&model).as_bytes(), &mut rng);
        if let Ok(mutant) = parse(&mutant) {
            accepted += 1;
            assert_eq!(parse(write(&mutant).as_bytes()).unwrap(), mutant);
            let widest = mutant.nodes.iter().filter_map(|n| n.ty.width()).max();
            if i % 4 == 0 && widest.unwrap_or(0) < 10_000 {
                let run = random_run(&mutant, 3, &mut rng);
                let _ = witness::from_run(&mutant, &run);
            }
        }
        let text = "sat\nb0 b1\n#0\n0 0101 count#0\n1 [01] 0011\n@0\n0 1 enable@0\n@1\n.\n";
        if let Ok(witness) = witness::parse(&mutate(text.as_bytes(), &mut rng)) {
            let _ = witness::check(&model, &witness);
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn wrong_files_are_refused_at_their_place() {
    let start = "1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 1 2\n4 input 2\n5 state 2\n\
        6 state 3\n7 state 1\n8 const 2 00000001\n";
    let check = |line: &str, expected: &str| {
        let error = parse(format!("{start}{line}\n").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{line}");
    };
    check(
        "x",
        "line 9, column 1: expected a line's identifier, a positive number, found 'x'",
    );
    check(
        "9",
        "line 9, column 2: expected a keyword, found the end of the line",
    );
    check(
        "8 add 2 4 5",
        "line 9, column 1: the identifier 8 does not exceed 8, the one before",
    );
    check("9 frob 2 4", "line 9, column 3: 'frob' is no keyword");
    check(
        "9 add 2 4",
        "line 9, column 10: expected an operand, found the end of the line",
    );
    check(
        "9 add 2 4 5 a b",
        "line 9, column 15: 'b' follows what should be the end of the line",
    );
    check(
        "9 add 2 4 10",
        "line 9, column 11: the operand '10' is not defined",
    );
    check("9 add 2 4 1", "line 9, column 11: 1 is a sort, not a value");
    check("9 add 4 4 5", "line 9, column 7: 4 is not a sort");
    check(
        "9 add 1 4 5",
        "line 9, column 3: 'add' yields bv8, but the line declares bv1",
    );
    check(
        "9 add 2 4 7",
        "line 9, column 3: 'add': the first and second operands differ in their sorts",
    );
    check(
        "9 not 3 6",
        "line 9, column 3: 'not': the first operand is not a bit-vector",
    );
    check(
        "9 ite 2 4 4 5",
        "line 9, column 3: 'ite': the first operand is not a single bit",
    );
    check("9 eq 1 -6 6", "line 9, column 8: -6 negates an array");
    check(
        "9 read 2 4 7",
        "line 9, column 3: 'read': the first operand is not an array",
    );
    check(
        "9 read 2 6 4",
        "line 9, column 3: 'read': the second operand does not have the array's index sort",
    );
    check(
        "9 write 3 6 7 7",
        "line 9, column 3: 'write': the third operand does not have the array's element sort",
    );
    check(
        "9 slice 1 4 8 8",
        "line 9, column 3: 'slice': the bits do not lie within the operand, upper first",
    );
    check(
        "9 slice 1 4 2 3",
        "line 9, column 3: 'slice': the bits do not lie within the operand, upper first",
    );
    check(
        "9 uext 2 4 x",
        "line 9, column 12: expected a number of bits, found 'x'",
    );
    check(
        "9 uext 2 4 16777216",
        "line 9, column 3: a bit-vector of 16777224 bits exceeds the limit of 16777216",
    );
    check(
        "9 sort bitvec 0",
        "line 9, column 15: expected a positive width, found '0'",
    );
    check(
        "9 sort bitvec 4294967296",
        "line 9, column 15: a bit-vector of 4294967296 bits exceeds the limit of 16777216",
    );
    check(
        "9 sort array 1 3",
        "line 9, column 8: arrays of arrays are not supported",
    );
    check(
        "9 sort set 1",
        "line 9, column 8: expected 'bitvec' or 'array', found 'set'",
    );
    check(
        "9 const 2 0101",
        "line 9, column 11: expected 8 binary digits, found '0101'",
    );
    check(
        "9 constd 2 256",
        "line 9, column 12: expected a number of at most 8 bits, found '256'",
    );
    check(
        "9 constd 2 -129",
        "line 9, column 12: expected a number of at most 8 bits, found '-129'",
    );
    check(
        "9 constd 2 -",
        "line 9, column 12: expected a decimal number, found '-'",
    );
    check(
        "9 consth 2 100",
        "line 9, column 12: expected a number of at most 8 bits, found '100'",
    );
    check(
        "9 consth 2 g",
        "line 9, column 12: expected hexadecimal digits, found 'g'",
    );
    check("9 one 3", "line 9, column 3: 'one' needs a bit-vector sort");
    check(
        "9 init 2 4 5",
        "line 9, column 10: the first operand of 'init' is not a state",
    );
    check(
        "9 next 2 -5 4",
        "line 9, column 10: the first operand of 'next' is not a state",
    );
    check(
        "9 next 1 5 7",
        "line 9, column 10: the state has the sort bv8, but the line declares bv1",
    );
    check(
        "9 next 2 5 7",
        "line 9, column 12: a state of sort bv8 is given a value of sort bv1",
    );
    check(
        "9 next 2 5 4\n10 next 2 5 4",
        "line 10, column 13: the state has a next value already",
    );
    check(
        "9 init 2 5 8",
        "line 9, column 12: an initial value must be defined before its state",
    );
    check(
        "9 not 2 4\n10 state 2\n11 init 2 10 9",
        "line 11, column 14: an initial value cannot depend on an input: use a state without next instead",
    );
    check(
        "9 state 2\n10 init 2 9 4",
        "line 10, column 13: an initial value cannot depend on an input: use a state without next instead",
    );
    check(
        "9 state 3\n10 init 3 9 8\n11 init 3 9 8",
        "line 11, column 13: the state has an initial value already",
    );
    check(
        "9 state 3\n10 init 3 9 5",
        "line 10, column 13: a state of sort [bv1]bv8 is given a value of sort bv8",
    );
    check(
        "9 bad 5",
        "line 9, column 7: expected a condition of one bit, found bv8",
    );
    check(
        "9 bad 7\n10 not 1 9",
        "line 10, column 10: 9 is a line 'bad', not a value",
    );
    check(
        "9 justice 0",
        "line 9, column 3: 'justice' needs at least one condition",
    );
    check(
        "9 justice 2 7",
        "line 9, column 14: expected an operand, found the end of the line",
    );
}

#[test]
fn wrong_witnesses_are_refused_with_the_reason() {
    let model = parse(COUNTER.as_bytes()).unwrap();
    let check = |text: &str, expected: &str| {
        let got = witness::parse(text.as_bytes()).and_then(|w| witness::check(&model, &w));
        let got = got.map_or_else(|e| e.to_string(), |shown| format!("{:?}", shown.reached));
        assert_eq!(got, expected, "{text}");
    };
    let steps = "@0\n0 1 enable@0\n@1\n0 1\n@2\n0 1\n@3\n.\n";
    check(&format!("sat\nb0\n#0\n{steps}"), "Some(3)");
    check(&format!("sat\nb0\n{steps}"), "Some(3)");
    check(&format!("sat\nb0\n#0\n0 00 count#0\n{steps}"), "Some(3)");
    check(
        &format!("sat\nb0\n#0\n0 01 count#0\n{steps}"),
        "the witness is wrong: the model determines another value for state 0 in step 0",
    );
    check(
        "sat\nb0\n@0\n.\n",
        "the witness is wrong: its run does not reach b0",
    );
    check(
        "sat\nb1\n@0\n.\n",
        "the witness is wrong: the model has no property b1",
    );
    check(
        "sat\nj0\n@0\n.\n",
        "the witness is wrong: the model has no property j0",
    );
    check(
        "sat\nb0\n@0\n1 0\n.\n",
        "the witness is wrong: input 1 in step 0 does not exist",
    );
    check(
        "sat\nb0\n@0\n0 00\n.\n",
        "the witness is wrong: input 0 in step 0 is given a value of another sort",
    );
    check(
        "sat\nb0\n@0\n0 [0] 0\n.\n",
        "the witness is wrong: input 0 in step 0 is given a value of another sort",
    );
    check(
        "unsat\n",
        "witness, line 1, column 1: expected 'sat', found 'unsat'",
    );
    check(
        "sat\nx0\n",
        "witness, line 2, column 1: expected a property such as b0 or j0, found 'x0'",
    );
    check(
        "sat\nb0\n0 1\n",
        "witness, line 3, column 1: expected '#0' or '@0', found '0 1'",
    );
    check(
        "sat\nb0\n@1\n",
        "witness, line 3, column 1: expected the header of step 0, found '@1'",
    );
    check(
        "sat\nb0\n@0\n0 2\n",
        "witness, line 4, column 1: expected binary digits, found '2'",
    );
    check(
        "sat\nb0\n@0\n",
        "witness, line 4, column 1: the witness ends without '.'",
    );
    check(
        "sat\nb0\n.\n",
        "witness, line 3, column 1: the witness has no step",
    );
}
