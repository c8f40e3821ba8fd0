//! `--certify proof`: every obligation of a proof is shown to a checker, and to strangers by files.

use std::path::Path;
use std::process::Command;
use trellis_e2e::corpus;
use trellis_solver_lrat::{Checker, Rejection, text};

/// One safe program of the corpus of so many; `TRELLIS_CORPUS=full` takes all.
const STRIDE: usize = 12;

fn trellis(dir: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(args)
        .current_dir(dir)
        .output()
        .expect("trellis starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), stdout, stderr)
}

/// A safe loop whose invariant does not show by folding constants, so that clauses have to be refuted.
const WRAPS: &str = "
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
  unsigned i = 0;
  while (__VERIFIER_nondet_uint()) {
    if (i > 100) reach_error();
    i = i < 100 ? i + 1 : __VERIFIER_nondet_uint() % 64;
  }
}
";

/// Reads a formula and its proof as a stranger does.
fn accepts(formula: &str, proof: &str) -> Result<(), Rejection> {
    let formula = text::read_dimacs(formula)?;
    let mut checker = Checker::new(&formula, 1 << 30)?;
    text::read_proof(proof, |step| checker.take(step))?;
    checker.conclude()
}

#[test]
fn a_stranger_can_check_the_files() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    std::fs::write(dir.join("p.c"), WRAPS).expect("written");
    let args = [
        "check",
        "p.c",
        "-p",
        "kiki",
        "--check",
        "unreach-call",
        "--certify",
        "proof",
        "-o",
        "proof=d/proofs",
        "-o",
        "smt2=smt2",
        "-o",
        "json=r.json",
    ];
    let (code, stdout, stderr) = trellis(dir, &args);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let report = std::fs::read_to_string(dir.join("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["certified_by"], "bitblast-cadical-proved");
    let names = |folder: &str, extension: &str| {
        let files = std::fs::read_dir(dir.join(folder)).expect("the folder is made");
        let names = files.map(|f| f.expect("readable").path());
        let mut names: Vec<_> = names
            .filter(|p| p.extension().is_some_and(|e| e == extension))
            .map(|p| p.with_extension("").file_name().map(|n| n.to_os_string()))
            .collect();
        names.sort();
        names
    };
    let all = names("smt2", "smt2");
    assert!(!all.is_empty());
    assert_eq!(all, names("d/proofs", "cnf"));
    assert_eq!(all, names("d/proofs", "lrat"));
    let mut steps = 0;
    for name in all.into_iter().flatten() {
        let path = dir.join("d/proofs").join(name);
        let read = |extension| std::fs::read_to_string(path.with_extension(extension));
        let (formula, proof) = (read("cnf").expect("text"), read("lrat").expect("text"));
        assert_eq!(accepts(&formula, &proof), Ok(()));
        steps += proof.lines().count();
        // Without its last clause it is no proof of anything.
        if let Some((cut, _)) = proof.trim_end().rsplit_once('\n') {
            assert!(accepts(&formula, cut).is_err());
        }
    }
    assert!(steps > 0, "some obligation needed a proof");
}

#[test]
fn wrong_uses_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    std::fs::write(dir.join("p.c"), WRAPS).expect("written");
    let (code, _, stderr) = trellis(dir, &["check", "p.c", "-o", "proof=d"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("there are proofs with `--certify proof` only"),
        "{stderr}"
    );
    let (code, _, stderr) = trellis(dir, &["check", "p.c", "--certify", "prof"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("proof"), "{stderr}");
}

/// Two divisions are more clauses than the checker of their proof may take.
#[test]
fn a_limit_is_no_acceptance() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let program = "
unsigned long long __VERIFIER_nondet_ulonglong(void);
void reach_error(void);
int main(void) {
  unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
  unsigned long long z = __VERIFIER_nondet_ulonglong(), q = x / y / z;
  if (q > 6 && q < 5) reach_error();
}
";
    let pipeline = "run = \"bmc\"\n[engines.bmc]\n[certification]\nmode = \"proof\"\n";
    std::fs::write(dir.join("p.c"), program).expect("written");
    let small = format!("{pipeline}solver-options = {{ \"sat.proof-memory\" = 1 }}\n");
    std::fs::write(dir.join("small.toml"), small).expect("written");
    std::fs::write(dir.join("large.toml"), pipeline).expect("written");
    let check = |pipeline: &str| {
        let args = [
            "check",
            "p.c",
            "-p",
            pipeline,
            "--check",
            "unreach-call",
            "-t",
            "60s",
        ];
        trellis(dir, &args)
    };
    let (code, stdout, stderr) = check("small.toml");
    assert_eq!(code, Some(20), "{stdout}{stderr}");
    assert!(
        stdout.contains("the proof of the SAT solver is too large: it needs more than 1 MiB"),
        "{stdout}{stderr}"
    );
    let (code, stdout, stderr) = check("large.toml");
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

/// A SAT solver that is wrong, as far as anybody can tell from its proof: no verdict rests on it, whoever asks.
#[test]
fn a_wrong_proof_is_no_proof() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    std::fs::write(dir.join("p.c"), WRAPS).expect("written");
    let pipeline = |fault: u32| {
        let name = format!("{fault}.toml");
        let text = format!(
            "run = {{ race = [\"kiki\", \"ic3\"] }}\n[engines.kiki]\n[engines.ic3]\n[certification]\n\
             mode = \"proof\"\nsolver-options = {{ \"sat.proof-fault\" = {fault} }}\n"
        );
        std::fs::write(dir.join(&name), text).expect("written");
        name
    };
    let check = |fault| {
        let pipeline = pipeline(fault);
        let what = ["check", "p.c", "-t", "60s", "--check", "unreach-call"];
        trellis(
            dir,
            &[&what[..], &["-p", &pipeline, "-o", "proof=d"]].concat(),
        )
    };
    let (code, stdout, stderr) = check(0);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let (code, stdout, stderr) = check(1);
    assert_eq!(code, Some(20), "{stdout}{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    let rejected = "the proof of the SAT solver was rejected: clause";
    assert!(last.starts_with("VERDICT: unknown"), "{last}");
    assert_eq!(last.matches(rejected).count(), 2, "{last}");
}

/// No proof of the corpus is rejected, and none is too large.
#[test]
fn proofs_of_the_corpus_are_accepted() {
    let full = std::env::var("TRELLIS_CORPUS").is_ok_and(|v| v == "full");
    let stride = if full { 1 } else { STRIDE };
    let tasks = corpus::all();
    let safe: Vec<_> = tasks
        .iter()
        .filter(|t| t.expected)
        .step_by(stride)
        .collect();
    let mut proved = 0;
    for task in &safe {
        let path = task.path.display().to_string();
        let how = ["check", "--quiet", "-t", "10s", "--certify", "proof"];
        let what = ["--32", "--assume", "malloc-succeeds", "--check"];
        let args = [&how[..], &what, &[&task.property, &path]].concat();
        let (code, stdout, stderr) = trellis(Path::new("."), &args);
        let all = format!("{stdout}{stderr}");
        assert!(matches!(code, Some(0 | 20)), "{}: {all}", task.name());
        assert!(
            !all.contains("the proof of the SAT solver"),
            "{}: {all}",
            task.name()
        );
        proved += usize::from(code == Some(0));
    }
    // A machine with much else to do runs into the time limit, but not always.
    assert!(proved * 3 >= safe.len(), "{proved} of {}", safe.len());
}
