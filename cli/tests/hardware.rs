//! Hardware models as a user checks them: verdicts per property, the competition's answers, stimuli and
//! witness circuits that validate, and damaged ones that do not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use trellis_ivl::rng::Rng;

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Exit code and standard output, in this folder.
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(args)
            .current_dir(self.0.path())
            .output()
            .expect("trellis starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text + &errors)
    }
}

fn corpus(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/hw");
    root.join(name).display().to_string()
}

/// The values of each signal, step by step, of a value change dump.
fn waves(text: &str) -> BTreeMap<String, Vec<String>> {
    let (head, values) = text
        .split_once("$enddefinitions $end\n")
        .expect("two parts");
    let words = |l: &str| l.split(' ').map(str::to_string).collect::<Vec<_>>();
    let signals = head.lines().filter(|l| l.starts_with("$var ")).map(words);
    let names: BTreeMap<String, String> = signals.map(|w| (w[3].clone(), w[4].clone())).collect();
    let (mut now, mut all) = (BTreeMap::new(), BTreeMap::<String, Vec<String>>::new());
    for line in values.lines() {
        if line.starts_with('#') {
            // A time ends the step before it; the first ends none.
            for (name, value) in &now {
                all.entry(String::clone(name))
                    .or_default()
                    .push(String::clone(value));
            }
            continue;
        }
        let (value, code) = match line.strip_prefix('b') {
            Some(word) => word.split_once(' ').expect("a word"),
            None => line.split_at(1),
        };
        now.insert(names[code].clone(), value.to_string());
    }
    all
}

