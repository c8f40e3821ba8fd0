//! Scripts: true ones are accepted, and whatever is cut off, changed or added makes them rejected or leads to an error all the same.

use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Program, Script, Value, text};
use trellis_ivl_certify::script::SHORT;
use trellis_ivl_certify::{Rejection, check_script, check_unsafe};

/// Sums up inputs until one is zero; the sum must not be 30. Either of two edges may be taken in between.
const SUM: &str = "ivl 1;
    var sum: bv8; var x: bv8; var n: bv32;
    input i0 \"x\": bv8;
    input i1 \"n\": bv32;
    proc main() {
      loc l0 entry; loc l1; loc l2; loc l3; loc l4; loc l5 error \"unreach-call\"; loc l6;
      l0 -> l1 { sum := 0bv8 };
      l1 -> l2 { havoc x from i0 };
      l2 -> l3 { assume x != 0bv8 };
      l2 -> l4 { assume x == 0bv8 };
      l3 -> l1 { sum := sum + x };
      l3 -> l1 { assume x <u 10bv8; sum := sum - x };
      l4 -> l4 { havoc n from i1; assume n != 0bv32 };
      l4 -> l6 { assume true };
      l6 -> l5 { assume sum == 30bv8 };
    }
    main main;";

/// Counts as far as an input says, and meets an error at a hundred thousand.
const COUNT: &str = "ivl 1;
    var n: bv32; var i: bv32; var a: [bv32]bv32;
    input i0 \"n\": bv32;
    proc main() {
      loc l0 entry; loc l1; loc l2; loc l3 error \"unreach-call\";
      l0 -> l1 { havoc n from i0; i := 0bv32 };
      l1 -> l1 { assume i <u n; a := a[i := i]; i := i + 1bv32 };
      l1 -> l2 { assume n <=u i };
      l2 -> l3 { assume a[n - 1bv32] == 99999bv32 };
    }
    main main;";

fn program(text: &str) -> Program {
    text::parse(text).expect("the text is right")
}

fn inputs(program: &Program, values: &[(u32, u64)]) -> Script {
    let value = |&(input, v): &(u32, u64)| {
        let input = trellis_ivl::Input::from_u32(input);
        let trellis_ivl::Type::Bv(w) = program.inputs[input].ty else {
            panic!("all are bit-vectors");
        };
        (input, Value::Bv(Bv::new(w, v)))
    };
    Script {
        inputs: values.iter().map(value).collect(),
        ..Script::default()
    }
}

fn never() -> bool {
    false
}

#[test]
fn a_script_is_executed() {
    let program = program(SUM);
    let mut script = inputs(&program, &[(0, 20), (0, 10), (0, 0)]);
    // The edges of l3 three times, of l4 once.
    script.picks = vec![(0, 2), (1, 1)];
    let scripted = check_script(&program, &script, &never).expect("20 + 10 is 30");
    assert_eq!(scripted.steps, scripted.trace.steps.len() as u64);
    assert_eq!(
        check_unsafe(&program, &scripted.trace).ok(),
        Some(scripted.loc)
    );
    // Without its pick it stays at l4, where an input is read, and there is none.
    script.picks.clear();
    let e = check_script(&program, &script, &never).expect_err("nothing to read");
    assert!(
        e.to_string().contains("input 3 is not a value of `n`"),
        "{e}"
    );
}

