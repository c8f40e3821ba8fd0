//! Traces of C programs as text and as harnesses that the system's compiler builds.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use trellis_frontend_c::compiler::Direct;
use trellis_frontend_c::program::{Compiled, Options, compile_texts};
use trellis_ivl::{Bv, Input, Machine, Oracle, Program, Trace, Type, Value};
use trellis_witness::confirm::{Build, Confirmation, confirm, of_the_library};
use trellis_witness::harness::harness;
use trellis_witness::steps::{Detail, render, steps};
use trellis_witness::{Names, Sources};

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
void reach_error(void) {}
int limit = 9;
int twice(int v) {
  int r = v + v;
  return r;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = __VERIFIER_nondet_short();
  if (n < 3 || n > limit)
    return 0;
  for (int i = 0; i < n; i++) {
    s += twice(i);
  }
  if (s == 27) {
    reach_error();
  }
  return 0;
}
";

/// Gives listed numbers to the functions that ask, zero to everything else.
struct Script(VecDeque<i64>);

impl Oracle for Script {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        match ty {
            Type::Bv(width) => Bv::from_i64(width, self.0.pop_front().unwrap_or(0)).into(),
            other => Value::zero(other),
        }
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

fn compile(text: &str, property: &str) -> Compiled {
    let mut options = Options {
        properties: trellis_frontend_c::lower::Properties::NONE,
        ..Options::default()
    };
    assert!(options.properties.add(property));
    compile_texts(vec![("p.c".into(), text.into())], &options).expect("compiles")
}

/// The execution with these inputs, which must end at an error.
fn execute(program: &Program, inputs: &[i64]) -> Trace {
    let mut oracle = Script(inputs.iter().copied().collect());
    let mut machine = Machine::new(program, |_, ty| Value::zero(ty));
    let mut trace = Trace::default();
    while !machine.is_final() {
        trace
            .steps
            .push(machine.step(&mut oracle).expect("not blocked"));
    }
    assert!(program.errors().any(|e| e == machine.loc()), "no error");
    trace
}

#[test]
fn a_trace_reads_like_the_program() {
    let compiled = compile(PROGRAM, "unreach-call");
    let program = &compiled.lowered.program;
    let trace = execute(program, &[6, -3]);
    let names = Names::of_c(compiled.lowered.vars);
    let show = |detail, colours| {
        let mut sources = Sources::default();
        sources.add("p.c", PROGRAM);
        let shown = steps(program, &trace, &names, &sources, detail);
        render(program, &shown, colours)
    };
    let short = show(Detail::Short, false);
    assert!(
        short.contains("__VERIFIER_nondet_short() returns -3, s = -3"),
        "{short}"
    );
    assert!(
        short.contains("... 4 more rounds of the loop at p.c:14:3"),
        "{short}"
    );
    assert!(
        short.contains("twice(v = 5)") && !short.contains("twice(v = 3)"),
        "{short}"
    );
    assert!(
        short.contains("\n") && short.contains("    r = v + v"),
        "{short}"
    );
    assert!(
        short.trim_end().ends_with("violates unreach-call"),
        "{short}"
    );
    assert!(!short.contains('\x1b'));
    let full = show(Detail::Full, true);
    assert!(
        full.contains("twice(v = 3)") && full.contains("\x1b[1m"),
        "{full}"
    );
}

/// Where two arms of a branch meet, a full trace names the branch: a statement that it shows was executed.
#[test]
fn a_full_trace_shows_no_statement_of_the_other_arm() {
    let text = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 5)
    y = 1;
  else
    y = 2;
  if (y == 1) {
    y = 7;
  }
  if (y == 2)
    y = 3;
  if (y == 3) reach_error();
  return 0;
}
";
    let compiled = compile(text, "unreach-call");
    let program = &compiled.lowered.program;
    let trace = execute(program, &[4]);
    let names = Names::of_c(compiled.lowered.vars);
    let mut sources = Sources::default();
    sources.add("p.c", text);
    let shown = steps(program, &trace, &names, &sources, Detail::Full);
    let full = render(program, &shown, false);
    for (statement, is_executed) in [
        ("y = 1", false),
        ("y = 2", true),
        ("y = 7", false),
        ("y = 3", true),
    ] {
        // At the end of a line stands what changed.
        let lines = full.lines().filter(|l| l.contains(statement));
        let lines: Vec<&str> = lines.filter(|l| !l.contains("if (")).collect();
        assert_eq!(
            lines.len(),
            usize::from(is_executed),
            "{statement}:\n{full}"
        );
    }
}

fn confirmed(text: &str, property: &str, inputs: &[i64]) -> Confirmation {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("p.c");
    std::fs::write(&file, text).expect("written");
    let compiled = compile(text, property);
    let program = &compiled.lowered.program;
    let harness = harness(program, &execute(program, inputs), &BTreeSet::new()).expect("a harness");
    let build = Build {
        files: vec![file],
        ilp32: true,
        ..Build::default()
    };
    confirm(
        &harness,
        &build,
        dir.path(),
        Path::new(env!("CARGO_BIN_EXE_keeper")),
    )
}

#[test]
fn harnesses_reach_the_error() {
    let is_confirmed = |c: Confirmation| assert!(matches!(c, Confirmation::Confirmed(_)), "{c}");
    is_confirmed(confirmed(PROGRAM, "unreach-call", &[6, -3]));
    let overflow = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) x = x + 2147483640; return x; }";
    is_confirmed(confirmed(overflow, "no-overflow", &[100]));
    let deref = "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
        int main(void) { int *p = malloc(40); int i = __VERIFIER_nondet_int();
          if (i >= 0 && i <= 10) p[i] = 1; return 0; }";
    is_confirmed(confirmed(deref, "valid-deref", &[10]));
}

/// The model calls the function twice, the program that is compiled does not.
#[test]
fn a_harness_of_another_program_is_contradicted() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("p.c");
    std::fs::write(&file, PROGRAM.replace("s == 27", "s == 28")).expect("written");
    let compiled = compile(PROGRAM, "unreach-call");
    let program = &compiled.lowered.program;
    let harness =
        harness(program, &execute(program, &[6, -3]), &BTreeSet::new()).expect("a harness");
    let build = Build {
        files: vec![file],
        ..Build::default()
    };
    let keeper = Path::new(env!("CARGO_BIN_EXE_keeper"));
    let result = confirm(&harness, &build, dir.path(), keeper);
    let why = Confirmation::Contradicted("it ends with exit code 0".into());
    assert_eq!(result, why);
}

/// Stands for what the C library might return; the real one does something else, and is asked.
#[test]
fn functions_of_the_library_are_not_replaced() {
    let dir = tempfile::tempdir().expect("a folder");
    let names = ["abs", "other", "toupper", "__VERIFIER_nondet_int"].map(String::from);
    let library = of_the_library(&BTreeSet::from(names), "", dir.path(), &Direct);
    assert_eq!(
        library,
        BTreeSet::from(["abs", "toupper"].map(String::from))
    );
    let text = "extern int other(void); void reach_error(void);
        int main(void) { if (other() == 97) reach_error(); return 0; }";
    let compiled = compile(text, "unreach-call");
    let program = &compiled.lowered.program;
    let of_library = BTreeSet::from(["other".to_string()]);
    let made = harness(program, &execute(program, &[97]), &of_library).expect("a harness");
    assert_eq!(made.unset, ["what other returns"]);
    assert!(!made.text.contains("other("), "{}", made.text);
}
