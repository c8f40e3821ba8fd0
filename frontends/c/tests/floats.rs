//! Small programs with floating point: where runs of them end, and what they take for granted. What is computed is
//! compared with gcc elsewhere (`run.rs`, `differential`).

use crate::common;
use trellis_frontend_c::assumptions::{Assumption, Granted};
use trellis_frontend_c::lower::{Lowered, Properties};
use trellis_frontend_c::program::{Options, compile_texts};
use trellis_frontend_c::types::DataModel;

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); \
    extern float __VERIFIER_nondet_float(void); extern double __VERIFIER_nondet_double(void); \
    double sin(double), exp(double), pow(double, double), sqrt(double), fmod(double, double), log(double); \
    float sinf(float); int *__errno_location(void); int fesetround(int), fegetround(void), fetestexcept(int); \n";

fn lowered(text: &str, model: DataModel, granted: Granted) -> Lowered {
    let options = Options {
        model,
        properties: Properties::REACH,
        granted,
        ..Options::default()
    };
    let text = format!("{PRELUDE}int main(void) {{ {text} return 0; }}");
    match compile_texts(vec![("a.c".into(), text.into_bytes())], &options) {
        Ok(c) => c.lowered,
        Err(e) => panic!("{e}"),
    }
}

/// Where a run ends whose every input is `n`.
#[track_caller]
fn expect(text: &str, n: i64, wanted: &str) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lowered = lowered(text, model, Granted::default());
        let found = common::outcome(&lowered.program, n);
        assert!(found.starts_with(wanted), "{text}: {found}");
    }
}

fn assumptions(text: &str, model: DataModel) -> Vec<(Assumption, String)> {
    let entries = lowered(text, model, Granted::default()).assumptions;
    entries
        .into_iter()
        .map(|e| (e.assumption, e.detail))
        .collect()
}

#[test]
fn arithmetic_is_that_of_ieee_754() {
    for (text, wanted) in [
        ("if (0.1 + 0.2 == 0.3) reach_error();", "exit"),
        (
            "double a = 0.1, b = 0.2; if (a + b != 0.3) reach_error();",
            "unreach-call",
        ),
        ("float f = 16777216; if (f + 1 != f) reach_error();", "exit"),
        (
            "volatile double z = 0; if (z / z == z / z) reach_error();",
            "exit",
        ),
        (
            "volatile double z = 0; if (1 / z > 1e308) reach_error();",
            "unreach-call",
        ),
    ] {
        expect(text, 0, wanted);
    }
}

/// What an integer type does not hold becomes any value.
#[test]
fn suffixes_give_types() {
    for (text, wanted) in [
        (
            "if (sizeof(0.1f16) != 2 || 0.1f16 == 0.1f) reach_error();",
            "exit",
        ),
        (
            "if (0.1f128 == 0.1 || (double)0.1F128 != 0.1) reach_error();",
            "exit",
        ),
        (
            "if (0x1.8p1f != 3 || 0x1p-1f32 != 0.5 || 1e1f64 != 10) reach_error();",
            "exit",
        ),
        (
            "if (_Generic(1.0fi, float _Complex: 1, default: 0) != 1) reach_error();",
            "exit",
        ),
        (
            "double _Complex z = 1.0i; if (z == 0) reach_error();",
            "incomplete",
        ),
    ] {
        expect(text, 0, wanted);
    }
}

/// As gcc's programs do with `-m32 -mfpmath=387 -fexcess-precision=standard`.
#[test]
fn excess_precision_is_lost_by_assignments_and_casts() {
    let ends = |text: &str| {
        let mut options = Options {
            model: DataModel::Ilp32,
            properties: Properties::REACH,
            ..Options::default()
        };
        options.preprocess.excess_precision = true;
        let text = format!("{PRELUDE}int main(void) {{ {text} return 0; }}");
        let texts = vec![("a.c".into(), text.into_bytes())];
        let compiled = compile_texts(texts, &options).unwrap_or_else(|e| panic!("{e}"));
        common::outcome(&compiled.lowered.program, 0)
    };
    for (text, wanted) in [
        (
            "double a = 1, b = 3, q = a / b; if (q == a / b) reach_error();",
            "exit",
        ),
        (
            "double a = 1, b = 3, q = a / b; if (q != (double)(a / b)) reach_error();",
            "exit",
        ),
        ("double d = 0.1; if (d == 0.1) reach_error();", "exit"),
        ("float f = 16777216; if (f + 1 == f) reach_error();", "exit"),
        (
            "float f = 16777216; f += 1; if (f != 16777216) reach_error();",
            "exit",
        ),
        (
            "double m = 1e308; if (m * 10 / 10 != m) reach_error();",
            "exit",
        ),
        (
            "double m = 1e308; m *= 10; if (m / 10 != m) reach_error();",
            "exit",
        ),
        (
            "if (sizeof(1.0f + 1.0f) != 4 || sizeof(1 ? 1.0 : 1.0f) != 8) reach_error();",
            "exit",
        ),
        (
            "float a = 0.1f, b = -a; if (-a != b || (1 ? a * a : b) == (float)(a * a)) reach_error();",
            "exit",
        ),
    ] {
        let found = ends(text);
        assert!(found.starts_with(wanted), "{text}: {found}");
    }
}

