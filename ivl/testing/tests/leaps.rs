//! Many rounds at once against one step after the other.

use trellis_ivl::compiled::{Compiled, End, Guide, Processor};
use trellis_ivl::rng::Rng;
use trellis_ivl::{Input, Program, Value, text};

/// There is nothing to decide; counts branches.
#[derive(Default, Clone, PartialEq, Debug)]
struct Count(Vec<[u64; 2]>);

impl Guide for Count {
    fn word(&mut self, _: Input) -> Option<u64> {
        None
    }

    fn value(&mut self, _: Input) -> Option<Value> {
        None
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }

    fn branch(&mut self, branch: u32, holds: bool, _: u64, _: u64) {
        self.0[branch as usize][usize::from(holds)] += 1;
    }

    fn branches(&mut self, branch: u32, holds: bool, times: u64) {
        self.0[branch as usize][usize::from(holds)] += times;
    }
}

/// Steps beyond the allowed work: what a call is left with in search of a loop, and the last instructions.
const BEYOND: u64 = 1_700;

/// Executes both ways up to so many steps, or to the end, with so much `work` at a time; the steps made, and how many of them one by one.
fn compare(program: &Program, limit: u64, work: u64, what: &str) -> (u64, u64) {
    let compiled = Compiled::new(program).expect("it is small");
    let count = Count(vec![[0; 2]; compiled.branches()]);
    let (mut leaping, mut walking) = (count.clone(), count);
    let mut fast = Processor::new(&compiled);
    let mut slow = Processor::new(&compiled);
    // In parts, so that leaps begin anywhere.
    let mut end = End::Steps;
    for part in [limit / 7, limit / 2, limit] {
        while end == End::Steps && fast.steps() < part {
            let before = fast.walked();
            end = fast.rush(&mut leaping, work, part);
            let walked = fast.walked() - before;
            assert!(walked <= work.saturating_add(BEYOND), "{what}: {walked}");
            let is_enough = fast.steps() >= part || walked >= work;
            assert!(end != End::Steps || is_enough, "{what}: {walked}");
        }
    }
    let expected = slow.run(&mut walking, fast.steps().max(1));
    if end == End::Steps {
        assert_eq!(slow.steps(), fast.steps(), "{what}");
    } else {
        assert_eq!((end, fast.steps()), (expected, slow.steps()), "{what}");
    }
    for v in program.program_vars() {
        let (ty, name) = (program.pool.var_ty(v), &program.pool.var_data(v).name);
        assert_eq!(fast.get(v, ty), slow.get(v, ty), "{what}: {name}");
    }
    assert_eq!(leaping, walking, "{what}");
    (fast.steps(), fast.walked())
}

struct Maker {
    random: Rng,
    width: u32,
    wide: u32,
}

impl Maker {
    fn number(&mut self, width: u32) -> String {
        let mask = u64::MAX >> (64 - width);
        let n = match self.random.below(4) {
            0 => self.random.bits(),
            1 => (self.random.bits() % 4).wrapping_neg(),
            _ => self.random.bits() % 9,
        };
        format!("{}bv{width}", n & mask)
    }

