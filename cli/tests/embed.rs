//! The library in other programs: checks as values, events, ends, and the program of the chapter "Embed Trellis" built and
//! run outside the repository.

use crate::support::files::Files;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use trellis::events::{Event, Observer};
use trellis::judge::Answer;
use trellis::worker::Worker;
use trellis::{Session, Source, Verdict, pipeline};
use trellis_plugin_host::run;

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_int()) {
    x = x + 4;
  }
  if (x % 4 != 0) {
    reach_error();
  }
  return 0;
}
";

/// Nobody proves it by unwinding.
const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  unsigned x = 1;
  while (__VERIFIER_nondet_int()) {
    x = x * x + 2;
  }
  if (x == 0) {
    reach_error();
  }
  return 0;
}
";

fn worker() -> Worker {
    Worker::at(Path::new(env!("CARGO_BIN_EXE_trellis"))).expect("it was built")
}

/// Where plugins are, for executables that lie elsewhere.
fn plugins() -> PathBuf {
    let trellis = Path::new(env!("CARGO_BIN_EXE_trellis"));
    trellis.parent().expect("in a folder").join("deps")
}

fn source(files: &Files) -> Source {
    Source {
        check: Some("unreach-call".into()),
        ..Source::file(files.path("p.c"))
    }
}

/// Counts events, and stops the check when an engine begins, where that is wanted.
#[derive(Default)]
struct Watch {
    seen: Mutex<Vec<&'static str>>,
    stop: Option<Arc<AtomicBool>>,
}

impl Observer for Watch {
    fn event(&self, event: Event<'_>) {
        let name = match event {
            Event::Warning(_) => "warning",
            Event::Read(_) => "read",
            Event::Pass { .. } => "pass",
            Event::Chosen(_) => "chosen",
            Event::Known(_) => "known",
            Event::Violated(_) => "violated",
            Event::Engines => "engines",
            Event::Engine(_, run::Event::Started(_)) => {
                if let Some(stop) = &self.stop {
                    stop.store(true, Ordering::SeqCst);
                }
                "started"
            }
            Event::Engine(..) => "engine",
        };
        self.seen.lock().expect("nobody panicked").push(name);
    }
}

#[test]
fn a_check_gives_values() {
    let watch = Watch::default();
    let session = Session::new(pipeline("portfolio").expect("it ships"))
        .worker(worker())
        .plugins(vec![plugins()])
        .observer(&watch);
    let files = Files::new(SAFE);
    let checked = session.check(&source(&files)).expect("a program");
    assert_eq!(checked.verdict(), Verdict::True);
    let Ok(Answer::True { checked_by, .. }) = &checked.found else {
        panic!("true has a certificate");
    };
    assert_eq!(Some(checked_by), checked.report.certified_by.as_ref());
    assert!(checked.report.decided_by.is_some() && !checked.report.engines.is_empty());
    assert!(checked.trace().is_none() && checked.warnings.is_empty());
    let seen = watch.seen.lock().expect("nobody panicked");
    for event in ["read", "pass", "known", "engines", "started", "engine"] {
        assert!(seen.contains(&event), "{event}: {seen:?}");
    }
    drop(seen);
    // The same session, another program.
    let files = Files::new(&SAFE.replace("x + 4", "x + 3"));
    let mut checked = session.check(&source(&files)).expect("a program");
    assert_eq!(checked.verdict(), Verdict::False("unreach-call".into()));
    assert!(checked.trace().is_some() && !checked.steps.is_empty());
    assert!(
        checked
            .witness()
            .expect("of an error")
            .contains("violation_sequence")
    );
    let word = checked.confirm().expect("an error").to_string();
    assert!(word.starts_with("confirmed by execution"), "{word}");
}

#[test]
fn a_check_is_stopped() {
    let files = Files::new(ENDLESS);
    let stop = Arc::new(AtomicBool::new(false));
    let watch = Watch {
        stop: Some(stop.clone()),
        ..Watch::default()
    };
    let session = Session::new(pipeline("bmc").expect("it ships"))
        .worker(worker())
        .plugins(vec![plugins()])
        .stop_when(stop)
        .observer(&watch);
    let checked = session.check(&source(&files)).expect("a program");
    assert_eq!(checked.verdict(), Verdict::Unknown("interrupted".into()));
    // The flag is still set.
    let checked = session.check(&source(&files)).expect("a program");
    let early = Verdict::Unknown("interrupted during reading".into());
    assert_eq!(checked.verdict(), early);
}

#[test]
fn there_is_no_check_without_a_worker() {
    let session = Session::new(pipeline("portfolio").expect("it ships"));
    let missing = session.check(&Source::file("p.c"));
    let text = missing.err().expect("no worker").to_string();
    assert!(text.contains("worker::intercept()"), "{text}");
    let nowhere = Worker::at(Path::new("/nowhere/trellis"));
    let text = nowhere.expect_err("no file").to_string();
    assert!(text.contains("/nowhere/trellis: no worker"), "{text}");
}

