//! Passes and front ends that misbehave: the program is as before, and the message says what the plugin did.

use super::common::program;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use trellis_ivl::Program;
use trellis_ivl_passes::{Elsewhere, Outcome, PassError};
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{Calls, FrontEndPlugin, PassPlugins, PluginKind, SearchPath};

fn calls(patience: Duration) -> Calls {
    Calls {
        limits: Limits {
            cpu_seconds: 20,
            memory: 256 << 20,
        },
        deadline: Some(Instant::now() + patience),
        grace: Duration::from_millis(200),
        ..Calls::new(env!("CARGO_BIN_EXE_trellis-worker").into())
    }
}

/// A search path with the plugin of that kind in that mode.
fn build(dir: &Path, kind: PluginKind, mode: &str) -> SearchPath {
    let (number, file) = match kind {
        PluginKind::Pass => (3, "libtrellis_pass_hostile.so"),
        _ => (4, "libtrellis_frontend_hostile.so"),
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile_kinds.c");
    let definitions = [format!("-DMODE=\"{mode}\""), format!("-DKIND={number}")];
    trellis_engine_explicit_c::compile(&source, &dir.join(file), &definitions)
        .expect("the C compiler works");
    SearchPath::new(&[dir.into()], None)
}

/// How long a plugin has: those that end only by force have little, the others as much as a busy machine takes.
fn patience(mode: &str) -> Duration {
    match mode {
        "spin" | "print-for-ever" | "log-for-ever" => Duration::from_secs(1),
        _ => Duration::from_secs(60),
    }
}

fn transform(mode: &str, program: &mut Program) -> Result<Outcome, PassError> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let search = build(dir.path(), PluginKind::Pass, mode);
    let plugins = PassPlugins {
        search: &search,
        calls: calls(patience(mode)),
    };
    let pass = plugins.pass("hostile", &BTreeMap::new())?;
    let pass = pass.expect("it is in the folder");
    let path = dir.path().join("libtrellis_pass_hostile.so");
    pass.run(program).map_err(|e| match e {
        PassError::Foreign { pass, message } => PassError::Foreign {
            pass,
            message: message.replace(&path.display().to_string(), "PLUGIN"),
        },
        e => e,
    })
}

fn read(mode: &str) -> Result<String, String> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let search = build(dir.path(), PluginKind::FrontEnd, mode);
    let calls = calls(patience(mode));
    let frontend = FrontEndPlugin::named(&search, &calls.executable, "hostile");
    let frontend = frontend.map_err(|e| e.to_string())?;
    assert_eq!(frontend.info.extensions, ["counter", "ctr"]);
    let program = frontend.read(&calls, "p.counter", b"up 3", String::new());
    program.map(|p| p.to_string()).map_err(|e| e.to_string())
}

/// What passes and front ends do wrong alike.
const ALIKE: &[(&str, &str)] = &[
    ("segfault", "crashed (segmentation fault, signal 11)"),
    ("abort", "crashed (aborted, signal 6)"),
    (
        "exit",
        "ended its process with exit code 0 instead of answering",
    ),
    ("no-answer", "returned without an answer"),
    ("status", "failed: status -7"),
    ("refuse", "p.counter:2:7: what is this?"),
    ("eat", "used more than its 256 MiB of memory"),
    ("spin", "ignored its cancellation and was killed"),
    ("print-for-ever", "ignored its cancellation and was killed"),
    ("log-for-ever", "ignored its cancellation and was killed"),
];

#[test]
fn passes_fail_by_name_and_change_nothing() {
    let own = [
        ("verdict", "answered with a verdict"),
        (
            "nonsense",
            "returned a malformed program: this is no image of a program",
        ),
        (
            "cut",
            "returned a malformed program: the stream ends within a transformed program",
        ),
        (
            "fewer-vars",
            "returned a malformed program: 0 variables are left of 1",
        ),
        (
            "no-such-loc",
            "returned a malformed program: there is no location 1000",
        ),
        (
            "no-such-flag",
            "returned a malformed program: there is no flag of a way back 64",
        ),
        (
            "missing-walks",
            "returned a malformed program: 0 walks for 3 edges",
        ),
    ];
    for (mode, expected) in ALIKE.iter().chain(&own) {
        let (mut program, before) = (program(2), program(2).to_string());
        let error = transform(mode, &mut program).err().map(|e| e.to_string());
        let expected = format!("pass 'hostile': PLUGIN: {expected}");
        assert_eq!(error.as_deref(), Some(expected.as_str()), "{mode}");
        assert_eq!(program.to_string(), before, "{mode}");
    }
    let (mut program, before) = (program(2), program(2).to_string());
    let ill = transform("ill-formed", &mut program).err();
    let ill = ill.expect("an ill-formed program").to_string();
    let made = "pass 'hostile': PLUGIN: made an ill-formed program: ";
    assert!(ill.starts_with(made), "{ill}");
    assert_eq!(program.to_string(), before);
}

#[test]
fn passes_answer() {
    let mut small = program(2);
    let unchanged = transform("unchanged", &mut small).expect("a working plugin");
    assert!(unchanged.back.is_none());
    let same = transform("same", &mut small).expect("a working plugin");
    assert!(same.back.is_some());
    assert_eq!(small.to_string(), program(2).to_string());
    // Nobody can see that this is wrong; see cli/tests/faults.rs for what it costs.
    transform("drop-errors", &mut small).expect("a lie that is well-formed");
    assert!(!small.to_string().contains("error"));
}

#[test]
fn front_ends_fail_by_name() {
    for (mode, expected) in ALIKE {
        assert_eq!(read(mode), Err(expected.to_string()), "{mode}");
    }
    assert_eq!(read("verdict"), Err("answered with no program".to_string()));
    let nonsense = read("nonsense").expect_err("no program");
    assert_eq!(
        nonsense,
        "returned a malformed program: this is no image of a program"
    );
    let ill = read("ill-formed").expect_err("an ill-formed program");
    assert!(ill.starts_with("made an ill-formed program: "), "{ill}");
    assert!(ill.contains("it leads from p0 to p1"), "{ill}");
    let program = read("").expect("a working plugin");
    assert!(program.contains("proc m"), "{program}");
}

#[test]
fn options_are_checked_before_anything_runs() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let search = build(dir.path(), PluginKind::Pass, "same");
    let plugins = PassPlugins {
        search: &search,
        calls: calls(Duration::from_secs(60)),
    };
    let list = |text: &str| {
        let given = [trellis_ivl_passes::Property::Flat];
        let list = trellis_ivl_passes::parse_list_with(text, &given, &plugins);
        list.err().map(|e| e.to_string())
    };
    assert_eq!(
        list("dce, hostile(n=7)*"),
        Some("pass list: expected a pass name, found '*'".into())
    );
    assert_eq!(list("dce, (hostile(n=7))*"), None);
    assert_eq!(
        list("hostile(m=7)"),
        Some("pass 'hostile': there is no option 'm'; did you mean 'n'?".into())
    );
    assert_eq!(
        list("hostile(n=x)"),
        Some("pass 'hostile': option n cannot be 'x', it must be a whole number".into())
    );
    assert_eq!(
        list("hostil"),
        Some("there is no pass 'hostil'; did you mean 'hostile'?".into())
    );
}
