//! Programs, a judge that knows everything about small programs, and ways to run engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use trellis_ivl::{LocKind, Program, Value, text};
use trellis_ivl_testing::explore;
use trellis_plugin_abi as abi;
use trellis_plugin_host::run::{EngineOutcome, Event, Observer, Promoter, Promotion, Stopped};
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{EngineSpec, Judge, Judgement, Outcome, Plan, SolverChoice, Stage, run};
use trellis_plugin_sdk::Lemma;
use trellis_plugin_sdk::export::RawVerdict;
use trellis_plugin_sdk::wire::{image, verdict};

/// A counter that jumps over 7, or does not.
pub fn program(step: u32) -> Program {
    let source = format!(
        "ivl 1;
         var x: bv4;
         proc main() {{
           loc l0 entry; loc l1; loc l2 error \"unreach-call\";
           l0 -> l1 {{ x := 0bv4 }};
           l1 -> l1 {{ assume x <u 10bv4; x := x + {step}bv4 }};
           l1 -> l2 {{ assume x == 7bv4 }};
         }}
         main main;"
    );
    text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// Knows the truth by enumeration.
pub struct Oracle {
    pub program: Program,
}

impl Judge for Oracle {
    type Accepted = &'static str;

    fn judge(&mut self, _: &EngineSpec, claim: &RawVerdict) -> Judgement<&'static str> {
        let errors = || {
            let states = explore(&self.program, 100_000).expect("a small program");
            !states.targets(&self.program).is_empty()
        };
        if claim.kind == abi::TRELLIS_VERDICT_UNSAFE {
            let trace = match verdict::read_trace(&claim.words) {
                Ok(trace) => trace,
                Err(e) => return Judgement::Rejected(e.to_string()),
            };
            return match trellis_ivl::replay(&self.program, &trace) {
                Ok(end) if matches!(self.program.locs[end].kind, LocKind::Error(_)) => {
                    Judgement::Accepted("unsafe")
                }
                Ok(end) => Judgement::Rejected(format!("the trace ends at {end}")),
                Err(e) => Judgement::Rejected(e.to_string()),
            };
        }
        if claim.kind == abi::TRELLIS_VERDICT_SCRIPTED {
            let script = match verdict::read_script(&claim.words) {
                Ok(script) => script,
                Err(e) => return Judgement::Rejected(e.to_string()),
            };
            let mut reader = trellis_ivl::script::Reader::new(&self.program, &script);
            let mut machine = trellis_ivl::Machine::new(&self.program, |_, ty| Value::zero(ty));
            while !machine.is_final() && machine.step(&mut reader).is_some() {}
            return match self.program.locs[machine.loc()].kind {
                LocKind::Error(_) => Judgement::Accepted("unsafe"),
                _ => Judgement::Rejected("the script leads elsewhere".into()),
            };
        }
        if errors() {
            return Judgement::Rejected("an error is reachable".into());
        }
        if claim.kind == abi::TRELLIS_VERDICT_UNWOUND {
            return match verdict::read_unwinding(&claim.words) {
                Ok(_) => Judgement::Accepted("safe"),
                Err(e) => Judgement::Rejected(e.to_string()),
            };
        }
        match verdict::read_certificate(&mut self.program, &claim.words) {
            Ok(_) => Judgement::Accepted("safe"),
            Err(e) => Judgement::Rejected(e.to_string()),
        }
    }
}

/// Keeps those lemmas that hold in all reachable states.
pub struct Truth {
    pub program: Program,
    pub waiting: Vec<(String, Vec<Lemma>)>,
}

impl Promoter for Truth {
    fn publish(&mut self, engine: &str, words: &[u32]) -> Result<u64, String> {
        let lemmas = verdict::read_lemmas(&mut self.program, words).map_err(|e| e.to_string())?;
        let count = lemmas.len() as u64;
        self.waiting.push((engine.to_string(), lemmas));
        Ok(count)
    }

