//! A counterexample put to the test: the program and its harness are compiled by the system's C
//! compiler and run.

use crate::harness::{ASTRAY, BLOCKED, Harness, REACHED, ROUNDS, sanitizers};
use crate::kept::Kept;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trellis_confine::{Ending, Job, Limits, Running};
use trellis_frontend_c::compiler::{Runner, path_argument, source_argument};
use trellis_ivl::termination::TERMINATION;

/// How the program is compiled.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// The program.
    pub files: Vec<PathBuf>,
    /// Whether longs and pointers have 32 bits.
    pub ilp32: bool,
    /// Further options: folders of headers, macros, the standard.
    pub options: Vec<OsString>,
    /// The function where the program begins, unless it is `main`.
    pub entry: Option<String>,
    /// The compiler; `cc` when empty.
    pub compiler: String,
}

/// What the test shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The error is reached; the text says under which conditions.
    Confirmed(String),
    /// It could not be tried as the trace has it, for this reason.
    NotConfirmed(String),
    /// The program ran with all that the trace says, and no error was reached: one of the two is wrong.
    Contradicted(String),
}

impl std::fmt::Display for Confirmation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Confirmation::Confirmed(how) => write!(f, "confirmed by execution{how}"),
            Confirmation::NotConfirmed(why) => write!(f, "not confirmed by execution: {why}"),
            Confirmation::Contradicted(why) => write!(f, "contradicted by execution: {why}"),
        }
    }
}

/// Compiles and runs in `scratch`; `keeper` is the executable that guards the run.
pub fn confirm(harness: &Harness, build: &Build, scratch: &Path, keeper: &Path) -> Confirmation {
    match compile(harness, build, scratch, keeper) {
        Err(why) => Confirmation::NotConfirmed(why),
        Ok((program, note)) => match execute(harness, &program, scratch, keeper) {
            Ok(End::Reached) if harness.property == TERMINATION => {
                let how = format!("{note}: it is in its loop still after {ROUNDS} rounds");
                Confirmation::Confirmed(how)
            }
            Ok(End::Reached) => Confirmation::Confirmed(note),
            Ok(End::Running) => {
                Confirmation::Confirmed(format!("{note}: it is still running after all its time"))
            }
            // A stack of C is not without end.
            Ok(End::Killed(how)) if harness.property == TERMINATION => {
                Confirmation::NotConfirmed(how)
            }
            Err(why) => Confirmation::NotConfirmed(why),
            Ok(End::Elsewhere(how) | End::Killed(how)) => {
                match (harness.unset.as_slice(), note.as_str()) {
                    // All was as in the trace, and the compiler watched for the error.
                    ([], "") if is_watched(&harness.property) => Confirmation::Contradicted(how),
                    ([], "") => {
                        let why = format!("{how}; no compiler watches for {}", harness.property);
                        Confirmation::NotConfirmed(why)
                    }
                    ([], note) => Confirmation::NotConfirmed(how + note),
                    (unset, _) => {
                        let unset = unset.join(", ");
                        Confirmation::NotConfirmed(format!("{how} (the error depends on {unset})"))
                    }
                }
            }
        },
    }
}

/// Whether a run notices that a property is violated.
fn is_watched(property: &str) -> bool {
    property == "unreach-call" || !sanitizers(property).is_empty()
}