#[test]
fn conversions_out_of_range_give_any_value() {
    let text = "volatile double d = 1e10; int i = d; if (i == 7) reach_error();";
    expect(text, 7, "unreach-call");
    expect(text, 8, "exit");
    expect(
        "volatile double d = 5.9; int i = d; if (i != 5) reach_error();",
        7,
        "exit",
    );
    let text = "double d = __VERIFIER_nondet_double(); if ((unsigned char)d == 7) reach_error();";
    expect(text, 0, "exit");
}

/// Of sin and its like only bounds are known: an error behind them is not told, and no error is none.
#[test]
fn bounds_prove_and_do_not_refute() {
    let sine = "double s = sin(1.5); ";
    expect(
        &format!("{sine} if (s > 1 || s < 0) reach_error();"),
        0,
        "exit",
    );
    expect(
        &format!("{sine} if (s == 0) reach_error();"),
        0,
        "incomplete: an error after a call",
    );
    expect(&format!("{sine} if (s != 0) reach_error();"), -1, "blocked");
    // What C fixes is known.
    expect(
        "if (sin(0.0) != 0 || pow(5, 0) != 1 || exp(0) != 1) reach_error();",
        0,
        "exit",
    );
    expect(
        "double x = log(-1.0); if (x == x) reach_error();",
        0,
        "exit",
    );
    expect("if (sinf(0) == 0) reach_error();", 0, "unreach-call");
    expect(
        "if (fetestexcept(4)) reach_error();",
        4,
        "incomplete: an error after a call",
    );
}

#[test]
fn errors_of_math_are_told_where_they_are() {
    let errno = "int *e = __errno_location(); *e = 0; ";
    expect(
        &format!("{errno} sqrt(-1.0); if (*e != 33) reach_error();"),
        0,
        "exit",
    );
    expect(
        &format!("{errno} sqrt(4.0); if (*e) reach_error();"),
        5,
        "exit",
    );
    expect(
        &format!("{errno} fmod(1, 0); if (*e != 33) reach_error();"),
        0,
        "exit",
    );
}

#[test]
fn rounding_follows_the_program() {
    let third = "volatile float a = 1, b = 3; float down, up; ";
    let text = format!(
        "{third} fesetround(0x400); down = a / b; fesetround(0x800); up = a / b; if (down >= up || fegetround() != 0x800) reach_error();"
    );
    expect(&text, 0, "exit");
    let text = format!(
        "{third} __CPROVER_rounding_mode = 1; down = a / b; __CPROVER_rounding_mode = 2; up = a / b; if (down >= up) reach_error();"
    );
    expect(&text, 0, "exit");
    expect(
        &format!("{third} up = a / b; down = a / b; if (down != up) reach_error();"),
        0,
        "exit",
    );
}

#[test]
fn what_is_assumed_is_told() {
    let sum = "double x = __VERIFIER_nondet_double(); x = x + 1;";
    let wider = (Assumption::FloatEvaluation, "double".to_owned());
    assert_eq!(assumptions(sum, DataModel::Ilp32), [wider]);
    assert_eq!(assumptions(sum, DataModel::Lp64), []);
    let bounds = (Assumption::LibmBounds, "sin".to_owned());
    assert_eq!(assumptions("sin(1.0);", DataModel::Lp64), [bounds]);
    let asked = "float x = __VERIFIER_nondet_float(); __builtin_signbit(x - x);";
    let sign = (Assumption::NanIsPositive, "signbit".to_owned());
    assert_eq!(assumptions(asked, DataModel::Lp64), [sign]);
    assert_eq!(assumptions("__builtin_signbit(-0.0);", DataModel::Lp64), []);
    let strict = lowered(sum, DataModel::Ilp32, Granted::none());
    let found = common::outcome(&strict.program, 0);
    assert!(
        found.starts_with("incomplete: 'float-evaluation'"),
        "{found}"
    );
    let strict = lowered("sin(1.0);", DataModel::Lp64, Granted::none());
    let found = common::outcome(&strict.program, 0);
    assert!(found.starts_with("incomplete: 'libm-bounds'"), "{found}");
}
