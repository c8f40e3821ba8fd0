//! The SDK through its own border: engines and solvers behind C tables behave as they do directly.

#![allow(unsafe_code)]

use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use trellis_ivl::{Program, Span, Type};
use trellis_plugin_abi::{self as abi, TrellisStr, TrellisTask, TrellisWords};
use trellis_plugin_sdk::export::{self, RawHost, RawVerdict};
use trellis_plugin_sdk::wire::{image, verdict};
use trellis_plugin_sdk::{
    Certificate, Engine, EngineError, Host, Info, Lemma, LemmaKind, Level, LocalHost, Task,
    Verdict, options, shim,
};
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::testing::{check_sat_backend, check_smt_backend};
use trellis_solver_api::{Capabilities, SessionConfig, SolverError};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// What a solver plugin would export.
#[derive(Default)]
struct Inner;

impl SatBackend for Inner {
    fn name(&self) -> &str {
        Batsat.name()
    }
    fn capabilities(&self) -> Capabilities {
        Batsat.capabilities()
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        Batsat.session(config)
    }
}

/// A SAT backend whose every call crosses the border.
struct Bordered;

fn table() -> abi::TrellisSat {
    let open = export::sat::open_backend::<Inner>;
    export::sat::table(Batsat.capabilities().bits(), std::ptr::null_mut(), open)
}

impl SatBackend for Bordered {
    fn name(&self) -> &str {
        "bordered"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(table().capabilities)
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        // SAFETY: the table is ours and constant.
        unsafe { trellis_plugin_sdk::import::sat::open(&table(), "bordered", config) }
    }
}

#[test]
fn sat_conformance_across_the_border() {
    check_sat_backend(&Bordered);
}

/// The bit-blaster, as a solver plugin would export it.
struct Blaster(Bitblast);

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster(Bitblast::new(Batsat))
    }
}

impl SmtBackend for Blaster {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        self.0.session(config)
    }
}

/// An SMT backend whose every call crosses the border.
struct BorderedSmt;

fn smt_table() -> abi::TrellisSmt {
    let open = export::smt::open_backend::<Blaster>;
    let capabilities = Blaster::default().capabilities().bits();
    export::smt::table(capabilities, std::ptr::null_mut(), open)
}

impl SmtBackend for BorderedSmt {
    fn name(&self) -> &str {
        "bordered"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(smt_table().capabilities)
    }
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        // SAFETY: the table is ours and constant.
        unsafe { trellis_plugin_sdk::import::smt::open(&smt_table(), "bordered", config) }
    }
}

#[test]
fn smt_conformance_across_the_border() {
    check_smt_backend(&BorderedSmt);
}

options! {
    /// Of the engine below.
    pub struct Options {
        /// What to "do": `safe`, or anything.
        mode: String = String::from("safe"),
        /// A number
        /// in two lines.
        number: u32 = 7,
    }
}

struct Sample;

impl Engine for Sample {
    const INFO: Info = Info {
        id: "sample",
        description: "for tests",
        licence: "MIT",
        version: "1",
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        host.progress("bound", 3);
        host.log(Level::Info, "hello");
        let entry = task.program.entry();
        let t = task.program.pool.tru();
        let lemma = Lemma {
            loc: entry,
            term: t,
            kind: LemmaKind::Candidate,
        };
        host.publish(&task.program.pool, &[lemma]);
        match options.mode.as_str() {
            "safe" => Ok(Verdict::Safe(Certificate {
                invariants: [(entry, t)].into(),
                ..Certificate::default()
            })),
            "panic" => panic!("as asked"),
            "session" => host
                .smt_session()
                .map(|_| Verdict::Unknown("opened".into()))
                .map_err(Into::into),
            "lemmas" => {
                let lemmas = host.new_lemmas(&mut task.program.pool);
                let again = host.new_lemmas(&mut task.program.pool);
                Ok(Verdict::Unknown(format!(
                    "{} then {}",
                    lemmas.len(),
                    again.len()
                )))
            }
            other => Ok(Verdict::Unknown(format!(
                "{other} {} {}",
                options.number,
                host.cancelled()
            ))),
        }
    }
}

/// A host without solvers that keeps what it is told.
#[derive(Default)]
struct Recorder {
    cancelled: AtomicU32,
    verdict: Mutex<Option<RawVerdict>>,
    log: Mutex<Vec<String>>,
    lemmas: Mutex<Vec<u32>>,
}