#[test]
fn waves_of_runs_to_bad_states() {
    let files = Files::new();
    for (model, bad) in [
        ("counter-unsafe.btor2", "counter.v:10.12-10.28"),
        ("counter-unsafe.aig", "b0"),
    ] {
        let (code, text) = files.run(&["check", &corpus(model), "-o", "vcd=w.vcd"]);
        assert_eq!(code, Some(10), "{text}");
        let text = std::fs::read_to_string(files.path("w.vcd")).expect("written");
        assert!(text.contains("$scope module counter-unsafe $end"), "{text}");
        let waves = waves(&text);
        let bad = &waves[bad];
        let (last, before) = bad.split_last().expect("a step");
        assert!(last == "1" && before.iter().all(|b| b == "0"), "{text}");
        if let Some(n) = waves.get("n") {
            let n: Vec<u32> = n
                .iter()
                .map(|v| u32::from_str_radix(v, 2).expect("bits"))
                .collect();
            assert_eq!(n[0], 0);
            assert!(
                n.windows(2).all(|w| w[1] == w[0] || w[1] == w[0] + 1),
                "{n:?}"
            );
        }
    }
    let (code, text) = files.run(&["check", &corpus("counter-safe.btor2"), "-o", "vcd=none.vcd"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!files.path("none.vcd").exists());
}

#[test]
fn certificates_pass_and_mutants_do_not() {
    let files = Files::new();
    for (model, certificate) in [
        ("peterson-safe.aig", "c.aig"),
        ("delay-safe.aig", "c.aag"),
        ("peterson-safe.btor2", "c.btor2"),
    ] {
        let model = corpus(model);
        let out = format!("certificate={certificate}");
        let (code, text) = files.run(&["check", &model, "-p", "ic3", "-o", &out]);
        assert_eq!(code, Some(0), "{model}: {text}");
        assert!(text.ends_with("VERDICT: true\n"), "{text}");
        let (code, text) = files.run(&["validate", &model, certificate]);
        assert_eq!(code, Some(0), "{model}: {text}");
        assert!(text.contains("WITNESS: valid"), "{text}");
        // The model is not its own certificate: these properties are not inductive.
        let (code, text) = files.run(&["validate", &model, &model]);
        assert_eq!(code, Some(10), "{model}: {text}");
        // Nor is the certificate one of the model with the bug.
        let (code, text) =
            files.run(&["validate", &model.replace("-safe", "-unsafe"), certificate]);
        assert_eq!(code, Some(10), "{model}: {text}");
    }
    let bytes = std::fs::read(files.path("c.aig")).expect("written");
    std::fs::write(files.path("cut.aig"), &bytes[..bytes.len() / 3]).expect("written");
    let (code, text) = files.run(&["validate", &corpus("peterson-safe.aig"), "cut.aig"]);
    assert_eq!(code, Some(10), "{text}");
    assert!(text.contains("malformed"), "{text}");
}

#[test]
fn stimuli_pass_and_mutants_do_not() {
    let files = Files::new();
    for model in ["fifo-unsafe.aig", "open_start-unsafe.btor2"] {
        let model = corpus(model);
        let (code, text) = files.run(&["check", &model, "-p", "ic3", "-o", "witness=w"]);
        assert_eq!(code, Some(10), "{model}: {text}");
        let (code, text) = files.run(&["validate", &model, "w"]);
        assert_eq!(code, Some(0), "{model}: {text}");
        let witness = std::fs::read_to_string(files.path("w")).expect("written");
        // Without its last step it reaches nothing.
        let mut lines: Vec<&str> = witness.lines().collect();
        let step = if model.ends_with("btor2") {
            lines
                .iter()
                .rposition(|l| l.starts_with('@'))
                .expect("a step")
        } else {
            lines.len() - 2
        };
        lines.drain(step..lines.len() - 1);
        std::fs::write(files.path("short"), lines.join("\n") + "\n").expect("written");
        let (code, text) = files.run(&["validate", &model, "short"]);
        assert_eq!(code, Some(10), "{model}: {text}");
        // Nor does the design without the bug follow it.
        let (code, text) = files.run(&["validate", &model.replace("-unsafe", "-safe"), "w"]);
        assert_eq!(code, Some(10), "{model}: {text}");
    }
    let toggled = |text: &str| text.replace("\n1", "\n?");
    let witness = std::fs::read_to_string(files.path("w")).expect("written");
    std::fs::write(files.path("odd"), toggled(&witness)).expect("written");
    let (code, text) = files.run(&["validate", &corpus("open_start-unsafe.btor2"), "odd"]);
    assert_eq!(code, Some(10), "{text}");
}

#[test]
fn the_competition_gets_its_answers() {
    let files = Files::new();
    let answer = |model: &str| files.run(&["check", &corpus(model), "--format", "hwmcc"]);
    assert_eq!(answer("ring-safe.aig"), (Some(0), "0\nb0\n.\n".into()));
    assert_eq!(answer("ring-safe.btor2"), (Some(0), "unsat\n".into()));
    let (code, text) = answer("counter-unsafe.aig");
    assert_eq!(code, Some(10));
    assert!(text.starts_with("1\nb0\n0000\n"), "{text}");
    let (code, text) = answer("counter-unsafe.btor2");
    assert_eq!(code, Some(10));
    assert!(text.starts_with("sat\nb0\n#0\n"), "{text}");
    std::fs::write(files.path("answer"), &text).expect("written");
    let (code, text) = files.run(&["validate", &corpus("counter-unsafe.btor2"), "answer"]);
    assert_eq!(code, Some(0), "{text}");
    // Bounded, so nothing is known.
    let bounded = ["-p", "bmc", "--set", "engines.bmc.options.bound=3"];
    let model = corpus("ring-safe.aig");
    let args = [&["check", &model, "--format", "hwmcc"], &bounded[..]].concat();
    let (code, text) = files.run(&args);
    assert_eq!((code, text.as_str()), (Some(20), "2\nb0\n.\n"));
    std::fs::write(files.path("p.c"), "int main(void) { return 0; }\n").expect("written");
    let (code, text) = files.run(&["check", "p.c", "--format", "hwmcc"]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn every_property_gets_its_verdict() {
    let files = Files::new();
    let (code, text) = files.run(&["check", &corpus("two_properties-unsafe.btor2")]);
    assert_eq!(code, Some(10), "{text}");
    let tail: Vec<&str> = text.lines().rev().take(3).collect();
    let expected = [
        "VERDICT: false(equal)",
        "property equal: false",
        "property small: true",
    ];
    assert!(expected.iter().all(|line| tail.contains(line)), "{text}");
    assert_eq!(tail[0], expected[0]);
    let (code, text) = files.run(&[
        "check",
        &corpus("two_properties-unsafe.aig"),
        "--format",
        "hwmcc",
    ]);
    assert_eq!(code, Some(10), "{text}");
    let answers: Vec<&str> = text.split_inclusive("\n.\n").collect();
    assert_eq!(answers.len(), 2, "{text}");
    assert!(
        answers[0].starts_with("1\nb") && answers[1].starts_with("0\nb"),
        "{text}"
    );
    let (code, text) = files.run(&[
        "check",
        &corpus("two_properties-safe.aig"),
        "--format",
        "hwmcc",
    ]);
    assert_eq!((code, text.as_str()), (Some(0), "0\nb0b1\n.\n"));
}

/// A circuit of so many gates that nobody understands, in AIGER's ASCII form.
fn large_circuit(gates: usize) -> String {
    let (inputs, latches) = (200, (gates / 250).max(4));
    let leaves = inputs + latches;
    let mut rng = Rng::new(1);
    let mut literal = |from: usize, to: usize| 2 * rng.range(from, to) + usize::from(rng.bit());
    let last = leaves + gates;
    let mut text = format!("aag {last} {inputs} {latches} 0 {gates} 1\n");
    for i in 1..=inputs {
        text += &format!("{}\n", 2 * i);
    }
    for i in inputs + 1..=leaves {
        text += &format!("{} {}\n", 2 * i, literal(leaves + 1, last));
    }
    text += &format!("{}\n", 2 * last);
    for i in leaves + 1..=last {
        // Mostly what is near, so that it is deep; the leaves now and then, so that little is constant.
        let near = literal((i - 1).saturating_sub(2000).max(1), i - 1);
        let other = match i % 3 {
            0 => literal(1, leaves),
            _ => literal((i - 1).saturating_sub(2000).max(1), i - 1),
        };
        text += &format!("{} {near} {other}\n", 2 * i);
    }
    text
}

/// A large model is read, made smaller, and decided or given up with a reason, by engines that stop when they are asked to.
/// `TRELLIS_GATES=5000000` asks for one of that size.
#[test]
fn large_models_are_given_up_with_a_reason() {
    let gates = std::env::var("TRELLIS_GATES").map_or(100_000, |n| n.parse().expect("a number"));
    let seconds = 10 + gates / 50_000;
    let files = Files::new();
    std::fs::write(files.path("large.aag"), large_circuit(gates)).expect("written");
    let time = format!("{seconds}s");
    let (code, text) = files.run(&[
        "check",
        "large.aag",
        "-t",
        &time,
        "-m",
        "4GiB",
        "-o",
        "json=r.json",
    ]);
    let decided = text.contains("VERDICT: true") || text.contains("VERDICT: false");
    let given_up = text.contains("VERDICT: unknown (");
    assert!(decided || given_up, "{code:?}: {text}");
    for bad in [
        "killed",
        "ignored its cancellation",
        "panicked",
        "internal error",
    ] {
        assert!(!text.contains(bad), "{text}");
    }
}
