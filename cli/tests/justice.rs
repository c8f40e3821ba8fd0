//! Justice properties as a user checks them: thirty circuits with known answers, words and memories, lassos that validate and damaged ones
//! that do not, and engines that lie.

mod circuits;

use crate::support::Bench;
use circuits::{Moves, all, ring};
use std::fmt::Write as _;

/// Exit code and standard output.
fn run(bench: &Bench, args: &[&str]) -> (Option<i32>, String) {
    let output = bench.trellis(args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text + &errors)
}

#[test]
fn circuits_wait_as_their_names_say() {
    let bench = Bench::new();
    let mut wrong = String::new();
    for (name, circuit, ends) in all() {
        let file = format!("{name}.aag");
        bench.write(&file, &circuit.text());
        let args = ["check", &file, "-t", "60s", "-o", "witness=w"];
        let (code, text) = match ends {
            true => run(&bench, &args[..4]),
            false => run(&bench, &args),
        };
        let (expected, last) = match ends {
            true => (Some(0), "VERDICT: true\n"),
            false => (Some(10), "VERDICT: false(j0)\n"),
        };
        if code != expected || !text.ends_with(last) {
            let _ = writeln!(wrong, "{name}: {text}");
            continue;
        }
        if ends {
            assert!(text.starts_with("j0: no run "), "{name}: {text}");
            continue;
        }
        let (code, text) = run(&bench, &["validate", &file, "w"]);
        assert_eq!(code, Some(0), "{name}: {text}");
        assert!(text.contains("again and again from step"), "{text}");
        // Without its last step, or with another loop, it does not come back.
        let witness = std::fs::read_to_string(bench.path("w")).expect("written");
        let lines: Vec<&str> = witness.lines().collect();
        let cut = [&lines[..lines.len() - 2], &["."]].concat().join("\n") + "\n";
        let turned: Vec<String> = (lines.iter().enumerate())
            .map(|(i, line)| match i {
                0..3 => line.to_string(),
                _ => line.replace('0', "?").replace('1', "0").replace('?', "1"),
            })
            .collect();
        for damaged in [cut, turned.join("\n") + "\n"] {
            bench.write("damaged", &damaged);
            let (code, text) = run(&bench, &["validate", &file, "damaged"]);
            assert_eq!(code, Some(10), "{name}: {text}\n{damaged}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A memory that is written at a place that goes round, and read at place 0.
fn memory(written: &str) -> String {
    format!(
        "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 zero 2\n5 state 2 at\n6 init 2 5 4\n7 one 2\n8 add 2 5 7\n\
         9 next 2 5 8\n10 input 2 value\n11 ones 2\n12 state 3 memory\n13 init 3 12 4\n14 write 3 12 5 {written}\n15 next 3 12 14\n\
         16 read 2 12 4\n17 eq 1 16 11\n18 eq 1 16 4\n19 justice 2 17 18 both\n"
    )
}

#[test]
fn words_and_memories() {
    let bench = Bench::new();
    bench.write("any.btor2", &memory("10"));
    let (code, text) = run(&bench, &["check", "any.btor2", "-o", "witness=w"]);
    assert_eq!(code, Some(10), "{text}");
    assert!(text.ends_with("VERDICT: false(both)\n"), "{text}");
    let (code, text) = run(&bench, &["validate", "any.btor2", "w"]);
    assert_eq!(code, Some(0), "{text}");
    let witness = std::fs::read_to_string(bench.path("w")).expect("written");
    let end = witness.rfind("\n@").expect("a step");
    bench.write("short", &format!("{}\n.\n", &witness[..end]));
    let (code, text) = run(&bench, &["validate", "any.btor2", "short"]);
    assert_eq!(code, Some(10), "{text}");
    assert!(text.contains("does not come back"), "{text}");
    // Once something was written there, it stays.
    bench.write("once.btor2", &memory("11"));
    let (code, text) = run(&bench, &["check", "once.btor2"]);
    assert_eq!(code, Some(0), "{text}");
    let (_, text) = run(&bench, &["check", "once.btor2", "--format", "hwmcc"]);
    assert_eq!(text, "unsat\n");
}

/// A bad state and two justice properties, of which one is satisfied; a fairness constraint concerns both.
const MIXED: &str =
    "aag 4 1 2 0 1 1 0 2 1\n2\n4 2\n6 8\n8\n1\n1\n4\n6\n2\n8 5 4\nb0 never\nj0 on\nj1 stuck\n";

#[test]
fn bad_states_and_justice_side_by_side() {
    let bench = Bench::new();
    bench.write("mixed.aag", MIXED);
    let (code, text) = run(&bench, &["check", "mixed.aag", "-o", "json=r.json"]);
    assert_eq!(code, Some(10), "{text}");
    for line in [
        "property never: true",
        "property on: false",
        "property stuck: true",
        "VERDICT: false(on)",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}: {text}");
    }
    let report = std::fs::read_to_string(bench.path("r.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["properties"].as_array().map(Vec::len), Some(3));
    let rows = report["results"].as_array().expect("rows");
    let verdicts: Vec<&str> = rows.iter().filter_map(|r| r["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["true", "false", "true"]);
    assert!(
        rows[2]["proof"]
            .as_str()
            .is_some_and(|p| p.starts_with("no run"))
    );
    assert!(
        rows[1]["message"]
            .as_str()
            .is_some_and(|m| m.contains("for ever"))
    );
    let (code, text) = run(&bench, &["check", "mixed.aag", "--format", "hwmcc"]);
    assert_eq!(code, Some(10), "{text}");
    let answers: Vec<&str> = text.split_inclusive("\n.\n").collect();
    assert!(answers[0].starts_with("1\nj0\n00\n"), "{text}");
    assert_eq!(answers[1], "0\nb0j1\n.\n", "{text}");
    // A circuit would speak of the bad state only.
    bench.write("holds.aag", &ring(2, Moves::Always).text());
    let (code, text) = run(&bench, &["check", "holds.aag", "-o", "certificate=c.aig"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("justice properties") && text.contains("VERDICT: true\n"),
        "{text}"
    );
    // Nobody knows within one step.
    let bounded = [
        "check",
        "holds.aag",
        "-p",
        "bmc",
        "--set",
        "engines.bmc.options.bound=1",
    ];
    let (code, text) = run(&bench, &bounded);
    assert_eq!(code, Some(20), "{text}");
    let (_, text) = run(&bench, &[&bounded[..], &["--format", "hwmcc"]].concat());
    assert_eq!(text, "2\nj0\n.\n");
}

#[test]
fn lies_are_found_out() {
    let bench = Bench::new();
    bench.write("stalls.aag", &ring(3, Moves::Perhaps).text());
    bench.write("moves.aag", &ring(3, Moves::Always).text());
    for options in [
        "mode = \"unwound\", visits = 3",
        "mode = \"cells\"",
        "mode = \"comes-back\"",
        "mode = \"terminates\"",
        "mode = \"diverges\"",
        "mode = \"contracts\"",
    ] {
        let lies = format!(
            "passes = \"inline, monolithic\"\nrun = \"misbehave\"\n[engines.misbehave]\noptions = {{ {options} }}\n"
        );
        bench.write("lies.toml", &lies);
        for file in ["stalls.aag", "moves.aag"] {
            let (code, text) = run(&bench, &["check", file, "-p", "lies.toml", "-t", "20s"]);
            assert_eq!(code, Some(20), "{options}, {file}: {text}");
        }
        // Beside somebody who knows, it changes nothing.
        let race = lies.replace(
            "run = \"misbehave\"",
            "run = { race = [\"misbehave\", \"ic3\"] }",
        );
        bench.write("race.toml", &format!("{race}[engines.ic3]\n"));
        for (file, expected) in [("stalls.aag", Some(10)), ("moves.aag", Some(0))] {
            let (code, text) = run(&bench, &["check", file, "-p", "race.toml", "-t", "60s"]);
            assert_eq!(code, expected, "{options}, {file}: {text}");
        }
    }
}