impl RawHost for Recorder {
    fn cancelled(&self) -> &AtomicU32 {
        &self.cancelled
    }
    fn smt_capabilities(&self) -> Capabilities {
        Capabilities::NONE
    }
    fn sat_capabilities(&self) -> Capabilities {
        Capabilities::NONE
    }
    fn smt(&self) -> Result<Box<dyn SmtSession>, SolverError> {
        Err(SolverError::Unavailable {
            solver: "none".into(),
            reason: "there is none".into(),
        })
    }
    fn sat(&self) -> Result<Box<dyn SatSession>, SolverError> {
        panic!("as a broken host would");
    }
    fn usage(&self) -> Option<export::smt::Usage> {
        None
    }
    fn report(&self, verdict: RawVerdict) -> Result<(), String> {
        *self.verdict.lock().unwrap() = Some(verdict);
        Ok(())
    }
    fn log(&self, level: Level, text: &str) {
        self.log.lock().unwrap().push(format!("{level:?}: {text}"));
    }
    fn progress(&self, stage: &str, at: u64) {
        self.log.lock().unwrap().push(format!("{stage} {at}"));
    }
    fn publish(&self, lemmas: &[u32]) -> Result<(), String> {
        *self.lemmas.lock().unwrap() = lemmas.to_vec();
        Ok(())
    }
    fn lemma_count(&self) -> u64 {
        1
    }
    fn lemmas(&self, _: u64) -> Vec<u32> {
        self.lemmas.lock().unwrap().clone()
    }
    fn text(&self) -> Result<String, String> {
        Ok("ivl 1;".into())
    }
}

fn program() -> Program {
    let mut program = Program::new();
    program.add_proc("main", Span::NONE);
    program.add_global("x", Type::Bv(8), Span::NONE);
    program
}

fn run(options: &str) -> (i32, Option<RawVerdict>, Vec<String>) {
    let recorder = Recorder::default();
    let image = image::write(&program());
    let task = TrellisTask {
        size: size_of::<TrellisTask>() as u32,
        reserved: 0,
        image: TrellisWords::new(&image),
        options: TrellisStr::new(options),
        seed: 0,
        time_limit_ms: 0,
    };
    // SAFETY: the table is made by the SDK.
    let status = export::with_table(&recorder, |table| unsafe {
        shim::run::<Sample>(&task, table)
    });
    let log = recorder.log.into_inner().unwrap();
    (status, recorder.verdict.into_inner().unwrap(), log)
}

#[test]
fn engine_across_the_border() {
    let (status, answer, log) = run("");
    let answer = answer.expect("the engine answered");
    assert_eq!(
        (status, answer.kind),
        (abi::TRELLIS_OK, abi::TRELLIS_VERDICT_SAFE)
    );
    assert_eq!(log, ["bound 3", "Info: hello"]);
    let certificate = verdict::read_certificate(&mut program(), &answer.words);
    assert_eq!(certificate.expect("readable").invariants.len(), 1);

    let text = |options| run(options).1.expect("the engine answered").text;
    assert_eq!(
        text(r#"{"mode": "give up", "number": 9}"#),
        "give up 9 false"
    );
    assert_eq!(text(r#"{"mode": "lemmas"}"#), "1 then 0");
}

#[test]
fn failures_become_statuses() {
    let cases = [
        (
            r#"{"mode": "panic"}"#,
            abi::TRELLIS_ERROR_PANIC,
            "Error: panicked: as asked",
        ),
        (
            r#"{"mode": "session"}"#,
            abi::TRELLIS_ERROR_ENGINE,
            "Error: solver of the host is not available: there is none",
        ),
        (
            r#"{"nmode": 1}"#,
            abi::TRELLIS_ERROR_ENGINE,
            "Error: options: there is no option `nmode`, did you mean `mode`?",
        ),
    ];
    for (options, expected, message) in cases {
        let (status, verdict, log) = run(options);
        assert_eq!((status, verdict), (expected, None), "{options}");
        assert_eq!(log.last().map(String::as_str), Some(message));
    }
}

#[test]
fn engine_without_border() {
    let mut host = LocalHost::without_solver();
    let verdict = Sample::run(Options::default(), &mut Task::new(program()), &mut host);
    assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    assert_eq!(host.progress, Some(("bound".to_string(), 3)));
    assert_eq!(host.published.len(), 1);
}

trellis_plugin_sdk::export_engine!(Sample);

unsafe extern "C" {
    #[link_name = "trellis_plugin_it"]
    static PLUGIN: abi::TrellisPlugin;
}

#[test]
fn descriptor_passes_the_handshake() {
    // SAFETY: the symbol is defined above.
    let checked = unsafe { abi::check(&raw const PLUGIN) }.expect("made by the SDK");
    assert_eq!((checked.id, checked.version), ("sample", "1"));
    assert_eq!(
        checked.options,
        r#"{"options":[{"name":"mode","type":"string","default":"String::from(\"safe\")","doc":"What to \"do\": `safe`, or anything."},{"name":"number","type":"integer","min":0,"max":4294967295,"default":"7","doc":"A number in two lines."}]}"#
    );
}
