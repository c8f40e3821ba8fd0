//! The compiled program against the interpreter: under the same guidance both make the same steps.

use trellis_ivl::compiled::{Compiled, End, Guide, Processor};
use trellis_ivl::rng::Rng;
use trellis_ivl::{ArrayValue, Bv, Input, Loc, Machine, Oracle, Program, Type, Value, text};
use trellis_ivl_testing::{Shape, generate};

/// Both kinds of guide; equal seeds decide equally.
struct Dice<'p> {
    random: Rng,
    program: &'p Program,
}

impl Dice<'_> {
    fn value_of(&mut self, ty: Type) -> Value {
        let small = self.random.bit();
        let mut bv = |w: u32| match small {
            true => Bv::new(w, self.random.bits() % 3),
            false => Bv::from_bits(&(0..w).map(|_| self.random.bit()).collect::<Vec<_>>()),
        };
        match ty {
            Type::Bool => Value::Bool(self.random.bit()),
            Type::Bv(w) => bv(w).into(),
            Type::Array { index, elem } => {
                let array = ArrayValue::constant(index, bv(elem));
                array.store(bv(index), bv(elem)).into()
            }
        }
    }
}

impl Oracle for Dice<'_> {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        self.value_of(ty)
    }

    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
}

impl Guide for Dice<'_> {
    fn word(&mut self, input: Input) -> Option<u64> {
        match Guide::value(self, input)? {
            Value::Bool(b) => Some(u64::from(b)),
            Value::Bv(v) => v.to_u64(),
            Value::Array(_) => None,
        }
    }

    fn value(&mut self, input: Input) -> Option<Value> {
        Some(self.value_of(self.program.inputs[input].ty))
    }

    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
}

/// Goes on with the interpreter for so many steps, or to its end.
fn interpret(machine: &mut Machine, dice: &mut Dice, steps: u64) -> End {
    for _ in 0..steps {
        if machine.is_final() {
            return End::At(machine.loc());
        }
        if machine.step(dice).is_none() {
            return End::Blocked(machine.loc());
        }
    }
    match machine.is_final() {
        true => End::At(machine.loc()),
        false => End::Steps,
    }
}

fn assert_same(program: &Program, machine: &Machine, processor: &Processor, what: &str) {
    for v in program.program_vars() {
        let ty = program.pool.var_ty(v);
        let name = &program.pool.var_data(v).name;
        assert_eq!(*machine.value(v), processor.get(v, ty), "{what}: {name}");
    }
}

/// Where both end, and after how many steps.
fn compare(program: &Program, seed: u64, slice: u64, what: &str) -> (End, u64) {
    let compiled = Compiled::new(program).expect("it is small");
    let mut processor = Processor::new(&compiled);
    let dice = || Dice {
        random: Rng::new(seed),
        program,
    };
    let (mut ours, mut theirs) = (dice(), dice());
    let mut machine = Machine::new(program, |_, ty| theirs.value_of(ty));
    processor.start(program, |_, ty| ours.value_of(ty));
    assert_same(program, &machine, &processor, what);
    for _ in 0..20 {
        let before = processor.steps();
        let end = processor.run(&mut ours, before + slice);
        let steps = processor.steps() - before;
        // A blocked location is found out when nothing can be done there.
        let more = u64::from(matches!(end, End::Blocked(_)));
        let expected = interpret(&mut machine, &mut theirs, steps + more);
        assert_same(program, &machine, &processor, what);
        if end != End::Steps {
            assert_eq!(end, expected, "{what}");
            if let End::At(l) = end
                && program.procs[program.main].exit != Some(l)
            {
                let state = processor.state(program).expect("it has halted");
                assert_eq!(Machine::resume(program, state).loc(), l, "{what}");
            }
            return (end, processor.steps());
        }
        let state = processor.state(program).expect("it is between two steps");
        let resumed = Machine::resume(program, state);
        assert_eq!(resumed.loc(), machine.loc(), "{what}");
        let (ours, theirs) = (resumed.call_stack(), machine.call_stack());
        assert!(ours.eq(theirs), "{what}: the calls in progress");
    }
    (End::Steps, processor.steps())
}

