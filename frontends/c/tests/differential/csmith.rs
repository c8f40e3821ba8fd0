//! Programs of csmith (Yang, Chen, Eide and Regehr, PLDI'11), a Debian package with its headers.

use crate::compare::Case;
use crate::native::{flag, limited, output};
use std::path::Path;
use std::process::{Command, Stdio};
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::types::DataModel;

const HEADERS: &str = "/usr/include/csmith";

/// Small programs: the interpreter is exact, not fast.
const SMALL: &str = "--max-block-depth 2 --max-expr-complexity 5";

/// Shapes of programs, each used for as many. What an option does not say is as csmith has it: unions,
/// bit-fields, packed structs, volatile and const objects, pointers, jumps and all integers are there.
const SHAPES: &[&str] = &[
    "--max-funcs 3 --max-block-size 3 --max-array-dim 2 --max-array-len-per-dim 4",
    "--max-funcs 2 --max-block-size 2 --max-array-dim 1 --max-array-len-per-dim 8 --max-struct-fields 16 --no-argc",
    "--max-funcs 3 --max-block-size 3 --max-array-dim 3 --max-array-len-per-dim 3 --inline-function \
     --max-struct-fields 8 --max-union-fields 6 --max-pointer-depth 4",
    "--max-funcs 6 --max-block-size 2 --max-array-len-per-dim 3 --builtins --builtin-function-prob 30",
    "--max-funcs 3 --max-block-size 3 --max-array-len-per-dim 3 --no-packed-struct --no-volatiles --no-consts",
    "--max-funcs 4 --max-block-size 3 --max-array-len-per-dim 3 --no-arrays --max-union-fields 8 --no-bitfields \
     --max-struct-nested-level 5",
    "--max-funcs 3 --max-block-size 4 --no-pointers --max-array-dim 2 --max-array-len-per-dim 5 --no-jumps",
    "--max-funcs 3 --max-block-size 3 --max-array-len-per-dim 3 --no-longlong --no-math64 --max-expr-complexity 8",
    "--max-funcs 3 --max-block-size 3 --max-array-len-per-dim 3 --no-global-variables --max-pointer-depth 3",
    "--max-funcs 4 --max-block-size 2 --max-array-len-per-dim 3 --no-structs --no-int8 --unary-plus-operator \
     --const-as-condition",
    "--max-funcs 3 --max-block-size 3 --max-array-len-per-dim 3 --random-random",
    "--max-funcs 3 --max-block-size 2 --max-array-len-per-dim 3 --no-unions --no-uint8 --max-block-depth 4 \
     --strict-const-arrays",
];

/// What csmith ends main with, and what ours ends with instead.
const PRINTS: &str = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";
const RETURNS: &str = "return (int)(crc32_context ^ 0xFFFFFFFFUL);";

/// Whether csmith can be used.
pub fn is_here() -> bool {
    let found = Command::new("csmith").arg("--version").output().is_ok();
    found && Path::new(HEADERS).is_dir()
}

/// The program of a seed; `None` when csmith gives up on it or goes on for ever.
pub fn program(seed: u64, model: DataModel) -> Option<Case> {
    // Half of the seeds are of each model: shape and model are chosen apart.
    let shape = SHAPES[(seed / 2) as usize % SHAPES.len()];
    let mut csmith = limited("csmith");
    csmith
        .args(SMALL.split_whitespace())
        .args(shape.split_whitespace());
    let float = match (seed / 2) % 5 {
        3 => "--float",
        _ => "--no-float",
    };
    csmith.args([float, "--seed", &seed.to_string()]);
    let text = output(&mut csmith).ok()?;
    let theirs = preprocessed(&text, model, (seed / 2).is_multiple_of(4));
    let ours = theirs.replace(PRINTS, RETURNS);
    assert_ne!(theirs, ours, "csmith ends main as it always did");
    // Its programs are meant to be without undefined behaviour: nothing that is checked is violated.
    let properties = if (seed / 2 / SHAPES.len() as u64).is_multiple_of(2) {
        Properties::REACH
    } else {
        Properties {
            no_overflow: false,
            ..Properties::ALL
        }
    };
    Some(Case {
        theirs,
        ours,
        model,
        properties,
    })
}

/// Safe arithmetic is in functions or in macros, which gcc is faster with.
fn preprocessed(text: &str, model: DataModel, functions: bool) -> String {
    use std::io::Write;
    let mut gcc = Command::new("gcc");
    gcc.args([flag(model), "-E", "-P", "-w", "-std=gnu11", "-I", HEADERS]);
    if !functions {
        gcc.arg("-DUSE_MATH_MACROS");
    }
    gcc.args(["-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = gcc.spawn().expect("gcc runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let whole = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(whole.as_bytes()));
    let output = child.wait_with_output().expect("gcc ends");
    writer
        .join()
        .expect("it does not panic")
        .expect("gcc reads all");
    assert!(
        output.status.success(),
        "csmith's programs are preprocessed"
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
