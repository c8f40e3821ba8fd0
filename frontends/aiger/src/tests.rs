//! Reading, writing and simulating agree with each other; wrong files are refused at their place.

use crate::testing::{Rng, mutate, random_model, scrambled_ascii};
use crate::witness::{self, Answer, Property, Status, Stimulus};
use crate::*;

/// The toggle with an enable input of the format's description.
const TOGGLE: &str = "aag 5 1 1 0 3 1\n2\n4 10 0\n4\n6 5 3\n8 4 2\n10 9 7\ni0 enable\nb0 on\n";

#[test]
fn reads_the_example() {
    let model = parse(TOGGLE.as_bytes()).unwrap();
    assert_eq!(
        (model.inputs, model.latches.len(), model.ands.len()),
        (1, 1, 3)
    );
    assert_eq!(model.symbols.get(Item::Bad, 0), Some("on"));
    assert_eq!(model.properties(), (Item::Bad, &[Lit(4)][..]));
    assert_eq!(model.line(Item::Bad, 0), Some(4));
    assert_eq!(
        write_ascii(&model),
        TOGGLE.replace("4 10 0", "4 10").as_bytes()
    );
    let old = TOGGLE.replace("0 3 1\n", "1 3\n").replace("b0", "o0");
    let old = parse(old.as_bytes()).unwrap();
    assert_eq!(old.properties(), (Item::Output, &[Lit(4)][..]));
    let live = parse(b"aag 1 1 0 1 0 0 0 1\n2\n2\n1\n3\n").unwrap();
    assert_eq!(live.properties(), (Item::Bad, &[][..]));
}

#[test]
fn both_encodings_keep_random_models() {
    let mut rng = Rng::new(1);
    for _ in 0..1000 {
        let model = random_model(&mut rng);
        let ascii = parse(&write_ascii(&model)).unwrap();
        assert_eq!(ascii, model);
        let binary = parse(&write_binary(&ascii)).unwrap();
        assert_eq!(binary, model);
        assert_eq!(write_ascii(&binary), write_ascii(&model));
    }
}

/// The observable values of a few steps, 64 runs at a time.
fn observe(model: &Model, seed: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    let mut simulator = Simulator::<u64>::new(model);
    let mut seen = Vec::new();
    for step in 0..8 {
        let inputs: Vec<u64> = (0..model.inputs).map(|_| rng.bits()).collect();
        if step == 0 {
            let choices: Vec<u64> = model.latches.iter().map(|_| rng.bits()).collect();
            seen.push(simulator.start(&inputs, |latch| choices[latch as usize]));
        } else {
            simulator.advance();
            simulator.step(&inputs);
        }
        seen.extend(simulator.latches());
        seen.push(simulator.constraints_hold());
        let properties = [&model.outputs, &model.bads, &model.fairness];
        let lits = properties.into_iter().flatten();
        seen.extend(
            lits.chain(model.justice.iter().flatten())
                .map(|&l| simulator.value(l)),
        );
    }
    seen
}

#[test]
fn scrambled_files_mean_the_same() {
    let mut rng = Rng::new(2);
    for seed in 0..1000 {
        let model = random_model(&mut rng);
        let file = scrambled_ascii(&model, &mut rng);
        let read = parse(&file).unwrap();
        assert_eq!(observe(&read, seed), observe(&model, seed));
        for i in 0..read.latches.len() as u32 {
            let line = read.line(Item::Latch, i).unwrap();
            let text = std::str::from_utf8(&file)
                .unwrap()
                .lines()
                .nth(line - 1)
                .unwrap();
            let own = read.literal_in_file(read.latch(i)).to_string();
            assert_eq!(text.split(' ').next(), Some(&*own));
        }
    }
}

/// A reading of the model by its definitions alone: recursive, one run, no plan.
struct Naive<'m> {
    model: &'m Model,
    inputs: Vec<bool>,
    latches: Vec<bool>,
}

impl Naive<'_> {
    fn value(&self, lit: Lit) -> bool {
        let m = self.model;
        let var = lit.var();
        let value = if var == 0 {
            false
        } else if var <= m.inputs {
            self.inputs[var as usize - 1]
        } else if var < m.first_and() {
            self.latches[(var - m.first_latch()) as usize]
        } else {
            let gate = m.ands[(var - m.first_and()) as usize];
            self.value(gate.left) && self.value(gate.right)
        };
        value != lit.is_negated()
    }
}