#[test]
fn random_programs() {
    let flat = Shape {
        procs: 0,
        ..Shape::WIDE
    };
    let mut ends = [0; 3];
    for (shape, count) in [
        (Shape::TINY, 600),
        (Shape::CALLS, 400),
        (flat, 150),
        (Shape::WIDE, 250),
    ] {
        for seed in 0..count {
            let mut program = generate::program(&mut Rng::new(seed), shape);
            // What is in no state starts with no value.
            program.pool.fresh("auxiliary", Type::Bool);
            for run in 0..4 {
                let what = format!("seed {seed}, run {run}\n{}", text::print(&program));
                let (end, _) = compare(&program, run, 1 + 7 * run, &what);
                ends[match end {
                    End::At(_) => 0,
                    End::Blocked(_) => 1,
                    _ => 2,
                }] += 1;
            }
        }
    }
    assert!(
        ends.iter().all(|&n| n > 200),
        "a kind of end is rare: {ends:?}"
    );
}

/// Every operation on words of several widths, on values at the borders and at random.
#[test]
fn operations_on_words() {
    for width in [1, 2, 7, 8, 31, 32, 33, 63, 64] {
        let ty = Type::Bv(width);
        let mut random = Rng::new(u64::from(width));
        for round in 0..400 {
            let mut program = text::parse("ivl 1; proc main() { loc l0 entry; loc l1 exit; }")
                .expect("the text is right");
            let main = program.main;
            let span = trellis_ivl::Span::NONE;
            let vars: Vec<_> = (0..4)
                .map(|i| program.add_local(main, format!("x{i}"), ty, span))
                .collect();
            let t = generate::term(&mut random, &mut program, &vars[..3], ty, 3);
            let cmd = program.cmds.assign(vars[3], t);
            let ends: Vec<Loc> = program.locs.keys().collect();
            program.add_edge(ends[0], ends[1], cmd, span);
            for seed in 0..6 {
                let what = format!("width {width}, round {round}\n{}", text::print(&program));
                compare(&program, seed, 10, &what);
            }
        }
    }
}

/// Assignments at once read the state before: swaps of words and arrays, indices that change, updates under conditions.
#[test]
fn assignments_at_once() {
    let program = text::parse(
        "ivl 1;
         var i: bv8; var j: bv8; var c: bool; var a: [bv8]bv8; var b: [bv8]bv8;
         input i0 \"n\": bv8;
         proc main() {
           loc l0 entry; loc l1; loc l2; loc l3; loc l4;
           l0 -> l1 { i, j := j, i };
           l1 -> l2 { i, a := i + 1bv8, a[i := a[j]][j := i] };
           l2 -> l3 { a, b := b, a[i := 7bv8] };
           l3 -> l4 { a, i := ite(c, a[j := 1bv8], ite(i <u j, a, a[i := 2bv8])), a[i] };
           l4 -> l0 { havoc j from i0; c := a == b; a := a[a[i] := b[a[j]]] };
         }
         main main;",
    )
    .expect("the text is right");
    for seed in 0..50 {
        let (end, steps) = compare(&program, seed, 3, "at once");
        assert!(end == End::Steps && steps >= 60);
    }
}

/// What a limit of memory is held against.
#[test]
fn arrays_take_room() {
    let program = text::parse(
        "ivl 1; var m: [bv32]bv8; var i: bv32; proc main() { loc l0 entry; loc h;
         l0 -> h { i := 0bv32 }; h -> h { m := m[i := 1bv8]; i := i + 1bv32 }; } main main;",
    )
    .expect("the text is right");
    let compiled = Compiled::new(&program).expect("it is small");
    let mut processor = Processor::new(&compiled);
    let mut dice = Dice {
        random: Rng::new(0),
        program: &program,
    };
    assert_eq!(processor.run(&mut dice, 10_001), End::Steps);
    let cells = 10_000 * size_of::<u64>();
    let bytes = processor.bytes();
    assert!((cells..2 * cells).contains(&bytes), "{bytes}");
}
