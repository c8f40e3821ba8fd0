//! What gcc makes of a program: the checksum it prints.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};
use trellis_frontend_c::types::DataModel;

/// Undefined behaviour that a generator may let through has the meaning the front end gives it.
const MEANING: [&str; 4] = ["-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"];

/// Floating expressions are evaluated in their own types, also where the x87 computes them: gcc would keep what it gives for `(float)sqrtf((float)x)`
/// with a long double x.
const PLAIN_FLOATS: [&str; 3] = ["-msse2", "-mfpmath=sse", "-ffloat-store"];
/// Or in long double.
const WIDE_FLOATS: [&str; 2] = ["-mfpmath=387", "-fexcess-precision=standard"];

/// Whether floating expressions have excess precision where the machine allows it.
pub fn excess() -> bool {
    std::env::var_os("TRELLIS_EXCESS").is_some()
}

/// gcc's option for a data model.
pub fn flag(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    }
}

/// The output of a command that succeeds.
pub fn output(command: &mut Command) -> Result<String, String> {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().map_err(|e| e.to_string())?;
    if status.success() {
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    } else {
        Err(format!("{status}: {}", String::from_utf8_lossy(&stderr)))
    }
}

/// A command that is ended after two seconds of CPU time: a loaded machine is no endless loop.
pub fn limited(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t 2 && exec \"$0\" \"$@\""]);
    command.arg(program);
    command
}

/// The data models that gcc makes programs of here: 32 bits need libraries of their own.
pub fn models() -> Vec<DataModel> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let text = "int puts(const char *); int main(void) { return puts(\"checksum = 0\") < 0; }";
    let mut models = vec![DataModel::Ilp32, DataModel::Lp64];
    models.retain(|m| checksum(dir.path(), text, *m, "-O0") == Ok(0));
    models
}

/// The checksum that the program prints when compiled at a level of optimisation.
pub fn checksum(dir: &Path, text: &str, model: DataModel, level: &str) -> Result<u32, String> {
    let (source, exe) = (dir.join("theirs.i"), dir.join("a.out"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut gcc = Command::new("gcc");
    gcc.args([flag(model), level, "-std=gnu11", "-pipe"])
        .args(MEANING);
    if model == DataModel::Ilp32 {
        match excess() {
            true => gcc.args(WIDE_FLOATS),
            false => gcc.args(PLAIN_FLOATS),
        };
    }
    output(gcc.arg("-o").arg(&exe).arg(&source).arg("-lm"))
        .map_err(|e| format!("gcc fails: {e}"))?;
    let printed =
        output(&mut limited(&exe)).map_err(|_| "gcc's program does not end".to_owned())?;
    let sum = printed.trim().strip_prefix("checksum = ");
    sum.and_then(|s| u32::from_str_radix(s, 16).ok())
        .ok_or_else(|| format!("gcc's program prints {printed:?}"))
}