#[test]
fn simulators_follow_the_definitions() {
    let mut rng = Rng::new(3);
    let mut starts = 0;
    for _ in 0..300 {
        let model = random_model(&mut rng);
        let mut words = Simulator::<u64>::new(&model);
        let mut single = Simulator::<bool>::new(&model);
        let choices: Vec<u64> = model.latches.iter().map(|_| rng.bits()).collect();
        let inputs: Vec<Vec<u64>> = (0..6)
            .map(|_| (0..model.inputs).map(|_| rng.bits()).collect())
            .collect();
        let lane = rng.below(64);
        let bit = |word: u64| word >> lane & 1 == 1;
        let bits = |words: &[u64]| words.iter().map(|&w| bit(w)).collect::<Vec<bool>>();
        let legal = words.start(&inputs[0], |i| choices[i as usize]);
        let legal_single = single.start(&bits(&inputs[0]), |i| bit(choices[i as usize]));
        assert_eq!(bit(legal), legal_single);
        let mut naive = Naive {
            model: &model,
            inputs: bits(&inputs[0]),
            latches: bits(words.latches()),
        };
        let resets = (0..model.latches.len() as u32)
            .all(|i| naive.value(model.latch(i)) == naive.value(model.latches[i as usize].reset));
        assert_eq!(resets, legal_single, "legal start of {model:?}");
        if (0..model.latches.len() as u32)
            .all(|i| !words.is_free(i) || model.reset(i) == Reset::Uninitialised)
        {
            assert!(legal_single, "stratified resets always have a start");
            starts += 1;
        }
        for (step, vector) in inputs.iter().enumerate() {
            if step > 0 {
                naive.latches = model.latches.iter().map(|l| naive.value(l.next)).collect();
                naive.inputs = bits(vector);
                words.advance();
                words.step(vector);
                single.advance();
                single.step(&bits(vector));
            }
            for lit in (0..2 * (model.max_var() + 1)).map(Lit) {
                assert_eq!(naive.value(lit), single.value(lit));
                assert_eq!(naive.value(lit), bit(words.value(lit)));
            }
            let constraints = model.constraints.iter().all(|&c| naive.value(c));
            assert_eq!(constraints, single.constraints_hold());
        }
    }
    assert!(starts > 100);
}

#[test]
fn witnesses_from_simulation_pass_and_changed_ones_fail() {
    let mut rng = Rng::new(4);
    let (mut passed, mut failed) = (0, 0);
    for _ in 0..500 {
        let model = random_model(&mut rng);
        let Some(stimulus) = random_stimulus(&model, &mut rng) else {
            continue;
        };
        let reached: Vec<Property> = (0..model.properties().1.len() as u32)
            .map(Property::Bad)
            .filter(|&p| expected(&model, &stimulus, p))
            .collect();
        for i in 0..model.properties().1.len() as u32 {
            let one = [Property::Bad(i)];
            let ok = witness::check(&model, &stimulus, &one).is_ok();
            assert_eq!(ok, expected(&model, &stimulus, one[0]));
            *(if ok { &mut passed } else { &mut failed }) += 1;
        }
        if reached.is_empty() {
            continue;
        }
        let answer = Answer {
            status: Status::Reached(stimulus),
            properties: reached,
        };
        assert_eq!(
            witness::parse(answer.to_string().as_bytes()).unwrap(),
            [answer]
        );
    }
    assert!(passed > 100 && failed > 100, "{passed} {failed}");
}

fn random_stimulus(model: &Model, rng: &mut Rng) -> Option<Stimulus> {
    let inputs: Vec<Vec<bool>> = (0..1 + rng.below(6))
        .map(|_| (0..model.inputs).map(|_| rng.chance(50)).collect())
        .collect();
    let mut simulator = Simulator::<bool>::new(model);
    if !simulator.start(&inputs[0], |_| rng.chance(50)) {
        return None;
    }
    let some = |bits: &[bool]| bits.iter().copied().map(Some).collect();
    let mut stimulus = Stimulus {
        initial: some(simulator.latches()),
        inputs: inputs.iter().map(|v| some(v)).collect(),
    };
    // One flipped bit of the start in a third of the cases: mostly no longer a run.
    if rng.chance(33) && !stimulus.initial.is_empty() {
        let i = rng.below(stimulus.initial.len());
        stimulus.initial[i] = stimulus.initial[i].map(|b| !b);
    }
    Some(stimulus)
}