    /// A word of the narrow width.
    fn word(&mut self) -> String {
        let x = *self.random.pick(&["x", "y", "z", "m[3bv4]"]);
        let c = self.number(self.width);
        let few = self.random.bits() % u64::from(self.width);
        match self.random.below(36) {
            0 => c,
            1 => format!("({x} * {c})"),
            2 => format!("({x} - y)"),
            3 => format!("(x + {x})"),
            4 => format!("({x} & {c})"),
            5 => format!("({x} %u {c})"),
            6 => format!("({x} %s {c})"),
            7 => format!("({x} /u {c})"),
            8 => format!("w[{}:0]", self.width - 1),
            9 => format!("(~{x})"),
            10 => format!("({x} << {few}bv{})", self.width),
            11 => format!("({x} >>u {few}bv{})", self.width),
            12 => format!("({x} >>s {few}bv{})", self.width),
            13 => format!("(-{x})"),
            14 => format!("({x} | {c})"),
            15 => format!("({x} ^ {c})"),
            16 => format!("({x} /s {c})"),
            17 => format!("({x} %m {c})"),
            18 => format!("({x}[{}:1] ++ y[0:0])", self.width - 1),
            19 => {
                let condition = self.condition();
                format!("ite({condition}, {x}, {c})")
            }
            20 => format!("ite(t, {x}, {c})"),
            21 => {
                let op = *self.random.pick(&["&", "*", "/u", "%u", "%s", ">>u", "<<"]);
                format!("({x} {op} y)")
            }
            _ => format!("({x} + {c})"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.word(), self.word());
        let op = *self.random.pick(&["<u", "<=u", "<s", "<=s", "==", "!="]);
        match self.random.below(20) {
            0 => format!("saddo({a}, {b})"),
            1 => format!("usubo({a}, {b})"),
            4 => format!("uaddo({a}, {b})"),
            5 => format!("ssubo({a}, {b})"),
            6 => format!("umulo({a}, {b})"),
            7 => "t".into(),
            8 => "!t".into(),
            2 => format!(
                "zext({a}, {w}) + w {op} {}",
                self.number(self.wide),
                w = self.wide
            ),
            3 => format!("sext({a}, {w}) {op} w", w = self.wide),
            _ => format!("{a} {op} {b}"),
        }
    }

    /// Mostly what adds constants.
    fn assignment(&mut self) -> String {
        let x = *self.random.pick(&["x", "y", "z"]);
        let (c, d) = (self.number(self.width), self.number(self.wide));
        match self.random.below(20) {
            0 => format!("{x} := {}", self.word()),
            5 => format!("t := {}", self.condition()),
            6 => "t := !t".into(),
            1 => format!("w := w + {d}"),
            2 => format!("w := sext({x}, {})", self.wide),
            3 => format!("m := m[3bv4 := m[3bv4] + {c}]"),
            4 => format!("call next({x}) -> ({x})"),
            _ => format!("{x} := {x} + {c}"),
        }
    }

    /// Loops, one perhaps in the other, with branches in them.
    fn program(&mut self) -> String {
        let (narrow, wide) = (self.width, self.wide);
        let mut edges = String::new();
        let mut assignments = vec![format!("x := {}", self.number(narrow))];
        assignments.push(format!("y := {}", self.number(narrow)));
        assignments.push(format!(
            "z := {}; w := {}",
            self.number(narrow),
            self.number(wide)
        ));
        edges += &format!("l0 -> h {{ {} }};\n", assignments.join("; "));
        let guard = self.condition();
        edges += &format!("h -> b0 {{ assume {guard} }};\nh -> done {{ assume !({guard}) }};\n");
        let parts = 1 + self.random.below(3);
        for i in 0..parts {
            let next = if i + 1 == parts {
                "h".into()
            } else {
                format!("b{}", i + 1)
            };
            match self.random.below(4) {
                0 => {
                    let c = self.condition();
                    let (a, b) = (self.assignment(), self.assignment());
                    edges += &format!(
                        "b{i} -> t{i} {{ assume {c} }};\nb{i} -> f{i} {{ assume !({c}) }};\n"
                    );
                    for (from, a) in [("t", a), ("f", b)] {
                        edges += &edge(&format!("{from}{i}"), &next, &a);
                    }
                }
                1 => {
                    // A loop within.
                    let c = self.condition();
                    edges += &format!(
                        "b{i} -> {next} {{ assume !({c}) }};\nb{i} -> t{i} {{ assume {c} }};\n"
                    );
                    let a = self.assignment();
                    edges += &edge(&format!("t{i}"), &format!("b{i}"), &a);
                }
                _ => {
                    let a = self.assignment();
                    edges += &edge(&format!("b{i}"), &next, &a);
                }
            }
        }
        let bodies: String = (0..3)
            .map(|i| format!("loc b{i}; loc t{i}; loc f{i};\n"))
            .collect();
        let step = self.number(narrow);
        format!(
            "ivl 1;\nvar x: bv{narrow}; var y: bv{narrow}; var z: bv{narrow}; var w: bv{wide}; var t: bool; var m: [bv4]bv{narrow};\n\
             var a: bv{narrow} in next; var r: bv{narrow} in next;\n\
             proc next(a) returns (r) {{ loc n0 entry; loc n1 exit; n0 -> n1 {{ r := a + {step} }}; }}\n\
             proc main() {{\nloc l0 entry; loc h; loc done;\n{bodies}{edges}}}\nmain main;"
        )
    }
}

fn edge(from: &str, to: &str, what: &str) -> String {
    match what.strip_prefix("call ") {
        Some(call) => format!("{from} -> {to} call {call};\n"),
        None => format!("{from} -> {to} {{ {what} }};\n"),
    }
}

/// Programs that leap, and to their end; steps, and those of them made one by one: of each thousand programs.
const COUNTS: [(u32, u32, u64, u64); 6] = [
    (194, 3, 16_941_903, 8_910_360),
    (205, 2, 15_821_520, 7_575_896),
    (205, 2, 15_700_748, 8_407_592),
    (212, 2, 15_991_329, 6_870_652),
    (204, 1, 15_711_308, 8_334_645),
    (204, 3, 14_177_685, 7_223_202),
];

#[test]
fn random_loops() {
    for (thousand, counted) in (0..).zip(COUNTS) {
        let (mut leaps, mut ends, mut all_steps, mut all_walked) = (0, 0, 0, 0);
        for seed in 1_000 * thousand..1_000 * (thousand + 1) {
            let mut random = Rng::new(seed);
            let width = *random.pick(&[2, 3, 4, 5, 8, 12, 16, 32, 64]);
            let wide = (width + 1 + random.below(4) as u32).min(64);
            let mut maker = Maker {
                random,
                width,
                wide: wide.max(width),
            };
            let source = maker.program();
            let program = text::parse(&source).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
            let limit = [3_000, 30_000, 100_000][maker.random.below(3)];
            let work = *maker.random.pick(&[100, 5_000, u64::MAX]);
            let what = format!("seed {seed}\n{source}");
            let (steps, walked) = compare(&program, limit, work, &what);
            leaps += u32::from(walked < steps);
            ends += u32::from(walked < steps && steps < limit);
            all_steps += steps;
            all_walked += walked;
        }
        // Exactly: whatever leaps less often, later or less far is noticed here, where nothing is wrong for the want of it.
        let counts = (leaps, ends, all_steps, all_walked);
        assert_eq!(counts, counted, "thousand {thousand}");
    }
}

/// Loops of billions of rounds are over after a few steps, and end where they should.
#[test]
fn long_loops() {
    for (body, rounds, x) in [
        (
            "h -> h { assume x <u 4000000000bv32; x := x + 1bv32 };",
            4_000_000_000u64,
            4_000_000_000u64,
        ),
        (
            "h -> h { assume x <u 268435455bv32; x := x + 2bv32 };",
            134_217_728,
            268_435_456,
        ),
        (
            "h -> h { assume x != 4294967294bv32; x := x - 2bv32 };",
            1,
            4_294_967_294,
        ),
        (
            "h -> h { assume x <s 1000000000bv32; x := x + 7bv32 };",
            142_857_143,
            1_000_000_001,
        ),
    ] {
        let guard = body
            .split("assume ")
            .nth(1)
            .and_then(|b| b.split(';').next());
        let guard = guard.expect("a guard");
        let program = text::parse(&format!(
            "ivl 1; var x: bv32; proc main() {{ loc l0 entry; loc h; loc done;
             l0 -> h {{ x := 0bv32 }}; {body} h -> done {{ assume !({guard}) }}; }} main main;"
        ))
        .expect("the text is right");
        let compiled = Compiled::new(&program).expect("it is small");
        let mut processor = Processor::new(&compiled);
        let mut count = Count(vec![[0; 2]; compiled.branches()]);
        let end = processor.rush(&mut count, 100_000, u64::MAX / 2);
        assert!(matches!(end, End::At(_)), "{body}");
        assert_eq!(processor.steps(), rounds + 2, "{body}");
        let v = program.program_vars().next().expect("one variable");
        let value = processor.get(v, program.pool.var_ty(v));
        assert_eq!(value.as_bv().and_then(|b| b.to_u64()), Some(x), "{body}");
    }
}

