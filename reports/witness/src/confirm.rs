//! A counterexample put to the test: the program and its harness are compiled by the system's C
//! compiler and run.

use crate::harness::{ASTRAY, BLOCKED, Harness, REACHED, sanitizers};
use crate::kept::Kept;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trellis_confine::{Ending, Job, Limits, Running};
use trellis_frontend_c::compiler::{Runner, path_argument, source_argument};

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
    /// It is not, or it could not be tried, for this reason.
    NotConfirmed(String),
}

impl std::fmt::Display for Confirmation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Confirmation::Confirmed(how) => write!(f, "confirmed by execution{how}"),
            Confirmation::NotConfirmed(why) => write!(f, "not confirmed by execution: {why}"),
        }
    }
}

/// Compiles and runs in `scratch`; `keeper` is the executable that guards the run.
pub fn confirm(harness: &Harness, build: &Build, scratch: &Path, keeper: &Path) -> Confirmation {
    match compile(harness, build, scratch, keeper) {
        Err(why) => Confirmation::NotConfirmed(why),
        Ok((program, note)) => match execute(harness, &program, scratch, keeper) {
            Ok(()) => Confirmation::Confirmed(note),
            Err(why) => Confirmation::NotConfirmed(why + &unset(harness)),
        },
    }
}

fn unset(harness: &Harness) -> String {
    match harness.uninitialised.as_slice() {
        [] => String::new(),
        names => format!(" (the error depends on uninitialised {})", names.join(", ")),
    }
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
    // Many systems lack the libraries for 32 bits; most programs do not care.
    let widths: &[(&[&str], &str)] = match build.ilp32 {
        true => &[(&["-m32"], ""), (&[], ", compiled for 64 bits")],
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
        if !harness.uninitialised.is_empty() {
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

fn execute(harness: &Harness, program: &Path, scratch: &Path, keeper: &Path) -> Result<(), String> {
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
            cpu: Some(Duration::from_secs(10)),
            wall: Some(Duration::from_secs(20)),
            memory: Some(2 << 30),
            ..Limits::default()
        },
    };
    let outcome = Running::start(keeper, &job).and_then(Running::wait);
    match outcome.map_err(|e| e.to_string())?.ending {
        Ending::Exited(REACHED) => Ok(()),
        Ending::Exited(ASTRAY) => Err("it asks for other values than the trace has".into()),
        Ending::Exited(BLOCKED) => Err("an assumption does not hold".into()),
        Ending::Exited(code) => Err(format!("it ends with exit code {code}")),
        Ending::Signal(signal) => Err(format!("it ends by signal {signal}")),
        other => Err(format!("it was stopped: {other:?}")),
    }
}