    fn prove(&mut self, _: Stopped<'_>) -> Result<Vec<Promotion>, String> {
        let states = explore(&self.program, 100_000).ok_or("too many states")?;
        let mut waiting = std::mem::take(&mut self.waiting);
        for (loc, values) in states.states() {
            let values: std::collections::BTreeMap<_, _> = values.collect();
            for (_, lemmas) in &mut waiting {
                lemmas.retain(|lemma| {
                    let truth = self.program.pool.eval(lemma.term, |v| values[&v].clone());
                    lemma.loc != loc || truth.as_bool() == Some(true)
                });
            }
        }
        let promotion = |(engine, proved): (String, Vec<Lemma>)| Promotion {
            engine,
            count: proved.len() as u64,
            words: verdict::write_lemmas(&self.program.pool, &proved),
        };
        Ok(waiting.into_iter().map(promotion).collect())
    }
}

/// Keeps what it is told.
#[derive(Default)]
pub struct Recorder(pub Mutex<Vec<(String, Event)>>);

impl Observer for Recorder {
    fn event(&self, engine: &str, event: Event) {
        self.0.lock().unwrap().push((engine.to_string(), event));
    }
}

pub fn spec(name: &str, id: &str, plugin: &Path, options: &str) -> EngineSpec {
    EngineSpec {
        name: name.into(),
        id: id.into(),
        plugin: plugin.into(),
        options: options.into(),
        smt: SolverChoice::default(),
        sat: SolverChoice::default(),
        reads_lemmas: true,
        image: None,
        after: Duration::ZERO,
    }
}

pub fn plan(program: &Program, engines: Vec<EngineSpec>) -> Plan {
    Plan {
        executable: PathBuf::from(env!("CARGO_BIN_EXE_trellis-worker")),
        launcher: Vec::new(),
        stage: Stage::Race((0..engines.len()).map(Stage::Engine).collect()),
        engines,
        image: Arc::new(image::write(program)),
        seed: 1,
        wall: Some(Duration::from_secs(60)),
        limits: Limits {
            cpu_seconds: 20,
            memory: 256 << 20,
        },
        grace: Duration::from_millis(300),
    }
}

pub fn execute(plan: &Plan, program: &Program) -> Outcome<&'static str> {
    let mut judge = Oracle {
        program: program.clone(),
    };
    let mut truth = Truth {
        program: program.clone(),
        waiting: Vec::new(),
    };
    let stop = AtomicBool::new(false);
    run(
        plan,
        &mut judge,
        Some(&mut truth),
        &Recorder::default(),
        &stop,
    )
}

/// How an engine of the outcome ended, as a user reads it.
pub fn ending<A>(outcome: &Outcome<A>, name: &str) -> String {
    let report = outcome.reports.values().find(|r| r.name == name);
    let report = report.unwrap_or_else(|| panic!("{name} has no report"));
    let text = report.outcome.to_string();
    if let EngineOutcome::Unknown(_) = report.outcome {
        assert!(text.starts_with("gave up"));
    }
    text
}

/// The library of a plugin crate that this test depends on, where cargo has put it.
pub fn rust_plugin(name: &str) -> PathBuf {
    let exe = std::env::current_exe().expect("a test has a path");
    let dir = exe.parent().expect("a file is in a folder");
    let path = dir.join(format!("libtrellis_engine_{name}.so"));
    assert!(path.is_file(), "{} is not built", path.display());
    path
}

/// Compiles one of the hostile plugins.
pub fn hostile(dir: &Path, mode: &str, r#override: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile.c");
    let path = dir.join(format!("libtrellis_engine_{}.so", mode.replace('-', "_")));
    let mut definitions = vec![
        format!("-DMODE=\"{mode}\""),
        format!("-DOVERRIDE={}", r#override),
    ];
    if mode == "no-symbol" {
        definitions.push("-DNO_SYMBOL".into());
    }
    definitions.push("-Wno-override-init".into());
    trellis_engine_explicit_c::compile(&source, &path, &definitions).expect("the C compiler works");
    path
}

/// Whether a process is there and no zombie.
pub fn alive(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}
