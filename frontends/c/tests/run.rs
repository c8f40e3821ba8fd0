//! Programs through the IVL interpreter and through the system's C compiler: the results agree.

use crate::common::interpret;
use std::path::Path;
use std::process::Command;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_files};
use trellis_frontend_c::types::DataModel;
use trellis_ivl::Program;

fn compile(path: &Path, model: DataModel, properties: Properties) -> Program {
    let options = Options {
        model,
        properties,
        ..Options::default()
    };
    match compile_files(&[path.to_owned()], &options) {
        Ok(c) => c.lowered.program,
        Err(e) => panic!("{e}"),
    }
}

/// The exit status of the natively compiled program; `None` when that cannot be built or run here.
fn native(path: &Path, model: DataModel) -> Option<u64> {
    let dir = tempfile::tempdir().ok()?;
    let exe = dir.path().join("a.out");
    // A 32-bit C library is not everywhere; without it: our own entry, no library calls.
    let start = dir.path().join("start.c");
    let text = "int main(void); void _start(void) { int r = main(); \
                __asm__ volatile(\"int $0x80\" :: \"a\"(1), \"b\"(r)); for (;;); }";
    std::fs::write(&start, text).ok()?;
    for bare in [false, true] {
        let mut cc = Command::new("cc");
        cc.args(["-w", "-O0", "-fwrapv", "-ffp-contract=off", "-std=gnu11"]);
        cc.arg("-o").arg(&exe).arg(path);
        if model == DataModel::Ilp32 {
            cc.args(["-m32", "-msse2", "-mfpmath=sse"]);
        }
        if bare {
            cc.args(["-nostdlib", "-static", "-ffreestanding"]);
            cc.args(["-fno-stack-protector", "-fno-pie", "-no-pie"]);
            cc.arg(&start);
        } else {
            cc.arg("-lm");
        }
        if cc.output().ok()?.status.success() {
            return Command::new(&exe).status().ok()?.code().map(|c| c as u64);
        }
        if model == DataModel::Lp64 {
            break;
        }
    }
    None
}

fn differential(name: &str, model: DataModel) {
    let without_overflow = Properties {
        no_overflow: false,
        ..Properties::ALL
    };
    differential_for(name, model, &[Properties::REACH, without_overflow]);
}

fn differential_for(name: &str, model: DataModel, properties: &[Properties]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/run")
        .join(name);
    let Some(expected) = native(&path, model) else {
        eprintln!("SKIPPED {name} {model:?}: no C compiler here builds and runs it");
        return;
    };
    for properties in properties {
        let program = compile(&path, model, *properties);
        assert_eq!(
            interpret(&program, 2_000_000),
            Ok(expected),
            "{name} {model:?} {properties:?}"
        );
    }
}

#[test]
fn integers_agree_with_cc() {
    differential("integers.c", DataModel::Lp64);
    differential("integers.c", DataModel::Ilp32);
}

#[test]
fn memory_agrees_with_cc() {
    differential("memory.c", DataModel::Lp64);
}

#[test]
fn control_agrees_with_cc() {
    differential("control.c", DataModel::Lp64);
}

#[test]
fn layout_agrees_with_cc() {
    differential("layout32.c", DataModel::Lp64);
    differential("layout32.c", DataModel::Ilp32);
}

/// Models of library functions in C, and builtins.
#[test]
fn library_agrees_with_cc() {
    differential("library.c", DataModel::Lp64);
}

/// Text printed into memory and read from it, by literal formats and by others.
#[test]
fn stdio_agrees_with_cc() {
    differential("stdio.c", DataModel::Lp64);
}

/// Floating numbers from text, and how long they are as text.
#[test]
fn decimals_agree_with_cc() {
    differential("decimal.c", DataModel::Lp64);
}

/// Models that call back: sorting, searching, the end of the program; wide strings.
#[test]
fn callbacks_agree_with_cc() {
    differential("callback.c", DataModel::Lp64);
}

#[test]
fn cleanups_agree_with_cc() {
    differential("cleanup.c", DataModel::Lp64);
    differential("cleanup.c", DataModel::Ilp32);
}

#[test]
fn jumps_agree_with_cc() {
    differential("jump.c", DataModel::Lp64);
}

/// What one name writes is read by every other name of the object.
#[test]
fn aliasing_agrees_with_cc() {
    differential("aliasing.c", DataModel::Lp64);
    differential("aliasing.c", DataModel::Ilp32);
}

#[test]
fn undefined_address_arithmetic_agrees_with_cc() {
    differential_for("addresses.c", DataModel::Lp64, &[Properties::REACH]);
    differential_for("addresses.c", DataModel::Ilp32, &[Properties::REACH]);
}

/// GNU C, constant expressions, names and attributes, one small case each.
#[test]
fn language_agrees_with_cc() {
    differential("language.c", DataModel::Lp64);
    differential("language.c", DataModel::Ilp32);
}

#[test]
fn constructors_agree_with_cc() {
    differential("constructors.c", DataModel::Lp64);
}

#[test]
fn variadic_functions_agree_with_cc() {
    differential("variadic.c", DataModel::Lp64);
    differential("variadic.c", DataModel::Ilp32);
}

#[test]
fn atomics_agree_with_cc() {
    differential("atomics.c", DataModel::Lp64);
}

/// 172 small cases, one language feature each, that check themselves.
#[test]
fn features_agree_with_cc() {
    differential("features.c", DataModel::Lp64);
    differential("features.c", DataModel::Ilp32);
}

/// What random programs have found.
#[test]
fn found_by_random_programs_agrees_with_cc() {
    differential("generated.c", DataModel::Lp64);
    differential("generated.c", DataModel::Ilp32);
}

#[test]
fn floats_agree_with_cc() {
    differential("floats.c", DataModel::Lp64);
    differential("floats.c", DataModel::Ilp32);
}