/// What is made of two words that both change is of no form, whatever one of them is now.
#[test]
fn words_that_change_together() {
    for word in [
        "x & y",
        "x * y",
        "x << y",
        "x >>u y",
        "x /u y",
        "x %u y",
        "x %s y",
        "ite(t, x, y)",
    ] {
        for start in 0..2 {
            let program = text::parse(&format!(
                "ivl 1; var w: bv32; var x: bv2; var y: bv2; var z: bv2; var t: bool;
                 proc main() {{ loc l0 entry; loc h;
                 l0 -> h {{ w := 0bv32; x := 0bv2; y := {start}bv2; t := false }};
                 h -> h {{ w := w + 1bv32; x := x + 1bv2; y := y + 1bv2; t := !t; z := {word} }}; }} main main;"
            ))
            .expect("the text is right");
            for limit in 20_000..20_032 {
                let (steps, walked) = compare(&program, limit, u64::MAX, word);
                assert!(walked < steps, "{word}");
            }
        }
    }
}

/// A shift by all bits of the widest word is not one by none.
#[test]
fn shifts_by_the_width() {
    for op in ["<<", ">>u"] {
        let program = text::parse(&format!(
            "ivl 1; var x: bv64; var z: bv64; proc main() {{ loc l0 entry; loc h;
             l0 -> h {{ x := 0bv64 }}; h -> h {{ x := x + 1bv64; z := x {op} 64bv64 }}; }} main main;"
        ))
        .expect("the text is right");
        compare(&program, 20_000, u64::MAX, op);
    }
}

/// Quotients and remainders of what changes by multiples, and words that are given back when an edge cannot be taken.
#[test]
fn multiples_and_late_assumptions() {
    for (word, assumption) in [
        ("x /u 8bv16", "true"),
        ("x >>u 3bv16", "true"),
        ("x /u 4bv16", "true"),
        ("x %u 8bv16", "true"),
        ("x %s 4bv16", "true"),
        ("x", "z <u 40000bv16"),
    ] {
        let program = text::parse(&format!(
            "ivl 1; var x: bv16; var z: bv16; proc main() {{ loc l0 entry; loc h;
             l0 -> h {{ x := 5bv16 }}; h -> h {{ x := x + 8bv16; z := {word}; assume {assumption} }}; }} main main;"
        ))
        .expect("the text is right");
        for limit in 4_000..4_016 {
            let (steps, walked) = compare(&program, limit, u64::MAX, word);
            assert!(walked < steps, "{word}");
        }
    }
}