/// Builds a program against the library as it lies in the target folder. With `TRELLIS_OUTSIDE=cargo` cargo does it, with a
/// path dependency, offline and into the same target folder; all of our crates are built again then, because for cargo
/// they are others in another workspace.
fn build(dir: &Path, name: &str, text: &str) -> PathBuf {
    let main = dir.join(format!("{name}.rs"));
    std::fs::write(&main, text).expect("written");
    if std::env::var_os("TRELLIS_OUTSIDE").is_some_and(|how| how == "cargo") {
        return build_with_cargo(dir, name);
    }
    let deps = plugins();
    let entries = std::fs::read_dir(&deps).expect("a folder");
    let libraries = entries.filter_map(|e| Some(e.ok()?.path())).filter(|path| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with("libtrellis-") && file.ends_with(".rlib")
    });
    let newest = libraries.max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    let library = newest.expect("the library was built for this test");
    let executable = dir.join(name);
    let output = Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "bin", "--extern"])
        .arg(format!("trellis={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", deps.display()))
        .arg("-o")
        .arg(&executable)
        .arg(&main)
        .output()
        .expect("rustc starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    executable
}

fn build_with_cargo(dir: &Path, name: &str) -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[[bin]]\nname = \"{name}\"\npath = \"{name}.rs\"\n\n\
         [dependencies]\ntrellis = {{ path = \"{}\" }}\n\n\
         [profile.dev]\nopt-level = 1\ndebug = \"line-tables-only\"\n\n[profile.dev.build-override]\nopt-level = 1\n",
        repository.join("cli/library").display()
    );
    std::fs::write(dir.join("Cargo.toml"), manifest).expect("written");
    std::fs::copy(repository.join("Cargo.lock"), dir.join("Cargo.lock")).expect("copied");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let target = target.parent().expect("it lies in the target folder");
    let output = Command::new("cargo")
        .args(["build", "--offline", "--target-dir"])
        .arg(target)
        .current_dir(dir)
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    target.join("debug").join(name)
}

/// The chapter's program.
fn chapter() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/embed.md");
    let text = std::fs::read_to_string(path).expect("the chapter is there");
    let (_, rest) = text.split_once("```rust\n").expect("a program");
    rest.split_once("```").expect("its end").0.into()
}

#[test]
fn the_chapter_is_a_program_outside_the_repository() {
    let program = chapter();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("library/examples/embed.rs");
    let example = std::fs::read_to_string(example).expect("the example is there");
    assert!(
        example.ends_with(&program),
        "the example is that of the chapter"
    );
    let files = Files::new(SAFE);
    let executable = build(&files.path(""), "outside", &program);
    let check = |name: &str| {
        let output = Command::new(&executable)
            .arg(files.path(name))
            .env("TRELLIS_PLUGIN_PATH", plugins())
            .output()
            .expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(check("p.c"), "true\n");
    files.write("bug.c", &SAFE.replace("x + 4", "x + 3"));
    assert_eq!(check("bug.c"), "false(unreach-call)\n");
}

/// What a witness of an error leaves open, the pipeline decides, in the process that validates: of its executable nothing is
/// started, and of the worker's only workers and keepers.
#[test]
fn validating_starts_workers_only() {
    let files = Files::new(&SAFE.replace("x + 4", "x + 3"));
    let asked = ["check", "--32", "--check", "unreach-call", "p.c"];
    files.trellis(&[&asked[..], &["-o", "witness=w.yml"]].concat());
    assert!(files.read("w.yml").contains("violation_sequence"));
    let script = format!(
        "#!/bin/sh\necho \"$1\" >> '{}'\nexec '{}' \"$@\"\n",
        files.path("started").display(),
        env!("CARGO_BIN_EXE_trellis")
    );
    files.write("worker", &script);
    let executable = {
        use std::os::unix::fs::PermissionsExt;
        let all = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(files.path("worker"), all).expect("ours");
        build(
            &files.path(""),
            "validator",
            include_str!("embed/validator.rs"),
        )
    };
    let output = Command::new(executable)
        .arg(files.path("worker"))
        .current_dir(files.path(""))
        .env("TRELLIS_PLUGIN_PATH", plugins())
        .output()
        .expect("it starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stdout.starts_with("Valid("), "{stdout}\n{stderr}");
    assert_eq!(
        files.read("own").lines().count(),
        1,
        "{}",
        files.read("own")
    );
    let started = files.read("started");
    let known = ["__worker", "__keeper"];
    assert!(started.lines().all(|l| known.contains(&l)), "{started}");
    assert!(started.lines().any(|l| l == "__worker"), "{started}");
}