/// `c U (c and b)` from a legal start, by definition.
fn expected(model: &Model, stimulus: &Stimulus, property: Property) -> bool {
    let Property::Bad(index) = property else {
        return false;
    };
    let bits = |v: &[Option<bool>]| v.iter().map(|b| b.unwrap()).collect::<Vec<bool>>();
    let mut naive = Naive {
        model,
        inputs: bits(&stimulus.inputs[0]),
        latches: bits(&stimulus.initial),
    };
    let legal = (0..model.latches.len() as u32)
        .all(|i| naive.value(model.latch(i)) == naive.value(model.latches[i as usize].reset));
    for inputs in &stimulus.inputs {
        naive.inputs = bits(inputs);
        if !legal || !model.constraints.iter().all(|&c| naive.value(c)) {
            return false;
        }
        if naive.value(model.properties().1[index as usize]) {
            return true;
        }
        naive.latches = model.latches.iter().map(|l| naive.value(l.next)).collect();
    }
    false
}

#[test]
fn mutants_never_panic() {
    let mut rng = Rng::new(5);
    let mut accepted = 0;
    for i in 0..20_000 {
        let model = random_model(&mut rng);
        let file = match i % 3 {
            0 => write_ascii(&model),
            1 => write_binary(&model),
            _ => scrambled_ascii(&model, &mut rng),
        };
        if let Ok(model) = parse(&mutate(&file, &mut rng)) {
            accepted += 1;
            observe(&model, i);
            assert_eq!(parse(&write_binary(&model)).unwrap(), model);
        }
        let answer = "1\nb0b1\n0101\n01\n1x\n.\n2\nj0\n.\n";
        let mutant = mutate(answer.as_bytes(), &mut rng);
        for answer in witness::parse(&mutant).into_iter().flatten() {
            if let Status::Reached(stimulus) = &answer.status {
                let _ = witness::check(&model, stimulus, &answer.properties);
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn wrong_files_are_refused_at_their_place() {
    let check = |file: &str, expected: &str| {
        assert_eq!(
            parse(file.as_bytes()).unwrap_err().to_string(),
            expected,
            "{file:?}"
        );
    };
    check("", "line 1: expected a header 'aag' or 'aig'");
    check("aag", "line 1: expected a space, found the end of the file");
    check(
        "aag 1 1\n",
        "line 1: expected a space, found the end of the line",
    );
    check(
        "aag 1 x 0 0 0\n",
        "line 1: expected the number I of inputs, found 'x'",
    );
    check(
        "aag 99999999999 0 0 0 0\n",
        "line 1: the maximum variable M does not fit in 32 bits",
    );
    check(
        "aag 0 0 0 0 0 0 0 0 0 0\n",
        "line 1: expected the end of the line, found a space",
    );
    check(
        "aag 1 1 1 0 0\n2\n4 2\n",
        "line 1: the header claims a maximum variable of 1, but inputs, latches and gates add up to 2",
    );
    check(
        "aig 4294967295 0 0 0 4294967295\n",
        "byte 31: the header claims 4294967295 entries, but only 1 bytes follow",
    );
    check(
        "aig 1073741824 1073741824 0 0 0\n",
        "byte 31: the header claims 1073741824 variables, more than the 1048576 accepted for a \
         file of 32 bytes",
    );
    check(
        "aag 4000000000 0 0 0 0\n",
        "line 1: the header claims 4000000000 variables, more than the 1048576 accepted for a \
         file of 23 bytes",
    );
    check(
        "aag 1 1 0 0 0\n3\n",
        "line 2: the input 3 is a negated literal",
    );
    check(
        "aag 1 1 0 0 0\n0\n",
        "line 2: the constant cannot be defined",
    );
    check(
        "aag 2 2 0 0 0\n2\n2\n",
        "line 3: the literal 2 is defined a second time",
    );
    check(
        "aag 1 1 0 1 0\n2\n4\n",
        "line 3: literal 4 exceeds 3, the largest that the header admits",
    );
    check(
        "aag 2 1 0 1 0\n2\n4\n",
        "line 3: the literal 4 is not defined",
    );
    check(
        "aag 3 1 1 0 0\n2\n4 2 6\n",
        "line 3: the literal 6 is not defined",
    );
    check(
        "aag 3 1 0 0 1\n2\n4 2 6\n",
        "line 3: the literal 6 is not defined",
    );
    check(
        "aag 3 0 0 0 3\n2 1 1\n4 6 2\n6 2 5\n",
        "line 3: the AND gate depends on itself",
    );
    check(
        "aag 0 0 0 0 0 0 0 1 1\n1\n9\n0\n",
        "line 3: literal 9 exceeds 1, the largest that the header admits",
    );
    check(
        "aag 0 0 0 0 0 0 0 1\n900\n",
        "line 2: a justice property claims 900 literals, but only 1 bytes follow",
    );
    check(
        "aag 1 1 0 0 0\n2\ni1 a\n",
        "line 3: the symbol i1 names nothing in the model",
    );
    check(
        "aag 1 1 0 0 0\n2\ni0 a\ni0 b\n",
        "line 4: the symbol i0 is given twice",
    );
    check(
        "aag 1 1 0 0 0\n2\nq\n",
        "line 3: expected a symbol, a comment or the end of the file, found 'q'",
    );
    check(
        "aag 1 1 0 0 0\n2\nc hello\n",
        "line 3: expected the index of a symbol, found a space",
    );
    check(
        "aig 1 0 0 0 1\n\u{3}\u{0}",
        "byte 14: the first operand of gate 2 lies 3 below it, which is not below it",
    );
    check(
        "aig 1 0 0 0 1\n\u{1}\u{2}",
        "byte 14: the second operand of gate 2 lies 2 below the first, 1",
    );
    check(
        "aig 2 0 0 0 2\n\u{1}\u{1}\u{1}\u{7f}",
        "byte 16: the second operand of gate 4 lies 127 below the first, 3",
    );
    let long = [&b"aig 1 0 0 0 1\n"[..], &[0xff; 6]].concat();
    let error = parse(&long).unwrap_err().to_string();
    assert_eq!(
        error,
        "byte 19: the difference of literals is longer than 5 bytes"
    );
}

#[test]
fn wrong_witnesses_are_refused_with_the_reason() {
    let model = parse(TOGGLE.as_bytes()).unwrap();
    let check = |text: &str, expected: &str| {
        let got = witness::parse(text.as_bytes()).and_then(|answers| {
            let Status::Reached(stimulus) = &answers[0].status else {
                panic!("{answers:?}")
            };
            witness::check(&model, stimulus, &answers[0].properties)
        });
        let got = got.map_or_else(|e| e.to_string(), |shown| format!("{shown:?}"));
        assert_eq!(got, expected, "{text:?}");
    };
    let reached = "Shown { reached: Some(1), loop_from: None }";
    check("1\nb0\n0\n1\n1\n.\n", reached);
    check("u0\n1\nb0\nx\n1\nx\n.\n", reached);
    check(
        "1\nb0\n0\n0\n0\n.\n",
        "the witness is wrong: its run does not reach b0",
    );
    check(
        "1\nb0\n1\n0\n.\n",
        "the witness is wrong: latch 0 does not start with its reset value",
    );
    check(
        "1\nb1\n0\n0\n.\n",
        "the witness is wrong: the model has no property b1",
    );
    check(
        "1\nb0\n00\n0\n.\n",
        "the witness is wrong: the initial state has 2 bits for 1 latches",
    );
    check(
        "1\nb0\n0\n01\n.\n",
        "the witness is wrong: step 0 has 2 bits for 1 inputs",
    );
    check(
        "1\nb0\n0\n1\n",
        "witness, line 5: the answer ends where an input vector or '.' should be",
    );
    check(
        "1\nq0\n0\n1\n.\n",
        "witness, line 2: expected a property b or j, found 'q'",
    );
    check(
        "1\nb0\n2\n1\n.\n",
        "witness, line 3: expected 0, 1 or x, found '2'",
    );
    check(
        "3\nb0\n",
        "witness, line 1: expected a status 0, 1 or 2, found '3'",
    );
}
