//! The designs of tests/corpus/hw: what their names say is the verdict, on the words and on the bits,
//! each certified; and every witness circuit and stimulus passes its own checker.

use std::path::{Path, PathBuf};
use trellis_circuit::{check, make, word};
use trellis_engine_ic3::{Ic3Engine, Options};
use trellis_frontend_aiger as aiger;
use trellis_frontend_btor2 as btor2;
use trellis_ivl_certify::{SafetyCertificate, check_safe, check_unsafe};
use trellis_plugin_sdk::ivl::{Program, Trace};
use trellis_plugin_sdk::solver::smt::SmtBackend;
use trellis_plugin_sdk::solver::{Limits, SessionConfig};
use trellis_plugin_sdk::{Certificate, Engine, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// A certified verdict, and the program whose pool has the terms of a proof.
enum Found {
    Safe(Certificate, Box<Program>),
    Unsafe(Trace),
}

fn decide(program: &Program, what: &str) -> Found {
    let mut task = Task::new(program.clone());
    let verdict = Ic3Engine::run(
        Options::default(),
        &mut task,
        &mut LocalHost::without_solver(),
    );
    match verdict.unwrap_or_else(|e| panic!("{what}: {e}")) {
        Verdict::Safe(certificate) => {
            let session = Bitblast::new(Cadical).session(&SessionConfig::default());
            let claim = SafetyCertificate::inductive(certificate.invariants.clone());
            let session = &mut *session.expect("a session");
            check_safe(program, &task.program.pool, &claim, session)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            Found::Safe(certificate, Box::new(task.program))
        }
        Verdict::Unsafe(trace) => {
            check_unsafe(program, &trace).unwrap_or_else(|e| panic!("{what}: {e}"));
            Found::Unsafe(trace)
        }
        Verdict::Unknown(why) => panic!("{what}: {why}"),
        other => panic!("{what}: ic3 has no such proof: {other:?}"),
    }
}

fn bits(path: &Path, what: &str) -> bool {
    let model = aiger::parse(&std::fs::read(path).expect("a file")).expect("a model");
    let lowered = aiger::lower(&model, what);
    match decide(&lowered.program, what) {
        Found::Safe(certificate, program) => {
            let invariant = certificate
                .invariants
                .get(&lowered.graph.main_loop)
                .copied();
            let circuit = make::make(&model, &lowered, &program.pool, invariant);
            let circuit = circuit.unwrap_or_else(|e| panic!("{what}: {e}"));
            check::check(&model, &circuit, &Cadical, Limits::NONE)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            true
        }
        Found::Unsafe(trace) => {
            let (property, stimulus) = lowered.stimulus(&trace).expect("a stimulus");
            aiger::witness::check(&model, &stimulus, &[property])
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            false
        }
    }
}

fn words(path: &Path, what: &str) -> bool {
    let model = btor2::parse(&std::fs::read(path).expect("a file")).expect("a model");
    let lowered = btor2::lower(&model, what);
    match decide(&lowered.program, what) {
        Found::Safe(certificate, program) => {
            let invariant = certificate
                .invariants
                .get(&lowered.graph.main_loop)
                .copied();
            let circuit = word::make(&model, &lowered, &program.pool, invariant);
            let circuit = circuit.unwrap_or_else(|e| panic!("{what}: {e}"));
            word::check(&model, &circuit, &Bitblast::new(Cadical), Limits::NONE)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            true
        }
        Found::Unsafe(trace) => {
            let (bad, run) = lowered.run(&trace).expect("a run");
            let witness = btor2::witness::from_run_to(&model, &run, bad);
            let witness = witness.unwrap_or_else(|e| panic!("{what}: {e}"));
            btor2::witness::check(&model, &witness).unwrap_or_else(|e| panic!("{what}: {e}"));
            false
        }
    }
}

#[test]
fn words_and_bits_get_the_verdicts_of_their_names() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/hw");
    let files = std::fs::read_dir(dir).expect("the corpus");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "btor2"));
    files.sort();
    assert!(files.len() >= 30, "{}", files.len());
    for file in files {
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let safe = name.ends_with("-safe");
        assert!(safe || name.ends_with("-unsafe"), "{name}");
        assert_eq!(words(&file, &name), safe, "{name}.btor2");
        assert_eq!(bits(&file.with_extension("aig"), &name), safe, "{name}.aig");
    }
}
