//! `trellis ivl` as a user meets it: files, standard input, messages and exit codes.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `trellis` with `args`, feeding `stdin`; what it prints and how it ends, as one text.
fn trellis(args: &[&str], stdin: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("trellis starts");
    let mut pipe = child.stdin.take().expect("piped");
    // A program that ends before it reads everything closes the pipe; that is its right.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("trellis ends");
    let code = output.status.code().expect("no signal");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    format!("{out}{err}exit code {code}\n")
}

const TWICE: &str = "ivl 1;
var x: bv8;
proc main() { loc a entry; loc b; loc c error \"assertion\";
  a -> b { x := 2bv8 }; b -> c { assume x + x == 5bv8 }; b -> b { havoc x };
}
main main;
";

#[test]
fn files_and_standard_input_give_the_same() {
    let file = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/counter.ivl"
    ));
    let text = file.expect("the example is there");
    for command in ["print", "verify", "dot"] {
        let from_file = trellis(&["ivl", command, "examples/counter.ivl"], "");
        assert_eq!(from_file, trellis(&["ivl", command, "-"], &text));
        assert_eq!(from_file, trellis(&["ivl", command], &text));
        assert!(from_file.ends_with("exit code 0\n"), "{from_file}");
    }
    let printed = trellis(&["ivl", "print"], TWICE);
    let text = printed.strip_suffix("exit code 0\n").expect("fine");
    assert_eq!(
        printed,
        trellis(&["ivl", "print"], text),
        "printing is a fixed point"
    );
}

/// Runs each command line on the text and writes down what happened.
fn transcript(cases: &[(&[&str], &str)]) -> String {
    let mut all = String::new();
    for (args, stdin) in cases {
        all += &format!("$ trellis {}\n{}\n", args.join(" "), trellis(args, stdin));
    }
    all
}

#[test]
fn the_commands_do_their_work() {
    let chosen = [
        "ivl",
        "run",
        "--seed",
        "7",
        "--input",
        "z=1bv32",
        "--input",
        "x=5bv32",
        "examples/counter.ivl",
    ];
    insta::assert_snapshot!(transcript(&[
        (&["ivl", "verify"], TWICE),
        (&["ivl", "opt", "--passes", "propagate"], TWICE),
        (&chosen, ""),
    ]));
    let wrong = TWICE.replace("== 5bv8", "== 4bv8");
    let run = trellis(
        &["ivl", "run", "--quiet", "--seed", "1", "--input", "x=2bv8"],
        &wrong,
    );
    assert_eq!(run, "error at l2: assertion\nexit code 10\n");
    let stuck = trellis(&["ivl", "run", "--quiet", "--steps", "9"], TWICE);
    assert!(stuck.ends_with("exit code 0\n"), "{stuck}");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let truncated =
        "ivl 1;\nvar x: bv8;\nproc main() {\n  loc a entry;\n  a -> a { x := x + };\n}\n";
    let ill_typed = "ivl 1; var x: bv8; var y: bv9;\nproc main() { loc a entry; a -> b { x := y; yy := 3bv8 }; } main main;";
    let ill_formed =
        "ivl 1; proc main() { loc a entry; loc b error \"e\"; b -> a { skip }; } main main;";
    let cases: &[(&[&str], &str)] = &[
        (&["ivl", "verify"], truncated),
        (&["ivl", "print"], ill_typed),
        (&["ivl", "verify"], ill_formed),
        (&["ivl", "opt", "--passes", "propagat"], TWICE),
        (&["ivl", "opt", "--passes", "lbe(limt=3)"], TWICE),
        (&["ivl", "opt", "--passes", "(lbe"], TWICE),
        (&["ivl", "run", "--input", "x"], TWICE),
        (&["ivl", "run", "--input", "y=1bv8"], TWICE),
        (&["ivl", "run", "--input", "x=1bv9"], TWICE),
        (&["ivl", "print", "no-such-file.ivl"], ""),
        (&["ivl", "print", "README.md"], ""),
        (&["ivl", "print", "--lang", "ivl", "docs"], ""),
        (&["ivl", "print", "--lang", "ivl"], "\u{0}\u{1}binary"),
        (&["ivl", "print", "--lang", "aiger"], "aag 1 2"),
        (&["ivl", "print", "--lang", "btor2"], "1 sort bitvec 0"),
        (
            &["ivl", "print", "--lang", "c"],
            "int main(void) { return x; }",
        ),
    ];
    for (args, stdin) in cases {
        let answer = trellis(args, stdin);
        assert!(answer.ends_with("exit code 2\n"), "{args:?}: {answer}");
    }
    insta::assert_snapshot!(transcript(cases));
}

/// Whatever a front end reads, the commands take.
#[test]
fn every_language_is_accepted() {
    let toggle = "aag 1 0 1 2 0\n2 3\n2\n3\n";
    assert!(trellis(&["ivl", "verify", "--lang", "aiger"], toggle).ends_with("exit code 0\n"));
    let counter = "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n6 one 1\n7 add 1 4 6\n\
                   8 next 1 4 7\n9 ones 1\n10 eq 2 4 9\n11 bad 10\n";
    assert!(trellis(&["ivl", "verify", "--lang", "btor2"], counter).ends_with("exit code 0\n"));
    let answer = trellis(&["ivl", "run", "--quiet", "--lang", "btor2"], counter);
    assert!(answer.starts_with("error at"), "{answer}");
    let c = "int main(void) { int i; for (i = 0; i < 3; i++); return i; }";
    assert!(trellis(&["ivl", "verify", "--lang", "c"], c).ends_with("exit code 0\n"));
}