/// Hundreds of damaged scripts; those that are accepted have a trace that replays.
#[test]
fn damaged_scripts_are_rejected_or_true() {
    let program = program(SUM);
    let mut good = inputs(
        &program,
        &[(0, 5), (0, 40), (0, 3), (0, 244), (0, 0), (1, 0)],
    );
    good.picks = vec![(0, 2), (1, 1), (0, 1), (0, 1)];
    let sum = |script: &Script| check_script(&program, script, &never);
    assert!(sum(&good).is_ok(), "5 + 40 - 3 + 244 is 30");
    let (mut rejected, mut accepted) = (0, 0);
    let mut random = Rng::new(1);
    for _ in 0..600 {
        let mut script = good.clone();
        for _ in 0..random.range(1, 3) {
            let n = script.inputs.len();
            match random.below(6) {
                0 => script.inputs.truncate(random.below(n + 1)),
                1 if n > 0 => script.inputs.push(script.inputs[random.below(n)].clone()),
                2 if n > 0 => {
                    let at = random.below(n);
                    let ty = script.inputs[at].1.ty();
                    let trellis_ivl::Type::Bv(w) = ty else {
                        continue;
                    };
                    script.inputs[at].1 = Value::Bv(Bv::new(w, random.bits()));
                }
                3 if n > 1 => script.inputs.swap(0, n - 1),
                4 => script.picks = vec![(random.below(3) as u32, random.bits())],
                _ => script.picks.push((1, 2)),
            }
        }
        match sum(&script) {
            Ok(scripted) => {
                accepted += 1;
                let end = check_unsafe(&program, &scripted.trace).expect("it is a true error");
                assert_eq!(end, scripted.loc);
            }
            Err(Rejection::Script(_) | Rejection::NoError(_)) => rejected += 1,
            Err(e) => panic!("{e}"),
        }
    }
    assert!(rejected > 300 && accepted > 3, "{rejected} {accepted}");
}

#[test]
fn a_long_execution_is_not_listed() {
    let program = program(COUNT);
    let of = |n: u64| check_script(&program, &inputs(&program, &[(0, n)]), &never);
    let scripted = of(100_000).expect("a[99999] is 99999");
    assert_eq!(scripted.steps, 100_003);
    assert_eq!(scripted.trace.steps.len() as u64, SHORT);
    // Where the end is told, the last steps are listed, and how often branches were passed before.
    let mut told = inputs(&program, &[(0, 100_000)]);
    told.steps = 100_003;
    let scripted = check_script(&program, &told, &never).expect("the same error");
    let end = scripted.end.expect("a long execution");
    assert_eq!((scripted.steps, end.steps.len()), (100_003, 400));
    assert_eq!(end.from.map(|(steps, _)| steps), Some(99_603));
    assert!(end.passed.iter().any(|&(_, n)| n > 99_000));
    // One that is told far too early is not believed.
    told.steps = 1_000;
    let scripted = check_script(&program, &told, &never).expect("the same error");
    assert_eq!(scripted.steps, 100_003);
    // Longer than the checker goes without a look at the clock.
    let longer = self::program(&COUNT.replace("99999", "1999999"));
    let script = inputs(&longer, &[(0, 2_000_000)]);
    let scripted = check_script(&longer, &script, &never).expect("a[1999999] is 1999999");
    assert_eq!(scripted.steps, 2_000_003);
    // One round less, and nothing to read.
    assert!(matches!(of(99_999), Err(Rejection::Script(_))));
    let empty = check_script(&program, &Script::default(), &never);
    assert!(matches!(empty, Err(Rejection::Script(_))));
    // One input too many; an input of another type; an initial value of another type.
    let mut script = inputs(&program, &[(0, 100_000), (0, 1)]);
    let e = check_script(&program, &script, &never).expect_err("one is left");
    assert!(e.to_string().contains("1 inputs are left"), "{e}");
    script.inputs = vec![(trellis_ivl::Input::from_u32(0), Value::Bool(true))];
    assert!(check_script(&program, &script, &never).is_err());
    script = inputs(&program, &[(0, 100_000)]);
    let var = program.program_vars().next().expect("n");
    script.initial.insert(var, Value::Bool(true));
    assert!(check_script(&program, &script, &never).is_err());
    // Nobody waits for ever.
    let stopped = check_script(&program, &inputs(&program, &[(0, 4_000_000_000)]), &|| true);
    assert!(matches!(stopped, Err(Rejection::TooLong(_))));
}

/// An execution that ends well is no error.
#[test]
fn ends_are_told_apart() {
    let program = program(SUM);
    let script = inputs(&program, &[(0, 0)]);
    let mut script = script;
    script.picks = vec![(1, 1)];
    let e = check_script(&program, &script, &never).expect_err("the sum is 0");
    assert!(e.to_string().contains("no edge of l6 can be taken"), "{e}");
}
