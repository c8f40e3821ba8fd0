//! Memories that are too large to be words: each verdict is certified by the checker, whose sessions know arrays.

use trellis_engine_ic3::{Ic3Engine, Memories, Options, memory};
use trellis_ivl_certify::{Ghosts, SafetyCertificate, check_safe, check_unsafe};
use trellis_ivl_testing::Rng;
use trellis_plugin_sdk::ivl::Program;
use trellis_plugin_sdk::solver::SessionConfig;
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::{Engine, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// A memory of 2^32 bytes with one port to write and one to read.
const PORTS: &str = "\
1 sort bitvec 1
2 sort bitvec 32
3 sort bitvec 8
4 sort array 2 3
5 zero 3
6 state 4 mem
7 input 1 write
8 input 2 to
9 input 3 data
10 input 2 from
11 read 3 6 10
12 slice 1 9 0 0
13 and 1 7 -12
14 slice 1 11 0 0
";

/// What is asked of the memory, what its verdict is, and how many cells and steps of induction the proof takes.
const MODELS: &[(&str, &str, &str)] = &[
    (
        "even numbers are written, and read",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n24 bad 14\n",
        "safe: 1 cells, k 1",
    ),
    (
        "any number is written, and read",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 7 21 6\n23 next 4 6 22\n24 bad 14\n",
        "unsafe",
    ),
    (
        "nobody said what is in the memory at first",
        "21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n24 bad 14\n",
        "unsafe",
    ),
    (
        "what is read is even a step later",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n\
         30 state 3 out\n31 init 3 30 5\n32 next 3 30 11\n33 slice 1 30 0 0\n34 bad 33\n",
        "safe: 1 cells, k 2",
    ),
    (
        "what is read is even two steps later",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n\
         30 state 3 out\n31 init 3 30 5\n32 next 3 30 11\n33 slice 1 30 0 0\n\
         34 zero 1\n35 state 1 later\n36 init 1 35 34\n37 next 1 35 33\n38 bad 35\n",
        "safe: 1 cells, k 3",
    ),
    (
        "a copy of the memory gives the same",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 7 21 6\n23 next 4 6 22\n\
         30 state 4 copy\n31 init 4 30 5\n32 write 4 30 8 9\n33 ite 4 7 32 30\n34 next 4 30 33\n\
         35 read 3 30 10\n36 neq 1 35 11\n37 bad 36\n",
        "safe: 1 cells, k 1",
    ),
    (
        "a copy that writes the next number does not",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 7 21 6\n23 next 4 6 22\n\
         30 state 4 copy\n31 init 4 30 5\n32 inc 3 9\n33 write 4 30 8 32\n34 ite 4 7 33 30\n35 next 4 30 34\n\
         36 read 3 30 10\n37 neq 1 36 11\n38 bad 37\n",
        "unsafe",
    ),
    (
        "the last number that went to some cell comes from there",
        "21 write 4 6 8 9\n22 ite 4 7 21 6\n23 next 4 6 22\n\
         30 state 2 cell\n31 next 2 30 30\n32 state 3 last\n33 eq 1 8 30\n34 and 1 7 33\n35 ite 3 34 9 32\n36 next 3 32 35\n\
         37 zero 1\n38 state 1 known\n39 init 1 38 37\n40 or 1 38 34\n41 next 1 38 40\n\
         42 eq 1 10 30\n43 neq 1 11 32\n44 and 1 42 43\n45 and 1 44 38\n46 bad 45\n",
        "safe: 1 cells, k 1",
    ),
    (
        "two numbers that are read are both even",
        "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n\
         30 input 2 other\n31 read 3 6 30\n32 add 3 11 31\n33 slice 1 32 0 0\n34 bad 33\n",
        "safe: 2 cells, k 1",
    ),
    (
        "three writes in one step, the last one wins",
        "20 init 4 6 5\n21 write 4 6 8 9\n30 inc 2 8\n31 write 4 21 30 9\n32 write 4 31 8 5\n33 write 4 32 30 5\n\
         34 next 4 6 33\n35 redor 1 11\n36 bad 35\n",
        "safe: 1 cells, k 1",
    ),
    (
        "the memory does not matter",
        "20 init 4 6 5\n21 write 4 6 8 9\n23 next 4 6 21\n\
         30 state 3 count\n31 init 3 30 5\n32 constd 3 2\n33 add 3 30 32\n34 next 3 30 33\n\
         35 slice 1 30 0 0\n36 and 1 35 14\n37 bad 36\n",
        "safe: 0 cells, k 1",
    ),
];

fn verdict(text: &str, memories: Memories) -> String {
    let model = trellis_frontend_btor2::parse(text.as_bytes()).expect("a model");
    let program = trellis_frontend_btor2::lower(&model, "memory.btor2").program;
    certified(&program, memories, text)
}

fn certified(program: &Program, memories: Memories, text: &str) -> String {
    let mut task = Task::new(program.clone());
    let options = Options {
        memories,
        ..Options::default()
    };
    let verdict = Ic3Engine::run(options, &mut task, &mut LocalHost::without_solver());
    match verdict.unwrap_or_else(|e| panic!("{e}:\n{text}")) {
        Verdict::Safe(claimed) => {
            let (cells, k) = (claimed.ghosts.len(), claimed.k.unwrap_or(1));
            let certificate = SafetyCertificate {
                k,
                ghosts: Ghosts {
                    vars: claimed.ghosts,
                    hints: claimed.hints,
                },
                ..SafetyCertificate::inductive(claimed.invariants)
            };
            let session = Bitblast::new(Cadical).session(&SessionConfig::default());
            let session = &mut *session.expect("a session");
            check_safe(program, &task.program.pool, &certificate, session)
                .unwrap_or_else(|e| panic!("{e}:\n{text}"));
            format!("safe: {cells} cells, k {k}")
        }
        Verdict::Unsafe(trace) => {
            check_unsafe(program, &trace).unwrap_or_else(|e| panic!("{e}:\n{text}"));
            "unsafe".into()
        }
        Verdict::Unknown(why) => why,
        other => panic!("ic3 has no such proof: {other:?}"),
    }
}

#[test]
fn large_memories_are_decided_by_the_cells_that_matter() {
    for (name, rest, expected) in MODELS {
        let text = format!("{PORTS}{rest}");
        assert_eq!(verdict(&text, Memories::Auto), *expected, "{name}");
    }
}

/// The same with memories of four bytes, as words and as cells: what the verdict is does not depend on it.
#[test]
fn small_memories_get_the_same_verdict_as_words() {
    for (name, rest, _) in MODELS {
        let text = format!("{PORTS}{rest}").replace("2 sort bitvec 32", "2 sort bitvec 2");
        let kind = |memories| {
            let found = verdict(&text, memories);
            found.split(':').next().unwrap_or_default().to_string()
        };
        assert_eq!(kind(Memories::Cells), kind(Memories::Words), "{name}");
    }
}

/// Random models with arrays, as words and as cells: the same verdicts, all of them certified.
#[test]
#[ignore = "minutes: some of these models are hard as words"]
fn random_memories_get_the_same_verdict_as_words() {
    let (mut safe, mut reached, mut open) = (0, 0, 0);
    for seed in 0..400 {
        let model = trellis_frontend_btor2::testing::random_model(&mut Rng::new(seed));
        let program = trellis_frontend_btor2::lower(&model, "random.btor2").program;
        if !memory::has_arrays(&program) {
            continue;
        }
        let what = format!("seed {seed}");
        let kind = |memories| {
            let found = certified(&program, memories, &what);
            found.split(':').next().unwrap_or_default().to_string()
        };
        match (
            kind(Memories::Cells).as_str(),
            kind(Memories::Words).as_str(),
        ) {
            ("safe", "safe") => safe += 1,
            ("unsafe", "unsafe") => reached += 1,
            ("more cells of arrays matter than can be watched", _) => open += 1,
            (cells, words) => panic!("{what}: {cells} by cells, {words} by words"),
        }
    }
    assert!(
        safe > 50 && reached > 50 && open < 20,
        "{safe} {reached} {open}"
    );
}

#[test]
fn too_many_cells_are_told() {
    // Whether the sum of eight bytes is even depends on all of them.
    let mut text =
        PORTS.to_string() + "20 init 4 6 5\n21 write 4 6 8 9\n22 ite 4 13 21 6\n23 next 4 6 22\n";
    let mut sum = 11;
    for i in 0..7 {
        let at = 30 + 3 * i;
        text += &format!(
            "{at} input 2 from{i}\n{} read 3 6 {at}\n{} add 3 {sum} {}\n",
            at + 1,
            at + 2,
            at + 1
        );
        sum = at + 2;
    }
    text += &format!("80 slice 1 {sum} 0 0\n81 bad 80\n");
    let found = verdict(&text, Memories::Auto);
    assert_eq!(found, "more cells of arrays matter than can be watched");
    let words = verdict(&text, Memories::Words);
    assert!(words.contains("an array of 2^32 elements"), "{words}");
}