/// Which of these functions the C library has: those that a program can use without defining them. None where there is
/// no compiler to ask.
pub fn of_the_library(
    names: &BTreeSet<String>,
    compiler: &str,
    scratch: &Path,
    runner: &dyn Runner,
) -> BTreeSet<String> {
    let ours = |name: &&String| !name.starts_with("__VERIFIER_") && !name.starts_with("__CPROVER_");
    let asked: Vec<&String> = names.iter().filter(ours).collect();
    if asked.is_empty() {
        return BTreeSet::new();
    }
    let mut text = String::new();
    for name in &asked {
        text += &format!("extern char {name}[];\n");
    }
    let uses: Vec<&str> = asked.iter().map(|n| n.as_str()).collect();
    text += &format!("void *uses[] = {{{}}};\n", uses.join(", "));
    text += "int main(void) { return 0; }\n";
    let source = scratch.join("library.c");
    if std::fs::write(&source, text).is_err() {
        return BTreeSet::new();
    }
    let compiler = if compiler.is_empty() { "cc" } else { compiler };
    let mut arguments: Vec<OsString> = ["-w", "-fno-builtin"].map(Into::into).to_vec();
    arguments.extend([path_argument(&source), "-o".into()]);
    arguments.extend([path_argument(&scratch.join("library")), "-lm".into()]);
    let Ok(ran) = runner.run(compiler.as_ref(), &arguments) else {
        return BTreeSet::new();
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    let missing = |name: &str| {
        let gnu = said.contains(&format!("`{name}'"));
        gnu || said
            .lines()
            .any(|l| l.ends_with(&format!("undefined symbol: {name}")))
    };
    let there = asked.into_iter().filter(|n| !missing(n));
    there.cloned().collect()
}

/// The executable, and what was different from the model.
fn compile(
    harness: &Harness,
    build: &Build,
    scratch: &Path,
    keeper: &Path,
) -> Result<(PathBuf, String), String> {
    if let Some(entry) = &build.entry {
        return Err(format!("the program begins at {entry}, not at main"));
    }
    let source = scratch.join("harness.c");
    std::fs::write(&source, &harness.text).map_err(|e| e.to_string())?;
    let program = scratch.join("program");
    // Many systems lack the libraries for 32 bits; most programs do not care. The model evaluates floating
    // expressions in their own types.
    let widths: &[(&[&str], &str)] = match build.ilp32 {
        true => &[
            (&["-m32", "-msse2", "-mfpmath=sse"], ""),
            (&[], ", compiled for 64 bits"),
        ],
        false => &[(&["-m64"], ""), (&[], "")],
    };
    let compiler = match build.compiler.as_str() {
        "" => "cc",
        other => other,
    };
    let mut why = String::new();
    for (width, note) in widths {
        let mut arguments: Vec<OsString> = ["-O0", "-g0", "-w", "-fno-builtin"]
            .map(Into::into)
            .to_vec();
        arguments.extend(width.iter().map(Into::into));
        arguments.extend(sanitizers(&harness.property).iter().map(Into::into));
        if !harness.unset.is_empty() {
            arguments.push("-ftrivial-auto-var-init=zero".into());
        }
        arguments.extend(build.options.iter().cloned());
        arguments.push("-Wl,--allow-multiple-definition".into());
        arguments.push(path_argument(&source));
        for file in &build.files {
            let source = source_argument(file, scratch);
            arguments.push(source.map_err(|e| format!("{}: {e}", file.display()))?.0);
        }
        arguments.extend(["-o".into(), path_argument(&program), "-lm".into()]);
        let kept = Kept {
            keeper: keeper.into(),
            deadline: None,
        };
        match kept.run(compiler.as_ref(), &arguments) {
            Err(e) => return Err(format!("{compiler}: {e}")),
            Ok(ran) if ran.success => return Ok((program, (*note).to_string())),
            Ok(ran) if ran.stopped.is_some() => why = ran.stopped.unwrap_or_default(),
            Ok(ran) => {
                let text = String::from_utf8_lossy(&ran.stderr).into_owned();
                let error = text
                    .lines()
                    .find(|l| l.contains("error") || l.contains("undefined"));
                why = error
                    .or(text.lines().last())
                    .unwrap_or_default()
                    .to_string();
            }
        }
    }
    Err(format!("{compiler} fails: {why}"))
}

/// How a run ended.
enum End {
    /// At the error.
    Reached,
    /// Not there, but so.
    Elsewhere(String),
    /// The system ended it, so.
    Killed(String),
    /// Not at all in the time that it had.
    Running,
}

fn execute(
    harness: &Harness,
    program: &Path,
    scratch: &Path,
    keeper: &Path,
) -> Result<End, String> {
    let (leaks, roots) = match harness.property.as_str() {
        "valid-memtrack" => (1, ""),
        // Every block counts, whoever still points to it.
        "valid-memcleanup" => (
            1,
            ":use_globals=0:use_stacks=0:use_registers=0:use_tls=0:use_root_regions=0",
        ),
        _ => (0, ""),
    };
    let flag = |name: &str, more: &str| (name.to_string(), format!("exitcode={REACHED}{more}"));
    let memory = format!(":detect_leaks={leaks}:detect_stack_use_after_return=1");
    let job = Job {
        command: vec![program.into()],
        dir: scratch.into(),
        env: vec![
            flag("ASAN_OPTIONS", &memory),
            flag("LSAN_OPTIONS", roots),
            flag("UBSAN_OPTIONS", ""),
        ],
        unset: Vec::new(),
        stdout: scratch.join("stdout"),
        stderr: scratch.join("stderr"),
        limits: Limits {
            cpu: Some(CPU),
            wall: Some(WALL),
            memory: Some(2 << 30),
            ..Limits::default()
        },
    };
    let outcome = Running::start(keeper, &job).and_then(Running::wait);
    let elsewhere = |how: String| Ok(End::Elsewhere(how));
    match outcome.map_err(|e| e.to_string())?.ending {
        Ending::Exited(REACHED) => Ok(End::Reached),
        Ending::Signal(SIGABRT)
            if harness.property == "unreach-call" && said_assertion(scratch) =>
        {
            Ok(End::Reached)
        }
        Ending::Signal(SIGABRT) => elsewhere("it aborts".into()),
        Ending::Exited(ASTRAY) => elsewhere("it asks for other values than the trace has".into()),
        Ending::Exited(BLOCKED) => elsewhere("an assumption does not hold".into()),
        Ending::Exited(code) => elsewhere(format!("it ends with exit code {code}")),
        Ending::Signal(signal) => Ok(End::Killed(format!("it ends by signal {signal}"))),
        Ending::Cpu | Ending::Wall if harness.property == TERMINATION => Ok(End::Running),
        other => Err(format!("it was stopped: {other:?}")),
    }
}

const SIGABRT: i32 = 6;

/// What a run may take.
const CPU: Duration = Duration::from_secs(10);
const WALL: Duration = Duration::from_secs(20);

/// Whether the C library said that an assertion failed, as `assert` of assert.h does before it aborts.
fn said_assertion(scratch: &Path) -> bool {
    let said =
        trellis_input::bytes(&scratch.join("stderr"), trellis_input::TEXT).unwrap_or_default();
    String::from_utf8_lossy(&said).contains("Assertion `")
}
