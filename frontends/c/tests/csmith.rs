//! Programs made by csmith through the IVL interpreter and through the system's C compiler: the
//! checksums agree. The seeds are fixed; `TRELLIS_CSMITH=N` tries N of them. Without csmith (a Debian
//! package with its headers) there is nothing to compare, and the test says so.

mod common;

use common::interpret;
use std::path::Path;
use std::process::Command;
use trellis_frontend_c::preprocess::PreprocessOptions;
use trellis_frontend_c::program::{Options, compile_files};
use trellis_frontend_c::types::DataModel;

const HEADERS: &str = "/usr/include/csmith";

/// Small programs: the interpreter is exact, not fast. Unions, bit-fields, packed structs, volatile
/// objects and pointers are in them unless csmith is told otherwise.
const SMALL: &str = "--no-float --max-funcs 3 --max-block-depth 2 --max-block-size 3 --max-array-dim 2 \
     --max-array-len-per-dim 4 --max-expr-complexity 5";

/// Fewer statements, but richer types and deeper pointers; every fourth program.
const RICH: &str = "--no-float --inline-function --max-funcs 3 --max-block-depth 2 --max-block-size 3 \
     --max-array-dim 3 --max-array-len-per-dim 3 --max-expr-complexity 6 --max-struct-fields 8 \
     --max-union-fields 6 --max-pointer-depth 4";

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// The checksum that the compiled program prints; `None` when it does not end or cannot be built.
fn native(dir: &Path, source: &Path, flag: &str) -> Option<u64> {
    let exe = dir.join("a.out");
    let mut cc = Command::new("cc");
    cc.args([flag, "-w", "-O0", "-fwrapv", "-I", HEADERS, "-o"]);
    output(cc.arg(&exe).arg(source))?;
    let text = output(Command::new("timeout").arg("2").arg(&exe))?;
    let sum = text.trim().strip_prefix("checksum = ")?;
    u64::from_str_radix(sum, 16).ok()
}

#[test]
fn checksums_agree_with_cc() {
    let found = Command::new("csmith").arg("--version").output().is_ok();
    if !found || !Path::new(HEADERS).is_dir() {
        eprintln!("SKIPPED: csmith and its headers are not installed");
        return;
    }
    let seeds = std::env::var("TRELLIS_CSMITH").ok();
    let seeds: u32 = seeds.and_then(|s| s.parse().ok()).unwrap_or(8);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut compared = 0;
    for seed in 1..=seeds {
        let mut csmith = Command::new("csmith");
        let shape = if seed % 4 == 0 { RICH } else { SMALL };
        csmith.args(shape.split_whitespace());
        csmith.args(["--seed", &seed.to_string()]);
        let text = output(&mut csmith).expect("csmith works");
        let (ours, theirs) = (dir.path().join("ours.c"), dir.path().join("theirs.c"));
        // Ours returns the checksum where theirs prints it.
        let end = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";
        let returns = text.replace(end, "return (int)(crc32_context ^ 0xFFFFFFFFUL);");
        assert_ne!(text, returns, "csmith ends main as it always did");
        std::fs::write(&theirs, &text).expect("writable");
        std::fs::write(&ours, returns).expect("writable");
        for (model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
            let Some(expected) = native(dir.path(), &theirs, flag) else {
                continue;
            };
            let options = Options {
                model,
                preprocess: PreprocessOptions {
                    include_dirs: vec![HEADERS.into()],
                    ..PreprocessOptions::default()
                },
                ..Options::default()
            };
            let compiled = compile_files(std::slice::from_ref(&ours), &options);
            let program = compiled.map_err(|e| e.to_string()).expect("it compiles");
            match interpret(&program.lowered.program, 2_000_000) {
                Err(why) if why == "too many steps" => {}
                result => {
                    assert_eq!(result, Ok(expected), "seed {seed} {flag}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 0, "nothing was compared");
}
